"""What depends on the order of a reduction decides nothing where orders may change."""

import pytest

from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import Equivalence, check_equivalent
from xtriton.lowering.triton_to_linalg import TritonToLinalgExperimentalPass
from xtriton.semantics.tolerance import SUM_TOLERANCE

MEAN = """
tt.func @mean(%x: !tt.ptr<f32>, %weights: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %zero = arith.constant 0.0 : f32
  %i = tt.make_range {{end = 64 : i32, start = 0 : i32}} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %px = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %px : tensor<64x!tt.ptr<f32>>
  %ws = tt.splat %weights : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %pw = tt.addptr %ws, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %w = tt.load %pw : tensor<64x!tt.ptr<f32>>
  %mean:2 = "tt.reduce"(%v, %w) <{{axis = 0 : i32}}> ({{
  ^bb0(%m0: f32, %w0: f32, %m1: f32, %w1: f32):
    %d = arith.subf {difference} : f32
    %sum = arith.addf %w0, %w1 : f32
    %none = arith.cmpf oeq, %sum, %zero : f32
    %part = arith.divf %w1, %sum : f32
    %share = arith.select %none, %zero, %part : f32
    %more = arith.mulf %d, %share : f32
    %m = arith.addf %m0, %more : f32
    tt.reduce.return %m, %sum : f32, f32
  }}) : (tensor<64xf32>, tensor<64xf32>) -> (f32, f32)
  tt.store %out, %mean#0 : !tt.ptr<f32>
  tt.return
}}
"""
"""A mean as variances over several axes have it: weights that cancel make it a matter of order."""


def lowered(difference: str, tolerance: float) -> Equivalence:
    """Compare the kernel with one that has a difference of its own, lowered to linalg."""
    original = parse_module(MEAN.format(difference="%m1, %m0"), universe.context())
    rewritten = parse_module(MEAN.format(difference=difference), universe.context())
    TritonToLinalgExperimentalPass().apply(universe.context(), rewritten)
    return check_equivalent(original, rewritten, tolerance=tolerance)


def test_another_order_may_give_another_result():
    assert lowered("%m1, %m0", SUM_TOLERANCE)


@pytest.mark.parametrize("difference", ["%m0, %m1", "%m1, %m1"])
def test_another_combiner_is_seen(difference: str):
    assert not lowered(difference, SUM_TOLERANCE)


def test_without_a_tolerance_orders_are_compared():
    assert not lowered("%m1, %m0", 0.0)
