"""
Sine and cosine of f32: reduced and evaluated in double, so right to the last place.

The multiple of π that is taken away is found with π in two doubles, which is exact enough up to
|x| = 2^30; beyond that an f32 is further from its neighbour than a period, and the result is NaN.
"""

import math

from xtriton.cpu.mathlib.core import Expressions, function

PI_LOW = 1.2246467991473532e-16
"""What pi is larger than its double."""
LARGEST = 2.0**30
SINE = (
    -2.3889498379637063e-08,
    2.7525873532988488e-06,
    -1.9840890501943674e-4,
    8.333331424160099e-3,
    -1.6666666638975983e-1,
)
"""(sin(r) - r)/r³ in r², for |r| up to π/2; sin(r) is off by 2^-34, relatively."""
SHIFT = 1.5 * 2.0**52
"""Added to a number below 2^51 it leaves the nearest integer in the lowest bits."""


def _sine(e: Expressions, x: str, quadrants: int) -> str:
    """sin(x + quadrants·π/2), for 0 or 1 quadrant."""
    b = e.builder
    d = Expressions(b, "double")
    wide = b.value(f"fpext float {x} to double")
    if quadrants == 0:
        shifted = d.muladd(wide, 1 / math.pi, SHIFT)
    else:
        shifted = d.add(d.muladd(wide, 1 / math.pi, quadrants / 2), SHIFT)
    n = d.sub(d.sub(shifted, SHIFT), quadrants / 2)
    r = d.muladd(n, -math.pi, wide)
    r = d.muladd(n, -PI_LOW, r)
    square = d.mul(r, r)
    sine = d.muladd(d.mul(d.polynomial(square, SINE), square), r, r)
    odd = b.value(f"shl i64 {d.bits(shifted)}, 63")
    value = d.from_bits(b.value(f"xor i64 {d.bits(sine)}, {odd}"))
    result = b.value(f"fptrunc double {value} to float")
    result = e.select(e.compare("ugt", e.intrinsic("fabs", x), LARGEST), math.nan, result)
    return e.select(e.compare("oeq", x, 0.0), x, result) if quadrants == 0 else result


@function("sin")
def sin(e: Expressions, x: str) -> str:
    return _sine(e, x, 0)


@function("cos")
def cos(e: Expressions, x: str) -> str:
    return _sine(e, x, 1)


@function("tan")
def tan(e: Expressions, x: str) -> str:
    return e.div(_sine(e, x, 0), _sine(e, x, 1))
