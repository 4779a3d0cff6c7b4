"""
What masks and bounds say of an access: whether a lane surely runs, and whether a read sees
only what the program itself has stored before.
"""

from dataclasses import replace

from xdsl.ir import Attribute, Operation

from xtriton.analysis.accesses import Accesses, checked_dims, inside
from xtriton.analysis.effects.indices import Indices
from xtriton.analysis.effects.state import Covered, State
from xtriton.analysis.indexing import Cond, Expr
from xtriton.analysis.memory_ops import Touch
from xtriton.analysis.values import Pointer, Sort, TensorBlock, known_byte_width, type_facts
from xtriton.dialects.tt.types import TensorDescType

DESCRIPTOR_INDICES = {
    "tt.descriptor_load": 1,
    "tt.descriptor_store": 2,
    "tt.descriptor_reduce": 2,
    "ttng.async_tma_copy_global_to_local": 1,
    "ttng.async_tma_copy_local_to_global": 1,
    "ttng.async_tma_reduce": 1,
}
"""The first of the operands that say where in the tensor a descriptor op begins."""


def block_of(indices: Indices, op: Operation, operand: int) -> TensorBlock | None:
    """Return the block of a tensor that an op accesses through a descriptor or block pointer."""
    a = indices.analysis
    if a is None:
        return None
    found = a.values.get(op.operands[operand])
    if not isinstance(found, TensorBlock):
        return None
    if isinstance(op.operands[operand].type, TensorDescType):
        first = DESCRIPTOR_INDICES.get(op.name)
        if first is None:
            return None
        given = op.operands[first : first + len(found.sizes)]
        if len(given) != len(found.sizes):
            return None
        found = replace(found, offsets=tuple(a.expr(v) for v in given))
    return found


def bounds_of(indices: Indices, op: Operation, block: TensorBlock) -> Cond | None:
    """Return where an access through a block stays inside the tensor."""
    space = indices.space
    if space is None:
        return None
    descriptor = op.name in DESCRIPTOR_INDICES
    rank = len(block.sizes)
    dims = tuple(range(rank)) if descriptor else checked_dims(op, rank)
    return inside(space, block, dims)


def is_bounded(type: Attribute) -> bool:
    """Tell whether a type is that of descriptors or block pointers."""
    return type_facts(type).sort is Sort.BLOCK


def first_lane_inside(indices: Indices, op: Operation) -> bool:
    """
    Tell whether the first lane of an op without mask surely runs in the first program.

    A plain pointer has no bounds; what a descriptor or block pointer reaches has.
    """
    for k, operand in enumerate(op.operands):
        if is_bounded(operand.type):
            block = block_of(indices, op, k)
            if block is None:
                return False
            bounds = bounds_of(indices, op, block)
            a = indices.analysis
            if bounds is None or a is None:
                return False
            return indices.decided(a.resolved_condition(bounds), first=True) is True
    return True


def _key(indices: Indices, op: Operation, touch: Touch) -> Covered | None:
    a = indices.analysis
    if a is None or touch.operand < 0:
        return None
    pointer = a.values.get(op.operands[touch.operand])
    if not isinstance(pointer, Pointer):
        return None
    width = known_byte_width(pointer.pointee)
    if width is None:
        return None
    mask = indices.mask(op)
    return pointer.base, pointer.offset, width, a.cond(mask) if mask is not None else None


def cover(indices: Indices, op: Operation, touch: Touch, state: State) -> None:
    """Note that the program has stored to the bytes of an access."""
    key = _key(indices, op, touch)
    if key is not None:
        state.covered = state.covered.and_also(key)


def is_covered(indices: Indices, op: Operation, touch: Touch, state: State) -> bool:
    """Tell whether the program has surely stored to all bytes that a read sees."""
    if not state.covered:
        return False
    key = _key(indices, op, touch)
    if key is None:
        return False
    return key in state.covered or (*key[:3], None) in state.covered


def element_offset(block: TensorBlock, accesses: Accesses) -> Expr:
    """Return the offset of the element at a position of a block, in elements."""
    space = accesses.analysis.space
    total = block.origin
    for d, (offset, stride) in enumerate(zip(block.offsets, block.strides, strict=True)):
        total = total + (offset + space.position(d, block.sizes[d])) * stride
    return total
