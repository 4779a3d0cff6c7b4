"""
Choosing the layout in which memory is accessed best, which every backend does alike.

Threads of a warp should access neighbouring addresses, each as many elements as a vector
access takes. Source: `CoalesceUtils.cpp` and `getNumElementsPerThread` in Triton.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import prod

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    StringAttr,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.axis_info.dataflow import AxisAnalysis
from xtriton.dialects.encodings.blocked import blocked_encoding
from xtriton.dialects.encodings.linear_layouts import cga_of
from xtriton.dialects.tt.enums import RMWOp
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.ttg.cga import CGAEncodingAttr
from xtriton.dialects.ttg.context import (
    TARGET,
    module_of,
    num_warps,
    threads_per_warp,
)
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.ir.versions import Version, release
from xtriton.layouts.shaping import shape_per_cta
from xtriton.transforms.triton_gpu.retyping import set_encoding, tensor_of, with_encoding
from xtriton.transforms.triton_gpu.slices import Slices

Ints = tuple[int, ...]

_WIDEST_ACCESS_BITS = 128

_FIRST_RELEASE_OF_NARROW_ATOMICS: Version = (3, 9)
"""Since then a thread takes no more elements than one atomic instruction does."""

_HOPPER = 90
"""The first capability of NVIDIA's with atomic additions of vectors."""

_ACCESSES = frozenset(
    (
        "tt.atomic_cas",
        "tt.atomic_rmw",
        "tt.load",
        "tt.store",
        "ttg.async_copy_global_to_local",
    )
)


def accessed_pointer(op: Operation) -> SSAValue | None:
    """Return the pointer, or tensor of pointers, that a memory op goes through."""
    return op.operands[0] if op.name in _ACCESSES else None


def order_from_contiguity(contiguity: tuple[int, ...]) -> tuple[int, ...]:
    """Return the dimensions, the most contiguous first and, among equals, the last first."""
    last_first = range(len(contiguity) - 1, -1, -1)
    return tuple(sorted(last_first, key=lambda d: -contiguity[d]))


@dataclass
class Coalescing:
    """What is known about the memory ops of a module."""

    axes: AxisAnalysis
    slices: Slices
    _widest: dict[tuple[int, Ints, Ints, Ints], int] = field(
        default_factory=dict["tuple[int, Ints, Ints, Ints]", int]
    )

    @classmethod
    def of(cls, module: Operation, axes: AxisAnalysis, accesses: Iterable[Operation]):
        """Prepare for choosing the layouts of `accesses`, memory ops of `module`."""
        return cls(axes, Slices(module, accesses))

    def encoding(self, op: Operation) -> BlockedEncodingAttr:
        """Return the layout that suits a memory op best."""
        pointer = accessed_pointer(op)
        assert pointer is not None
        type = tensor_of(pointer.type)
        assert type is not None
        shape = type.get_shape()
        cga = CGAEncodingAttr(cga_of(type.encoding), len(shape))
        part = shape_per_cta(cga.block_bases, shape)
        order = order_from_contiguity(self.axes.info(pointer).contiguity)
        warps, lanes = num_warps(op) or 1, threads_per_warp(op)
        own = self.elements_per_thread(op, order, part)
        per_thread = max(own, self._widest_of_similar(op, order, part))
        per_thread = min(per_thread, max(prod(part) // (warps * lanes), 1))
        if op.name != "tt.load":
            # Wider stores would leave gaps between the lanes; caches make up for that in loads.
            per_thread = min(per_thread, own)
        sizes = [1] * len(shape)
        sizes[order[0]] = per_thread
        return blocked_encoding(shape, sizes, order, warps, lanes, cga)

    def _widest_of_similar(self, op: Operation, order: Ints, part: Ints) -> int:
        """
        Return the most elements that a thread takes in accesses of the slice of `op`.

        These are all that go through pointers of the same shape and order, `op` among them.
        """
        pointer = op.operands[0]
        if not isinstance(pointer, OpResult):
            return 1
        type = tensor_of(pointer.type)
        assert type is not None
        connected = self.slices.of(op)
        # Ops of one slice have one list.
        key = (id(connected), type.get_shape(), order, part)
        found = self._widest.get(key)
        if found is None:
            widths = (
                self.elements_per_thread(other, order, part)
                for other in self._similar(connected, type.get_shape())
                if order_from_contiguity(self.axes.info(other.operands[0]).contiguity) == order
            )
            found = self._widest[key] = max(widths, default=1)
        return found

    def _similar(self, accesses: Iterable[Operation], shape: Ints) -> Iterable[Operation]:
        """Yield the memory ops that go through tensors of pointers of a shape."""
        for op in accesses:
            found = accessed_pointer(op)
            # Block pointers do not count.
            if found is None or not hasattr(found.type, "get_shape"):
                continue
            if found.type.get_shape() == shape:  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
                yield op

    def elements_per_thread(
        self, op: Operation, order: tuple[int, ...], part: tuple[int, ...]
    ) -> int:
        """Return how many neighbours one vector access of a thread takes."""
        pointer = accessed_pointer(op)
        assert pointer is not None
        info = self.axes.info(pointer)
        type = tensor_of(pointer.type)
        assert type is not None
        bits = element_bits(type)
        # Upstream keeps this number in 32 bits.
        divisibility = info.divisibility[order[0]] & 0xFFFFFFFF
        aligned = max(divisibility // max(bits // 8, 1), 1)
        contiguous = min(info.contiguity[order[0]], part[order[0]])
        return min(aligned, contiguous, _WIDEST_ACCESS_BITS // bits, *most_atomic_elements(op))


def most_atomic_elements(op: Operation) -> tuple[int, ...]:
    """Return the most elements that a thread takes in an atomic op; empty if only bits count."""
    if release() < _FIRST_RELEASE_OF_NARROW_ATOMICS:
        return ()
    if op.name == "tt.atomic_cas":
        return (1,)
    if op.name != "tt.atomic_rmw":
        return ()
    pointer = tensor_of(op.operands[0].type)
    assert pointer is not None
    assert isinstance(pointer.element_type, PtrType)
    element = pointer.element_type.pointee_type
    if isinstance(element, IntegerType | Float64Type):
        return (1,)
    name = module_of(op).attributes.get(TARGET)
    target = name.data if isinstance(name, StringAttr) else ""
    if target.startswith("hip:"):
        return (max(1, 32 // element_bits(pointer)),)
    capability = target.removeprefix("cuda:")
    kind = op.properties["atomic_rmw_op"]
    adds = isinstance(kind, IntegerAttr) and kind.value.data == RMWOp.fadd
    if not adds or capability == target or int(capability) >= _HOPPER:
        return ()
    if isinstance(element, Float32Type | BFloat16Type):
        return (1,)
    return (2,) if isinstance(element, Float16Type) else ()


def convert_operand(op: Operation, i: int, encoding: Attribute) -> None:
    """Put a conversion of operand `i` in front of `op`."""
    conversion = ConvertLayoutOp(op.operands[i], with_encoding(op.operands[i].type, encoding))
    conversion.location = op.location
    assert op.parent is not None
    op.parent.insert_op_before(conversion, op)
    op.operands[i] = conversion.result


def convert_results(op: Operation, encoding: Attribute) -> None:
    """Let `op` make tensors with `encoding`, converted back for those that use them."""
    block = op.parent
    assert block is not None
    last = op
    for result in op.results:
        old = result.type
        set_encoding(result, encoding)
        if result.type == old:
            continue
        conversion = ConvertLayoutOp(result, old)
        conversion.location = op.location
        result.replace_uses_with_if(
            conversion.result, lambda use, c=conversion: use.operation is not c
        )
        block.insert_op_after(conversion, last)
        last = conversion
