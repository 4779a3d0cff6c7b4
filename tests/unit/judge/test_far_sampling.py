# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""Launches with sizes near the limits of their types are found among thousands."""

import pytest

from tests.unit.judge.kernel_text import block, load, store
from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent, phases
from xtriton.judge.equivalence import Options

FROM_THE_END = f"""
tt.func @kernel(%at: !tt.ptr<i64>, %x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i64) {{
  {block(16)}
  %zero = arith.constant dense<0> : tensor<16xi64>
  %one = arith.constant dense<1> : tensor<16xi64>
  %ns = tt.splat %n : i64 -> tensor<16xi64>
  %as = tt.splat %at : !tt.ptr<i64> -> tensor<16x!tt.ptr<i64>>
  %pa = tt.addptr %as, %i : tensor<16x!tt.ptr<i64>>, tensor<16xi32>
  %a = tt.load %pa : tensor<16x!tt.ptr<i64>>
  %up = arith.shli %a, %one : tensor<16xi64>
  %cut = arith.shrsi %up, %one : tensor<16xi64>
  %negative = arith.cmpi slt, INDEX, %zero : tensor<16xi64>
  %wrapped = arith.addi SUM : tensor<16xi64>
  %index = arith.select %negative, %wrapped, INDEX : tensor<16xi1>, tensor<16xi64>
  %low = arith.cmpi sge, %index, %zero : tensor<16xi64>
  %high = arith.cmpi slt, %index, %ns : tensor<16xi64>
  %inside = arith.andi %low, %high : tensor<16xi1>
  tt.assert %inside, "index out of bounds" : tensor<16xi1>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %px = tt.addptr %xs, %index : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
  %v = tt.load %px : tensor<16x!tt.ptr<f32>>
  {store("%v", "f32", 16)}
  tt.return
}}
"""
"""An index is counted from the end of a size where it is negative."""

ROLLED = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %w: i64, %h: i64, %n: i32) {{
  {block(512)}
  %three = arith.constant dense<3> : tensor<512xi64>
  %ws = tt.splat %w : i64 -> tensor<512xi64>
  %hs = tt.splat %h : i64 -> tensor<512xi64>
  %ns = tt.splat %n : i32 -> tensor<512xi32>
  %on = arith.cmpi slt, %i, %ns : tensor<512xi32>
  %wide = arith.extsi %i : tensor<512xi32> to tensor<512xi64>
  %row = arith.divsi %wide, %ws : tensor<512xi64>
  %column = arith.remsi %wide, %ws : tensor<512xi64>
  %next = arith.addi %row, %three : tensor<512xi64>
  %turned = arith.remsi %next, %hs : tensor<512xi64>
  %short = arith.trunci %turned : tensor<512xi64> to tensor<512xi32>
  %long = arith.extsi %short : tensor<512xi32> to tensor<512xi64>
  %begin = arith.muli ROW, %ws : tensor<512xi64>
  %place = arith.addi %begin, %column : tensor<512xi64>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %px = tt.addptr %xs, %place : tensor<512x!tt.ptr<f32>>, tensor<512xi64>
  %v = tt.load %px, %on : tensor<512x!tt.ptr<f32>>
  {store("%v", "f32", 512, ", %on")}
  tt.return
}}
"""
"""A row is as large as that only where rows have one column and there are 2³¹ of them."""

BYTES = f"""
tt.func @kernel(%x: !tt.ptr<i8>, %out: !tt.ptr<i32>, %n: i32) {{
  {block(16)}
  %zero = arith.constant dense<0> : tensor<16xi32>
  %nine = arith.constant dense<9> : tensor<16xi32>
  {load("v", "x", "i8", 16)}
  %wide = arith.WIDENED %v : tensor<16xi8> to tensor<16xi32>
  %negative = arith.cmpi slt, %wide, %zero : tensor<16xi32>
  %wrapped = arith.addi %wide, %nine : tensor<16xi32>
  %index = arith.select %negative, %wrapped, %wide : tensor<16xi1>, tensor<16xi32>
  %low = arith.cmpi sge, %index, %zero : tensor<16xi32>
  %high = arith.cmpi slt, %index, %nine : tensor<16xi32>
  %inside = arith.andi %low, %high : tensor<16xi1>
  tt.assert %inside, "index out of bounds" : tensor<16xi1>
  {store("%index", "i32", 16)}
  tt.return
}}
"""
"""A byte is one of nine numbers, or counted from their end; it goes into no address."""


def kernel(text: str, **numbers: str):
    for name, number in numbers.items():
        text = text.replace(name, number)
    return parse_module(text, universe.context())


def compared(original, rewritten):
    options = Options(solver=0)
    return check_equivalent(original, rewritten, options=options)


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (
            FROM_THE_END,
            {"INDEX": "%a", "SUM": "%ns, %a"},
            {"INDEX": "%cut", "SUM": "%cut, %ns"},
        ),
        (ROLLED, {"ROW": "%turned"}, {"ROW": "%long"}),
        (BYTES, {"WIDENED": "extsi"}, {"WIDENED": "extui"}),
    ],
)
def test_bits_of_large_sizes(text, right, wrong, monkeypatch):
    # Bytes are seen by these as well.
    monkeypatch.setattr(phases, "bounded_draws", lambda *_: ())
    usual = {"INDEX": "%a", "SUM": "%a, %ns", "ROW": "%turned", "WIDENED": "extsi"}
    original = kernel(text, **usual)
    verdict = compared(original, kernel(text, **wrong))
    assert not verdict
    assert verdict.differences[0].draw.name == "found far out"
    assert compared(original, kernel(text, **right))
    monkeypatch.setattr(phases.Phases, "far", lambda self: None)
    assert compared(original, kernel(text, **wrong))
