"""
Products of scaled operands as plain products.

An operand is converted to 16 bits, multiplied by its scales, each of which stands for 16
or 32 elements along k, and multiplied as any other. A scale of 255 makes its elements NaN, unless
`fastMath` says that there are none.
Source: `transposeDots` in `AccelerateMatmul.cpp`, `DecomposeScaledBlocked.cpp` of the Intel
XPU backend.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    TensorType,
    UnitAttr,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.analysis.intel.rules import rules_for
from xtriton.dialects.encodings.blocked import default_encoding
from xtriton.dialects.encodings.inference import reshaped, unpacked
from xtriton.dialects.tt.casts import BitcastOp, FpToFpOp
from xtriton.dialects.tt.constraints import i32_attr
from xtriton.dialects.tt.dot import DotOp, DotScaledOp
from xtriton.dialects.tt.enums import InputPrecision, ScaleDotElemType
from xtriton.dialects.tt.shapes import BroadcastOp, ExpandDimsOp, ReshapeOp, SplatOp, TransOp
from xtriton.dialects.ttg.context import NUM_CTAS, module_of, num_warps, threads_per_warp
from xtriton.dialects.ttg.distributed import (
    BlockedEncodingAttr,
    DotOperandEncodingAttr,
    SliceEncodingAttr,
)
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp, Fp4ToFpOp
from xtriton.dialects.upstream.arith import (
    CmpfOp,
    CmpiOp,
    ExtUIOp,
    MulfOp,
    SelectOp,
    ShLIOp,
    TruncFOp,
)
from xtriton.dialects.utils.constants import constant_op
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integer
from xtriton.ir.listings import ops_of
from xtriton.transforms.intel.layouts.sink_transpositions import sink
from xtriton.transforms.triton_gpu.retyping import with_encoding

_NAN_SCALE = 0xFF
_EQUAL = 0
"""The predicate `eq` of `arith.cmpi`."""
_MANTISSA_BITS = {"bf16": 7, "f32": 23}


Insert = Callable[[Operation], SSAValue]
"""What puts an op where it belongs, and returns its result."""


def transpose_scaled_dots(module: ModuleOp) -> bool:
    """
    Let products whose right operand alone is scaled have the scale at the left.

    Returns whether there were any.
    """
    dots = ops_of(module, DotScaledOp)
    transpositions = [_transpose(o) for o in dots if o.a_scale is None and o.b_scale is not None]
    for transposition in transpositions:
        sink(transposition)
    return bool(transpositions)


def _transpose(op: DotScaledOp) -> TransOp:
    assert op.parent is not None and op.b_scale is not None
    rank = len(_tensor(op.c).get_shape())
    order = (*range(rank - 2), rank - 1, rank - 2)
    parts = [TransOp(value, order) for value in (op.a, op.b, op.c)]
    a, b, c = parts
    new = DotScaledOp(
        b,
        a,
        c,
        op.b_scale,
        None,
        ScaleDotElemType(op.b_elem_type.value.data),
        ScaleDotElemType(op.a_elem_type.value.data),
        fast_math=bool(op.fastMath.value.data),
        lhs_k_pack=bool(op.rhs_k_pack.value.data),
        rhs_k_pack=bool(op.lhs_k_pack.value.data),
    )
    back = TransOp(new.d, order)
    for made in (*parts, new, back):
        made.location = op.location
        op.parent.insert_op_before(made, op)
    _replace(op, back.result)
    return back


def decompose_scaled_dot(op: DotScaledOp) -> DotOp:
    """Multiply operands by their scales in 16 bits, then multiply matrices; return the product."""
    return _Decomposition(op).run()


def unpacked_operand(op: DotScaledOp, index: int, element: Attribute, insert: Insert) -> SSAValue:
    """Return an operand of a scaled product as floats, each of a byte of two on its own."""
    source, format = ((op.a, op.a_elem_type), (op.b, op.b_elem_type))[index]
    type = _tensor(source)
    if format.value.data != ScaleDotElemType.e2m1:
        target = TensorType(element, type.shape, type.encoding)
        return insert(FpToFpOp.create(operands=[source], result_types=[target]))
    shape, result = list(type.get_shape()), _tensor(op.d).get_shape()
    rank = len(shape)
    free = rank - 2 + index
    # Two elements share a byte along k, or along the other dimension.
    packed = rank - 1 - index if shape[free] == result[free] else free
    shape[packed] *= 2
    exactly = rules_for(op).unpacks_in_shape_of_result
    target = TensorType(element, shape, _unpacked(type, packed, exactly=exactly))
    properties = {"axis": i32_attr(packed)}
    return insert(Fp4ToFpOp.create(operands=[source], result_types=[target], properties=properties))


@dataclass
class _Decomposition:
    op: DotScaledOp

    def run(self) -> DotOp:
        """Replace the op by a plain product."""
        result = _tensor(self.op.d)
        operands: list[SSAValue] = []
        for index in (0, 1):
            value = self.scaled(index)
            encoding = DotOperandEncodingAttr(index, result.encoding, 0)
            operands.append(self.add(ConvertLayoutOp(value, with_encoding(value.type, encoding))))
        product = DotOp(operands[0], operands[1], self.op.c, input_precision=InputPrecision.tf32)
        _replace(self.op, self.add(ConvertLayoutOp(self.add(product), result)))
        return product

    def add(self, op: Operation) -> SSAValue:
        op.location = self.op.location
        assert self.op.parent is not None
        self.op.parent.insert_op_before(op, self.op)
        return op.results[0]

    @property
    def compute_type(self) -> Attribute:
        """The type of 16 bits in which operands are scaled."""
        formats = (self.op.a_elem_type.value.data, self.op.b_elem_type.value.data)
        return Float16Type() if ScaleDotElemType.fp16 in formats else BFloat16Type()

    def scaled(self, index: int) -> SSAValue:
        """Return an operand in 16 bits, multiplied by its scales."""
        op = self.op
        source, scale = (op.a, op.a_scale) if index == 0 else (op.b, op.b_scale)
        rank = len(_tensor(source).get_shape())
        k_dim = rank - 1 if index == 0 else rank - 2
        value = unpacked_operand(op, index, self.compute_type, self.add)
        if scale is None:
            return value
        if index == 1:
            # Scales of both operands have k last.
            scale = self.add(TransOp(scale, (*range(rank - 2), rank - 1, rank - 2)))
        factors = self.spread_like(self.as_float(scale), k_dim, _tensor(value))
        product = self.add(MulfOp(value, factors))
        return product if op.fastMath.value.data else self.with_nans(product, scale, k_dim)

    def as_float(self, scale: SSAValue) -> SSAValue:
        """Return scales, which are biased exponents, as floats."""
        wide = Float32Type() if isinstance(self.compute_type, Float16Type) else self.compute_type
        bits = IntegerType(wide.bitwidth)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]
        type = _tensor(scale)
        if not isinstance(type.element_type, IntegerType):
            target = TensorType(self.compute_type, type.shape, type.encoding)
            return self.add(FpToFpOp.create(operands=[scale], result_types=[target]))

        def like(element: Attribute) -> TensorType[Any]:
            return TensorType(element, type.shape, type.encoding)

        exponent = self.add(ExtUIOp.create(operands=[scale], result_types=[like(bits)]))
        shift = self.add(constant_op(bits, _MANTISSA_BITS[str(wide)]))
        amount = self.add(SplatOp.create(operands=[shift], result_types=[like(bits)]))
        shifted = self.add(ShLIOp(exponent, amount))
        result = self.add(BitcastOp.create(operands=[shifted], result_types=[like(wide)]))
        if wide == self.compute_type:
            return result
        narrow = TruncFOp.create(operands=[result], result_types=[like(self.compute_type)])
        return self.add(narrow)

    def spread_like(self, scale: SSAValue, k_dim: int, like: TensorType[Any]) -> SSAValue:
        """Repeat each element along `k_dim` as often as a scale counts, in the layout of `like`."""
        element = _tensor(scale).element_type
        target = TensorType(element, like.shape, like.encoding)
        if not rules_for(self.op).spreads_scales_in_place:
            return self.add(ConvertLayoutOp(self.spread(scale, k_dim), target))
        shape = _tensor(scale).get_shape()
        single = (*shape[: k_dim + 1], 1, *shape[k_dim + 1 :])
        spread = (*shape[: k_dim + 1], self.op.scale_factor, *shape[k_dim + 1 :])
        encoding = reshaped(like.encoding, like.get_shape(), spread)
        assert encoding is not None
        source = reshaped(encoding, single, shape)
        assert source is not None
        # There are fewer elements to convert in front of repeating them.
        value = self.add(ConvertLayoutOp(scale, with_encoding(scale.type, source)))
        value = self.add(
            ReshapeOp.create(
                operands=[value],
                result_types=[TensorType(element, single, encoding)],
                properties={"efficient_layout": UnitAttr()},
            )
        )
        value = self.add(BroadcastOp(value, spread))
        return self.add(ReshapeOp.create(operands=[value], result_types=[target]))

    def spread(self, scale: SSAValue, k_dim: int) -> SSAValue:
        """Repeat each element along `k_dim` as often as a scale counts."""
        shape = _tensor(scale).get_shape()
        rank = len(shape)
        module = module_of(self.op)
        encoding = default_encoding(
            (*shape, 1),
            num_warps(self.op) or 4,
            threads_per_warp(self.op),
            integer(module, NUM_CTAS, 1),
        )
        row = SliceEncodingAttr(rank, encoding)
        value = self.add(ConvertLayoutOp(scale, with_encoding(scale.type, row)))
        value = self.add(ExpandDimsOp(value, rank))
        value = self.add(BroadcastOp(value, (*shape, self.op.scale_factor)))
        order = list(range(rank))
        order.insert(k_dim + 1, rank)
        value = self.add(TransOp(value, order))
        long = list(shape)
        long[k_dim] *= self.op.scale_factor
        source = _tensor(value)
        encoding = reshaped(source.encoding, source.get_shape(), tuple(long))
        assert encoding is not None
        target = TensorType(source.element_type, long, encoding)
        return self.add(ReshapeOp.create(operands=[value], result_types=[target]))

    def with_nans(self, value: SSAValue, scale: SSAValue, k_dim: int) -> SSAValue:
        """Put NaN where the scale is."""
        type, scales = _tensor(value), _tensor(scale)
        truth = TensorType(i1, scales.shape, scales.encoding)
        if isinstance(scales.element_type, IntegerType):
            limit = self.add(constant_op(scales, _NAN_SCALE))
            comparison = CmpiOp.create(
                operands=[scale, limit],
                result_types=[truth],
                properties={"predicate": IntegerAttr(_EQUAL, 64)},
            )
        else:
            factor = self.as_float(scale)
            comparison = CmpfOp(factor, factor, "uno")
        where = self.spread_like(self.add(comparison), k_dim, type)
        nan = self.add(constant_op(type, float("nan")))
        return self.add(SelectOp(where, nan, value))


def _unpacked(type: TensorType[Any], axis: int, *, exactly: bool) -> Attribute:
    """
    Return the layout of a tensor of twice as many elements along `axis`.

    `exactly` takes the layout as it is in the shape of the result, whatever comes of it.
    """
    shape = list(type.get_shape())
    shape[axis] *= 2
    # Upstream asks for the order of dimensions in the shape of the result.
    found = unpacked(type.encoding, tuple(shape), axis, True)
    if not exactly and not isinstance(found, BlockedEncodingAttr):
        found = unpacked(type.encoding, type.get_shape(), axis, True)
    assert found is not None
    return found


def _replace(op: DotScaledOp, value: SSAValue) -> None:
    value.name_hint = op.d.name_hint
    op.d.replace_all_uses_with(value)
    op.detach()
    op.erase()


def _tensor(value: SSAValue) -> TensorType[Any]:
    assert is_tensor(value.type)
    return value.type
