# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""Launches with short lists of blocks, and with sums at the limits inside combiners."""

import numpy as np
import pytest

from tests.unit.judge.kernel_text import block, load
from xtriton import universe
from xtriton.interpreter import registry
from xtriton.interpreter.arguments import parameters
from xtriton.interpreter.machine import Program
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.comparison import Comparison
from xtriton.judge.equivalence import Options
from xtriton.judge.launches.combiner_draws import combiner_draws
from xtriton.judge.launches.draws import Launches
from xtriton.judge.launches.list_draws import list_draws
from xtriton.judge.runs import Side
from xtriton.judge.verdicts import Equivalence

LISTED = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %n: !tt.ptr<i32>, %list: !tt.ptr<i32>, %out: !tt.ptr<f32>) {{
  {block(64)}
  %far = arith.constant 1073741824 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %count = tt.load %n : !tt.ptr<i32>
  %first = tt.load %list : !tt.ptr<i32>
  %from = arith.muli %first, %far : i32
  %sum = scf.for %k = %zero to %count step %one iter_args(%acc = %none) -> (tensor<64xf32>) : i32 {{
    %off = arith.muli %k, %length : i32
    %at = arith.addi %from, %off : i32
    %ats = tt.splat %at : i32 -> tensor<64xi32>
    %place = arith.addi %ats, %lane : tensor<64xi32>
    {load("v", "x", "f32", 64, "", "%place")}
    %away = arith.addi %i, %place : tensor<64xi32>
    %many = arith.sitofp %away : tensor<64xi32> to tensor<64xf32>
    ROUNDED
    %w = arith.addf %v, %few : tensor<64xf32>
    %next = arith.addf %acc, %w : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }}
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %po = tt.addptr %os, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %po, %sum : tensor<64x!tt.ptr<f32>>
  tt.return
}}
"""
"""Places of more than eight bits are seen by programs that are not the first ones."""

EXACT = """%ones = arith.constant dense<1.0> : tensor<64xf32>
    %few = arith.mulf %many, %ones : tensor<64xf32>"""
NARROW = """%half = arith.truncf %many : tensor<64xf32> to tensor<64xbf16>
    %few = arith.extf %half : tensor<64xbf16> to tensor<64xf32>"""
SAME = "%few = arith.addf %many, %none : tensor<64xf32>"

VARIANCE = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  {block(64)}
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %ones = arith.constant dense<1.0> : tensor<64xf32>
  {load("v", "x", "f32", 64)}
  %r:3 = "tt.reduce"(%v, %none, %ones) <{{axis = 0 : i32}}> ({{
  ^bb0(%m1: f32, %s1: f32, %w1: f32, %m2: f32, %s2: f32, %w2: f32):
    %delta = arith.subf %m2, %m1 : f32
    %w = arith.addf %w1, %w2 : f32
    %part = arith.divf %w2, %w : f32
    %step = arith.mulf %delta, %part : f32
    %m = arith.addf %m1, %step : f32
    %both = arith.addf %s1, %s2 : f32
    %square = arith.mulf %delta, %delta : f32
    MULTIPLIED
    %all = arith.addf %both, %more : f32
    tt.reduce.return %m, %all, %w : f32, f32, f32
  }}) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (f32, f32, f32)
  %p = tt.addptr %out, %pid : !tt.ptr<f32>, i32
  tt.store %p, %r#1 : !tt.ptr<f32>
  tt.return
}}
"""
"""A square times a weight overflows where the square times a half of it does not."""

FIRST = """%heavy = arith.mulf %square, %w1 : f32
    %more = arith.mulf %heavy, %part : f32"""
LATER = """%light = arith.mulf %w1, %part : f32
    %more = arith.mulf %square, %light : f32"""
TURNED = """%heavy = arith.mulf %w1, %square : f32
    %more = arith.mulf %part, %heavy : f32"""


def compared(text: str, name: str, before: str, after: str) -> Equivalence:
    """Compare two kernels on the launches that this is about only."""
    registry.load()
    made = [
        Program(parse_module(text.replace(name, p), universe.context())) for p in (before, after)
    ]
    a, b = (Side.make(program, None) for program in made)
    launches = Launches(a.function, parameters(a.function))
    verdict = Equivalence(a.kernel)
    comparison = Comparison(a, b, Options(thorough=True), verdict)
    with np.errstate(all="ignore"):
        comparison.on_all(list_draws(launches))
        comparison.on_all(combiner_draws(launches, b.function))
    return verdict


@pytest.mark.parametrize(("after", "same"), [(NARROW, False), (SAME, True)])
def test_short_lists_are_gone_through_by_programs_far_out(after: str, same: bool):
    verdict = compared(LISTED, "ROUNDED", EXACT, after)
    assert bool(verdict) is same
    assert verdict.draws > (8 if same else 0)


@pytest.mark.parametrize(("after", "same"), [(LATER, False), (TURNED, True)])
def test_combiners_meet_sums_that_are_nearly_too_large(after: str, same: bool):
    verdict = compared(VARIANCE, "MULTIPLIED", FIRST, after)
    assert bool(verdict) is same
    assert verdict.draws > 0


def test_a_kernel_without_lists_has_no_such_launches():
    program = Program(parse_module(VARIANCE.replace("MULTIPLIED", FIRST), universe.context()))
    function = program.symbols["kernel"]
    assert list(list_draws(Launches(function, parameters(function)))) == []
    assert list(combiner_draws(Launches(function, parameters(function)), function)) == []
