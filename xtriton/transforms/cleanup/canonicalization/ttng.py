"""
Canonicalization of stores to tensor memory: layout conversions before them go away.

Upstream: `ConvertLayoutOp::getCanonicalizationPatterns` in `TritonGPU/IR/Ops.cpp`.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.dialects.encodings.tensor_memory import can_access
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttng.tmem import TMEMStoreOp, register_count
from xtriton.transforms.cleanup.canonicalization.ttg import defining, use_instead


class TensorMemoryStoreOfConversionPattern(RewritePattern):
    """tmem_store(convert x) → tmem_store x, where an instruction stores x as it is"""

    op_types = (TMEMStoreOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, TMEMStoreOp)
        conversion = defining(op.src, ConvertLayoutOp)
        if conversion is None:
            return
        if can_access(conversion.src.type, op.dst.type, register_count(op)):  # pyright: ignore[reportArgumentType]
            use_instead(op, list(op.operands).index(op.src), conversion.src, rewriter)


PATTERNS: tuple[RewritePattern, ...] = (TensorMemoryStoreOfConversionPattern(),)
