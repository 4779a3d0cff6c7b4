"""Random numbers that are places: seeds of all sizes, and sizes that are above all of them."""

from xdsl.dialects.builtin import ModuleOp

from tests.unit.judge.kernel_text import block, load, store
from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.launches.bounded_draws import bounding_arguments
from xtriton.judge.verdicts import Options

KERNEL = f"""
tt.func @kernel(%seeds: !tt.ptr<i64>, %x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {{
  %half = arith.constant 32 : i64
  %one = arith.constant 1 : i32
  %by = arith.constant dense<-766435501> : tensor<16xi32>
  %most = arith.constant dense<1000> : tensor<16xi32>
  {block(16)}
  %seed = tt.load %seeds : !tt.ptr<i64>
  %shifted = arith.shrui %seed, %half : i64
  %all = arith.trunci %shifted : i64 to i32
  %up = arith.shli %all, %one : i32
  %down = arith.shrsi %up, %one : i32
  %h = tt.splat %SEED : i32 -> tensor<16xi32>
  %m = tt.mulhiui %by, %i : tensor<16xi32>
  %k = arith.xori %m, %h : tensor<16xi32>
  %r = arith.remui %k, %most : tensor<16xi32>
  %ns = tt.splat %n : i32 -> tensor<16xi32>
  %in = arith.cmpi slt, %r, %ns : tensor<16xi32>
  tt.assert %in, "bounds" : tensor<16xi1>
  {load("v", "x", "f32", 16, index="%r")}
  {store("%v", "f32", 16)}
  tt.return
}}
"""


def module(seed: str) -> ModuleOp:
    return parse_module(KERNEL.replace("SEED", seed), universe.context())


def test_a_bit_of_a_seed_that_is_lost_is_seen():
    options = Options(solver=0, sampled=False)
    verdict = check_equivalent(module("all"), module("down"), options=options)
    assert not verdict
    assert verdict.differences[0].draw.name.startswith("a seed of")
    assert check_equivalent(module("all"), module("all"), options=options)


def test_sizes_that_random_numbers_are_asserted_to_be_below():
    (function,) = module("all").body.block.ops
    assert bounding_arguments(function) == {3}
