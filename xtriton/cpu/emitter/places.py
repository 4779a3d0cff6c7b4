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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from xtriton.cpu.emitter.access import element_type_of, is_shaped, shape_of
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.elementwise import branches, is_in_step, real_uses
from xtriton.cpu.emitter.generics import generic_of
from xtriton.cpu.emitter.rows import LONG, SHORTEST
from xtriton.cpu.emitter.values import View
from xtriton.ir.attributes import integer

MOST_OPS = 64
"""Operations on blocks, one after the other, that are looked at."""
MOST_COST = 8
"""Of a condition that a part does without, once for each choice."""


class Along(Enum):
    """How the elements of a block change along a row of places."""

    BY_ONE = auto()
    """Each is one more than the one before it."""
    REST = auto()
    """So is what a division leaves of them, up to the end of a short row."""
    LONG_REST = auto()
    """Or of a long one."""
    CLAMPED = auto()
    """In parts of the row each is one more, or one less, or all are one number (see `clamps`)."""
    ALIKE = auto()
    """All of a part of the row are one number."""


OF_LONG_ROWS = (Along.BY_ONE, Along.LONG_REST, Along.CLAMPED, Along.ALIKE)
CASTS = ("arith.index_cast", "arith.extsi")
SHAPES = ("tensor.expand_shape", "tensor.collapse_shape")
DIVISIONS = ("arith.divsi", "arith.remsi")
OF_ALIKE = (*("arith.addi", "arith.subi", "arith.muli"), *("arith.andi", "arith.ori"))
CLAMPS = ("arith.minsi", "arith.maxsi", "math.absi")
PLAIN = frozenset(
    (
        *(*CASTS, *DIVISIONS, *OF_ALIKE, *CLAMPS),
        *("arith.cmpi", "arith.constant", "linalg.index", "linalg.yield"),
    )
)
COMPARED = range(2, 6)
"""The numbers of the predicates of `arith.cmpi` that tell which of two signed integers is less."""


@dataclass
class _Places:
    """How the elements of blocks change along their only dimension, as far as that is asked."""

    e: Emitter
    known: dict[SSAValue, Along | None] = field(default_factory=dict[SSAValue, Along | None])

    def along(self, value: SSAValue) -> Along | None:
        """Return how the elements of a block change; None for what is not made of places."""
        if not is_shaped(value.type):
            return Along.ALIKE
        if value not in self.known:
            self.known[value] = self._along_of_block(value)
        return self.known[value]

    def _along_of_block(self, value: SSAValue) -> Along | None:
        op, shape = value.owner, shape_of(value.type)
        if not isinstance(op, Operation) or len(op.results) != 1:
            return None
        long = sum(size != 1 for size in shape)
        if op.name == "linalg.fill" or not long:
            return Along.ALIKE
        # Nothing is known of what lies in memory.
        if long > 1 or isinstance(self.e.environment.get(value), View):
            return None
        if op.name in SHAPES:
            return self.along(op.operands[0])
        return self._along_of_loop(op, shape) if op.name == "linalg.generic" else None

    def _along_of_loop(self, op: Operation, shape: Sequence[int]) -> Along | None:
        generic = generic_of(op)
        if any(generic.reductions) or not all(inner.name in PLAIN for inner in generic.block.ops):
            return None
        values = (*generic.inputs, *generic.outputs)
        known = {
            argument: self.along(value)
            for argument, value in zip(generic.block.args, values, strict=True)
            if any(argument.uses)
        }
        for inner in generic.block.ops:
            for result in inner.results:
                known[result] = _along_of_op(self.e, inner, known, shape)
        # What is not made in the loop is one number.
        return known.get(generic.yielded[0], Along.ALIKE)


def _along_of_op(
    e: Emitter, op: Operation, known: Mapping[SSAValue, Along | None], shape: Sequence[int]
) -> Along | None:
    along = [known.get(value, Along.ALIKE) for value in op.operands]
    if op.name == "linalg.index":
        return Along.BY_ONE if shape[integer(op, "dim")] != 1 else Along.ALIKE
    if None in along or op.regions or not op.operands:
        return None
    if op.name in CASTS:
        return along[0]
    if op.name in DIVISIONS:
        return _divided(e, op, along[0])
    alike = [one is Along.ALIKE for one in along]
    if op.name == "arith.cmpi":
        ordered = integer(op, "predicate") in COMPARED
        return Along.ALIKE if all(alike) or (alike[1] and ordered) else None
    if all(alike) and op.name in (*OF_ALIKE, *CLAMPS):
        return Along.ALIKE
    if op.name in CLAMPS or (op.name == "arith.subi" and alike[0]):
        # Short rows are not worth parts for what is clamped.
        is_known = all(one in OF_LONG_ROWS for one in along) and (len(along) == 1 or any(alike))
        return Along.CLAMPED if is_known else None
    if op.name == "arith.addi" and any(alike):
        return along[alike.index(True) - 1]
    return None


def _divided(e: Emitter, op: Operation, dividend: Along | None) -> Along | None:
    divisor = e.environment.get(op.operands[1])
    if not isinstance(divisor, int) or dividend not in (Along.BY_ONE, Along.ALIKE):
        return None
    if dividend is Along.ALIKE:
        return Along.ALIKE if divisor not in (0, -1) else None
    if divisor < SHORTEST:
        return None
    if op.name == "arith.divsi":
        return Along.ALIKE
    return Along.REST if divisor < LONG else Along.LONG_REST


def is_asked_of_parts(e: Emitter, op: Operation, cost: int) -> bool:
    """
    Return whether a block is better computed where parts of loops ask for it.

    That is so of conditions that are the same in a part of a row, by which elements are chosen, and
    of all that branches choose by.
    """
    places = _Places(e)
    along = None if e.checked else places.along(op.results[0])
    if along is None:
        return False
    if along is Along.ALIKE and element_type_of(op.results[0].type) == i1 and cost <= MOST_COST:
        users = [use.operation for use in real_uses(op)]
        if not any(map(branches, users)):
            return True
    return _only_leads_to_branches(places, op)


def _only_leads_to_branches(places: _Places, op: Operation) -> bool:
    """Return whether all that is made of a block is what branches of loops choose by, in parts."""
    seen, pending, found = {op}, [op], False
    while pending and len(seen) <= MOST_OPS:
        maker = pending.pop()
        for use in real_uses(maker):
            user = use.operation
            if user.parent_block() is not op.parent_block():
                return False
            found = found or branches(user)
            if branches(user) or user in seen:
                continue
            if not is_in_step(use):
                return False
            if _chooses(maker, user):
                continue
            if places.along(user.results[0]) is None:
                return False
            seen.add(user)
            pending.append(user)
    return found and not pending


def _chooses(maker: Operation, user: Operation) -> bool:
    """Return whether a loop chooses between elements, and has conditions from another one."""
    is_condition = element_type_of(maker.results[0].type) == i1
    return is_condition and any(inner.name == "arith.select" for inner in user.walk())
