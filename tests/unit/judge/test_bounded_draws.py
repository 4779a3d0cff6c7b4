"""Launches hold the indices that assertions let through."""

import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.interpreter.arguments import parameters
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.launches.bounded_draws import asserted_bounds, holding
from xtriton.judge.launches.draws import Launches
from xtriton.judge.verdicts import Options

KERNEL = """
tt.func @kernel(%x: !tt.ptr<i8>, %out: !tt.ptr<i32>) {{
  %zero = arith.constant dense<0> : tensor<16xi32>
  %one = arith.constant dense<1> : tensor<16xi32>
  %three = arith.constant dense<3> : tensor<16xi32>
  %nine = arith.constant dense<9> : tensor<16xi32>
  %c16 = arith.constant 16 : i32
  %pid = tt.get_program_id x : i32
  %lane = tt.make_range {{end = 16 : i32, start = 0 : i32}} : tensor<16xi32>
  %start = arith.muli %pid, %c16 : i32
  %starts = tt.splat %start : i32 -> tensor<16xi32>
  %i = arith.addi %starts, %lane : tensor<16xi32>
  %xs = tt.splat %x : !tt.ptr<i8> -> tensor<16x!tt.ptr<i8>>
  %px = tt.addptr %xs, %i : tensor<16x!tt.ptr<i8>>, tensor<16xi32>
  %outs = tt.splat %out : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %po = tt.addptr %outs, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %byte = tt.load %px : tensor<16x!tt.ptr<i8>>
  %a = arith.{extend} %byte : tensor<16xi8> to tensor<16xi32>
  %more = arith.addi %a, %nine : tensor<16xi32>
  %below = arith.cmpi slt, %a, %zero : tensor<16xi32>
  %at = arith.select %below, %more, %a : tensor<16xi1>, tensor<16xi32>
  %least = arith.cmpi sge, %at, %zero : tensor<16xi32>
  %most = arith.cmpi slt, %at, %nine : tensor<16xi32>
  %ok = arith.andi %least, %most : tensor<16xi1>
  tt.assert %ok, "bounds" : tensor<16xi1>
  %q = arith.divsi %at, %three : tensor<16xi32>
  {result}
  tt.store %po, %r : tensor<16x!tt.ptr<i32>>
  tt.return
}}
"""

SAME = "%r = arith.addi %q, %zero : tensor<16xi32>"
LEAST = "%r = arith.minsi %q, %one : tensor<16xi32>"


def module(result: str = SAME, extend: str = "extsi") -> ModuleOp:
    text = KERNEL.format(result=result, extend=extend)
    return parse_module(text, universe.context())


@pytest.mark.parametrize(("result", "extend"), [(LEAST, "extsi"), (SAME, "extui")])
def test_indices_up_to_the_bound_are_in_memory(result: str, extend: str):
    wrong = module(result, extend)
    verdict = check_equivalent(module(), wrong, options=Options(solver=0, sampled=False))
    assert not verdict
    assert verdict.differences[0].draw.name.startswith("indices from")


def test_a_right_rewrite_is_the_same():
    right = module("%r = arith.divui %at, %three : tensor<16xi32>")
    assert check_equivalent(module(), right, options=Options(solver=0))


def test_bounds_are_those_of_assertions():
    (function,) = module().body.block.ops
    assert asserted_bounds(function) == [9]


def test_memory_holds_only_numbers_that_its_type_has():
    (function,) = module().body.block.ops
    drawn = Launches(function, parameters(function))
    held = holding(drawn, drawn.plain(), [0], [-129, -128, 127, 128]).values[0]
    assert held.contents.only == (-128.0, 127.0)
    assert holding(drawn, drawn.plain(), [0], [1 << 62]) == drawn.plain()
