"""
Sums of products with a condition that holds once become the element where it holds.

Before:

    %is_last = arith.cmpi eq, %range, %last : tensor<1x64xi32>
    %one = arith.extui %is_last : tensor<1x64xi1> to tensor<1x64xi32>
    %ones = tt.broadcast %one : tensor<1x64xi32> -> tensor<8x64xi32>
    %product = arith.muli %x, %ones : tensor<8x64xi32>
    %sum = "tt.reduce"(%product) <{axis = 1 : i32}> ({ addi }) : ...

After:

    %place = arith.constant dense<63> : tensor<8x1xi32>
    %picked = tt.gather %x[%place] {axis = 1 : i32} : ...
    %sum = tt.reshape %picked : tensor<8x1xi32> -> tensor<8xi32>

So Inductor takes the last element of rows that it scans, to go on from there: it multiplies all
bits of all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, i32
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.dialects import tt
from xtriton.dialects.tt.type_relations import shape_of
from xtriton.dialects.upstream.arith import (
    AddiOp,
    CmpiOp,
    CmpIPredicate,
    ConstantOp,
    ExtUIOp,
    MuliOp,
)
from xtriton.transforms.cleanup.canonicalization.arith_folds import predicate_of
from xtriton.transforms.cleanup.constants import constant_of, uniform_constant, uniform_value
from xtriton.transforms.triton_gpu.simplification import simplify


@dataclass(frozen=True)
class FoldPicksPass(ModulePass):
    """Sums of products with a condition that holds once become the element where it holds."""

    name = "xtriton-fold-picks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Most kernels have nothing of it, and are not worth what simplifying takes.
        if any(isinstance(inner, tt.ReduceOp) and _picked(inner) for inner in op.walk()):
            simplify(op, (PickPattern(),))


class PickPattern(RewritePattern):
    """sum(x * (range == c)) → x[c]"""

    op_types = (tt.ReduceOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        reduce: Any = op
        found = _picked(reduce)
        if found is None:
            return
        x, place = found
        cast = x.owner if isinstance(x.owner, tt.BitcastOp) else None
        source: SSAValue = x if cast is None else cast.src
        axis, shape = reduce.axis.value.data, shape_of(x.type)
        one = [1 if d == axis else size for d, size in enumerate(shape)]
        places = ConstantOp(uniform_constant(TensorType(i32, one), place))
        picked = tt.GatherOp(source, places, axis)
        rest = tt.ReshapeOp(picked, [size for d, size in enumerate(shape) if d != axis])
        ops: list[Operation] = [places, picked, rest]
        if cast is not None:
            ops.append(tt.BitcastOp(rest, x.type))
        rewriter.replace(op, ops)


def _picked(reduce: tt.ReduceOp) -> tuple[SSAValue, int] | None:
    """Return the block of which a sum is one element of each row, and the place of that."""
    if not isinstance(reduce.single_combiner, AddiOp):
        return None
    product = reduce.operands[0].owner
    axis = reduce.axis.value.data
    if not isinstance(product, MuliOp) or len(shape_of(reduce.operands[0].type)) < 2:
        return None
    for x, factor in (product.operands, product.operands[::-1]):
        place = _place_of_one(factor, axis)
        if place is not None:
            return x, place
    return None


def _place_of_one(factor: SSAValue, axis: int) -> int | None:
    """Return where along an axis a block is 1, if it is 0 at all other places."""
    extension = _before_repeating(factor).owner
    if not isinstance(extension, ExtUIOp):
        return None
    compared = _before_repeating(extension.operands[0]).owner
    if not isinstance(compared, CmpiOp) or predicate_of(compared) is not CmpIPredicate.eq:
        return None
    for range, constant in (compared.operands, compared.operands[::-1]):
        number = uniform_value(constant_of(constant))
        start = _start_of_range(range, axis)
        if number is not None and start is not None:
            place = int(number) - start
            return place if 0 <= place < shape_of(factor.type)[axis] else None
    return None


def _start_of_range(value: SSAValue, axis: int) -> int | None:
    """Return with what a block begins whose elements go up by one along an axis."""
    value = _before_repeating(value)
    shape = shape_of(value.type)
    while isinstance(value.owner, tt.ExpandDimsOp):
        value = value.owner.src
    if not isinstance(value.owner, tt.MakeRangeOp):
        return None
    is_along = all(d == axis or size == 1 for d, size in enumerate(shape))
    return value.owner.start.value.data if is_along else None


def _before_repeating(value: SSAValue) -> SSAValue:
    return value.owner.src if isinstance(value.owner, tt.BroadcastOp) else value
