"""Tables of the benchmarks: on the terminal, as JSON, and in `docs/performance.md`."""

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"


@dataclass
class Report:
    """A table, and the figures that it was made of."""

    name: str
    machine: str
    headings: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list[Sequence[str]])
    raw: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    missed: list[str] = field(default_factory=list[str])

    def add(self, cells: Sequence[str], met: bool | None, **raw: object) -> None:
        """Add a row; `met` says whether its bar is met, None that it has none."""
        verdict = "" if met is None else "met" if met else "missed"
        self.rows.append((*cells, verdict))
        self.raw.append({"row": cells[0], "met": met, **raw})
        if met is False:
            self.missed.append(cells[0])

    def show(self) -> None:
        table = Table(title=self.machine, box=box.SIMPLE_HEAD)
        for place, heading in enumerate((*self.headings, "bar")):
            table.add_column(heading, justify="right" if place else "left")
        for row in self.rows:
            table.add_row(*row, style="red" if row[-1] == "missed" else None)
        Console(width=140).print(table)

    def markdown(self) -> str:
        lines = [(*self.headings, "bar"), ["---", *["---:"] * len(self.headings)], *self.rows]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        figures = json.dumps({"machine": self.machine, "rows": self.raw}, indent=1)
        return (
            f"{self.machine}.\n\n{table}\n\n<details><summary>Raw figures</summary>\n\n"
            f"```json\n{figures}\n```\n\n</details>"
        )


def options(description: str | None) -> argparse.Namespace:
    """Read the options that all benchmarks have."""
    parser = argparse.ArgumentParser(description=(description or "").strip().split("\n\n")[0])
    parser.add_argument("--json", type=Path, help="write the raw figures to this file")
    parser.add_argument("--page", action="store_true", help=f"put the table into docs/{PAGE.name}")
    return parser.parse_args()


def finish(report: Report, chosen: argparse.Namespace) -> int:
    """Print and write a report; return the exit code, 1 if a bar is missed."""
    report.show()
    if chosen.json:
        chosen.json.write_text(json.dumps(asdict(report), indent=1) + "\n")
    if chosen.page:
        begin, end = f"<!-- {report.name} begins -->", f"<!-- {report.name} ends -->"
        page, found = re.subn(
            f"{begin}.*?{end}",
            lambda _: f"{begin}\n\n{report.markdown()}\n\n{end}",
            PAGE.read_text(),
            flags=re.DOTALL,
        )
        if found != 1:
            raise SystemExit(f"{PAGE}: no place for the table '{report.name}'")
        PAGE.write_text(page)
    return 1 if report.missed else 0
