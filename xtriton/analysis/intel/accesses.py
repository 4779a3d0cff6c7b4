"""What passes ask about an access to memory: its pointer, its type, what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.axis_info import AxisAnalysis
from xtriton.analysis.intel.module import BLOCK_IO, num_warps, threads_per_warp
from xtriton.analysis.layouts import cga_of
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.layouts.shaping import shape_per_cta

_ACCESSES = frozenset(("tt.load", "tt.store", "tt.atomic_rmw", "tt.atomic_cas"))
_WIDEST_ACCESS_BITS = 128


def pointer_of(op: Operation) -> SSAValue | None:
    """Return what a load, store or atomic op accesses memory through; else None."""
    if op.name in _ACCESSES:
        return op.operands[0]
    return op.operands[0] if op.name == "ttg.async_copy_global_to_local" else None


def tensor_type(type: Attribute) -> TensorType[Any] | None:
    """Return a tensor type, or the one that a block pointer points to; else None."""
    if isinstance(type, PtrType):
        type = type.pointee_type
    return type if is_tensor(type) else None


def is_block_pointer(type: Attribute) -> bool:
    """Return whether `type` is a pointer to a tensor."""
    return isinstance(type, PtrType) and is_tensor(type.pointee_type)


def is_expensive(op: Operation) -> bool:
    """Return whether a load or store costs more than what its threads compute."""
    type = tensor_type(op.operands[0].type)
    if type is None or BLOCK_IO in op.attributes:
        return False
    elements = prod(type.get_shape())
    # More threads than elements hit the cache.
    return elements > 1 and elements >= num_warps(op) * threads_per_warp(op)


def elements_per_access(op: Operation, order: Sequence[int], facts: AxisAnalysis) -> int:
    """Return how many elements a thread accesses at once along the fastest dimension."""
    pointer = pointer_of(op)
    assert pointer is not None
    type = tensor_type(pointer.type)
    assert type is not None
    info = facts.info(pointer)
    bits = element_bits(pointer.type)
    fastest = order[0]
    aligned = max(info.divisibility[fastest] // max(bits // 8, 1), 1)
    part = shape_per_cta(cga_of(type.encoding), type.get_shape())
    contiguous = min(info.contiguity[fastest], part[fastest])
    return min(aligned, contiguous, _WIDEST_ACCESS_BITS // bits)


def order_by_contiguity(contiguity: Sequence[int]) -> tuple[int, ...]:
    """Return the dimensions from the most contiguous one; of equals the last comes first."""
    dims = reversed(range(len(contiguity)))
    return tuple(sorted(dims, key=lambda d: -contiguity[d]))
