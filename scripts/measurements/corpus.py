"""
`xtriton-corpus` over all kernels: how long three pipelines take with one process and with two, how
much memory a worker needs, whether a Dask cluster gives the same file, and whether memory grows.
"""

from __future__ import annotations

import os
import re
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from measurements.figures import Bar, Figure, kernels
from xtriton.corpus import tables
from xtriton.corpus.executors import dask, local
from xtriton.corpus.jobs import Settings
from xtriton.corpus.keeper import Limits
from xtriton.corpus.run import Plan, run
from xtriton.corpus.sources import Kernel, kernels_of
from xtriton.errors import UserError
from xtriton.tools.progress import progress_bar

PIPELINES = ("triton-to-structured", "triton-raise-block-pointer", "triton-raise-tensor-descriptor")
CHECKED = Settings(check=3)
LIMITS = Limits(seconds=300)
"""Four workers on two cores take twice as long: no row must depend on that."""

COPIES = "XTRITON_CORPUS_COPIES"
"""The environment variable that says how many kernels the run for memory has; 2,000 if not set."""


_CONSTANT = re.compile(
    r"(arith\.constant (?:dense<)?)(-?\d+)(?=>? : (?:tensor<[\dx]*x)?i(?:32|64)\b)"
)


def measure(data: Path) -> Iterator[Figure]:
    """Yield the figures; everything but the run for memory is of all kernels of the folder."""
    kernels(data)
    with tempfile.TemporaryDirectory() as folder:
        yield from _on_processes(data, Path(folder))
        yield from _on_dask(data, Path(folder))
        yield from _many(data, Path(folder))


def _on_processes(data: Path, folder: Path) -> Iterator[Figure]:
    seconds: dict[int, float] = {}
    for workers in (2, 1):
        plan = Plan(PIPELINES, folder / f"{workers}.csv", CHECKED, LIMITS)
        begin = time.monotonic()
        with local(workers) as (pool, count), progress_bar(f"{workers} workers") as progress:
            run(plan, _kernels(data), pool, count, progress)
        seconds[workers] = time.monotonic() - begin
    rows = list(tables.read(folder / "2.csv"))
    yield Figure("kernels and pipelines", len(rows))
    yield Figure("time with two processes", seconds[2], "s", 60, Bar.AT_MOST)
    yield Figure("two processes against one", seconds[1] / seconds[2], "times", 1.8)
    most = max(float(str(row["peak_mib"] or 0)) for row in rows)
    yield Figure("memory of a worker", most, "MiB", 400, Bar.AT_MOST)
    same = (folder / "1.csv").read_bytes() == (folder / "2.csv").read_bytes()
    yield Figure("one process and two give the same file", same, "", 1)


def _on_dask(data: Path, folder: Path) -> Iterator[Figure]:
    expected = (folder / "2.csv").read_bytes()
    for workers in (2, 4):
        plan = Plan(PIPELINES, folder / f"dask{workers}.csv", CHECKED, LIMITS)
        try:
            with dask(str(workers)) as (pool, count), progress_bar("Dask") as progress:
                run(plan, _kernels(data), pool, count, progress)
        except UserError as error:
            yield Figure("Dask", 0, note=error.message)
            return
        same = plan.output.read_bytes() == expected
        yield Figure(f"a Dask cluster of {workers} gives the same file", same, "", 1)


def _many(data: Path, folder: Path) -> Iterator[Figure]:
    """Yield whether memory grows over many kernels, all different."""
    count = int(os.environ.get(COPIES, "2000"))
    plan, own = Plan(("cse",), folder / "many.csv"), dict[int, float]()
    with local(2) as (pool, workers), progress_bar("many kernels") as show:

        def progress(done: int, total: int, name: str) -> None:
            if done in (count // 2, count):
                own[done] = _own_memory()
            show(done, count, name)

        run(plan, _copies(data, count), pool, workers, progress)
    rows = list(tables.read(plan.output))
    yield Figure("kernels in a row", len(rows))
    yield Figure("of these measured", sum(row["status"] == "ok" for row in rows), "", count)
    peaks = [float(str(row["peak_mib"])) for row in rows]
    yield Figure("memory of a worker over these", max(peaks), "MiB", 400, Bar.AT_MOST)
    half = len(peaks) // 2
    growth = max(peaks[half:]) / max(peaks[:half])
    yield Figure("memory of a worker, second half against first", growth, "times", 1.1, Bar.AT_MOST)
    growth = own[count] / own[count // 2]
    yield Figure("memory of who asks, all against half", growth, "times", 1.1, Bar.AT_MOST)


def _kernels(data: Path) -> Iterator[Kernel]:
    yield from kernels_of([str(data / "corpus"), *map(str, sorted(data.glob("xpu/*.ttir")))])


def _copies(data: Path, count: int) -> Iterator[Kernel]:
    """Yield the kernels again and again, each time with other constants."""
    known = list(_kernels(data))
    for k in range(count):
        kernel = known[k % len(known)]
        text = _with_other_constants(kernel.text, k // len(known))
        yield Kernel(f"{k:06}/{kernel.name}", f"{text}\n// {k}\n", kernel.num_warps)


def _with_other_constants(text: str, more: int) -> str:
    """Add a number to each integer of 32 or 64 bits that is a constant."""
    return _CONSTANT.sub(lambda found: f"{found[1]}{int(found[2]) + more}", text)


def _own_memory() -> float:
    """Return the largest memory of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
