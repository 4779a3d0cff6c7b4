"""
The kernels that a function compiled by `torch.compile` calls, to be repeated without Python.

Inductor writes a module of Python that allocates, and calls kernels that are its globals. What it
leaves to torch is called as an op of a library, which is noted as well.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import Any

Kernel = Callable[[], object]

LIBRARIES = ("torch", "aten", "extern_kernels")
"""Names by which the modules know what has ops of torch."""
ARENA_BYTES = 1 << 26
"""More than a kernel of Inductor's takes; none is there before it is touched."""


@dataclass
class Calls:
    """What a compiled function calls: kernels made for it, and ops of torch with their names."""

    kernels: list[Kernel] = field(default_factory=list[Kernel])
    ops: list[tuple[str, Kernel]] = field(default_factory=list[tuple[str, Kernel]])

    def beyond(self, other: Calls) -> list[Kernel]:
        """Return the kernels, and the ops that another way of compiling does not leave to torch."""
        common = Counter(name for name, _ in other.ops)
        found = [*self.kernels]
        for name, op in self.ops:
            if common[name]:
                common[name] -= 1
            else:
                found.append(op)
        return found


def launches(call: Callable[[], object]) -> Calls:
    """Return the machine code of each Triton kernel that a call launches, with its arguments."""
    from xtriton.cpu.threads import watched_launches

    kept, found = list[object](), Calls()
    with _noting(found, kept), watched_launches() as seen:
        kept.append(call())
    found.kernels = [_again(function, block, kept) for function, block in seen]
    return found


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


def functions(call: Callable[[], object]) -> Calls:
    """Return each of Inductor's C++ functions that a call calls, with its arguments."""
    found = Calls()
    with _noting(found, []):
        call()
    return found


def repeated(kernels: Sequence[Kernel]) -> Callable[[], None]:
    """Return what runs all of them, one after the other."""

    def run() -> None:
        for kernel in kernels:
            kernel()

    return run


@contextmanager
def _noting(calls: Calls, allocated: list[object]) -> Generator[None]:
    """Note what Inductor's modules allocate, and the C++ and ops of torch that they call."""
    from torch._inductor.codecache import PyCodeCache

    before: list[tuple[ModuleType, str, Any]] = []
    modules: list[ModuleType] = list(PyCodeCache.modules)
    for module in modules:
        for name, value in list(vars(module).items()):
            if name == "empty_strided_cpu":
                replacement = partial(_allocate, value, allocated)
            elif name.startswith("cpp_fused"):
                replacement = partial(_call, value, calls.kernels.append)
            elif name in LIBRARIES:
                replacement = _Library(value, calls)
            else:
                continue
            before.append((module, name, value))
            setattr(module, name, replacement)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


class _Library:
    """A namespace of torch; ops that are found in it are noted as they are called."""

    def __init__(self, namespace: Any, calls: Calls) -> None:
        self._namespace, self._calls = namespace, calls

    def __getattr__(self, name: str) -> Any:
        from torch import _ops as ops
        from torch._inductor.select_algorithm import ExternKernelChoice, KernelNamespace

        found = getattr(self._namespace, name)
        if isinstance(found, ops.OpOverload | ExternKernelChoice) or (
            isinstance(self._namespace, KernelNamespace) and callable(found)
        ):
            return partial(_call, found, lambda op: self._calls.ops.append((name, op)))
        if isinstance(found, ops._Ops | ops._OpNamespace | ops.OpOverloadPacket):
            return _Library(found, self._calls)
        return found


def _allocate(function: Callable[..., Any], allocated: list[object], *arguments: Any) -> Any:
    allocated.append(function(*arguments))
    return allocated[-1]


def _call(
    function: Callable[..., Any], note: Callable[[Kernel], None], *arguments: Any, **named: Any
) -> Any:
    note(partial(function, *arguments, **named))
    return function(*arguments, **named)
