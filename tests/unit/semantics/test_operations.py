# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
"""Edge values of integer and float operations, scalars and arrays."""

import math
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from xtriton.semantics import OPERATIONS, element, fold, function

MAX, MIN = 2**31 - 1, -(2**31)

CASES: list[tuple[str, tuple[Any, ...], tuple[str, ...], str, Any]] = [
    ("arith.addi", (MAX, 1), ("i32", "i32"), "i32", MIN),
    ("arith.subi", (MIN, 1), ("i32", "i32"), "i32", MAX),
    ("arith.muli", (1 << 20, 1 << 20), ("i32", "i32"), "i32", 0),
    ("arith.addi", (7, 1), ("i4", "i4"), "i4", -8),
    ("arith.addi", (True, True), ("i1", "i1"), "i1", False),
    ("arith.divsi", (-7, 2), ("i32", "i32"), "i32", -3),
    ("arith.divsi", (7, -2), ("i32", "i32"), "i32", -3),
    ("arith.divsi", (MIN, -1), ("i32", "i32"), "i32", MIN),
    ("arith.divsi", (5, 0), ("i32", "i32"), "i32", 0),
    ("arith.remsi", (-7, 2), ("i32", "i32"), "i32", -1),
    ("arith.remsi", (5, 0), ("i32", "i32"), "i32", 0),
    ("arith.divui", (-1, 2), ("i32", "i32"), "i32", MAX),
    ("arith.remui", (-1, 10), ("i32", "i32"), "i32", 5),
    ("arith.floordivsi", (-7, 2), ("i32", "i32"), "i32", -4),
    ("arith.ceildivsi", (-7, 2), ("i32", "i32"), "i32", -3),
    ("arith.ceildivsi", (7, 2), ("i32", "i32"), "i32", 4),
    ("arith.ceildivui", (-1, 2), ("i8", "i8"), "i8", -128),
    ("arith.shli", (1, 32), ("i32", "i32"), "i32", 0),
    ("arith.shrsi", (-8, 40), ("i32", "i32"), "i32", -1),
    ("arith.shrui", (-1, 28), ("i32", "i32"), "i32", 15),
    ("arith.shrui", (-1, 32), ("i32", "i32"), "i32", 0),
    ("arith.shrui", (-1, 1), ("i4", "i4"), "i4", 7),
    ("arith.minui", (-1, 1), ("i32", "i32"), "i32", 1),
    ("arith.maxsi", (True, False), ("i1", "i1"), "i1", False),
    ("tt.mulhiui", (-1, -1), ("i32", "i32"), "i32", -2),
    ("tt.mulhiui", (-1, -1), ("i64", "i64"), "i64", -2),
    ("arith.mulsi_extended", (-(2**63), 2), ("i64", "i64"), "i64", (0, -1)),
    ("arith.mului_extended", (-1, 2), ("i64", "i64"), "i64", (-2, 1)),
    ("arith.addui_extended", (-1, 1), ("i32", "i32"), "i32", (0, True)),
    ("arith.extsi", (True,), ("i1",), "i32", -1),
    ("arith.extui", (-1,), ("i8",), "i32", 255),
    ("arith.trunci", (257,), ("i32",), "i8", 1),
    ("arith.trunci", (2,), ("i32",), "i1", False),
    ("arith.index_cast", (-1,), ("i32",), "index", -1),
    ("arith.index_castui", (-1,), ("i32",), "index", 2**32 - 1),
    ("arith.uitofp", (-1,), ("i32",), "f64", 2.0**32 - 1),
    ("arith.sitofp", (True,), ("i1",), "f32", -1.0),
    ("arith.sitofp", (2049,), ("i32",), "f16", 2048.0),
    ("arith.fptosi", (3e9,), ("f32",), "i32", MAX),
    ("arith.fptosi", (float("nan"),), ("f32",), "i32", 0),
    ("arith.fptosi", (-1e30,), ("f64",), "i64", -(2**63)),
    ("arith.fptoui", (3e9,), ("f32",), "i32", 3_000_000_000 - 2**32),
    ("arith.fptoui", (-5.0,), ("f32",), "i32", 0),
    ("arith.bitcast", (1.0,), ("f32",), "i32", 0x3F800000),
    ("arith.bitcast", (0x3C00,), ("i16",), "f16", 1.0),
    ("arith.addf", (2048.0, 1.0), ("f16", "f16"), "f16", 2048.0),
    ("arith.addf", (256.0, 1.0), ("bf16", "bf16"), "bf16", 256.0),
    ("arith.mulf", (65504.0, 2.0), ("f16", "f16"), "f16", float("inf")),
    ("arith.remf", (-5.5, 2.0), ("f32", "f32"), "f32", -1.5),
    ("arith.maximumf", (-0.0, 0.0), ("f32", "f32"), "f32", 0.0),
    ("arith.minimumf", (0.0, -0.0), ("f32", "f32"), "f32", -0.0),
    ("arith.maxnumf", (float("nan"), 1.0), ("f32", "f32"), "f32", 1.0),
    ("arith.maximumf", (float("nan"), 1.0), ("f32", "f32"), "f32", float("nan")),
    ("math.absi", (-5,), ("i32",), "i32", 5),
    ("math.ctlz", (1,), ("i32",), "i32", 31),
    ("math.ctlz", (0,), ("i8",), "i8", 8),
    ("math.cttz", (8,), ("i32",), "i32", 3),
    ("math.cttz", (0,), ("i32",), "i32", 32),
    ("math.ctpop", (-1,), ("i64",), "i64", 64),
    ("math.ipowi", (3, 4), ("i32", "i32"), "i32", 81),
    ("math.ipowi", (-1, -3), ("i32", "i32"), "i32", -1),
    ("math.round", (2.5,), ("f32",), "f32", 3.0),
    ("math.roundeven", (2.5,), ("f32",), "f32", 2.0),
    ("math.copysign", (3.0, -0.0), ("f32", "f32"), "f32", -3.0),
    ("math.erf", (0.5,), ("f64",), "f64", 0.5204998778130465),
]


@pytest.mark.parametrize("name, values, operands, result, expected", CASES)
def test_edges(
    name: str, values: tuple[Any, ...], operands: tuple[str, ...], result: str, expected: Any
) -> None:
    found = fold(name, values, operands, result)
    np.testing.assert_equal(found, expected)
    if isinstance(expected, float):
        assert np.signbit(found) == np.signbit(expected)


@pytest.mark.parametrize(
    "predicate, a, b, of, expected",
    [
        (2, -1, 1, "i32", True),
        (6, -1, 1, "i32", False),
        (2, True, False, "i1", True),
        (6, False, True, "i1", True),
        (8, -1, 7, "i4", True),
    ],
)
def test_integer_comparison(predicate: int, a: Any, b: Any, of: str, expected: bool) -> None:
    found = fold("arith.cmpi", (a, b), (of, of), "i1", {"predicate": predicate})
    assert found is expected


@pytest.mark.parametrize("predicate", range(16))
def test_float_comparison(predicate: int) -> None:
    """Each predicate has another that is its negation."""
    negation = {0: 15, 7: 14, 14: 7, 15: 0}.get(predicate, 14 - predicate)
    pairs = [(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (float("nan"), 1.0), (0.0, -0.0)]
    for a, b in pairs:
        one = fold("arith.cmpf", (a, b), ("f32", "f32"), "i1", {"predicate": predicate})
        other = fold("arith.cmpf", (a, b), ("f32", "f32"), "i1", {"predicate": negation})
        assert one is not other
        if a != a:
            assert one is (predicate >= 8)


@given(*[st.floats(allow_nan=False, allow_infinity=False)] * 3)
@example(1 + 2.0**-52, 1 - 2.0**-53, 2.0**-60)
@example(2.0**1000, 2.0**1000, -1.0)
@example(2.0**-1074, 0.5, 0.0)
def test_fma_of_f64_rounds_once(a: float, b: float, c: float) -> None:
    found: Any = fold("math.fma", (a, b, c), ("f64",) * 3, "f64")
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if not math.isfinite(found):
        assert abs(exact) >= Fraction(sys.float_info.max)
        assert (found > 0) == (exact > 0)
    else:
        assert found == float(exact)


@pytest.mark.parametrize(
    ("factors", "summand", "wanted"),
    [
        ((1.5, -0.0), -0.0, -0.0),
        ((1.5, -0.0), 0.0, 0.0),
        ((-1.5, 2.0), 3.0, 0.0),
        ((2.0**-1074, -0.5), 0.0, -0.0),
        ((2.0**1000, 2.0**1000), -math.inf, -math.inf),
    ],
)
def test_fma_of_f64_at_the_edges(
    factors: tuple[float, float], summand: float, wanted: float
) -> None:
    found: Any = fold("math.fma", (*factors, summand), ("f64",) * 3, "f64")
    assert (found, math.copysign(1, found)) == (wanted, math.copysign(1, wanted))


@given(st.floats(width=32), st.floats(width=32), st.floats(width=32))
def test_fma_rounds_once(a: float, b: float, c: float) -> None:
    result: Any = fold("math.fma", (a, b, c), ("f32",) * 3, "f32")
    found = np.float32(result)
    if not all(map(np.isfinite, (a, b, c))):
        return
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if not np.isfinite(found):
        assert abs(exact) >= Fraction(float(np.finfo(np.float32).max))
        return
    error = abs(Fraction(float(found)) - exact)
    for direction in (np.float32(-np.inf), np.float32(np.inf)):
        with np.errstate(all="ignore"):
            neighbour = np.nextafter(found, direction)
        if np.isfinite(neighbour):
            assert error <= abs(Fraction(float(neighbour)) - exact)


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_scalars_and_arrays_agree(name: str) -> None:
    """Every op gives for an array what it gives element by element."""
    operands, result, attributes = _signature(name)
    rng = np.random.default_rng(5)
    arrays = [_some(o, rng) for o in operands]
    with np.errstate(all="ignore"):
        compute = function(name, operands, result, attributes)
        whole = compute(*arrays)
        wholes = whole if isinstance(whole, tuple) else (whole,)
        for k in range(len(arrays[0])):
            one = compute(*[a[k] for a in arrays])
            ones = one if isinstance(one, tuple) else (one,)
            for w, o in zip(wholes, ones, strict=True):
                np.testing.assert_array_equal(w[k], o)


def _signature(name: str) -> tuple[list[str], str, dict[str, Any]]:
    operation = name.split(".")[1]
    attributes: dict[str, Any] = {"predicate": 4, "symbol": "__nv_expf"}
    casts = {
        "extsi": ("i8", "i32"), "extui": ("i8", "i32"), "trunci": ("i32", "i8"),
        "index_cast": ("i32", "index"), "index_castui": ("i32", "index"),
        "sitofp": ("i32", "f16"), "uitofp": ("i32", "f32"), "fptosi": ("f32", "i16"),
        "fptoui": ("f32", "i8"), "bitcast": ("f32", "i32"), "int_to_ptr": ("i64", "ptr"),
        "ptr_to_int": ("ptr", "i64"), "extf": ("f16", "f32"), "truncf": ("f32", "bf16"),
        "fp_to_fp": ("f32", "f8E5M2"), "extern_elementwise": ("f32", "f32"),
    }  # fmt: skip
    if operation in casts:
        return [casts[operation][0]], casts[operation][1], attributes
    if operation in ("casts", "castu"):
        return ["i32"], "index", attributes
    if name.startswith("index."):
        return ["index", "index"], "index", attributes
    if operation == "convertf":
        return ["f16"], "bf16", attributes
    if operation == "flush_denormals":
        return ["f32"], "f32", attributes
    if operation == "select":
        return ["i1", "f32", "f32"], "f32", attributes
    if operation == "cmpi":
        return ["i32", "i32"], "i1", attributes
    if operation == "cmpf" or operation.startswith("is"):
        return ["f32"] * (2 if operation == "cmpf" else 1), "i1", attributes
    integer = operation.endswith(("i", "extended")) and name not in ("math.fpowi",)
    integer = integer or operation in (
        "ctpop", "ctlz", "cttz", "absi", "divui", "mulhiui", "divsi", "remsi", "remui"
    )  # fmt: skip
    of = "i32" if integer else "f32"
    if operation == "fpowi":
        return ["f32", "i32"], "f32", attributes
    unary = name.startswith("math.") and operation not in (
        "fma", "powf", "atan2", "copysign", "ipowi", "clampf"
    )  # fmt: skip
    unary = unary or operation in ("negf", "precise_sqrt")
    ternary = operation in ("fma", "clampf")
    return [of] * (1 if unary else 3 if ternary else 2), of, attributes


def _some(name: str, rng: Any) -> Any:
    of = element(name)
    if of.is_float:
        return of.round(rng.standard_normal(12).astype(of.carrier) * 2)
    return rng.integers(-5 if of.width > 1 else 0, 6 if of.width > 1 else 2, 12).astype(of.carrier)
