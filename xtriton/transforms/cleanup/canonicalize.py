"""
Bring ops into their canonical form.

Before:

    %c0 = arith.constant 0 : i32
    %0 = arith.addi %c0, %a : i32
    %1 = scf.if %true -> (i32) { scf.yield %0 : i32 } else { scf.yield %b : i32 }
    "use"(%1) : (i32) -> ()

After:

    "use"(%a) : (i32) -> ()

Dead ops go, constants are computed and stand once at the beginning of the function, and
every op's own rules are applied until none does (see `canonicalization`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.ir.rewriting import rewrite_greedily
from xtriton.transforms.cleanup.blocks import simplify_regions
from xtriton.transforms.cleanup.canonicalization.tables import patterns_of
from xtriton.transforms.cleanup.folder import Folder


@dataclass(frozen=True)
class CanonicalizePass(ModulePass):
    """Fold constants, remove what is dead and bring every op into its canonical form."""

    name = "canonicalize"

    max_iterations: int = 10
    region_simplify: Literal["disabled", "normal", "aggressive"] = "normal"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        canonicalize(op, self.max_iterations, self.region_simplify != "disabled")


def canonicalize(root: Operation, max_iterations: int = 10, join_blocks: bool = True) -> None:
    """Bring the ops inside `root` into their canonical form."""
    for _ in range(max(max_iterations, 1)):
        folder = Folder()
        folder.collect_constants(root)
        changed = rewrite_greedily(root, (_OwnPatterns(),), folder.simplify)
        if join_blocks:
            changed |= simplify_regions(root)
        if not changed:
            return


class _OwnPatterns(RewritePattern):
    """Applies the first pattern of an op's own class that does something."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        for pattern in patterns_of(type(op)):
            pattern.match_and_rewrite(op, rewriter)
            if rewriter.has_done_action:
                return
