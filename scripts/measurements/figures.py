"""What a measurement returns, and what all of them need: the kernels and a progress bar."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from rich.console import Console
from rich.progress import track

from xtriton.corpus import tables
from xtriton.corpus.columns import Row
from xtriton.corpus.executors import cores, local
from xtriton.corpus.jobs import Settings
from xtriton.corpus.run import Plan, run
from xtriton.corpus.sources import kernels_of
from xtriton.tools.progress import progress_bar

T = TypeVar("T")


class Bar(Enum):
    """Which side of its bar a figure has to be on."""

    AT_LEAST = "≥"
    AT_MOST = "≤"


@dataclass(frozen=True)
class Figure:
    """One measured figure; without a bar it is for information."""

    name: str
    value: float
    unit: str = ""
    bar: float | None = None
    side: Bar = Bar.AT_LEAST
    note: str = ""

    @property
    def holds(self) -> bool:
        """Whether the figure is on the right side of its bar."""
        if self.bar is None:
            return True
        return self.value >= self.bar if self.side is Bar.AT_LEAST else self.value <= self.bar


def kernels(data: Path, pattern: str = "corpus/*/*.ttir") -> list[Path]:
    """Return the files of `data` that fit; exits with a message where there is none."""
    files = sorted(data.glob(pattern))
    if not files:
        raise SystemExit(f"error: {data} holds no {pattern}; name a folder that does with --data")
    return files


def rows(data: Path, pipelines: Sequence[str], settings: Settings) -> list[Row]:
    """Return what `xtriton-corpus` finds of the kernels of `data`, on all cores."""
    with TemporaryDirectory() as folder, local(cores()) as (pool, workers):
        plan = Plan(tuple(pipelines), Path(folder, "rows.jsonl"), settings)
        with progress_bar("kernels", estimate=True) as show:
            run(plan, kernels_of([str(data / "corpus")]), pool, workers, show)
        return list(tables.read(plan.output))


def progress(items: Sequence[T], what: str) -> Iterable[T]:
    """Iterate under a progress bar on the error stream, which vanishes at the end."""
    return track(items, description=what, console=Console(stderr=True), transient=True)


def percent(part: int, whole: int) -> float:
    """Return a share in percent; 0 of nothing is 0."""
    return 100 * part / whole if whole else 0.0
