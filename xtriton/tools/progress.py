"""A bar for what takes long, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

Progress = Callable[[int, int, str], None]


@contextmanager
def progress_bar(title: str, *, estimate: bool = False) -> Generator[Progress]:
    """
    Give a function that takes what is done, of how many, and what comes now.

    With `estimate` the bar says how long the rest will take.

    It shows a bar on standard error where that is a terminal, and nothing elsewhere.
    """
    if not sys.stderr.isatty():
        yield lambda done, total, name: None
        return
    # Imported here: it is slow, and needed only by those who wait.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress as Bar,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.fields[title]}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        *([TextColumn("left"), TimeRemainingColumn()] if estimate else []),
        TextColumn("{task.description}"),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", title=title, total=None)

        def show(done: int, total: int, name: str) -> None:
            bar.update(task, completed=done, total=total, description=name)

        yield show
