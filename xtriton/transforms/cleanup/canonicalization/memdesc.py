"""Canonicalization of views of buffers: a view of a view is one view."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.dialects.ttg.memdesc_parts import MemDescSubsliceOp
from xtriton.dialects.ttg.memdesc_views import MemDescTransOp


class SubsliceOfSubslicePattern(RewritePattern):
    """subslice(subslice x[i])[j] → subslice x[i + j]"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, MemDescSubsliceOp)
        inner = op.src.owner
        if not isinstance(inner, MemDescSubsliceOp):
            return
        pairs = zip(inner.offsets.iter_values(), op.offsets.iter_values(), strict=True)
        op.offsets = DenseArrayBase.from_list(i32, [int(i) + int(j) for i, j in pairs])
        op.operands = [inner.src]
        rewriter.notify_op_modified(op)


class TransposeOfTransposePattern(RewritePattern):
    """trans(trans x) → trans x with the composed order"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, MemDescTransOp)
        inner = op.src.owner
        if not isinstance(inner, MemDescTransOp):
            return
        first = tuple(inner.order.iter_values())
        op.order = DenseArrayBase.from_list(i32, [int(first[d]) for d in op.order.iter_values()])
        op.operands = [inner.src]
        rewriter.notify_op_modified(op)


SUBSLICE_PATTERNS = (SubsliceOfSubslicePattern(),)
TRANS_PATTERNS = (TransposeOfTransposePattern(),)
