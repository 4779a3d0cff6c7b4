"""Conversions between floats are torch's, bit for bit."""

from typing import Any

import numpy as np
import pytest

from xtriton.semantics import element
from xtriton.semantics.casts import float_to_float
from xtriton.semantics.float_formats import FORMATS
from xtriton.semantics.formats import decode_table

torch: Any = pytest.importorskip("torch")

TYPES = {
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f8E5M2": torch.float8_e5m2,
    "f8E4M3FN": torch.float8_e4m3fn,
    "f8E5M2FNUZ": torch.float8_e5m2fnuz,
    "f8E4M3FNUZ": torch.float8_e4m3fnuz,
}
SATURATING_IN_TORCH = frozenset({"f8E4M3FN"})


def samples() -> np.ndarray[Any, Any]:
    """float32 values of all magnitudes: random bits, the usual range, and special values."""
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 1 << 32, 50_000, dtype=np.uint64).astype(np.uint32)
    usual = [rng.standard_normal(5_000).astype(np.float32) * s for s in (1e-7, 1e-3, 1, 300)]
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 448, 464, 465, 57344, 65520, 1e-45])
    return np.concatenate([bits.view(np.float32), *usual, special.astype(np.float32)])


@pytest.mark.parametrize("name", TYPES)
def test_from_float32(name: str) -> None:
    x, to = samples(), element(name)
    with np.errstate(all="ignore"):
        ours = float_to_float(element("f32"), to, saturate=name in SATURATING_IN_TORCH)(x)
        theirs = torch.from_numpy(x).to(TYPES[name])
        assert_equal(ours, theirs.float().numpy())
        stored = to.encode(ours)
    kind = {1: torch.uint8, 2: torch.int16}[to.size]
    bits = theirs.view(kind).numpy().view(f"u{to.size}")
    number = ~np.isnan(ours)
    np.testing.assert_array_equal(stored.view(f"u{to.size}")[number], bits[number])


@pytest.mark.parametrize("name", TYPES)
def test_every_code_to_float32(name: str) -> None:
    of = element(name)
    codes = np.arange(1 << 8 * of.size).astype(f"u{of.size}")
    kind = {1: torch.uint8, 2: torch.int16}[of.size]
    theirs = torch.from_numpy(codes.view("u1" if of.size == 1 else "i2")).view(kind)
    with np.errstate(all="ignore"):
        ours = of.decode(codes.view(of.storage))
    assert_equal(ours, theirs.view(TYPES[name]).float().numpy())


@pytest.mark.parametrize("name", [n for n, f in FORMATS.items() if f.width <= 8])
def test_codes_survive_a_round_trip(name: str) -> None:
    of = element(name)
    codes = np.arange(1 << of.width).astype(np.uint8)
    values = of.decode(codes)
    number = ~np.isnan(values)
    np.testing.assert_array_equal(of.encode(values)[number], codes[number])
    with np.errstate(all="ignore"):
        assert_equal(of.round(values), values)
    largest = FORMATS[name].largest
    assert np.nanmax(values[np.isfinite(values)]) == largest
    assert len(decode_table(FORMATS[name])) == 256


def test_towards_zero() -> None:
    x = samples()
    x = x[np.isfinite(x) & (np.abs(x) < 6e4)]
    for name in ("f16", "bf16", "f8E5M2"):
        ours = float_to_float(element("f32"), element(name), "rtz")(x)
        assert (np.abs(ours) <= np.abs(x)).all()
        nearest = float_to_float(element("f32"), element(name))(x)
        exact = nearest == x
        np.testing.assert_array_equal(ours[exact], x[exact])
        assert (np.abs(ours) <= np.abs(nearest)).all()


def test_float64_is_rounded_once() -> None:
    """1 + 2^-11 + 2^-40 lies above the tie, but rounds to it in float32."""
    x = np.array([1 + 2.0**-11 + 2.0**-40])
    assert float_to_float(element("f64"), element("f16"))(x)[0] == 1 + 2.0**-10
    x = np.array([1 + 2.0**-8 + 2.0**-40])
    assert float_to_float(element("f64"), element("bf16"))(x)[0] == 1 + 2.0**-7


def test_tf32_rounds_ties_away() -> None:
    x = np.array([1 + 2.0**-11, -1 - 2.0**-11, 1 + 2.0**-12, np.inf], np.float32)
    ours = element("tf32").round(x)
    np.testing.assert_array_equal(ours, [1 + 2.0**-10, -1 - 2.0**-10, 1, np.inf])


def assert_equal(ours: Any, theirs: Any) -> None:
    nan = np.isnan(ours) & np.isnan(theirs)
    same = (ours == theirs) & (np.signbit(ours) == np.signbit(theirs))
    assert (same | nan).all()
