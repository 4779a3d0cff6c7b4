"""
Block-scaled products that DPAS computes with their scales.

Both operands have to have one format, or two of 8-bit floats, and 4-bit floats to be packed along
k. Others are made so: all floats are put into the wider format, which holds them without rounding.
Source: `DPAS.h`, `UpcastScaledBlocked` in `AccelerateMatmul.cpp` of the Intel XPU backend, August
2026.
"""

from __future__ import annotations

from xdsl.dialects.builtin import BFloat16Type, Float8E4M3FNType, Float8E5M2Type, Float16Type
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.dialects.tt.dot import DotScaledOp
from xtriton.dialects.tt.enums import ScaleDotElemType
from xtriton.transforms.intel.layouts.dot_scaled import unpacked_operand

_BITS = {
    ScaleDotElemType.e2m1: 4,
    ScaleDotElemType.e4m3: 8,
    ScaleDotElemType.e5m2: 8,
    ScaleDotElemType.bf16: 16,
    ScaleDotElemType.fp16: 16,
}
_TYPES: dict[ScaleDotElemType, Attribute] = {
    ScaleDotElemType.bf16: BFloat16Type(),
    ScaleDotElemType.fp16: Float16Type(),
    ScaleDotElemType.e4m3: Float8E4M3FNType(),
    ScaleDotElemType.e5m2: Float8E5M2Type(),
}


def takes_scales(op: DotScaledOp) -> bool:
    """Return whether one instruction multiplies these formats."""
    a, b = formats(op)
    if a is ScaleDotElemType.e2m1 and not _packed_along_k(op):
        return False
    return a is b or (_BITS.get(a) == 8 and _BITS.get(b) == 8)


def formats(op: DotScaledOp) -> tuple[ScaleDotElemType, ScaleDotElemType]:
    """Return the formats of both operands."""
    return ScaleDotElemType(op.a_elem_type.value.data), ScaleDotElemType(op.b_elem_type.value.data)


def with_one_format(op: DotScaledOp) -> DotScaledOp | None:
    """
    Replace a product by one of operands in one format, and return it.

    None where they have one, or where there is no format for both.
    """
    common = _common_format(op)
    if common is None:
        return None
    block = op.parent
    assert block is not None

    def insert(made: Operation) -> SSAValue:
        made.location = op.location
        block.insert_op_before(made, op)
        return made.results[0]

    a, b = (unpacked_operand(op, index, _TYPES[common], insert) for index in (0, 1))
    new = DotScaledOp(
        a, b, op.c, op.a_scale, op.b_scale, common, common, fast_math=bool(op.fastMath.value.data)
    )
    op.d.replace_all_uses_with(insert(new))
    op.detach()
    op.erase()
    return new


def _packed_along_k(op: DotScaledOp) -> bool:
    return bool(op.lhs_k_pack.value.data) and bool(op.rhs_k_pack.value.data)


def _common_format(op: DotScaledOp) -> ScaleDotElemType | None:
    a, b = formats(op)
    if not _packed_along_k(op):
        return ScaleDotElemType.fp16
    if a is b or a not in _BITS or b not in _BITS:
        return None
    wider = a if _BITS[a] > _BITS[b] else b
    if _BITS[a] == _BITS[b]:
        # 8-bit floats of two formats are multiplied as they are.
        return ScaleDotElemType.bf16 if _BITS[a] == 16 else None
    if ScaleDotElemType.e2m1 in (a, b):
        # 4-bit floats are unpacked to 16 bits alone.
        is_half = ScaleDotElemType.fp16 in (a, b)
        return ScaleDotElemType.fp16 if is_half else ScaleDotElemType.bf16
    return wider
