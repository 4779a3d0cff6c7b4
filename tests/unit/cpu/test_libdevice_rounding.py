# pyright: reportUnknownLambdaType=false
"""Functions of libdevice that round down, up or toward zero: the float next to the exact result."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.test_elementwise import NUMPY, N, elementwise

RNG = np.random.default_rng(0)
MODES = ("rd", "ru", "rz")


def computed(native: Any, symbol: str, types: list[str], result: str, *given: Any) -> Any:
    """Return what a function makes of arrays."""
    arrays = [np.asarray(x).astype(NUMPY[t]) for x, t in zip(given, types, strict=True)]
    names, listed = ", ".join(f"%{n}" for n in "abc"[: len(types)]), ", ".join(types)
    call = f"func.call @__nv_{symbol}({names}) : ({listed}) -> {result}"
    helpers = f"  func.func private @__nv_{symbol}({listed}) -> {result}"
    arguments, body = elementwise(call, types, result)
    return native(arguments, body, [*arrays, np.zeros(N, NUMPY[result])], helpers=helpers)[-1]


def rounded(exact: Fraction, mode: str, dtype: Any) -> Any:
    """Return the float of a type on one side of an exact number."""
    near = dtype(float(exact))
    around = [near, np.nextafter(near, dtype(-math.inf)), np.nextafter(near, dtype(math.inf))]
    if mode == "rd" or (mode == "rz" and exact > 0):
        return max(f for f in around if Fraction(float(f)) <= exact)
    return min(f for f in around if Fraction(float(f)) >= exact)


def root(x: Fraction) -> Fraction:
    """Return a square root to so many digits that no float lies between it and the exact one."""
    return Fraction(math.isqrt(x.numerator * 4**400 // x.denominator), 2**400)


ARITHMETIC: dict[str, tuple[int, Callable[..., Fraction]]] = {
    "add": (2, lambda x, y: x + y),
    "sub": (2, lambda x, y: x - y),
    "mul": (2, lambda x, y: x * y),
    "div": (2, lambda x, y: x / y),
    "rcp": (1, lambda x: 1 / x),
    "sqrt": (1, root),
    "fma": (3, lambda x, y, z: x * y + z),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize("name", ARITHMETIC)
def test_arithmetic(native: Any, name: str, type: str, mode: str):
    count, function = ARITHMETIC[name]
    xs = (RNG.normal(0, 1, (count, N)) * 4.0 ** RNG.integers(-6, 6, N)).astype(NUMPY[type])
    xs[:, 0] = 1  # an exact result
    if name == "sqrt":
        xs = np.abs(xs)
    symbol = f"{'f' if type == 'f32' else 'd'}{name}_{mode}"
    if name == "fma":
        symbol = f"fma{'f' if type == 'f32' else ''}_{mode}"
    found = computed(native, symbol, [type] * count, type, *xs)
    exact = [function(*(Fraction(float(x)) for x in column)) for column in xs.T]
    np.testing.assert_array_equal(found, [rounded(e, mode, NUMPY[type]) for e in exact])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("sign", ["", "u"])
@pytest.mark.parametrize(
    ("name", "of", "to"),
    [("int2float", "i32", "f32"), ("ll2float", "i64", "f32"), ("ll2double", "i64", "f64")],
)
def test_integers_become_floats(native: Any, name: str, of: str, to: str, sign: str, mode: str):
    info = np.iinfo(NUMPY[of])
    x = RNG.integers(info.min, info.max, N, dtype=np.int64)
    x[:4] = [0, -1, info.min, info.max]
    found = computed(native, f"{sign}{name}_{mode}", [of], to, x)
    exact = [int(v) % 2**info.bits if sign else int(v) for v in x]
    np.testing.assert_array_equal(found, [rounded(Fraction(e), mode, NUMPY[to]) for e in exact])
    assert not np.signbit(found[0])


@pytest.mark.parametrize("mode", MODES)
def test_doubles_become_floats(native: Any, mode: str):
    x = RNG.normal(0, 100, N)
    found = computed(native, f"double2float_{mode}", ["f64"], "f32", x)
    wanted = [rounded(Fraction(float(v)), mode, np.float32) for v in x]
    np.testing.assert_array_equal(found, wanted)


def test_other_arithmetic_rounds_to_nearest_again(native: Any):
    """A loop that does both, so that the processor's mode would be seen."""
    x, y = RNG.normal(0, 1, (2, N))
    call = """func.call @__nv_dadd_ru(%a, %b) : (f64, f64) -> f64
      %t = arith.subf %s, %a : f64
      %u = arith.mulf %t, %b : f64"""
    arguments, body = elementwise(call, ["f64", "f64"], "f64")
    body = body.replace("linalg.yield %s", "linalg.yield %u")
    helpers = "  func.func private @__nv_dadd_ru(f64, f64) -> f64"
    found = native(arguments, body, [x, y, np.zeros(N)], helpers=helpers)[-1]
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    up = [float(rounded(Fraction(a) + Fraction(b), "ru", np.float64)) for a, b in pairs]
    np.testing.assert_array_equal(found, (np.asarray(up) - x) * y)
