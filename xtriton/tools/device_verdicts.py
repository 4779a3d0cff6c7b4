"""`xtriton-explain --device`: which accesses become 2D block accesses of an Intel GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


def print_device_verdicts(module: ModuleOp, device: str, num_warps: int) -> None:
    """Print a table with a row for each load and store of tensors."""
    from rich.console import Console
    from rich.table import Table

    from xtriton.analysis.intel.device import DEVICES
    from xtriton.errors import UserError
    from xtriton.transforms.intel.verdicts import device_verdicts
    from xtriton.universe import context

    if device not in DEVICES:
        raise UserError(f"there is no device '{device}'; there are {', '.join(sorted(DEVICES))}")
    table = Table(title=f"2D block accesses on {device}", title_justify="left")
    table.add_column("access", no_wrap=True)
    table.add_column("where", no_wrap=True)
    table.add_column("verdict", overflow="fold")
    for found in device_verdicts(module, context(), DEVICES[device], num_warps):
        shape = "x".join(map(str, found.shape))
        table.add_row(f"{found.kind} {shape}", _position(found.position), found.sentence)
    Console().print(table)


def _position(position: tuple[str, int, int] | None) -> str:
    if position is None:
        return ""
    file, line, column = position
    return f"{file.rsplit('/', 1)[-1]}:{line}:{column}"
