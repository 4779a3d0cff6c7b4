"""
Functions of f32 by polynomials of intervals, whose coefficients lie in registers of 16 numbers.

    f(x) = ((c5[j]·d + c4[j])·d + ...) + c0[j], where d = |x| - j·w

An instruction of AVX-512 looks up a coefficient for each lane, and takes as long as another step of
a polynomial does: so one of degree 5 does what takes two of degrees 6 and 10 without.
"""

from dataclasses import dataclass

from xtriton.cpu.mathlib.conversions import F32_MANTISSA
from xtriton.cpu.mathlib.lanes import Lanes
from xtriton.cpu.types import F32, float_constant

HOLD = 1.5 * 2.0**F32_MANTISSA
"""Added to a number that is small it leaves the nearest integer in the lowest bits."""


@dataclass(frozen=True)
class Intervals:
    """
    An odd function of x: in the first `relative` intervals f(x)/x - 1 is a polynomial, later f(x).

    Intervals are `width` wide, the first of which is half below 0. From `most` on, a number in the
    last of them, f(x) is what it is there. `coefficients` are from the highest power to the lowest.
    """

    width: float
    most: float
    relative: int
    coefficients: tuple[tuple[float, ...], ...]

    def __call__(self, e: Lanes, x: str) -> str:
        """Append what computes the function of each lane of x, and return its results."""
        magnitude = e.intrinsic("fabs", x)
        t = e.select(e.compare("ogt", magnitude, self.most), self.most, magnitude)
        total = e.muladd(t, 1 / self.width, HOLD)
        number = e.sub(total, HOLD)
        d, bits = e.muladd(number, -self.width, t), e.bits(total)
        y, *others = (_coefficient(e, row, bits) for row in self.coefficients)
        for coefficient in others:
            y = e.muladd(y, d, coefficient)
        is_relative = e.compare("olt", number, self.relative - 0.5)
        y = e.select(is_relative, e.muladd(y, t, t), y)
        return e.intrinsic("copysign", y, x)


def _coefficient(e: Lanes, numbers: tuple[float, ...], bits: str) -> str:
    table = [float_constant(number, F32) for number in numbers]
    return e.looked_up("float", "avx512.permvar.sf.512", table, bits)


ERF = (
    (0.0, -0.03654091, -0.04966256, -0.03541513, -0.067480266, -0.041699782, -0.00950479,
     0.009160215, 0.012897414, 0.009281547, 0.0048198295, 0.0019690956, 0.00065651967,
     0.00018216559, 4.2568638e-05, -0.001281648),
    (0.11216798, 0.08706667, 0.028197749, -0.029099908, 0.057889488, -0.014920164, -0.047186963,
     -0.045575377, -0.030084305, -0.015399256, -0.006404011, -0.0022141447, -0.0006449867,
     -0.00015965603, -3.377853e-05, -0.0007034712),
    (0.0, 0.10767646, 0.16892484, 0.16660595, 0.1468647, 0.16570833, 0.12946105, 0.07913909,
     0.03957953, 0.016550345, 0.005858277, 0.0017690427, 0.00045813224, 0.00010212773,
     1.9651165e-05, 1.3888266e-05),
    (-0.3761222, -0.3326797, -0.22147407, -0.08755411, -0.4007607, -0.27470383, -0.15817143,
     -0.077476084, -0.032528277, -0.011763084, -0.0036761197, -0.0009951614, -0.00023377055,
     -4.771471e-05, -8.470824e-06, 9.534375e-06),
    (0.0, -0.18676135, -0.33199638, -0.41175273, 0.38776752, 0.21263605, 0.102027416, 0.042836245,
     0.015736947, 0.005058761, 0.0014229268, 0.0003502158, 7.5423006e-05, 1.4213045e-05,
     2.3436128e-06, 4.1857461e-07),
    (0.12837917, 0.10376462, 0.03550102, -0.06208122, 0.85614806, 0.9322995, 0.97164893,
     0.98946613, 0.99653536, 0.9989931, 0.9997418, 0.99994165, 0.9999884, 0.999998, 0.9999997,
     0.99999994),
)  # fmt: skip
"""Of erf(x)/x - 1 in the first four intervals, of erf(x) in the others."""

INTERVALS = {
    # A width with which the later ones of the lowest coefficients are almost f32.
    "erf": Intervals(0.2583761215209961, 3.99, 4, ERF),
}
"""By their names in `math`; results of erf are off by 0.75 units in the last place at most."""
