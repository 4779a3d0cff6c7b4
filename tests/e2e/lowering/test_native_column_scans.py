"""Blocks that lie in columns, as what they are loaded from, are scanned as any other."""

from typing import Any

import numpy as np
import pytest

from tests.e2e.lowering.native_modules import lowered
from xtriton.cpu import compile_module

WIDTH, LENGTH, STRIDE = 8, 64, 96
BLOCK = f"{WIDTH}x{LENGTH}"
LOADED = f"""
  %stride = arith.constant dense<{STRIDE}> : tensor<1x{LENGTH}xi32>
  %columns = tt.make_range {{end = {WIDTH} : i32, start = 0 : i32}} : tensor<{WIDTH}xi32>
  %column = tt.expand_dims %columns {{axis = 1 : i32}} : tensor<{WIDTH}xi32> -> tensor<{WIDTH}x1xi32>
  %times = tt.make_range {{end = {LENGTH} : i32, start = 0 : i32}} : tensor<{LENGTH}xi32>
  %time = tt.expand_dims %times {{axis = 0 : i32}} : tensor<{LENGTH}xi32> -> tensor<1x{LENGTH}xi32>
  %row = arith.muli %time, %stride : tensor<1x{LENGTH}xi32>
  %of_column = tt.broadcast %column : tensor<{WIDTH}x1xi32> -> tensor<{BLOCK}xi32>
  %of_row = tt.broadcast %row : tensor<1x{LENGTH}xi32> -> tensor<{BLOCK}xi32>
  %at = arith.addi %of_column, %of_row : tensor<{BLOCK}xi32>
  %of_x = tt.splat %x : !tt.ptr<f32> -> tensor<{BLOCK}x!tt.ptr<f32>>
  %x_at = tt.addptr %of_x, %at : tensor<{BLOCK}x!tt.ptr<f32>>, tensor<{BLOCK}xi32>
  %loaded = tt.load %x_at : tensor<{BLOCK}x!tt.ptr<f32>>"""
STORED = f"""
  %of_out = tt.splat %out : !tt.ptr<f32> -> tensor<{BLOCK}x!tt.ptr<f32>>
  %out_at = tt.addptr %of_out, %at : tensor<{BLOCK}x!tt.ptr<f32>>, tensor<{BLOCK}xi32>
  tt.store %out_at, %scanned : tensor<{BLOCK}x!tt.ptr<f32>>"""
OVER = f"""
  %zero = arith.constant dense<0.0> : tensor<{BLOCK}xf32>
  tt.store %x_at, %zero : tensor<{BLOCK}x!tt.ptr<f32>>"""


TWICE = f"""
  %twice = arith.addf %loaded, %loaded : tensor<{BLOCK}xf32>"""


def scanned(axis: int, *, reverse: bool, of: str = "%loaded") -> str:
    return f"""
  %scanned = "tt.scan"({of}) <{{axis = {axis} : i32, reverse = {str(reverse).lower()}}}> ({{
  ^bb0(%a: f32, %b: f32):
    %both = arith.addf %a, %b : f32
    tt.scan.return %both : f32
  }}) : (tensor<{BLOCK}xf32>) -> tensor<{BLOCK}xf32>"""


def largest(axis: int) -> str:
    """Return what stores the maxima along an axis."""
    count = (WIDTH, LENGTH)[1 - axis]
    return f"""
  %maxima = "tt.reduce"(%scanned) <{{axis = {axis} : i32}}> ({{
  ^bb0(%a: f32, %b: f32):
    %more = arith.maxnumf %a, %b : f32
    tt.reduce.return %more : f32
  }}) : (tensor<{BLOCK}xf32>) -> tensor<{count}xf32>
  %places = tt.make_range {{end = {count} : i32, start = 0 : i32}} : tensor<{count}xi32>
  %of_out = tt.splat %out : !tt.ptr<f32> -> tensor<{count}x!tt.ptr<f32>>
  %out_at = tt.addptr %of_out, %places : tensor<{count}x!tt.ptr<f32>>, tensor<{count}xi32>
  tt.store %out_at, %maxima : tensor<{count}x!tt.ptr<f32>>"""


def run(body: str, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Return the block that a kernel loads, and what it stores."""
    x = np.random.default_rng(5).integers(-5, 6, (LENGTH, STRIDE)).astype(np.float32)
    out = np.zeros(shape, np.float32)
    text = f"tt.func public @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{{LOADED}{body}\n  tt.return\n}}"
    block = x[:, :WIDTH].T.copy()
    compile_module(lowered(text))(1, [x, out])
    return block, out


def expected(block: Any, axis: int, *, reverse: bool) -> Any:
    return np.flip(np.cumsum(np.flip(block, axis), axis), axis) if reverse else block.cumsum(axis)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
def test_a_scan_is_stored(axis: int, reverse: bool):
    block, out = run(scanned(axis, reverse=reverse) + STORED, (LENGTH, STRIDE))
    np.testing.assert_array_equal(out[:, :WIDTH].T, expected(block, axis, reverse=reverse))
    assert not out[:, WIDTH:].any()


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
def test_what_is_computed_is_scanned(axis: int, reverse: bool):
    body = TWICE + scanned(axis, reverse=reverse, of="%twice") + STORED
    block, out = run(body, (LENGTH, STRIDE))
    np.testing.assert_array_equal(out[:, :WIDTH].T, 2 * expected(block, axis, reverse=reverse))


@pytest.mark.parametrize("axis", [0, 1])
def test_what_is_computed_and_stored_is_scanned(axis: int):
    """What is scanned is stored over the block that it is computed of, and then the scan."""
    body = TWICE + OVER + scanned(axis, reverse=False, of="%twice") + STORED
    block, out = run(body, (LENGTH, STRIDE))
    np.testing.assert_array_equal(out[:, :WIDTH].T, 2 * expected(block, axis, reverse=False))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("along", [0, 1])
@pytest.mark.parametrize("axis", [0, 1])
def test_a_scan_is_reduced(axis: int, along: int, reverse: bool):
    shape = ((WIDTH, LENGTH)[1 - along],)
    block, out = run(scanned(axis, reverse=reverse) + largest(along), shape)
    np.testing.assert_array_equal(out, expected(block, axis, reverse=reverse).max(along))
