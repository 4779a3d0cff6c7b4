# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
"""
Special functions of libdevice, within what CUDA documents for them.

References are exact: sums of fractions, or C's functions on f64 for what is f32.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from tests.unit.cpu.test_elementwise import NUMPY, N, elementwise

RNG = np.random.default_rng(0)
INF, NAN = math.inf, math.nan


def computed(native: Any, name: str, type: str, *given: Any) -> Any:
    """Return what `__nv_name` makes of arrays of one type."""
    symbol = f"__nv_{name}{'f' if type == 'f32' else ''}"
    arrays = [np.resize(np.asarray(x, NUMPY[type]), N) for x in given]
    types, names = [type] * len(arrays), ", ".join(f"%{n}" for n in "abcd"[: len(arrays)])
    listed = ", ".join(types)
    body = elementwise(f"func.call @{symbol}({names}) : ({listed}) -> {type}", types, type)
    helpers = f"  func.func private @{symbol}({listed}) -> {type}"
    return native(*body, [*arrays, np.zeros(N, NUMPY[type])], helpers=helpers)[-1]


def assert_within(found: Any, exact: Sequence[Any], ulps: float) -> None:
    """Fail unless each float is within so many units in the last place of an exact number."""
    for value, wanted in zip(found, exact, strict=True):
        nearest = found.dtype.type(float(wanted))
        unit = Fraction(float(np.spacing(np.abs(nearest))))
        error = abs(Fraction(float(value)) - Fraction(wanted)) / unit
        assert error <= ulps, (value, float(wanted), float(error))


def bessel(x: float, order: int) -> Fraction:
    """Sum up the series about 0, all of whose terms have one sign."""
    quarter = Fraction(x) ** 2 / 4
    term = total = (Fraction(x) / 2) ** order
    for k in range(1, 130):
        # What is cut off is too small to matter, and keeps fractions short.
        term = Fraction(round(term * quarter / (k * (k + order)) * 2**160), 2**160)
        total += term
    return total


@pytest.mark.parametrize("order", [0, 1])
def test_modified_bessel_functions(native: Any, order: int):
    x = np.concatenate([RNG.uniform(-1, 1, 16), RNG.uniform(-24, 24, 32), RNG.uniform(20, 60, 16)])
    found = computed(native, f"cyl_bessel_i{order}", "f64", x)
    assert_within(found, [bessel(v, order) for v in x], 6)
    x = x.astype(np.float32)
    found = computed(native, f"cyl_bessel_i{order}", "f32", x)
    assert_within(found, [bessel(float(v), order) for v in x], 1)


def test_modified_bessel_functions_far_out(native: Any):
    found = computed(native, "cyl_bessel_i0", "f64", [700, 713, 714, -INF, NAN, 0])[:6]
    np.testing.assert_allclose(
        found[:2], [1.5295933476718737e302, 6.7051282636709967e307], rtol=2e-15
    )
    np.testing.assert_array_equal(found[2:], [INF, INF, NAN, 1])
    found = computed(native, "cyl_bessel_i1", "f64", [-0.0, -INF, INF, NAN])[:4]
    np.testing.assert_array_equal(found, [-0.0, -INF, INF, NAN])


def sine_of_turns(x: float, quarters: int) -> float:
    """Return the sine of π·(x + quarters/2) by the angle that is left in an eighth of a turn."""
    half = Fraction(x) + Fraction(quarters, 2)
    nearest = round(2 * half)
    angle = float((half - Fraction(nearest, 2)) * Fraction(math.pi))
    rest = float((half - Fraction(nearest, 2)) * Fraction(1.2246467991473532e-16))
    sine, cosine = math.sin(angle), math.cos(angle)
    sine, cosine = sine + rest * cosine, cosine - rest * sine
    return (sine, cosine, -sine, -cosine)[nearest % 4]


@pytest.mark.parametrize(("name", "quarters"), [("sinpi", 0), ("cospi", 1)])
def test_sines_of_multiples_of_pi(native: Any, name: str, quarters: int):
    x = np.concatenate([RNG.uniform(-2, 2, 32), RNG.uniform(-1e6, 1e6, 16), RNG.uniform(0, 1, 16)])
    found = computed(native, name, "f64", x)
    assert_within(found, [sine_of_turns(v, quarters) for v in x], 2)
    x = x.astype(np.float32)
    found = computed(native, name, "f32", x)
    assert_within(found, [sine_of_turns(float(v), quarters) for v in x], 1)


def test_sines_of_whole_and_half_turns(native: Any):
    x = [0.0, -0.0, 1, -2, 0.5, -0.5, 1.5, 1e300, INF, NAN]
    found = computed(native, "sinpi", "f64", x)[:10]
    np.testing.assert_array_equal(found, [0, 0, 0, 0, 1, -1, -1, 0, NAN, NAN])
    assert [*np.signbit(found[:4])] == [False, True, False, True]
    found = computed(native, "cospi", "f64", x)[:10]
    np.testing.assert_array_equal(found, [1, 1, -1, 1, 0, 0, 0, 1, NAN, NAN])
    assert not np.signbit(found[4:7]).any()


SPECIAL: dict[str, tuple[tuple[float, float], Callable[[float], float]]] = {
    "erfcx": ((-9, 5), lambda x: math.exp(x * x) * math.erfc(x)),
    "normcdf": ((-12, 6), lambda x: math.erfc(-x * math.sqrt(0.5)) / 2),
}


@pytest.mark.parametrize("name", SPECIAL)
def test_f32_is_rounded_once(native: Any, name: str):
    limits, function = SPECIAL[name]
    x = RNG.uniform(*limits, N).astype(np.float32)
    found = computed(native, name, "f32", x)
    assert_within(found, [function(float(v)) for v in x], 0.51)


@pytest.mark.parametrize(
    ("name", "limits", "function"),
    [
        ("erfcx", (-20, 60), torch.special.erfcx),
        ("normcdf", (-8, 8), lambda x: torch.special.erfc(x * -math.sqrt(0.5)) / 2),
        ("normcdfinv", (0, 1), torch.special.ndtri),
    ],
)
def test_special_functions_of_f64(native: Any, name: str, limits: tuple[int, int], function: Any):
    x = RNG.uniform(*limits, N)
    wanted = function(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(computed(native, name, "f64", x), wanted, rtol=5e-14)


def test_tails(native: Any):
    """Values to 16 digits, where a rounded argument alone would cost several."""
    found = computed(native, "normcdf", "f64", [-30, -38, INF, -INF, NAN])[:5]
    np.testing.assert_allclose(found[0], 4.906713927148187e-198, rtol=1e-15)
    np.testing.assert_array_equal(found[2:], [1, 0, NAN])
    found = computed(native, "erfcx", "f64", [30, 1e300, INF, -30, -1e300, -INF, NAN])[:7]
    np.testing.assert_allclose(found[:2], [0.018795888861416751, 5.6418958354775628e-301], 1e-15)
    np.testing.assert_array_equal(found[2:], [0, INF, INF, INF, NAN])


@pytest.mark.parametrize("type", ["f32", "f64"])
def test_the_inverse_of_the_complement(native: Any, type: str):
    y = np.concatenate(
        [RNG.uniform(0, 2, 24), RNG.uniform(0.9, 1.1, 16), 10.0 ** -RNG.uniform(0, 30, 24)]
    )
    y = y.astype(NUMPY[type])
    found = computed(native, "erfcinv", type, y)
    eps = float(np.finfo(y.dtype).eps)
    for x, value in zip(found.tolist(), y.tolist(), strict=True):
        # The complement is steep far out; near 1 what is left to 1 counts.
        assert math.isclose(math.erfc(x), value, rel_tol=8 * eps * max(1, x * x))
        if 0.5 < value < 1.5:
            assert math.isclose(math.erf(x), 1 - value, rel_tol=4 * eps)
    ends = computed(native, "erfcinv", type, [0, 1, 2, -1, 3, NAN])[:6]
    np.testing.assert_array_equal(ends, [INF, 0, -INF, NAN, NAN, NAN])


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("type", ["f32", "f64"])
def test_lengths(native: Any, count: int, type: str):
    """Exactly, also where squares overflow or vanish."""
    xs = RNG.normal(0, 1, (count, N)) * 2.0 ** RNG.integers(-60, 60, N)
    if type == "f64":
        xs[:, :32] *= 2.0 ** np.repeat([900, -900], 16)
    xs = xs.astype(NUMPY[type])
    squares = [sum(Fraction(float(x)) ** 2 for x in column) for column in xs.T]
    exact = [Fraction(math.isqrt(int(s * 4**1100)), 2**1100) for s in squares]
    inverse = computed(native, "rhypot" if count == 2 else f"rnorm{count}d", type, *xs)
    assert_within(inverse, [1 / v for v in exact], 1)
    if count > 2:
        assert_within(computed(native, f"norm{count}d", type, *xs), exact, 1)


def test_lengths_that_are_no_numbers(native: Any):
    xs = [[0, INF, NAN, NAN], [0, 1, 1, -INF], [0, NAN, 1, 1]]
    np.testing.assert_array_equal(computed(native, "norm3d", "f64", *xs)[:4], [0, INF, NAN, INF])
    np.testing.assert_array_equal(computed(native, "rnorm3d", "f64", *xs)[:4], [INF, 0, NAN, 0])
