"""Reductions and scans, with any combiner and any number of operands."""
# xDSL's types have type parameters that it does not always fill in.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from collections.abc import Sequence
from math import inf
from typing import Any

from xdsl.dialects.builtin import IntegerType, f32
from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.dialects.upstream import arith, bufferization, linalg, tensor
from xtriton.ir.attributes import flag, integer
from xtriton.lowering.attributes import element_type_of, i32_array, i64_array, tensor_type
from xtriton.lowering.builder import Builder, Extent
from xtriton.lowering.linalg_rules.generic import elementwise, is_tensor
from xtriton.lowering.linalg_rules.regions import inline_block
from xtriton.lowering.linalg_rules.registry import op_rule
from xtriton.lowering.linalg_rules.shapes import (
    extract_slice,
    insert_slice,
    shape_of,
    transpose,
)

Values = Sequence[SSAValue]


def combine(op: Operation, builder: Builder, left: Values, right: Values) -> Values | None:
    """
    Return the combiner of a reduction or scan applied to `left` and `right`, in this order.

    None if it has an op that cannot be lowered.
    """
    return inline_block(op.regions[0].block, builder, (*left, *right))


def neutral_element(op: Operation) -> Any:
    """Return the neutral element of a combiner that is one op on its two arguments, or None."""
    first, last = op.regions[0].block.first_op, op.regions[0].block.last_op
    arguments = set(op.regions[0].block.args)
    if first is None or first.next_op is not last or set(first.operands) != arguments:
        return None
    result = first.results[0]
    if last is None or tuple(last.operands) != (result,):
        return None
    kind: Any = result.type
    if not isinstance(kind, IntegerType) and kind.bitwidth == 8:
        # Many 8-bit floats have no infinities.
        return None
    width = kind.width.data if isinstance(kind, IntegerType) else 0
    table = {
        "arith.addf": 0.0, "arith.addi": 0, "arith.ori": 0, "arith.xori": 0, "arith.andi": -1,
        "arith.mulf": 1.0, "arith.muli": 1, "arith.maximumf": -inf, "arith.minimumf": inf,
        "arith.maxsi": -(1 << width) // 2, "arith.minsi": (1 << width) // 2 - 1,
        "arith.maxui": 0, "arith.minui": -1,
    }  # fmt: skip
    return table.get(first.name)


@op_rule("tt.reduce")
def reduce(op: Operation, builder: Builder) -> Values | None:
    """
    `linalg.reduce`, from the combiner's neutral element or from the first slice.

    The first slice is right for every combiner, also where the neutral element would not
    be: `maxnumf` of nothing but NaN, argmax with its index.
    """
    axis: int = integer(op, "axis")
    sources = list(op.operands)
    shared = builder.shared
    if shared is not None and shared.transpose_reductions and axis != 0:
        rank = len(shape_of(sources[0]))
        order = [axis, *(d for d in range(rank) if d != axis)]
        sources = [transpose(builder, source, order) for source in sources]
        axis = 0
    shape = shape_of(sources[0])
    rest = [extent for d, extent in enumerate(shape) if d != axis]
    neutral = neutral_element(op)
    if neutral is not None and len(sources) == 1:
        return _reduce_from_neutral(op, builder, sources[0], axis, rest, neutral)
    starts = [_slice(builder, source, axis, 0, 1, rest) for source in sources]
    size = shape[axis] - 1
    part = [size if d == axis else extent for d, extent in enumerate(shape)]
    sources = [_slice(builder, source, axis, 1, size, part) for source in sources]
    if size == 0:
        return [_scalar_if_rank_0(builder, start) for start in starts]
    reduced = _reduce(op, builder, sources, starts, axis)
    if reduced is None:
        return None
    return [_scalar_if_rank_0(builder, value) for value in reduced]


def _reduce_from_neutral(
    op: Operation, builder: Builder, source: SSAValue, axis: int, rest: Sequence[int], neutral: Any
) -> Values:
    """Reduce by a single commutative op; a sum of all of narrow floats is made in f32."""
    kind: Any = element_type_of(source)
    first = op.regions[0].block.first_op
    assert first is not None
    widened = not rest and first.name == "arith.addf" and kind.bitwidth < 32
    total: Any = f32 if widened else kind
    scalar = builder.number(neutral, total)
    start = builder.filled(tensor_type(total, rest), scalar) if rest else _cell(builder, scalar)
    block = Block(arg_types=[kind, total])
    inner = builder.inside(block)
    new = inner.value(arith.ExtFOp, (block.args[0],), total) if widened else block.args[0]
    inner.make(
        linalg.YieldOp, (inner.value(type(first), (new, block.args[1]), total, first.properties),)
    )
    (reduced,) = _reduction(builder, (source,), (start,), axis, block)
    value = _scalar_if_rank_0(builder, reduced)
    return (builder.value(arith.TruncFOp, (value,), kind),) if widened else (value,)


def _cell(builder: Builder, scalar: SSAValue) -> SSAValue:
    """Return a tensor of rank 0 that holds a scalar."""
    kind = tensor_type(scalar.type, ())
    properties = {"operandSegmentSizes": i32_array((0, 0, 0))}
    memory = builder.value(bufferization.AllocTensorOp, (), kind, properties)
    return builder.value(tensor.InsertOp, (scalar, memory), kind)


def _slice(
    builder: Builder, source: SSAValue, axis: int, first: int, size: int, shape: Sequence[int]
) -> SSAValue:
    """Return `size` elements of `axis` from `first`, in `shape`."""
    whole = shape_of(source)
    offsets = [first if d == axis else 0 for d in range(len(whole))]
    sizes = [size if d == axis else extent for d, extent in enumerate(whole)]
    return extract_slice(builder, source, offsets, sizes, shape)


def _reduce(
    op: Operation, builder: Builder, sources: Values, starts: Values, axis: int
) -> Values | None:
    elements = [element_type_of(source) for source in sources]
    block = Block(arg_types=[*elements, *elements])
    inner = builder.inside(block)
    count = len(sources)
    # linalg.reduce hands over the new element first, the value so far second.
    results = combine(op, inner, block.args[count:], block.args[:count])
    if results is None:
        return None
    inner.make(linalg.YieldOp, results)
    return _reduction(builder, sources, starts, axis, block)


def _reduction(
    builder: Builder, sources: Values, starts: Values, axis: int, block: Block
) -> Values:
    return builder.make(
        linalg.ReduceOp,
        (*sources, *starts),
        [start.type for start in starts],
        {"dimensions": i64_array((axis,))},
        [Region(block)],
    ).results


def _scalar_if_rank_0(builder: Builder, value: SSAValue) -> SSAValue:
    if shape_of(value):
        return value
    kind: Any = value.type
    return builder.value(tensor.ExtractOp, (value,), kind.element_type)


@op_rule("tt.scan")
def scan(op: Operation, builder: Builder) -> Values | None:
    """
    A loop along the axis that carries the results so far, and the last of them.

    Each step combines the last slice with one of the sources, all its elements at once.
    """
    axis: int = integer(op, "axis")
    reverse = flag(op, "reverse")
    sources = list(op.operands)
    slices = [_AlongAxis(source, axis) for source in sources]
    extent = shape_of(sources[0])[axis]
    first = extent - 1 if reverse else 0
    last = [s.get(builder, source, first) for s, source in zip(slices, sources, strict=True)]
    outs = [
        s.put(builder, value, builder.empty(source.type), first)
        for s, source, value in zip(slices, sources, last, strict=True)
    ]
    if extent == 1:
        return outs
    loop = builder.for_(extent, [*outs, *last], start=1)
    inner = builder.inside(loop.body.block)
    index, *carried = loop.body.block.args
    here = inner.subtract(extent - 1, index) if reverse else index
    count = len(sources)
    new = [s.get(inner, source, here) for s, source in zip(slices, sources, strict=True)]
    combined = _combine_slices(op, inner, carried[count:], new)
    if combined is None:
        loop.detach()
        loop.erase()
        return None
    grown = [
        s.put(inner, value, target, here)
        for s, value, target in zip(slices, combined, carried[:count], strict=True)
    ]
    inner.yield_(*grown, *combined)
    return loop.results[:count]


def _combine_slices(op: Operation, builder: Builder, left: Values, right: Values) -> Values | None:
    """Return the combiner applied to slices, which are scalars if the source is a vector."""
    if not is_tensor(left[0]):
        return combine(op, builder, left, right)
    count = len(left)
    types = [value.type for value in left]
    return elementwise(
        builder,
        [*left, *right],
        types,
        lambda inner, values: combine(op, inner, values[:count], values[count:]),
    )


class _AlongAxis:
    """Slices of a tensor at one place of one axis, without that axis."""

    def __init__(self, source: SSAValue, axis: int):
        self.axis = axis
        self.shape = shape_of(source)
        self.element = element_type_of(source)

    def get(self, builder: Builder, source: SSAValue, place: Extent) -> SSAValue:
        """Return the slice at `place`."""
        if len(self.shape) == 1:
            indices = (source, builder.materialise(place))
            return builder.value(tensor.ExtractOp, indices, self.element)
        rest = [extent for d, extent in enumerate(self.shape) if d != self.axis]
        return extract_slice(builder, source, self._offsets(place), self._sizes(), rest)

    def put(self, builder: Builder, value: SSAValue, target: SSAValue, place: Extent) -> SSAValue:
        """Return `target` with `value` as its slice at `place`."""
        if len(self.shape) == 1:
            operands = (value, target, builder.materialise(place))
            return builder.value(tensor.InsertOp, operands, target.type)
        return insert_slice(builder, value, target, self._offsets(place), self._sizes())

    def _offsets(self, place: Extent) -> list[Extent]:
        return [place if d == self.axis else 0 for d in range(len(self.shape))]

    def _sizes(self) -> list[int]:
        return [1 if d == self.axis else extent for d, extent in enumerate(self.shape)]
