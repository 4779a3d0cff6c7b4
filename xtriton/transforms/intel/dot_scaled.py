"""
Products of scaled operands as plain products.

An operand is converted to 16 bits, multiplied by its scales, each of which stands for 16
or 32 elements along k, and multiplied as any other. A scale of 255 makes its elements NaN, unless
`fastMath` says that there are none.
Source: `transposeDots` in `AccelerateMatmul.cpp`, `DecomposeScaledBlocked.cpp` of the Intel
XPU backend.
"""

from __future__ import annotations

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
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.analysis.intel.module import integer, module_of, num_warps, threads_per_warp
from xtriton.dialects.encodings.blocked import default_encoding
from xtriton.dialects.encodings.inference import reshaped, unpacked
from xtriton.dialects.tt.casts import BitcastOp, FpToFpOp
from xtriton.dialects.tt.constraints import i32_attr
from xtriton.dialects.tt.dot import DotOp, DotScaledOp
from xtriton.dialects.tt.enums import InputPrecision, ScaleDotElemType
from xtriton.dialects.tt.shapes import BroadcastOp, ExpandDimsOp, ReshapeOp, SplatOp, TransOp
from xtriton.dialects.ttg.distributed import (
    BlockedEncodingAttr,
    DotOperandEncodingAttr,
    SliceEncodingAttr,
)
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp, Fp4ToFpOp
from xtriton.dialects.upstream.arith import (
    CmpiOp,
    ConstantOp,
    ExtUIOp,
    MulfOp,
    SelectOp,
    ShLIOp,
    TruncFOp,
)
from xtriton.dialects.utils.constants import filled
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.transforms.intel.sink_transpositions import sink
from xtriton.transforms.triton_gpu.retyping import with_encoding

_NAN_SCALE = 0xFF
_MANTISSA_BITS = {"bf16": 7, "f32": 23}


def transpose_scaled_dots(module: ModuleOp) -> bool:
    """
    Let products whose right operand alone is scaled have the scale at the left.

    Returns whether there were any.
    """
    dots = [o for o in module.walk() if isinstance(o, DotScaledOp)]
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


def decompose_scaled_dots(module: ModuleOp) -> None:
    """Multiply operands by their scales in 16 bits, then multiply matrices."""
    for op in [o for o in module.walk() if isinstance(o, DotScaledOp)]:
        _Decomposition(op).run()


@dataclass
class _Decomposition:
    op: DotScaledOp

    def run(self) -> None:
        """Replace the op by a plain product."""
        result = _tensor(self.op.d)
        operands: list[SSAValue] = []
        for index in (0, 1):
            value = self.scaled(index)
            encoding = DotOperandEncodingAttr(index, result.encoding, 0)
            operands.append(self.add(ConvertLayoutOp(value, with_encoding(value.type, encoding))))
        product = self.add(
            DotOp(operands[0], operands[1], self.op.c, input_precision=InputPrecision.tf32)
        )
        _replace(self.op, self.add(ConvertLayoutOp(product, result)))

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
        format = (op.a_elem_type, op.b_elem_type)[index].value.data
        rank = len(_tensor(source).get_shape())
        k_dim = rank - 1 if index == 0 else rank - 2
        value = self.widened(source, index, k_dim, format)
        if scale is None:
            return value
        if index == 1:
            # Scales of both operands have k last.
            scale = self.add(TransOp(scale, (*range(rank - 2), rank - 1, rank - 2)))
        factors = self.spread(self.as_float(scale), k_dim)
        factors = self.add(ConvertLayoutOp(factors, value.type))
        product = self.add(MulfOp(value, factors))
        return product if op.fastMath.value.data else self.with_nans(product, scale, k_dim)

    def widened(self, source: SSAValue, index: int, k_dim: int, format: int) -> SSAValue:
        type = _tensor(source)
        if format != ScaleDotElemType.e2m1:
            target = TensorType(self.compute_type, type.shape, type.encoding)
            return self.add(FpToFpOp.create(operands=[source], result_types=[target]))
        shape, result = list(type.get_shape()), _tensor(self.op.d).get_shape()
        free = len(shape) - 2 + index
        # Two elements share a byte along k, or along the other dimension.
        packed = k_dim if shape[free] == result[free] else free
        shape[packed] *= 2
        encoding = _unpacked(type, packed)
        target = TensorType(self.compute_type, shape, encoding)
        return self.add(
            Fp4ToFpOp.create(
                operands=[source], result_types=[target], properties={"axis": i32_attr(packed)}
            )
        )

    def as_float(self, scale: SSAValue) -> SSAValue:
        """Return scales, which are biased exponents, as floats."""
        wide = Float32Type() if isinstance(self.compute_type, Float16Type) else self.compute_type
        bits = IntegerType(wide.bitwidth)  # pyright: ignore
        type = _tensor(scale)

        def like(element: Attribute) -> TensorType[Any]:
            return TensorType(element, type.shape, type.encoding)

        exponent = self.add(ExtUIOp.create(operands=[scale], result_types=[like(bits)]))
        shift = self.add(ConstantOp(IntegerAttr(_MANTISSA_BITS[str(wide)], bits)))
        amount = self.add(SplatOp.create(operands=[shift], result_types=[like(bits)]))
        shifted = self.add(ShLIOp(exponent, amount))
        result = self.add(BitcastOp.create(operands=[shifted], result_types=[like(wide)]))
        if wide == self.compute_type:
            return result
        narrow = TruncFOp.create(operands=[result], result_types=[like(self.compute_type)])
        return self.add(narrow)

    def spread(self, scale: SSAValue, k_dim: int) -> SSAValue:
        """Repeat each element along `k_dim` as often as a scale counts."""
        shape = _tensor(scale).get_shape()
        rank = len(shape)
        module = module_of(self.op)
        encoding = default_encoding(
            (*shape, 1),
            num_warps(self.op),
            threads_per_warp(self.op),
            integer(module, "ttg.num-ctas", 1),
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
        limit = self.add(ConstantOp(filled(scales, _NAN_SCALE)))  # pyright: ignore
        comparison = CmpiOp(scale, limit, "eq")
        is_nan = self.add(
            CmpiOp.create(
                operands=[scale, limit],
                result_types=[TensorType(i1, scales.shape, scales.encoding)],
                properties=comparison.properties,
            )
        )
        comparison.erase()
        where = self.spread(is_nan, k_dim)
        where = self.add(ConvertLayoutOp(where, TensorType(i1, type.shape, type.encoding)))
        nan = self.add(ConstantOp(filled(type, float("nan"))))  # pyright: ignore
        return self.add(SelectOp(where, nan, value))


def _unpacked(type: TensorType[Any], axis: int) -> Attribute:
    """Return the layout of a tensor of twice as many elements along `axis`."""
    shape = list(type.get_shape())
    shape[axis] *= 2
    # Upstream asks for the order of dimensions in the shape of the result.
    found = unpacked(type.encoding, tuple(shape), axis, True)
    if not isinstance(found, BlockedEncodingAttr):
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
