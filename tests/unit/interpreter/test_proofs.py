"""A solver proves that kernels are equal, and finds launches on which they are not."""

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton import universe
from xtriton.interpreter import check_equivalent
from xtriton.interpreter.equivalence import Options
from xtriton.ir.parser import parse_module

pytest.importorskip("z3")

KERNEL = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32 {tt.divisibility = 16 : i32}) {
  %c128 = arith.constant 128 : i32
  %c16 = arith.constant dense<16> : tensor<128xi32>
  %c8 = arith.constant dense<8> : tensor<128xi32>
  %last = arith.constant dense<257000> : tensor<128xi32>
  %zero = arith.constant dense<0.0> : tensor<128xf32>
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c128 : i32
  %lane = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %s = tt.splat %start : i32 -> tensor<128xi32>
  %i = arith.addi %s, %lane : tensor<128xi32>
  %on = arith.cmpi slt, %i, %last : tensor<128xi32>
  %ns = tt.splat %n : i32 -> tensor<128xi32>
  %rest = arith.remsi %lane, %c16 : tensor<128xi32>
  %odd = arith.remsi %ns, %c8 : tensor<128xi32>
  %sum = arith.addi %rest, %odd : tensor<128xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %px = tt.addptr %xs, %sum : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %v = tt.load %px, %on, %zero : tensor<128x!tt.ptr<f32>>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %po = tt.addptr %os, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  tt.store %po, %v, %on : tensor<128x!tt.ptr<f32>>
  tt.return
}
"""

SAME = {
    "a sum is an or": ("%i = arith.addi %s, %lane", "%i = arith.ori %s, %lane"),
    "nothing is negative": ("%rest = arith.remsi", "%rest = arith.remui"),
    "a promise": ("%sum = arith.addi %rest, %odd", "%sum = arith.addi %rest, %rest0"),
    "another other, never used": ("%v = tt.load %px, %on, %zero", "%v = tt.load %px, %on, %ones"),
}
WRONG = {
    "the last lane of program 2007": ("dense<257000>", "dense<257001>"),
    "a mask that only programs far away need": ("tt.load %px, %on, %zero", "tt.load %px"),
    "a bit less": ("%i = arith.addi %s, %lane : tensor<128xi32>",
                   "%i0 = arith.addi %s, %lane : tensor<128xi32>\n"
                   "%up = arith.shli %i0, %fourteen : tensor<128xi32>\n"
                   "%i = arith.shrsi %up, %fourteen : tensor<128xi32>"),
}  # fmt: skip
MORE = """
  %ones = arith.constant dense<1.0> : tensor<128xf32>
  %rest0 = arith.constant dense<0> : tensor<128xi32>
  %fourteen = arith.constant dense<14> : tensor<128xi32>
  %pid ="""


def module(change: tuple[str, str] = ("", "")) -> ModuleOp:
    text = KERNEL.replace("\n  %pid =", MORE)
    assert change[0] in text
    return parse_module(text.replace(*change), universe.context())


def function(found: ModuleOp) -> Operation:
    first = found.body.block.first_op
    assert first is not None
    return first


@pytest.mark.parametrize("name", SAME)
def test_equal_kernels_are_proved_equal(name: str):
    verdict = check_equivalent(module(), module(SAME[name]))
    assert verdict
    assert verdict.proved


@pytest.mark.parametrize("name", WRONG)
def test_a_launch_is_found_that_no_draw_makes(name: str):
    few = Options(count=1, solver=10)
    assert not check_equivalent(module(), module(WRONG[name]), options=few)


def test_a_proof_is_none_if_something_is_missing():
    from xtriton.interpreter.proofs import compare

    shorter = ("tt.store %po, %v, %on : tensor<128x!tt.ptr<f32>>", "")
    assert not compare(function(module()), function(module(shorter))).equal
    assert compare(function(module()), function(module())).equal


def test_a_different_combination_is_no_proof():
    """What a reduction does to its operands is part of what is compared."""
    from xtriton.interpreter.proofs import compare

    text = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %v = tt.load %x : !tt.ptr<f32>
  %s = tt.splat %v : f32 -> tensor<8xf32>
  %r = "tt.reduce"(%s) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<8xf32>) -> f32
  tt.store %out, %r : !tt.ptr<f32>
  tt.return
}
"""
    one, other = (parse_module(t, universe.context()) for t in (text, text.replace("addf", "mulf")))
    assert compare(function(one), function(one.clone())).equal
    assert not compare(function(one), function(other)).equal
