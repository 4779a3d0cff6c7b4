"""
Random kernels of tensors: loops and branches that carry them, products, accesses that alias.

Equal seeds write equal kernels. Loads and stores share three buffers, so that a pass that moves
one over another is found out; at the end some of all that was computed is stored elsewhere.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from xtriton.interpreter.arguments import Endless
from xtriton.interpreter.contents import Contents
from xtriton.judge.launches.draws import Draw

Shape = tuple[int, ...]

ELEMENTS = ("f32", "i32", "f16")
BUFFERS = ("p", "q", "s", "out")
SHAPES: tuple[Shape, ...] = ((16,), (32,), (16, 16), (16, 32), (32, 16), (32, 32), ())
MATRICES = SHAPES[2:6]
CONSTANTS = {
    "i32": ("0", "1", "2", "5", "16", "-3"),
    "f32": ("0.0", "1.0", "-2.5"),
    "f16": ("0.0", "0.5"),
}
COMBINING = {"f32": ("addf", "maxnumf", "minimumf"), "i32": ("addi", "maxsi", "xori")}
COMBINING["f16"] = COMBINING["f32"]
BINARY = {"f32": ("addf", "mulf", "subf", "maxnumf"), "i32": ("addi", "muli", "minsi", "xori")}
BINARY["f16"] = BINARY["f32"]


class Value(NamedTuple):
    name: str
    shape: Shape
    element: str

    @property
    def type(self) -> str:
        return type_of(self.shape, self.element)


def type_of(shape: Shape, element: str) -> str:
    return f"tensor<{'x'.join(map(str, shape))}x{element}>" if shape else element


def pointer_to(element: str) -> str:
    return f"!tt.ptr<{element}>"


class RandomProgram:
    """Writes one kernel."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.lines: list[str] = []
        self.values = [Value(f"%{name}", (), "i32") for name in ("pid", "n", "m")]
        self.values.append(Value("%c", (), "i1"))
        self.iterations: list[Value] = []
        self.distinct: set[str] = set()
        """Pointers that no two elements share."""
        self.count = self.places = 0

    def text(self) -> str:
        for _ in range(self.draw.randint(6, 12)):
            self.statement(0)
        results = [v for v in self.values if v.element in ELEMENTS]
        for value in self.draw.sample(results, min(5, len(results))):
            self.store(value, self.own_place(value))
        pointers = [f"%{b}{e}: {pointer_to(e)}" for b in BUFFERS for e in ELEMENTS]
        numbers = ["%n: i32 {tt.divisibility = 16 : i32}", "%m: i32", "%c: i1"]
        body = "\n".join(self.lines)
        return (
            f"tt.func public @kernel({', '.join([*pointers, *numbers])}) {{\n"
            f"%pid = tt.get_program_id x : i32\n{body}\ntt.return\n}}\n"
        )

    # --- values -------------------------------------------------------------------------

    def new(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def op(self, text: str, shape: Shape, element: str) -> Value:
        value = Value(self.new(), shape, element)
        self.lines.append(f"{value.name} = {text}")
        self.values.append(value)
        return value

    def chance(self, probability: float) -> bool:
        return self.draw.random() < probability

    def pick(self, shape: Shape, element: str, fresh: float = 0.15) -> Value:
        """Return a value that is there, the last ones more often than others, or a new one."""
        found = [v for v in self.values if (v.shape, v.element) == (shape, element)]
        if not found or self.chance(fresh):
            return self.make(shape, element)
        return self.draw.choice(found[-6:] if self.chance(0.6) else found)

    def constant(self, number: str | int, shape: Shape = (), element: str = "i32") -> Value:
        text = f"dense<{number}>" if shape else number
        return self.op(f"arith.constant {text} : {type_of(shape, element)}", shape, element)

    def make(self, shape: Shape, element: str) -> Value:
        if element.startswith("!"):
            return self.pointers(shape, element[len("!tt.ptr<") : -1])
        if element == "i1":
            a, b = self.pick(shape, "i32"), self.pick(shape, "i32")
            kind = self.draw.choice(("slt", "sge", "eq", "ne", "ult"))
            return self.op(f"arith.cmpi {kind}, {a.name}, {b.name} : {a.type}", shape, "i1")
        if element == "i32" and shape and self.chance(0.5):
            return self.along(shape, self.draw.randrange(len(shape)))
        if shape and self.chance(0.5):
            return self.load(shape, element)
        return self.constant(self.draw.choice(CONSTANTS[element]), shape, element)

    def along(self, shape: Shape, dim: int) -> Value:
        """Return numbers that grow along one dimension."""
        size = shape[dim]
        range_ = f"tt.make_range {{end = {size} : i32, start = 0 : i32}}"
        value = self.op(f"{range_} : {type_of((size,), 'i32')}", (size,), "i32")
        if len(shape) == 1:
            return value
        wide = (size, 1) if dim == 0 else (1, size)
        types = f"{value.type} -> {type_of(wide, 'i32')}"
        value = self.op(
            f"tt.expand_dims {value.name} {{axis = {1 - dim} : i32}} : {types}", wide, "i32"
        )
        types = f"{value.type} -> {type_of(shape, 'i32')}"
        return self.op(f"tt.broadcast {value.name} : {types}", shape, "i32")

    # --- memory -------------------------------------------------------------------------

    def offsets(self, shape: Shape) -> Value:
        """Return a number of its own for each element."""
        if len(shape) < 2:
            return self.along(shape, 0)
        dims = (0, 1) if self.chance(0.7) else (1, 0)
        slow, fast = (self.along(shape, dim) for dim in dims)
        width = self.constant(shape[dims[1]], shape)
        slow = self.op(f"arith.muli {slow.name}, {width.name} : {slow.type}", shape, "i32")
        return self.op(f"arith.addi {slow.name}, {fast.name} : {slow.type}", shape, "i32")

    def moved(self, pointer: Value, offset: Value) -> Value:
        types = f"{pointer.type}, {offset.type}"
        text = f"tt.addptr {pointer.name}, {offset.name} : {types}"
        return self.op(text, pointer.shape, pointer.element)

    def pointers(self, shape: Shape, element: str, base: Value | None = None) -> Value:
        type = pointer_to(element)
        if base is None:
            base = Value(f"%{self.draw.choice(BUFFERS[:3])}{element}", (), type)
            if self.chance(0.5):
                base = self.moved(base, self.pick((), "i32"))
        if not shape:
            self.distinct.add(base.name)
            return base
        splat = self.op(f"tt.splat {base.name} : {type} -> {type_of(shape, type)}", shape, type)
        result = self.moved(splat, self.offsets(shape))
        self.distinct.add(result.name)
        return result

    def load(self, shape: Shape, element: str) -> Value:
        pointers = self.pick(shape, pointer_to(element), 0.5)
        operands = [pointers.name]
        if self.chance(0.4):
            mask = self.pick(shape, "i1")
            if shape and self.chance(0.4):
                scalar = self.pick((), "i1")
                mask = self.op(f"tt.splat {scalar.name} : i1 -> {mask.type}", shape, "i1")
            zero = self.constant(CONSTANTS[element][0], shape, element)
            operands += [mask.name, zero.name]
        return self.op(f"tt.load {', '.join(operands)} : {pointers.type}", shape, element)

    def own_place(self, value: Value) -> Value:
        """Return pointers to where no other op or iteration stores."""
        self.places += 1
        at = self.constant(self.places << 14)
        for depth, iteration in enumerate(self.iterations):
            size = self.constant(1 << 10 + 3 * depth)
            step = self.op(f"arith.muli {iteration.name}, {size.name} : i32", (), "i32")
            at = self.op(f"arith.addi {at.name}, {step.name} : i32", (), "i32")
        base = Value(f"%out{value.element}", (), pointer_to(value.element))
        return self.pointers(value.shape, value.element, self.moved(base, at))

    def store(self, value: Value, pointers: Value) -> None:
        mask = f", {self.pick(value.shape, 'i1').name}" if self.chance(0.3) else ""
        self.lines.append(f"tt.store {pointers.name}, {value.name}{mask} : {pointers.type}")

    # --- statements ---------------------------------------------------------------------

    def statement(self, depth: int) -> None:
        kinds: list[Callable[[], object]] = [
            self.arithmetic,
            self.arithmetic,
            self.transposition,
            self.reduction,
            self.store_somewhere,
            self.load_somewhere,
            self.update,
            self.update,
            self.product,
        ]
        if depth < 2:
            kinds += [
                lambda: self.loop(depth),
                lambda: self.loop(depth),
                lambda: self.branch(depth),
            ]
        self.draw.choice(kinds)()

    def arithmetic(self) -> Value:
        shape, element = self.draw.choice(SHAPES), self.draw.choice(ELEMENTS)
        a, b = self.pick(shape, element), self.pick(shape, element)
        if self.chance(0.3):
            condition = self.pick((), "i1")
            text = f"arith.select {condition.name}, {a.name}, {b.name} : {a.type}"
            return self.op(text, shape, element)
        kind = self.draw.choice(BINARY[element])
        return self.op(f"arith.{kind} {a.name}, {b.name} : {a.type}", shape, element)

    def transposition(self) -> Value:
        value = self.pick(self.draw.choice(MATRICES), self.draw.choice(ELEMENTS))
        shape = value.shape[::-1]
        types = f"{value.type} -> {type_of(shape, value.element)}"
        text = f"tt.trans {value.name} {{order = array<i32: 1, 0>}} : {types}"
        return self.op(text, shape, value.element)

    def reduction(self) -> Value:
        return self.reduced(self.pick(self.draw.choice(SHAPES[:-1]), self.draw.choice(ELEMENTS)))

    def reduced(self, value: Value) -> Value:
        axis = self.draw.randrange(len(value.shape))
        shape = value.shape[:axis] + value.shape[axis + 1 :]
        a, b, c = self.new(), self.new(), self.new()
        element, kind = value.element, self.draw.choice(COMBINING[value.element])
        return self.op(
            f'"tt.reduce"({value.name}) <{{axis = {axis} : i32}}> ({{\n'
            f"^bb0({a}: {element}, {b}: {element}):\n"
            f"{c} = arith.{kind} {a}, {b} : {element}\n"
            f"tt.reduce.return {c} : {element}\n"
            f"}}) : ({value.type}) -> {type_of(shape, element)}",
            shape,
            element,
        )

    def store_somewhere(self) -> None:
        value = self.pick(self.draw.choice(SHAPES), self.draw.choice(ELEMENTS))
        if self.chance(0.5):
            self.store(value, self.own_place(value))
        else:
            self.store(value, self.distinct_pointers(value))

    def update(self) -> None:
        """Store something else to where it was loaded from."""
        shape, element = self.draw.choice(SHAPES), self.draw.choice(ELEMENTS)
        pointers = self.distinct_pointers(Value("", shape, element))
        loaded = self.op(f"tt.load {pointers.name} : {pointers.type}", shape, element)
        other = self.pick(shape, element)
        kind = self.draw.choice(BINARY[element])
        text = f"arith.{kind} {loaded.name}, {other.name} : {loaded.type}"
        self.store(self.op(text, shape, element), pointers)

    def distinct_pointers(self, value: Value) -> Value:
        """Return pointers to store to, each element's its own; often some that are there."""
        type = pointer_to(value.element)
        found = [v for v in self.values if v[1:] == (value.shape, type) and v.name in self.distinct]
        if found and self.chance(0.7):
            return self.draw.choice(found)
        return self.pointers(value.shape, value.element)

    def load_somewhere(self) -> Value:
        return self.load(self.draw.choice(SHAPES), self.draw.choice(ELEMENTS))

    def product(self, accumulator: Value | None = None) -> Value:
        m, k, n = (self.draw.choice((16, 32)) for _ in range(3))
        if accumulator is not None:
            m, n = accumulator.shape
        a, b = self.pick((m, k), "f16"), self.pick((k, n), "f16")
        c = accumulator or self.pick((m, n), "f32", 0.4)
        operands = f"{a.name}, {b.name}, {c.name}, inputPrecision = tf32"
        return self.op(f"tt.dot {operands} : {a.type} * {b.type} -> {c.type}", (m, n), "f32")

    # --- control flow -------------------------------------------------------------------

    def carried(self) -> list[Value]:
        """Return what a loop begins with, or what a branch gives."""
        found: list[Value] = []
        for _ in range(self.draw.randrange(4)):
            shape, element = self.draw.choice(SHAPES), self.draw.choice(ELEMENTS)
            type = pointer_to(element) if self.chance(0.25) else element
            found.append(self.pick(shape, type))
        return found

    def body(self, depth: int) -> None:
        for _ in range(self.draw.randrange(5)):
            self.statement(depth + 1)

    def loop(self, depth: int) -> None:
        low = self.constant(self.draw.choice((0, 0, 1, -1)))
        five = self.constant(5)
        number = self.pick((), "i32")
        high = self.op(f"arith.remsi {number.name}, {five.name} : i32", (), "i32")
        step = self.constant(self.draw.choice((1, 1, 2)))
        first = self.carried()
        outside = list(self.values)
        induction = Value(self.new(), (), "i32")
        inside = [v._replace(name=self.new()) for v in first]
        names, given = self.results(first)
        types = ", ".join(v.type for v in first)
        head = f"scf.for {induction.name} = {low.name} to {high.name} step {step.name}"
        if first:
            pairs = zip(inside, first, strict=True)
            starts = ", ".join(f"{a.name} = {b.name}" for a, b in pairs)
            head = f"{names} = {head} iter_args({starts}) -> ({types})"
        self.lines.append(f"{head} : i32 {{")
        self.values += [induction, *inside]
        self.iterations.append(induction)
        self.body(depth)
        following = [self.following(v, outside) for v in inside]
        self.iterations.pop()
        if first:
            self.lines.append(f"scf.yield {', '.join(v.name for v in following)} : {types}")
        marks = ("", "", " {tt.loop_unroll_factor = 3 : i32}", " {tt.flatten}")
        self.lines.append("}" + self.draw.choice(marks))
        self.values = outside + given

    def following(self, value: Value, outside: list[Value]) -> Value:
        """Return what a carried value is in the next iteration."""
        if value.element.startswith("!"):
            return self.moved(value, self.pick(value.shape, "i32"))
        kind = self.draw.random()
        same = [v for v in outside if v[1:] == value[1:]]
        if kind < 0.1:
            return self.draw.choice([value, *same])
        if kind < 0.4 and value.element == "f32" and len(value.shape) == 2:
            return self.product(value)
        if kind < 0.6 and len(value.shape) == 1 and value.element != "f16":
            wide = (value.shape[0], 32)
            other = self.reduced(self.load(wide, value.element))
            if other.shape != value.shape:
                return value
        else:
            other = self.pick(value.shape, value.element)
        combining = self.draw.choice(COMBINING[value.element])
        text = f"arith.{combining} {value.name}, {other.name} : {value.type}"
        return self.op(text, value.shape, value.element)

    def branch(self, depth: int) -> None:
        condition = self.pick((), "i1", 0.4)
        wanted = self.carried()
        outside = list(self.values)
        names, given = self.results(wanted)
        types = ", ".join(v.type for v in wanted)
        head = f"scf.if {condition.name}"
        self.lines.append(f"{names} = {head} -> ({types}) {{" if wanted else f"{head} {{")
        for between in ("} else {", "}"):
            self.values = list(outside)
            self.body(depth)
            if wanted:
                values = ", ".join(self.pick(v.shape, v.element).name for v in wanted)
                self.lines.append(f"scf.yield {values} : {types}")
            self.lines.append(between)
        self.values = outside + given

    def results(self, values: list[Value]) -> tuple[str, list[Value]]:
        """Return how the results of an op are declared, and the results."""
        name = self.new()
        if len(values) == 1:
            return name, [values[0]._replace(name=name)]
        given = [v._replace(name=f"{name}#{i}") for i, v in enumerate(values)]
        return f"{name}:{len(values)}", given


def launches(seed: int) -> Iterator[Draw]:
    """Yield launches with either side of `%c`, and loops that run often, once and not at all."""
    draw = random.Random(seed)
    for k in range(3):
        count = len(BUFFERS) * len(ELEMENTS)
        memory = [Endless(Contents(seed=draw.randrange(1000))) for _ in range(count)]
        numbers = (16 * draw.choice((0, 1, 3, -1)), draw.choice((0, 1, 3, 7, -2)), k % 2 == 0)
        yield Draw(f"random {k}", (*memory, *numbers), (2, 1, 1), (1,))
