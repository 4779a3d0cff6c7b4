"""
What does a warm launch of `kernel[grid](...)` cost beyond the kernel?

One process times, in turns, a launch of a vector addition, the same launch with a launcher that
does nothing (what Triton itself takes), the machine code alone, and `torch.add`. Each figure is a
median over the turns, and each turn the best of a few calls. A busy machine takes twice as long,
Triton's part and torch's included.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
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
        medians = _medians(_cases())
    launch, without = medians["launch"], medians["nothing"]
    kernel = max(0.0, medians["machine code"] - medians["machine code, no program"])
    yield Figure("a warm launch", launch, "µs")
    yield Figure("the kernel of it", kernel, "µs")
    yield Figure("a warm launch beyond the kernel", launch - kernel, "µs", 10.0, Bar.AT_MOST)
    yield Figure("of which Triton's own, by a launcher that does nothing", without, "µs")
    yield Figure("of which xtriton's", launch - kernel - without, "µs", 3.0, Bar.AT_MOST)
    yield Figure("`torch.add` of the same tensors", medians["torch.add"], "µs")


def _medians(cases: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the microseconds that each case takes."""
    found: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(TURNS):
        for name, call in cases.items():
            found[name].append(_best(call) / 1e3)
    return {name: statistics.median(times) for name, times in found.items()}


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
    import triton

    from measurements.programs import vector_addition
    from xtriton.cpu.launch import Launch

    tensors = [torch.randn(ELEMENTS) for _ in range(3)]
    x, y, out = tensors
    jit: Any = triton.jit
    add: Any = vector_addition.add
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
