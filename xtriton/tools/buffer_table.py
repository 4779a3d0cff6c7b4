"""The buffers of shared memory as a table: what for, which line asks for them, where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from xtriton.analysis.shared_memory.report import SharedMemoryReport
    from xtriton.ir.locations import Place

SHARED = "Buffers that are never needed at the same time share their place."
"""What explains buffers whose bytes overlap."""


def buffer_table(memory: SharedMemoryReport, file: str | None) -> Table:
    """Return a row for each buffer; places in `file` are told without its name."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column("for", overflow="fold")
    table.add_column("line" if file else "where", overflow="fold")
    for name in ("bytes", "from", "to"):
        table.add_column(name, justify="right")
    for buffer in memory.buffers:
        end = buffer.offset + buffer.size
        numbers = (f"{number:,}" for number in (buffer.size, buffer.offset, end))
        table.add_row(buffer.purpose, where(buffer.position, file), *numbers)
    return table


def overlaps(memory: SharedMemoryReport) -> bool:
    """Return whether buffers share their place."""
    return sum(buffer.size for buffer in memory.buffers) > memory.size


def where(position: Place | None, file: str | None) -> str:
    """Return a place in a line of a table; "-" where none is known."""
    if position is None:
        return "-"
    name, line, column = position
    return f"{line}:{column}" if name == file else f"{name.rsplit('/', 1)[-1]}:{line}:{column}"
