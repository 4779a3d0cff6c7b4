"""
The kernels that a function compiled by `torch.compile` calls, to be repeated without Python.

Inductor writes a module of Python that allocates, and calls kernels that are its globals. What it
leaves to torch is called as an op of a library, which is noted as well.
"""

from __future__ import annotations

import ctypes
import struct
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from types import ModuleType
from typing import Any

Kernel = Callable[[], object]

_LAUNCH = """\
declare ptr @PyTuple_GetItem(ptr, i64)
declare ptr @PyBytes_AsString(ptr)
declare ptr @Py_BuildValue(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

@nothing = private constant [1 x i8] zeroinitializer

define ptr @again(ptr %self, ptr %none) {
  %first = call ptr @PyTuple_GetItem(ptr %self, i64 0)
  %words = call ptr @PyBytes_AsString(ptr %first)
  %before_at = getelementptr i8, ptr %words, i64 8
  %bytes_at = getelementptr i8, ptr %words, i64 16
  %code_at = getelementptr i8, ptr %words, i64 24
  %arena_at = getelementptr i8, ptr %words, i64 32
  %job = load ptr, ptr %words
  %before = load ptr, ptr %before_at
  %bytes = load i64, ptr %bytes_at
  %code = load ptr, ptr %code_at
  %arena = load ptr, ptr %arena_at
  call void @llvm.memcpy.p0.p0.i64(ptr %job, ptr %before, i64 %bytes, i1 false)
  %status = call i32 %code(ptr %job, ptr %arena)
  %result = call ptr (ptr, ...) @Py_BuildValue(ptr @nothing)
  ret ptr %result
}
"""
"""Gives a launch its job as it was before, and runs its code, all of which five words tell."""
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

    # What a call is given, as what comes from behind to a gradient, is kept with it.
    kept, found = list[object]([call]), Calls()
    with _noting(found, kept), watched_launches() as seen:
        kept.append(call())
    found.kernels = [_again(function, block, kept) for function, block in seen]
    return found


def _again(function: Any, block: bytes, kept: list[object]) -> Kernel:
    """Return what launches once more; `kept` is whose memory the addresses in the job are."""
    from xtriton.cpu.threads import arena

    # A launch counts in its job what it has done.
    job, before = ctypes.create_string_buffer(len(block)), ctypes.create_string_buffer(block)
    code = ctypes.cast(function, ctypes.c_void_p).value or 0
    places = (ctypes.addressof(job), ctypes.addressof(before))
    words = struct.pack("=5q", *places, len(block), code, arena(ARENA_BYTES) or 0)
    return _launcher()((words, function, job, before, kept))


@cache
def _launcher() -> Callable[[tuple[object, ...]], Kernel]:
    """
    Return what makes a function of Python, as Inductor's C++ functions are.

    It has five words, and keeps whatever is behind them.
    """
    from xtriton.cpu.calls import NO_ARGUMENTS, functions_of

    return functions_of(_LAUNCH, "again", NO_ARGUMENTS)


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
    """Note what Inductor's modules and ops allocate, and the C++ and ops of torch they call."""
    from torch._inductor.codecache import PyCodeCache

    before: list[tuple[ModuleType, str, Any]] = []
    modules: list[ModuleType] = list(PyCodeCache.modules)
    for module in modules:
        for name, value in list(vars(module).items()):
            if name == "empty_strided_cpu":
                replacement = partial(_allocate, value, allocated)
            elif name.startswith("cpp_fused"):
                replacement = partial(_call, value, calls.kernels.append, allocated)
            elif name in LIBRARIES:
                replacement = _Library(value, calls, allocated)
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

    def __init__(self, namespace: Any, calls: Calls, allocated: list[object]) -> None:
        self._namespace, self._calls, self._allocated = namespace, calls, allocated

    def __getattr__(self, name: str) -> Any:
        from torch import _ops as ops
        from torch._inductor.select_algorithm import ExternKernelChoice, KernelNamespace

        found = getattr(self._namespace, name)
        if isinstance(found, ops.OpOverload | ExternKernelChoice) or (
            isinstance(self._namespace, KernelNamespace) and callable(found)
        ):

            def note(op: Kernel) -> None:
                self._calls.ops.append((name, op))

            return partial(_call, found, note, self._allocated)
        if isinstance(found, ops._Ops | ops._OpNamespace | ops.OpOverloadPacket):
            return _Library(found, self._calls, self._allocated)
        return found


def _allocate(function: Callable[..., Any], allocated: list[object], *arguments: Any) -> Any:
    allocated.append(function(*arguments))
    return allocated[-1]


def _call(
    function: Any,
    note: Callable[[Kernel], None],
    allocated: list[object],
    *arguments: Any,
    **named: Any,
) -> Any:
    op = partial(function, *arguments, **named)
    note(op)
    # Kernels that are repeated read what an op has made.
    return _allocate(op, allocated)
