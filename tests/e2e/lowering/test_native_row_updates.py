"""Rows that are added up by their numbers, alone in stretches and among others one by one."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.e2e.lowering.native_modules import lowered
from tests.unit.cpu.doors import another_launch
from xtriton.cpu import Kernel, compile_module

ROWS = 7


@cache
def kernel(
    width: int, size: int, *, masked: bool = False, moved: bool = False, far: bool = False
) -> Kernel:
    """
    Return a kernel that adds elements of `x`, from `shift` on, to rows of `out` by `rows`.

    If that is `far`, to where they would be so many rows further on, without a remainder.
    """
    places, numbers = f"tensor<{size}xi32>", f"tensor<{size}xi64>"
    mask = "%within" if masked else "%all"
    text = f"""
tt.func public @kernel(%rows: !tt.ptr<i64>, %x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %shift: i32, %count: i32) {{
  %size = arith.constant {size} : i32
  %width = arith.constant dense<{width}> : {places}
  %wide = arith.constant dense<{width}> : {numbers}
  %none = arith.constant dense<0> : {numbers}
  %many = arith.constant dense<{ROWS}> : {numbers}
  %all = arith.constant dense<true> : tensor<{size}xi1>
  %range = tt.make_range {{end = {size} : i32, start = 0 : i32}} : {places}
  %pid = tt.get_program_id x : i32
  %begin = arith.muli %pid, %size : i32
  %zero = arith.constant 0 : i32
  %shifted = arith.addi %begin, {"%shift" if moved else "%zero"} : i32
  %begins = tt.splat %shifted : i32 -> {places}
  %index = arith.addi %begins, %range : {places}
  %counts = tt.splat %count : i32 -> {places}
  %within = arith.cmpi slt, %index, %counts : {places}
  %column = arith.remsi %index, %width : {places}
  %row = arith.divsi %index, %width : {places}
  %from = tt.splat %rows : !tt.ptr<i64> -> tensor<{size}x!tt.ptr<i64>>
  %row_at = tt.addptr %from, %row : tensor<{size}x!tt.ptr<i64>>, {places}
  %number = tt.load %row_at, {mask} : tensor<{size}x!tt.ptr<i64>>
  %below = arith.cmpi slt, %number, %none : {numbers}
  %around = arith.addi %number, %many : {numbers}
  %chosen = arith.select %below, %around, %number : tensor<{size}xi1>, {numbers}
  %least = arith.cmpi sge, %chosen, %none : {numbers}
  %most = arith.cmpi slt, %chosen, %many : {numbers}
  %is_row = arith.andi %least, %most : tensor<{size}xi1>
  tt.assert %is_row, "no such row" : tensor<{size}xi1>
  %start = arith.muli %chosen, %wide : {numbers}
  %wide_column = arith.extsi {"%index" if far else "%column"} : {places} to {numbers}
  %at = arith.addi %wide_column, %start : {numbers}
  %of_x = tt.splat %x : !tt.ptr<f32> -> tensor<{size}x!tt.ptr<f32>>
  %x_at = tt.addptr %of_x, %index : tensor<{size}x!tt.ptr<f32>>, {places}
  %value = tt.load %x_at, {mask} : tensor<{size}x!tt.ptr<f32>>
  %to = tt.splat %out : !tt.ptr<f32> -> tensor<{size}x!tt.ptr<f32>>
  %out_at = tt.addptr %to, %at : tensor<{size}x!tt.ptr<f32>>, {numbers}
  %old = tt.atomic_rmw fadd, relaxed, gpu, %out_at, %value, {mask} : (tensor<{size}x!tt.ptr<f32>>, tensor<{size}xf32>, tensor<{size}xi1>) -> tensor<{size}xf32>
  tt.return
}}
"""
    return compile_module(lowered(text))


def drawn(width: int, size: int) -> tuple[int, Any, Any]:
    """Return how many programs there are, the numbers of rows and what is added to them."""
    rng = np.random.default_rng(width * size)
    programs = 1 + 4 * width // size
    count = programs * size
    rows = rng.integers(-ROWS, ROWS, 2 + count // width)
    return programs, rows, rng.integers(-4, 5, count).astype(np.float32)


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("size", [64, 512])
@pytest.mark.parametrize("width", [1, 3, 15, 16, 17, 32, 60, 64, 100, 256, 300, 400, 512, 768])
def test_rows_are_added_by_their_numbers(width: int, size: int, masked: bool, moved: bool):
    programs, rows, x = drawn(width, size)
    count = len(x) - 5 * masked
    expected = np.zeros(ROWS * width, np.float32)
    for n in range(count):
        expected[rows[n // width] % ROWS * width + n % width] += x[n]
    run = kernel(width, size, masked=masked, moved=moved)
    alone, found = np.zeros_like(expected), np.zeros_like(expected)
    run(programs, [rows, x, alone, 0, count], threads=1)
    with another_launch():
        run(programs, [rows, x, found, 0, count], threads=1)
    np.testing.assert_array_equal(alone, expected)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("width", [300, 512, 700, 768])
def test_rows_end_where_another_number_begins(width: int):
    programs, rows, x = drawn(width, 512)
    rows %= ROWS
    place = np.arange(len(x))
    expected = np.zeros(ROWS * width + len(x), np.float32)
    np.add.at(expected, rows[place // width] * width + place, x)
    found = np.zeros_like(expected)
    kernel(width, 512, far=True)(programs, [rows, x, found, 0, len(x)], threads=1)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("size", [64, 512])
def test_places_below_zero(size: int):
    """The remainder goes up to zero there, and a row is one shorter on either side of it."""
    width, shift = 60, -150
    rng = np.random.default_rng(size)
    x = rng.integers(-4, 5, 2 * size).astype(np.float32)
    rows = np.array([1, 3, 2, 1, *rng.integers(1, ROWS, 40)])
    expected, found = np.zeros(ROWS * width, np.float32), np.zeros(ROWS * width, np.float32)
    for n in range(2 * size):
        place = n + shift
        row, column = int(place / width), int(np.fmod(place, width))
        expected[rows[3 + row] * width + column] += x[n]
    of_rows = rows.ctypes.data + 3 * rows.itemsize
    of_x = x.ctypes.data - shift * x.itemsize
    kernel(width, size, moved=True)(2, [of_rows, of_x, found, shift, 0], threads=1)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("wrong", [ROWS, -ROWS - 1])
@pytest.mark.parametrize("width", [64, 100, 300, 400, 768])
def test_each_row_is_asserted(width: int, wrong: int, moved: bool):
    programs, rows, x = drawn(width, 512)
    found = np.zeros(4 * ROWS * width, np.float32)
    for row in range(-(-len(x) // width)):
        changed = rows.copy()
        changed[row] = wrong
        arguments = [changed, x, found[ROWS * width :], 0, len(x)]
        with pytest.raises(AssertionError, match="no such row"):
            kernel(width, 512, moved=moved)(programs, arguments, threads=1)


def test_stretches_have_no_indices_in_memory():
    text = kernel(64, 512).code.text
    ahead = text[text.index("br i1 %alone") :]
    assert "stretch" in ahead[: ahead.index("atomicrmw")]
