"""
Functions of f32 that are computed in f64 and rounded once: powers, roots, angles, hyperbolic ones.

In f32 they would need numbers in two parts, which takes longer. All are off by 0.51 units in the
last place at most. Polynomials interpolate at the zeros of Chebyshev's, coefficients from the
highest power to the lowest; special values are as in C (ISO/IEC 9899, annex F.10).
"""

from __future__ import annotations

import math

from xtriton.cpu.builder import IRBuilder
from xtriton.cpu.mathlib.core import Expressions, function
from xtriton.cpu.mathlib.exponentials import split

LOG2 = (
    0.28288502340748236, 0.31990680380701337, 0.41220922406110435, 0.57707794266030447,
    0.96179669411226483, 2.8853900817778506,
)  # fmt: skip
"""log2((1 + s)/(1 - s))/s in s², for |s| up to 3 - √8; off by 2^-45, relatively."""
EXP2 = (
    1.3255224878668817e-6, 1.5310079402249297e-5, 1.5403455852453839e-4, 1.3333450568000646e-3,
    9.6181291594025582e-3, 5.550410941205933e-2, 0.24022650695812988, 0.69314718054593345, 1.0,
)  # fmt: skip
"""2^r for |r| up to 1/2, off by 2^-39."""
ATAN = (
    1.0576074380572421e-3, -7.0306694704242131e-3, 2.1912945865448392e-2, -4.3928410733267464e-2,
    6.6852815178774237e-2, -8.7850432823628451e-2, 0.11050771275849661, -0.14278576024807984,
    0.19999558100363982, -0.33333322488911591, 0.99999999955353762,
)  # fmt: skip
"""atan(q)/q in q², for |q| up to 1; off by 2^-31, relatively."""
SINH = (
    2.8190187927929586e-6, 1.9835713875553469e-4, 8.3333532055163716e-3, 0.16666666418097758,
    1.0000000000497201,
)  # fmt: skip
"""sinh(x)/x in x², for |x| up to 1; off by 2^-34, relatively."""
SHIFT = 1.5 * 2.0**52
"""Added to a number below 2^51 it leaves the nearest integer in the lowest bits."""
MANTISSA, BIAS = 52, 1023
ROOT_BITS = 0x3FE6A09E667F3BCD
"""The bits of √(1/2)."""
SMALL = 2.0**-9
"""Below this two terms of a series are enough, and more than what is left of a sum with 1."""
OVER = 200.0
"""The exponent of a power of two that is no f32, as little as one over it is."""


class Wide(Expressions):
    """Arithmetic on `double`, of f32 and for them."""

    def __init__(self, builder: IRBuilder):
        super().__init__(builder, "double")

    def of(self, x: str) -> str:
        """An f32 as f64."""
        return self.builder.value(f"fpext float {x} to double")

    def rounded(self, x: str) -> str:
        """The f32 nearest to an f64."""
        return self.builder.value(f"fptrunc double {x} to float")

    def size(self, x: str) -> str:
        """The magnitude of an f32 as f64."""
        return self.intrinsic("fabs", self.of(x))

    def exp2(self, t: str) -> str:
        """2^t, for t of any size; NaN of NaN."""
        most = self.select(self.compare("ogt", t, OVER), OVER, t)
        within = self.select(self.compare("olt", most, -OVER), -OVER, most)
        total = self.add(within, SHIFT)
        r = self.sub(within, self.sub(total, SHIFT))
        biased = self.long("add", self.bits(total), BIAS)
        power = self.from_bits(self.long("shl", biased, MANTISSA))
        return self.mul(self.polynomial(r, EXP2), power)

    def log2(self, y: str) -> str:
        """The binary logarithm of a positive number that is neither subnormal nor infinite."""
        bits = self.bits(y)
        # What has a mantissa of √2 and more counts to the next power of two, see `split`.
        moved = self.long("add", self.long("sub", bits, ROOT_BITS), BIAS << MANTISSA)
        exponent = self.long("lshr", moved, MANTISSA)
        # No conversion: AVX2 has none of 64 bits.
        found = self.from_bits(self.long("or", exponent, (BIAS + MANTISSA) << MANTISSA))
        n = self.sub(found, 2.0**MANTISSA + BIAS)
        scale = self.long("shl", self.long("sub", BIAS, exponent), MANTISSA)
        f = self.sub(self.from_bits(self.long("add", bits, scale)), 1.0)
        return self.sum_of_logs(n, f)

    def sum_of_logs(self, n: str, f: str) -> str:
        """n + log2(1 + f), for f of `split`."""
        s = self.div(f, self.add(f, 2.0))
        return self.muladd(self.polynomial(self.mul(s, s), LOG2), s, n)

    def long(self, op: str, a: str | int, b: str | int) -> str:
        return self.builder.value(f"{op} i64 {a}, {b}")

    def angle(self, y: str, x: str) -> str:
        """The angle of the point (x, y) with the first axis, for magnitudes; NaN if one is."""
        steep = self.compare("ogt", y, x)
        most, least = self.select(steep, y, x), self.select(steep, x, y)
        # Of two zeros, and of two infinities, the quotient is taken to be 0 and 1.
        some = self.select(self.compare("oeq", most, 0.0), 1.0, most)
        quotient = self.div(least, some)
        q = self.select(self.compare("oeq", least, math.inf), 1.0, quotient)
        flat = self.mul(self.polynomial(self.mul(q, q), ATAN), q)
        found = self.select(steep, self.sub(math.pi / 2, flat), flat)
        return self.select(self.compare("uno", x, y), math.nan, found)


@function("pow")
def power(e: Expressions, x: str, y: str) -> str:
    d = Wide(e.builder)
    size, wide = e.intrinsic("fabs", x), d.of(y)
    result = d.rounded(d.exp2(d.mul(wide, _log2(e, d, size))))
    return _power_special(e, x, y, result)


def _log2(e: Expressions, d: Wide, x: str) -> str:
    """The binary logarithm of an f32 that is not negative, as f64."""
    f, n = split(e, x)
    found = d.sum_of_logs(d.of(n), d.of(f))
    found = d.select(e.compare("oeq", x, 0.0), -math.inf, found)
    return d.select(e.compare("oeq", x, math.inf), math.inf, found)


def _power_special(e: Expressions, x: str, y: str, result: str) -> str:
    """x to the power of y, where that of its magnitude is `result`, unless that is 1 to any."""
    b, size = e.builder, e.intrinsic("fabs", x)
    half = e.mul(y, 0.5)
    is_whole = e.compare("oeq", e.intrinsic("trunc", y), y)
    is_not_even = e.compare("une", e.intrinsic("trunc", half), half)
    is_negative = b.value(f"icmp slt i32 {e.bits(x)}, 0")
    is_odd = b.value(f"and i1 {is_whole}, {is_not_even}")
    turns = b.value(f"and i1 {is_odd}, {is_negative}")
    result = e.select(turns, e.negative(result), result)
    is_root = b.value(f"and i1 {e.compare('olt', x, 0.0)}, {b.value(f'xor i1 {is_whole}, true')}")
    has_none = b.value(f"and i1 {is_root}, {e.compare('one', size, math.inf)}")
    result = e.select(has_none, math.nan, result)
    result = e.select(e.compare("uno", x, x), math.nan, result)
    is_endless = e.compare("oeq", e.intrinsic("fabs", y), math.inf)
    of_one = b.value(f"and i1 {e.compare('oeq', size, 1.0)}, {is_endless}")
    of_one = b.value(f"or i1 {of_one}, {e.compare('oeq', x, 1.0)}")
    return e.select(b.value(f"or i1 {of_one}, {e.compare('oeq', y, 0.0)}"), 1.0, result)


@function("atan2")
def atan2(e: Expressions, y: str, x: str) -> str:
    d = Wide(e.builder)
    angle = d.angle(d.size(y), d.size(x))
    is_left = e.builder.value(f"icmp slt i32 {e.bits(x)}, 0")
    found = d.rounded(d.select(is_left, d.sub(math.pi, angle), angle))
    return e.intrinsic("copysign", found, y)


@function("atan")
def atan(e: Expressions, x: str) -> str:
    d = Wide(e.builder)
    return e.intrinsic("copysign", d.rounded(d.angle(d.size(x), d.text(1.0))), x)


@function("asin")
def asin(e: Expressions, x: str) -> str:
    d = Wide(e.builder)
    size = d.size(x)
    return e.intrinsic("copysign", d.rounded(d.angle(size, _other_side(d, size))), x)


@function("acos")
def acos(e: Expressions, x: str) -> str:
    d = Wide(e.builder)
    size = d.size(x)
    angle = d.angle(_other_side(d, size), size)
    is_left = e.compare("olt", x, 0.0)
    return d.rounded(d.select(is_left, d.sub(math.pi, angle), angle))


def _other_side(d: Wide, x: str) -> str:
    """√(1 - x²), NaN above 1."""
    return d.intrinsic("sqrt", d.mul(d.sub(1.0, x), d.add(1.0, x)))


@function("hypot")
def hypot(e: Expressions, x: str, y: str) -> str:
    d = Wide(e.builder)
    a, b = d.size(x), d.size(y)
    length = d.intrinsic("sqrt", d.muladd(a, a, d.mul(b, b)))
    for side in (a, b):
        length = d.select(d.compare("oeq", side, math.inf), math.inf, length)
    return d.rounded(length)


@function("sinh")
def sinh(e: Expressions, x: str) -> str:
    d = Wide(e.builder)
    wide = d.of(x)
    up, down = _halves(d, d.size(x))
    far = d.intrinsic("copysign", d.sub(up, down), wide)
    near = d.mul(d.polynomial(d.mul(wide, wide), SINH), wide)
    return d.rounded(d.select(d.compare("olt", d.size(x), 1.0), near, far))


@function("cosh")
def cosh(e: Expressions, x: str) -> str:
    d = Wide(e.builder)
    return d.rounded(d.add(*_halves(d, d.size(x))))


def _halves(d: Wide, x: str) -> tuple[str, str]:
    """Halves of the exponentials of x and of -x."""
    up = d.exp2(d.mul(x, 1 / math.log(2)))
    return d.mul(up, 0.5), d.div(0.5, up)


@function("cbrt")
def cbrt(e: Expressions, x: str) -> str:
    d, size = Wide(e.builder), e.intrinsic("fabs", x)
    found = d.rounded(d.exp2(d.mul(_log2(e, d, size), 1 / 3)))
    return e.select(e.compare("uno", x, x), x, e.intrinsic("copysign", found, x))


@function("asinh")
def asinh(e: Expressions, x: str) -> str:
    d = Wide(e.builder)
    size = d.size(x)
    square = d.mul(size, size)
    more = d.div(square, d.add(d.intrinsic("sqrt", d.add(square, 1.0)), 1.0))
    far = d.log2(d.add(d.add(size, more), 1.0))
    return _odd(e, x, (1, -1 / 6), far, d.compare("oeq", size, math.inf), None)


@function("atanh")
def atanh(e: Expressions, x: str) -> str:
    d = Wide(e.builder)
    size = d.size(x)
    far = d.mul(d.log2(d.div(d.add(size, 1.0), d.sub(1.0, size))), 0.5)
    ends, outside = d.compare("oeq", size, 1.0), d.compare("ogt", size, 1.0)
    return _odd(e, x, (1, 1 / 3), far, ends, outside)


def _odd(
    e: Expressions, x: str, series: tuple[float, float], far: str, ends: str, outside: str | None
) -> str:
    """
    A function that has the sign of x, of that sign: far from 0 by its binary logarithm.

    Near 0 it is a series; it is infinite where `ends` holds, and NaN where `outside` does.
    """
    d = Wide(e.builder)
    size = d.size(x)
    near = d.mul(d.muladd(d.mul(size, size), series[1], series[0]), size)
    found = d.select(d.compare("olt", size, SMALL), near, d.mul(far, math.log(2)))
    found = d.select(ends, math.inf, found)
    if outside is not None:
        found = d.select(outside, math.nan, found)
    found = d.select(d.compare("uno", size, size), math.nan, found)
    return e.intrinsic("copysign", d.rounded(found), x)


@function("acosh")
def acosh(e: Expressions, x: str) -> str:
    d = Wide(e.builder)
    more = d.sub(d.of(x), 1.0)
    root = d.intrinsic("sqrt", d.mul(more, d.add(more, 2.0)))
    found = d.mul(d.log2(d.add(d.add(more, root), 1.0)), math.log(2))
    found = d.select(e.compare("oeq", x, math.inf), math.inf, found)
    return d.rounded(d.select(e.compare("oge", x, 1.0), found, math.nan))
