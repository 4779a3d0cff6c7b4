"""
Sine and cosine of f32: reduced and evaluated in double, so right to the last place.

The multiple of π that is taken away is found with π in two doubles, which is exact enough up to
|x| = 2^30; beyond that an f32 is further from its neighbour than a period, and the result is NaN.

Near 0 they are made of f32 alone, in half the time and off by 1.6 units of the last place: the
multiple of π/2 is taken away in three parts, of which the first leaves no error, and the rest, up
to π/4, goes into polynomials of Cephes (S. L. Moshier, `sinf` and `cosf`).
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
NEAR = 2.0**16
"""What is near: multiples of π/2 up to there are exact enough in three parts."""
HALF_PI = (1.5707962512969971, 7.549789415861596e-8, 5.390302953474238e-15)
"""π/2 in f32, each part less than what is left, so that none changes the sign of a zero."""
NEAR_SINE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
"""(sin(r) - r)/r³ in r², for |r| up to π/4."""
NEAR_COSINE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
"""(cos(r) - 1 + r²/2)/r⁴ in r², there."""
NEAR_SHIFT = 1.5 * 2.0**23
"""`SHIFT` for f32 below 2^22."""
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


def _near_sine(e: Expressions, x: str, quadrants: int) -> str:
    """sin(x + quadrants·π/2) for |x| up to `NEAR`."""
    shifted = e.muladd(x, 2 / math.pi, NEAR_SHIFT)
    n, r = e.sub(shifted, NEAR_SHIFT), x
    for part in HALF_PI:
        r = e.muladd(n, -part, r)
    square = e.mul(r, r)
    # Nothing is added for the sake of a zero, which keeps its sign.
    sine = e.muladd(e.muladd(e.polynomial(square, NEAR_SINE), square, 0.0), r, r)
    cosine = e.muladd(square, -0.5, 1.0)
    cosine = e.muladd(e.polynomial(square, NEAR_COSINE), e.mul(square, square), cosine)
    quadrant = e.integer("add", e.bits(shifted), quadrants)
    odd = e.builder.value(f"trunc i32 {quadrant} to i1")
    sign = e.integer("and", e.integer("shl", quadrant, 30), -(1 << 31))
    return e.from_bits(e.integer("xor", e.bits(e.select(odd, cosine, sine)), sign))


@function("sin_near")
def sin_near(e: Expressions, x: str) -> str:
    return _near_sine(e, x, 0)


@function("cos_near")
def cos_near(e: Expressions, x: str) -> str:
    return _near_sine(e, x, 1)
