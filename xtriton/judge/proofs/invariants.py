# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
What holds of the integers that a loop carries, in each of its iterations.

Bounds are guessed: no less than zero or one, no less or no more than at the start, and no more than
what else is carried at the start. Those that hold at the start, and that an iteration keeps as long
as all of them hold, are facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import z3
from xdsl.ir import SSAValue

from xtriton.interpreter.types import info
from xtriton.judge.proofs.formulas import Term, given, holds, number, with_facts
from xtriton.judge.proofs.ranges import known_range
from xtriton.judge.proofs.walk import Walk

MOST_CARRIED = 6
"""Integers of a loop whose bounds are guessed."""


@dataclass(frozen=True)
class Bound:
    """The carried value at a place is no less than another one, or no more if it is the `most`."""

    place: int
    by: Term
    most: bool

    def holds(self, value: Term) -> Term:
        """Return the bit that says whether a value keeps the bound."""
        x, y = value.formula, self.by.formula
        kept = x <= y if self.most else x >= y
        return Term(z3.If(kept, number(1, 1), number(0, 1)), given(value, self.by))

    def kept_by(self, value: Term) -> Term:
        """Return a value that is known to keep the bound, with what it tells of its range."""
        (low, high), by = known_range(value), known_range(self.by)
        told = with_facts(value, holds(self.holds(value).formula), *self.by.given)
        return replace(
            told, range=(low, min(high, by[1])) if self.most else (max(low, by[0]), high)
        )


def guessed(walk: Walk, initial: Sequence[SSAValue]) -> list[Bound]:
    """Return bounds that hold at the start of a loop, given what it starts with."""
    carried = [k for k, value in enumerate(initial) if _is_number(walk, value)][:MOST_CARRIED]
    found: list[Bound] = []
    for place in carried:
        start, shape = walk.terms[initial[place]], _shape(initial, place)
        nothing = Term(number(0, start.formula.size()), range=(0, 0))
        zero = Bound(place, nothing, most=False)
        found += [zero] if _kept(walk, zero, start, shape) else []
        if known_range(start)[0] >= 1:
            one = Term(number(1, start.formula.size()), range=(1, 1))
            found.append(Bound(place, one, most=False))
        found += [Bound(place, start, most=False), Bound(place, start, most=True)]
        for other in carried:
            if other != place and initial[other].type == initial[place].type:
                most = Bound(place, walk.terms[initial[other]], most=True)
                found += [most] if _kept(walk, most, start, shape) else []
    return found


def _is_number(walk: Walk, value: SSAValue) -> bool:
    formula = walk.terms[value].formula
    return info(value.type).pointee is None and z3.is_bv(formula) and formula.size() >= 8


def kept(
    walk: Walk, bounds: list[Bound], inside: Sequence[SSAValue], after: Sequence[SSAValue]
) -> list[Bound]:
    """Return those of some bounds that an iteration keeps if all that are returned hold before."""
    path = walk.path
    try:
        while bounds:
            walk.path = [*path, *assumed(walk, bounds, inside)]
            left = [
                b
                for b in bounds
                if _kept(walk, b, walk.terms[after[b.place]], _shape(after, b.place))
            ]
            if len(left) == len(bounds):
                return bounds
            bounds = left
    finally:
        walk.path = path
    return []


def assumed(
    walk: Walk, bounds: Sequence[Bound], inside: Sequence[SSAValue]
) -> list[tuple[tuple[int, ...], Term]]:
    """Return bounds as facts of a walk's path, of the values inside a loop."""
    return [(_shape(inside, b.place), b.holds(walk.terms[inside[b.place]])) for b in bounds]


def _shape(values: Sequence[SSAValue], place: int) -> tuple[int, ...]:
    return info(values[place].type).shape


def _kept(walk: Walk, bound: Bound, value: Term, shape: tuple[int, ...]) -> bool:
    said = bound.holds(value)
    return walk.always(said.formula == number(1, 1), (said,), shape)
