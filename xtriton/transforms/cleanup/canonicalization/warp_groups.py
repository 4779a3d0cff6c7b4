"""Canonicalization of `ttg.warp_specialize`: no results and captures that nothing needs."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.dialects.ttg.warp_specialize import (
    WarpSpecializeOp,
    WarpSpecializePartitionsOp,
    WarpYieldOp,
)


class UnusedResultsPattern(RewritePattern):
    """Results that nothing uses are not yielded."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, WarpSpecializeOp)
        used = [i for i, result in enumerate(op.results) if result.first_use is not None]
        if len(used) == len(op.results):
            return
        for block in op.defaultRegion.blocks:
            if isinstance(end := block.last_op, WarpYieldOp):
                end.operands = [end.operands[i] for i in used]
                rewriter.notify_op_modified(end)
        new = WarpSpecializeOp.create(
            result_types=[op.results[i].type for i in used],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            regions=[op.detach_region(region) for region in list(op.regions)],
        )
        new.location = op.location
        results: list[SSAValue | None] = [None] * len(op.results)
        for new_result, i in zip(new.results, used, strict=True):
            results[i] = new_result
        rewriter.replace(op, new, results)


class UnusedCapturesPattern(RewritePattern):
    """A value is captured once, and only if a partition uses it."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, WarpSpecializePartitionsOp)
        blocks = [block for region in op.regions if (block := region.first_block) is not None]
        kept: dict[SSAValue, int] = {}
        dropped: list[int] = []
        for i, capture in enumerate(op.operands):
            if all(block.args[i].first_use is None for block in blocks):
                dropped.append(i)
            elif (first := kept.setdefault(capture, i)) != i:
                for block in blocks:
                    rewriter.replace_all_uses_with(block.args[i], block.args[first])
                dropped.append(i)
        if not dropped:
            return
        for block in blocks:
            for i in reversed(dropped):
                block.erase_arg(block.args[i])
        op.operands = [value for i, value in enumerate(op.operands) if i not in dropped]
        rewriter.notify_op_modified(op)


RESULT_PATTERNS = (UnusedResultsPattern(),)
CAPTURE_PATTERNS = (UnusedCapturesPattern(),)
