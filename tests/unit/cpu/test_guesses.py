"""Loops that look at their elements first: right whatever those are, and quick where they may."""

from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu import compile_module
from xtriton.cpu.emitter import emit_kernel, streaming
from xtriton.cpu.emitter.guesses import STRIP
from xtriton.cpu.mathlib.trigonometry import NEAR
from xtriton.cpu.target import host

pytestmark = pytest.mark.skipif(not host().fma, reason="guesses take fused multiply-adds")
RNG = np.random.default_rng(5)
COUNT = 5 * STRIP - 100
ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>, %n: i32"
TENSOR, ROW = f"tensor<{COUNT}xf32>", f"memref<{COUNT}xf32, strided<[1]>>"
CUT = "memref<?xf32, strided<[1]>>"
Array = np.ndarray[Any, Any]


def sines(before: str = "%b = arith.negf %a : f32") -> str:
    """Return a kernel that stores the sines of %b, made of the first %n of %x, to %o."""
    body = f"""
    %size = arith.index_cast %n : i32 to index
    %view = memref.reinterpret_cast %x to offset: [0], sizes: [{COUNT}], strides: [1] : memref<*xf32> to {ROW}
    %buffer = memref.alloc() : memref<{COUNT}xf32>
    memref.copy %view, %buffer : {ROW} to memref<{COUNT}xf32>
    %block = bufferization.to_tensor %buffer restrict writable : memref<{COUNT}xf32> to {TENSOR}
    %e = tensor.empty() : {TENSOR}
    %y = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%block : {TENSOR}) outs(%e : {TENSOR}) {{
    ^bb0(%a: f32, %old: f32):
      {before}
      %s = math.sin %b : f32
      linalg.yield %s : f32
    }} -> {TENSOR}
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{COUNT}], strides: [1] : memref<*xf32> to {ROW}
    %part = tensor.extract_slice %y[0] [%size] [1] : {TENSOR} to tensor<?xf32>
    %there = memref.subview %to[0] [%size] [1] : {ROW} to {CUT}
    bufferization.materialize_in_destination %part in writable %there : (tensor<?xf32>, {CUT}) -> ()"""
    return kernel_text(ARGUMENTS, body)


def run(x: Array, o: Array, size: int = COUNT) -> None:
    compile_module(xtriton.parse(sines()))(1, [x, o, np.int32(size)])


def angles() -> Array:
    """Return angles of which the first and the third strip are not near throughout."""
    x = RNG.uniform(-100, 100, COUNT).astype(np.float32)
    x[7], x[2 * STRIP + 5], x[2 * STRIP + 6], x[3 * STRIP + 1] = 1e8, np.inf, np.nan, NEAR
    return x


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("large", [1, streaming.LARGE])
@pytest.mark.parametrize("size", [COUNT, 3000, STRIP, 5, 0])
def test_each_strip_is_as_right_as_it_can_be(
    size: int, large: int, in_place: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "LARGE", large)
    x = angles()
    out = x.copy() if in_place else np.full(COUNT, 7, np.float32)
    exact, rest = np.sin(-x.astype(np.float64)), out[size:].copy()
    run(out if in_place else x, out, size)
    near = np.isfinite(exact[:size])
    off = np.abs(out[:size] - exact[:size]) / np.spacing(np.abs(exact[:size].astype(np.float32)))
    assert (off[near] <= 1.6).all()
    assert np.isnan(out[:size][~near]).all()
    np.testing.assert_array_equal(out[size:], rest)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_strip_with_one_angle_that_is_far_is_computed_slowly() -> None:
    x = angles()
    out = np.empty_like(x)
    run(x, out)
    exact = np.sin(-x.astype(np.float64))
    is_rounded = np.isclose(out, exact, rtol=2.0**-24, atol=0, equal_nan=True)
    assert is_rounded[:STRIP].all()
    assert not is_rounded[STRIP : 2 * STRIP].all()
    assert is_rounded[2 * STRIP : 3 * STRIP].all()
    assert not is_rounded[3 * STRIP :].all()


@pytest.mark.parametrize(
    ("before", "guesses"),
    [
        ("%b = arith.mulf %a, %a : f32", True),
        ("%b = math.exp %a : f32", False),
        ("%b = arith.divf %a, %a : f32", False),
    ],
)
def test_what_is_dear_is_not_done_twice(before: str, guesses: bool) -> None:
    text = emit_kernel(xtriton.parse(sines(before)), host()).text
    assert ("xt.sin_near.f32" in text) == guesses
    assert "xt.sin.f32" in text
