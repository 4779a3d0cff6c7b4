"""
Random kernels that compute, as Triton IR, and arguments for them.

Arithmetic of all types and between them, reductions and scans, products, tensors reshaped and
joined, loops and branches that carry any of it, and buffers that are loaded from and stored
to meanwhile. In the end everything is stored. Whatever is summed in an order that is free is
made small and whole before, so that every result is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from tests.e2e.lowering.random_writer import (
    FLOATS,
    INTEGERS,
    WIDTHS,
    Array,
    Shape,
    Value,
    Writer,
    constant_of,
    type_of,
)

STORED = tuple(name for name in WIDTHS if name != "i1")
BITS = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}

ELEMENTS = 64
"""The largest tensor; buffers hold twice as many."""
RESULTS = 16
SIZES = (1, 2, 2, 4, 4, 8, 16)

ON_INTEGERS = (
    "addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui", "divsi",
    "divui", "remsi", "remui", "shli", "shrui", "shrsi",
)  # fmt: skip
ON_FLOATS = ("addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf")
ON_A_FLOAT = ("absf", "floor", "ceil", "sqrt", "round", "roundeven", "trunc")
COMBINERS = ("addi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui")
OF_INTEGERS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
OF_FLOATS = ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "ult", "une", "uno")


class RandomArithmetic(Writer):
    """Writes one kernel; equal seeds write equal kernels."""

    def __init__(self, seed: int):
        super().__init__(seed)
        self.rank = self.draw.choice((1, 1, 2, 2, 3, 4))
        self.values: list[Value] = []

    def text(self) -> str:
        """Return the kernel."""
        self.values = [Value("%n", None, "i32"), Value("%m", None, "i32")]
        self.load("in")
        self.load("in")
        self.statements(14)
        places = dict.fromkeys(STORED, 0)
        for value in self.values[-RESULTS:]:
            stored = self.extended(value, "i8") if value.element == "i1" else value
            self.store(stored, "out", places[stored.element])
            places[stored.element] += ELEMENTS
        pointers = [f"%{b}_{e}: !tt.ptr<{e}>" for e in STORED for b in ("in", "io", "out")]
        head = f"tt.func public @kernel({', '.join(pointers)}, %n: i32, %m: i32) {{"
        return "\n".join([head, *self.lines, "  tt.return", "}"])

    def statements(self, count: int) -> None:
        kinds: dict[Callable[[], object], int] = {
            self.binary: 10, self.unary: 3, self.compare: 3, self.select: 3, self.cast: 5,
            self.reduce: 4, self.reshape: 3, self.transpose: 3, self.join: 3, self.gather: 2,
            self.broadcast: 3, self.product: 2, self.any_load: 4, self.any_store: 4, self.loop: 2,
            self.branch: 2,
        }  # fmt: skip
        for kind in self.draw.choices([*kinds], [*kinds.values()], k=count):
            kind()

    # --- values -------------------------------------------------------------------------

    def op(self, text: str, shape: Shape | None, element: str) -> Value:
        value = Value(self.name(), shape, element)
        self.line(f"{value.name} = {text}")
        self.values.append(value)
        return value

    def any(self, fits: Callable[[Value], bool] = lambda _: True) -> Value:
        """Return a value, of the later ones rather; a constant if none fits."""
        fitting = [v for v in self.values if fits(v)]
        if not fitting:
            return self.constant(self.shape(), "i32")
        return self.draw.choice(fitting[-12:] if self.draw.random() < 0.7 else fitting)

    def tensor(self) -> Value:
        return self.any(lambda v: v.shape is not None)

    def shape(self) -> Shape:
        while True:
            shape = tuple(self.draw.choice(SIZES) for _ in range(self.rank))
            if prod(shape) <= ELEMENTS:
                return shape

    def constant(self, shape: Shape | None, element: str, value: object = None) -> Value:
        if value is None and element in INTEGERS:
            top = 1 << (INTEGERS[element] - 1)
            value = self.draw.choice((0, 1, -1, 3, 7, -top, top - 1))
            value = (value + top) % (2 * top) - top
        elif value is None:
            value = self.draw.choice((0.0, -0.0, 1.0, -1.0, 0.5, -3.0))
        return self.op(constant_of(shape, element, value), shape, element)

    def like(self, shape: Shape | None, element: str) -> Value:
        """Return a value of a type: one there is, a splat, one converted, or a constant."""
        fitting = [v for v in self.values if (v.shape, v.element) == (shape, element)]
        way = self.draw.random()
        if fitting and way < 0.8:
            return self.draw.choice(fitting)
        scalars = [v for v in self.values if v.shape is None and v.element == element]
        if scalars and shape is not None and way < 0.9:
            source = self.draw.choice(scalars)
            kind = type_of(shape, element)
            return self.op(f"tt.splat {source.name} : {element} -> {kind}", shape, element)
        same = [v for v in self.values if v.shape == shape]
        if same and way < 0.97:
            return self.converted(self.draw.choice(same), element)
        return self.constant(shape, element)

    # --- conversions --------------------------------------------------------------------

    def convert(self, name: str, value: Value, element: str, arrow: str = "to") -> Value:
        kind = type_of(value.shape, element)
        return self.op(f"{name} {value.name} : {value.type} {arrow} {kind}", value.shape, element)

    def extended(self, value: Value, element: str) -> Value:
        return self.convert("arith.extui", value, element)

    def converted(self, value: Value, element: str) -> Value:
        source = value.element
        if source == element:
            return value
        if source.startswith("f8"):
            wide = self.convert("tt.fp_to_fp", value, "f32", "->")
            return self.converted(wide, element)
        if element.startswith("f8"):
            wide = value if source in ("f16", "bf16", "f32") else self.converted(value, "f32")
            way = self.draw.choice(("rtne", "rtz"))
            value = Value(f"{wide.name}, rounding = {way}", wide.shape, wide.element)
            return self.convert("tt.fp_to_fp", value, element, "->")
        wider, signed = WIDTHS[element] > WIDTHS[source], self.draw.random() < 0.5
        match source in INTEGERS, element in INTEGERS:
            case True, True if wider:
                return self.convert("arith.extsi" if signed else "arith.extui", value, element)
            case True, True:
                return self.convert("arith.trunci", value, element)
            case True, False:
                return self.convert("arith.sitofp" if signed else "arith.uitofp", value, element)
            case False, True:
                return self.convert("arith.fptosi" if signed else "arith.fptoui", value, element)
            case _ if wider or WIDTHS[source] < WIDTHS[element]:
                return self.convert("arith.extf", value, element)
            case _ if WIDTHS[source] == WIDTHS[element]:
                return self.converted(self.convert("arith.extf", value, "f32"), element)
            case _:
                return self.convert("arith.truncf", value, element)

    def small(self, value: Value, element: str, largest: int = 3) -> Value:
        """Return whole numbers from 0 to `largest`."""
        whole = value if value.is_integer else self.converted(value, "i32")
        if whole.element == "i1":
            whole = self.extended(whole, "i8")
        limit = self.constant(whole.shape, whole.element, largest)
        small = self.op(
            f"arith.andi {whole.name}, {limit.name} : {whole.type}", whole.shape, whole.element
        )
        if element in INTEGERS or element.startswith("f8"):
            return self.converted(small, element)
        return self.convert("arith.uitofp", small, element)

    def cast(self) -> None:
        self.converted(self.any(), self.draw.choice([*WIDTHS]))

    # --- elementwise --------------------------------------------------------------------

    def binary(self) -> None:
        a = self.any(lambda v: not v.element.startswith("f8"))
        b = self.like(a.shape, a.element)
        if self.draw.random() < 0.5:
            a, b = b, a
        name = self.draw.choice(ON_INTEGERS if a.is_integer else ON_FLOATS)
        self.op(f"arith.{name} {a.name}, {b.name} : {a.type}", a.shape, a.element)

    def unary(self) -> None:
        a = self.any(lambda v: v.element in FLOATS)
        if a.element in FLOATS:
            name = self.draw.choice(ON_A_FLOAT)
            self.op(f"math.{name} {a.name} : {a.type}", a.shape, a.element)

    def compare(self) -> None:
        a = self.any(lambda v: not v.element.startswith("f8"))
        b = self.like(a.shape, a.element)
        kind, names = ("cmpi", OF_INTEGERS) if a.is_integer else ("cmpf", OF_FLOATS)
        predicate = self.draw.choice(names)
        self.op(f"arith.{kind} {predicate}, {a.name}, {b.name} : {a.type}", a.shape, "i1")

    def select(self) -> None:
        a = self.any()
        b = self.like(a.shape, a.element)
        condition = self.like(a.shape if self.draw.random() < 0.7 else None, "i1")
        kinds = a.type if condition.shape is None else f"{condition.type}, {a.type}"
        text = f"arith.select {condition.name}, {a.name}, {b.name} : {kinds}"
        self.op(text, a.shape, a.element)

    # --- reductions and products --------------------------------------------------------

    def reduce(self) -> None:
        """One tensor or two, each by an op of its own; or the largest element and its place."""
        source = self.tensor()
        assert source.shape is not None
        shape, axis = source.shape, self.draw.randrange(len(source.shape))
        extremes = self.draw.random() < 0.3
        second = self.draw.choice((source.element, "i8", "i32"))
        operands = [source, source if self.draw.random() < 0.5 else self.like(shape, second)]
        operands = operands if extremes else operands[: self.draw.choice((1, 2))]
        operands = [self.reducible(v) for v in operands]
        if extremes:
            operands = [self.small(operands[0], "i32"), self.places(shape, 0)]
        kind = self.draw.choice(("reduce", "reduce", "scan"))
        rest = shape[:axis] + shape[axis + 1 :] or None
        result = shape if kind == "scan" else rest
        order = f", reverse = {self.draw.choice(('true', 'false'))}" if kind == "scan" else ""
        names, head = self.results(len(operands))
        arguments = [self.name() for _ in (*operands, *operands)]
        elements = [v.element for v in operands]
        typed = zip(arguments, [*elements, *elements], strict=True)
        values = ", ".join(v.name for v in operands)
        self.line(f'{head}"tt.{kind}"({values}) <{{axis = {axis} : i32{order}}}> ({{')
        self.line(f"^bb0({', '.join(f'{a}: {e}' for a, e in typed)}):")
        left, right = arguments[: len(operands)], arguments[len(operands) :]
        outs = self.latest(left, right) if extremes else self.combined(operands, left, right)
        self.line(f"  tt.{kind}.return {', '.join(outs)} : {', '.join(elements)}")
        kinds = ", ".join(type_of(result, e) for e in elements)
        self.line(f"}}) : ({', '.join(v.type for v in operands)}) -> ({kinds})")
        self.values += [Value(n, result, e) for n, e in zip(names, elements, strict=True)]

    def reducible(self, value: Value) -> Value:
        return self.converted(value, "f16") if value.element.startswith("f8") else value

    def combined(self, of: Sequence[Value], left: list[str], right: list[str]) -> list[str]:
        outs: list[str] = []
        for value, a, b in zip(of, left, right, strict=True):
            names = COMBINERS if value.is_integer else ("maximumf", "minimumf")
            outs.append(self.name())
            combiner = self.draw.choice(names)
            self.line(f"  {outs[-1]} = arith.{combiner} {a}, {b} : {value.element}")
        return outs

    def latest(self, left: list[str], right: list[str]) -> list[str]:
        """Return the greater number and its place, of equal ones the first place."""
        greater, equal, before, first, chosen, value, place = (self.name() for _ in range(7))
        self.line(f"  {greater} = arith.cmpi sgt, {left[0]}, {right[0]} : i32")
        self.line(f"  {equal} = arith.cmpi eq, {left[0]}, {right[0]} : i32")
        self.line(f"  {before} = arith.cmpi slt, {left[1]}, {right[1]} : i32")
        self.line(f"  {first} = arith.andi {equal}, {before} : i1")
        self.line(f"  {chosen} = arith.ori {greater}, {first} : i1")
        for name, a, b in zip((value, place), left, right, strict=True):
            self.line(f"  {name} = arith.select {chosen}, {a}, {b} : i32")
        return [value, place]

    def product(self) -> None:
        element, total = self.draw.choice(
            (("f16", "f32"), ("bf16", "f32"), ("f32", "f32"), ("i8", "i32"), ("f8E5M2", "f32"))
        )
        rows, columns, depth = (self.draw.choice((1, 2, 4, 8)) for _ in range(3))
        batch = self.draw.choice(((), (), (2,)))
        if 2 * max(rows * depth, depth * columns, rows * columns) > ELEMENTS:
            return
        a, b = (*batch, rows, depth), (*batch, depth, columns)
        left, right = (self.factor(shape, element) for shape in (a, b))
        start = self.small(self.like((*batch, rows, columns), total), total)
        for _ in range(self.draw.choice((1, 2))):
            kinds = f"{left.type} * {right.type} -> {start.type}"
            text = f"tt.dot {left.name}, {right.name}, {start.name} : {kinds}"
            self.op(text, start.shape, total)

    def factor(self, shape: Shape, element: str) -> Value:
        if self.draw.random() < 0.5:
            return self.small(self.load("in", shape), element)
        turned = self.small(self.load("in", (*shape[:-2], shape[-1], shape[-2])), element)
        return self.transposed(turned, [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2])

    # --- shapes -------------------------------------------------------------------------

    def shaped(self, text: str, shape: Shape, element: str) -> Value:
        return self.op(f"{text} -> {type_of(shape, element)}", shape, element)

    def reshape(self) -> None:
        a = self.tensor()
        assert a.shape is not None
        shape = [1] * self.draw.choice((1, 2, 3, 4))
        for _ in range(prod(a.shape).bit_length() - 1):
            shape[self.draw.randrange(len(shape))] *= 2
        self.shaped(f"tt.reshape {a.name} : {a.type}", tuple(shape), a.element)

    def transposed(self, value: Value, order: list[int]) -> Value:
        assert value.shape is not None
        shape = tuple(value.shape[d] for d in order)
        numbers = ", ".join(map(str, order))
        text = f"tt.trans {value.name} {{order = array<i32: {numbers}>}} : {value.type}"
        return self.shaped(text, shape, value.element)

    def transpose(self) -> None:
        a = self.tensor()
        assert a.shape is not None
        order = [*range(len(a.shape))]
        self.draw.shuffle(order)
        self.transposed(a, order)

    def join(self) -> None:
        """Join two tensors, or split one, or put one behind the other."""
        a = self.tensor()
        assert a.shape is not None
        if len(a.shape) > 1 and a.shape[-1] == 2 and self.draw.random() < 0.5:
            halves = [Value(self.name(), a.shape[:-1], a.element) for _ in range(2)]
            names = f"{halves[0].name}, {halves[1].name}"
            self.line(f"{names} = tt.split {a.name} : {a.type} -> {halves[0].type}")
            self.values += halves
        elif 2 * prod(a.shape) <= ELEMENTS and len(a.shape) < 4:
            b = self.like(a.shape, a.element)
            if len(a.shape) == 1 and self.draw.random() < 0.5:
                self.shaped(f"tt.cat {a.name}, {b.name} : {a.type}", (2 * a.shape[0],), a.element)
            else:
                self.shaped(f"tt.join {a.name}, {b.name} : {a.type}", (*a.shape, 2), a.element)

    def gather(self) -> None:
        a = self.tensor()
        assert a.shape is not None
        axis = self.draw.randrange(len(a.shape))
        shape = (*a.shape[:axis], self.draw.choice((1, 2, 4)), *a.shape[axis + 1 :])
        if prod(shape) <= ELEMENTS:
            places = self.small(self.like(shape, "i32"), "i32", a.shape[axis] - 1)
            kinds = f"({a.type}, {places.type})"
            text = f"tt.gather {a.name}[{places.name}] {{axis = {axis} : i32}} : {kinds}"
            self.shaped(text, shape, a.element)

    def broadcast(self) -> None:
        """Add a dimension, and stretch all of extent 1."""
        a = self.tensor()
        assert a.shape is not None
        if len(a.shape) < 4:
            axis = self.draw.randrange(len(a.shape) + 1)
            shape = (*a.shape[:axis], 1, *a.shape[axis:])
            text = f"tt.expand_dims {a.name} {{axis = {axis} : i32}} : {a.type}"
            a = self.shaped(text, shape, a.element)
            wide = tuple(2 if d == 1 else d for d in shape)
            if prod(wide) <= ELEMENTS:
                self.shaped(f"tt.broadcast {a.name} : {a.type}", wide, a.element)

    # --- memory -------------------------------------------------------------------------

    def places(self, shape: Shape, start: int) -> Value:
        """Return the numbers from `start` on, in row-major order; one dimension at a time."""
        known = [*self.values]
        total = self.constant(shape, "i32", start)
        for d, extent in enumerate(shape):
            kind = f"tensor<{extent}xi32>"
            text = f"tt.make_range {{end = {extent} : i32, start = 0 : i32}} : {kind}"
            row = self.op(text, (extent,), "i32")
            step = self.constant((extent,), "i32", prod(shape[d + 1 :]))
            moved = self.op(f"arith.muli {row.name}, {step.name} : {kind}", (extent,), "i32")
            thin = tuple(extent if other == d else 1 for other in range(len(shape)))
            text = f"tt.reshape {moved.name} : {kind}"
            part = self.shaped(text, thin, "i32") if thin != (extent,) else moved
            if thin != shape:
                part = self.shaped(f"tt.broadcast {part.name} : {part.type}", shape, "i32")
            total = self.op(f"arith.addi {total.name}, {part.name} : {total.type}", shape, "i32")
        # Nobody else needs them; in the end what was computed is to be stored.
        self.values = known
        return total

    def pointers(self, buffer: str, element: str, shape: Shape, places: Value) -> tuple[str, str]:
        kind, base, moved = type_of(shape, f"!tt.ptr<{element}>"), self.name(), self.name()
        self.line(f"{base} = tt.splat %{buffer}_{element} : !tt.ptr<{element}> -> {kind}")
        self.line(f"{moved} = tt.addptr {base}, {places.name} : {kind}, {places.type}")
        return moved, kind

    def mask(self, places: Value) -> Value:
        if self.draw.random() < 0.3:
            return self.like(places.shape, "i1")
        limit = self.op(f"tt.splat %n : i32 -> {places.type}", places.shape, "i32")
        text = f"arith.cmpi slt, {places.name}, {limit.name} : {places.type}"
        return self.op(text, places.shape, "i1")

    def load(self, buffer: str, shape: Shape | None = None) -> Value:
        element, shape = self.draw.choice(STORED), shape or self.shape()
        places = self.places(shape, self.draw.choice((0, 0, 5, ELEMENTS)))
        pointers, kind = self.pointers(buffer, element, shape, places)
        operands = pointers
        if self.draw.random() < 0.4:
            operands += f", {self.mask(places).name}, {self.like(shape, element).name}"
        return self.op(f"tt.load {operands} : {kind}", shape, element)

    def store(self, value: Value, buffer: str, start: int, masked: bool = False) -> None:
        if value.shape is None:
            kind = f"!tt.ptr<{value.element}>"
            place, pointer = self.constant(None, "i32", start), self.name()
            self.line(
                f"{pointer} = tt.addptr %{buffer}_{value.element}, {place.name} : {kind}, i32"
            )
            self.line(f"tt.store {pointer}, {value.name} : {kind}")
            return
        places = self.places(value.shape, start)
        pointers, kind = self.pointers(buffer, value.element, value.shape, places)
        mask = f", {self.mask(places).name}" if masked else ""
        self.line(f"tt.store {pointers}, {value.name}{mask} : {kind}")

    def any_load(self) -> None:
        self.load(self.draw.choice(("in", "io")))

    def any_store(self) -> None:
        value = self.any(lambda v: v.element != "i1")
        self.store(value, "io", self.draw.choice((0, 1, 9)), self.draw.random() < 0.4)

    # --- control flow -------------------------------------------------------------------

    def results(self, count: int) -> tuple[list[str], str]:
        """Return the names of an op's results and what it begins with."""
        base = self.name()
        if count < 2:
            return [base][:count], f"{base} = " if count else ""
        return [f"{base}#{k}" for k in range(count)], f"{base}:{count} = "

    def inside(self, known: Sequence[Value], results: Sequence[Value]) -> None:
        """Write a body that knows more values, and yields some of the types of `results`."""
        before = [*self.values]
        self.depth += 1
        self.values += known
        self.statements(self.draw.randint(1, 4))
        if results:
            names = [self.like(v.shape, v.element).name for v in results]
            self.line(f"scf.yield {', '.join(names)} : {', '.join(v.type for v in results)}")
        self.depth -= 1
        self.values = before

    def loop(self) -> None:
        if self.depth == 2:
            return
        carried = [self.any() for _ in range(self.draw.randint(0, 3))]
        low, step = self.constant(None, "i32", 0), self.constant(None, "i32", 1)
        arguments = [Value(self.name(), v.shape, v.element) for v in carried]
        names, head = self.results(len(carried))
        number, kinds = self.name(), ", ".join(v.type for v in carried)
        pairs = ", ".join(f"{a.name} = {v.name}" for a, v in zip(arguments, carried, strict=True))
        carry = f" iter_args({pairs}) -> ({kinds})" if carried else ""
        bounds = f"{low.name} to %m step {step.name}"
        self.line(f"{head}scf.for {number} = {bounds}{carry} : i32 {{")
        self.inside([Value(number, None, "i32"), *arguments], carried)
        self.line("}")
        self.values += [Value(n, v.shape, v.element) for n, v in zip(names, carried, strict=True)]

    def branch(self) -> None:
        if self.depth == 2:
            return
        chosen = [self.any() for _ in range(self.draw.randint(0, 2))]
        condition = self.like(None, "i1")
        names, head = self.results(len(chosen))
        kinds = f" -> ({', '.join(v.type for v in chosen)})" if chosen else ""
        self.line(f"{head}scf.if {condition.name}{kinds} {{")
        self.inside([], chosen)
        self.line("} else {")
        self.inside([], chosen)
        self.line("}")
        self.values += [Value(n, v.shape, v.element) for n, v in zip(names, chosen, strict=True)]


def arguments(seed: int) -> list[Any]:
    """Return the arguments of a launch: buffers as bits, then the two numbers."""
    draw = np.random.default_rng(seed)
    values: list[Any] = []
    for element in STORED:
        kind = BITS[WIDTHS[element]]
        values += [_content(element, draw), _content(element, draw)]
        values.append(np.zeros(RESULTS * ELEMENTS, kind))
    return [*values, int(draw.choice([0, 1, 17, 64])), int(draw.choice([0, 1, 3]))]


def _content(element: str, draw: np.random.Generator) -> Array:
    """Return numbers, the usual and special ones, as bits."""
    size, kind = 2 * ELEMENTS, BITS[WIDTHS[element]]
    if element in INTEGERS:
        small = draw.integers(-6, 7, size).astype(np.int64).astype(kind)
        large = draw.integers(0, np.iinfo(kind).max, size, dtype=kind, endpoint=True)
        return np.where(draw.random(size) < 0.6, small, large)
    if element.startswith("f8"):
        return draw.integers(0, 256, size).astype(np.uint8)
    usual = draw.choice([0, 0.5, 1, 1.5, 2, 3, -1, -2, -0.5, -3, -0.0], size)
    special = draw.choice([np.inf, -np.inf, np.nan, 1e-8, 100.7, 65504, -1e-42, 3e38], size)
    numbers = np.where(draw.random(size) < 0.15, special, usual)
    with np.errstate(all="ignore"):
        if element == "f64":
            return numbers.view(np.uint64)
        if element == "f16":
            return numbers.astype(np.float16).view(np.uint16)
        bits = numbers.astype(np.float32).view(np.uint32)
        return bits if element == "f32" else (bits >> 16).astype(np.uint16)
