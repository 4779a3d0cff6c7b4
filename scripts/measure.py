"""
Measure xtriton on a folder of real kernels and hold the figures against their bars.

    python scripts/measure.py [TOPIC...] --data FOLDER [--json figures.json]

FOLDER holds `corpus/*/*.ttir` and what else a topic asks for; it may also be named by the
environment variable XTRITON_SHARED. Without a topic all are measured. Exit code 1 if a figure
misses its bar.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from measurements.figures import Figure
from rich import box
from rich.console import Console
from rich.table import Table

TOPICS = sorted(
    path.stem
    for path in (Path(__file__).parent / "measurements").glob("*.py")
    if path.stem not in ("__init__", "figures") and not path.stem.endswith("_plugin")
)


def main() -> int:
    """Run the topics and print a table of each."""
    arguments = _arguments()
    found: dict[str, list[Figure]] = {}
    for topic in arguments.topics or TOPICS:
        figures = found.setdefault(topic, [])
        try:
            for figure in import_module(f"measurements.{topic}").measure(arguments.data):
                figures.append(figure)
        finally:
            Console().print(_table(topic, figures))
    if arguments.json is not None:
        figures = {
            topic: [asdict(f) | {"side": f.side.value, "holds": f.holds} for f in all_of_it]
            for topic, all_of_it in found.items()
        }
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")
    return int(not all(f.holds for all_of_it in found.values() for f in all_of_it))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure xtriton on a folder of real kernels.")
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=", ".join(TOPICS))
    parser.add_argument("--data", type=Path, default=os.environ.get("XTRITON_SHARED"))
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    arguments = parser.parse_args()
    if unknown := set(arguments.topics) - set(TOPICS):
        parser.error(f"no topic {', '.join(sorted(unknown))}; there are {', '.join(TOPICS)}")
    if arguments.data is None:
        parser.error("name the folder of kernels with --data or XTRITON_SHARED")
    arguments.data = Path(arguments.data)
    return arguments


def _table(topic: str, figures: list[Figure]) -> Table:
    table = Table(title=topic, box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column()
    table.add_column("figure", justify="right")
    table.add_column("bar", justify="right")
    table.add_column()
    for figure in figures:
        bar = "" if figure.bar is None else f"{figure.side.value} {figure.bar:g} {figure.unit}"
        value = f"{figure.value:,.4g}" if figure.value < 1000 else f"{figure.value:,.0f}"
        style = "" if figure.holds else "bold red"
        table.add_row(figure.name, f"{value} {figure.unit}".strip(), bar, figure.note, style=style)
    return table


if __name__ == "__main__":
    sys.exit(main())
