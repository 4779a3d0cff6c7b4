"""
Blocks in parts: they go on elsewhere at some places, as at the end of a row.

A block that walks over multiples of a divisor has one quotient between two of them; a minimum
is one of its operands up to some place and another from there on. Between such places an
offset may be a block where as a whole it is none: `x // 499 * 512 + x % 499` over 256 places
is two blocks at most, for any start, and `min(x, n - 1)` a block and one element many times.

Quotients that change at the same places, those of one numerator by a divisor and its multiples,
are replaced together; what is independent of each other is cut one after the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from xtriton.analysis.indexing import (
    Atom,
    Cond,
    CondKind,
    Expr,
    Kind,
    Rebuilder,
    Space,
    atoms_within,
)

MOST_PARTS = 4
"""A block of more parts is none: `x // 7` over 1024 places is no use as 147 blocks."""

_QUOTIENTS = (Kind.FLOORDIV, Kind.TRUNCDIV)
_CHOICES = (Kind.MIN, Kind.MAX, Kind.SELECT)


@dataclass(frozen=True)
class Window:
    """The positions of a dimension from `start` on and before `end`; None is no bound."""

    dim: int
    start: Expr | None
    end: Expr | None

    def condition(self, position: Expr) -> Cond:
        space = position.space
        bounds: list[Cond] = []
        if self.start is not None:
            bounds.append(space.nonnegative(position - self.start))
        if self.end is not None:
            bounds.append(space.less(position, self.end))
        return space.conjunction(bounds)


Pieces = list[tuple[tuple[Window, ...], Expr]]
"""Windows that share out the lanes, and what an expression is in each."""


def split_into_parts(space: Space, e: Expr) -> Pieces:
    """Return an expression in pieces without breaks, or in one where there would be too many."""
    pieces = list(_pieces(space, e, ()))
    return pieces if len(pieces) <= MOST_PARTS else [((), e)]


def _pieces(
    space: Space, e: Expr, windows: tuple[Window, ...]
) -> Iterator[tuple[tuple[Window, ...], Expr]]:
    cut = None if len(windows) >= MOST_PARTS else next(_cuts(space, e), None)
    if cut is None:
        yield windows, e
        return
    dim, places, values = cut
    starts, ends = (None, *places), (*places, None)
    for start, end, value in zip(starts, ends, values, strict=True):
        yield from _pieces(space, value, (*windows, Window(dim, start, end)))


Cut = tuple[int, list[Expr], list[Expr]]
"""A dimension, the rising places in it, and the values before, between and after them."""


def _cuts(space: Space, e: Expr) -> Iterator[Cut]:
    """Yield the ways to cut an expression along one dimension."""
    quotients: list[_Quotients] = []
    choices: list[_Choices] = []
    for atom in innermost_breaks(space, e):
        if atom.kind in _CHOICES:
            _add_choice(choices, atom)
        else:
            _add_quotient(space, quotients, atom)
    for group in (*quotients, *choices):
        found = group.cut(space, e)
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
    """Yield the quotients and choices that sums of positions decide."""
    for atom in atoms_within(e):
        if atom.kind in (*_QUOTIENTS, *_CHOICES) and all(map(_is_sum, deciding(atom))):
            yield atom


def deciding(atom: Atom) -> tuple[Expr, ...]:
    """Return the expressions that decide which value an atom has; the divisor is no such."""
    if atom.kind in _QUOTIENTS:
        return atom.args[:1]
    return atom.args[0].args if atom.kind is Kind.SELECT else atom.args


def innermost_quotients(space: Space, e: Expr) -> Iterator[Atom]:
    """Yield the divisions of positions whose numerators have no such divisions themselves."""
    return (atom for atom in innermost_breaks(space, e) if atom.kind in _QUOTIENTS)


def _is_sum(e: Expr | Cond) -> bool:
    return isinstance(e, Expr) and all(a.kind is Kind.POSITION for a in e.atoms() if a.dims)


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

    def cut(self, space: Space, e: Expr) -> Cut | None:
        count = self.most_crossings(space)
        if count is None or count >= MOST_PARTS:
            return None
        places = [self.crossing(space, k) for k in range(count)]
        return self.walk.dim, places, [self.part(space, e, k) for k in range(count + 1)]

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
        """Return an expression as it is behind so many multiples of the divisor."""
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


# --- minima, maxima and choices -------------------------------------------------------


@dataclass
class _Choices:
    """What is one thing where a walk is not negative, and another where it is."""

    walk: Walk
    atoms: list[Atom] = field(default_factory=list[Atom])

    def cut(self, space: Space, e: Expr) -> Cut | None:
        walk = self.walk
        if walk.step > 0:
            place = space.ceildiv(-walk.start, space.const(walk.step))
        else:
            place = space.floordiv(walk.start, -walk.step) + 1
        sides = (walk.step < 0, walk.step > 0)
        return walk.dim, [place], [self.part(space, e, not_negative=side) for side in sides]

    def part(self, space: Space, e: Expr, *, not_negative: bool) -> Expr:
        """Return an expression as it is where the walk is not negative, or where it is."""
        rebuilder = Rebuilder(space, None)
        for atom in self.atoms:
            rebuilder.replace(atom, _taken(atom, not_negative))
        return rebuilder.expr(e)


def _taken(atom: Atom, not_negative: bool) -> Expr:
    """Return the operand that is taken where what decides is not negative, or where it is."""
    if atom.kind is Kind.SELECT:
        return atom.args[1 if not_negative else 2]
    return atom.args[0 if not_negative == (atom.kind is Kind.MAX) else 1]


def _add_choice(groups: list[_Choices], atom: Atom) -> None:
    if atom.kind is Kind.SELECT:
        if atom.args[0].kind is not CondKind.NONNEGATIVE:
            return
        level: Expr = atom.args[0].args[0]
    elif len(atom.args) == 2:
        level = atom.args[0] - atom.args[1]
    else:
        return
    walk = walk_of(level.space, level)
    if walk is None:
        return
    group = next((g for g in groups if g.walk == walk), None)
    if group is None:
        group = _Choices(walk)
        groups.append(group)
    group.atoms.append(atom)
