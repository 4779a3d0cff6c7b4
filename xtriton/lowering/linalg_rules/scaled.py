"""`tt.dot_scaled`: operands in 4 to 8 bits with a scale for each group, as f32 to a matmul."""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    Float8E4M3FNType,
    Float8E5M2Type,
    IntegerAttr,
    TensorType,
    f32,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Operation, SSAValue

from xtriton.dialects.tt.enums import ScaleDotElemType
from xtriton.dialects.upstream import arith, linalg, tensor
from xtriton.ir.attributes import flag, integer
from xtriton.lowering.attributes import element_type_of
from xtriton.lowering.builder import INDEX, Builder
from xtriton.lowering.linalg_rules.elementwise import fastmath
from xtriton.lowering.linalg_rules.generic import generic, identity_map
from xtriton.lowering.linalg_rules.matmul import matmul
from xtriton.lowering.linalg_rules.registry import op_rule
from xtriton.lowering.linalg_rules.shapes import shape_of

Values = Sequence[SSAValue]

_FP8 = {ScaleDotElemType.e4m3: Float8E4M3FNType(), ScaleDotElemType.e5m2: Float8E5M2Type()}
_GENERIC = {ScaleDotElemType.e2m1, ScaleDotElemType.fp16, ScaleDotElemType.bf16}


@op_rule("tt.dot_scaled")
def dot_scaled(op: Any, builder: Builder) -> Values | None:
    """`c + (a * a_scale) @ (b * b_scale)`, every factor and product in f32."""
    kinds = [ScaleDotElemType(integer(op, f"{x}_elem_type")) for x in ("a", "b")]
    if any(kind not in _FP8 and kind not in _GENERIC for kind in kinds):
        return None
    packed_along_k = [flag(op, f"{side}_k_pack") for side in ("lhs", "rhs")]
    rank = len(shape_of(op.a))
    left = _operand(builder, op.a, op.a_scale, kinds[0], packed_along_k[0], rank - 1)
    right = _operand(builder, op.b, op.b_scale, kinds[1], packed_along_k[1], rank - 2)
    cls = linalg.MatmulOp if rank == 2 else linalg.BatchMatmulOp
    return matmul(builder, cls, left, right, op.c)


def _operand(
    builder: Builder,
    source: SSAValue,
    scale: SSAValue | None,
    kind: ScaleDotElemType,
    packed_along_k: bool,
    k: int,
) -> SSAValue:
    """Return an operand as f32, `k` being its dimension that is summed over."""
    shape = list(shape_of(source))
    rank = len(shape)
    packed = None
    if kind is ScaleDotElemType.e2m1:
        # The other of the two matrix dimensions, where the pairs do not lie along k.
        packed = k if packed_along_k else (2 * rank - 3) - k
        shape[packed] *= 2

    def body(inner: Builder, _: Values) -> Values:
        places = [_index(inner, d) for d in range(rank)]
        value = _element(inner, source, kind, places, packed)
        if scale is not None:
            factor = _factor(inner, scale, places, k, shape[k])
            value = inner.value(arith.MulfOp, (value, factor), f32, fastmath())
        return (value,)

    outs = (builder.empty(TensorType(f32, shape)),)
    found = generic(builder, (), [identity_map(rank)], outs, ["parallel"] * rank, body)
    assert found is not None
    return found[0]


def _index(builder: Builder, d: int) -> SSAValue:
    return builder.value(linalg.IndexOp, (), INDEX, {"dim": IntegerAttr(d, i64)})


def _element(
    builder: Builder, source: SSAValue, kind: ScaleDotElemType, places: Values, packed: int | None
) -> SSAValue:
    """Return one element as f32."""
    stored: Any = element_type_of(source)
    if packed is not None:
        return _fp4(builder, source, list(places), packed)
    value = builder.value(tensor.ExtractOp, (source, *places), stored)
    if not isinstance(stored, AnyFloat):
        value = builder.value(arith.BitcastOp, (value,), _FP8[kind])
    return value if value.type == f32 else builder.value(arith.ExtFOp, (value,), f32)


def _fp4(builder: Builder, source: SSAValue, places: list[SSAValue], packed: int) -> SSAValue:
    """Return the e2m1 number in the low (even index) or high half of a byte."""
    index, two = places[packed], builder.integer(2)
    places[packed] = builder.value(arith.DivUIOp, (index, two), INDEX)
    odd = builder.value(arith.RemUIOp, (index, two), INDEX)
    byte = builder.value(tensor.ExtractOp, (source, *places), i8)
    bits = builder.value(arith.ExtUIOp, (byte,), i32)
    shift = builder.from_index(
        builder.value(arith.MuliOp, (odd, builder.integer(4)), INDEX, _WRAPS), i32
    )
    nibble = _int(builder, arith.AndIOp, builder.value(arith.ShRUIOp, (bits, shift), i32), 15)
    # Sign, two bits of exponent with bias 1, one of mantissa; moved to where f16's are and
    # multiplied by the difference of the biases, which keeps subnormal numbers right.
    sign = _int(builder, arith.ShLIOp, _int(builder, arith.AndIOp, nibble, 8), 28)
    rest = _int(builder, arith.ShLIOp, _int(builder, arith.AndIOp, nibble, 7), 22)
    number = builder.value(arith.BitcastOp, (builder.value(arith.OrIOp, (sign, rest), i32),), f32)
    return builder.value(arith.MulfOp, (number, builder.number(2.0**126, f32)), f32, fastmath())


_WRAPS = {"overflowFlags": arith.OVERFLOW_NONE}


def _int(builder: Builder, cls: type[Operation], value: SSAValue, constant: int) -> SSAValue:
    properties = _WRAPS if cls is arith.ShLIOp else {}
    return builder.value(cls, (value, builder.integer(constant, i32)), i32, properties)


def _factor(builder: Builder, scale: SSAValue, places: Values, k: int, extent: int) -> SSAValue:
    """Return the scale of the group that an element is in; it has k last."""
    stored: Any = element_type_of(scale)
    group = extent // shape_of(scale)[-1]
    along = builder.value(arith.DivUIOp, (places[k], builder.integer(group)), INDEX)
    others = [place for d, place in enumerate(places) if d != k]
    value = builder.value(tensor.ExtractOp, (scale, *others, along), stored)
    if isinstance(stored, AnyFloat):
        return value if stored == f32 else builder.value(arith.ExtFOp, (value,), f32)
    return _power_of_two(builder, value)


def _power_of_two(builder: Builder, byte: SSAValue) -> SSAValue:
    """Return 2^(byte - 127) as f32: an exponent alone. 0 is subnormal there, 255 is NaN."""
    exponent = builder.value(arith.ExtUIOp, (byte,), i32)
    bits = _int(builder, arith.ShLIOp, exponent, 23)
    bits = _chosen(builder, exponent, 0, 1 << 22, bits)
    bits = _chosen(builder, exponent, 255, 0x7FC00000, bits)
    return builder.value(arith.BitcastOp, (bits,), f32)


def _chosen(
    builder: Builder, value: SSAValue, case: int, result: int, otherwise: SSAValue
) -> SSAValue:
    from xtriton.lowering.builder import predicate

    code = {"predicate": predicate(arith.CmpIPredicate.eq)}
    same = builder.value(arith.CmpiOp, (value, builder.integer(case, i32)), i1, code)
    return builder.value(arith.SelectOp, (same, builder.integer(result, i32), otherwise), i32)
