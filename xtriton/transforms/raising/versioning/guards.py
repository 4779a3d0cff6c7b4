"""
Conditions under which accesses have more structure than can be proved.

Two sorts turn an affine access into a block:

- *multiples*: an argument that positions are divided by is a multiple of the block, as
  `K % 64 == 0 and K > 0`. Inside, `(K / 64) * 64` stands for `K`.
- *no crossing*: the block lies within one period of a division,
  `start % d + span < d`. Inside, the condition of the branch says so.

Where neither does, a third leaves a few parts:

- *width*: a divisor is at least as wide as the block, which then crosses it once at most.

Two more on request, for block pointers and descriptors:

- *ones*: the stride of the last dimension is 1, which then stands for it.
- *no wrap*: a block ends before the modulus at which it would wrap around.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import lcm

from xdsl.ir import SSAValue

from xtriton.analysis.accesses import Access, Accesses
from xtriton.analysis.classify import Form, Tier, classify
from xtriton.analysis.indexing import (
    Atom,
    Cond,
    Expr,
    Kind,
    Rebuilder,
    Space,
    atoms_within,
    facts_of,
)
from xtriton.analysis.indexing.division import no_crossing, run_of
from xtriton.analysis.parts import innermost_quotients, walk_of
from xtriton.analysis.values import Pointer

Available = Callable[[Expr | Cond | Atom], bool]
"""Tells whether an expression can be computed at the place of the guard."""

WHOLE = (Tier.BLOCK, Tier.WRAPPED_BLOCK)


def is_whole(form: Form) -> bool:
    """Tell whether a form is a block in one part."""
    return form.tier in WHOLE and not form.parts


@dataclass
class Guards:
    """What a version may take for granted."""

    multiples: dict[Atom, int] = field(default_factory=dict[Atom, int])
    """Scalars, and what they are positive multiples of."""

    rooms: list[Expr] = field(default_factory=list[Expr])
    """Expressions that are at least 0."""

    ones: list[Atom] = field(default_factory=list[Atom])
    """Scalars that are 1."""

    gained: list[Access] = field(default_factory=list[Access])
    """The accesses that the guards give a better tier."""

    def __bool__(self) -> bool:
        return bool(self.gained)

    def condition(self, space: Space) -> Cond:
        """Return all of it in one condition."""
        parts: list[Cond] = []
        for atom, number in self.multiples.items():
            e = space.wrap(atom)
            parts += (space.nonnegative(e - 1), space.is_zero(space.truncrem(e, number)))
        parts += [space.nonnegative(room) for room in self.rooms]
        parts += [space.is_zero(space.wrap(atom) - 1) for atom in self.ones]
        return space.conjunction(parts)


class Planner:
    """Looks for guards that can be computed at one place."""

    def __init__(self, accesses: Accesses, available: Available):
        self.accesses = accesses
        self.space = accesses.analysis.space
        self.available = available
        self.guards = Guards()

    def plan_all(self, access: Access, unit_strides: bool, unwrap: bool) -> bool:
        """Find guards of all the sorts asked for; tell whether there are any."""
        if self.plan(access, unwrap) or (unwrap and self.plan_no_wrap(access)):
            return True
        return unit_strides and self.plan_unit_stride(access)

    def plan(self, access: Access, unwrap: bool = False) -> bool:
        """Find guards for one access and add them; tell whether there are any."""
        has_parts = unwrap and bool(access.form.parts)
        if access.tier is not Tier.AFFINE and not has_parts:
            return False
        if not isinstance(access.pointer, Pointer):
            return False
        space = self.space
        offset = space.expanded(access.pointer.offset)
        facts = [space.expanded(f) for f in (*access.facts_around, *facts_of(access.mask))]
        with space.assuming(facts):
            offset = space.simplified(offset)
        multiples = self.multiples_of(offset)
        rooms: list[Expr] | None = []
        if not is_whole(self.form(access, offset, facts, multiples)):
            rooms = self.rooms_of(access, offset, facts, multiples)
        if rooms is None and not has_parts:
            multiples, rooms = {}, self.widths_of(access, offset, facts)
        if rooms is None:
            return False
        for atom, number in multiples.items():
            known = self.guards.multiples.get(atom, 1)
            self.guards.multiples[atom] = lcm(known, number)
        self._gain(access, rooms)
        return True

    def _gain(self, access: Access, rooms: list[Expr]) -> None:
        """Note that an access is better where these expressions are at least 0."""
        self.guards.rooms += [room for room in rooms if room not in self.guards.rooms]
        self.guards.gained.append(access)

    def rooms_of(
        self, access: Access, offset: Expr, facts: list[Expr], multiples: dict[Atom, int]
    ) -> list[Expr] | None:
        """Return the rooms that let no division cross its divisor, if that makes a block."""
        settled = Settler(self.space, self.available).settle(self.renamed(offset, multiples))
        if settled is None:
            return None
        uniform, rooms = settled
        parts = {self.part(atom).uid for atom in multiples}
        if any(not parts.isdisjoint(room.leaves) for room in rooms):
            # the guard would divide by what only the guard says is not 0
            return None
        return rooms if is_whole(self.form(access, uniform, facts, multiples)) else None

    def widths_of(self, access: Access, offset: Expr, facts: list[Expr]) -> list[Expr] | None:
        """Return the rooms that let divisors be crossed once only, if that leaves few parts."""
        rooms: list[Expr] = []
        for quotient in innermost_quotients(self.space, offset):
            walk, divisor = walk_of(self.space, quotient.args[0]), quotient.args[1]
            if walk is None or not self.available(divisor):
                return None
            if divisor.constant is None:
                rooms.append(divisor - max(walk.span, 1))
        if not rooms:
            return None
        form = self.form(access, offset, [*facts, *rooms], {})
        return list(dict.fromkeys(rooms)) if form.tier in WHOLE else None

    def plan_no_wrap(self, access: Access) -> bool:
        """Add the guards under which a wrapped block does not wrap around."""
        if access.tier is not Tier.WRAPPED_BLOCK or not isinstance(access.pointer, Pointer):
            return False
        space = self.space
        rooms: list[Expr] = []
        for dim in access.form.dims:
            if dim.modulus is None:
                continue
            if dim.step < 1 or not self.available(dim.start) or not self.available(dim.modulus):
                return False
            rooms.append(dim.modulus - dim.start - dim.step * (dim.size - 1) - 1)
            if dim.start.interval[0] < 0:
                rooms.append(dim.start)
        facts = [space.expanded(f) for f in (*access.facts_around, *facts_of(access.mask), *rooms)]
        offset = space.expanded(access.pointer.offset)
        form = classify(space, offset, access.shape, facts, self.accesses.is_loaded)
        if form.tier is not Tier.BLOCK:
            return False
        self._gain(access, rooms)
        return True

    def plan_unit_stride(self, access: Access) -> bool:
        """Add the guard that the last stride of a block is 1, where nothing else is."""
        dims = access.form.dims
        if access.tier not in WHOLE or access.form.is_reshaped or len(dims) < 2:
            return False
        wide = [dim for dim in dims if dim.size > 1]
        if not wide or any(dim.stride.constant is not None for dim in wide):
            return False
        atom = wide[-1].stride.atom()
        if atom is None or not self.is_argument(atom):
            return False
        if atom not in self.guards.ones:
            self.guards.ones.append(atom)
        self.guards.gained.append(access)
        return True

    # --- multiples --------------------------------------------------------------------

    def multiples_of(self, offset: Expr) -> dict[Atom, int]:
        """Return the scalars in divisors of positions, and the blocks they should hold."""
        found: dict[Atom, int] = {}
        for quotient in quotients(offset):
            _, divisor = quotient.fraction
            if divisor.dims or divisor.constant is not None:
                continue
            block = 1
            for u in quotient.leaves:
                atom = self.space.atoms[u]
                if atom.kind is Kind.POSITION and quotient.dims >> atom.key[0] & 1:
                    block = max(block, atom.key[1])
            for atom in divisor.atoms():
                if self.is_argument(atom):
                    found[atom] = max(found.get(atom, 1), block)
        return found

    def is_argument(self, atom: Atom) -> bool:
        if atom.kind is not Kind.SCALAR or not self.available(atom):
            return False
        return isinstance(self.accesses.analysis.leaf_values.get(atom.uid), SSAValue)

    def part(self, atom: Atom) -> Atom:
        """Return a scalar that stands for a positive quotient of another."""
        e = self.space.scalar(("part", atom.uid), f"{atom.name}_part", (1, 1 << 30))
        return self.space.leaf_of(e)

    def renamed(self, e: Expr, multiples: dict[Atom, int]) -> Expr:
        """Return an expression with scalars written as multiples."""
        if not multiples:
            return e
        mapping = {a.uid: self.space.wrap(self.part(a)) * n for a, n in multiples.items()}
        return self.space.substitute(e, mapping)

    def form(
        self, access: Access, offset: Expr, facts: list[Expr], multiples: dict[Atom, int]
    ) -> Form:
        offset = self.renamed(offset, multiples)
        known = [self.renamed(f, multiples) for f in facts]
        return classify(self.space, offset, access.shape, known, self.accesses.is_loaded)


class Settler:
    """Takes divisions of blocks to have one result in all lanes, and notes what that needs."""

    def __init__(self, space: Space, available: Available):
        self.space = space
        self.available = available

    def settle(self, offset: Expr) -> tuple[Expr, list[Expr]] | None:
        """Return the offset with all quotients uniform, and the rooms that must be left."""
        rooms: list[Expr] = []
        while True:
            inner = [q for q in quotients(offset) if run_of(self.space, q.args[0]) is not None]
            if not inner:
                return (offset, rooms) if rooms else None
            rebuilder = Rebuilder(self.space, None)
            for quotient in inner:
                settled = self.settled(quotient)
                if settled is None:
                    return None
                uniform, room = settled
                rebuilder.replace(quotient, uniform)
                if room.terms and room not in rooms:
                    rooms.append(room)
            offset = rebuilder.expr(offset)

    def settled(self, quotient: Atom) -> tuple[Expr, Expr] | None:
        """Return the one result of a division and the room that its block must have."""
        numerator, divisor = quotient.fraction
        run = run_of(self.space, numerator)
        least = divisor.interval[0]
        if run is None or divisor.dims or least <= 0:
            return None
        start, span = run
        if quotient.kind is Kind.TRUNCDIV and start.interval[0] < 0:
            return None
        number = divisor.constant
        if number is not None and span >= number:
            return None
        if not self.available(start) or not self.available(divisor):
            return None
        sure, room = no_crossing(self.space, start, span, divisor)
        return self.space.floordiv(start, divisor), self.space.zero if sure else room


def quotients(e: Expr) -> Iterator[Atom]:
    """Yield the divisions of positions in an expression, each once, outer ones first."""
    return (atom for atom in atoms_within(e) if atom.kind in (Kind.FLOORDIV, Kind.TRUNCDIV))
