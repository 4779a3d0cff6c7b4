# NumPy arrays of any element type: pyright cannot follow them.
"""
Chooses launches for a kernel whose purpose nobody tells: numbers, contents, programs.

Integer arguments are sizes, strides or counts; which, is not known. They are drawn around
the extent of the kernel's blocks, so that masks are sometimes full and sometimes cut, loops
run a few times, and no two are alike; promised divisibility is kept.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from xdsl.ir import Operation

from xtriton.interpreter.arguments import Endless, Parameter, PerProgram
from xtriton.interpreter.contents import Contents, signs
from xtriton.interpreter.orders import Order
from xtriton.judge.launches.kernel_facts import (
    axes_used,
    block_extent,
    constants_of,
    default_launch,
    edges_of_blocks,
    lock_arguments,
    loop_arguments,
)
from xtriton.judge.launches.uses import uses_of


@dataclass(frozen=True)
class Draw:
    """
    A launch: the kernel's arguments, the grid, and which programs are run.

    `name` says in reports how the arguments were chosen. `smaller` are launches to take in
    its place, in order, where the original's address arithmetic overflows. Programs that are
    `apart` may be no ones that the kernel is made for: the first half of them can be run instead.
    `order` says how the original and the rewritten kernel reduce.
    """

    name: str
    values: tuple[Any, ...]
    grid: tuple[int, int, int]
    programs: tuple[int, ...]
    smaller: tuple["Draw", ...] = ()
    apart: bool = False
    long: bool | None = None
    """Whether only some turns of long loops are run: True if the others have to be idle."""
    order: Order = Order.TREE
    signs: tuple[bool, ...] = field(init=False, repr=False)
    """Of the values: a launch with 0 is not the one with -0, though these are equal."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "signs", signs(self.values))

    def _shown(self, value: Any) -> str:
        if not isinstance(value, PerProgram):
            return str(value)
        return " or ".join(str(value.of(p)) for p in self.programs)

    def tamer(self) -> "Draw | None":
        """Return a launch with data that more kernels can take; None if there is none tamer."""
        values = tuple(
            replace(v, contents=v.contents.tamer()) if isinstance(v, Endless) else v
            for v in self.values
        )
        if values != self.values:
            return replace(self, values=values, smaller=())
        return next(iter(self.halves()), None)

    def halves(self) -> tuple["Draw", ...]:
        """Return launches of the first and of the other programs, if they are `apart`."""
        middle = len(self.programs) // 2
        parts = (self.programs[:middle], self.programs[middle:])
        return tuple(replace(self, programs=p) for p in parts) if self.apart and middle else ()

    def describe(self) -> str:
        shown = ["ptr" if isinstance(v, Endless) else self._shown(v) for v in self.values]
        return f"{self.name}: arguments ({', '.join(shown)}), grid {self.grid}"


@dataclass(frozen=True)
class _Plan:
    """
    How one draw chooses integers: around `scale` of the extent, `apart` of it from each other.

    `indices` is how many different numbers data that feeds addresses takes, from -5 on.
    """

    name: str
    scale: float
    odd: int
    contents: Contents
    apart: float = 0.125
    multiples: int = 1
    skew: int = 0
    indices: int = 61


_PLANS = (
    _Plan("sizes above a block", 1.5, 5, Contents(seed=1), skew=3),
    _Plan("sizes below a block", 0.5, 3, Contents(seed=2, rare=96), apart=0.0625, skew=2),
    _Plan("multiples of 16", 2.0, 0, Contents(seed=3, positive=True, rare=2), multiples=16),
)

_RETRIES = (
    _Plan("ones", 0.0, 1, Contents(seed=4, rare=24), indices=2),
    _Plan("equal numbers", 1.0, 0, Contents(seed=9, rare=8), apart=0.0),
    _Plan("descending numbers", 1.0, 0, Contents(seed=10, rare=8), apart=-0.0625),
    _Plan("small numbers", 0.25, 1, Contents(seed=5), indices=2),
    _Plan("indices all zero", 1.0, 0, Contents(seed=6), indices=1),
    _Plan("large sizes", 16.0, 7, Contents(seed=7), indices=1),
    _Plan("twos", 0.0, 2, Contents(seed=8, rare=24), indices=1),
)

_ALIKE = tuple(plan for plan in _RETRIES if plan.name in ("ones", "equal numbers", "twos"))
_FAR = _Plan("far programs", 1.0, 5, Contents(seed=11), skew=3)
_AT_EDGES = _Plan("blocks at constants", 1.5, 5, Contents(seed=13, rare=12), skew=3)
_EDGES = _Plan("empty and negative sizes", 1.5, 5, Contents(seed=12, rare=48), skew=3)

_FEW = _Plan("zeros and ones", 1.0, 3, Contents(seed=14, few=True))
_SMALL = _Plan("small floats", 1.0, 3, Contents(seed=15, small=16))

_PLAIN = _Plan("positive numbers", 1.5, 5, Contents(seed=16, positive=True), skew=3)

MOST_TWOS = 3
"""Divisors that are small in a launch of their own."""

MOST_RARE = 6
"""Arguments that hold infinities and NaN in a launch of their own."""

_MOST_PROGRAMS = (1 << 31) - 1
"""Along the first axis of a grid, as CUDA has it."""

_FAR_AWAY = (1 << 38, 1 << 32, 1 << 31, 1 << 29, 1 << 27, 1 << 23)
"""Where the last elements of far programs lie, about."""

EDGES = (0, -16, (1 << 31) - 16)
"""Values that a thorough check gives to each integer argument in turn."""


MOST_TRIPS = 192
"""Bound of loops whose step is not a constant."""

_FREE = (-7, 37, -1, 1, 0, 12345, -8, 100, 5, -(1 << 7), (1 << 15) + 1, -(1 << 20) - 3)
_RARE_FLOATS = (float("nan"), -0.0, 1e30, float("-inf"), 1e-40)
MOST_AT_EDGES = 12
"""Programs of the launch at the edges of blocks."""

_MANY = 24
"""Launches made for the numbers of a kernel of which there is only one program."""


def _chosen(pool: Sequence[Any], plan: _Plan, place: int, k: int) -> Any:
    """Return one of some numbers; every third time arguments at all places get the same."""
    turn = plan.contents.seed + k
    mixed = (turn * 0x9E3779B1 + (turn % 3) * place * 0x85EBCA77) & 0xFFFFFFFF
    return pool[(mixed >> 12) % len(pool)]


class Launches:
    """
    Draws launches of one kernel, and keeps what was drawn.

    `given` fixes arguments by position; `calm` leaves out numbers that make sums depend on
    their order. A launch may not fit the kernel (an assertion fails, it runs too long): take
    another.
    """

    def __init__(
        self,
        function: Operation,
        known: list[Parameter],
        given: dict[int, Any] | None = None,
        calm: bool = False,
    ):
        self.function, self.known, self.given, self.calm = function, known, given or {}, calm
        self.extent = block_extent(function)
        self.steps = loop_arguments(function)
        self.uses = uses_of(function)
        self.near = constants_of(function)
        numbers = [p.index for p in known if not p.is_memory]
        self.places = {index: k for k, index in enumerate(numbers)}
        self._drawn: dict[_Plan, Draw] = {}
        self._hard: dict[int, list[Draw]] = {}

    def usual(self) -> Iterator[Draw]:
        """Yield launches, the most telling first."""
        for plan in (*_PLANS, *_RETRIES):
            yield self.draw(plan)

    def hard(self, turns: int = 1) -> list[Draw]:
        """Return launches far out in a large grid, and ones with empty and negative sizes."""
        if turns not in self._hard:
            self._hard[turns] = list(self._all_hard(turns))
        return self._hard[turns]

    def _all_hard(self, turns: int) -> Iterator[Draw]:
        far = [*self.far()]
        if far:
            yield replace(far[0], smaller=tuple(far[1:]))
            if self.uses.wide and self.uses.strides:
                axes = sorted(axes_used(self.function))
                yield self._far(1 << 38, axes, rows=_MOST_PROGRAMS)
        for found in (self.at_edges(), *self.other_divisors(), self.negative_places()):
            if found is not None:
                yield found
        for turn in range(3):
            yield self.edges(turn)
        large = self.large_indices()
        if large is not None:
            yield large
        if self.uses.indices or any(not p.is_memory for p in self.known):
            yield from map(self.draw, _ALIKE)
        if not self.calm and any(p.info.pointee and p.info.pointee.is_float for p in self.known):
            yield self.draw(_FEW)
            yield self.draw(_SMALL)
            yield from self.one_rare(turns)
        if self.has_free_numbers and default_launch(self.function)[0] == (1, 1, 1):
            for seed in range(_MANY * turns):
                contents = Contents(seed=20 + seed, rare=24 * (seed & 1))
                yield self.draw(_Plan("other numbers", 1.0, 3, contents))

    @property
    def has_free_numbers(self) -> bool:
        """Whether some number only goes into values."""
        return any(not p.is_memory and self.uses.is_free(p.index) for p in self.known)

    def draw(self, plan: _Plan) -> Draw:
        """Return the launch of a plan."""
        found = self._drawn.get(plan)
        if found is None:
            found = self._drawn[plan] = self._draw(plan)
        return found

    def plain(self) -> Draw:
        """Return a launch of medium sizes with positive numbers in memory."""
        return self.draw(_PLAIN)

    def _draw(self, plan: _Plan) -> Draw:
        grid, programs = default_launch(self.function)
        values = tuple(self.given.get(p.index, self._value(plan, p)) for p in self.known)
        return Draw(plan.name, values, grid, programs)

    def _value(self, plan: _Plan, parameter: Parameter) -> Any:
        if parameter.is_memory:
            return Endless(self._contents(plan, parameter.index))
        place = self.places.get(parameter.index, parameter.index)
        if parameter.info.scalar.is_float:
            pool = self._floats(plan)
            return PerProgram(tuple(_chosen(pool, plan, place, k) for k in range(11)))
        if self.uses.is_free(parameter.index) and parameter.info.scalar.width > 1:
            return self._free(plan, parameter, place)
        return self._integer(plan, parameter, place)

    def _contents(self, plan: _Plan, index: int) -> Contents:
        if index in self.uses.counts:
            return plan.contents.steering(min(plan.indices, 4))
        if index in self.uses.indices:
            return plan.contents.steering(plan.indices, -5 if plan.indices > 16 else 0)
        if self.calm:
            return replace(plan.contents, free=True, rare=0)
        return replace(plan.contents, free=True, near=self.near)

    def _floats(self, plan: _Plan) -> tuple[float, ...]:
        """Return numbers for a float that is an argument, an odd number of them."""
        if self.calm or plan.contents.positive:
            return (0.6875, 0.5, 1.0, 2.0, 1.75)
        usual = (-1.75, 0.6875, 3.0, 1.0, 0.5, 0.0, 2.0)
        return (*_RARE_FLOATS, *usual[2:6]) if plan.contents.rare > 16 else usual

    def _free(self, plan: _Plan, parameter: Parameter, place: int) -> PerProgram:
        """
        Return numbers that only go into values: of either sign, at limits, odd.

        Every third program is given equal numbers by equal types.
        """
        half = 1 << (parameter.info.scalar.width - 1)
        near = [int(c) + d for c in self.near if c == int(c) for d in (0, -1, 1)]
        pool = [n for n in (half - 1, -half, *_FREE, *near) if -half <= n < half]
        divisor = int(parameter.attributes.get("tt.divisibility") or 1)
        chosen = [_chosen(pool, plan, place, k) for k in range(11)]
        return PerProgram(tuple(n - n % divisor for n in chosen))

    def _integer(self, plan: _Plan, parameter: Parameter, place: int) -> int:
        divisor = int(parameter.attributes.get("tt.divisibility") or 1)
        width = parameter.info.scalar.width
        if width == 1:
            return (plan.odd + place) & 1
        gap = math.ceil(plan.apart * self.extent) + plan.skew if plan.scale else 0
        wanted = int(plan.scale * self.extent) + plan.odd + gap * place
        step = self.steps.get(parameter.index)
        if "stride" in parameter.name.lower():
            wanted = 8 * self.extent + (16 + plan.skew) * place + plan.odd
        elif step is not None:
            wanted = min(wanted, max(MOST_TRIPS, 4 * step) + plan.odd + plan.skew * place)
        wanted = -(-wanted // plan.multiples) * plan.multiples
        wanted = max(1, wanted)
        value = -(-wanted // divisor) * divisor
        return min(value, (1 << (width - 1)) - divisor)

    def edges(self, turn: int) -> Draw:
        """Return a launch with sizes of zero, one and less, in another order each turn."""
        base = self.draw(_EDGES)
        values = list(base.values)
        for parameter in self.known:
            k = parameter.index
            if parameter.is_memory or k in self.given or parameter.info.scalar.is_float:
                continue
            divisor = int(parameter.attributes.get("tt.divisibility") or 1)
            sizes = (0, -(2 * self.extent + 5) * divisor, divisor)
            keeps = self.uses.strides | self.uses.divisors
            if not self.uses.is_free(k) and k not in keeps and parameter.info.scalar.width > 1:
                values[k] = sizes[(self.places[k] + turn) % 3]
        return replace(base, values=tuple(values))

    def one_rare(self, turns: int) -> Iterator[Draw]:
        """Yield launches in which one argument in turn holds infinities and NaN, and no other."""
        base = self.draw(_PLAIN)
        floats = [p.index for p in self.known if p.info.pointee and p.info.pointee.is_float]
        plain: list[Any] = list(base.values)
        for k in floats:
            # No zeros among them: what they make of infinities would hide the rest.
            plain[k] = Endless(replace(plain[k].contents, free=False))
        for k in floats[: MOST_RARE * turns]:
            rare = Endless(replace(plain[k].contents, free=True, rare=128))
            name = f"{base.name}, {self.known[k].name} has others"
            yield replace(base, name=name, values=(*plain[:k], rare, *plain[k + 1 :]))

    def other_divisors(self) -> Iterator[Draw]:
        """Yield launches with negative divisors and with the largest ones, if numbers are some."""
        base = self.draw(_EDGES)
        chosen = [k for k in self.uses.divisors if k not in self.given and k in self.places]
        if not chosen:
            return
        negative, largest = list(base.values), list(base.values)
        for k in chosen:
            if isinstance(base.values[k], int):
                negative[k] = -abs(base.values[k])
                most = (1 << (self._width(k) - 1)) - 1
                largest[k] = most - most % self._divisor(k)
        for k in [k for k in chosen if k not in self.uses.loops][:MOST_TWOS]:
            values = list(self.draw(_PLANS[0]).values)
            values[k] = self.promised(k, 2)
            yield replace(base, name=f"{self.known[k].name} is small", values=tuple(values))
        yield replace(base, name="negative divisors", values=tuple(negative))
        yield replace(base, name="largest divisors", values=tuple(largest))

    def large_indices(self) -> Draw | None:
        """Return a launch in which data that feeds addresses needs more than 32 bits."""
        base, uses = self.draw(_PLANS[0]), self.uses
        values = list(base.values)
        others = {*uses.strides, *uses.bounds, *uses.loops, *uses.divisors, *self.given}
        for k in (uses.addresses - others) & self.places.keys():
            if self._width(k) == 64:
                values[k] = self.promised(k, 1 << 33)
        pointees = {k: self.known[k].info.pointee for k in uses.indices - uses.counts}
        wide = [k for k, of in pointees.items() if of is not None and of.name == "i64"]
        for k in wide:
            contents = values[k].contents
            values[k] = Endless(contents.steering(contents.integers, (1 << 31) + 3))
        return replace(base, name="large indices", values=tuple(values)) if wide else None

    def negative_places(self) -> Draw | None:
        """Return a launch in which numbers that only go into addresses are negative."""
        base, uses = self.draw(_EDGES), self.uses
        others = {*uses.bounds, *uses.loops, *uses.divisors, *self.steps, *self.given}
        chosen = ((uses.strides | uses.addresses) - others) & self.places.keys()
        values = list(base.values)
        for k in chosen:
            if isinstance(values[k], int) and self._width(k) > 1:
                values[k] = -abs(values[k])
        return replace(base, name="negative strides", values=tuple(values)) if chosen else None

    def at_edges(self) -> Draw | None:
        """Return a launch of programs whose blocks end at constants, with strides beyond 2³¹."""
        edges = edges_of_blocks(self.function)
        wide = {k for k in self.uses.strides & self.places.keys() if self._width(k) > 32}
        wide -= {*self.uses.loops, *self.steps, *self.given}
        if not (any(edges.values()) or wide) or lock_arguments(self.function):
            return None
        axes = [edges.get(axis) or ([0, 3] if axis in edges else [0]) for axis in range(3)]
        draws = [self._along(axes[:n] + [[0]] * (3 - n), wide) for n in (3, 2, 1)]
        different = tuple(dict.fromkeys(draws))
        return replace(different[0], smaller=different[1:])

    def _along(self, axes: list[list[int]], wide: set[int]) -> Draw:
        """Return a launch of programs at some places along each axis of the grid."""
        places: list[tuple[int, ...]] = []
        for k in range(max(map(len, axes))):
            for d, axis in enumerate(axes):
                # The largest first: what is left out is nearest to what other launches run.
                place = [0, 0, 0]
                place[d] = axis[-1 - min(k, len(axis) - 1)]
                places += [tuple(place)] if tuple(place) not in places else []
        # No two alike: one may be taken for the other.
        x, y, z = (max(axis) + 2 + d for d, axis in enumerate(axes))
        base = self.draw(_AT_EDGES)
        values = list(base.values)
        for k in (self.uses.bounds - self.uses.strides) & self.places.keys():
            if k not in self.given and k not in self.steps and self._width(k) >= 32:
                value = min(x * y * z * self.extent, 1 << 24) + 5 + 17 * self.places[k]
                values[k] = self.promised(k, value)
        for k in wide:
            values[k] = self.promised(k, (1 << 31) + 17 * self.places[k] + 1)
        chosen = places[:MOST_AT_EDGES]
        programs = tuple(sorted({a + x * (b + y * c) for a, b, c in chosen}))
        grid = (x, y, z)
        return replace(base, values=tuple(values), grid=grid, programs=programs, apart=True)

    def _width(self, k: int) -> int:
        return self.known[k].info.scalar.width

    def promised(self, k: int, value: int) -> int:
        """Return the next number that keeps what is promised of an argument's divisibility."""
        divisor = self._divisor(k)
        return -(-value // divisor) * divisor

    def _divisor(self, k: int) -> int:
        return int(self.known[k].attributes.get("tt.divisibility") or 1)

    def far(self) -> Iterator[Draw]:
        """
        Yield launches of programs far apart in a large grid, those with large offsets first.

        The first whose address arithmetic does not overflow is worth a comparison. There are
        none where sizes are given: they go with a grid that only the user knows.
        """
        axes = sorted(axes_used(self.function))
        fixed = self.given.keys() & (self.uses.bounds | self.uses.strides)
        if not axes or fixed or lock_arguments(self.function):
            return
        wide = self.uses.wide
        for size in _FAR_AWAY if wide else _FAR_AWAY[2:]:
            yield self._far(size, axes)

    def _far(self, size: int, axes: list[int], rows: int = 0) -> Draw:
        """Return a launch of so many programs along each axis that is multiplied with strides."""
        base = self.draw(_FAR)
        name = f"{base.name}, {'as many as can be' if rows else f'offsets to {size}'}"
        rows = rows or 1 + max((1 << 11) >> (len(axes) - 1), 64)
        stride = max(size // rows // self.extent, 1) if self.uses.strides else 1
        grid = [1, 1, 1]
        for axis in axes:
            many = rows if self.uses.strides or axis != axes[0] else size // self.extent
            grid[axis] = max(min(many + axis, _MOST_PROGRAMS if axis == 0 else 65535 - axis), 4)
        values = list(base.values)
        bound = max(grid) * self.extent
        for parameter in self.known:
            k, width = parameter.index, parameter.info.element and parameter.info.scalar.width
            if parameter.is_memory or k in self.given or parameter.info.scalar.is_float:
                continue
            divisor = int(parameter.attributes.get("tt.divisibility") or 1)
            place = self.places[k]
            if width is None or width < 32 or k in self.uses.loops or k in self.steps:
                continue
            most = (1 << (min(width, 62) - 1)) - 16
            if k in self.uses.strides:
                value = stride + 17 * place + 1
            elif k in self.uses.bounds:
                value = bound + 5 + 17 * place
            else:
                continue
            values[k] = min(-(-value // divisor) * divisor, most - most % divisor)
        x, y, z = grid
        far = ((x - 1, y - 1, z - 1), (x // 2 + 1, 0, z // 3), (3, y // 2, 1), (x // 5, y - 2, 0))
        places = {(min(a, x - 1), max(min(b, y - 1), 0), min(c, z - 1)) for a, b, c in far}
        programs = tuple(sorted(a + x * (b + y * c) for a, b, c in places))
        return replace(base, name=name, values=tuple(values), grid=(x, y, z), programs=programs)


def draws(
    function: Operation,
    known: list[Parameter],
    given: dict[int, Any] | None = None,
    calm: bool = False,
) -> Iterator[Draw]:
    """Yield launches as `Launches` draws them, the most telling first."""
    return Launches(function, known, given, calm).usual()


def edge_draws(
    function: Operation, known: list[Parameter], given: dict[int, Any] | None = None
) -> Iterator[Draw]:
    """Yield launches in which one integer argument is 0, 1, negative or near 2³¹."""
    base = Launches(function, known, given).draw(_PLANS[0])
    for k, parameter in enumerate(known):
        if parameter.is_memory or parameter.info.scalar.is_float or k in (given or {}):
            continue
        divisor = int(parameter.attributes.get("tt.divisibility") or 1)
        width = parameter.info.scalar.width
        for edge in (*EDGES, 1):
            if edge % divisor or not -(1 << (width - 1)) <= edge < 1 << (width - 1):
                continue
            values = list(base.values)
            values[k] = edge
            yield replace(base, name=f"{parameter.name} = {edge}", values=tuple(values))
