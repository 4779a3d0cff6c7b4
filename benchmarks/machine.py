"""
What this machine can do: the bars of the benchmarks are shares of it.

`fma_peak` runs independent fused multiply-adds in registers, `triad` the sum of a vector and a
multiple of another in memory beyond the caches (McCalpin's STREAM), each on one or more threads.
"""

import ctypes
import os
import platform
import threading
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

# A peer that is held back would flatter; they look as they are loaded.
os.environ.pop("OPENBLAS_CORETYPE", None)
os.environ.pop("OPENBLAS_L2_SIZE", None)
os.environ.pop("ONEDNN_MAX_CPU_ISA", None)
os.environ.pop("ATEN_CPU_CAPABILITY", None)

import numpy as np

from xtriton.cpu import jit
from xtriton.cpu.target import host

CHAINS = 12
"""Independent multiply-adds: more than latency times units, fewer than registers."""

FMA_STEPS = 1 << 23
"""Of each chain: tens of milliseconds, so that threads begin and end in no time beside them."""
TRIAD_ELEMENTS = 1 << 24
"""Elements of each of the three vectors of the triad, f32."""

_FMA = """\
declare <{w} x float> @llvm.fma.v{w}f32(<{w} x float>, <{w} x float>, <{w} x float>)
define void @fma(i64 %n, ptr %out) {{
entry:
  %a = load volatile <{w} x float>, ptr %out, align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
{phis}
{steps}
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
{stores}
  ret void
}}
"""
_TRIAD = """\
define void @triad(i64 %n, ptr noalias %a, ptr noalias %b, ptr noalias %c, float %s) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pb = getelementptr float, ptr %b, i64 %i
  %pc = getelementptr float, ptr %c, i64 %i
  %pa = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %pb, align 4
  %y = load float, ptr %pc, align 4
  %z = fmul float %y, %s
  %r = fadd float %x, %z
  store float %r, ptr %pa, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""


def name() -> str:
    """Return the CPU as the system calls it, and what LLVM makes of it."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = models[0].partition(": ")[2] if models else model
    target = host()
    return f"{model} ({target.cpu}, {target.vector_bits}-bit vectors), {cores()} cores"


def cores() -> int:
    """Return how many threads may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def clock_of(threads: int) -> Callable[[], float]:
    """
    Return the clock that work on so many threads is timed with.

    One thread's is CPU time of the process, which other load on the machine does not stretch;
    for several it is what passes on the wall.
    """
    return time.process_time if threads == 1 else time.perf_counter


def fma_peak(threads: int = 1) -> float:
    """Return FLOP/s of f32 multiply-adds, two for each lane."""
    lanes = host().lanes(4)
    function, n = _fma(lanes), FMA_STEPS
    outs = [np.ones(CHAINS * lanes, np.float32) for _ in range(threads)]
    seconds = _together([partial(function, n, out.ctypes.data) for out in outs])
    return threads * n * CHAINS * lanes * 2 / seconds


def triad(threads: int = 1) -> float:
    """Return bytes/s of the triad: what it reads and writes, twelve for each element."""
    vectors = _vectors()
    share = TRIAD_ELEMENTS // threads
    function = _function(_TRIAD, "triad", ctypes.c_int64, *[ctypes.c_void_p] * 3, ctypes.c_float)
    offsets = range(0, 4 * share * threads, 4 * share)
    places = [[v.ctypes.data + offset for v in vectors] for offset in offsets]
    work = [partial(function, share, *place, 3.0) for place in places]
    return threads * share * 12 / _together(work)


@cache
def _vectors() -> list[Any]:
    return [np.ones(TRIAD_ELEMENTS, np.float32) for _ in range(3)]


@cache
def _fma(lanes: int) -> Any:
    kind = f"<{lanes} x float>"
    chains = range(CHAINS)
    phis = [f"  %x{i} = phi {kind} [ zeroinitializer, %entry ], [ %y{i}, %loop ]" for i in chains]
    steps = [
        f"  %y{i} = call {kind} @llvm.fma.v{lanes}f32({kind} %x{i}, {kind} %a, {kind} %a)"
        for i in chains
    ]
    stores = [
        f"  %p{i} = getelementptr float, ptr %out, i64 {i * lanes}\n"
        f"  store {kind} %y{i}, ptr %p{i}, align 4"
        for i in chains
    ]
    text = _FMA.format(
        w=lanes, phis="\n".join(phis), steps="\n".join(steps), stores="\n".join(stores)
    )
    return _function(text, "fma", ctypes.c_int64, ctypes.c_void_p)


@cache
def _function(text: str, name: str, *kinds: Any) -> Any:
    library = jit.load(text, [name])
    function = ctypes.CFUNCTYPE(None, *kinds)(library.addresses[name])
    function.library = library  # pyright: ignore[reportAttributeAccessIssue]
    return function


def _together(work: list[Callable[[], object]], rounds: int = 9) -> float:
    """Return the shortest time in which all of `work` is done, each on a thread of its own."""
    clock = clock_of(len(work))
    shortest = float("inf")
    for _ in range(rounds):
        threads = [threading.Thread(target=w) for w in work[1:]]
        start = clock()
        for thread in threads:
            thread.start()
        work[0]()
        for thread in threads:
            thread.join()
        shortest = min(shortest, clock() - start)
    return shortest
