"""Timing for `@triton.autotune`, by the host's clock."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any


def benchmark(
    kernel_call: Callable[[], object], *, quantiles: Sequence[float] | None = None, **options: Any
) -> Any:
    """Return the milliseconds that a call takes, as `triton.testing.do_bench` does."""
    return import_module("triton.testing").do_bench(kernel_call, quantiles=quantiles, **options)
