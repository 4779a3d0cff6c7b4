"""Kernels as callables: compiled once, run over a grid on all cores."""

import ctypes
import os
import struct
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp

from xtriton import abi
from xtriton.cpu import jit
from xtriton.cpu.emitter import KernelCode, emit_kernel
from xtriton.cpu.emitter.function import JOB_FIELDS
from xtriton.cpu.target import Target, host
from xtriton.errors import UserError

CHUNKS_PER_THREAD = 8
"""A job is handed out in so many chunks per thread, so that all end at about the same time."""


class Job(ctypes.Structure):
    """What the threads of one launch share; `emitter.function.JOB_FIELDS`."""

    _fields_ = [
        (name, ctypes.c_int64 if type == "i64" else ctypes.c_int32) for name, type in JOB_FIELDS
    ]


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
class Launch:
    """
    How a kernel is launched: its arguments, what its programs need and what they may report.

    `written` has the numbers of the arguments that are stored to, `filled` those that are
    sizes and strides of others.
    """

    name: str
    arguments: tuple[abi.Argument, ...]
    arena_bytes: int
    assertions: tuple[str, ...]
    written: frozenset[int]
    filled: Mapping[int, abi.TensorFact] = field(default_factory=dict[int, abi.TensorFact])

    @staticmethod
    def of_code(code: KernelCode) -> "Launch":
        return Launch(
            code.name, code.arguments, code.arena_bytes, code.assertions, code.written, code.filled
        )

    @staticmethod
    def of_record(record: Mapping[str, Any]) -> "Launch":
        """Return what `record` wrote down."""
        return Launch(
            record["name"],
            tuple(abi.argument_of_text(text) for text in record["arguments"]),
            record["arena_bytes"],
            tuple(record["assertions"]),
            frozenset(record["written"]),
            {int(n): abi.tensor_fact(text) for n, text in record["filled"].items()},
        )

    def record(self) -> dict[str, Any]:
        """Return this in words of JSON."""
        return {
            "name": self.name,
            "arguments": [str(argument) for argument in self.arguments],
            "arena_bytes": self.arena_bytes,
            "assertions": list(self.assertions),
            "written": sorted(self.written),
            "filled": {str(n): str(fact) for n, fact in self.filled.items()},
        }

    @cached_property
    def _slots(self) -> struct.Struct:
        return abi.slots_format(self.arguments)

    def __call__(
        self,
        function: Any,
        grid: int | Sequence[int],
        arguments: Sequence[object],
        *,
        threads: int | None = None,
    ) -> None:
        """
        Run every program of `grid`; returns when all have ended.

        `function` is what `prototype` makes of the address of the code. Raises `UserError` for
        arguments that do not fit, `AssertionError` if a `tl.device_assert` of any program failed.
        """
        sizes = abi.normalize_grid(grid)
        total = sizes[0] * sizes[1] * sizes[2]
        block, overlap = self._pack(arguments)
        if total == 0:
            return
        threads = min(threads or available_threads(), total)
        chunk = total if threads <= 1 else max(1, total // (threads * CHUNKS_PER_THREAD))
        job = Job(0, total, chunk, *sizes, 0, overlap)
        self._run(function, threads, block, ctypes.addressof(job))
        status: int = job.status
        if status:
            raise AssertionError(self.assertions[status - 1])

    def _pack(self, arguments: Sequence[object]) -> tuple[bytes, bool]:
        """Return the argument block, and whether written memory may be another argument's too."""
        expected = self.arguments
        if self.filled and len(arguments) == len(expected) - len(self.filled):
            arguments = self._with_facts(arguments)
        if len(arguments) != len(expected):
            raise UserError(
                f"kernel '{self.name}' takes {len(expected)} arguments, got {len(arguments)}"
            )
        values: list[float] = []
        ranges: list[tuple[int, int, bool]] = []
        for number, (argument, value) in enumerate(zip(expected, arguments, strict=True)):
            if argument.kind is abi.Kind.POINTER:
                first, start, end = self._memory_of(number, value)
                values.append(first)
                ranges.append((start, end, number in self.written))
            else:
                values.append(abi.slot_value(argument, self._number(number, value)))
        return self._slots.pack(*values), _overlapping(ranges)

    def _with_facts(self, arguments: Sequence[object]) -> list[object]:
        """Return the user's arguments with sizes and strides of tensors among them."""
        user = iter(arguments)
        count = len(self.arguments)
        found = [None if n in self.filled else next(user) for n in range(count)]
        for n, fact in self.filled.items():
            found[n] = fact.value(*self._layout(fact.argument, found[fact.argument]))
        return found

    def _layout(self, number: int, value: object) -> tuple[Sequence[int], Sequence[int]]:
        """Return shape and strides, in elements, of an array."""
        array = cast(Any, value)
        if hasattr(value, "data_ptr"):
            return tuple(array.shape), tuple(array.stride())
        if hasattr(value, "__array_interface__"):
            return array.shape, tuple(s // array.itemsize for s in array.strides)
        raise self._wrong(number, "an array, since the kernel asks for its shape", value)

    def _run(self, function: Any, threads: int, block: bytes, job: int) -> None:
        def work() -> None:
            function(block, job, _arena(self.arena_bytes))

        helpers = [_executor(threads).submit(work) for _ in range(threads - 1)]
        work()
        for helper in helpers:
            # All programs are taken by now: a helper that has not begun need not.
            if not helper.cancel():
                helper.result()

    def _number(self, number: int, value: object) -> float:
        if isinstance(value, bool | int | float):
            return value
        if hasattr(value, "item"):
            return cast(Any, value).item()
        raise self._wrong(number, "a number", value)

    def _wrong(self, number: int, wanted: str, value: object) -> UserError:
        return UserError(
            f"argument {number} of kernel '{self.name}' must be {wanted}, got {value!r:.60}"
        )

    def _memory_of(self, number: int, value: object) -> tuple[int, int, int]:
        """Return the address of an array's first element, and the range of bytes that it spans."""
        array = cast(Any, value)
        if hasattr(value, "data_ptr"):
            if array.device.type != "cpu":
                raise self._wrong(number, "on the CPU", value)
            first, item = int(array.data_ptr()), array.element_size()
            if array.is_contiguous():
                return first, first, first + array.numel() * item
            strides = [stride * item for stride in array.stride()]
        elif hasattr(value, "__array_interface__"):
            first = int(array.__array_interface__["data"][0])
            if number in self.written and not array.flags.writeable:
                raise self._wrong(number, "writable, since the kernel stores to it", value)
            if array.flags.c_contiguous:
                return first, first, first + array.nbytes
            item, strides = array.itemsize, array.strides
            if any(stride % item for stride in strides):
                raise self._wrong(number, "an array of strides in whole elements", value)
        elif isinstance(value, int):
            return value, 0, 1 << 64
        elif value is None:
            return 0, 0, 0
        else:
            raise self._wrong(number, "an array", value)
        below = sum((n - 1) * s for n, s in zip(array.shape, strides, strict=True) if s < 0)
        above = sum((n - 1) * s for n, s in zip(array.shape, strides, strict=True) if s > 0)
        empty = any(n == 0 for n in array.shape)
        return first, first + below, first if empty else first + above + item


prototype = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p)
"""The type of a launching function: argument block, job, arena."""


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
    launch: Launch
    _library: jit.Library = field(repr=False)
    _entry: Any = field(repr=False)

    def __call__(
        self, grid: int | Sequence[int], arguments: Sequence[object], *, threads: int | None = None
    ) -> None:
        """Run every program of `grid`; see `Launch`."""
        self.launch(self._entry, grid, arguments, threads=threads)


_arenas = threading.local()


def _arena(size: int) -> int | None:
    """Return memory for the large buffers of this thread, aligned to 64 bytes."""
    if size == 0:
        return None
    # The largest arena so far is kept: fresh memory costs a page fault every 4096 bytes.
    memory: ctypes.Array[ctypes.c_char] | None = getattr(_arenas, "memory", None)
    if memory is None or len(memory) < size + 64:
        memory = _arenas.memory = ctypes.create_string_buffer(size + 64)
    address = ctypes.addressof(memory)
    return address + -address % 64


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
    entry = prototype(library.addresses[code.entry])
    seconds = Seconds(emitted - start, library.seconds, loaded - emitted - library.seconds)
    return Kernel(code, seconds, library.from_cache, Launch.of_code(code), library, entry)
