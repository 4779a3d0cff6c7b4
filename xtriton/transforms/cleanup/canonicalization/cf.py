"""What branches are canonically: those with a known target are unconditional."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.dialects.upstream.cf import AssertOp, BranchOp, ConditionalBranchOp
from xtriton.transforms.cleanup.canonicalization.tables import Fold
from xtriton.transforms.cleanup.constants import constant_of, uniform_value

FOLDS: Mapping[str, Fold] = {}


class KnownConditionPattern(RewritePattern):
    """cond_br true, ^a, ^b → br ^a; cond_br %c, ^a, ^a → br ^a"""

    op_types = (ConditionalBranchOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, ConditionalBranchOp)
        condition = uniform_value(constant_of(op.cond))
        same = op.then_block is op.else_block and tuple(op.then_arguments) == tuple(
            op.else_arguments
        )
        if condition is None and not same:
            return
        if condition is None or condition:
            target, arguments = op.then_block, op.then_arguments
        else:
            target, arguments = op.else_block, op.else_arguments
        rewriter.replace(op, BranchOp(target, *arguments))


class TrueAssertionPattern(RewritePattern):
    """assert true → nothing"""

    op_types = (AssertOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if uniform_value(constant_of(op.operands[0])):
            rewriter.erase(op)


PATTERNS: tuple[RewritePattern, ...] = (KnownConditionPattern(), TrueAssertionPattern())
