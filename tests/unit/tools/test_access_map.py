"""`xtriton-explain --map`: which program touches which element."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import xtriton as xt
from xtriton.tools.access_map import boxes, page
from xtriton.tools.xtriton_explain import main

TRIANGLE = """
tt.func public @triangle(%x: !tt.ptr<f32>, %n: i32) {
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %px = tt.get_program_id x : i32
  %py = tt.get_program_id y : i32
  %top = arith.muli %px, %c16 : i32
  %left = arith.muli %py, %c8 : i32
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %tops = tt.splat %top : i32 -> tensor<16xi32>
  %lefts = tt.splat %left : i32 -> tensor<16xi32>
  %r1 = arith.addi %tops, %i : tensor<16xi32>
  %c1 = arith.addi %lefts, %i : tensor<16xi32>
  %r2 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %c2 = tt.expand_dims %c1 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %r = tt.broadcast %r2 : tensor<16x1xi32> -> tensor<16x16xi32>
  %c = tt.broadcast %c2 : tensor<1x16xi32> -> tensor<16x16xi32>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32>
  %m1 = arith.cmpi sle, %c, %r : tensor<16x16xi32>
  %m2 = arith.cmpi slt, %r, %ns : tensor<16x16xi32>
  %m3 = arith.cmpi slt, %c, %ns : tensor<16x16xi32>
  %m4 = arith.andi %m1, %m2 : tensor<16x16xi1>
  %mask = arith.andi %m4, %m3 : tensor<16x16xi1>
  %o = arith.muli %r, %ns : tensor<16x16xi32>
  %at = arith.addi %o, %c : tensor<16x16xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %ps = tt.addptr %p, %at : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %v = arith.constant dense<0.0> : tensor<16x16xf32>
  tt.store %ps, %v, %mask : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
"""

AROUND = """
tt.func public @around(%x: !tt.ptr<f32>, %n: i32) {
  %c8 = arith.constant 8 : i32
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c8 : i32
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %firsts = tt.splat %first : i32 -> tensor<8xi32>
  %r = arith.addi %firsts, %i : tensor<8xi32>
  %ns = tt.splat %n : i32 -> tensor<8xi32>
  %at = arith.remsi %r, %ns : tensor<8xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %ps = tt.addptr %p, %at : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %v = tt.load %ps : tensor<8x!tt.ptr<f32>>
  tt.store %p, %v : tensor<8x!tt.ptr<f32>>
  tt.return
}
"""


def test_counts_are_those_of_a_launch():
    n, grid = 44, (3, 5, 1)
    count = np.zeros((n, n), int)
    for x in range(grid[0]):
        for y in range(grid[1]):
            for r in range(16 * x, min(16 * x + 16, n)):
                for c in range(8 * y, min(8 * y + 16, n)):
                    count[r, c] += c <= r
    text = page(xt.parse(TRIANGLE), {"n": n}, grid)
    assert f">{(count > 0).sum()} elements touched<" in text
    assert f">{(count > 1).sum()} of them by several programs, at" in text
    idle = sum(8 * y > min(16 * x + 15, n - 1) for x in range(3) for y in range(5))
    assert f">{idle} programs touch nothing<" in text


def test_each_program_is_a_step_without_scripts():
    text = page(xt.parse(TRIANGLE), {"n": 44}, (3, 5, 1))
    assert len(re.findall('<input type="radio"', text)) == 15
    assert len(re.findall('<g class="now s', text)) == 15
    assert "pid_x 2, pid_y 4<" in text
    assert "<script" not in text
    assert re.findall("https?://[^\"']+", text) == ["http://www.w3.org/2000/svg"]


def test_a_tile_that_wraps_around_lies_in_pieces():
    text = page(xt.parse(AROUND), {"n": 20}, (3, 1, 1))
    load = text.partition("store 8")[0]
    last = load.partition('<g class="now s2"')[2].partition("</g>")[0]
    assert last.count("var(--load)") == 2  # 16 to 19, and 0 to 3
    assert ">4 of them by several programs, at" in load
    assert ">tiles wrap around<" in load


def test_boxes_cover_a_mask():
    mask = np.random.default_rng(0).random((9, 13)) < 0.5
    covered = np.zeros(mask.shape, int)
    for x, y, w, h in boxes(mask):
        covered[y : y + h, x : x + w] += 1
    assert (covered == mask).all()


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--grid=65"], "a map has at most 64 programs; --grid has 65"),
        (["--set=nothing=1"], "no formula has a 'nothing'"),
    ],
)
def test_errors(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "kernel.mlir"
    file.write_text(AROUND, encoding="utf-8")
    assert main([str(file), f"--map={tmp_path / 'map.html'}", *arguments]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "map.html").exists()
