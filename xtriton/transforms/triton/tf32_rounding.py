"""
Round f32 to tf32 by integer arithmetic.

The low 13 bits of the fraction go, to the nearest of both neighbours, of equally near ones to
the even; infinities and NaNs stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import TensorType, f32, i32
from xdsl.ir import Operation, SSAValue

from xtriton.dialects.tt.casts import BitcastOp
from xtriton.dialects.upstream.arith import AddiOp, AndIOp, CmpiOp, SelectOp, ShRUIOp
from xtriton.dialects.utils.constants import constant_op
from xtriton.dialects.utils.tensors import is_tensor

Add = Callable[[Operation], SSAValue]
"""Inserts an op, returns its result."""

_EXPONENT = 0x7F800000
_DROPPED = 13


def rounded_if(condition: SSAValue, value: SSAValue, add: Add) -> SSAValue:
    """Return a tensor of f32, rounded to tf32 if an i1 holds."""
    return add(SelectOp(condition, rounded(value, add), value))


def rounded(value: SSAValue, add: Add) -> SSAValue:
    """Return a tensor of f32 rounded to tf32."""
    assert is_tensor(value.type)
    type = TensorType(i32, value.type.shape, value.type.encoding)

    def number(n: int) -> SSAValue:
        return add(constant_op(type, n))

    bits = add(BitcastOp(value, i32))
    exponent = number(_EXPONENT)
    is_special = add(CmpiOp(add(AndIOp(bits, exponent)), exponent, "eq"))
    last = add(AndIOp(add(ShRUIOp(bits, number(_DROPPED))), number(1)))
    # Just less than half of the last bit kept, and the half where that bit is odd.
    bias = add(AddiOp(last, number((1 << (_DROPPED - 1)) - 1)))
    kept = add(AndIOp(add(AddiOp(bits, bias)), number(-1 << _DROPPED)))
    chosen = add(SelectOp(is_special, bits, kept))
    return add(BitcastOp(chosen, f32))
