"""What structured control flow is canonically: no branch or value that is known or unused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from xtriton.dialects.upstream.arith import SelectOp
from xtriton.dialects.upstream.scf import ForOp, IfOp, YieldOp
from xtriton.transforms.cleanup.canonicalization.branches import NeighboursOnOneConditionPattern
from xtriton.transforms.cleanup.canonicalization.tables import Fold
from xtriton.transforms.cleanup.constants import constant_of, uniform_value

_T = TypeVar("_T")

FOLDS: Mapping[str, Fold] = {}


class KnownConditionPattern(RewritePattern):
    """if true { a } else { b } → a"""

    op_types = (IfOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, IfOp)
        condition = uniform_value(constant_of(op.cond))
        if condition is None:
            return
        region = op.true_region if condition else op.false_region
        if region.first_block is None:
            rewriter.erase(op)
        elif region.first_block is region.last_block:
            _inline(region.block, op, (), rewriter)


class SameOnBothSidesPattern(RewritePattern):
    """A result of `if` that both sides yield from outside is that value."""

    op_types = (IfOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, IfOp)
        if not op.results:
            return
        sides = (_yielded(op.true_region), _yielded(op.false_region))
        for result, if_true, if_false in zip(op.results, *sides, strict=False):
            if if_true is if_false and result.first_use is not None:
                rewriter.replace_all_uses_with(result, if_true)


class ChoiceBetweenOuterValuesPattern(RewritePattern):
    """if c { yield x } else { yield y } → select(c, x, y), for results from outside"""

    op_types = (IfOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, IfOp)
        if not op.results:
            return
        sides = (_yielded(op.true_region), _yielded(op.false_region))
        for result, *values in zip(op.results, *sides, strict=False):
            regions = zip(values, op.regions, strict=True)
            if result.first_use is None or any(_is_of(value, region) for value, region in regions):
                continue
            choice = SelectOp(op.cond, *values)
            choice.location = op.location
            rewriter.insert(choice, InsertPoint.before(op))
            rewriter.replace_all_uses_with(result, choice.result)
            rewriter.notify_op_modified(op)


class EmptyElsePattern(RewritePattern):
    """An `else` without ops is not written."""

    op_types = (IfOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, IfOp)
        block = op.false_region.first_block
        if op.results or block is None or block.first_op is not block.last_op:
            return
        op.false_region.detach_block(block)
        block.erase()
        rewriter.notify_op_modified(op)


class UnusedIfResultsPattern(RewritePattern):
    """Results of `if` that nobody uses are not yielded."""

    op_types = (IfOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, IfOp)
        used = [result.first_use is not None for result in op.results]
        if not all(used):
            keep_results(op, used, rewriter)


class KnownTripCountPattern(RewritePattern):
    """
    A `for` that runs never is its initial values; one that runs once is its body.

    One that does nothing, more than once, is what it yields, if that is from outside.
    """

    op_types = (ForOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, ForOp)
        values = op._operands[:3]
        if values[0] is values[1]:
            rewriter.replace(op, [], list(op.iter_args))
            return
        bounds: list[int] = []
        for value in values:
            bound = uniform_value(constant_of(value))
            if bound is None:
                return
            bounds.append(int(bound))
        if "unsignedCmp" in op.properties:
            return
        lower, upper, step = bounds
        if upper <= lower:
            rewriter.replace(op, [], list(op.iter_args))
        elif step >= upper - lower:
            _inline(op.body.block, op, (op.lb, *op.iter_args), rewriter)
        elif op.body.block.first_op is op.body.block.last_op:
            yielded = _yielded(op.body)
            if not any(value in op.body.block.args for value in yielded):
                rewriter.replace(op, [], list(yielded))


class ConstantIterArgsPattern(RewritePattern):
    """
    Iteration arguments of `for` that are not needed are not carried.

    Such are those that never change, those that nobody uses, and those that begin and go on
    with the same values as another one.
    """

    op_types = (ForOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, ForOp)
        if not op.results:
            return
        body = op.body.block
        yielded = _yielded(op.body)
        kept: list[bool] = []
        known: dict[tuple[SSAValue, SSAValue], tuple[SSAValue, SSAValue]] = {}
        carried = zip(op.iter_args, body.args[1:], yielded, op.results, strict=True)
        for initial, argument, value, result in carried:
            never_changes = value is argument or value is initial
            unused = argument.first_use is None and result.first_use is None
            same: tuple[SSAValue, SSAValue] = (argument, result)
            if never_changes:
                same = (initial, initial)
            elif not unused:
                same = known.setdefault((initial, value), same)
            kept.append(not unused and same[0] is argument)
            if same[0] is not argument:
                rewriter.replace_all_uses_with(argument, same[0])
                rewriter.replace_all_uses_with(result, same[1])
        if not all(kept):
            keep_iter_args(op, kept, rewriter)


def keep_results(op: IfOp, kept: Sequence[bool], rewriter: PatternRewriter) -> None:
    """Replace a condition by one that has only the results that are `kept`."""
    for region in op.regions:
        last = region.block.last_op
        assert last is not None
        last.operands = _selected(last.operands, kept)
        rewriter.notify_op_modified(last)
    new = IfOp.create(
        operands=op.operands,
        result_types=[result.type for result in _selected(op.results, kept)],
        properties=dict(op.properties),
        attributes=dict(op.attributes),
        regions=[op.detach_region(region) for region in list(op.regions)],
    )
    new.location = op.location
    _replace_selected(op, new, kept, rewriter)


def keep_iter_args(op: ForOp, kept: Sequence[bool], rewriter: PatternRewriter) -> None:
    """Replace a loop by one that carries only the iteration arguments that are `kept`."""
    body = op.body.block
    last = body.last_op
    assert last is not None
    last.operands = _selected(last.operands, kept)
    rewriter.notify_op_modified(last)
    for argument, keep in zip(list(body.args[1:]), kept, strict=True):
        if not keep:
            body.erase_arg(argument)
    new = ForOp.create(
        operands=[op.lb, op.ub, op.step, *_selected(op.iter_args, kept)],
        result_types=[result.type for result in _selected(op.results, kept)],
        properties=dict(op.properties),
        attributes=dict(op.attributes),
        regions=[op.detach_region(op.body)],
    )
    new.location = op.location
    _replace_selected(op, new, kept, rewriter)


PATTERNS: tuple[RewritePattern, ...] = (
    NeighboursOnOneConditionPattern(),
    KnownConditionPattern(),
    SameOnBothSidesPattern(),
    ChoiceBetweenOuterValuesPattern(),
    EmptyElsePattern(),
    UnusedIfResultsPattern(),
    KnownTripCountPattern(),
    ConstantIterArgsPattern(),
)


def _yielded(region: Region) -> Sequence[SSAValue]:
    """Return what the only block of a region yields; nothing for an empty region."""
    last = None if region.first_block is None else region.block.last_op
    return last.operands if isinstance(last, YieldOp) else ()


def _is_of(value: SSAValue, region: Region) -> bool:
    """Return whether a value is defined directly in a region."""
    owner = value.owner
    block = owner.parent if isinstance(owner, Operation) else owner
    return block is not None and block.parent is region


def _selected(values: Sequence[_T], keep: Sequence[bool]) -> list[_T]:
    return [value for value, kept in zip(values, keep, strict=True) if kept]


def _inline(
    block: Block, op: Operation, arguments: Sequence[SSAValue], rewriter: PatternRewriter
) -> None:
    """Replace `op` by the ops of `block`, whose terminator yields the results."""
    last = block.last_op
    assert last is not None
    # An argument that is yielded as it is stands for the value given for it.
    given: dict[SSAValue, SSAValue] = dict(zip(block.args, arguments, strict=True))
    results = [given.get(value, value) for value in last.operands]
    rewriter.erase(last)
    for argument, value in given.items():
        rewriter.replace_all_uses_with(argument, value)
    for inner in list(block.ops):
        rewriter.notify_op_modified(inner)
    rewriter.inline_block(block, InsertPoint.before(op), tuple(arguments))
    rewriter.replace(op, [], results)


def _replace_selected(
    op: Operation, new: Operation, keep: Sequence[bool], rewriter: PatternRewriter
) -> None:
    """
    Replace `op` by `new`, which has those results of it that are kept.

    Uses of the others, if there are any, must be in ops that go as well.
    """
    rest = iter(new.results)
    results = [next(rest) if kept else None for kept in keep]
    rewriter.replace(op, new, results, safe_erase=False)
