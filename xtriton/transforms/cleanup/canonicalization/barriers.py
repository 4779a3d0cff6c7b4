"""Canonicalization of barriers of a cluster."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.dialects.ttg.context import launch_context


class LastSourcePattern(RewritePattern):
    """`fromCTA` is not said where it is the last CTA of the cluster, as is the default."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source = op.properties.get("fromCTA")
        last = (launch_context(op).num_ctas or 1) - 1
        if isinstance(source, IntegerAttr) and source.value.data == last:
            del op.properties["fromCTA"]
            rewriter.notify_op_modified(op)


ARRIVE_PATTERNS = (LastSourcePattern(),)
