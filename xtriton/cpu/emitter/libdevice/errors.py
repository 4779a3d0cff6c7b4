"""The error function's relatives: inverses, the scaled complement and the normal distribution."""

from __future__ import annotations

import math

from xtriton.cpu.emitter.libdevice.rules import Doubles, families, of_f64

_INFINITY = math.inf
_SLOPE = 2 / math.sqrt(math.pi)
"""Of the error function at 0."""

# --- inverses ---------------------------------------------------------------------------

_NEAR_ONE = (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
             -0.00125372503, -0.00417768164, 0.246640727, 1.50140941)  # fmt: skip
_AT_THE_ENDS = (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                -0.0076224613, 0.00943887047, 1.00167406, 2.83297682)  # fmt: skip
"""
Coefficients of the inverse error function by w = -log(1 - x^2), highest power first: of w - 2.5
below w = 5, of sqrt(w) - 3 beyond. From "Approximating the erfinv function", M. Giles, 2010.
"""
_STEPS = 2
"""Of Newton's method, each of which doubles the 7 right digits that the polynomials have."""


def _erfinv(e: Doubles, x: str) -> str:
    """Compute on the magnitude; sums end near 1 where only `erfc` is exact."""
    size = e.intrinsic("fabs", x)
    rest = e.sub(1.0, size)
    w = e.negative(e.of_c("log", e.mul(rest, e.add(1.0, size))))
    near = e.compare("olt", w, 5.0)
    argument = e.select(near, e.sub(w, 2.5), e.sub(e.intrinsic("sqrt", w), 3.0))
    factor = e.text(0.0)
    for pair in zip(_NEAR_ONE, _AT_THE_ENDS, strict=True):
        factor = e.fma(factor, argument, e.select(near, *pair))
    found = e.mul(factor, size)
    for _ in range(_STEPS):
        # The error of erf(found), which near 1 is that of erfc(found).
        below = e.sub(e.of_c("erf", found), size)
        beyond = e.sub(rest, e.of_c("erfc", found))
        error = e.select(e.compare("olt", size, 0.5), below, beyond)
        slope = e.of_c("exp", e.negative(e.mul(found, found)))
        found = e.sub(found, e.div(e.mul(error, 1 / _SLOPE), slope))
    found = e.select(e.compare("oeq", rest, 0.0), _INFINITY, found)
    return e.intrinsic("copysign", found, x)


_QUANTILE = (0.010328, 0.802853, 2.515517), (0.001308, 0.189269, 1.432788, 1.0)
"""
Of the quantiles of the normal distribution, to 4.5e-4 from any probability.

From "Handbook of Mathematical Functions", Abramowitz and Stegun, 26.2.23; highest power first.
"""
_CUBIC_STEPS = 3
"""Of Halley's method, each of which triples the right digits."""


def _erfcinv(e: Doubles, y: str) -> str:
    """Compute for at most 1, and mirror: 2 - y is exact there."""
    upper = e.compare("ogt", y, 1.0)
    y = e.select(upper, e.sub(2.0, y), y)
    rest = e.sub(1.0, y)
    t = e.intrinsic("sqrt", e.mul(e.of_c("log", e.mul(y, 0.5)), -2.0))
    above, below = (e.polynomial(t, coefficients) for coefficients in _QUANTILE)
    found = e.mul(e.sub(t, e.div(above, below)), math.sqrt(0.5))
    for _ in range(_CUBIC_STEPS):
        # Near 1 the complement alone would cancel.
        small = e.sub(e.of_c("erfc", found), y)
        large = e.sub(rest, e.of_c("erf", found))
        error = e.select(e.compare("olt", y, 0.5), small, large)
        slope = e.of_c("exp", e.negative(e.mul(found, found)))
        step = e.div(e.mul(error, 1 / _SLOPE), slope)
        found = e.add(found, e.div(step, e.sub(1.0, e.mul(found, step))))
    found = e.select(e.compare("oeq", y, 0.0), _INFINITY, found)
    found = e.select(e.compare("oeq", rest, 0.0), 0.0, found)
    return e.select(upper, e.negative(found), found)


# --- the normal distribution ------------------------------------------------------------

_ROOT = math.sqrt(0.5)
_ROOT_REST = -4.833646656726457e-17
"""What the square root of 1/2 is more than the double next to it."""


def _normcdf(e: Doubles, x: str) -> str:
    """erfc(-x/√2)/2; far out what the quotient leaves behind counts, by the slope there."""
    high, low = e.times_pair(x, -_ROOT, -_ROOT_REST)
    low = e.finite_or(x, low, 0.0)
    slope = e.mul(e.of_c("exp", e.negative(e.mul(high, high))), -_SLOPE)
    return e.mul(e.fma(low, slope, e.of_c("erfc", high)), 0.5)


def _normcdfinv(e: Doubles, p: str) -> str:
    found = e.mul(_erfcinv(e, e.mul(p, 2.0)), math.sqrt(2))
    return e.sub(0.0, found)


# --- the scaled complement --------------------------------------------------------------

_FAR = 10.0
"""Where so many terms of the series about infinity are more than a double holds."""
_TERMS = 14


def _series_at_infinity() -> list[float]:
    """Return the coefficients of √π·x·erfcx(x) by 1/x², highest power first."""
    found = [1.0]
    for k in range(1, _TERMS):
        found.append(found[-1] * -(2 * k - 1) / 2)
    return found[::-1]


def _erfcx(e: Doubles, x: str) -> str:
    """e^(x²)·erfc(x) with the square in two parts, as 1/x² says far out."""
    square = e.mul(x, x)
    rest = e.finite_or(square, e.fma(x, x, e.negative(square)), 0.0)
    power = e.of_c("exp", square)
    power = e.finite_or(power, e.fma(power, rest, power), power)
    near = e.mul(power, e.of_c("erfc", x))
    inverse = e.div(1.0, x)
    series = e.polynomial(e.mul(inverse, inverse), _series_at_infinity())
    far = e.mul(e.mul(inverse, 1 / math.sqrt(math.pi)), series)
    return e.select(e.compare("ogt", x, _FAR), far, near)


FAMILIES = families(
    (r"erfinvf?", of_f64("erfinv", _erfinv)),
    (r"erfcinvf?", of_f64("erfcinv", _erfcinv)),
    (r"erfcxf?", of_f64("erfcx", _erfcx)),
    (r"normcdff?", of_f64("normcdf", _normcdf)),
    (r"normcdfinvf?", of_f64("normcdfinv", _normcdfinv)),
)
