"""
Where in shared memory each buffer of a kernel lies.

Buffers are what `ttg.local_alloc` makes, what ops need while they run, and what functions
that are called need. Two that are never live at the same time may share their place.

Source: `lib/Analysis/Allocation.cpp` of Triton. The offsets are the same, which needs the
same order of everything: Gergov, "Algorithms for Compile-Time Memory Optimization", and
first-fit coloring afterwards, for as long as buffers overlap.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import prod
from typing import Literal

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, SymbolRefAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.analysis.shared_memory.aliases import Aliases
from xtriton.analysis.shared_memory.scratch import scratch_bytes_of, value_bits
from xtriton.dialects.encodings.linear_layouts import cga_of
from xtriton.dialects.tt.types import PtrType, TensorDescType
from xtriton.dialects.ttg.linear_shared import PaddedSharedEncodingAttr, SharedLinearEncodingAttr
from xtriton.dialects.ttg.memory import LocalAllocOp
from xtriton.dialects.ttg.shared import NVMMASharedEncodingAttr
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.ttg.warp_specialize import WarpSpecializeOp
from xtriton.ir.attributes import string
from xtriton.layouts.shaping import shape_per_cta
from xtriton.layouts.shared import padded_size

_SCRATCH_ALIGNMENT = 128
_DEFAULT_ALIGNMENT = 4
_BUFFER_ALIGNMENT = 16
_CAPTURE_ALIGNMENT = 8
_ADDRESS_BYTES = 8
_FOREVER = 1 << 62

Span = tuple[int, int]
"""From a number up to, not including, another."""


@dataclass(eq=False)
class Buffer:
    """A piece of shared memory."""

    kind: Literal["explicit", "scratch", "virtual"]
    """What `ttg.local_alloc` makes, what an op needs for itself, what a callee needs."""

    owner: Operation
    size: int
    alignment: int = _DEFAULT_ALIGNMENT
    offset: int = 0
    live: Span = (0, 0)

    def place(self, offset: int) -> int:
        """Put the buffer at the next possible offset, and return that."""
        self.offset = -(-offset // self.alignment) * self.alignment
        return self.offset

    @property
    def extent(self) -> Span:
        return (self.offset, self.offset + self.size)


@dataclass
class Allocation:
    """The buffers of a function in the order of their ops, and the bytes that they need."""

    buffers: list[Buffer] = field(default_factory=list[Buffer])
    size: int = 0

    @cached_property
    def of(self) -> dict[Operation, Buffer]:
        """The buffer of each op that has one."""
        return {buffer.owner: buffer for buffer in self.buffers}


class SharedMemory:
    """The shared memory of a module; functions that others call lie within their callers."""

    def __init__(
        self,
        module: ModuleOp,
        backend: str = "",
        scratch: Callable[[Operation], int] | None = None,
    ):
        self._scratch: Callable[[Operation], int] = scratch or partial(
            scratch_bytes_of, backend=backend
        )
        self._functions: dict[str, Operation] = {
            string(op, "sym_name"): op
            for op in module.walk()
            if op.name in ("tt.func", "func.func")
        }
        self._allocations: dict[Operation, Allocation] = {}
        for function in self._functions.values():
            self.of_function(function)

    @property
    def size(self) -> int:
        """The bytes that the module needs."""
        return max((found.size for found in self._allocations.values()), default=0)

    def of_function(self, function: Operation) -> Allocation:
        """Return the buffers of a function."""
        found = self._allocations.get(function)
        if found is None:
            self._allocations[function] = found = Allocation()  # For calls in circles.
            self._allocate(function, found)
        return found

    def _allocate(self, function: Operation, allocation: Allocation) -> None:
        found = [buffer for op in _preorder(function) for buffer in self._buffers_of(op, function)]
        allocation.buffers = found
        _set_lifetimes(function, found)
        ranks = {"explicit": 0, "scratch": 1, "virtual": 2}
        ordered = sorted(found, key=lambda buffer: (-buffer.size, ranks[buffer.kind]))
        allocation.size = _set_offsets(ordered)

    def _buffers_of(self, op: Operation, function: Operation) -> list[Buffer]:
        if isinstance(op, LocalAllocOp):
            type = op.result.type
            assert isinstance(type, MemDescType)
            if not type.is_shared:
                return []
            return [Buffer("explicit", op, _buffer_bytes(type), _alignment(op, type))]
        kind: Literal["scratch", "virtual"] = "scratch"
        alignment = _SCRATCH_ALIGNMENT
        if op.name in ("tt.call", "func.call"):
            kind, size = "virtual", self._callee_size(op)
        elif isinstance(op, WarpSpecializeOp):
            size, alignment = _capture_bytes(op), _CAPTURE_ALIGNMENT
        elif op is function:
            size, alignment = _warps_beside(function), _DEFAULT_ALIGNMENT
        else:
            size = self._scratch(op)
        return [Buffer(kind, op, size, alignment)] if size else []

    def _callee_size(self, op: Operation) -> int:
        callee = op.properties.get("callee")
        assert isinstance(callee, SymbolRefAttr)
        function = self._functions.get(callee.root_reference.data)
        return 0 if function is None else self.of_function(function).size


def _preorder(op: Operation) -> list[Operation]:
    return list(op.walk())


def _buffer_bytes(type: MemDescType) -> int:
    encoding, shape = type.encoding, list(type.get_shape())
    if isinstance(encoding, NVMMASharedEncodingAttr) and encoding.fp4_padded:
        # Each byte with two elements is followed by one without.
        shape[-2 if encoding.transposed else -1] *= 2
    cga = cga_of(encoding)
    # Leading dimensions are those of several buffers.
    leading = len(shape) - len(cga[0]) if cga else 0
    own = [*shape[:leading], *shape_per_cta(cga, shape[leading:])]
    if isinstance(encoding, SharedLinearEncodingAttr):
        # Offsets may have no element.
        elements = prod(shape[:leading]) << len(encoding.offset_bases)
    elif isinstance(encoding, PaddedSharedEncodingAttr):
        elements = padded_size(own, encoding.intervals, encoding.paddings)
    else:
        elements = prod(own)
    return elements * value_bits(type.element_type) // 8


def _alignment(op: LocalAllocOp, type: MemDescType) -> int:
    if isinstance(op.alignment, IntegerAttr):
        return op.alignment.value.data
    encoding = type.encoding
    if isinstance(encoding, NVMMASharedEncodingAttr):
        return 128 * max(1, encoding.swizzling_byte_width // 16)
    if isinstance(encoding, SharedLinearEncodingAttr):
        return encoding.alignment
    return _BUFFER_ALIGNMENT


def _capture_bytes(op: WarpSpecializeOp) -> int:
    holder = op.partitionOpHolder.block.last_op
    assert holder is not None
    return sum(_captured_bytes(operand) for operand in holder.operands)


def _captured_bytes(value: SSAValue) -> int:
    type = value.type
    if isinstance(type, MemDescType):
        # The address, and in shared memory the offset along each dimension.
        return _ADDRESS_BYTES + (4 * type.rank if type.is_shared else 0)
    if isinstance(type, PtrType | TensorDescType):
        return _ADDRESS_BYTES
    return -(-value_bits(type) // 8)


def _warps_beside(function: Operation) -> int:
    """Return the most warps that a `ttg.warp_specialize` adds: one byte for each."""
    return max(
        (
            sum(op.partitionNumWarps.iter_values())
            for op in function.walk()
            if isinstance(op, WarpSpecializeOp)
        ),
        default=0,
    )


# --- when buffers are live ------------------------------------------------------------------


def _set_lifetimes(function: Operation, buffers: list[Buffer]) -> None:
    numbers: dict[Operation, int] = {}
    for op in function.walk(region_first=True):
        numbers[op] = len(numbers)
    aliases = Aliases(function) if any(b.kind == "explicit" for b in buffers) else None
    for buffer in buffers:
        if buffer.owner is function:
            buffer.live = (0, _FOREVER)
        elif buffer.kind == "explicit":
            assert aliases is not None
            spans = [_live(value, numbers) for value in aliases.of(buffer.owner.results[0])]
            buffer.live = (min(s[0] for s in spans), max(s[1] for s in spans))
        else:
            buffer.live = (numbers[buffer.owner], numbers[buffer.owner] + 1)


def _live(value: SSAValue, numbers: dict[Operation, int]) -> Span:
    """Return the numbers of the ops between a value's birth and its last use."""
    birth = value.owner
    start = birth if isinstance(birth, Operation) else birth.first_op
    home = birth if isinstance(birth, Block) else birth.parent
    assert start is not None
    assert home is not None
    low, high = numbers[start], numbers[start] + 1
    for use in value.uses:
        for op in _ancestors_below(use.operation, home.parent):
            # Across the blocks of a graph: all of each block that the value may pass.
            block = op.parent
            assert block is not None
            if block is not home and block.parent is home.parent:
                region = block.parent
                assert region is not None
                ends = [b for b in region.blocks if b.ops]
                low = min([low, *(numbers[next(iter(b.ops))] for b in ends)])
                high = max([high, *(numbers[_last(b)] + 1 for b in ends)])
            first = op if block is home else block.first_op
            assert first is not None
            low = min(low, numbers[first]) if block is not home else low
            high = max(high, numbers[op] + 1)
    return low, high


def _last(block: Block) -> Operation:
    assert block.last_op is not None
    return block.last_op


def _ancestors_below(op: Operation, region: Region | None) -> list[Operation]:
    """Return an op and those around it, as far as they are inside of `region`."""
    found = [op]
    while (inner := found[-1].parent_region()) is not region and inner is not None:
        parent = inner.parent
        if parent is None:
            break
        found.append(parent)
    return found


# --- where buffers lie ----------------------------------------------------------------------


def _meet(a: Span, b: Span) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def _set_offsets(buffers: list[Buffer]) -> int:
    """Place buffers, the largest first; return the bytes that they need."""
    if not buffers:
        return 0
    _first_offsets(buffers)
    conflicts = _conflicts(buffers)
    while True:
        size = _separate(buffers, conflicts)
        conflicts = _conflicts(buffers)
        if not any(conflicts.values()):
            return size


def _first_offsets(buffers: list[Buffer]) -> None:
    """Put each buffer at the lowest free offset of a time that meets its own."""
    free: list[tuple[int, Span]] = [(0, (0, _FOREVER))]

    def add(offset: int, span: Span) -> None:
        free.insert(bisect_right(free, offset, key=lambda pair: pair[0]), (offset, span))

    rest = list(buffers)
    while rest:
        offset, span = free.pop(0)
        buffer = next(
            (
                b
                for b in rest
                if _meet(b.live, span) and not any(_meet(other, b.live) for _, other in free)
            ),
            None,
        )
        if buffer is None:
            continue
        low, high = buffer.live
        end = buffer.place(offset) + buffer.size
        add(end, (max(span[0], low), min(span[1], high)))
        if span[0] < low:
            add(offset, (span[0], high))
        if high < span[1]:
            add(offset, (low, span[1]))
        rest.remove(buffer)


def _conflicts(buffers: list[Buffer]) -> dict[Buffer, list[Buffer]]:
    """Return for each buffer those that lie over it while both are live."""
    partitions = {buffer: _partition(buffer.owner) for buffer in buffers}
    found: dict[Buffer, list[Buffer]] = {buffer: [] for buffer in buffers}
    for i, a in enumerate(buffers):
        for b in buffers[:i]:
            if _meet(a.extent, b.extent) and (
                _meet(a.live, b.live) or _at_once(partitions[a], partitions[b])
            ):
                found[a].append(b)
                found[b].append(a)
    return found


def _partition(op: Operation) -> tuple[Operation, Region] | None:
    """Return the `ttg.warp_specialize` around an op, and the region that the op is in."""
    region, parent = op.parent_region(), op.parent_op()
    while parent is not None and not isinstance(parent, WarpSpecializeOp):
        parent = parent.parent_op()
    return None if parent is None or region is None else (parent, region)


def _at_once(a: tuple[Operation, Region] | None, b: tuple[Operation, Region] | None) -> bool:
    """Return whether two ops run in regions that run at the same time."""
    return a is not None and b is not None and a[0] is b[0] and a[1] is not b[1]


def _separate(buffers: list[Buffer], conflicts: dict[Buffer, list[Buffer]]) -> int:
    """Move buffers behind those that they conflict with, by colors; return the bytes needed."""
    colors = {buffers[0]: 0}
    for buffer in buffers:
        taken = {colors[other] for other in conflicts[buffer] if other in colors}
        colors[buffer] = next(c for c in range(len(buffers) + 1) if c not in taken)
    size = 0
    for buffer in buffers:
        behind = max((other.extent[1] for other in conflicts[buffer]), default=0)
        if colors[buffer] != 0:
            buffer.place(behind)
        size = max(size, buffer.extent[1])
    return size
