"""Slips that do not show in the order of a reduction show in another one."""

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.interpreter.orders import reduce_by_neighbours
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.launches.reorderings import reduce_alike
from xtriton.judge.verdicts import Options

KERNEL = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %zero = arith.constant dense<0> : tensor<{n}xi32>
  %first = arith.constant dense<{first}> : tensor<{n}xi32>
  %five = arith.constant dense<5> : tensor<{n}xi32>
  %none = arith.constant dense<0.0> : tensor<{n}xf32>
  %i = tt.make_range {{end = {n} : i32, start = 0 : i32}} : tensor<{n}xi32>
  %left = arith.remsi %i, %five : tensor<{n}xi32>
  %some = arith.cmpi eq, %left, %first : tensor<{n}xi32>
  %at = arith.divsi %i, %five : tensor<{n}xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<{n}x!tt.ptr<f32>>
  %px = tt.addptr %xs, %at : tensor<{n}x!tt.ptr<f32>>, tensor<{n}xi32>
  %all = tt.load %px : tensor<{n}x!tt.ptr<f32>>
  %v = arith.select %some, %all, %none : tensor<{n}xi1>, tensor<{n}xf32>
  %s = "tt.reduce"(%v) <{{axis = 0 : i32}}> ({{
  ^bb0(%a: f32, %b: f32):
    %c = arith.{combine} : f32
    tt.reduce.return %c : f32
  }}) : (tensor<{n}xf32>) -> f32
  tt.store %out, %s : !tt.ptr<f32>
  tt.return
}}
"""


def module(combine: str = "addf %a, %b", first: int = 0, n: int = 16) -> ModuleOp:
    text = KERNEL.format(combine=combine, first=first, n=n)
    return parse_module(text, universe.context())


def test_a_combiner_that_does_not_commute_is_seen():
    """Lanes 0, 5, 10 and 15 get a plus in the usual tree: they have an even number of bits."""
    wrong = module("subf %a, %b")
    verdict = check_equivalent(module(), wrong, options=Options(solver=0, sampled=False))
    assert not verdict
    assert verdict.differences[0].draw.name.endswith("reduced by neighbours")


def test_operands_of_a_combiner_that_commutes_may_be_swapped():
    assert check_equivalent(module(), module("addf %b, %a"), options=Options(solver=0))


def test_kernels_that_reduce_other_numbers_of_elements_are_not_reordered():
    assert reduce_alike(module(), module("subf %a, %b"))
    assert not reduce_alike(module(), module(n=32))


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_neighbours_meet(n: int):
    def combine(left: list[np.ndarray], right: list[np.ndarray]) -> list[np.ndarray]:
        return [np.char.add(np.char.add(left[0], right[0]), ".")]

    letters = np.array(list("abcdefgh")[:n], dtype="<U32")
    (found,) = reduce_by_neighbours([letters], combine)
    wanted = {1: "a", 2: "ba.", 5: "eab.cd...", 8: "ef.gh..ab.cd..."}
    assert str(found) == wanted[n]
