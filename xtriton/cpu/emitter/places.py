"""
Blocks made of the places of their elements, such as masks.

Where padding ends, an element is loaded or not by the row and the column that it is in, which are
found by dividing its place:

    row, column = place // width, place % width
    inside = (row >= 1) & (row < height) & (column >= 3) & (column < end)

In a loop by rows (see `rows`) each of these is a number that goes up by one, or one number in a
part of a row. So nothing of it is kept in memory: it is computed where the branch of the load
asks, which then is one branch for a part, and not for each element. So are conditions that are
made of a few operations where elements are chosen by them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import element_type_of, shape_of
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.elementwise import branches, is_in_step, real_uses
from xtriton.cpu.emitter.generics import Generic
from xtriton.cpu.emitter.rows import SHORTEST
from xtriton.cpu.emitter.values import Along, Lazy, Tensor
from xtriton.ir.attributes import integer

MOST_OPS = 64
"""Operations on blocks, one after the other, that are looked at."""
MOST_COST = 8
"""Of a condition that a part does without, once for each choice."""
CASTS = ("arith.index_cast", "arith.extsi")
DIVISIONS = ("arith.divsi", "arith.remsi")
OF_SAME = (*("arith.addi", "arith.subi", "arith.muli"), *("arith.andi", "arith.ori"))
SAME = frozenset((Along.ALIKE, Along.ONE))
COMPARED = range(2, 6)
"""The numbers of the predicates of `arith.cmpi` that tell which of two signed integers is less."""


def along_of(e: Emitter, generic: Generic, operands: Sequence[Tensor | Operand]) -> Along | None:
    """Return how the result of a loop over all of a block changes along rows; None for others."""
    if e.checked or len(generic.op.results) != 1:
        return None
    shape = shape_of(generic.op.results[0].type)
    if sum(size != 1 for size in shape) != 1:
        return None
    known: dict[SSAValue, Along | None] = {
        argument: _along_of_operand(operand)
        for argument, operand in zip(generic.block.args, operands, strict=True)
    }
    for op in generic.block.ops:
        for result in op.results:
            known[result] = _along_of_op(e, op, known, shape)
    return known.get(generic.yielded[0])


def _along_of_operand(operand: Tensor | Operand) -> Along | None:
    if not isinstance(operand, Lazy):
        return Along.ONE if isinstance(operand, int | str) else None
    uniform = operand.pieces is not None and operand.pieces.is_uniform
    is_one = all(size == 1 for size in operand.sizes)
    return Along.ONE if uniform or is_one else operand.along


def _along_of_op(
    e: Emitter, op: Operation, known: dict[SSAValue, Along | None], shape: Sequence[int]
) -> Along | None:
    # What is not made in the loop is one number.
    along = [known.get(value, Along.ONE) for value in op.operands]
    if op.name == "linalg.index":
        return Along.BY_ONE if shape[integer(op, "dim")] != 1 else Along.ONE
    if None in along or op.regions or not op.operands:
        return None
    if op.name in CASTS:
        return along[0]
    if op.name in DIVISIONS:
        return _divided(e, op, along[0])
    if op.name == "arith.cmpi" and along[1] is Along.ONE:
        ordered = integer(op, "predicate") in COMPARED
        return Along.ALIKE if ordered or along[0] in SAME else None
    if op.name == "arith.addi" and Along.ONE in along:
        return along[along.index(Along.ONE) - 1]
    if op.name not in OF_SAME or not SAME.issuperset(along):
        return None
    return Along.ONE if {*along} == {Along.ONE} else Along.ALIKE


def _divided(e: Emitter, op: Operation, dividend: Along | None) -> Along | None:
    divisor = e.scalar(op.operands[1])
    if dividend in SAME:
        return dividend
    if dividend is Along.REST or not isinstance(divisor, int) or divisor < SHORTEST:
        return None
    return Along.ALIKE if op.name == "arith.divsi" else Along.REST


def is_asked_of_parts(op: Operation, along: Along, cost: int) -> bool:
    """
    Return whether a block is better computed where parts of loops ask for it.

    So are conditions that are the same in a part of a row, by which elements are chosen, and all of
    which branches choose alone.
    """
    is_condition = along is Along.ALIKE and element_type_of(op.results[0].type) == i1
    if is_condition and cost <= MOST_COST:
        users = [use.operation for use in real_uses(op)]
        if not any(map(branches, users)):
            return True
    return _only_leads_to_branches(op)


def _only_leads_to_branches(op: Operation) -> bool:
    """Return whether all that is made of a block is what branches of loops choose by."""
    seen, pending = {op}, [op]
    while pending and len(seen) <= MOST_OPS:
        for use in real_uses(pending.pop()):
            user = use.operation
            if user.parent_block() is not op.parent_block():
                return False
            if branches(user) or user in seen:
                continue
            if not is_in_step(use):
                return False
            seen.add(user)
            pending.append(user)
    return not pending
