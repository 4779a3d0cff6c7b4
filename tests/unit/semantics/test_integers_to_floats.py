"""Integers become floats with one rounding: judged by exact rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from xtriton.semantics import element, function
from xtriton.semantics.float_formats import FORMATS, FloatFormat

# 8 exponent bits or more: the formats that reach beyond 2**53; and those that overflow.
FLOATS = ("f64", "f32", "bf16", "tf32", "f16", "f8E5M2", "f8E4M3FN", "f8E4M3", "f8E5M2FNUZ")
_IEEE = {
    "f32": FloatFormat("f32", 8, 23, 127, "ieee"),
    "f64": FloatFormat("f64", 11, 52, 1023, "ieee"),
}


def nearest(number: int, format: FloatFormat) -> float:
    """Return the float of `format` nearest to an integer, ties to even, infinite or NaN beyond."""
    if number == 0:
        return 0.0
    size = abs(number)
    unit = Fraction(2) ** (max(size.bit_length() - 1, format.smallest_exponent) - format.mantissa)
    # Python rounds halves to even.
    result = round(size / unit) * unit
    if result > Fraction(format.largest):
        result = float("inf") if format.special == "ieee" else float("nan")
    return -float(result) if number < 0 else float(result)


def beside_ties(mantissa: int, width: int) -> list[int]:
    """Return integers of `width` bits at, just below and just above ties of a significand."""
    found: list[int] = []
    for top in range(mantissa + 2, width):
        for significand in ((1 << mantissa), (1 << mantissa) + 1, (2 << mantissa) - 1):
            tie = (2 * significand + 1) << (top - mantissa - 2)
            found += [tie + d for d in (-1, 0, 1)]
            # The same beside what f64 holds: one bit more must not be lost.
            found += [tie + (1 << max(top - 53, 0)), tie - (1 << max(top - 53, 0))]
    return [n for n in found if 0 <= n < 1 << width]


def samples(mantissa: int, width: int, *, signed: bool) -> list[int]:
    rng = np.random.default_rng(0)
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    numbers = [*beside_ties(mantissa, width), low, low + 1, high, high - 1, 0, 1]
    numbers += [2**53 + d for d in range(-2, 5)] if width == 64 else []
    numbers += [int(n) for n in rng.integers(low, high, 200, np.int64 if signed else np.uint64)]
    if signed:
        numbers += [-n for n in numbers]
    return [n for n in numbers if low <= n <= high]


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("integer", ["i64", "i32", "i8"])
@pytest.mark.parametrize("op", ["arith.sitofp", "arith.uitofp"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_one_rounding(op: str, integer: str, name: str):
    source, target = element(integer), element(name)
    format = FORMATS.get(name) or _IEEE[name]
    signed = op == "arith.sitofp"
    numbers = samples(format.mantissa, source.width, signed=signed)
    carried = np.array([source.constant(n) for n in numbers])
    ours = function(op, [source], target)(carried)
    wanted = np.array([nearest(n, format) for n in numbers], target.carrier)
    np.testing.assert_array_equal(ours, wanted)


@pytest.mark.parametrize("name", FLOATS)
def test_false_is_positive_zero(name: str):
    converted = function("arith.sitofp", [element("i1")], element(name))(np.array([False, True]))
    np.testing.assert_array_equal(converted, [0.0, -1.0])
    assert not np.signbit(converted[0])
