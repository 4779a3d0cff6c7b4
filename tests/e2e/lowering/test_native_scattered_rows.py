"""Rows that are stored where an index says are stored in the order of their elements."""

from functools import cache

import numpy as np
import pytest

from tests.e2e.lowering.native_modules import lowered
from xtriton.cpu import Kernel, compile_module

SIZE = 512


@cache
def kernel(width: int, count: int) -> Kernel:
    """Return a kernel that stores `count` elements of a matrix to other rows of another one."""
    places, pointers = f"tensor<{SIZE}xi32>", f"tensor<{SIZE}x!tt.ptr<f32>>"
    text = f"""
tt.func public @kernel(%x: !tt.ptr<f32>, %rows: !tt.ptr<i64>, %out: !tt.ptr<f32>) {{
  %size = arith.constant {SIZE} : i32
  %width = arith.constant dense<{width}> : {places}
  %wide = arith.constant dense<{width}> : tensor<{SIZE}xi64>
  %count = arith.constant dense<{count}> : {places}
  %range = tt.make_range {{end = {SIZE} : i32, start = 0 : i32}} : {places}
  %pid = tt.get_program_id x : i32
  %begin = arith.muli %pid, %size : i32
  %begins = tt.splat %begin : i32 -> {places}
  %index = arith.addi %begins, %range : {places}
  %inside = arith.cmpi slt, %index, %count : {places}
  %column = arith.remsi %index, %width : {places}
  %row = arith.divsi %index, %width : {places}
  %of_rows = tt.splat %rows : !tt.ptr<i64> -> tensor<{SIZE}x!tt.ptr<i64>>
  %row_at = tt.addptr %of_rows, %row : tensor<{SIZE}x!tt.ptr<i64>>, {places}
  %to_row = tt.load %row_at, %inside : tensor<{SIZE}x!tt.ptr<i64>>
  %of_x = tt.splat %x : !tt.ptr<f32> -> {pointers}
  %x_at = tt.addptr %of_x, %index : {pointers}, {places}
  %value = tt.load %x_at, %inside : {pointers}
  %start = arith.muli %to_row, %wide : tensor<{SIZE}xi64>
  %across = arith.extsi %column : {places} to tensor<{SIZE}xi64>
  %at = arith.addi %across, %start : tensor<{SIZE}xi64>
  %of_out = tt.splat %out : !tt.ptr<f32> -> {pointers}
  %out_at = tt.addptr %of_out, %at : {pointers}, tensor<{SIZE}xi64>
  tt.store %out_at, %value, %inside : {pointers}
  tt.return
}}
"""
    return compile_module(lowered(text))


@pytest.mark.parametrize("targets", [1, 2, 40])
@pytest.mark.parametrize("width", [3, 16, 60, 100, 128, 300, 512, 700])
def test_rows_by_index(width: int, targets: int):
    """Of rows of one program that go to one place the last one stays."""
    rows = max(2, SIZE // width)
    count = min(rows * width, SIZE) - width // 3
    draw = np.random.default_rng(width + targets)
    x = draw.integers(-9, 10, 2 * SIZE + width).astype(np.float32)
    to = draw.integers(0, targets, rows + 2)
    out, wanted = (np.zeros((targets, width), np.float32) for _ in range(2))
    for place in range(count):
        wanted[to[place // width], place % width] = x[place]
    kernel(width, count)(1, [x, to, out])
    np.testing.assert_array_equal(out, wanted)


@pytest.mark.parametrize("shift", [-100, -4, 0, 4, 100])
def test_rows_over_what_is_read(shift: int):
    """All of a block is loaded before any of it is stored."""
    memory = np.arange(3000, dtype=np.float32)
    x, out = memory[1000:], memory[1000 + shift :]
    to = np.array([2, 0, 3, 1, 3, 0], np.int64)
    values, wanted = x[:SIZE].copy(), memory[1000 + shift :].copy()
    for place in range(SIZE):
        wanted[to[place // 100] * 100 + place % 100] = values[place]
    kernel(100, SIZE)(1, [x, to, out])
    np.testing.assert_array_equal(out, wanted)
