"""
How the elements of a block of integers go up with their place.

Each is a multiple of its place, and a part that never goes down or never goes up, such as what a
quotient is or what a remainder has lost. Where the last element of a block is as much above the
first one as the multiple alone makes it, that part stayed what it was all along.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import Generic, generic_of, is_identity
from xtriton.cpu.emitter.values import Lazy

_CASTS = ("arith.extsi", "arith.index_cast")


@dataclass(frozen=True)
class Steps:
    """A multiple of the place, and whether the rest goes up, 1, down, -1, or neither, 0."""

    slope: int
    rest: int = 0

    def plus(self, other: Steps) -> Steps | None:
        if self.rest * other.rest < 0:
            return None
        return Steps(self.slope + other.slope, self.rest or other.rest)

    def times(self, factor: int) -> Steps:
        return Steps(self.slope * factor, self.rest * _sign(factor))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def goes_by_one(e: Emitter, block: SSAValue) -> bool:
    """
    Return whether elements follow each other if the last one is where it then would be.

    Sums and products of address arithmetic are taken not to overflow.
    """
    steps = _Blocks(e).steps(block)
    return steps is not None and steps.slope == 1


@dataclass
class _Blocks:
    """The steps of blocks, and of values in the loops that make them; each is asked for once."""

    e: Emitter
    known: dict[SSAValue, Steps | None] = field(default_factory=dict[SSAValue, Steps | None])

    def steps(self, value: SSAValue) -> Steps | None:
        """Return the steps of a block."""
        if value not in self.known:
            self.known[value] = self._of_block(value)
        return self.known[value]

    def _of_block(self, value: SSAValue) -> Steps | None:
        meaning, owner = self.e.environment.get(value), value.owner
        if isinstance(meaning, Lazy) and meaning.pieces is not None and meaning.pieces.is_uniform:
            return Steps(0)
        if not isinstance(owner, Operation) or owner.name != "linalg.generic":
            return None
        generic = generic_of(owner)
        if len(owner.results) != 1 or generic.reductions != [False]:
            return None
        if not all(map(is_identity, generic.maps)):
            return None
        return self._inside(generic, generic.yielded[0])

    def _inside(self, generic: Generic, value: SSAValue) -> Steps | None:
        """Return the steps of a value of a generic's body."""
        op = value.owner
        if op is generic.block:
            number = list(generic.block.args).index(value)
            return self.steps(generic.inputs[number]) if number < len(generic.inputs) else None
        if not isinstance(op, Operation) or op.parent_block() is not generic.block:
            return Steps(0)
        if value not in self.known:
            self.known[value] = self._of_op(generic, op)
        return self.known[value]

    def _of_op(self, generic: Generic, op: Operation) -> Steps | None:
        if op.name == "linalg.index":
            return Steps(1)
        parts = [self._inside(generic, operand) for operand in op.operands]
        if any(part is None for part in parts):
            return None
        known = [part for part in parts if part is not None]
        if op.name in _CASTS:
            return known[0]
        if len(known) != 2:
            return None
        constant = self.e.environment.get(op.operands[1])
        factor = constant if isinstance(constant, int) else None
        return _combined(op.name, known[0], known[1], factor)


def _combined(name: str, a: Steps, b: Steps, constant: int | None) -> Steps | None:
    """Return the steps of the result of an op; `constant` is its second operand."""
    if a == b == Steps(0):
        return a
    if name == "arith.addi":
        return a.plus(b)
    if name == "arith.subi":
        return a.plus(b.times(-1))
    if constant is None:
        return None
    if name == "arith.muli":
        return a.times(constant)
    if a.rest or a.slope <= 0 or constant <= 0:
        return None
    if name == "arith.divsi":
        return Steps(0, 1)
    return Steps(a.slope, -1) if name == "arith.remsi" else None
