"""What a rule of a library function is, and functions of f64 that others are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.mathlib.core import Expressions, Function, define

Rule = Callable[[IRBuilder, str, str, Sequence[Operand]], Operand]
"""
Takes the builder, the LLVM type of the first operand and of the result, and the operands; returns
the register of the result.
"""

Maker = Callable[[re.Match[str]], Rule]
Families = tuple[tuple[re.Pattern[str], Maker], ...]
"""Names of functions without `__nv_`, and what makes the rule of one."""


def families(*rows: tuple[str, Maker]) -> Families:
    """Return a table of rules by patterns of names."""
    return tuple((re.compile(pattern), make) for pattern, make in rows)


def of_f64(name: str, written: Function) -> Maker:
    """
    Return what computes `written` in f64, whatever float the function is of.

    It becomes a function of the module. An f32 comes out rounded once more, to half a unit in the
    last place.
    """

    def rule(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        full_name = f"xt.{name}.{len(xs)}.f64"
        if full_name not in b.module.definitions:
            define(b, full_name, "double", ["double"] * len(xs), written, Doubles)
        if type == "float":
            xs = [b.value(f"fpext float {x} to double") for x in xs]
        found = b.call_defined("double", full_name, [("double", x) for x in xs])
        return found if type == "double" else b.value(f"fptrunc double {found} to float")

    return lambda match: rule


class Doubles(Expressions):
    """Arithmetic of f64 with functions of C's library, and of numbers in two parts."""

    def __init__(self, builder: IRBuilder):
        super().__init__(builder, "double")

    def of_c(self, name: str, *values: float | str) -> str:
        arguments = [("double", self.text(value)) for value in values]
        return self.builder.call("double", name, arguments)

    def fma(self, a: float | str, b: float | str, c: float | str) -> str:
        """a·b + c, rounded once."""
        return self.intrinsic("fma", a, b, c)

    def times_pair(self, x: str, high: float, low: float) -> tuple[str, str]:
        """Return x·(high + low) as the nearest double and what is left."""
        product = self.mul(x, high)
        rest = self.fma(x, high, self.negative(product))
        return product, self.fma(x, low, rest)

    def finite_or(self, x: str, value: float | str, otherwise: float | str) -> str:
        """Return `value` where `x` is finite, `otherwise` elsewhere."""
        finite = self.compare("olt", self.intrinsic("fabs", x), float("inf"))
        return self.select(finite, value, otherwise)
