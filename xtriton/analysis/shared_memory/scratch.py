"""
How many bytes of shared memory an op needs while it runs.

Source: `defaultAllocationAnalysisScratchSizeFn` in Triton's `lib/Analysis/Allocation.cpp`,
the helpers of `lib/Analysis/Utility.cpp`, and the Intel backend's `Analysis/Allocation.cpp`.
"""

from __future__ import annotations

from math import prod
from typing import Any

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.intel.conversions import result_is_left_operand
from xtriton.dialects.encodings.linear_layouts import cga_of, layout_of_type
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.ttg.context import threads_per_warp
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integer
from xtriton.layouts import shaping
from xtriton.layouts.algebra import free_variables
from xtriton.layouts.conversion import scratch_bytes
from xtriton.layouts.intel import is_shuffle, is_transpose
from xtriton.layouts.linear import LinearLayout

_ADDRESS_BITS = 64
_TENSOR_MAP_BYTES = 128


def scratch_bytes_of(op: Operation, backend: str = "") -> int:
    """Return the bytes that an op needs for itself; `backend` is `intel` or nothing."""
    match op.name:
        case "tt.reduce":
            return _reduce(op)
        case "tt.scan":
            return _scan(op)
        case "tt.gather":
            return _gather(op)
        case "tt.histogram":
            return _histogram(op)
        case "ttg.convert_layout":
            return _convert(op, backend)
        case "tt.atomic_rmw" | "tt.atomic_cas":
            return _atomic(op)
        case "ttng.tensormap_create":
            return _TENSOR_MAP_BYTES
        case _:
            return 0


def _tensor(type: Attribute) -> TensorType[Any]:
    assert is_tensor(type)
    return type


def value_bits(type: Attribute) -> int:
    """Return how many bits a number or an address has."""
    return _ADDRESS_BITS if isinstance(type, PtrType) else element_bits(type)


def _bytes(type: Attribute) -> int:
    return -(-value_bits(type) // 8)


def _element_bytes(op: Operation) -> int:
    """Return the bytes that one element of each operand takes together."""
    return sum(_bytes(_tensor(operand.type).element_type) for operand in op.operands)


def _reduce(op: Operation) -> int:
    source, axis = _tensor(op.operands[0].type), integer(op, "axis")
    shape = list(source.get_shape())
    shape[axis] = shaping.warps_per_cta(layout_of_type(source))[axis]
    return 0 if shape[axis] == 1 else prod(shape) * _element_bytes(op)


def _scan(op: Operation) -> int:
    source, axis = _tensor(op.operands[0].type), integer(op, "axis")
    layout = layout_of_type(source).remove_zero_bases(shaping.REGISTER)
    warps = shaping.warps_per_cta(layout)
    if not isinstance(source.encoding, BlockedEncodingAttr) or warps[axis] == 1:
        return 0
    contiguous, lanes = shaping.contiguity_per_thread(layout), shaping.threads_per_warp(layout)
    shape = source.get_shape()
    blocks = prod(
        -(-size // (c * t * w))
        for size, c, t, w in zip(shape, contiguous, lanes, warps, strict=True)
    )
    elements = prod(lanes) // lanes[axis] * (prod(contiguous) // contiguous[axis])
    return prod(warps) * elements * blocks * _element_bytes(op)


def _gather(op: Operation) -> int:
    source, indices = (_tensor(operand.type) for operand in op.operands)
    if _stays_in_warp(layout_of_type(source), layout_of_type(indices), f"dim{integer(op, 'axis')}"):
        return 0
    return prod(source.get_shape()) * _bytes(source.element_type)


def _stays_in_warp(source: LinearLayout, indices: LinearLayout, axis: str) -> bool:
    outer = (shaping.BLOCK, shaping.WARP)
    if not all(layout.sublayout_is_zero(outer, (axis,)) for layout in (source, indices)):
        return False
    others = [name for name in source.out_names if name != axis]
    return all(
        source.sublayout(names, others) == indices.sublayout(names, others)
        for names in (outer, (shaping.LANE,))
    )


def _histogram(op: Operation) -> int:
    result = _tensor(op.results[0].type)
    return (
        max(prod(result.get_shape()), threads_per_warp(op))
        * max(8, value_bits(result.element_type))
        // 8
    )


def _convert(op: Operation, backend: str) -> int:
    source, target = _tensor(op.operands[0].type), _tensor(op.results[0].type)
    if source.encoding == target.encoding:
        return 0
    a, b = layout_of_type(source), layout_of_type(target)
    bits = max(8, value_bits(source.element_type))
    if backend == "intel":
        if is_shuffle(a, b) or result_is_left_operand(source, target):
            return 0
        if is_transpose(a, b):
            lanes = prod(shaping.threads_per_warp(a))
            # A column more, which nobody reads, keeps rows out of each other's banks.
            return prod(source.get_shape()) // lanes * (lanes + 1) * bits // 8
    return scratch_bytes(a, b, bits)


def _atomic(op: Operation) -> int:
    """What all threads that share an element have to see, if anyone looks."""
    result = op.results[0]
    if result.first_use is None:
        return 0
    type = result.type
    if not is_tensor(type):
        return max(8, value_bits(type)) // 8
    if not any(free_variables(layout_of_type(type)).values()):
        return 0
    shape = shaping.shape_per_cta(cga_of(type.encoding), type.get_shape())
    return prod(shape) * max(8, value_bits(type.element_type)) // 8
