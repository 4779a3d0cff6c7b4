"""
Say of each value what is known along its axes.

    // remark: contiguity = [128], divisibility = [1073741824], constancy = [1], ...
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.analysis.intel.rules import rules_for
from xtriton.budget import current
from xtriton.diagnostics import remark
from xtriton.dialects.tt.functions import FuncOp
from xtriton.errors import clipped
from xtriton.ir.versions import version_read
from xtriton.ir.writing.printer import op_texts


@dataclass(frozen=True)
class PrintAlignmentPass(ModulePass):
    """Say of each result what is known along its axes, by Triton's own rules."""

    name = "test-print-alignment"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        analysis = axis_analysis(op)
        for nested in op.walk():
            for result in nested.results:
                remark(nested, str(analysis.info(result)))


@dataclass(frozen=True)
class PrintAxisInfoPass(ModulePass):
    """
    Say of each result what is known along its axes, by the rules of the Intel backend.

    As there, to the error stream: the name of each function, and each result behind the op
    that makes it; an op comes after those in its regions.

        @kernel
        %0 = tt.make_range {...} : tensor<128xi32> => stride = [1], contiguity = [128], ...

    Of an op whose text is longer than the budget's `message` only the first line is told: those
    in its regions have been told before it, and nests would be told once for each level.
    By the rules of August 2026 strides are left out: another pass tells them there.
    """

    name = "test-print-axis-info"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        analysis = axis_analysis(op, "intel")
        alone = rules_for(op).has_descriptors
        for function in op.walk():
            if not isinstance(function, FuncOp):
                continue
            print(f"@{function.sym_name.data}", file=sys.stderr)
            ops = [nested for nested in _post_order(function) if nested.results]
            for nested, text in zip(ops, op_texts(ops, version_read(op)), strict=True):
                text = _short(text)
                for result in nested.results:
                    info = analysis.info(result)
                    strides = [info.stride_of(dim) for dim in range(info.rank)]
                    shown = "" if alone else f"stride = {strides}, "
                    print(f"{text} => {shown}{info}", file=sys.stderr)


def _short(text: str) -> str:
    most = current().message
    if len(text) <= most:
        return text
    first, *rest = text.split("\n", 1)
    return clipped(first, most) + (" … }" if rest else "")


def _post_order(op: Operation) -> Iterator[Operation]:
    for region in op.regions:
        for block in region.blocks:
            for nested in block.ops:
                yield from _post_order(nested)
    yield op
