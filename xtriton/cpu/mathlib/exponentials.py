"""
Exponentials and logarithms of f32, and what is made of them; 1 to 2 units in the last place.

Polynomials of exp are the best by Remez' algorithm, those of erf by Lawson's, with coefficients
rounded one after the other; those of log are of Cephes (S. L. Moshier, `logf`).
"""

import math
from dataclasses import dataclass

from xtriton.cpu.mathlib.conversions import F32_BIAS, F32_MANTISSA
from xtriton.cpu.mathlib.core import Expressions, function
from xtriton.cpu.mathlib.lanes import call_lanes
from xtriton.cpu.mathlib.powers import EXP2_BOUNDS, EXP_BOUNDS, LN2_HIGH, LN2_LOW, LOG2E

EXP = (1.3814612757e-3, 8.3687100559e-3, 4.1668388993e-2, 1.6666521132e-1, 4.9999994040e-1, 1.0)
"""(exp(r) - 1)/r for |r| up to ln(2)/2, off by 2^-28."""
EXP2 = (
    1.5353361960e-4,
    1.3398873853e-3,
    9.6184369177e-3,
    5.5503323674e-2,
    2.4022647738e-1,
    6.9314718246e-1,
)
"""(2^r - 1)/r for |r| up to 1/2, off by 2^-29."""
LOG = (
    7.0376836292e-2,
    -1.1514610310e-1,
    1.1676998740e-1,
    -1.2420140846e-1,
    1.4249322787e-1,
    -1.6668057665e-1,
    2.0000714765e-1,
    -2.4999993993e-1,
    3.3333331174e-1,
)
ERF_NEAR, ERF_MIDDLE, ERF_MOST = 1.0, 1.5, 4.0
"""
Up to the first erf is an odd polynomial; beyond, 1 less the square of another, 1 from the last on.

The second one is evaluated about the middle, where it is steep, lest its roundings add up.
"""
ERF = (
    7.80690316e-5,
    -7.9978531e-4,
    5.1871622e-3,
    -2.68533472e-2,
    1.12835787e-1,
    -3.7612626e-1,
    1.28379166e-1,
)
"""erf(x)/x - 1 in x^2, for |x| up to `ERF_NEAR`; erf(x) is off by 2^-29, relatively."""
ERFC_ROOT = (
    -1.10979581e-5,
    2.74607282e-5,
    3.82522005e-4,
    -2.05118116e-3,
    1.52956031e-3,
    1.26492549e-2,
    -3.07051316e-2,
    -2.39193607e-2,
    2.01159671e-1,
    -3.229945e-1,
    1.84105575e-1,
)
"""(1 - erf(x))^(1/2) in x - `ERF_MIDDLE`, for x up to `ERF_MOST`; erf(x) is off by 2^-26."""


SHIFT = 1.5 * 2.0**23 + 2 * F32_BIAS
"""Added to a number below 2^22 it leaves the nearest integer in the lowest bits, see `Whole`."""
SHIFT_BITS = 0x4B400000 + 2 * F32_BIAS
FIRST_SHIFT = SHIFT - F32_BIAS + 51
"""What makes of -152 two powers of two of which the second, -127, has an exponent of 0 bits."""


@dataclass(frozen=True)
class Whole:
    """An integer: as f32, and as the bits of its sum with `SHIFT`, which no conversion makes."""

    value: str
    shifted: str

    def integer(self, e: Expressions) -> str:
        return e.integer("sub", self.shifted, SHIFT_BITS)


def _nearest(e: Expressions, x: str, scale: float) -> Whole:
    """The integer nearest to x·scale."""
    total = e.muladd(x, scale, SHIFT)
    return Whole(e.sub(total, SHIFT), e.bits(total))


def _clamped(e: Expressions, x: str, low: float, high: float) -> str:
    """x between two bounds; NaN stays what it is."""
    below = e.select(e.compare("ogt", x, high), high, x)
    return e.select(e.compare("olt", below, low), low, below)


def _scaled(e: Expressions, y: str, n: Whole) -> str:
    """y·2^n, for n from -151 to 152; 0 for -152."""
    # In two steps, so that subnormal results round once.
    part = e.bits(e.muladd(n.value, 0.5, FIRST_SHIFT))
    first = e.from_bits(e.integer("shl", part, F32_MANTISSA))
    rest = e.from_bits(e.integer("shl", e.integer("sub", n.shifted, part), F32_MANTISSA))
    return e.mul(e.mul(y, first), rest)


def _reduced(e: Expressions, x: str) -> tuple[Whole, str]:
    """n and r with x = n·ln(2) + r."""
    n = _nearest(e, x, LOG2E)
    r = e.muladd(n.value, -LN2_HIGH, x)
    return n, e.muladd(n.value, -LN2_LOW, r)


@function("exp")
def exp(e: Expressions, x: str) -> str:
    if e.builder.module.looked_up:
        return call_lanes(e.builder, "exp", x)
    n, r = _reduced(e, _clamped(e, x, *EXP_BOUNDS))
    return _scaled(e, e.muladd(e.polynomial(r, EXP), r, 1.0), n)


@function("exp2")
def exp2(e: Expressions, x: str) -> str:
    if e.builder.module.looked_up:
        return call_lanes(e.builder, "exp2", x)
    clamped = _clamped(e, x, *EXP2_BOUNDS)
    n = _nearest(e, clamped, 1.0)
    r = e.sub(clamped, n.value)
    return _scaled(e, e.muladd(e.polynomial(r, EXP2), r, 1.0), n)


@function("exp_below")
def exp_below(e: Expressions, x: str) -> str:
    """The exponential of a number that is not above 0."""
    return call_lanes(e.builder, "exp_below", x) if _looks_up_16(e) else exp(e, x)


@function("exp2_below")
def exp2_below(e: Expressions, x: str) -> str:
    """Two to the power of a number that is not above 0."""
    return call_lanes(e.builder, "exp2_below", x) if _looks_up_16(e) else exp2(e, x)


def _looks_up_16(e: Expressions) -> bool:
    return e.builder.module.looked_up == 16


@function("expm1")
def expm1(e: Expressions, x: str) -> str:
    n, r = _reduced(e, _clamped(e, x, -20.0, 89.0))
    q = e.muladd(e.polynomial(r, EXP[:-1]), e.mul(r, r), r)
    # 2^n·q + (2^n - 1), with 2^n halved where it would overflow.
    exponent = n.integer(e)
    big = e.builder.value(f"icmp sgt i32 {exponent}, 64")
    shift = e.builder.value(f"select i1 {big}, i32 1, i32 0")
    power = e.power_of_two(e.integer("sub", exponent, shift))
    one = e.select(big, 0.5, 1.0)
    half = e.muladd(power, q, e.sub(power, one))
    result = e.mul(half, e.select(big, 2.0, 1.0))
    tiny = e.compare("olt", e.intrinsic("fabs", x), 1e-7)
    return e.select(tiny, x, result)


def split(e: Expressions, x: str) -> tuple[str, str]:
    """Mantissa minus one, in [sqrt(1/2) - 1, sqrt(2) - 1), and exponent of a positive x."""
    subnormal = e.compare("olt", x, 2.0**-126)
    normal = e.select(subnormal, e.mul(x, 2.0**24), x)
    offset = e.select(subnormal, -24.0, 0.0)
    bits = e.bits(normal)
    # Subtracting the bits of sqrt(1/2) carries into the exponent just where the mantissa is
    # at least sqrt(2).
    shifted = e.integer("sub", bits, 0x3F3504F3)
    exponent = e.integer("ashr", shifted, 23)
    mantissa = e.from_bits(e.integer("sub", bits, e.integer("shl", exponent, 23)))
    converted = e.builder.value(f"sitofp i32 {exponent} to float")
    return e.sub(mantissa, 1.0), e.add(converted, offset)


def _log_special(e: Expressions, x: str, result: str) -> str:
    result = e.select(e.compare("oeq", x, math.inf), math.inf, result)
    result = e.select(e.compare("oeq", x, 0.0), -math.inf, result)
    return e.select(e.compare("ult", x, 0.0), math.nan, result)


def _log_tail(e: Expressions, f: str) -> str:
    """log(1 + f) - f for f of `split`."""
    square = e.mul(f, f)
    cubic = e.mul(e.mul(f, square), e.polynomial(f, LOG))
    return e.muladd(square, -0.5, cubic)


@function("log")
def log(e: Expressions, x: str) -> str:
    f, n = split(e, x)
    tail = e.muladd(n, LN2_LOW, _log_tail(e, f))
    return _log_special(e, x, e.muladd(n, LN2_HIGH, e.add(tail, f)))


def _log_scaled(e: Expressions, x: str, scale: float, per_octave: float) -> str:
    """log(x)·scale, the product taken in two parts so that it rounds once."""
    f, n = split(e, x)
    tail = _log_tail(e, f)
    high = _high_part(e, f)
    low = e.add(e.sub(f, high), tail)
    scale_high = 8 * math.floor(scale * 512) / 4096
    scale_low = scale - scale_high
    small = e.muladd(low, scale, e.mul(high, scale_low))
    octaves_high = 8 * math.floor(per_octave * 512) / 4096
    result = e.muladd(n, per_octave - octaves_high, small)
    result = e.muladd(high, scale_high, result)
    return _log_special(e, x, e.muladd(n, octaves_high, result))


def _high_part(e: Expressions, f: str) -> str:
    """f with the lower half of its mantissa cleared."""
    return e.from_bits(e.integer("and", e.bits(f), -4096))


@function("log2")
def log2(e: Expressions, x: str) -> str:
    return _log_scaled(e, x, LOG2E, 1.0)


@function("log10")
def log10(e: Expressions, x: str) -> str:
    return _log_scaled(e, x, math.log10(math.e), math.log10(2))


@function("log1p")
def log1p(e: Expressions, x: str) -> str:
    u = e.add(x, 1.0)
    # log(u) is off by what the sum lost; the quotient x / (u - 1) makes up for it.
    difference = e.sub(u, 1.0)
    corrected = e.mul(log(e, u), e.div(x, difference))
    result = e.select(e.compare("oeq", difference, 0.0), x, corrected)
    return e.select(e.compare("oeq", x, math.inf), math.inf, result)


@function("tanh")
def tanh(e: Expressions, x: str) -> str:
    magnitude = e.intrinsic("fabs", x)
    doubled = e.add(magnitude, magnitude)
    large = e.sub(1.0, e.div(2.0, e.add(exp(e, doubled), 1.0)))
    large = e.intrinsic("copysign", large, x)
    square = e.mul(x, x)
    series = (
        -5.70498872745e-3,
        2.06390887954e-2,
        -5.37397155531e-2,
        1.33314422036e-1,
        -3.33332819422e-1,
    )
    small = e.muladd(e.mul(e.polynomial(square, series), square), x, x)
    return e.select(e.compare("olt", magnitude, 0.625), small, large)


@function("erf")
def erf(e: Expressions, x: str) -> str:
    if e.builder.module.looked_up == 16:
        return call_lanes(e.builder, "erf", x)
    magnitude = e.intrinsic("fabs", x)
    t = e.select(e.compare("ogt", magnitude, ERF_MOST), ERF_MOST, magnitude)
    root = e.polynomial(e.sub(t, ERF_MIDDLE), ERFC_ROOT)
    large = e.muladd(e.negative(root), root, 1.0)
    square = e.mul(x, x)
    small = e.muladd(e.polynomial(square, ERF), x, x)
    near = e.compare("olt", magnitude, ERF_NEAR)
    return e.select(near, small, e.intrinsic("copysign", large, x))


@function("rsqrt")
def rsqrt(e: Expressions, x: str) -> str:
    return e.div(1.0, e.intrinsic("sqrt", x))
