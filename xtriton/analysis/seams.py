"""
Blocks that go on elsewhere at some places, as one that reaches the end of a row does.

A block that walks over multiples of a divisor has one quotient between two of them, and a
minimum is one of its operands up to some place and another from there on. If all the parts
are blocks with the same strides, what is between them are scalars: the *jumps* of the
*seams*. `x // 499 * 512 + x % 499` over 256 places is such a block for any start, with one
seam at most; over 512 places with two.

Quotients that change at the same places, those of one numerator by a divisor and its multiples,
make one sequence of seams; several sequences are independent of each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import prod

from xtriton.analysis.indexing import Atom, Cond, Expr, Kind, Rebuilder, Space

MOST_PARTS = 4
"""A block of more parts is none: `x // 7` over 1024 places is no use as 147 blocks."""

_QUOTIENTS = (Kind.FLOORDIV, Kind.TRUNCDIV)
_EXTREMA = (Kind.MIN, Kind.MAX)


@dataclass(frozen=True)
class Seams:
    """
    From position `places[k]` of dimension `dim` on, offsets are greater by `jumps[k]`.

    Jumps count from the first part. Places rise, and may lie outside of the block.
    """

    dim: int
    places: tuple[Expr, ...]
    jumps: tuple[Expr, ...]

    def offset(self, position: Expr) -> Expr:
        """Return what the seams add at a position of their dimension."""
        space = position.space
        total = space.zero
        for place, jump in zip(self.places, self.jumps, strict=True):
            total = space.select(space.nonnegative(position - place), jump, total)
        return total


def number_of_parts(seams: tuple[Seams, ...]) -> int:
    """Return into how many parts sequences of seams cut a block at most."""
    return prod(len(s.places) + 1 for s in seams)


def split_at_seams(space: Space, e: Expr) -> tuple[Expr, tuple[Seams, ...]]:
    """Return the first part of an expression and all the seams that can be taken out of it."""
    found: list[Seams] = []
    while True:
        cut = next(_cuts(space, e), None)
        if cut is None or number_of_parts((*found, cut[1])) > MOST_PARTS:
            return e, tuple(found)
        e = cut[0]
        found.append(cut[1])


def _cuts(space: Space, e: Expr) -> Iterator[tuple[Expr, Seams]]:
    """Yield the ways to take one sequence of seams out of an expression."""
    quotients: list[_Quotients] = []
    choices: list[_Choices] = []
    for atom in innermost_breaks(space, e):
        if atom.kind in _EXTREMA:
            _add_choice(space, choices, atom)
        else:
            _add_quotient(space, quotients, atom)
    for group in (*quotients, *choices):
        found = group.split(space, e)
        if found is not None:
            yield found


# --- walks ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Walk:
    """A number `start + step * i[dim]` for `size` positions."""

    dim: int
    size: int
    step: int
    start: Expr

    @property
    def span(self) -> int:
        return abs(self.step) * (self.size - 1)

    @property
    def level(self) -> Expr:
        """The number, over the position in the dimension."""
        return self.start + self.start.space.position(self.dim, self.size) * self.step


def walk_of(space: Space, e: Expr) -> Walk | None:
    """Return an expression as a walk along one dimension, if it is one."""
    inside, start = e.split(-1)
    if len(inside.terms) != 1:
        return None
    ((mono, step),) = inside.terms.items()
    position = space.atoms[mono[0]]
    if len(mono) != 1 or position.kind is not Kind.POSITION:
        return None
    dim, size = position.key
    return Walk(dim, size, step, start)


def innermost_breaks(space: Space, e: Expr) -> Iterator[Atom]:
    """Yield the quotients, minima and maxima of sums of positions."""
    seen: set[int] = set()
    worklist: list[Expr | Cond | Atom] = [e]
    while worklist:
        value = worklist.pop()
        if isinstance(value, Expr):
            worklist += [a for a in value.atoms() if a.dims]
        elif isinstance(value, Cond):
            worklist += value.args
        elif value.uid not in seen:
            seen.add(value.uid)
            worklist += [a for a in value.args if not isinstance(a, Atom)]
            args = value.args[:1] if value.kind in _QUOTIENTS else value.args
            if value.kind in (*_QUOTIENTS, *_EXTREMA) and all(map(_is_sum, args)):
                yield value


def innermost_quotients(space: Space, e: Expr) -> Iterator[Atom]:
    """Yield the divisions of positions whose numerators have no such divisions themselves."""
    return (atom for atom in innermost_breaks(space, e) if atom.kind in _QUOTIENTS)


def _is_sum(e: Expr) -> bool:
    return all(a.kind is Kind.POSITION for a in e.atoms() if a.dims)


def _sewn(
    space: Space, walk: Walk, parts: list[Expr], places: tuple[Expr, ...]
) -> tuple[Expr, Seams] | None:
    """Return the first part and the seams, if nothing but scalars is between the parts."""
    jumps = tuple(part - parts[0] for part in parts[1:])
    if any(jump.dims for jump in jumps):
        return None
    return parts[0], Seams(walk.dim, places, jumps)


# --- quotients ------------------------------------------------------------------------


@dataclass
class _Quotients:
    """Quotients of one walk, by a divisor and its multiples."""

    walk: Walk
    divisor: Expr
    atoms: list[Atom] = field(default_factory=list[Atom])

    def takes(self, walk: Walk, divisor: Expr) -> bool:
        """Tell whether a quotient belongs here, which it may make finer."""
        if walk != self.walk:
            return False
        if divisor.divided(self.divisor) is not None:
            return True
        if self.divisor.divided(divisor) is None:
            return False
        self.divisor = divisor
        return True

    def split(self, space: Space, e: Expr) -> tuple[Expr, Seams] | None:
        count = self.most_crossings(space)
        if count is None or count >= MOST_PARTS:
            return None
        parts = [self.part(space, e, k) for k in range(count + 1)]
        places = tuple(self.crossing(space, k) for k in range(count))
        return _sewn(space, self.walk, parts, places)

    def most_crossings(self, space: Space) -> int | None:
        """Return how many multiples of the divisor the walk reaches at most, where lanes are on."""
        least = space.interval(self.divisor)[0]
        if least <= 0:
            return None
        count = (least - 1 + self.walk.span) // least
        number = self.divisor.constant
        if number is not None:
            first, reached = space.interval(self.walk.start), space.interval(self.walk.level)
            rises = self.walk.step > 0
            low, high = (first[0], reached[1]) if rises else (reached[0], first[1])
            count = min(count, high // number - low // number)
        return count

    def part(self, space: Space, e: Expr, number: int) -> Expr:
        """Return an expression as it is after `number` seams."""
        rebuilder = Rebuilder(space, None)
        first = space.floordiv(self.walk.start, self.divisor)
        quotient = first + (number if self.walk.step > 0 else -number)
        for atom in self.atoms:
            multiple = atom.args[1].divided(self.divisor)
            rebuilder.replace(atom, space.floordiv(quotient, multiple))
        return rebuilder.expr(e)

    def crossing(self, space: Space, number: int) -> Expr:
        """Return the first position behind one more than `number` multiples of the divisor."""
        remainder = space.mod(self.walk.start, self.divisor)
        if self.walk.step > 0:
            left = self.divisor * (number + 1) - remainder
            return space.ceildiv(left, space.const(self.walk.step))
        return space.floordiv(remainder + self.divisor * number, -self.walk.step) + 1


def _add_quotient(space: Space, groups: list[_Quotients], atom: Atom) -> None:
    numerator, divisor = atom.fraction
    walk = walk_of(space, numerator)
    if walk is None or atom.kind is not Kind.FLOORDIV or divisor.dims:
        return
    group = next((g for g in groups if g.takes(walk, divisor)), None)
    if group is None:
        group = _Quotients(walk, divisor)
        groups.append(group)
    group.atoms.append(atom)


# --- minima and maxima ----------------------------------------------------------------


@dataclass
class _Choices:
    """Minima and maxima of two operands; the first is not below the second where `walk >= 0`."""

    walk: Walk
    atoms: list[Atom] = field(default_factory=list[Atom])

    def split(self, space: Space, e: Expr) -> tuple[Expr, Seams] | None:
        rises = self.walk.step > 0
        before = self.part(space, e, first_is_above=not rises)
        jump = self.part(space, e, first_is_above=rises) - before
        # where the operands are equal, either will do
        for walk in (self.walk, replace(self.walk, start=self.walk.start - 1)):
            constant = self.jump_behind(space, walk, jump)
            if not constant.dims:
                return before, Seams(walk.dim, (self.crossing(space, walk),), (constant,))
        return None

    def jump_behind(self, space: Space, walk: Walk, jump: Expr) -> Expr:
        """Return a jump as a number, where what varies cancels out in the lanes that are on."""
        with space.assuming([walk.level if walk.step > 0 else -walk.level - 1]):
            low, high = space.interval(jump)
        return space.const(low) if low == high else jump

    def crossing(self, space: Space, walk: Walk) -> Expr:
        """Return the first position where a walk is not negative, or negative if it falls."""
        if walk.step > 0:
            return space.ceildiv(-walk.start, space.const(walk.step))
        return space.floordiv(walk.start, -walk.step) + 1

    def part(self, space: Space, e: Expr, *, first_is_above: bool) -> Expr:
        """Return an expression as it is where the first operands are above, or below."""
        rebuilder = Rebuilder(space, None)
        for atom in self.atoms:
            takes_first = first_is_above == (atom.kind is Kind.MAX)
            rebuilder.replace(atom, atom.args[0 if takes_first else 1])
        return rebuilder.expr(e)


def _add_choice(space: Space, groups: list[_Choices], atom: Atom) -> None:
    if len(atom.args) != 2:
        return
    walk = walk_of(space, atom.args[0] - atom.args[1])
    if walk is None:
        return
    group = next((g for g in groups if g.walk == walk), None)
    if group is None:
        group = _Choices(walk)
        groups.append(group)
    group.atoms.append(atom)
