"""
Random kernels that move blocks, as Triton IR.

They are built as Inductor's are: blocks of one to three dimensions, axes divided among programs
and others whole or gone over in a loop, and masks of each kind. What is loaded, from places of
each kind, is computed with, summed, scanned, turned, and stored to places of its own, in rows or
columns, or added to places that others add to. All numbers are whole and small enough that every
sum is exact, in whatever order; what is not is stored to buffers that are compared with a tolerance.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from tests.e2e.lowering.random_numbers import LIMITS, Number
from tests.e2e.lowering.random_places import SIZE, STORED, Axis
from tests.e2e.lowering.random_reductions import ReductionWriter
from tests.e2e.lowering.random_writer import FLOATS, type_of

EXTENTS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)
WAYS: dict[int, tuple[tuple[str, ...], ...]] = {
    1: (("x",),),
    2: (("x", ""), ("x", ""), ("x", "loop"), ("y", "x"), ("x", "y")),
    3: (("y", "x", ""), ("x", "y", "loop"), ("x", "", ""), ("y", "x", "loop")),
}
"""What numbers the blocks along each axis, by rank."""


class RandomBlocks(ReductionWriter):
    """Writes one kernel; equal seeds write equal kernels."""

    def __init__(self, seed: int):
        super().__init__(seed)
        self.special = self.chance(0.12)
        """Whether buffers hold infinities, and what is no number."""
        self.alone = self.chance(0.35)
        """One program, which may read what it has written, and write what it reads."""
        rank = self.draw.choice((1, 2, 2, 2, 2, 3))
        ways = [*self.draw.choice(WAYS[rank])]
        if self.chance(0.15):
            self.draw.shuffle(ways)
        self.axes = self.any_axes(ways)
        most = max((axis.count for axis in self.axes if axis.by == "x"), default=1)
        self.programs = self.draw.randint(1, most) if self.chance(0.15) else most
        """Along x; where there are fewer than blocks, each takes several, one after another."""

    @property
    def grid(self) -> tuple[int, int, int]:
        return self.programs, super().grid[1], 1

    def any_axes(self, ways: list[str]) -> list[Axis]:
        most = self.draw.choice((4096, 4096, 4096, 4096, 8192))
        while True:
            axes = [self.any_axis(by) for by in ways]
            if (
                8 <= prod(a.width for a in axes) <= most
                and prod(a.whole + 4 for a in axes) <= STORED
            ):
                return axes

    def any_axis(self, by: str) -> Axis:
        width, most = self.draw.choice(EXTENTS), {"x": 5, "y": 3, "loop": 4, "": 1}[by]
        most = 40 if by == "x" and width < 64 and self.chance(0.2) else most
        count = 1 if self.alone and by != "loop" else self.draw.randint(1, most)
        return Axis(width, count, self.ragged(width, count), by)

    def text(self) -> str:
        if self.programs == super().grid[0]:
            self.begin()
            self.all_of_it()
        else:
            self.block_after_block()
        self.overlap()
        return "\n".join([self.head(), *self.lines, "  tt.return", "}"])

    def block_after_block(self) -> None:
        """Take block after block along x in a loop."""
        k = next(k for k, axis in enumerate(self.axes) if axis.by == "x")
        axis, number = self.axes[k], self.name()
        first = self.op("tt.get_program_id x : i32", (), "i32", 0, self.programs - 1)
        last, step = self.size(axis.count), self.size(self.programs)
        self.line(f"scf.for {number} = {first.name} to {last.name} step {step.name} : i32 {{")
        self.depth += 1
        self.begin(Number(number, (), "i32", 0, axis.count - 1))
        self.all_of_it()
        self.depth -= 1
        self.line("}")

    def all_of_it(self) -> None:
        if any(axis.by == "loop" for axis in self.axes):
            self.in_loops()
        else:
            self.body(self.draw.randint(3, 9))
            self.ends()

    # --- statements ---------------------------------------------------------------------

    def body(self, count: int) -> None:
        self.more()
        kinds: dict[Callable[[], object], int] = {
            self.more: 4, self.compute: 5, self.reduce: 3, self.scan: 1, self.turned: 1,
            self.paired: 1, self.between_stores: 2 if self.alone else 0, self.cast: 1,
            self.described: 1, self.whiled: 1, self.partners: 1, self.either_buffer: 1, self.scalar: 1, self.branch: 1, self.inner_loop: 1, self.gathered: 1, self.exchange: 1,
        }  # fmt: skip
        for kind in self.draw.choices([*kinds], [*kinds.values()], k=count):
            kind()

    def more(self) -> None:
        self.values.append(self.loaded())

    def between_stores(self) -> None:
        self.store(self.draw.choice(self.values[-3:]))

    def ends(self) -> None:
        for _ in range(self.draw.choice((1, 1, 2))):
            way = self.draw.random()
            if way < 0.2:
                self.add_to_places()
            elif way < 0.3:
                self.aside()
            elif way < 0.4:
                self.nearly()
            else:
                self.store(self.draw.choice(self.values[-3:]))

    # --- computing ----------------------------------------------------------------------

    def compute(self) -> None:
        a, b = self.any(), self.any()
        b = self.converted(b, a.element)
        if a.is_integer and self.chance(0.4):
            self.values.append(self.bits(a, b))
            return
        kind = self.draw.choice(("add", "sub", "mul", "max", "min", "select"))
        if kind == "select":
            other = self.constant(self.draw.choice((0, 1, -3)), b.shape, b.element)
            condition = self.compare(self.draw.choice(("gt", "lt", "eq", "ne")), b, other)
            self.values.append(self.select(condition, a, b))
            return
        if kind in ("add", "sub", "mul"):
            most = int(LIMITS[a.element] ** 0.5) if kind == "mul" else LIMITS[a.element] // 2
            a, b = self.at_most(a, most), self.at_most(b, most)
        self.values.append(self.arith(kind, a, b))

    def bits(self, a: Number, b: Number) -> Number:
        """Return what an op on bits makes of integers."""
        name = self.draw.choice(("andi", "ori", "xori", "shli", "shrsi", "minui", "maxui", "divsi"))
        if name in ("minui", "maxui", "divsi"):
            a, b = (self.plain("andi", v, self.number(7, v), 0, 7) for v in (a, b))
            if name != "divsi":
                return self.plain(name, a, b, 0, 7)
            return self.plain(name, a, self.arith("add", b, self.number(1, b)), 0, 7)
        if name in ("shli", "shrsi"):
            a = self.at_most(a, LIMITS[a.element] // 8)
            least, most = (4 * a.low, 4 * a.high) if name == "shli" else (a.low, a.high)
            return self.plain(
                name, a, self.number(self.draw.choice((1, 2)), a), min(least, -1), max(most, 0)
            )
        most = (1 << max(a.largest, b.largest).bit_length()) - 1
        return self.plain(name, a, b, -most - 1, most)

    def cast(self) -> None:
        value = self.any()
        elements = ("f32", "f16", "bf16", "f64", "i8", "i16", "i32", "i64")
        kinds = [e for e in elements if value.is_integer or e in FLOATS or not self.special]
        self.values.append(self.converted(value, self.draw.choice(kinds)))

    def turned(self) -> None:
        """Turn a block and back, with something done between."""
        value = self.at_most(self.full(self.any()), 100)
        order = [*range(len(self.axes))]
        self.draw.shuffle(order)
        turned = self.transposed(value, order)
        more = self.arith("add", turned, self.number(1, turned))
        if self.chance(0.4):
            more = self.scanned(more, self.draw.randrange(len(order)))
        self.values.append(self.transposed(more, [order.index(k) for k in range(len(order))]))

    def paired(self) -> None:
        """Join two, and take them apart again, reshaped between."""
        a = self.at_most(self.full(self.any()), 100)
        b = self.converted(self.at_most(self.full(self.any()), 100), a.element)
        b = self.at_most(b, 100)
        shape = (*a.shape, 2)
        joined = self.op(
            f"tt.join {a.name}, {b.name} : {a.type} -> {Number('', shape, a.element).type}",
            shape, a.element, min(a.low, b.low), max(a.high, b.high),
        )  # fmt: skip
        flat = self.reshaped(joined, (*a.shape[:-1], a.shape[-1] * 2))
        apart = self.reshaped(self.arith("add", flat, self.number(1, flat)), shape)
        name = self.name()
        self.line(f"{name}:2 = tt.split {apart.name} : {apart.type} -> {a.type}")
        for k in range(2):
            self.values.append(Number(f"{name}#{k}", a.shape, a.element, apart.low, apart.high))

    def gathered(self) -> None:
        """Look elements of a block up in others along an axis."""
        value, axis = self.full(self.any()), self.draw.randrange(len(self.axes))
        place = self.to(self.place(), self.shape)
        if place.element == "i32" and place.high < 1 << 30:
            place = self.plain("andi", place, self.number(self.axes[axis].width - 1, place), 0, 1)
            kinds = f"({value.type}, {place.type}) -> {value.type}"
            text = f"tt.gather {value.name}[{place.name}] {{axis = {axis} : i32}} : {kinds}"
            self.values.append(self.op(text, self.shape, value.element, value.low, value.high))

    # --- scalars and control flow -------------------------------------------------------

    def scalar(self) -> None:
        """Load one number for the whole block."""
        element = self.draw.choice(("f32", "f32", "i32", "bf16"))
        buffer = self.buffer("in", element)
        pointer = f"%{buffer}"
        if numbers := [axis.start for axis in self.here() if axis.start is not None]:
            place, pointer = self.draw.choice(numbers), self.name()
            self.line(f"{pointer} = tt.addptr %{buffer}, {place.name} : !tt.ptr<{element}>, i32")
        value = self.read(self.op(f"tt.load {pointer} : !tt.ptr<{element}>", (), element, -3, 3))
        self.values.append(self.to(value, tuple(1 for _ in self.axes)))

    def condition(self) -> Number:
        """Return a scalar condition: of the program, or of what a buffer holds."""
        buffer = self.buffer("index_2", "i32")
        number = self.op(f"tt.load %{buffer} : !tt.ptr<i32>", (), "i32", -2, 1)
        if starts := [axis.start for axis in self.here() if axis.start is not None]:
            number = self.draw.choice((number, *starts))
        middle = self.constant(self.between(number), (), "i32")
        return self.compare(self.draw.choice(("lt", "ge", "eq")), number, middle)

    def branch(self) -> None:
        """Load, compute and store, perhaps, and have something else otherwise."""
        if self.depth > 3:
            return
        other, condition, name, before = self.any(), self.condition(), self.name(), [*self.values]
        self.line(f"{name} = scf.if {condition.name} -> ({other.type}) {{")
        self.depth += 1
        self.body(self.draw.randint(0, 2))
        if self.chance(0.3):
            self.store(self.any())
        fitting = [v for v in self.values if (v.shape, v.element) == (other.shape, other.element)]
        value = self.draw.choice(fitting[-3:])
        self.line(f"scf.yield {value.name} : {value.type}")
        self.depth -= 1
        self.line("} else {")
        self.values = [*before, other]
        self.depth += 1
        other = self.kept_small(other) if self.chance(0.4) else other
        self.line(f"scf.yield {other.name} : {other.type}")
        self.depth -= 1
        self.line("}")
        low, high = min(value.low, other.low), max(value.high, other.high)
        self.values = [*before, Number(name, other.shape, other.element, low, high)]

    def inner_loop(self) -> None:
        """Sum up what is loaded in a loop to a bound that a buffer holds."""
        if self.depth > 3:
            return
        bound = self.op(f"tt.load %{self.buffer('index_4', 'i32')} : !tt.ptr<i32>", (), "i32")
        bound = self.plain("andi", bound, self.number(3, bound), 0, 3)
        low, step = self.constant(0, (), "i32"), self.constant(1, (), "i32")
        start = self.constant(0, self.shape, "f32")
        result, carried, number = self.name(), self.name(), self.name()
        self.line(f"{result} = scf.for {number} = {low.name} to {bound.name} step {step.name} "
                  f"iter_args({carried} = {start.name}) -> ({start.type}) : i32 {{")  # fmt: skip
        self.depth += 1
        turn = Number(number, (), "i32", 0, 2)
        place = self.place()
        factor = self.number(self.some(), turn)
        place = self.arith("add", place, self.arith("mul", turn, factor))
        place, masks = self.inside(place)
        value = self.load(self.buffer("in", "f32"), place, masks, 0)
        value = self.full(value)
        total = self.arith("add", Number(carried, self.shape, "f32"), value)
        self.line(f"scf.yield {total.name} : {total.type}")
        self.depth -= 1
        self.line("}")
        self.values.append(Number(result, self.shape, "f32", -9, 9))

    def whiled(self) -> None:
        """Add to a block as long as a number that is loaded goes on."""
        if self.depth > 3:
            return
        value = self.at_most(self.full(self.any()), 20)
        bound = self.op(f"tt.load %{self.buffer('index_4', 'i32')} : !tt.ptr<i32>", (), "i32")
        result, kinds = self.name(), f"i32, {value.type}"
        n, block, m, other = (self.name() for _ in range(4))
        self.line(f"{result}:2 = scf.while ({n} = {bound.name}, {block} = {value.name}) : "
                  f"({kinds}) -> ({kinds}) {{")  # fmt: skip
        self.depth += 1
        zero = self.constant(0, (), "i32")
        goes_on = self.compare("gt", Number(n, (), "i32", -4, 3), zero)
        self.line(f"scf.condition({goes_on.name}) {n}, {block} : {kinds}")
        self.depth -= 1
        self.line("} do {")
        self.depth += 1
        self.line(f"^bb0({m}: i32, {other}: {value.type}):")
        left = self.arith("sub", Number(m, (), "i32", 1, 3), self.constant(1, (), "i32"))
        carried = Number(other, value.shape, value.element, -20, 20)
        addend = self.converted(self.at_most(self.any(), 20), value.element)
        more = self.kept_small(self.arith("add", carried, addend))
        self.line(f"scf.yield {left.name}, {more.name} : {kinds}")
        self.depth -= 1
        self.line("}")
        self.values.append(Number(f"{result}#1", value.shape, value.element, -20, 20))

    def partners(self) -> None:
        """Exchange neighbours as networks that sort do, and keep the smaller ones in front."""
        value = self.converted(self.at_most(self.full(self.any()), 100), "f32")
        flat = prod(self.shape)
        inner = self.draw.choice([n for n in (1, 2, 4, 16, 64) if 2 * n <= flat])
        pairs = self.reshaped(value, (flat // inner // 2, 2, inner))
        whole = type_of(pairs.shape, "i32")
        text = f"tt.bitcast {pairs.name} : {pairs.type} -> {whole}"
        bits = self.op(text, pairs.shape, "i32")
        name = self.name()
        rest = (pairs.shape[0], inner)
        self.line(f'{name} = "tt.reduce"({bits.name}) <{{axis = 1 : i32}}> ({{')
        self.region("reduce", "xori", "i32")
        self.line(f"}}) : ({whole}) -> {type_of(rest, 'i32')}")
        both = self.expanded(Number(name, rest, "i32"), 1)
        other = self.plain("xori", bits, both, 0, 0)
        text = f"tt.bitcast {other.name} : {whole} -> {pairs.type}"
        other = self.op(text, pairs.shape, "f32", value.low, value.high)
        place = self.expanded(self.expanded(self.range(2), 0), 2)
        second = self.compare("eq", place, self.number(1, place))
        least, most = (self.arith(kind, pairs, other) for kind in ("min", "max"))
        if self.chance(0.5):
            found = self.select(second, most, least)
        else:
            greater = self.converted(self.compare("gt", pairs, other), "i32")
            swaps = self.compare("ne", greater, self.converted(second, "i32"))
            found = self.select(swaps, other, pairs)
        self.values.append(self.reshaped(found, self.shape))

    def either_buffer(self) -> None:
        """Load from one of two buffers, as a scalar says."""
        element = self.draw.choice(("f32", "f16", "i32"))
        names = [self.buffer("in", element) for _ in range(2)]
        condition, kind = self.condition(), f"!tt.ptr<{element}>"
        one, other = (f"%{name}" for name in names)
        text = f"arith.select {condition.name}, {one}, {other} : {kind}"
        pointer = self.op(text, (), "").name
        place, masks = self.some_place()
        total = self.all_of([*self.masks(), *masks])
        if total is not None:
            place, total = self.alike(place, total)
        many = type_of(place.shape, kind)
        base = self.op(f"tt.splat {pointer} : {kind} -> {many}", place.shape, "")
        text = f"tt.addptr {base.name}, {place.name} : {many}, {place.type}"
        operands = self.op(text, place.shape, "").name
        if total is not None:
            operands += f", {total.name}, {self.constant(0, place.shape, element).name}"
        value = self.op(f"tt.load {operands} : {many}", place.shape, element, -3, 3)
        self.values.append(self.widened(self.read(value)))

    # --- loops over an axis -------------------------------------------------------------

    def in_loops(self) -> None:
        """Sum in a loop, and perhaps go over the axis again to store."""
        k = next(k for k, axis in enumerate(self.axes) if axis.by == "loop")
        if self.chance(0.8):
            self.summed(k)
        if not self.values or self.chance(0.6):
            before = [*self.values]
            self.loop_over(k, "")
            self.body(self.draw.randint(2, 5))
            self.ends()
            self.end_loop(k)
            self.values = before
        else:
            self.store(self.values[-1])

    def loop_over(self, k: int, result: str, carried: str = "") -> None:
        axis = self.axes[k]
        low, top = self.constant(0, (), "i32"), self.size(axis.whole)
        step, number = self.constant(axis.width, (), "i32"), self.name()
        bounds = f"{low.name} to {top.name} step {step.name}"
        self.line(f"{result}scf.for {number} = {bounds}{carried} : i32 {{")
        self.depth += 1
        start = Number(number, (), "i32", 0, (axis.count - 1) * axis.width)
        self.along(k, start)

    def end_loop(self, k: int) -> None:
        self.axes[k].at = self.axes[k].mask = self.axes[k].start = None
        self.depth -= 1
        self.line("}")

    def summed(self, k: int) -> None:
        """Combine all blocks along an axis: each reduced at once, or the sum of all."""
        kind, at_once = self.draw.choice(("add", "max")), self.chance(0.4)
        thin = tuple(1 if d == k else e for d, e in enumerate(self.shape))
        shape = thin if at_once else self.shape
        element = self.draw.choice(("f32", "f32", "f32", "i32", "i64", "f64"))
        element = "f32" if self.special else element
        start = self.constant(0 if kind == "add" else -100, shape, element)
        result, argument = self.name(), self.name()
        carried = f" iter_args({argument} = {start.name}) -> ({start.type})"
        self.loop_over(k, f"{result} = ", carried)
        self.body(self.draw.randint(1, 4))
        value = self.converted(self.full(self.any()), element)
        value = self.at_most(value, 60)
        kept = Number(argument, shape, element)
        if at_once:
            value = self.reduced(self.masked(value), k, kind)
            more = self.arith(kind, kept, self.kept_small(value))
        else:
            more = self.arith(kind, kept, value)
            mask = self.all_of(self.masks())
            if mask is not None and self.chance(0.8):
                more = self.select(mask, more, kept)
        self.line(f"scf.yield {more.name} : {more.type}")
        self.end_loop(k)
        total = Number(result, shape, element, -100, 60 * 4)
        if not at_once:
            total = self.reduced(self.kept_small(total) if self.chance(0.5) else total, k)
        self.values = [self.at_most(total, 100)]

    # --- places that are looked up ------------------------------------------------------

    def some_place(self) -> tuple[Number, list[Number]]:
        way = self.draw.random()
        if way < 0.2:
            return self.inside(self.looked_up())
        if way < 0.45:
            place, _ = self.own_place(self.here())
            tops = [axis.width * axis.count for axis in self.axes]
            # Without the masks the numbers go on; so does the place.
            most = max(place.high, 4 * prod(t + 4 for t in tops))
            place = place.within(min(place.low, -SIZE), most)
            return self.inside(place)
        return self.inside(self.place())

    def looked_up(self) -> Number:
        """Return a place that a buffer holds, plus numbers along an axis."""
        element = self.draw.choice(("i32", "i64"))
        axis = self.draw.choice(self.here())
        which, masks = self.inside(axis.here if self.chance(0.6) else self.place())
        if self.chance(0.25):
            return self.rows_looked_up(axis.here, element)
        count = self.draw.choice((7, 50, 50))
        index = self.load(self.buffer(f"index_{count}", element), which, masks, 0)
        index = index.within(-count, count - 1)
        if self.chance(0.5):
            moved = self.arith("add", index, self.number(count, index))
            negative = self.compare("lt", index, self.number(0, index))
            index = self.select(negative, moved, index).within(0, count - 1)
        else:
            index = self.plain("andi", index, self.number(63, index), 0, 63)
        other = self.draw.choice(self.here())
        if other is not axis or self.chance(0.3):
            stride = self.draw.choice((other.width, other.whole, 64, 100))
            index = self.arith("mul", index, self.number(stride, index))
            index = self.arith("add", index, self.converted(other.here, element))
        return index

    def rows_looked_up(self, at: Number, element: str) -> Number:
        """Return a place in a row whose number a buffer holds."""
        width = self.number(self.draw.choice((8, 16, 24, 32, 64)), at)
        row, column = self.divided(at, width), self.remainder(at, width)
        buffer = self.buffer("index_50", element)
        index = self.load(buffer, row, [], 0).within(-50, 49)
        index = self.plain("andi", index, self.number(31, index), 0, 31)
        index = self.arith("mul", index, self.number(width.high, index))
        return self.arith("add", index, self.converted(column, element))
