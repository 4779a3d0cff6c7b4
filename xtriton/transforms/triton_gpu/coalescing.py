"""
Choosing the layout in which memory is accessed best, which every backend does alike.

Threads of a warp should access neighbouring addresses, each as many elements as a vector
access takes. Source: `CoalesceUtils.cpp` and `getNumElementsPerThread` in Triton.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.axis_info import AxisAnalysis
from xtriton.analysis.blocked import blocked_encoding
from xtriton.analysis.layouts import cga_of
from xtriton.dialects.ttg.cga import CGAEncodingAttr
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.layouts.shaping import shape_per_cta
from xtriton.transforms.triton_gpu.module_facts import num_warps, threads_per_warp
from xtriton.transforms.triton_gpu.retyping import set_encoding, tensor_of, with_encoding
from xtriton.transforms.triton_gpu.slices import Slices

_WIDEST_ACCESS_BITS = 128

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
        own = self.elements_per_thread(pointer, order, part)
        per_thread = max(
            (own, *(self.elements_per_thread(p, order, part) for p in self._similar(op, order)))
        )
        per_thread = min(per_thread, max(prod(part) // (warps * lanes), 1))
        if op.name != "tt.load":
            # Wider stores would leave gaps between the lanes; caches make up for that in loads.
            per_thread = min(per_thread, own)
        sizes = [1] * len(shape)
        sizes[order[0]] = per_thread
        return blocked_encoding(shape, sizes, order, warps, lanes, cga)

    def _similar(self, op: Operation, order: tuple[int, ...]) -> Iterable[SSAValue]:
        """Pointers of the same shape and order that accesses connected with `op` go through."""
        pointer = op.operands[0]
        if not isinstance(pointer, OpResult):
            return
        type = tensor_of(pointer.type)
        assert type is not None
        for other in self.slices.of(op):
            found = accessed_pointer(other)
            # Block pointers do not count.
            if other is op or found is None or not hasattr(found.type, "get_shape"):
                continue
            if found.type.get_shape() != type.get_shape():  # pyright: ignore
                continue
            if order_from_contiguity(self.axes.info(found).contiguity) == order:
                yield found

    def elements_per_thread(
        self, pointer: SSAValue, order: tuple[int, ...], part: tuple[int, ...]
    ) -> int:
        """Return how many neighbours one vector access of a thread takes."""
        info = self.axes.info(pointer)
        type = tensor_of(pointer.type)
        assert type is not None
        bits = element_bits(type)
        # Upstream keeps this number in 32 bits.
        divisibility = info.divisibility[order[0]] & 0xFFFFFFFF
        aligned = max(divisibility // max(bits // 8, 1), 1)
        contiguous = min(info.contiguity[order[0]], part[order[0]])
        return min(aligned, contiguous, _WIDEST_ACCESS_BITS // bits)


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
