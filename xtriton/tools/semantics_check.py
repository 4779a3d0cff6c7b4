"""`--xtriton-check-semantics`: execute every kernel before and after each pass, compare."""

from __future__ import annotations

import sys
from typing import TextIO

from xdsl.dialects.builtin import ModuleOp

from xtriton.errors import UserError
from xtriton.interpreter import check_equivalent
from xtriton.passes.manager import Instrument, PassMisbehaved, Step
from xtriton.transforms.cleanup.symbol_dce import is_private, symbol_name

_KERNELS = ("func.func", "tt.func")


class SemanticsCheck(Instrument):
    """
    Compares the kernels of a module after each pass with those before it.

    A pass that reassociates sums says what relative error that may make by a class variable
    `tolerance`. Kernels that cannot be executed are named on `stream`.
    """

    def __init__(self, stream: TextIO | None = None):
        self.stream = stream or sys.stderr
        self._before: ModuleOp | None = None

    def before_pass(self, step: Step, module: ModuleOp) -> None:
        self._before = module.clone()

    def after_verify(self, step: Step, module: ModuleOp) -> None:
        before = self._before
        assert before is not None
        for name in kernel_names(before):
            try:
                tolerance = float(getattr(step.instance, "tolerance", 0.0))
                verdict = check_equivalent(before, module, kernel=name, tolerance=tolerance)
            except UserError as e:
                print(
                    f"note: kernel '{name}' is not compared after pass '{step.name}': {e.message}",
                    file=self.stream,
                )
                continue
            if not verdict:
                raise PassMisbehaved(f"changes what a kernel does\n{verdict.render()}")


def kernel_names(module: ModuleOp) -> list[str]:
    """Return the names of the public functions of `module` that have a body."""
    return [
        name
        for op in module.body.block.ops
        if op.name in _KERNELS and op.regions[0].first_block is not None
        if not is_private(op) and (name := symbol_name(op)) is not None
    ]
