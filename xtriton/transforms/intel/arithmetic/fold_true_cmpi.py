"""
Put constants for comparisons of integers that always say the same.

Before:

    %pid = tt.get_program_id x : i32
    %c = arith.cmpi sge, %pid, %c0_i32 : i32

After:

    %c = arith.constant true

What the integers can be is found along the branches that can be taken, wrapping included;
what `llvm.intr.assume` says is taken for granted. The pass cleans up behind the versions of
loops that `triton-intel-remove-masks` makes.
Source: `FoldTrueCmpIOp.cpp` of the Intel XPU backend. Other than there, an assumption speaks
of values of its own block only.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.analysis.integer_ranges import integer_ranges
from xtriton.dialects.upstream.arith import CmpiOp
from xtriton.dialects.utils.constants import constant_op
from xtriton.ir.listings import ops_of
from xtriton.passes.rewriting import replace
from xtriton.transforms.intel.building import insert_before


@dataclass(frozen=True)
class FoldTrueCmpiPass(ModulePass):
    """Put constants for the comparisons that the ranges of their operands decide."""

    name = "triton-intel-fold-true-cmpi"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        comparisons = ops_of(op, CmpiOp)
        if not comparisons:
            return
        ranges = integer_ranges(op)
        for comparison, truth in [(c, ranges.comparison(c)) for c in comparisons]:
            if truth is not None:
                constant = constant_op(comparison.result.type, -int(truth))
                value = insert_before(constant, comparison, comparison.location)
                replace(comparison, [value])
