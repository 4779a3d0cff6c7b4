"""Makes a small kernel of each finding: one that fails, differs or crashes in the same way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath

from xdsl.dialects.builtin import ModuleOp

from xtriton.corpus.columns import Row
from xtriton.corpus.findings import explanation, finding
from xtriton.corpus.jobs import Job
from xtriton.corpus.keeper import Keeper, Limits
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.judge.shrink import shrink
from xtriton.universe import context


def reduced(job: Job, limits: Limits, seconds: float) -> tuple[str, Row] | None:
    """
    Return a smaller module with the finding of a job of one pipeline, and its row.

    None where it has no finding; stops after so many seconds. Raises `UserError` for a kernel
    that cannot be read.
    """
    keeper = Keeper(limits)
    try:
        (row,) = keeper.measure(job)
        wanted = _signature(row)
        if wanted is None:
            return None

        def still_shows(module: ModuleOp) -> bool:
            smaller = replace(job, text=print_module(module), content="")
            return _signature(*keeper.measure(smaller)) == wanted

        module = parse_module(job.text, context(allow_unregistered=True), file=job.kernel)
        return print_module(shrink(module, still_shows, seconds)), row
    finally:
        keeper.end()


def write_reduced(folder: Path, job: Job, text: str, row: Row) -> Path:
    """Write a reduced kernel, with its finding and how to see it as comments at its top."""
    folder.mkdir(parents=True, exist_ok=True)
    name = PurePosixPath(job.kernel)
    path = folder / f"{name.stem}.{finding(row)}{name.suffix}"
    said = "\n".join(f"// {line}" for line in explanation(row).splitlines())
    run = f"// xtriton-opt --pass-pipeline='builtin.module({job.pipelines[0]})' {path.name}"
    path.write_text(f"{said}\n{run}\n{text}")
    return path


def _signature(row: Row) -> tuple[object, ...] | None:
    """Return what has to stay as it is while a kernel shrinks."""
    found = finding(row)
    if found is None or found == "unreadable":
        return None
    message = str(row.get("message") or "")
    # Numbers and names of values in a message change with the kernel.
    return found, row.get("failed_pass"), message.split(":")[0] if found == "crashed" else ""
