"""
Random kernels around products of blocks, as Triton IR.

Operands are loaded in rows or columns, with ends wrapped, masked or neither, from memory that is
dense or not, at places that programs have in common or not, narrowed, widened or computed with
first; in a loop along K, or none. The sum is followed by other products, sums of rows and what is
done to elements, and stored in rows or columns. Others are products of batches, of a block with
itself, and attention. All numbers are whole and small, or compared with a tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.e2e.lowering.random_numbers import Number
from tests.e2e.lowering.random_places import SIZE, Axis
from tests.e2e.lowering.random_reductions import ReductionWriter
from tests.e2e.lowering.random_writer import FLOATS

KINDS = (
    ("f32", "f32"), ("f32", "f32"), ("f16", "f32"), ("bf16", "f32"), ("i8", "i32"), ("f16", "f16"),
    ("f64", "f64"),
)  # fmt: skip
EXTENTS = (16, 16, 32, 32, 64, 128)


@dataclass(frozen=True)
class Style:
    """How an operand is loaded and what is done to it."""

    dense: bool
    """Whether elements along K are next to each other."""
    pad: int
    checked: bool
    """Whether there is a mask along K where none is needed."""
    stored: str
    computed: str
    turned: bool
    buffer: str
    factors: str
    """The buffer of what rows or columns are multiplied with, if any."""


class RandomProducts(ReductionWriter):
    """Writes one kernel; equal seeds write equal kernels."""

    def __init__(self, seed: int):
        super().__init__(seed)
        draw = self.draw
        self.special = self.alone = False
        while True:
            self.extents()
            m, n = (axis.width * axis.count for axis in self.axes)
            programs = m * n // (self.m * self.n)
            depth = self.k * max(self.turns, 1) + 16
            sizes = ((m + 16) * depth, (n + 16) * depth, (m + 4) * (n + 4))
            if max(*sizes, self.m * max(self.m, 64) * programs) <= SIZE:
                break
        self.flat = self.chance(0.6)
        """Whether the programs of both axes are numbered by one."""
        self.element, self.total = draw.choice(KINDS)
        self.outer: list[Axis] = []
        """Where operands are read along M and N; ends are wrapped or have masks."""

    def extents(self) -> None:
        draw = self.draw
        self.m, self.n, self.k = (draw.choice(EXTENTS) for _ in "mnk")
        if self.chance(0.15):
            self.m = draw.choice((1, 2, 4, 8))
        down, across = draw.randint(1, 3), draw.randint(1, 3)
        self.turns = draw.choice((0, 1, 1, 2, 3, 5))
        self.all_k = self.ragged(self.k, max(self.turns, 1))
        self.axes = [
            Axis(self.m, down, self.ragged(self.m, down), "x"),
            Axis(self.n, across, self.ragged(self.n, across), "y"),
        ]

    @property
    def grid(self) -> tuple[int, int, int]:
        m, n = (axis.count for axis in self.axes)
        return (m * n, 1, 1) if self.flat else (m, n, 1)

    def text(self) -> str:
        self.begin()
        way = self.draw.random()
        if way < 0.12:
            self.batches()
        elif way < 0.24:
            self.attention()
        elif way < 0.3:
            self.with_itself()
        else:
            total = self.summed() if self.turns else self.one_product(self.zero())
            for _ in range(self.draw.choice((0, 0, 1, 1, 2))):
                total = self.followed(total)
            self.finish(total)
        return "\n".join([self.head(), *self.lines, "  tt.return", "}"])

    # --- where the program is -----------------------------------------------------------

    def begin(self, x: Number | None = None) -> None:
        for k, number in enumerate(self.block_numbers()):
            axis = self.axes[k]
            start = self.arith("mul", number, self.constant(axis.width, (), "i32"))
            self.along(k, start)
            self.outer.append(self.wrapped_axis(axis) if self.chance(0.3) else axis)

    def block_numbers(self) -> tuple[Number, Number]:
        down, across = (axis.count for axis in self.axes)
        if not self.flat:
            x, y = (self.op(f"tt.get_program_id {name} : i32", (), "i32") for name in "xy")
            return x.within(0, down - 1), y.within(0, across - 1)
        program = self.op("tt.get_program_id x : i32", (), "i32", 0, down * across - 1)
        if self.chance(0.5):
            by = self.constant(across, (), "i32")
            return self.divided(program, by), self.remainder(program, by)
        by = self.constant(down, (), "i32")
        row, column = self.remainder(program, by), self.divided(program, by)
        return row, column

    def wrapped_axis(self, axis: Axis) -> Axis:
        at = self.remainder(axis.here, self.size(axis.whole))
        return Axis(axis.width, axis.count, axis.whole, axis.by, at)

    def zero(self) -> Number:
        return self.constant(0, (self.m, self.n), self.total)

    # --- operands -----------------------------------------------------------------------

    def style(self) -> Style:
        draw, stored = self.draw, self.element
        if self.element == "f32" and self.chance(0.2):
            stored = draw.choice(("f16", "bf16", "i8"))
        elif self.element in ("f16", "bf16") and self.chance(0.2):
            stored = draw.choice(("i8", "f32"))
        computed = draw.choice(("", "", "", "doubled", "scaled", "chosen"))
        factors = self.buffer("in", self.element) if computed == "scaled" else ""
        return Style(
            self.chance(0.5), draw.choice((0, 0, 3, 16)), self.chance(0.2), stored, computed,
            self.chance(0.1), self.buffer("in", stored), factors,
        )  # fmt: skip

    def numbers_of_k(self, axis: int, start: Number | None) -> Number:
        numbers = self.range(self.k)
        if start is not None:
            numbers = self.arith("add", start, numbers)
        return self.expanded(numbers, 1 - axis)

    def operand(self, style: Style, which: int, start: Number | None) -> Number:
        """Return the left (0) or right (1) operand of a step along K."""
        outer, inner = self.outer[which], self.numbers_of_k(1 - which, start)
        slow, fast = (outer.here, inner) if style.dense else (inner, outer.here)
        pitch = (self.all_k if style.dense else outer.whole) + style.pad
        place = self.arith("add", self.arith("mul", slow, self.size(pitch)), fast)
        masks = [outer.mask] if outer.mask is not None else []
        if self.all_k % self.k or style.checked:
            masks.append(self.compare("lt", inner, self.size(self.all_k)))
        value = self.loaded_at(style.buffer, place, masks)
        return self.prepared(style, value, outer)

    def prepared(self, style: Style, value: Number, outer: Axis) -> Number:
        """Return what is multiplied of what was loaded."""
        value = self.converted(value, self.element)
        match style.computed:
            case "doubled":
                value = self.arith("add", value, value)
            case "chosen":
                positive = self.compare("gt", value, self.number(0, value))
                value = self.select(positive, value, self.number(0, value))
            case "scaled":
                kept = [outer.mask] if outer.mask is not None else []
                factor = self.loaded_at(style.factors, outer.here, kept)
                value = self.arith("mul", value, factor)
            case _:
                pass
        if style.turned:
            value = self.transposed(self.transposed(value, (1, 0)), (1, 0))
        return value

    def loaded_at(self, buffer: str, place: Number, masks: list[Number]) -> Number:
        """Load behind just these masks."""
        total = self.all_of(masks)
        if total is not None:
            place, total = self.alike(place, total)
        pointers, kind = self.pointers(buffer, place)
        element = self.parameters[buffer]
        if total is not None:
            pointers += f", {total.name}, {self.constant(0, place.shape, element).name}"
        return self.op(f"tt.load {pointers} : {kind}", place.shape, element, -3, 3)

    def dense(self, element: str, rows: Axis, columns: Axis) -> Number:
        """Load a block of a buffer of its own, in rows or columns."""
        slow, fast = (rows, columns) if self.chance(0.6) else (columns, rows)
        place = self.arith("mul", slow.here, self.size(fast.whole))
        masks = [axis.mask for axis in (rows, columns) if axis.mask is not None]
        place = self.arith("add", place, fast.here)
        return self.loaded_at(self.buffer("in", element), place, masks)

    def whole_axis(self, extent: int, axis: int) -> Axis:
        return Axis(extent, 1, extent, "", self.expanded(self.range(extent), 1 - axis))

    # --- products -----------------------------------------------------------------------

    def product(self, a: Number, b: Number, c: Number) -> Number:
        kinds = f"{a.type} * {b.type} -> {c.type}"
        text = f"tt.dot {a.name}, {b.name}, {c.name} : {kinds}"
        most = a.largest * b.largest * a.shape[-1] + c.largest
        return self.op(text, c.shape, c.element, -most, most)

    def one_product(self, c: Number) -> Number:
        a, b = (self.operand(self.style(), which, None) for which in (0, 1))
        return self.product(a, b, c)

    def summed(self) -> Number:
        """Add products up in a loop along K."""
        styles, start = (self.style(), self.style()), self.zero()
        low, step = self.constant(0, (), "i32"), self.constant(self.k, (), "i32")
        top = self.size(self.all_k)
        if self.chance(0.35):
            return self.summed_by_pointers(styles, start, (low, top, step))
        result, number, argument = self.name(), self.name(), self.name()
        self.line(f"{result} = scf.for {number} = {low.name} to {top.name} step {step.name} "
                  f"iter_args({argument} = {start.name}) -> ({start.type}) : i32 {{")  # fmt: skip
        self.depth += 1
        at = Number(number, (), "i32", 0, self.k * (self.turns - 1))
        a, b = (self.operand(style, which, at) for which, style in enumerate(styles))
        carried = Number(argument, start.shape, start.element)
        if self.chance(0.2):
            zero = self.number(0, start)
            total = self.arith("add", carried, self.product(a, b, zero))
        else:
            total = self.product(a, b, carried)
        self.line(f"scf.yield {total.name} : {total.type}")
        self.depth -= 1
        self.line("}")
        most = self.turns * total.largest
        return Number(result, start.shape, start.element, -most, most)

    def summed_by_pointers(
        self, styles: tuple[Style, Style], start: Number, bounds: tuple[Number, Number, Number]
    ) -> Number:
        """Add products up in a loop that moves pointers along K."""
        low, top, step = bounds
        moving = [self.first_pointers(style, which) for which, style in enumerate(styles)]
        result, number, base = self.name(), self.name(), self.name()
        names = [f"{base}_{k}" for k in range(3)]
        pairs = zip(names, (start.name, *(name for name, _, _ in moving)), strict=True)
        kinds = ", ".join((start.type, *(kind for _, kind, _ in moving)))
        self.line(f"{result}:3 = scf.for {number} = {low.name} to {top.name} step {step.name} "
                  f"iter_args({', '.join(f'{a} = {b}' for a, b in pairs)}) -> ({kinds}) : i32 {{")  # fmt: skip
        self.depth += 1
        left = self.arith("sub", top, Number(number, (), "i32", 0, top.high))
        a, b = (
            self.operand_by_pointers(style, which, (name, kind), left)
            for which, (style, name, (_, kind, _)) in enumerate(
                zip(styles, names[1:], moving, strict=True)
            )
        )
        total = self.product(a, b, Number(names[0], start.shape, start.element))
        moved = [total.name]
        for name, (_, kind, pitch) in zip(names[1:], moving, strict=True):
            shape = (self.m, self.k) if name is names[1] else (self.k, self.n)
            by = self.to(self.arith("mul", self.constant(self.k, (), "i32"), pitch), shape)
            text = f"tt.addptr {name}, {by.name} : {kind}, {by.type}"
            moved.append(self.op(text, shape, "").name)
        self.line(f"scf.yield {', '.join(moved)} : {kinds}")
        self.depth -= 1
        self.line("}")
        most = self.turns * total.largest
        return Number(f"{result}#0", start.shape, start.element, -most, most)

    def first_pointers(self, style: Style, which: int) -> tuple[str, str, Number]:
        """Return pointers for the first step, their type, and the pitch along K."""
        outer, inner = self.outer[which], self.numbers_of_k(1 - which, None)
        slow, fast = (outer.here, inner) if style.dense else (inner, outer.here)
        pitch = self.size((self.all_k if style.dense else outer.whole) + style.pad)
        place = self.arith("add", self.arith("mul", slow, pitch), fast)
        pitch = self.constant(1, (), "i32") if style.dense else pitch
        return *self.pointers(style.buffer, place), pitch

    def operand_by_pointers(
        self, style: Style, which: int, pointers: tuple[str, str], left: Number
    ) -> Number:
        """Load an operand where so many elements along K are left."""
        outer, inner = self.outer[which], self.numbers_of_k(1 - which, None)
        masks = [outer.mask] if outer.mask is not None else []
        if self.all_k % self.k or style.checked:
            masks.append(self.compare("lt", inner, left))
        shape = (self.m, self.k) if which == 0 else (self.k, self.n)
        total, (operands, kind) = self.all_of(masks), pointers
        if total is not None:
            other = self.constant(0, shape, style.stored)
            operands += f", {self.to(total, shape).name}, {other.name}"
        value = self.op(f"tt.load {operands} : {kind}", shape, style.stored, -3, 3)
        return self.prepared(style, value, outer)

    def with_itself(self) -> None:
        """Multiply a block with its transpose, or two blocks both ways around."""
        a = self.operand(self.style(), 0, None)
        square = self.constant(0, (self.m, self.m), self.total)
        total = self.product(a, self.transposed(a, (1, 0)), square)
        if self.chance(0.5):
            b = self.operand(self.style(), 0, None)
            total = self.product(b, self.transposed(a, (1, 0)), total)
        self.side("out", self.reshaped(total, (self.m * self.m,)))

    def batches(self) -> None:
        """Multiply several blocks at once."""
        count, element = self.draw.choice((1, 2, 4)), self.element
        m, n, k = min(self.m, 32), min(self.n, 32), min(self.k, 32)
        a, b = (self.batch(element, (count, *s)) for s in ((m, k), (k, n)))
        zero = self.constant(0, (count, m, n), self.total)
        total = self.product(a, b, zero)
        if self.chance(0.3):
            total = self.arith("add", total, self.number(1, total))
        if self.chance(0.3):
            total = self.expanded(self.reshaped(self.reduced(total, 0), (m, n)), 0)
        size = total.shape[0] * m * n
        self.side("out", self.reshaped(total, (size,)))

    def batch(self, element: str, shape: tuple[int, int, int]) -> Number:
        pitches = [shape[1] * shape[2], shape[2], 1]
        if self.chance(0.3):
            pitches = [shape[1] * shape[2], 1, shape[1]]
        if self.chance(0.2):
            pitches = [shape[2], shape[0] * shape[2], 1]
        total = None
        for axis, (extent, pitch) in enumerate(zip(shape, pitches, strict=True)):
            numbers = self.range(extent)
            for other in range(3):
                numbers = numbers if other == axis else self.expanded(numbers, other)
            part = self.arith("mul", numbers, self.constant(pitch, (), "i32"))
            total = part if total is None else self.arith("add", total, part)
        assert total is not None
        return self.loaded_at(self.buffer("in", element), total, [])

    # --- attention ----------------------------------------------------------------------

    def attention(self) -> None:
        """Products, a softmax over keys in a loop or at once, and products with it."""
        self.element = self.draw.choice(("f32", "f16", "bf16"))
        self.total = "f32"
        depth = self.whole_axis(self.draw.choice((16, 32, 64)), 1)
        down = self.whole_axis(depth.whole, 0)
        query = self.converted(self.dense(self.element, self.axes[0], depth), self.element)
        keys = self.draw.choice((1, 2, 3))
        low, step = self.constant(0, (), "i32"), self.constant(self.n, (), "i32")
        top = self.size(self.n * keys - self.draw.choice((0, 0, 3)))
        state = [
            self.constant(-100, (self.m,), "f32"), self.constant(0, (self.m,), "f32"),
            self.constant(0, (self.m, depth.whole), "f32"),
        ]  # fmt: skip
        result, number, base = self.name(), self.name(), self.name()
        names = [f"{base}_{k}" for k in range(3)]
        pairs = ", ".join(f"{n} = {s.name}" for n, s in zip(names, state, strict=True))
        kinds = ", ".join(s.type for s in state)
        self.line(f"{result}:3 = scf.for {number} = {low.name} to {top.name} step {step.name} "
                  f"iter_args({pairs}) -> ({kinds}) : i32 {{")  # fmt: skip
        self.depth += 1
        at = self.arith(
            "add", Number(number, (), "i32", 0, self.n * (keys - 1)), self.range(self.n)
        )
        carried = [Number(n, s.shape, "f32") for n, s in zip(names, state, strict=True)]
        yielded = self.attention_step(query, at, top, (depth, down), carried)
        self.line(f"scf.yield {', '.join(y.name for y in yielded)} : {kinds}")
        self.depth -= 1
        self.line("}")
        total = Number(f"{result}#1", (self.m,), "f32")
        sums = Number(f"{result}#2", (self.m, depth.whole), "f32")
        total, sums = self.alike(self.expanded(total, 1), sums)
        text = f"arith.divf {sums.name}, {total.name} : {sums.type}"
        place = self.arith("mul", self.axes[0].here, self.constant(depth.whole, (), "i32"))
        place = self.arith("add", place, depth.here)
        masks = [m for m in (self.axes[0].mask,) if m is not None]
        found = self.op(text, sums.shape, "f32", -3, 3)
        if self.axes[1].count == 1:
            self.write("tt.store", self.buffer("near", "f32"), place, found, masks)
            return
        flat = self.reshaped(found, (self.m * depth.whole,))
        self.side("near", flat)

    def attention_step(
        self, query: Number, at: Number, top: Number, depths: tuple[Axis, Axis],
        carried: list[Number],
    ) -> list[Number]:  # fmt: skip
        """Return the greatest scores, the sums of powers, and of values, after some more keys."""
        depth, down = depths
        greatest, total, sums = carried
        columns = Axis(self.n, 1, self.n, "", self.expanded(at, 0))
        columns.whole, columns.mask = at.high + 1, self.compare("lt", columns.here, top)
        rows = Axis(self.n, 1, at.high + 1, "", self.expanded(at, 1))
        rows.mask = self.compare("lt", rows.here, top)
        key = self.dense(self.element, down, columns)
        scores = self.product(query, key, self.constant(0, (self.m, self.n), "f32"))
        factor = self.constant(1, (), "f32")
        factor = self.op("arith.constant 0.0625 : f32", (), "f32", 0, 1)
        scores = self.arith("mul", scores, self.to(factor, scores.shape))
        keep = columns.mask
        if self.chance(0.4):
            keep = self.all_of([keep, self.compare("ge", self.axes[0].here, columns.here)])
        assert keep is not None
        scores = self.select(keep, scores, self.number(-100, scores))
        most = self.flat_reduced(scores, "max")
        greatest_now = self.arith("max", greatest, most)
        scores = self.arith("sub", scores, self.expanded(greatest_now, 1))
        power = self.op(f"math.exp {scores.name} : {scores.type}", scores.shape, "f32", 0, 1)
        change = self.arith("sub", greatest, greatest_now)
        change = self.op(f"math.exp {change.name} : {change.type}", change.shape, "f32", 0, 1)
        total = self.arith("add", self.arith("mul", total, change), self.flat_reduced(power, "add"))
        sums = self.arith("mul", sums, self.expanded(change, 1))
        value = self.dense(self.element, rows, depth)
        sums = self.product(self.converted(power, self.element), value, sums)
        return [greatest_now, total, sums]

    def flat_reduced(self, value: Number, kind: str) -> Number:
        return self.reshaped(self.reduced(value, 1, kind), (value.shape[0],))

    # --- behind it ----------------------------------------------------------------------

    def followed(self, total: Number) -> Number:
        """Return what comes of a product: with something added, compared, or multiplied again."""
        total = self.at_most(total, 1 << 9) if total.element == "f16" else total
        match self.draw.choice(("bias", "rest", "largest", "rows", "again", "turned", "scan")):
            case "bias":
                axis = self.draw.choice((*self.axes, self.axes[1]))
                masks = [m for m in (axis.mask,) if m is not None]
                bias = self.loaded_at(self.buffer("in", total.element), axis.here, masks)
                return self.arith("add", total, bias)
            case "rest":
                return self.arith("add", total, self.dense(total.element, *self.axes))
            case "largest":
                return self.arith("min", total, self.number(7, total))
            case "rows":
                axis = self.draw.choice((0, 1))
                return self.arith("sub", total, self.reduced(total, axis, "max"))
            case "scan":
                return self.scanned(self.kept_small(total), self.draw.choice((0, 1)))
            case "turned":
                turned = self.transposed(total, (1, 0))
                turned = self.arith("add", turned, self.number(1, turned))
                return self.transposed(turned, (1, 0))
            case _:
                return self.again(total)

    def again(self, total: Number) -> Number:
        """Multiply what there is with another block, small again, so that it is exact."""
        if total.element not in FLOATS:
            return total
        small = self.converted(self.kept_small(total, 2), self.element)
        square = (self.whole_axis(self.n, 0), self.whole_axis(self.n, 1))
        other = self.dense(self.element, *square)
        start = total if self.chance(0.3) else self.number(0, total)
        return self.product(small, other, start)

    def finish(self, total: Number) -> None:
        place, masks = self.own_place(self.axes)
        if self.chance(0.15) and total.element in ("f32", "i32"):
            op = "fadd" if total.element == "f32" else "add"
            self.write(
                f"tt.atomic_rmw {op}", self.buffer("sum", total.element), place, total, masks
            )
            return
        element = (
            self.draw.choice(("f32", "f16", "bf16")) if total.element == "f32" else total.element
        )
        value = (
            self.converted(total, element) if element == total.element else self.cut(total, element)
        )
        self.write("tt.store", self.buffer("out", element), place, value, masks)

    def cut(self, value: Number, element: str) -> Number:
        """Return a number in a narrower type, rounded, as it is at the end of a kernel."""
        return self.converted(value.within(0, 0), element)
