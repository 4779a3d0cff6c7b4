"""
A second version of a kernel for arguments and programs that make its accesses regular.

Before:

    tt.func @kernel(%p: !tt.ptr<f32>, %k: i32) {
      ... %row = arith.divsi %linear, %k ...
    }

After:

    tt.func @kernel(%p: !tt.ptr<f32>, %k: i32) {
      ... %guard: %k is positive and a multiple of the block ...
      scf.if %guard {
        %q = arith.divsi %k, %c64
        %same = arith.muli %q, %c64
        ... %row = arith.divsi %linear, %same ...
      } else {
        ... %row = arith.divsi %linear, %k ...
      }
    }

All guards of a kernel are one condition, computed once from its arguments and the program's
place in the grid. See `guards` for what they may say. A kernel is versioned only if an access
gets a better tier, and if it has at most `max-ops` ops, since its code doubles.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import dropwhile

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i64
from xdsl.ir import Operation

from xtriton.analysis.accesses import Accesses
from xtriton.analysis.indexing import Atom, Cond, Expr, Kind
from xtriton.analysis.report import kernels
from xtriton.transforms.raising.versioning.guards import Guards, Planner
from xtriton.transforms.raising.versioning.versions import VersioningPass, make_versions
from xtriton.transforms.raising.writing.emitter import CannotEmit, ExprEmitter


@dataclass(frozen=True)
class VersionKernelPass(VersioningPass):
    """A second version of a kernel for arguments and programs that make its accesses regular."""

    name = "xtriton-version-kernel"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in list(kernels(op)):
            if is_simple(function) and sum(1 for _ in function.walk()) <= self.max_ops:
                version_kernel(function, self.unit_strides, self.unwrap)


def is_simple(function: Operation) -> bool:
    """Tell whether a function is one block that returns nothing."""
    blocks = function.regions[0].blocks
    last = blocks.first.ops.last if blocks.first is not None else None
    return len(blocks) == 1 and last is not None and not last.operands


def version_kernel(
    function: Operation, unit_strides: bool = False, unwrap: bool = False
) -> Guards | None:
    """Clone the body of a kernel under a guard; return None where no guard helps."""
    accesses = Accesses(function)
    planner = Planner(accesses, lambda e: is_known_at_entry(accesses, e))
    for access in accesses.all:
        if access.shape:
            planner.plan_all(access, unit_strides, unwrap)
    block = function.regions[0].blocks[0]
    body = list(dropwhile(lambda op: op.name == "arith.constant", list(block.ops)[:-1]))
    if not planner.guards or not body:
        return None
    emitter = ExprEmitter(accesses.analysis, i64)
    try:
        make_versions(emitter, planner.guards, body)
    except CannotEmit:
        return None
    return planner.guards


def is_known_at_entry(accesses: Accesses, e: Expr | Cond | Atom) -> bool:
    """Tell whether an expression depends on arguments and the place in the grid only."""
    a = accesses.analysis
    entry = a.function.regions[0].blocks[0]
    for u in e.leaves:
        leaf = a.space.atoms[u]
        if leaf.parts and leaf.parts[0] in ("program_id", "num_programs"):
            continue
        if leaf.parts and leaf.parts[0] == "part":
            continue
        value = a.leaf_values.get(u)
        if leaf.kind is not Kind.SCALAR or value is None or value not in entry.args:
            return False
    return True
