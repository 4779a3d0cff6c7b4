"""Ops that make, move or reshape elements."""

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    IntegerAttr,
    i32,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from xtriton.dialects.upstream import arith, linalg, tensor
from xtriton.ir.attributes import integer, integers
from xtriton.lowering.attributes import i32_array, i64_array, index_dimension, tensor_type
from xtriton.lowering.builder import INDEX, Builder, Extent
from xtriton.lowering.linalg_rules.generic import generic, holds_pointers, identity_map
from xtriton.lowering.linalg_rules.registry import op_rule
from xtriton.lowering.linalg_rules.transposed_loads import load_transposed

Values = Sequence[SSAValue]


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """Return the static shape of a tensor."""
    kind: Any = value.type
    return tuple(kind.get_shape())


def tensor_like(value: SSAValue, shape: Sequence[int]) -> Any:
    """Return the tensor type of `shape` with the element type of `value`."""
    kind: Any = value.type
    return tensor_type(kind.element_type, shape)


@op_rule("tt.make_range")
def make_range(op: Operation, builder: Builder) -> Values | None:
    """`linalg.index` plus the start."""
    result: Any = op.results[0].type
    start: int = integer(op, "start")

    def body(inner: Builder, _: Values) -> Values:
        index = inner.value(linalg.IndexOp, (), INDEX, index_dimension(0))
        value = inner.value(arith.IndexCastOp, (index,), i32)
        if start:
            first = builder.integer(start, i32)
            properties = {"overflowFlags": arith.OVERFLOW_NONE}
            value = inner.value(arith.AddiOp, (value, first), i32, properties)
        return (value,)

    outs = (builder.empty(result),)
    return generic(builder, (), [identity_map(1)], outs, ["parallel"], body)


@op_rule("tt.expand_dims")
def expand_dims(op: Operation, builder: Builder) -> Values:
    source = op.operands[0]
    axis: int = integer(op, "axis")
    shape = list(shape_of(source))
    shape.insert(axis, 1)
    return (reshape_to(builder, source, shape),)


@op_rule("tt.reshape")
def reshape(op: Operation, builder: Builder) -> Values:
    return (reshape_to(builder, op.operands[0], shape_of(op.results[0])),)


def reshape_to(builder: Builder, source: SSAValue, shape: Sequence[int]) -> SSAValue:
    """Return `source`, row-major, in another static shape: at most one collapse and one expand."""
    before = shape_of(source)
    if tuple(shape) == before:
        return source
    groups = common_groups(before, shape)
    middle = [prod(before[d] for d in old) for old, _ in groups]
    value = source
    if len(before) != len(middle):
        value = _regroup(builder, tensor.CollapseShapeOp, value, middle, [g for g, _ in groups])
    if len(shape) != len(middle):
        value = expand_grouped(builder, value, shape, [g for _, g in groups])
    return value


def common_groups(before: Sequence[int], after: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """
    Return groups of adjacent dimensions of two shapes that hold equally many elements.

    As many groups as there can be; every dimension is in one. A shape of rank 0 has none.
    """
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(before) and j < len(after):
        old, new = [i], [j]
        left, right = before[i], after[j]
        i, j = i + 1, j + 1
        while left != right:
            if left < right:
                old.append(i)
                left, i = left * before[i], i + 1
            else:
                new.append(j)
                right, j = right * after[j], j + 1
        groups.append((old, new))
    if groups:
        groups[-1][0].extend(range(i, len(before)))
        groups[-1][1].extend(range(j, len(after)))
    return groups


def reassociation(groups: Sequence[Sequence[int]]) -> ArrayAttr:
    """Return `[[0, 1], [2]]` as an attribute."""
    return ArrayAttr([ArrayAttr([IntegerAttr(d, i64) for d in group]) for group in groups])


def _regroup(
    builder: Builder,
    cls: type[Operation],
    value: SSAValue,
    shape: Sequence[int],
    groups: Sequence[Sequence[int]],
) -> SSAValue:
    properties = {"reassociation": reassociation(groups)}
    return builder.value(cls, (value,), tensor_like(value, shape), properties)


def expand_grouped(
    builder: Builder, value: SSAValue, shape: Sequence[int], groups: Sequence[Sequence[int]]
) -> SSAValue:
    """Return `value` with each dimension taken apart into a group of dimensions of `shape`."""
    properties = {
        "reassociation": reassociation(groups),
        "static_output_shape": i64_array(shape),
    }
    return builder.value(tensor.ExpandShapeOp, (value,), tensor_like(value, shape), properties)


@op_rule("tt.broadcast")
def broadcast(op: Operation, builder: Builder) -> Values:
    """A `linalg.generic` that reads extent-1 dimensions at 0."""
    return (broadcast_to(builder, op.operands[0], shape_of(op.results[0])),)


def broadcast_to(builder: Builder, source: SSAValue, after: Sequence[int]) -> SSAValue:
    """Return `source` with its extent-1 dimensions stretched."""
    before = shape_of(source)
    if before == tuple(after):
        return source
    stretched = tuple(d for d, (a, b) in enumerate(zip(before, after, strict=True)) if a != b)
    outs = (builder.empty(tensor_like(source, after)),)
    maps = [broadcast_map(len(after), stretched), identity_map(len(after))]
    results = generic(
        builder, (source,), maps, outs, ["parallel"] * len(after), lambda _, args: (args[0],)
    )
    assert results is not None
    owner = results[0].owner
    assert isinstance(owner, Operation)
    owner.attributes["broadcastDims"] = i64_array(stretched)
    return results[0]


@cache
def broadcast_map(rank: int, stretched: tuple[int, ...]) -> AffineMapAttr:
    """Return the map that reads the dimensions in `stretched` at 0."""
    results = [
        AffineExpr.constant(0) if d in stretched else AffineExpr.dimension(d) for d in range(rank)
    ]
    return AffineMapAttr(AffineMap(rank, 0, tuple(results)))


@op_rule("tt.trans")
def trans(op: Operation, builder: Builder) -> Values:
    order: Sequence[int] = integers(op, "order")
    loaded = load_transposed(op, order)
    return (loaded or transpose(builder, op.operands[0], order),)


def transpose(builder: Builder, source: SSAValue, order: Sequence[int]) -> SSAValue:
    """Return `source` with dimension `order[d]` as dimension `d`."""
    if tuple(order) == tuple(range(len(order))):
        return source
    shape = [shape_of(source)[d] for d in order]
    target = builder.empty(tensor_like(source, shape))
    if holds_pointers(source.type):
        return _transpose_any(builder, source, target, order)
    return builder.insert(
        linalg.TransposeOp(
            source,
            target,
            i64_array(order),
            target.type,
        )
    ).results[0]


def _transpose_any(
    builder: Builder, source: SSAValue, target: SSAValue, order: Sequence[int]
) -> SSAValue:
    """Transpose elements of any type; `linalg.transpose` of xDSL takes numbers only."""
    rank = len(order)
    read = AffineMap(rank, 0, tuple(AffineExpr.dimension(order.index(d)) for d in range(rank)))
    maps = [AffineMapAttr(read), identity_map(rank)]
    results = generic(
        builder, (source,), maps, (target,), ["parallel"] * rank, lambda _, args: (args[0],)
    )
    assert results is not None
    return results[0]


@op_rule("tt.unsplat")
def unsplat(op: Operation, builder: Builder) -> Values:
    source = op.operands[0]
    zeros = [builder.integer(0)] * len(shape_of(source))
    result: Any = source.type
    return (builder.value(tensor.ExtractOp, (source, *zeros), result.element_type),)


# --- joining and splitting --------------------------------------------------------------


@op_rule("tt.cat")
def cat(op: Operation, builder: Builder) -> Values:
    """Both operands one behind the other along dimension 0."""
    target = builder.empty(op.results[0].type)
    offset = 0
    for operand in op.operands:
        offsets = [offset] + [0] * (len(shape_of(operand)) - 1)
        target = insert_slice(builder, operand, target, offsets, shape_of(operand))
        offset += shape_of(operand)[0]
    return (target,)


@op_rule("tt.join")
def join(op: Operation, builder: Builder) -> Values:
    """A new last dimension of extent 2."""
    target = builder.empty(op.results[0].type)
    for index, operand in enumerate(op.operands):
        shape = shape_of(operand)
        offsets = [0] * len(shape) + [index]
        target = insert_slice(builder, operand, target, offsets, (*shape, 1))
    return (target,)


@op_rule("tt.split")
def split(op: Operation, builder: Builder) -> Values:
    """The two halves of the last dimension, which has extent 2."""
    source = op.operands[0]
    shape = shape_of(source)[:-1]
    return [
        extract_slice(builder, source, [0] * len(shape) + [index], (*shape, 1), shape)
        for index in range(2)
    ]


def _slice_properties(
    offsets: Sequence[Extent], sizes: Sequence[int], operand_sizes: Sequence[int]
) -> dict[str, Any]:
    known = [o if isinstance(o, int) else DYNAMIC_INDEX for o in offsets]
    return {
        "static_offsets": i64_array(known),
        "static_sizes": i64_array(sizes),
        "static_strides": i64_array([1] * len(sizes)),
        "operandSegmentSizes": i32_array(operand_sizes),
    }


def insert_slice(
    builder: Builder,
    source: SSAValue,
    target: SSAValue,
    offsets: Sequence[Extent],
    sizes: Sequence[int],
) -> SSAValue:
    """Return `target` with `source` (of `sizes`, unit dimensions dropped) put at `offsets`."""
    dynamic = [o for o in offsets if not isinstance(o, int)]
    properties = _slice_properties(offsets, sizes, (1, 1, len(dynamic), 0, 0))
    return builder.value(tensor.InsertSliceOp, (source, target, *dynamic), target.type, properties)


def extract_slice(
    builder: Builder,
    source: SSAValue,
    offsets: Sequence[Extent],
    sizes: Sequence[int],
    shape: Sequence[int],
) -> SSAValue:
    """Return the part of `source` at `offsets`, in `shape`: `sizes` without unit dimensions."""
    dynamic = [o for o in offsets if not isinstance(o, int)]
    properties = _slice_properties(offsets, sizes, (1, len(dynamic), 0, 0))
    return builder.value(
        tensor.ExtractSliceOp, (source, *dynamic), tensor_like(source, shape), properties
    )
