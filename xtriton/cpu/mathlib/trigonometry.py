"""
Sine and cosine of f32: reduced and evaluated in double, so right to the last place.

The quadrant is found with π/2 in two doubles, which is exact enough up to |x| = 2^30; beyond
that an f32 is further from its neighbour than a period, and the result is NaN.
"""

import math

from xtriton.cpu.mathlib.core import Expressions, function

HALF_PI_HIGH = math.pi / 2
HALF_PI_LOW = 6.123233995736766e-17
LARGEST = 2.0**30
SINE = (-1 / 39916800, 1 / 362880, -1 / 5040, 1 / 120, -1 / 6)
COSINE = (-1 / 3628800, 1 / 40320, -1 / 720, 1 / 24, -1 / 2)


def _sine(e: Expressions, x: str, quadrants: int) -> str:
    """sin(x + quadrants·π/2)."""
    b = e.builder
    d = Expressions(b, "double")
    wide = b.value(f"fpext float {x} to double")
    n = d.intrinsic("rint", d.mul(wide, 2 / math.pi))
    r = d.muladd(n, -HALF_PI_HIGH, wide)
    r = d.muladd(n, -HALF_PI_LOW, r)
    known = d.intrinsic("maxnum", d.intrinsic("minnum", n, LARGEST), -LARGEST)
    count = b.value(f"fptosi double {known} to i32")
    quadrant = b.value(f"add i32 {count}, {quadrants}")
    square = d.mul(r, r)
    sine = d.muladd(d.mul(d.polynomial(square, SINE), square), r, r)
    cosine = d.muladd(d.polynomial(square, COSINE), square, 1.0)
    odd = b.value(f"trunc i32 {quadrant} to i1")
    value = d.select(odd, cosine, sine)
    negative = b.value(f"trunc i32 {b.value(f'lshr i32 {quadrant}, 1')} to i1")
    value = d.select(negative, b.value(f"fneg double {value}"), value)
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
