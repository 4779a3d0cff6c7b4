"""Blocks of rows in parts go where they are stored as they are made, unless arguments overlap."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.e2e.lowering.native_modules import lowered
from xtriton.cpu import Kernel, compile_module
from xtriton.cpu.emitter.function import emit_kernel
from xtriton.cpu.target import host

SIZE, WIDTH, PITCH = 512, 300, 310


def differences(count: int, *, read_back: bool = False) -> str:
    """Return a kernel of the differences in rows, of which the blocks hold parts of two."""
    places, pointers = f"tensor<{SIZE}xi32>", f"tensor<{SIZE}x!tt.ptr<f32>>"
    again = f"""
  %stored = tt.load %out_at, %inside : {pointers}
  %more = arith.addf %stored, %difference : tensor<{SIZE}xf32>
  tt.store %out_at, %more, %inside : {pointers}"""
    return f"""
tt.func public @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %size = arith.constant {SIZE} : i32
  %one = arith.constant dense<1> : {places}
  %count = arith.constant dense<{count}> : {places}
  %width = arith.constant dense<{WIDTH}> : {places}
  %pitch = arith.constant dense<{PITCH}> : {places}
  %range = tt.make_range {{end = {SIZE} : i32, start = 0 : i32}} : {places}
  %pid = tt.get_program_id x : i32
  %begin = arith.muli %pid, %size : i32
  %begins = tt.splat %begin : i32 -> {places}
  %index = arith.addi %begins, %range : {places}
  %inside = arith.cmpi slt, %index, %count : {places}
  %column = arith.remsi %index, %width : {places}
  %row = arith.divsi %index, %width : {places}
  %start = arith.muli %row, %pitch : {places}
  %place = arith.addi %column, %start : {places}
  %next = arith.addi %place, %one : {places}
  %of_x = tt.splat %x : !tt.ptr<f32> -> {pointers}
  %x_at = tt.addptr %of_x, %place : {pointers}, {places}
  %next_at = tt.addptr %of_x, %next : {pointers}, {places}
  %a = tt.load %x_at, %inside : {pointers}
  %b = tt.load %next_at, %inside : {pointers}
  %difference = arith.subf %b, %a : tensor<{SIZE}xf32>
  %to = tt.splat %out : !tt.ptr<f32> -> {pointers}
  %out_at = tt.addptr %to, %index : {pointers}, {places}
  tt.store %out_at, %difference, %inside : {pointers}{again if read_back else ""}
  tt.return
}}
"""


@cache
def kernel(count: int, read_back: bool) -> Kernel:
    return compile_module(lowered(differences(count, read_back=read_back)))


def expected(x: Any, count: int) -> Any:
    index = np.arange(count)
    place = index % WIDTH + index // WIDTH * PITCH
    return x[place + 1] - x[place]


@pytest.mark.parametrize("read_back", [False, True])
@pytest.mark.parametrize("count", [4 * SIZE, 4 * SIZE - 1, 3 * SIZE + 1, 17])
def test_differences_of_rows(count: int, read_back: bool):
    x = np.random.default_rng(count).integers(-9, 10, 2400).astype(np.float32)
    out = np.full(4 * SIZE + 8, 7, np.float32)
    kernel(count, read_back)(4, [x, out])
    np.testing.assert_array_equal(out[:count], (1 + read_back) * expected(x, count))
    assert (out[count:] == 7).all()


@pytest.mark.parametrize("shift", [-3, 0, 1, 5, 8, 200])
def test_over_what_is_read(shift: int):
    """A program loads all of its block before it stores any of it."""
    memory = np.random.default_rng(3).integers(-9, 10, 1000).astype(np.float32)
    x, out = memory[100:], memory[100 + shift :]
    wanted = expected(x, SIZE)
    kernel(SIZE, False)(1, [x, out])
    np.testing.assert_array_equal(out[:SIZE], wanted)


def test_the_place_is_chosen():
    """Not where others read what is stored."""
    chosen = "xor i1 %overlap, true"
    texts = [
        emit_kernel(lowered(differences(4 * SIZE, read_back=again)), host(), None).text
        for again in (False, True)
    ]
    assert [chosen in text for text in texts] == [True, False]


def test_launches_that_no_cache_holds_go_around():
    """As others do that store so much."""
    count = 40 * (1 << 20) // 4
    x = np.random.default_rng(5).integers(-9, 10, count // WIDTH * PITCH + 2000).astype(np.float32)
    out = np.zeros(count, np.float32)
    kernel(count, False)(-(-count // SIZE), [x, out])
    np.testing.assert_array_equal(out, expected(x, count))
