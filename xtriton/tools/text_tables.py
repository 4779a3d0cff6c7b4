"""Tables for people; those that nobody looks at in a terminal are written without Rich's care."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

Cell = str | Text
"""What stands in a table, as it is; a `Text` has colours."""


@dataclass
class TextTable:
    """Rows of cells below heads, if there are any; cells that are too wide are folded."""

    heads: Sequence[str] | None = None
    title: str = ""
    rows: list[tuple[Cell, ...]] = field(default_factory=list[tuple[Cell, ...]])

    def print(self, console: Console) -> None:
        """Print the table; the text is the same whichever way it is made."""
        is_seen = console.is_terminal or console.record
        lines = None if is_seen else self.plain_lines(console.width)
        if lines is None:
            console.print(self.rich_table())
        else:
            console.file.write("".join(f"{line}\n" for line in lines))

    def rich_table(self) -> Table:
        """Return the table as Rich's."""
        heads = self.heads or [""] * max(map(len, self.rows), default=0)
        if self.heads is None:
            table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 2))
        else:
            table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim")
        for head in heads:
            table.add_column(Text(head), overflow="fold")
        table.title, table.title_justify = Text(self.title) if self.title else None, "left"
        for row in self.rows:
            table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
        return table

    def plain_lines(self, width: int) -> list[str] | None:
        """Return the lines without colours; None if a cell has lines, or all is too wide."""
        rows = [[cell if isinstance(cell, str) else cell.plain for cell in r] for r in self.rows]
        lines = rows if self.heads is None else [list(self.heads), *rows]
        if not lines or not all(cell.isprintable() for line in lines for cell in line):
            return None
        gap, edge = ("    ", "") if self.heads is None else ("   ", " ")
        widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
        total = sum(widths) + len(gap) * (len(widths) - 1)
        if total + 2 * len(edge) > width or cell_len(self.title) > total + 2 * len(edge):
            return None
        shown = [edge + gap.join(map(_padded, line, widths)) + edge for line in lines]
        if self.heads is not None:
            empty = " " * (total + 2)
            shown = [empty, shown[0], f" {'─' * total} ", *shown[1:], empty]
        return [_padded(self.title, total + 2 * len(edge)), *shown] if self.title else shown


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))
