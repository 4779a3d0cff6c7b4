"""Inline assembly: refused, but for the conversions to tf32, which are arithmetic."""

import re
from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, SSAValue

from xtriton.diagnostics import position_of
from xtriton.dialects.upstream import arith
from xtriton.errors import PassFailure
from xtriton.ir.attributes import string
from xtriton.lowering.builder import Builder
from xtriton.lowering.linalg_rules.elementwise import cast
from xtriton.lowering.linalg_rules.generic import element_type, elementwise, is_tensor
from xtriton.lowering.linalg_rules.registry import op_rule

Values = Sequence[SSAValue]

_TF32 = re.compile(r"\s*cvt\.(rna|rn)\.tf32\.f32\s+\$0\s*,\s*\$1\s*;?\s*")
_LOST_BITS = 13
_EXPONENT = 0x7F800000


@op_rule("tt.elementwise_inline_asm")
def inline_asm(op: Operation, builder: Builder) -> Values:
    """Refused: machine code of a GPU means nothing elsewhere."""
    code = string(op, "asm_string")
    match = _TF32.fullmatch(code)
    if match is not None and len(op.operands) == 1:
        return _rounded(op, builder, match[1])
    shown = f" '{code.strip()}'" if code else ""
    raise PassFailure(f"cannot lower inline assembly{shown}", position_of(op))


def _rounded(op: Operation, builder: Builder, rounding: str) -> Values:
    """Round f32 to 10 bits of mantissa, as PTX does: ties away from zero (rna) or to even (rn)."""
    target = op.results[0].type

    def body(inner: Builder, operands: Values) -> Values:
        source = operands[0]
        bits = source if source.type == i32 else cast(inner, arith.BitcastOp, source, i32)
        rounded = _rounded_bits(inner, bits, rounding)
        kind = element_type(target)
        return (rounded if kind == i32 else cast(inner, arith.BitcastOp, rounded, kind),)

    if not is_tensor(op.results[0]):
        return body(builder, list(op.operands))
    found = elementwise(builder, list(op.operands), [target], body)
    assert found is not None
    return found


def _rounded_bits(builder: Builder, bits: SSAValue, rounding: str) -> SSAValue:
    def number(value: int) -> SSAValue:
        return builder.integer(value, i32)

    def make(cls: type[Operation], a: SSAValue, b: SSAValue) -> SSAValue:
        return builder.value(cls, (a, b), i32)

    half = number(1 << (_LOST_BITS - 1))
    if rounding == "rn":
        last = make(arith.AndIOp, make(arith.ShRUIOp, bits, number(_LOST_BITS)), number(1))
        half = make(arith.AddiOp, number((1 << (_LOST_BITS - 1)) - 1), last)
    kept = make(arith.AndIOp, make(arith.AddiOp, bits, half), number(-1 << _LOST_BITS))
    # Infinities and NaN stay what they are.
    exponent = make(arith.AndIOp, bits, number(_EXPONENT))
    special = builder.compare("eq", exponent, number(_EXPONENT))
    return builder.value(arith.SelectOp, (special, bits, kept), i32)
