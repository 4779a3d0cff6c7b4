"""
Blocks that go on elsewhere at some places, as one that reaches the end of a row does.

A block that walks over multiples of a divisor has one quotient between two of them. If all
the parts are blocks with the same strides, what is between them are scalars: the *jumps* of
the *seams*. `x // 499 * 512 + x % 499` over 256 places is such a block for any start, with one
seam at most; over 512 places with two.

All quotients must change at the same places, which holds for those of one numerator by a
divisor and its multiples; the others must have the same value in all lanes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from xtriton.analysis.indexing import Atom, Cond, Expr, Kind, Rebuilder, Space

MOST_SEAMS = 3
"""A block of more than four parts is none: `x // 7` over 1024 places is no use as 147 blocks."""


@dataclass(frozen=True)
class Seams:
    """
    From position `places[k]` of dimension `dim` on, offsets are greater by `jumps[k]`.

    Jumps count from the first part. Places rise, and may lie behind the end of the block.
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


@dataclass(frozen=True)
class Walk:
    """A numerator `start + step * i[dim]` for `size` positions."""

    dim: int
    size: int
    step: int
    start: Expr

    @property
    def span(self) -> int:
        return abs(self.step) * (self.size - 1)


def split_at_seams(space: Space, e: Expr) -> tuple[Expr, Seams] | None:
    """Return the first part of an expression and its seams; None where it has none."""
    quotients = list(innermost_quotients(space, e))
    place: tuple[Walk, Expr] | None = None
    for quotient in quotients:
        walk = walk_of(space, quotient.args[0])
        divisor: Expr = quotient.args[1]
        if walk is None or quotient.kind is not Kind.FLOORDIV or divisor.dims:
            return None
        place = _common_place(place, walk, divisor)
        if place is None:
            return None
    if place is None:
        return None
    walk, divisor = place
    count = _most_crossings(space, walk, divisor)
    if count is None or count > MOST_SEAMS:
        return None
    parts = [_part(space, e, quotients, place, k) for k in range(count + 1)]
    jumps = tuple(part - parts[0] for part in parts[1:])
    if any(jump.dims for jump in jumps):
        return None
    places = tuple(_crossing(space, walk, divisor, k) for k in range(count))
    return parts[0], Seams(walk.dim, places, jumps)


def _part(
    space: Space, e: Expr, quotients: list[Atom], place: tuple[Walk, Expr], number: int
) -> Expr:
    """Return an expression as it is after `number` seams."""
    walk, divisor = place
    rebuilder = Rebuilder(space, None)
    quotient = space.floordiv(walk.start, divisor) + (number if walk.step > 0 else -number)
    for atom in quotients:
        multiple = atom.args[1].divided(divisor)
        rebuilder.replace(atom, space.floordiv(quotient, multiple))
    return rebuilder.expr(e)


def innermost_quotients(space: Space, e: Expr) -> Iterator[Atom]:
    """Yield the divisions of positions whose numerators have no such divisions themselves."""
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
            inner = [a for a in value.args if not isinstance(a, Atom)]
            worklist += inner
            if value.kind in (Kind.FLOORDIV, Kind.TRUNCDIV) and _is_sum(value.args[0]):
                yield value


def _is_sum(e: Expr) -> bool:
    return all(a.kind is Kind.POSITION for a in e.atoms() if a.dims)


def walk_of(space: Space, numerator: Expr) -> Walk | None:
    """Return a numerator as a walk along one dimension, if it is one."""
    inside, start = numerator.split(-1)
    if len(inside.terms) != 1:
        return None
    ((mono, step),) = inside.terms.items()
    position = space.atoms[mono[0]]
    if len(mono) != 1 or position.kind is not Kind.POSITION:
        return None
    dim, size = position.key
    return Walk(dim, size, step, start)


def _common_place(
    place: tuple[Walk, Expr] | None, walk: Walk, divisor: Expr
) -> tuple[Walk, Expr] | None:
    """Return the walk and the divisor of which all the others are multiples."""
    if place is None:
        return walk, divisor
    if place[0] != walk:
        return None
    known = place[1]
    if _is_multiple(divisor, known):
        return place
    return (walk, divisor) if _is_multiple(known, divisor) else None


def _is_multiple(a: Expr, b: Expr) -> bool:
    return a.divided(b) is not None


def _most_crossings(space: Space, walk: Walk, divisor: Expr) -> int | None:
    """Return how many multiples of the divisor a walk reaches at most, where lanes are on."""
    least = space.interval(divisor)[0]
    if least <= 0:
        return None
    count = (least - 1 + walk.span) // least
    number = divisor.constant
    if number is not None:
        numerator = walk.start + space.position(walk.dim, walk.size) * walk.step
        low, high = space.interval(numerator)
        count = min(count, high // number - low // number)
    return count


def _crossing(space: Space, walk: Walk, divisor: Expr, number: int) -> Expr:
    """Return the first position that is behind `number` multiples of the divisor and one more."""
    remainder = space.mod(walk.start, divisor)
    if walk.step > 0:
        return space.ceildiv(divisor * (number + 1) - remainder, space.const(walk.step))
    return space.floordiv(remainder + divisor * number, -walk.step) + 1
