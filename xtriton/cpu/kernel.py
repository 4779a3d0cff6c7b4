"""Kernels as callables: compiled once, run over a grid on all cores."""

import ctypes
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp

from xtriton import abi
from xtriton.cpu import jit
from xtriton.cpu.emitter import KernelCode, emit_kernel
from xtriton.cpu.target import Target, host
from xtriton.errors import UserError

SLICES_PER_THREAD = 4
"""Slices handed out per thread, so that an uneven grid still keeps all threads busy."""


@cache
def _executor(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="xtriton")


@cache
def available_threads() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Seconds:
    """What compiling took."""

    emit: float
    llvm: float
    """0 when the object came from the cache."""
    load: float


@dataclass(frozen=True)
class Kernel:
    """
    A compiled kernel.

    Call it with the grid and the user's arguments: NumPy or torch arrays on the CPU, or
    addresses, for pointers; numbers for scalars.
    """

    code: KernelCode
    seconds: Seconds
    from_cache: bool
    _library: jit.Library = field(repr=False)
    _entry: Any = field(repr=False)

    def __call__(
        self, grid: int | Sequence[int], arguments: Sequence[object], *, threads: int | None = None
    ) -> None:
        """
        Run every program of `grid`; returns when all have ended.

        Raises `UserError` for arguments that do not fit, `AssertionError` if a
        `tl.device_assert` of any program failed.
        """
        sizes = abi.normalize_grid(grid)
        total = sizes[0] * sizes[1] * sizes[2]
        block, overlap = self._pack(arguments)
        status = ctypes.c_int32(0)
        grid_block = (ctypes.c_int32 * 3)(*sizes)
        self._run(total, threads or available_threads(), block, grid_block, status, overlap)
        if status.value:
            raise AssertionError(self.code.assertions[status.value - 1])

    def _pack(self, arguments: Sequence[object]) -> tuple[ctypes.Array[ctypes.c_char], int]:
        expected = self.code.arguments
        if len(arguments) != len(expected):
            raise UserError(
                f"kernel '{self.code.name}' takes {len(expected)} arguments, got {len(arguments)}"
            )
        slots: list[bytes] = []
        ranges: list[tuple[int, int, bool]] = []
        for number, (kind, value) in enumerate(zip(expected, arguments, strict=True)):
            if kind.kind is abi.Kind.POINTER:
                first, start, end = _memory_of(self.code.name, number, value)
                slots.append(abi.pack_slot(kind, first))
                ranges.append((start, end, number in self.code.written))
            else:
                slots.append(abi.pack_slot(kind, cast(Any, value)))
        data = b"".join(slots)
        return ctypes.create_string_buffer(data, max(len(data), 1)), int(_overlapping(ranges))

    def _run(
        self,
        total: int,
        threads: int,
        block: ctypes.Array[ctypes.c_char],
        grid: ctypes.Array[ctypes.c_int32],
        status: ctypes.c_int32,
        overlap: int,
    ) -> None:
        def run_slice(start: int, end: int) -> None:
            arena = _arena(self.code.arena_bytes)
            self._entry(block, start, end, grid, arena, ctypes.byref(status), overlap)

        if threads == 1 or total == 1:
            run_slice(0, total)
            return
        count = min(total, threads * SLICES_PER_THREAD)
        bounds = [total * i // count for i in range(count + 1)]
        pairs = zip(bounds, bounds[1:], strict=False)
        jobs = [_executor(threads).submit(run_slice, start, end) for start, end in pairs]
        for job in jobs:
            job.result()


def _arena(size: int) -> Any:
    """Return memory for the large buffers of one thread, aligned to 64 bytes."""
    if size == 0:
        return None
    import numpy as np

    memory = np.empty(size + 64, np.uint8)
    address = memory.ctypes.data
    pointer = ctypes.c_void_p(address + -address % 64)
    pointer.memory = memory  # pyright: ignore[reportAttributeAccessIssue]
    return pointer


def _memory_of(kernel: str, number: int, value: object) -> tuple[int, int, int]:
    """Return the address of an argument's first element, and the range of bytes that it spans."""
    array = cast(Any, value)
    if isinstance(value, int):
        return value, 0, 2**64
    if value is None:
        return 0, 0, 0
    if hasattr(value, "data_ptr"):
        if array.device.type != "cpu":
            raise UserError(f"argument {number} of kernel '{kernel}' is not on the CPU")
        first, item = int(array.data_ptr()), array.element_size()
        strides = [stride * item for stride in array.stride()]
    elif hasattr(value, "__array_interface__"):
        first, item, strides = int(array.ctypes.data), array.itemsize, array.strides
    else:
        raise UserError(
            f"argument {number} of kernel '{kernel}' must be an array, got {value!r:.60}"
        )
    below = sum((n - 1) * s for n, s in zip(array.shape, strides, strict=True) if s < 0)
    above = sum((n - 1) * s for n, s in zip(array.shape, strides, strict=True) if s > 0)
    empty = any(n == 0 for n in array.shape)
    return first, first + below, first if empty else first + above + item


def _overlapping(ranges: Sequence[tuple[int, int, bool]]) -> bool:
    """True if memory that is written may be another argument's as well."""
    for i, (start, end, written) in enumerate(ranges):
        for other_start, other_end, other_written in ranges[:i]:
            if (written or other_written) and start < other_end and other_start < end:
                return True
    return False


def compile_module(
    module: ModuleOp,
    *,
    name: str | None = None,
    optimization: int = 3,
    target: Target | None = None,
) -> Kernel:
    """
    Compile kernel `name`, or the only public function, of a lowered module.

    The module holds upstream dialects only: what `triton-to-structured`,
    `triton-arith-to-linalg` and `structured-to-memref` leave. Raises `UnsupportedOp`.
    """
    target = target or host()
    start = time.perf_counter()
    code = emit_kernel(module, target, name)
    emitted = time.perf_counter()
    library = jit.load(code.text, [code.entry], optimization=optimization, target=target)
    loaded = time.perf_counter()
    pointer, integer = ctypes.c_void_p, ctypes.c_int64
    prototype = ctypes.CFUNCTYPE(
        None, pointer, integer, integer, pointer, pointer, pointer, ctypes.c_int8
    )
    entry = prototype(library.addresses[code.entry])
    seconds = Seconds(emitted - start, library.seconds, loaded - emitted - library.seconds)
    return Kernel(code, seconds, library.from_cache, library, entry)
