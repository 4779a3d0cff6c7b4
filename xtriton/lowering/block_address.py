"""Where one element of a block is, as index arithmetic on the block's position."""

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from xtriton.dialects.upstream import arith, tensor
from xtriton.lowering.builder import INDEX, Builder, Extent
from xtriton.lowering.pointers import MemRefPointer
from xtriton.lowering.structured_access import Structure, known


def structured_address(
    builder: Builder, structure: Structure, base: MemRefPointer, indices: Sequence[SSAValue]
) -> SSAValue:
    """Return the index in memory of the element of a structured block at `indices`."""
    total: Extent = base.offset
    for d, index in enumerate(indices):
        place = builder.add(structure.offsets[d], builder.multiply(index, structure.strides[d]))
        if d in structure.wrapping:
            place = _wrapped(builder, place, structure.bounds[d])
        total = builder.add(total, place)
    return builder.materialise(total)


def _wrapped(builder: Builder, place: Extent, bound: Extent) -> Extent:
    """Return the remainder by the bound; a bound that turns out to be 0 does not wrap."""
    if isinstance(bound, int):
        return _op(builder, arith.RemSIOp, place, bound)
    zero = builder.compare("eq", bound, 0)
    divisor = builder.select(zero, 1, bound)
    return builder.select(zero, place, _op(builder, arith.RemSIOp, place, divisor))


def gather_address(
    builder: Builder, op: Any, base: MemRefPointer, indices: Sequence[SSAValue]
) -> SSAValue:
    """Return the index in memory of the element of a gather/scatter pointer at `indices`."""
    strides = [known(stride) for stride in op.mixed_strides]
    offsets = [known(offset) for offset in op.mixed_offsets]
    along = op.gather_scatter_dim.value.data
    total: Extent = base.offset
    for d, index in enumerate(indices):
        place: Extent = index
        if d == along:
            element: Any = op.gather_scatter_offset.type
            row = builder.value(
                tensor.ExtractOp, (op.gather_scatter_offset, index), element.element_type
            )
            place = builder.to_index(row)
        total = builder.add(total, builder.add(offsets[d], builder.multiply(place, strides[d])))
    return builder.materialise(total)


def affine_address(
    builder: Builder, op: Any, base: MemRefPointer, indices: Sequence[SSAValue]
) -> SSAValue:
    """Return the index in memory of the element of a `tts.make_affine_tptr` at `indices`."""
    value = expand(builder, op.map.data.results[0], indices, list(op.symbols))
    return builder.materialise(builder.add(base.offset, value))


_ARITHMETIC = {
    AffineBinaryOpKind.FloorDiv: arith.FloorDivSIOp,
    AffineBinaryOpKind.CeilDiv: arith.CeilDivSIOp,
}


def expand(
    builder: Builder, expression: AffineExpr, dims: Sequence[Extent], symbols: Sequence[Extent]
) -> Extent:
    """Return the value of an affine expression; `mod` has the sign of its divisor."""
    match expression:
        case AffineConstantExpr():
            return expression.value
        case AffineDimExpr():
            return dims[expression.position]
        case AffineSymExpr():
            return symbols[expression.position]
        case AffineBinaryOpExpr():
            left = expand(builder, expression.lhs, dims, symbols)
            right = expand(builder, expression.rhs, dims, symbols)
            return _binary(builder, expression.kind, left, right)
        case _:
            raise NotImplementedError(f"affine expression {expression}")


def _binary(builder: Builder, kind: AffineBinaryOpKind, a: Extent, b: Extent) -> Extent:
    if kind is AffineBinaryOpKind.Add:
        return builder.add(a, b)
    if kind is AffineBinaryOpKind.Mul:
        return builder.multiply(a, b)
    if kind is AffineBinaryOpKind.Mod:
        quotient = _op(builder, arith.FloorDivSIOp, a, b)
        return builder.subtract(a, builder.multiply(quotient, b))
    return _op(builder, _ARITHMETIC[kind], a, b)


def _op(builder: Builder, cls: type[Operation], a: Extent, b: Extent) -> SSAValue:
    return builder.value(cls, (builder.materialise(a), builder.materialise(b)), INDEX)
