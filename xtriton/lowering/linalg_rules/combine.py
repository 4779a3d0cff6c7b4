"""Reductions and scans, with any combiner and any number of operands."""

from collections.abc import Sequence
from math import inf
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.dialects.upstream import arith, linalg, tensor
from xtriton.lowering.builder import Builder
from xtriton.lowering.linalg_rules.elementwise import lower_element
from xtriton.lowering.linalg_rules.registry import op_rule
from xtriton.lowering.linalg_rules.shapes import (
    extract_slice,
    insert_slice,
    shape_of,
    tensor_like,
)

Values = Sequence[SSAValue]


def combine(op: Operation, builder: Builder, left: Values, right: Values) -> Values | None:
    """
    Return the combiner of a reduction or scan applied to `left` and `right`, in this order.

    None if it has an op that cannot be lowered.
    """
    block = op.regions[0].block
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, (*left, *right), strict=True))
    for inner in block.ops:
        operands = [values.get(operand, operand) for operand in inner.operands]
        if inner.name in ("tt.reduce.return", "tt.scan.return"):
            return operands
        results: Sequence[SSAValue] | None
        if isinstance(inner, arith.ConstantOp):
            results = (builder.constant(inner.properties["value"]),)
        else:
            results = lower_element(inner, builder, operands)
        if results is None:
            return None
        values.update(zip(inner.results, results, strict=True))
    return None


def neutral_element(op: Operation) -> Any:
    """Return the neutral element of a combiner that is one op on its two arguments, or None."""
    first, last = op.regions[0].block.first_op, op.regions[0].block.last_op
    arguments = set(op.regions[0].block.args)
    if first is None or first.next_op is not last or set(first.operands) != arguments:
        return None
    kind: Any = first.results[0].type
    width = kind.width.data if isinstance(kind, IntegerType) else 0
    table = {
        "arith.addf": -0.0, "arith.addi": 0, "arith.ori": 0, "arith.xori": 0, "arith.andi": -1,
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
    axis: int = op.properties["axis"].value.data  # pyright: ignore
    sources = list(op.operands)
    shape = shape_of(sources[0])
    rest = [extent for d, extent in enumerate(shape) if d != axis]
    neutral = neutral_element(op)
    if neutral is not None and len(sources) == 1:
        scalar = builder.number(neutral, sources[0].type.element_type)  # pyright: ignore
        starts = [builder.filled(tensor_like(sources[0], rest), scalar)]
    else:
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
    elements = [source.type.element_type for source in sources]  # pyright: ignore
    block = Block(arg_types=[*elements, *elements])
    inner = builder.inside(block)
    count = len(sources)
    # linalg.reduce hands over the new element first, the value so far second.
    results = combine(op, inner, block.args[count:], block.args[:count])
    if results is None:
        return None
    inner.make(linalg.YieldOp, results)
    return builder.make(
        linalg.ReduceOp,
        (*sources, *starts),
        [start.type for start in starts],
        {"dimensions": DenseArrayBase.from_list(i64, [axis])},
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
    A loop along the axis that carries the results so far.

    Each step takes the slice before and the slice of the sources, and combines them
    element by element.
    """
    axis: int = op.properties["axis"].value.data  # pyright: ignore
    reverse = "reverse" in op.properties and op.properties["reverse"].value.data != 0  # pyright: ignore
    sources = list(op.operands)
    shape = shape_of(sources[0])
    extent = shape[axis]
    first = extent - 1 if reverse else 0
    outs: list[SSAValue] = []
    for source in sources:
        unit = [1 if d == axis else e for d, e in enumerate(shape)]
        piece = _slice(builder, source, axis, first, 1, unit)
        offsets = [first if d == axis else 0 for d in range(len(shape))]
        outs.append(insert_slice(builder, piece, builder.empty(source.type), offsets, unit))
    if extent == 1:
        return outs
    loop = builder.for_(extent, outs, start=1)
    inner = builder.inside(loop.body.block)
    index, *carried = loop.body.block.args
    here = inner.subtract(extent - 1, index) if reverse else index
    before = inner.add(here, 1) if reverse else inner.subtract(here, 1)
    after = _scan_step(op, inner, sources, carried, axis, here, before)
    if after is None:
        loop.detach()
        loop.erase()
        return None
    inner.yield_(*after)
    return loop.results


def _scan_step(
    op: Operation,
    builder: Builder,
    sources: Values,
    carried: Values,
    axis: int,
    here: Any,
    before: Any,
) -> Values | None:
    """Return `carried` with the combined slice at `here` put in."""
    shape = shape_of(sources[0])
    others = [d for d in range(len(shape)) if d != axis]

    def nest(builder: Builder, targets: Values, places: list[SSAValue]) -> Values | None:
        if len(places) < len(others):
            loop = builder.for_(shape[others[len(places)]], targets)
            body = builder.inside(loop.body.block)
            index, *inner_targets = loop.body.block.args
            found = nest(body, inner_targets, [*places, index])
            if found is None:
                return None
            body.yield_(*found)
            return loop.results

        def at(position: Any) -> list[SSAValue]:
            indices: list[SSAValue] = list(places)
            indices.insert(axis, position)
            return indices

        elements = [s.type.element_type for s in sources]  # pyright: ignore
        so_far = [
            builder.value(tensor.ExtractOp, (t, *at(before)), e)
            for t, e in zip(targets, elements, strict=True)
        ]
        new = [
            builder.value(tensor.ExtractOp, (s, *at(here)), e)
            for s, e in zip(sources, elements, strict=True)
        ]
        combined = combine(op, builder, so_far, new)
        if combined is None:
            return None
        return [
            builder.value(tensor.InsertOp, (value, target, *at(here)), target.type)
            for value, target in zip(combined, targets, strict=True)
        ]

    return nest(builder, carried, [])

