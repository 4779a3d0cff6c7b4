"""
Masks as regions: an interval per dimension, conditions on scalars, and what is left.

The lanes of an access that are on are those with `max(lower[d]) <= i[d] < min(upper[d])` for
each dimension d, if every guard holds, and for which every condition of the rest holds.
"""

from collections.abc import Sequence

from xtriton.analysis.indexing import Cond, CondKind, Expr, Kind, Space, conjuncts
from xtriton.records import record


@record
class MaskRegion:
    """The lanes that a mask lets through; see the module."""

    lower: tuple[tuple[Expr, ...], ...]
    upper: tuple[tuple[Expr, ...], ...]
    guards: tuple[Cond, ...]
    rest: tuple[Cond, ...]

    @property
    def is_prefix(self) -> bool:
        """Whether only upper bounds and guards occur, which is what `tts.load` can say."""
        return not self.rest and not any(self.lower)

    @property
    def is_everything(self) -> bool:
        return self.is_prefix and not any(self.upper) and not self.guards

    def bounds(self, space: Space, sizes: Sequence[int]) -> "Bounds":
        """Return the first lane and the one after the last by dimension, which may cross."""
        return [
            (space.maximum(*low, space.zero), space.minimum(*high, space.const(size)))
            for low, high, size in zip(self.lower, self.upper, sizes, strict=True)
        ]


Bounds = list[tuple[Expr, Expr]]
"""Where the lanes that are on begin and end, by dimension."""


def mask_region(space: Space, mask: Cond, shape: tuple[int, ...]) -> MaskRegion:
    """Return the region of a mask over a tensor of this shape."""
    lower: list[list[Expr]] = [[] for _ in shape]
    upper: list[list[Expr]] = [[] for _ in shape]
    guards: list[Cond] = []
    rest: list[Cond] = []
    for condition in conjuncts(mask):
        if not condition.dims:
            guards.append(condition)
            continue
        bounds = _bounds(space, condition)
        if bounds is None:
            rest.append(condition)
            continue
        dim, low, high = bounds
        if low is not None:
            lower[dim].append(low)
        if high is not None:
            upper[dim].append(high)
    return MaskRegion(
        tuple(map(tuple, lower)), tuple(map(tuple, upper)), tuple(guards), tuple(rest)
    )


def _bounds(space: Space, c: Cond) -> tuple[int, Expr | None, Expr | None] | None:
    """Return (dimension, least position, position after the last) of one condition."""
    if c.kind is CondKind.ZERO:
        linear = linear_position(c.args[0])
        if linear is None or abs(linear[1]) != 1:
            return None
        dim, slope, rest = linear
        at = rest * -slope
        return dim, at, at + 1
    if c.kind is not CondKind.NONNEGATIVE:
        return None
    linear = linear_position(c.args[0])
    if linear is None:
        return None
    dim, slope, rest = linear
    if slope > 0:
        return dim, space.ceildiv(-rest, slope), None
    return dim, None, space.floordiv(rest, -slope) + 1


def linear_position(e: Expr) -> tuple[int, int, Expr] | None:
    """Return (dimension, number, rest) if `e` is `number * position + rest` of scalars."""
    inside, rest = e.split(-1)
    if len(inside.terms) != 1:
        return None
    ((mono, slope),) = inside.terms.items()
    atom = e.space.atoms[mono[0]]
    if len(mono) != 1 or atom.kind is not Kind.POSITION:
        return None
    dim: int = atom.key[0]
    return dim, slope, rest
