# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
Pointers that a loop moves evenly: where they are in an iteration, without induction.

One kernel may carry a pointer from one iteration to the next where the other one computes it from
the index. A pointer that moves by the same numbers each time, known before the loop, is where it
started plus these times the number of iterations behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3
from xdsl.ir import Operation, SSAValue

from xtriton.interpreter.types import info
from xtriton.ir.value_flow import initial_values
from xtriton.judge.proofs.blocks import is_block
from xtriton.judge.proofs.formulas import Term, given, number, widened
from xtriton.judge.proofs.walk import Walk, has_effect

_MOVES = ("tt.addptr", "tt.advance")


def moving(loops: Sequence[Operation]) -> list[set[int]]:
    """
    Return which of the values that each of some loops carries are pointers that it moves.

    None are if no loop carries a block pointer: then all have the same, to be compared one by one.
    """
    if not any(is_block(o) for loop in loops for o in initial_values(loop)):
        return [set() for _ in loops]
    return [_moving(loop) for loop in loops]


def _moving(loop: Operation) -> set[int]:
    body = loop.regions[0].block
    found: set[int] = set()
    for k, carried in enumerate(body.args[1:]):
        if is_block(carried) or info(carried.type).pointee is not None:
            after: Any = _after(loop, k)
            moves = isinstance(after.owner, Operation) and after.owner.name in _MOVES
            if after is carried or (moves and after.owner.operands[0] is carried):
                found.add(k)
    return found


def place(walk: Walk, loop: Operation, which: set[int], index: Term) -> None:
    """
    Give pointers that a loop moves their place in the iteration of an index.

    What they are moved by is computed where it is made of nothing but what is known before; those
    moved by anything else stay unknown, and nothing that uses them is proved.
    """
    body = loop.regions[0].block
    low, step = (walk.terms[loop.operands[k]] for k in (0, 2))
    behind = widened(index) - widened(low)
    for k in which:
        carried, initial = body.args[1 + k], initial_values(loop)[k]
        after: Any = _after(loop, k)
        moves: Any = [] if after is carried else after.owner.operands[1:]
        if not all(_is_known(walk, loop, value) for value in moves):
            walk.terms.pop(carried, None)
            walk.blocks.pop(carried, None)
            continue
        steps = [walk.terms[value] for value in moves]
        known = given(index, low, step, *steps)
        if is_block(carried):
            start = walk.blocks[initial]
            by = [_times(behind, step, widened(s)) for s in steps]
            walk.blocks[carried] = start.moved(by, known)
        else:
            size: Any = getattr(info(carried.type).pointee, "size", 0)
            start = walk.terms[initial]
            moved = sum((_times(behind, step, widened(s) * size) for s in steps), start.formula)
            walk.terms[carried] = Term(moved, (*start.given, *known))


def _after(loop: Operation, k: int) -> SSAValue:
    last = loop.regions[0].block.last_op
    assert last is not None
    return last.operands[k]


def _is_known(walk: Walk, loop: Operation, value: SSAValue) -> bool:
    """Whether a value is the same in all iterations of a loop; if so, it is computed."""
    owner: Any = value.owner
    inside = isinstance(owner, Operation) and owner.parent is loop.regions[0].block
    if not inside:
        return value in walk.terms and owner is not loop.regions[0].block
    if has_effect(owner) or not all(_is_known(walk, loop, o) for o in owner.operands):
        return False
    walk.pure(owner)
    return value in walk.terms


def _times(behind: Any, step: Term, by: Any) -> Any:
    """Return a number times the iterations that lie behind an index, in 64 bits."""
    each: Any = z3.simplify(widened(step))
    by = z3.simplify(by)
    if not z3.is_bv_value(each):
        return z3.UDiv(behind, each) * by
    n = each.as_signed_long()
    if z3.is_bv_value(by) and n and by.as_signed_long() % n == 0:
        # The index goes up by `n` each time.
        return behind * number(by.as_signed_long() // n, 64)
    return by * behind if n == 1 else z3.UDiv(behind, each) * by
