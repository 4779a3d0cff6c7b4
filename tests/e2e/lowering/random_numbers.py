"""
Numbers of random kernels that know between which bounds they are.

So whatever a kernel computes stays exact in every order, and its places stay in its buffers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.e2e.lowering.random_writer import (
    FLOATS,
    INTEGERS,
    WIDTHS,
    Shape,
    Value,
    Writer,
    constant_of,
    type_of,
)

LIMITS = {
    "i1": 1, "i8": 127, "i16": 1 << 15, "i32": 1 << 30, "i64": 1 << 40, "f16": 1 << 10,
    "bf16": 1 << 7, "f32": 1 << 23, "f64": 1 << 40,
}  # fmt: skip
"""Up to where whole numbers of a type are exact, or, for integers, do not wrap."""
SMALL = 3
"""What numbers are cut to before they would become too large."""
NAMES = {"add": ("addi", "addf"), "sub": ("subi", "subf"), "mul": ("muli", "mulf"),
         "max": ("maxsi", "maximumf"), "min": ("minsi", "minimumf")}  # fmt: skip
PREDICATES = {"lt": ("slt", "olt"), "le": ("sle", "ole"), "gt": ("sgt", "ogt"),
              "ge": ("sge", "oge"), "eq": ("eq", "oeq"), "ne": ("ne", "une")}  # fmt: skip


@dataclass(frozen=True)
class Number(Value):
    """A value of the kernel, and the least and greatest that it can be."""

    shape: Shape
    low: int = 0
    high: int = 0

    @property
    def largest(self) -> int:
        return max(abs(self.low), abs(self.high))

    def within(self, low: int, high: int) -> Number:
        """Return the same number between other bounds."""
        return replace(self, low=low, high=high)


def ends(kind: str, a: Number, b: Number) -> tuple[int, int]:
    """Return the bounds of a result."""
    products = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return {
        "add": (a.low + b.low, a.high + b.high),
        "sub": (a.low - b.high, a.high - b.low),
        "mul": (min(products), max(products)),
        "max": (max(a.low, b.low), max(a.high, b.high)),
        "min": (min(a.low, b.low), min(a.high, b.high)),
    }[kind]


class NumberWriter(Writer):
    """Writes what is done to numbers, element by element."""

    def op(self, text: str, shape: Shape, element: str, low: int = 0, high: int = 0) -> Number:
        name = self.name()
        self.line(f"{name} = {text}")
        return Number(name, shape, element, low, high)

    def constant(self, value: int, shape: Shape, element: str) -> Number:
        shown = f"{value}.0" if element in FLOATS else value
        return self.op(constant_of(shape, element, shown), shape, element, value, value)

    def number(self, value: int, like: Number) -> Number:
        return self.constant(value, like.shape, like.element)

    def chance(self, probability: float) -> bool:
        return self.draw.random() < probability

    # --- shapes -------------------------------------------------------------------------

    def shaped(self, text: str, value: Number, shape: Shape) -> Number:
        text = f"{text} : {value.type} -> {type_of(shape, value.element)}"
        return self.op(text, shape, value.element, value.low, value.high)

    def to(self, value: Number, shape: Shape) -> Number:
        """Stretch a scalar, or what has extent 1, to a shape."""
        if value.shape == shape:
            return value
        op = "tt.broadcast" if value.shape else "tt.splat"
        return self.shaped(f"{op} {value.name}", value, shape)

    def alike(self, *values: Number) -> list[Number]:
        """Stretch all to one shape."""
        shapes = [v.shape for v in values if v.shape]
        shape = tuple(map(max, *shapes)) if len(shapes) > 1 else (*shapes, ())[0]
        return [self.to(v, shape) for v in values]

    def expanded(self, value: Number, axis: int) -> Number:
        shape = (*value.shape[:axis], 1, *value.shape[axis:])
        return self.shaped(f"tt.expand_dims {value.name} {{axis = {axis} : i32}}", value, shape)

    def reshaped(self, value: Number, shape: Shape) -> Number:
        return self.shaped(f"tt.reshape {value.name}", value, shape)

    def transposed(self, value: Number, order: Sequence[int]) -> Number:
        numbers = ", ".join(map(str, order))
        text = f"tt.trans {value.name} {{order = array<i32: {numbers}>}}"
        return self.shaped(text, value, tuple(value.shape[d] for d in order))

    def range(self, count: int) -> Number:
        text = f"tt.make_range {{end = {count} : i32, start = 0 : i32}} : tensor<{count}xi32>"
        return self.op(text, (count,), "i32", 0, count - 1)

    # --- arithmetic ---------------------------------------------------------------------

    def arith(self, kind: str, a: Number, b: Number) -> Number:
        a, b = self.alike(a, b)
        name = NAMES[kind][a.element in FLOATS]
        text = f"arith.{name} {a.name}, {b.name} : {a.type}"
        return self.op(text, a.shape, a.element, *ends(kind, a, b))

    def plain(self, name: str, a: Number, b: Number, low: int, high: int) -> Number:
        """Write an op of integers, with these bounds."""
        a, b = self.alike(a, b)
        return self.op(f"arith.{name} {a.name}, {b.name} : {a.type}", a.shape, a.element, low, high)

    def divided(self, value: Number, by: Number) -> Number:
        quotients = [int(x / y) for x in (value.low, value.high) for y in (by.low, by.high)]
        return self.plain("divsi", value, by, min(quotients), max(quotients))

    def remainder(self, value: Number, by: Number) -> Number:
        low = max(min(value.low, 0), 1 - by.high)
        return self.plain("remsi", value, by, low, min(max(value.high, 0), by.high - 1))

    def compare(self, predicate: str, a: Number, b: Number) -> Number:
        a, b = self.alike(a, b)
        kind = "cmpf" if a.element in FLOATS else "cmpi"
        name = PREDICATES[predicate][a.element in FLOATS]
        if name[0] == "s" and min(a.low, b.low) >= 0 and self.chance(0.1):
            name = "u" + name[1:]
        text = f"arith.{kind} {name}, {a.name}, {b.name} : {a.type}"
        return self.op(text, a.shape, "i1", 0, 1)

    def select(self, condition: Number, a: Number, b: Number) -> Number:
        condition, a, b = self.alike(condition, a, b)
        kinds = f"{condition.type}, {a.type}" if condition.shape else a.type
        text = f"arith.select {condition.name}, {a.name}, {b.name} : {kinds}"
        return self.op(text, a.shape, a.element, min(a.low, b.low), max(a.high, b.high))

    def all_of(self, masks: Sequence[Number]) -> Number | None:
        total = masks[0] if masks else None
        for mask in masks[1:]:
            assert total is not None
            total = self.plain("andi", total, mask, 0, 1)
        return total

    def kept_small(self, value: Number, most: int = SMALL) -> Number:
        top, bottom = self.number(most, value), self.number(-most, value)
        return self.arith("max", self.arith("min", value, top), bottom)

    def at_most(self, value: Number, most: int) -> Number:
        """Return a number no larger than `most`: the same, or one kept small."""
        return value if value.largest <= most else self.kept_small(value, min(SMALL, most))

    # --- conversions --------------------------------------------------------------------

    def converted(self, value: Number, element: str) -> Number:
        """Return a number in another type; kept small where that cannot hold it."""
        if value.element == element:
            return value
        value = self.at_most(value, LIMITS[element])
        if {value.element, element} == {"bf16", "f16"}:
            value = self.converted(value, "f32")
        kind = type_of(value.shape, element)
        text = f"arith.{self.conversion(value, element)} {value.name} : {value.type} to {kind}"
        return self.op(text, value.shape, element, value.low, value.high)

    def conversion(self, value: Number, element: str) -> str:
        wider = WIDTHS[element] > WIDTHS[value.element]
        unsigned = value.element == "i1" or (value.low >= 0 and self.chance(0.2))
        match value.element in INTEGERS, element in INTEGERS:
            case True, True:
                return ("extui" if unsigned else "extsi") if wider else "trunci"
            case True, False:
                return "uitofp" if unsigned else "sitofp"
            case False, True:
                return "fptosi"
            case _:
                return "extf" if wider else "truncf"
