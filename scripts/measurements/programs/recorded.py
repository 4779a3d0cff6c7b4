"""
The kernels that a function compiled by `torch.compile` calls, to be repeated without Python.

Inductor writes a module of Python that allocates, and calls kernels that are its globals.
"""

from __future__ import annotations

import ctypes
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
    from xtriton.cpu.threads import watched_launches

    kept: list[object] = []
    with _noting(kept), watched_launches() as seen:
        kept.append(call())

    return [_again(function, block, kept) for function, block in seen]


def _again(function: Any, block: bytes, kept: list[object]) -> Kernel:
    """Return what launches once more; `kept` is whose memory the addresses in the job are."""
    from xtriton.cpu.threads import arena

    job = bytearray(block)
    prototype = ctypes.CFUNCTYPE(function.restype, ctypes.c_void_p, ctypes.c_void_p)
    code = prototype(ctypes.cast(function, ctypes.c_void_p).value or 0)
    place = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(job)))
    memory = ctypes.c_void_p(arena(ARENA_BYTES))

    def again(_: object = (function, kept)) -> object:
        # A launch counts in its job what it has done.
        job[:] = block
        return code(place, memory)

    return again


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
