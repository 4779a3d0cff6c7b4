"""Rows that lie apart are loaded as rows where a block has whole ones, and right elsewhere too."""

from functools import cache

import numpy as np
import pytest

from tests.e2e.lowering.native_modules import lowered
from xtriton.cpu import Kernel, compile_module

ROWS = 11


@cache
def kernel(width: int, size: int) -> Kernel:
    """Return a kernel that loads places from `shift` on, whose rows are in another order."""
    places, pointers = f"tensor<{size}xi32>", f"tensor<{size}x!tt.ptr<f32>>"
    text = f"""
tt.func public @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %shift: i32) {{
  %size = arith.constant {size} : i32
  %width = arith.constant dense<{width}> : {places}
  %pair = arith.constant dense<{2 * width}> : {places}
  %rows = arith.constant dense<{ROWS}> : {places}
  %five = arith.constant dense<5> : {places}
  %range = tt.make_range {{end = {size} : i32, start = 0 : i32}} : {places}
  %pid = tt.get_program_id x : i32
  %begin = arith.muli %pid, %size : i32
  %begins = tt.splat %begin : i32 -> {places}
  %index = arith.addi %begins, %range : {places}
  %shifts = tt.splat %shift : i32 -> {places}
  %place = arith.addi %index, %shifts : {places}
  %column = arith.remsi %place, %width : {places}
  %row = arith.divsi %place, %width : {places}
  %half = arith.divsi %place, %pair : {places}
  %far = arith.muli %row, %five : {places}
  %both = arith.addi %far, %half : {places}
  %other = arith.remsi %both, %rows : {places}
  %start = arith.muli %other, %width : {places}
  %at = arith.addi %column, %start : {places}
  %of_x = tt.splat %x : !tt.ptr<f32> -> {pointers}
  %x_at = tt.addptr %of_x, %at : {pointers}, {places}
  %value = tt.load %x_at : {pointers}
  %to = tt.splat %out : !tt.ptr<f32> -> {pointers}
  %out_at = tt.addptr %to, %index : {pointers}, {places}
  tt.store %out_at, %value : {pointers}
  tt.return
}}
"""
    return compile_module(lowered(text))


@pytest.mark.parametrize("size", [64, 512])
@pytest.mark.parametrize("width", [8, 15, 16, 24, 32, 48, 64, 100, 128])
def test_rows_in_another_order(width: int, size: int):
    programs = 3
    x = np.arange(2 * ROWS * width, dtype=np.float32)
    middle = x.ctypes.data + x.nbytes // 2
    for shift in (0, width, 5 * width, 1, width - 1, 7, -width, -3, -2 * size - 1):
        place = np.arange(programs * size) + shift
        row, half = np.trunc(place / width), np.trunc(place / (2 * width))
        at = np.fmod(place, width) + np.fmod(5 * row + half, ROWS) * width
        found = np.zeros(programs * size, np.float32)
        kernel(width, size)(programs, [middle, found, shift], threads=1)
        np.testing.assert_array_equal(found, at + ROWS * width)


def test_whole_rows_are_copied():
    assert f"i64 {32 * 4}, i1 false" in kernel(32, 512).code.text
