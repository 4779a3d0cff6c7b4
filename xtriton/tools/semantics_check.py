"""`--xtriton-check-semantics`: execute every kernel before and after each pass, compare."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TextIO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.errors import UserError
from xtriton.interpreter import Program
from xtriton.ir.checking.verifier import verify
from xtriton.ir.versions import copied
from xtriton.judge import Equivalence, check_equivalent, shared
from xtriton.judge.shrink import shrink
from xtriton.passes.manager import Instrument, PassMisbehaved, Step, apply_step
from xtriton.transforms.cleanup.symbol_dce import is_private, symbol_name

_KERNELS = ("func.func", "tt.func")

SHRINKING_SECONDS = 20.0
"""For how long a kernel that a pass breaks is made smaller."""


@dataclass(frozen=True)
class Pair:
    """A module, what a pass makes of it, and how the two differ."""

    before: ModuleOp
    after: ModuleOp
    verdict: Equivalence

    @property
    def size(self) -> int:
        """How many ops `before` holds, the module not counted."""
        return sum(1 for _ in self.before.walk()) - 1


class ChangedMeaning(PassMisbehaved):
    """A pass changed what a kernel does: the `whole` modules, and `small` ones that show it."""

    def __init__(self, whole: Pair, small: Pair):
        super().__init__(f"changes what a kernel does\n{whole.verdict.render()}")
        self.whole = whole
        self.small = small


class SemanticsCheck(Instrument):
    """
    Compares the kernels of a module after each pass with those before it.

    A pass that reassociates sums says what relative error that may make by a class variable
    `tolerance`. Kernels that cannot be executed are named on `stream`. A kernel that a pass
    breaks is made smaller for `seconds`.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        context: Context | None = None,
        seconds: float = SHRINKING_SECONDS,
    ):
        self.stream = stream or sys.stderr
        self.context = context or universe.context()
        self.seconds = seconds
        self._before: Program | None = None

    def before_pass(self, step: Step, module: ModuleOp) -> None:
        if self._before is None:
            self._before = shared(copied(module))

    def after_verify(self, step: Step, module: ModuleOp) -> None:
        assert self._before is not None
        before = self._before.module
        assert isinstance(before, ModuleOp)
        if before.is_structurally_equivalent(module):
            return
        after = shared(copied(module))
        for name in kernel_names(before):
            self._compare(step, name, self._before, after)
        self._before = after

    def _compare(self, step: Step, kernel: str, before: Program, after: Program) -> None:
        try:
            verdict = check_equivalent(before, after, kernel=kernel, tolerance=step.tolerance)
        except UserError as e:
            print(
                f"note: kernel '{kernel}' is not compared after pass '{step.name}': {e.message}",
                file=self.stream,
            )
            return
        if verdict:
            return
        assert isinstance(before.module, ModuleOp)
        assert isinstance(after.module, ModuleOp)
        whole = Pair(before.module, after.module, verdict)
        raise ChangedMeaning(whole, shrunk(whole, step, self.context, self.seconds))


def shrunk(whole: Pair, step: Step, context: Context, seconds: float) -> Pair:
    """Return a small module that `step` breaks on the launch on which it breaks `whole`."""
    kernel, launch = whole.verdict.kernel, whole.verdict.differences[0].draw

    def broken(candidate: ModuleOp) -> Pair | None:
        after = copied(candidate)
        try:
            apply_step(step, context, after)
            verify(after)
        except Exception:
            # The pass under suspicion may do anything with a kernel that nobody wrote.
            return None
        verdict = check_equivalent(
            candidate, after, kernel=kernel, launches=[launch], tolerance=step.tolerance
        )
        return None if verdict else Pair(candidate, after, verdict)

    small = shrink(whole.before, lambda candidate: broken(candidate) is not None, seconds)
    return broken(small) or whole


def kernel_names(module: ModuleOp) -> list[str]:
    """Return the names of the public functions of `module` that have a body."""
    return [
        name
        for op in module.body.block.ops
        if op.name in _KERNELS and op.regions[0].first_block is not None
        if not is_private(op) and (name := symbol_name(op)) is not None
    ]
