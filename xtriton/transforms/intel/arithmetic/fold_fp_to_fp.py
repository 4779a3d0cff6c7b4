"""
Convert floats in one step where the one between changes nothing.

Before:

    %0 = tt.fp_to_fp %x : tensor<128x32xf8E5M2, #mma> -> tensor<128x32xf16, #mma>
    %1 = tt.fp_to_fp %0 : tensor<128x32xf16, #mma> -> tensor<128x32xf32, #mma>

After:

    %1 = tt.fp_to_fp %x : tensor<128x32xf8E5M2, #mma> -> tensor<128x32xf32, #mma>

The last format has to include all values of the one between. If that does not include all of
the first one, it rounds, and is left out only in a module with the attribute `ttig.fast_math`.
Source: `FoldFpToFp.cpp` of the Intel XPU backend. Other than there, infinities are values too,
which `f8E5M2FNUZ` does not have of `f8E5M2`.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, OpResult
from xdsl.passes import ModulePass

from xtriton.dialects.tt.casts import FpToFpOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.passes.rewriting import PatternRewriter, RewritePattern
from xtriton.semantics.float_formats import FORMATS, FloatFormat
from xtriton.transforms.triton_gpu.simplification import simplify

FAST_MATH = "ttig.fast_math"

_FORMATS = {
    **FORMATS,
    "f32": FloatFormat("f32", 8, 23, 127, "ieee"),
    "f64": FloatFormat("f64", 11, 52, 1023, "ieee"),
}


@dataclass(frozen=True)
class FoldFpToFpPass(ModulePass):
    """Fold chains of two conversions between floating-point formats."""

    name = "tritonintelgpu-fold-fp-to-fp"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        simplify(op, [_FoldChain(may_skip_rounding=FAST_MATH in op.attributes)])


@dataclass
class _FoldChain(RewritePattern):
    may_skip_rounding: bool

    op_types = (FpToFpOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, FpToFpOp)
        inner = op.src.op if isinstance(op.src, OpResult) else None
        if not isinstance(inner, FpToFpOp):
            return
        first, between, last = (_format(v.type) for v in (inner.src, op.src, op.result))
        if first is None or between is None or last is None or not last.includes(between):
            return
        if not between.includes(first) and not self.may_skip_rounding:
            return
        rounding = None if last.includes(first) else op.rounding or inner.rounding
        if rounding is None and not last.includes(first):
            return
        new = FpToFpOp(inner.src, op.result.type)
        new.rounding = rounding
        rewriter.replace(op, new)


def _format(type: Attribute) -> FloatFormat | None:
    return _FORMATS.get(str(type.element_type if is_tensor(type) else type))
