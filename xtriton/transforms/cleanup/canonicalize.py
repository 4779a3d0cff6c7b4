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

from xtriton.errors import PassFailure
from xtriton.transforms.cleanup.canonicalization.tables import OWN_PATTERNS
from xtriton.transforms.cleanup.settling import settle


@dataclass(frozen=True)
class CanonicalizePass(ModulePass):
    """Fold constants, remove what is dead and bring every op into its canonical form."""

    name = "canonicalize"

    max_iterations: int = 10
    max_num_rewrites: int = -1
    region_simplify: Literal["disabled", "normal", "aggressive"] = "normal"
    test_convergence: bool = False
    top_down: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        converged = canonicalize(
            op,
            max_iterations=self.max_iterations,
            max_rewrites=None if self.max_num_rewrites < 0 else self.max_num_rewrites,
            join_blocks=self.region_simplify != "disabled",
            top_down=self.top_down,
        )
        if self.test_convergence and not converged:
            raise PassFailure(f"no canonical form after {self.max_iterations} iterations")


def canonicalize(
    root: Operation,
    *,
    max_iterations: int = 10,
    max_rewrites: int | None = None,
    join_blocks: bool = True,
    top_down: bool = True,
) -> bool:
    """Bring the ops inside `root` into their canonical form; return whether all are."""
    return settle(
        root,
        OWN_PATTERNS,
        max_iterations=max(max_iterations, 1),
        max_rewrites=max_rewrites,
        join_blocks=join_blocks,
        top_down=top_down,
    ).converged
