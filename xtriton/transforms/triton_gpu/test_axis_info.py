"""
Say of each value what is known along its axes.

    // remark: contiguity = [128], divisibility = [1073741824], constancy = [1], ...
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.analysis.axis_info import axis_analysis
from xtriton.diagnostics import remark


@dataclass(frozen=True)
class PrintAlignmentPass(ModulePass):
    """Say of each result what is known along its axes, by Triton's own rules."""

    name = "test-print-alignment"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        _print(op, "")


@dataclass(frozen=True)
class PrintAxisInfoPass(ModulePass):
    """Say of each result what is known along its axes, by the rules of the Intel backend."""

    name = "test-print-axis-info"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        _print(op, "intel")


def _print(module: ModuleOp, backend: str) -> None:
    analysis = axis_analysis(module, backend)
    for nested in module.walk():
        for result in nested.results:
            remark(nested, str(analysis.info(result)))
