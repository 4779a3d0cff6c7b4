"""Modified Bessel functions by their series, about 0 and about infinity; the others are C's."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.libdevice.rules import Doubles, Rule, families, of_f64

_FAR = 20.0
"""From here on the series about infinity has a double's digits, up to here that about 0."""
_TERMS = 38
_TERMS_AT_INFINITY = 31


def _about_zero(order: int) -> list[float]:
    """Return 1 / (k! (k + order)!), highest power first; the function is (x/2)^order times it."""
    powers = range(_TERMS)
    exact = [Fraction(1, math.factorial(k) * math.factorial(k + order)) for k in powers]
    return [float(value) for value in reversed(exact)]


def _about_infinity(order: int) -> list[float]:
    """Return the coefficients of √(2πx)·e^(-x)·I(x) by 1/x, highest power first."""
    found = [Fraction(1)]
    for k in range(1, _TERMS_AT_INFINITY):
        found.append(found[-1] * Fraction((2 * k - 1) ** 2 - 4 * order**2, 8 * k))
    return [float(value) for value in reversed(found)]


def _modified(e: Doubles, x: str, *, order: int) -> str:
    size = e.intrinsic("fabs", x)
    half = e.mul(size, 0.5)
    near = _polynomial_of_square(e, half, _about_zero(order))
    if order:
        near = e.mul(near, half)
    series = e.polynomial(e.div(1.0, size), _about_infinity(order))
    # In two steps, as e^x is infinite before the function is.
    root = e.of_c("exp", half)
    scale = e.div(e.mul(root, 1 / math.sqrt(2 * math.pi)), e.intrinsic("sqrt", size))
    far = e.finite_or(size, e.mul(e.mul(scale, series), root), size)
    found = e.select(e.compare("olt", size, _FAR), near, far)
    return e.intrinsic("copysign", found, x) if order else found


def _polynomial_of_square(e: Doubles, x: str, coefficients: Sequence[float]) -> str:
    """
    Return a polynomial of x².

    What the square loses by rounding the function makes ten times as much of at 20; it comes back
    by the slope.
    """
    square = e.mul(x, x)
    value, slope = e.text(coefficients[0]), e.text(0.0)
    for coefficient in coefficients[1:]:
        slope = e.fma(slope, square, value)
        value = e.fma(value, square, coefficient)
    return e.fma(e.fma(x, x, e.negative(square)), slope, value)


def _of_integer_order(match: re.Match[str]) -> Rule:
    name = match[1]

    def call(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        order, x = xs
        if result == "float":
            x = b.value(f"fpext float {x} to double")
        found = b.call("double", name, [("i32", order), ("double", x)])
        return found if result == "double" else b.value(f"fptrunc double {found} to float")

    return call


FAMILIES = families(
    (r"cyl_bessel_i0f?", of_f64("i0", partial(_modified, order=0))),
    (r"cyl_bessel_i1f?", of_f64("i1", partial(_modified, order=1))),
    (r"(jn|yn)f?", _of_integer_order),
)
