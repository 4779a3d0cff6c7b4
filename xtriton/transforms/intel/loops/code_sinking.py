"""
Compute what is needed behind a loop or branch only there.

Before:

    %x = tt.load %p
    %sum = scf.for ... { ... }
    %y = arith.addf %sum, %x

After:

    %sum = scf.for ... { ... }
    %x = tt.load %p
    %y = arith.addf %sum, %x

So the registers of `%x` are free in the loop. Nothing may write to memory between the old and
the new place, which is in front of the first use; what a moved op uses may move with it.
Source: `CodeSinking.cpp` of the Intel XPU backend. Other than there, an op that is stored
first of all moves in front of that store, nothing moves past what frees memory, and loops and
branches stay themselves, as reductions need not be moved past: upstream moves two of them past
each other for ever.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from xtriton.analysis.writes import may_write

_COMBINING = frozenset(("tt.map_elementwise", "tt.reduce", "tt.scan"))
"""Their regions compute an element each, with no more registers than other ops."""


@dataclass(frozen=True)
class CodeSinkingPass(ModulePass):
    """Move ops without side effects past loops and branches to where they are used first."""

    name = "tritonintelgpu-code-sinking"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            for region_op in list(function.walk()):
                for region in region_op.regions:
                    for block in region.blocks:
                        _sink_in(block)


def _sink_in(block: Block) -> None:
    """Move ops of one block, each straight to its last place: users are moved before it."""
    ops = list(block.ops)
    number = {op: i for i, op in enumerate(ops)}
    sunk: dict[int, list[Operation]] = defaultdict(list)
    next_barrier = next_write = len(ops)
    for i, op in reversed(list(enumerate(ops))):
        if _is_barrier(op):
            next_barrier = i
        if may_write(op):
            next_write = i
            continue
        place = _first_use(op, block, number)
        if place is None or _is_barrier(op) or not next_barrier < place <= next_write:
            continue
        # For those that it uses, it is now where that use is.
        number[op] = place
        sunk[place].append(op)
    for place, moved in sunk.items():
        for op in reversed(moved):
            op.detach()
            block.insert_op_before(op, ops[place])


def _is_barrier(op: Operation) -> bool:
    return bool(op.regions) and op.name not in _COMBINING


def _first_use(op: Operation, block: Block, number: dict[Operation, int]) -> int | None:
    """Return the number of the first user of `op`; None if there is none, or one elsewhere."""
    first: int | None = None
    for result in op.results:
        for use in result.uses:
            user = block.find_ancestor_op_in_block(use.operation)
            if user is None:
                return None
            first = number[user] if first is None else min(first, number[user])
    return first
