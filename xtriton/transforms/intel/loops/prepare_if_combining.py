"""
Move what stands between two branches on one condition in front of both.

Before:

    %1 = scf.if %c -> tensor<32x32xf32> { ... }
    %2 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<32x32xf32> -> tensor<32x32xf32>
    %3 = scf.if %c -> tensor<32x32xf32> { ... }

After, so that `canonicalize` makes one branch of the two:

    %2 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<32x32xf32> -> tensor<32x32xf32>
    %1 = scf.if %c -> tensor<32x32xf32> { ... }
    %3 = scf.if %c -> tensor<32x32xf32> { ... }

All that stands between has to be without effects and to use nothing that the first branch
gives, be it in a region of its own.
Source: `PrepareIfCombining.cpp` of the Intel XPU backend. Other than there, what stands in front
of a third branch does not come between the first two.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from xtriton.dialects.upstream.scf import IfOp
from xtriton.transforms.cleanup.licm import may_run_early


@dataclass(frozen=True)
class PrepareIfCombiningPass(ModulePass):
    """Bring branches on the same condition next to each other."""

    name = "triton-intel-prepare-if-combining"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        branches: dict[Block, list[IfOp]] = {}
        for branch in op.walk():
            if isinstance(branch, IfOp) and branch.parent is not None:
                branches.setdefault(branch.parent, []).append(branch)
        for siblings in branches.values():
            # Those that nothing stands between any more, the first of them in front.
            together = {siblings[0]: None}
            for last, branch in pairwise(siblings):
                _bring_together(together, last, branch)


def _bring_together(together: dict[IfOp, None], last: IfOp, branch: IfOp) -> None:
    """Move what stands in front of a branch to where it is in the way of as few as may be."""
    between = _between(last, branch)
    if last.cond is not branch.cond or not all(map(may_run_early, between)):
        together.clear()
    elif not _use_results(together, between):
        _move(between, next(iter(together)))
    elif not _use_results((last,), between):
        _move(between, last)
        together.clear()
        together[last] = None
    else:
        together.clear()
    together[branch] = None


def _between(first: Operation, second: Operation) -> list[Operation]:
    found: list[Operation] = []
    op = first.next_op
    while op is not None and op is not second:
        found.append(op)
        op = op.next_op
    return found


def _move(ops: list[Operation], place: Operation) -> None:
    block = place.parent
    assert block is not None
    for op in ops:
        op.detach()
        block.insert_op_before(op, place)


def _use_results(branches: Collection[IfOp], ops: list[Operation]) -> bool:
    """Return whether ops, with all inside them, use what branches give."""
    return any(
        operand.owner in branches
        for op in ops
        for nested in op.walk()
        for operand in nested.operands
    )
