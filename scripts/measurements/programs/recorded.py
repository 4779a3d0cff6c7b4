"""
The kernels that a function compiled by `torch.compile` calls, to be repeated without Python.

Inductor writes a module of Python that allocates, and calls kernels that are its globals.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any

Kernel = Callable[[], object]

ARENA_BYTES = 1 << 26
"""More than a kernel of Inductor's takes; none is there before it is touched."""


def launches(call: Callable[[], object]) -> list[Kernel]:
    """Return the machine code of each Triton kernel that a call launches, with its arguments."""
    from xtriton.cpu.threads import arena, watched_launches

    kept: list[object] = []
    with _noting(kept), watched_launches() as seen:
        kept.append(call())

    def again(function: Any, block: bytes) -> object:
        assert kept  # whose memory the addresses in the block are
        return function(bytes(bytearray(block)), arena(ARENA_BYTES))

    return [partial(again, function, block) for function, block in seen]


def functions(call: Callable[[], object]) -> list[Kernel]:
    """Return each of Inductor's C++ functions that a call calls, with its arguments."""
    seen: list[Kernel] = []
    with _noting([], seen):
        call()
    return seen


def repeated(kernels: Sequence[Kernel]) -> Callable[[], None]:
    """Return what runs all of them, one after the other."""

    def run() -> None:
        for kernel in kernels:
            kernel()

    return run


@contextmanager
def _noting(allocated: list[object], called: list[Kernel] | None = None) -> Generator[None]:
    """Note what Inductor's modules allocate and, if asked for, the C++ that they call."""
    from torch._inductor.codecache import PyCodeCache

    before: list[tuple[ModuleType, str, Any]] = []
    modules: list[ModuleType] = list(PyCodeCache.modules)
    for module in modules:
        for name, value in list(vars(module).items()):
            if name == "empty_strided_cpu":
                replacement = partial(_allocate, value, allocated)
            elif name.startswith("cpp_fused") and called is not None:
                replacement = partial(_call, value, called)
            else:
                continue
            before.append((module, name, value))
            setattr(module, name, replacement)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


def _allocate(function: Callable[..., Any], allocated: list[object], *arguments: Any) -> Any:
    allocated.append(function(*arguments))
    return allocated[-1]


def _call(function: Callable[..., Any], called: list[Kernel], *arguments: Any) -> Any:
    called.append(partial(function, *arguments))
    return function(*arguments)
