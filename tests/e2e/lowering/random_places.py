"""
Places in buffers, as random kernels compute them.

The axes of a block are divided among programs, gone over in a loop, or whole. Places are sums of
the numbers along them, multiplied, divided, wrapped, clamped, reflected, flipped or chosen.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.e2e.lowering.random_numbers import Number, NumberWriter
from tests.e2e.lowering.random_writer import Shape

SIZE = 1 << 16
"""Elements of a buffer."""
STORED = 1 << 15
"""The most elements that all programs together have."""
FACTORS = (2, 3, 4, 5, 7, 8, 16, 28, 32, 61, 64, 96, 128, 224, 256)
OPS = ("times", "times", "plus", "quotient", "wrapped", "clamped", "reflected", "chosen", "flipped")


@dataclass
class Axis:
    """One axis of the blocks: `count` blocks of extent `width` make up `whole` or a bit more."""

    width: int
    count: int
    whole: int
    by: str
    """What numbers the blocks: "x" or "y" for programs, "loop", or "" where there is one."""
    at: Number | None = None
    """The numbers along it; none outside of the loop over it."""
    mask: Number | None = None
    start: Number | None = None

    @property
    def here(self) -> Number:
        assert self.at is not None
        return self.at


class PlaceWriter(NumberWriter):
    """Writes places."""

    axes: list[Axis]

    def __init__(self, seed: int):
        super().__init__(seed)
        self.parameters: dict[str, str] = {}
        """The type of each parameter; buffers come with their elements' type."""
        self.sizes: dict[str, int] = {}
        """What is given for parameters that are numbers."""

    @property
    def shape(self) -> Shape:
        return tuple(axis.width for axis in self.axes)

    @property
    def grid(self) -> tuple[int, int, int]:
        counts = {axis.by: axis.count for axis in self.axes}
        return counts.get("x", 1), counts.get("y", 1), 1

    def head(self) -> str:
        kinds = [
            f"%{n}: {e} {{tt.divisibility = 16 : i32}}"
            if n in self.sizes and self.sizes[n] % 16 == 0
            else f"%{n}: {e}" if n in self.sizes else f"%{n}: !tt.ptr<{e}>"
            for n, e in self.parameters.items()
        ]  # fmt: skip
        return f"tt.func public @kernel({', '.join(kinds)}) {{"

    # --- axes ---------------------------------------------------------------------------

    def ragged(self, width: int, count: int) -> int:
        """Return how much there is in so many blocks, of which the last may be partly empty."""
        if self.chance(0.4):
            return width * count
        return self.draw.randint(width * (count - 1) + 1, width * count)

    def size(self, value: int) -> Number:
        """Return a scalar, constant or given."""
        for name, known in self.sizes.items():
            if known == value and self.parameters[name] == "i32" and self.chance(0.8):
                return Number(f"%{name}", (), "i32", value, value)
        if self.chance(0.6):
            return self.constant(value, (), "i32")
        name = f"size{len(self.parameters)}"
        self.parameters[name], self.sizes[name] = "i32", value
        return Number(f"%{name}", (), "i32", value, value)

    def along(self, k: int, start: Number | None) -> None:
        """Write the numbers along an axis from `start` on."""
        axis = self.axes[k]
        axis.start, numbers = start, self.range(axis.width)
        numbers = numbers if self.chance(0.3) else self.thin(numbers, k)
        if start is not None:
            numbers = self.arith("add", start, numbers)
        axis.at = self.thin(numbers, k)
        axis.mask = None
        if axis.whole != axis.width * axis.count or self.chance(0.1):
            axis.mask = self.compare("lt", axis.at, self.size(axis.whole))

    def thin(self, numbers: Number, k: int) -> Number:
        """Lay a row along an axis, once."""
        if len(numbers.shape) == 1:
            for other in range(len(self.axes)):
                numbers = numbers if other == k else self.expanded(numbers, other)
        return numbers

    def begin(self, x: Number | None = None) -> None:
        """Write where the program is along all axes but that of the loop; `x` is its block."""
        for k, axis in enumerate(self.axes):
            if axis.by in ("x", "y"):
                text = f"tt.get_program_id {axis.by} : i32"
                number = x if axis.by == "x" else None
                number = number or self.op(text, (), "i32", 0, axis.count - 1)
                self.along(k, self.arith("mul", number, self.constant(axis.width, (), "i32")))
            elif not axis.by:
                self.along(k, None)

    def here(self) -> list[Axis]:
        """Return the axes along which there are numbers."""
        return [axis for axis in self.axes if axis.at is not None]

    def masks(self) -> list[Number]:
        return [axis.mask for axis in self.axes if axis.mask is not None]

    # --- places -------------------------------------------------------------------------

    def place(self) -> Number:
        """Return some number made of those along the axes."""
        axes = self.here()
        parts = [
            self.changed(axis.here)
            for axis in axes
            for _ in range(self.draw.choice((0, 1, 1, 1, 2)))
        ] or [self.draw.choice(axes).here]
        total = parts[0]
        for part in parts[1:]:
            total = self.arith("add", total, part)
        for _ in range(self.draw.choice((0, 0, 0, 1, 2))):
            total = self.changed(total)
        return total

    def changed(self, value: Number) -> Number:
        for _ in range(self.draw.choice((0, 1, 1, 2))):
            value = getattr(self, self.draw.choice(OPS))(value)
        return value

    def some(self) -> int:
        return self.draw.choice(FACTORS)

    def by(self, value: Number) -> Number:
        """Return a number to multiply or divide by: a constant, or the size of an axis."""
        axis = self.draw.choice(self.axes)
        if self.chance(0.4) and value.element == "i32":
            return self.size(axis.whole)
        return self.number(self.draw.choice((self.some(), self.some(), axis.width)), value)

    def times(self, value: Number) -> Number:
        factor = self.by(value)
        return self.arith("mul", value, factor) if value.largest * factor.high < 1 << 24 else value

    def plus(self, value: Number) -> Number:
        other = self.draw.choice((1, -1, 2, -2, self.some(), -self.some()))
        return self.arith("add", value, self.number(other, value))

    def quotient(self, value: Number) -> Number:
        return self.divided(value, self.by(value))

    def wrapped(self, value: Number) -> Number:
        return self.remainder(value, self.by(value))

    def clamped(self, value: Number) -> Number:
        for kind in ("min", "max"):
            if self.chance(0.6):
                value = self.arith(kind, value, self.number(self.between(value), value))
        return value

    def between(self, value: Number) -> int:
        return self.draw.randint(value.low, value.high)

    def reflected(self, value: Number) -> Number:
        moved = self.arith("sub", value, self.number(self.between(value), value))
        text = f"math.absi {moved.name} : {moved.type}"
        size = self.op(text, moved.shape, moved.element, 0, moved.largest)
        return self.flipped(size) if self.chance(0.5) else size

    def chosen(self, value: Number) -> Number:
        predicate = self.draw.choice(("lt", "ge", "gt", "eq"))
        condition = self.compare(predicate, value, self.number(self.between(value), value))
        other = self.plus(value) if self.chance(0.7) else self.number(self.some(), value)
        return self.select(condition, value, other)

    def flipped(self, value: Number) -> Number:
        top = value.high if self.chance(0.5) else self.some()
        return self.arith("sub", self.number(top, value), value)

    def inside(self, place: Number) -> tuple[Number, list[Number]]:
        """Return a place in a buffer, and masks that keep it there."""
        if place.low >= 0 and place.high < SIZE:
            return place, []
        way = self.draw.random()
        if way < 0.25:
            place = self.arith("max", place, self.number(0, place))
            return self.arith("min", place, self.number(SIZE - 1, place)), []
        if way < 0.5:
            by = self.number(self.draw.choice((SIZE // 2, 100, 1000, 777)), place)
            place = self.remainder(place, by)
            return self.arith("add", place, by) if place.low < 0 else place, []
        masks: list[Number] = []
        if place.low < 0:
            masks.append(self.compare("ge", place, self.number(0, place)))
        if place.high >= SIZE:
            top = self.draw.choice((SIZE, 1000, 5000))
            masks.append(self.compare("lt", place, self.number(top, place)))
        return place, masks

    def own_place(self, axes: list[Axis]) -> tuple[Number, list[Number]]:
        """Return a place that no other element along these axes has, where the masks hold."""
        order = axes[::-1]
        if self.chance(0.4):
            self.draw.shuffle(order)
        pad = self.draw.choice((0, 0, 3))
        total, pitch = self.mixed(order[0]), order[0].whole + pad
        for axis in order[1:]:
            part = self.mixed(axis)
            part = self.arith("mul", part, self.size(pitch))
            pitch *= axis.whole
            total = (
                self.arith("add", part, total)
                if self.chance(0.7)
                else self.arith("add", total, part)
            )
        return total, [axis.mask for axis in axes if axis.mask is not None]

    def mixed(self, axis: Axis) -> Number:
        """Return the numbers along an axis, at times in another order."""
        way, at = self.draw.random(), axis.here
        if way < 0.1:
            return self.arith("sub", self.number(axis.whole - 1, at), at)
        if way < 0.2 and axis.whole % 2 == 0:
            half = self.number(axis.whole // 2, at)
            first, rest = self.divided(at, half), self.remainder(at, half)
            return self.arith("add", self.arith("mul", rest, self.number(2, rest)), first)
        return at
