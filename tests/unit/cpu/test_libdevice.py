# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
"""Functions of NVIDIA's libdevice that C has none of, or of other types, against NumPy."""

import math
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.test_elementwise import NUMPY, N, elementwise
from xtriton.cpu.emitter.libdevice import device_function
from xtriton.cpu.emitter.mathematics import C_FUNCTIONS, LIBRARY_NAMES
from xtriton.lowering.linalg_rules.elementwise import library_op

RNG = np.random.default_rng(0)
FLOATS = RNG.normal(0, 3, N)
FLOATS[:11] = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 2.5, -1.5, 1e10]
FINITE = np.where(np.isfinite(FLOATS) & (FLOATS != 0), FLOATS, 3)
INTEGERS = RNG.integers(-(2**31), 2**31, N)
INTEGERS[:4] = [0, 1, -1, -(2**31)]
OTHERS = np.roll(INTEGERS, 1)


def _toward_zero(x: Any, y: Any) -> Any:
    """Divide; the quotient of two f32 is never as close to an f32 as f64 cannot tell."""
    exact = x.astype(np.float64) / y
    nearest = exact.astype(np.float32)
    return np.where(np.abs(nearest) > np.abs(exact), np.nextafter(nearest, np.float32(0)), nearest)


def _first_bit(x: Any) -> Any:
    return [(int(v) & -int(v)).bit_length() for v in x]


def _unsigned(x: Any) -> Any:
    return x.astype(np.int64) & 0xFFFFFFFF


def _bytes(x: Any, y: Any, selectors: Any) -> Any:
    """The bytes of two words that the nibbles of a third choose."""
    found: list[int] = []
    for low, high, selector in zip(_unsigned(x), _unsigned(y), _unsigned(selectors), strict=True):
        both = (int(high) << 32 | int(low)).to_bytes(8, "little")
        chosen = bytes(both[int(selector) >> 4 * i & 7] for i in range(4))
        found.append(int.from_bytes(chosen, "little", signed=True))
    return np.asarray(found)


CASES: dict[str, tuple[str, str, list[Any], Any]] = {
    "__nv_isnanf": ("f32", "i32", [FLOATS], np.isnan),
    "__nv_isinfd": ("f64", "i32", [FLOATS], np.isinf),
    "__nv_finitef": ("f32", "i32", [FLOATS], np.isfinite),
    "__nv_isfinited": ("f64", "i32", [FLOATS], np.isfinite),
    "__nv_signbitf": ("f32", "i32", [FLOATS], np.signbit),
    "__nv_fadd_rn": ("f32", "f32", [FLOATS, FLOATS[::-1]], np.add),
    "__nv_ddiv_rn": ("f64", "f64", [FLOATS, FLOATS[::-1]], np.divide),
    "__nv_fdiv_rz": ("f32", "f32", [FLOATS, FLOATS[::-1]], _toward_zero),
    "__nv_frcp_rn": ("f32", "f32", [FLOATS], lambda x: 1 / x),
    "__nv_fsqrt_rn": ("f32", "f32", [FLOATS], np.sqrt),
    "__nv_float_as_int": ("f32", "i32", [FLOATS], lambda x: x.view(np.int32)),
    "__nv_float2int_rz": ("f32", "i32", [FINITE], lambda x: np.trunc(x).clip(None, 2**31 - 128)),
    "__nv_double2ll_rd": ("f64", "i64", [FINITE], np.floor),
    "__nv_llrintf": ("f32", "i64", [FINITE], np.rint),
    "__nv_ilogbf": ("f32", "i32", [FINITE], lambda x: np.frexp(x)[1] - 1),
    "__nv_saturatef": ("f32", "f32", [FLOATS], lambda x: np.fmin(np.fmax(x, 0), 1)),
    "__nv_int2float_rn": ("i32", "f32", [INTEGERS], lambda x: x),
    "__nv_popc": ("i32", "i32", [INTEGERS], lambda x: np.bitwise_count(x.view(np.uint32))),
    "__nv_clzll": (
        "i64",
        "i32",
        [np.abs(INTEGERS)],
        lambda x: [64 - int(v).bit_length() for v in x],
    ),
    "__nv_ffs": ("i32", "i32", [INTEGERS], _first_bit),
    "__nv_llabs": ("i64", "i64", [INTEGERS], np.abs),
    "__nv_hadd": ("i32", "i32", [INTEGERS, OTHERS], lambda x, y: (x.astype(np.int64) + y) >> 1),
    "__nv_urhadd": (
        "i32",
        "i32",
        [INTEGERS, OTHERS],
        lambda x, y: ((_unsigned(x) + _unsigned(y) + 1) >> 1).astype(np.uint32),
    ),
    "__nv_mul24": (
        "i32",
        "i32",
        [INTEGERS, OTHERS],
        lambda x, y: ((x << 8) >> 8).astype(np.int64) * ((y << 8) >> 8),
    ),
    "__nv_umul24": (
        "i32",
        "i32",
        [INTEGERS, OTHERS],
        lambda x, y: (_unsigned(x) & 0xFFFFFF) * (_unsigned(y) & 0xFFFFFF),
    ),
    "__nv_sad": (
        "i32",
        "i32",
        [INTEGERS, OTHERS, INTEGERS],
        lambda x, y, z: np.abs(x.astype(np.int64) - y) + z,
    ),
    "__nv_usad": (
        "i32",
        "i32",
        [INTEGERS, OTHERS, INTEGERS],
        lambda x, y, z: np.abs(_unsigned(x) - _unsigned(y)) + z,
    ),
    "__nv_byte_perm": ("i32", "i32", [INTEGERS, OTHERS, INTEGERS[::-1]], _bytes),
    "__nv_double2hiint": ("f64", "i32", [FLOATS], lambda x: x.view(np.int64) >> 32),
    "__nv_double2loint": ("f64", "i32", [FLOATS / 3], lambda x: x.view(np.int64)),
    "__nv_hiloint2double": (
        "i32",
        "f64",
        [np.abs(INTEGERS) // 4, OTHERS],
        lambda x, y: (x.astype(np.int64) << 32 | _unsigned(y)).view(np.float64),
    ),
    "__nv_mulhi": ("i32", "i32", [INTEGERS, OTHERS], lambda x, y: (x.astype(np.int64) * y) >> 32),
}


@pytest.mark.parametrize("symbol", CASES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_has_no_counterpart_in_c(native: Any, symbol: str):
    of, to, given, function = CASES[symbol]
    arrays = [np.asarray(x).astype(NUMPY[of]) for x in given]
    types = ", ".join([of] * len(arrays))
    names = ", ".join(f"%{n}" for n in "abc"[: len(arrays)])
    body = elementwise(f"func.call @{symbol}({names}) : ({types}) -> {to}", [of] * len(arrays), to)
    out = np.zeros(N, NUMPY[to])
    helpers = f"  func.func private @{symbol}({types}) -> {to}"
    found = native(*body, [*arrays, out], helpers=helpers)[-1]
    wanted = np.asarray(function(*arrays)).astype(out.dtype)
    if symbol == "__nv_float2int_rz":
        wanted[arrays[0] >= 2**31] = 2**31 - 1
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    ("symbol", "type"), [("__nv_ldexpf", "f32"), ("__nv_powi", "f64"), ("__nv_scalbn", "f64")]
)
def test_integer_exponents(native: Any, symbol: str, type: str):
    exponents = np.arange(N, dtype=np.int32) - 30
    x = FINITE.clip(-5, 5).astype(NUMPY[type])
    call = f"func.call @{symbol}(%a, %b) : ({type}, i32) -> {type}"
    helpers = f"  func.func private @{symbol}({type}, i32) -> {type}"
    arguments, body = elementwise(call, [type, "i32"], type)
    found = native(arguments, body, [x, exponents, np.zeros_like(x)], helpers=helpers)[-1]
    wanted = np.power(x, exponents) if "pow" in symbol else np.ldexp(x, exponents)
    np.testing.assert_allclose(found, wanted, rtol=1e-14)


@pytest.mark.parametrize(("symbol", "type"), [("__nv_erfinvf", "f32"), ("__nv_erfinv", "f64")])
def test_the_inverse_of_the_error_function(native: Any, symbol: str, type: str):
    x = RNG.uniform(-1, 1, N).astype(NUMPY[type])
    x[:10] = [0, -0.0, 1e-30, 0.5, -0.5, 1 - 1e-7, 1, -1, 1.5, np.nan]
    arguments, body = elementwise(f"func.call @{symbol}(%a) : ({type}) -> {type}", [type], type)
    helpers = f"  func.func private @{symbol}({type}) -> {type}"
    found = native(arguments, body, [x, np.zeros_like(x)], helpers=helpers)[-1]
    np.testing.assert_array_equal(found[6:10], [np.inf, -np.inf, np.nan, np.nan])
    assert np.array_equal(np.signbit(found[:2]), [False, True])
    # What erf makes of it, which is flat near 1.
    again = [math.erf(v) for v in found[np.isfinite(found)]]
    np.testing.assert_allclose(again, x[np.isfinite(found)], rtol=2 * np.finfo(x.dtype).eps)


@pytest.mark.parametrize(
    ("symbol", "function"),
    [("__nv_exp10", lambda x: 10.0**x), ("__nv_rcbrt", lambda x: 1 / np.cbrt(x))],
)
def test_what_c_has_by_another_name(native: Any, symbol: str, function: Any):
    x = FINITE.clip(-5, 5)
    arguments, body = elementwise(f"func.call @{symbol}(%a) : (f64) -> f64", ["f64"], "f64")
    helpers = f"  func.func private @{symbol}(f64) -> f64"
    found = native(arguments, body, [x, np.zeros_like(x)], helpers=helpers)[-1]
    np.testing.assert_allclose(found, function(x), rtol=1e-14)


@pytest.mark.parametrize(("name", "type"), [("jn", "f64"), ("ynf", "f32")])
def test_bessel_functions_of_any_order(native: Any, name: str, type: str):
    """By what three neighbouring orders have in common."""
    x = RNG.uniform(1, 9, N).astype(NUMPY[type])
    arguments, body = elementwise(
        f"func.call @__nv_{name}(%a, %b) : (i32, {type}) -> {type}", ["i32", type], type
    )
    helpers = f"  func.func private @__nv_{name}(i32, {type}) -> {type}"
    found = [
        native(arguments, body, [np.full(N, n, np.int32), x, np.zeros_like(x)], helpers=helpers)[-1]
        for n in (2, 3, 4)
    ]
    np.testing.assert_allclose(found[0] + found[2], 6 / x * found[1], rtol=2e-6, atol=1e-6)


@pytest.mark.skipif(find_spec("triton") is None, reason="Triton is not installed")
def test_all_that_triton_names_is_known():
    """But one, which is whatever a GPU's approximation is."""
    spec = find_spec("triton")
    assert spec is not None
    assert spec.origin is not None
    text = Path(spec.origin).with_name("language") / "extra" / "cuda" / "libdevice.py"
    symbols = set(re.findall(r"__nv_\w+", text.read_text()))
    assert len(symbols) > 300
    unknown: set[str] = set()
    for symbol in symbols:
        match = LIBRARY_NAMES.fullmatch(symbol)
        of_c = match is not None and match["nv"] in C_FUNCTIONS
        if device_function(symbol) is None and library_op(symbol) is None and not of_c:
            unknown.add(symbol)
    assert unknown == {"__nv_rcp64h"}
