"""
Integers that conditions are multiplied with become choices, and those that clamp minima and maxima.

Before:

    %above = arith.cmpi sgt, %i, %zero : tensor<64xi32>
    %factor = arith.extui %above : tensor<64xi1> to tensor<64xi32>
    %clamped = arith.muli %i, %factor : tensor<64xi32>

After:

    %clamped = arith.maxsi %i, %zero : tensor<64xi32>

So Inductor writes where padding reads. In this form an index is used once on the way to an address,
and it shows where the address goes up by one.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.analysis.values import type_facts
from xtriton.dialects.upstream.arith import (
    AddiOp,
    CmpiOp,
    CmpIPredicate,
    ConstantOp,
    ExtUIOp,
    MaxSIOp,
    MinSIOp,
    MuliOp,
    SelectOp,
)
from xtriton.transforms.cleanup.canonicalization.arith_folds import predicate_of
from xtriton.transforms.cleanup.constants import constant_of, uniform_constant, uniform_value
from xtriton.transforms.triton_gpu.simplification import simplify

_BELOW = {
    CmpIPredicate.slt: (0, True),
    CmpIPredicate.sle: (1, True),
    CmpIPredicate.sgt: (1, False),
    CmpIPredicate.sge: (0, False),
}
"""Of how x compares with c: what to add to c so that it says whether x is below, and the answer."""


@dataclass(frozen=True)
class FoldClampsPass(ModulePass):
    """Products with conditions become choices, and choices that clamp minima and maxima."""

    name = "xtriton-fold-clamps"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Most kernels have nothing of it, and are not worth what simplifying takes.
        if any(map(_may_match, op.walk())):
            simplify(op, PATTERNS)


class ProductWithConditionPattern(RewritePattern):
    """x * extui(c) → select(c, x, 0), for a condition c"""

    op_types = (MuliOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        for factor, other in (op._operands, op._operands[::-1]):
            extension = factor.owner
            if isinstance(extension, ExtUIOp) and _is_condition(extension._operands[0].type):
                zero = ConstantOp(uniform_constant(op.results[0].type, 0))
                choice = SelectOp(extension._operands[0], other, zero.result)
                rewriter.replace(op, [zero, choice])
                return


class SumOfChoicesPattern(RewritePattern):
    """select(c, x, 0) + select(!c, y, 0) → select(c, x, y), where comparisons show that"""

    op_types = (AddiOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        left, right = map(_as_product, op._operands)
        if left is None or right is None:
            return
        (condition, x), (other, y) = left, right
        first, second = _below(condition), _below(other)
        if first is None or second is None or first[:2] != second[:2] or first[2] == second[2]:
            return
        rewriter.replace(op, SelectOp(condition, x, y))


class ClampPattern(RewritePattern):
    """x < c ? x : c → min(x, c), and so for other signed comparisons and for maxima"""

    op_types = (SelectOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        condition, *sides = op._operands
        below = _below(condition)
        if below is None:
            return
        x, bound, is_below = below
        less, greater = sides if is_below else sides[::-1]
        # What is not below `bound` is at least it, and what is below is at most one less.
        if less is x and _is_at(greater, bound):
            rewriter.replace(op, MinSIOp(x, greater))
        elif greater is x and _is_at(less, bound):
            rewriter.replace(op, MaxSIOp(x, less))


PATTERNS: tuple[RewritePattern, ...] = (
    ProductWithConditionPattern(),
    SumOfChoicesPattern(),
    ClampPattern(),
)

_Bound = tuple[SSAValue | None, int]
"""A value, or none, and what is added to it."""


def _may_match(op: Operation) -> bool:
    """Return whether an op looks like one that a pattern begins with."""
    if isinstance(op, MuliOp):
        return any(isinstance(value.owner, ExtUIOp) for value in op._operands)
    if not isinstance(op, SelectOp):
        return False
    condition, *sides = op._operands
    below = _below(condition)
    return below is not None and below[0] in sides


def _is_condition(type: Attribute) -> bool:
    return type_facts(type).element == i1


def _as_product(value: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    """Return the condition and the number of a choice between that and 0."""
    choice = value.owner
    if not isinstance(choice, SelectOp) or uniform_value(constant_of(choice._operands[2])) != 0:
        return None
    return choice._operands[0], choice._operands[1]


def _below(condition: SSAValue) -> tuple[SSAValue, _Bound, bool] | None:
    """Return what is compared, the bound that it is below, and whether it is where that holds."""
    comparison = condition.owner
    if not isinstance(comparison, CmpiOp):
        return None
    found = _BELOW.get(predicate_of(comparison))
    if found is None:
        return None
    x, other = comparison._operands
    value, constant = _bound(other)
    return x, (value, constant + found[0]), found[1]


def _bound(value: SSAValue) -> _Bound:
    constant = uniform_value(constant_of(value))
    return (value, 0) if constant is None else (None, int(constant))


def _is_at(value: SSAValue, bound: _Bound) -> bool:
    """Return whether a number is a bound or one less."""
    base, constant = _bound(value)
    return base is bound[0] and bound[1] - constant in (0, 1)
