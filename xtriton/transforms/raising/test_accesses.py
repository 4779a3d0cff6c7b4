"""
Write next to each memory operation what the analysis knows of it.

Before:

    %x = tt.load %p, %m : tensor<64x!tt.ptr<f32>>

After:

    %x = tt.load %p, %m {xtriton.access = "block | %a + i0 | where i0 < n"} : ...
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass

from xtriton.analysis.accesses import Accesses
from xtriton.analysis.report import kernels, module_report, one_line


@dataclass(frozen=True)
class TestAccessesPass(ModulePass):
    """
    Write next to each memory operation what the analysis knows of it.

    With `report=FILE` everything known goes to that file as JSON, and the module stays
    as it is.
    """

    name = "test-xtriton-accesses"

    report: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.report:
            with open(self.report, "w") as file:
                json.dump(module_report(op), file, indent=1)
            return
        for function in kernels(op):
            for access in Accesses(function).all:
                access.op.attributes["xtriton.access"] = StringAttr(one_line(access))
