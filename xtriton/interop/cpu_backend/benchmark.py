"""
Timing for `@triton.autotune`, by the host's clock.

Configurations that differ only in what is for GPUs, such as `num_warps`, become the same code here.
Called with the same arguments it is timed once.
"""

import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from xtriton.cpu.threads import watched_launches

REMEMBERED_SECONDS = 60.0
TUNING = "Autotuner._bench.<locals>"

_timings: dict[object, tuple[float, Any, object]] = {}
"""When, how long, and by which code launches took, by their code, grid and arguments."""


def benchmark(
    kernel_call: Callable[[], object], *, quantiles: Sequence[float] | None = None, **options: Any
) -> Any:
    """Return the milliseconds that a call takes, as `triton.testing.do_bench` does."""
    measure = import_module("triton.testing").do_bench
    if not getattr(kernel_call, "__qualname__", "").startswith(TUNING):
        return measure(kernel_call, quantiles=quantiles, **options)
    with watched_launches() as seen:
        kernel_call()
    launches = tuple((id(function), block) for function, block in seen)
    key = (launches, tuple(quantiles or ()), tuple(sorted(options.items())))
    now = time.monotonic()
    for old in [old for old, (when, _, _) in _timings.items() if now - when > REMEMBERED_SECONDS]:
        del _timings[old]
    if not seen or key not in _timings:
        _timings[key] = now, measure(kernel_call, quantiles=quantiles, **options), seen
    return _timings[key][1]
