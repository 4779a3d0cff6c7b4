"""
What does a warm launch of `kernel[grid](...)` cost beyond the kernel?

One process times, in turns, a launch of a vector addition, the same launch with a launcher that
does nothing (what Triton itself takes), the machine code alone, and `torch.add`; each turn counts
the best of a few calls. On a busy machine all of them take twice as long. So the figures that are
held against a bar are those of the quietest turn, and the medians stand beside them.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measurements.figures import Bar, Figure

TURNS = 400
CALLS = 24
"""In one turn, of which the first few are left out: they load the caches."""
COLD_CALLS = 3
ELEMENTS, BLOCK = 1000, 128
PROGRAMS = -(-ELEMENTS // BLOCK)


def measure(data: Path) -> Iterator[Figure]:
    """Yield the microseconds of a launch and of its parts."""
    os.environ["TRITON_DEFAULT_BACKEND"] = "cpu"
    with TemporaryDirectory() as folder:
        os.environ["TRITON_CACHE_DIR"] = folder
        turns = _turns(_cases())
    quiet = {name: min(times) for name, times in turns.items()}
    median = {name: statistics.median(times) for name, times in turns.items()}
    yield from _figures(quiet, "quietest turn", 10.0)
    yield from _figures(median, "median", None)


def _figures(found: dict[str, float], what: str, bar: float | None) -> Iterator[Figure]:
    kernel = max(0.0, found["machine code"] - found["machine code, no program"])
    beyond = found["launch"] - kernel
    yield Figure(f"{what}: a warm launch", found["launch"], "µs")
    yield Figure(f"{what}: beyond the kernel", beyond, "µs", bar, Bar.AT_MOST)
    own = found["nothing"]
    yield Figure(f"{what}: of which Triton's own, by a launcher that does nothing", own, "µs")
    yield Figure(f"{what}: of which xtriton's", beyond - own, "µs")
    yield Figure(f"{what}: `torch.add` of the same tensors", found["torch.add"], "µs")


def _turns(cases: dict[str, Callable[[], object]]) -> dict[str, list[float]]:
    """Return the microseconds that each case takes in each turn."""
    found: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(TURNS):
        for name, call in cases.items():
            found[name].append(_best(call) / 1e3)
    return found


def _best(call: Callable[[], object]) -> int:
    times: list[int] = []
    for _ in range(CALLS):
        start = time.perf_counter_ns()
        call()
        times.append(time.perf_counter_ns() - start)
    return min(times[COLD_CALLS:])


def _nothing(*arguments: object) -> None:
    """Take the place of a launcher."""


def _cases() -> dict[str, Callable[[], object]]:
    import torch

    from xtriton.cpu.launch import Launch

    tensors = [torch.randn(ELEMENTS) for _ in range(3)]
    x, y, out = tensors
    jit: Any = import_module("triton").jit
    add: Any = import_module("measurements.programs.vector_addition").add
    again: Any = jit(add.fn)
    kernel: Any = add[(PROGRAMS,)](x, y, out, ELEMENTS, BLOCK=BLOCK)
    silent: Any = again[(PROGRAMS,)](x, y, out, ELEMENTS, BLOCK=BLOCK)
    silent._run = _nothing
    job = Launch.of_record(kernel.metadata.xtriton).format.pack
    addresses = [tensor.data_ptr() for tensor in tensors]

    def code(total: int) -> Callable[[], object]:
        function = kernel.function
        return lambda: function(job(total, total, PROGRAMS, 1, 1, 0, *addresses, ELEMENTS), None)

    return {
        "launch": lambda: add[(PROGRAMS,)](x, y, out, ELEMENTS, BLOCK=BLOCK),
        "nothing": lambda: again[(PROGRAMS,)](x, y, out, ELEMENTS, BLOCK=BLOCK),
        "machine code": code(PROGRAMS),
        "machine code, no program": code(0),
        "torch.add": lambda: torch.add(x, y, out=out),
    }
