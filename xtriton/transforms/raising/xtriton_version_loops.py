"""
A second version of a loop for values from before it that make its accesses regular.

Before:

    scf.for %k = ... { ... arith.remsi %i, %n ... }

After:

    scf.if %guard {
      ... %same = (%n / 64) * 64
      scf.for %k = ... { ... arith.remsi %i, %same ... }
    } else {
      scf.for %k = ... { ... arith.remsi %i, %n ... }
    }

The guard stands before the outermost loop at which it can be computed and may use whatever
the kernel has there, so that it also helps where `xtriton-version-kernel` cannot: with
values that are loaded, and inside of branches. See `guards` for what it may say. A loop
is versioned only if an access in it gets a better tier, and if it has at most `max-ops` ops.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i64
from xdsl.ir import Operation

from xtriton.analysis.accesses import Accesses
from xtriton.analysis.indexing import Atom, Cond, Expr
from xtriton.analysis.report import kernels
from xtriton.transforms.raising.parents.parents import loops_around
from xtriton.transforms.raising.versioning.guards import Planner
from xtriton.transforms.raising.versioning.versions import VersioningPass, make_versions
from xtriton.transforms.raising.writing.emitter import CannotEmit, ExprEmitter


@dataclass(frozen=True)
class VersionLoopsPass(VersioningPass):
    """A second version of a loop for values from before it that make its accesses regular."""

    name = "xtriton-version-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in list(kernels(op)):
            version_loops(function, self.max_ops, self.unit_strides, self.unwrap)


def version_loops(
    function: Operation, max_ops: int, unit_strides: bool = False, unwrap: bool = False
) -> int:
    """Clone the outermost loops of a function that guards help; return how many."""
    accesses = Accesses(function)
    emitter = ExprEmitter(accesses.analysis, i64)
    by_loop: dict[Operation, Planner] = {}
    for access in accesses.all:
        loops = [op for op in loops_around(access.op) if op.name == "scf.for"]
        if not loops or not access.shape:
            continue
        outermost = loops[-1]
        planner = by_loop.get(outermost)
        if planner is None:
            planner = by_loop[outermost] = Planner(accesses, _before(emitter, outermost))
        planner.plan_all(access, unit_strides, unwrap)
    count = 0
    for loop, planner in by_loop.items():
        if planner.guards and sum(1 for _ in loop.walk()) <= max_ops:
            try:
                make_versions(emitter, planner.guards, [loop])
            except CannotEmit:
                continue
            count += 1
    return count


def _before(emitter: ExprEmitter, loop: Operation):
    def available(e: Expr | Cond | Atom) -> bool:
        a = emitter.analysis
        for u in e.leaves:
            leaf = a.space.atoms[u]
            if leaf.parts and leaf.parts[0] in ("program_id", "num_programs", "part"):
                continue
            value = a.leaf_values.get(u)
            if value is None or not emitter.dominates(value, loop):
                return False
        return True

    return available
