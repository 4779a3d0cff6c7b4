"""Ops that pick elements by index: gather within a tensor, histogram."""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, i1, i64
from xdsl.ir import Operation, SSAValue

from xtriton.dialects.upstream import arith, linalg, scf, tensor
from xtriton.ir.attributes import integer
from xtriton.lowering.builder import INDEX, Builder
from xtriton.lowering.linalg_rules.generic import generic, identity_map
from xtriton.lowering.linalg_rules.registry import op_rule
from xtriton.lowering.linalg_rules.shapes import shape_of

Values = Sequence[SSAValue]


@op_rule("tt.gather")
def gather(op: Operation, builder: Builder) -> Values | None:
    """`result[i, j] = src[indices[i, j], j]` for axis 0: a loop that extracts one element each."""
    source, indices = op.operands
    axis: int = integer(op, "axis")
    result: Any = op.results[0].type
    rank = len(shape_of(indices))
    last = builder.integer(shape_of(source)[axis] - 1)
    zero = builder.integer(0)

    def body(inner: Builder, elements: Values) -> Values:
        place = inner.to_index(elements[0])
        # An index outside means nothing; it must not lead outside of the tensor.
        place = inner.value(arith.MaxSIOp, (place, zero), INDEX)
        place = inner.value(arith.MinSIOp, (place, last), INDEX)
        places = [
            place if d == axis else inner.value(linalg.IndexOp, (), INDEX, _dimension(d))
            for d in range(rank)
        ]
        return (inner.value(tensor.ExtractOp, (source, *places), result.element_type),)

    outs = (builder.empty(result),)
    maps = [identity_map(rank)] * 2
    return generic(builder, (indices,), maps, outs, ["parallel"] * rank, body)


def _dimension(d: int) -> dict[str, IntegerAttr]:
    return {"dim": IntegerAttr(d, i64)}


@op_rule("tt.histogram")
def histogram(op: Operation, builder: Builder) -> Values:
    """A loop over the source that counts into a tensor; values outside the bins do not count."""
    source, *masks = op.operands
    result: Any = op.results[0].type
    kind = result.element_type
    bins = result.get_shape()[0]
    nothing, one = builder.number(0, kind), builder.number(1, kind)
    counts = builder.filled(result, nothing)
    first = builder.integer(0)
    loop = builder.for_(shape_of(source)[0], [counts])
    inner = builder.inside(loop.body.block)
    index, so_far = loop.body.block.args
    element: Any = source.type
    value = inner.value(tensor.ExtractOp, (source, index), element.element_type)
    place = inner.to_index(value)
    counted = inner.value(
        arith.AndIOp, (inner.compare("sge", place, 0), inner.compare("slt", place, bins)), i1
    )
    for mask in masks:
        live = inner.value(tensor.ExtractOp, (mask, index), i1)
        counted = inner.value(arith.AndIOp, (counted, live), i1)
    # What does not count adds nothing to the first bin: a branch would carry whole tensors.
    place = inner.value(arith.SelectOp, (counted, place, first), INDEX)
    added = inner.value(arith.SelectOp, (counted, one, nothing), kind)
    old = inner.value(tensor.ExtractOp, (so_far, place), kind)
    wraps = {"overflowFlags": arith.OVERFLOW_NONE}
    new = inner.value(arith.AddiOp, (old, added), kind, wraps)
    inner.make(scf.YieldOp, [inner.value(tensor.InsertOp, (new, so_far, place), result)])
    return loop.results
