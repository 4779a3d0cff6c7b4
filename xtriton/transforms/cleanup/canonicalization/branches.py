"""Branches next to each other on one condition are canonically one branch."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from xtriton.dialects.upstream.arith import XOrIOp
from xtriton.dialects.upstream.scf import IfOp, YieldOp
from xtriton.transforms.cleanup.constants import constant_of, uniform_value


class NeighboursOnOneConditionPattern(RewritePattern):
    """
    if c { a } if c { b } → if c { a b }

    Some may have the negated condition. What one uses of those before is what they yield. All
    that stand in a row are joined at once, so that time stays linear.
    """

    op_types = (IfOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, IfOp)
        if not isinstance(op.prev_op, IfOp) and not isinstance(op.next_op, IfOp):
            return
        row = _row_with(op)
        if len(row) < 2:
            return
        first = row[0]
        sides = {branch: _sides_as(first, branch) for branch in row}
        for branch in row[:-1]:
            _use_yielded(branch, sides)
        new = IfOp.create(
            operands=[first.cond],
            result_types=[result.type for branch in row for result in branch.results],
            regions=[_joined([sides[branch][i] for branch in row]) for i in (0, 1)],
            attributes={name: value for branch in row for name, value in branch.attributes.items()},
        )
        new.location = op.location
        rewriter.insert(new, InsertPoint.before(first))
        end = len(new.results)
        for branch in reversed(row):
            end -= len(branch.results)
            rewriter.replace(branch, [], new.results[end : end + len(branch.results)])


def _row_with(op: IfOp) -> list[IfOp]:
    """Return the branches on one condition that `op` stands in a row with."""
    condition, _ = _condition(op)
    row: list[IfOp] = []
    branch = _belongs(op, condition)
    while branch is not None:
        row.append(branch)
        branch = _belongs(branch.prev_op, condition)
    row.reverse()
    branch = _belongs(op.next_op, condition) if row else None
    while branch is not None:
        row.append(branch)
        branch = _belongs(branch.next_op, condition)
    return row


def _belongs(op: Operation | None, condition: SSAValue) -> IfOp | None:
    """Return `op` if it is a branch on a condition, or on its negation."""
    if not isinstance(op, IfOp) or not all(map(_is_simple, op.regions)):
        return None
    return op if _condition(op)[0] is condition else None


def _is_simple(region: Region) -> bool:
    """Return whether a region is empty, or one block that ends by yielding."""
    block = region.first_block
    return block is None or (block is region.last_block and isinstance(block.last_op, YieldOp))


def _condition(op: IfOp) -> tuple[SSAValue, bool]:
    """Return the value that a branch asks, and whether for its negation."""
    negation = op.cond.owner
    if isinstance(negation, XOrIOp) and uniform_value(constant_of(negation.rhs)) in (1, -1):
        return negation.lhs, True
    return op.cond, False


def _sides_as(first: IfOp, branch: IfOp) -> tuple[Region, Region]:
    """Return what a branch does where the condition of `first` holds, and where not."""
    if _condition(first)[1] == _condition(branch)[1]:
        return branch.true_region, branch.false_region
    return branch.false_region, branch.true_region


def _use_yielded(branch: IfOp, sides: dict[IfOp, tuple[Region, Region]]) -> None:
    """Let branches of a row use what an earlier one yields instead of its results."""
    for i, result in enumerate(branch.results):
        for use in list(result.uses):
            place = _place(use.operation, sides)
            block = None if place is None else sides[branch][place].first_block
            if block is not None and block.last_op is not None:
                use.operation.operands[use.index] = block.last_op.operands[i]


def _place(op: Operation, sides: dict[IfOp, tuple[Region, Region]]) -> int | None:
    """Return on which side of a branch an op is."""
    region = op.parent_region()
    while region is not None:
        around = region.parent_op()
        if isinstance(around, IfOp) and around in sides:
            return sides[around].index(region)
        region = None if around is None else around.parent_region()
    return None


def _joined(sides: Sequence[Region]) -> Region:
    """Take what is in some regions into one that does and yields all."""
    blocks = [(side, side.first_block) for side in sides]
    found = [side.detach_block(block) for side, block in blocks if block is not None]
    if len(found) < 2:
        return Region(found)
    target, *others = found
    ends = [op for block in found if (op := block.last_op) is not None]
    new = YieldOp(*(value for end in ends for value in end.operands))
    new.location = ends[-1].location
    for end in ends:
        end.detach()
        end.erase()
    for block in others:
        for op in list(block.ops):
            op.detach()
            target.add_op(op)
    target.add_op(new)
    return Region(target)
