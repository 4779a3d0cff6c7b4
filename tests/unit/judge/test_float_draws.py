"""Launches whose floats are alike or small, and launches of programs that race."""

import numpy as np
import pytest

from tests.unit.judge.kernel_text import block, load, store
from xtriton import universe
from xtriton.interpreter.contents import Contents
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.equivalence import Options
from xtriton.semantics.elements import element

KERNEL = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %big = arith.constant dense<4.0> : tensor<64xf32>
  %eps = arith.constant dense<EPS> : tensor<64xf32>
  {block(64)}
  {load("v", "x", "f32", 64)}
  {load("w", "y", "f32", 64)}
  %c = arith.addf %v, %w : tensor<64xf32>
  BODY
  {store("%r", "f32", 64)}
  tt.return
}}
"""
RELU = """%on = arith.cmpf ogt, %zero, %c : tensor<64xf32>
  %r = arith.select %on, %zero, %c : tensor<64xi1>, tensor<64xf32>"""
NORM = """%q = arith.mulf %v, %v : tensor<64xf32>
  %sum = "tt.reduce"(%q) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %n: f32):
    %m = arith.addf %p, %n : f32
    tt.reduce.return %m : f32
  }) : (tensor<64xf32>) -> f32
  %all = tt.splat %sum : f32 -> tensor<64xf32>
  %moved = arith.addf %all, %eps : tensor<64xf32>
  %d = math.sqrt %moved : tensor<64xf32>
  %r = arith.divf %v, %d : tensor<64xf32>"""
PAIRS = {
    "a maximum has another zero": (
        ("BODY", RELU), ("BODY", "%r = arith.maximumf %zero, %c : tensor<64xf32>")),
    "what keeps a quotient finite": (
        ("BODY", NORM), ("BODY", NORM.replace("%all, %eps", "%all, %zero"))),
}  # fmt: skip
ROWS = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %mean: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %c300 = arith.constant 300 : i32
  %c48 = arith.constant dense<48> : tensor<64xi32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  {block(64)}
  %here = arith.cmpi slt, %pid, %c300 : i32
  %row = tt.splat %here : i1 -> tensor<64xi1>
  %column = arith.cmpi slt, %lane, %c48 : tensor<64xi32>
  %on = arith.andi %row, %column : tensor<64xi1>
  {load("v", "x", "f32", 64, ", %on, %zero")}
  %pm = tt.addptr %mean, %pid : !tt.ptr<f32>, i32
  %m = tt.load %pm, %here : !tt.ptr<f32>
  %ms = tt.splat %m : f32 -> tensor<64xf32>
  %w = arith.mulf %v, %ms : tensor<64xf32>
  %kept = arith.select %on, %w, %zero : tensor<64xi1>, tensor<64xf32>
  %sum = "tt.reduce"(%kept) <{{axis = 0 : i32}}> ({{
  ^bb0(%p: f32, %q: f32):
    %n = arith.addf %p, %q : f32
    tt.reduce.return %n : f32
  }}) : (tensor<64xf32>) -> f32
  %po = tt.addptr %out, %pid : !tt.ptr<f32>, i32
  tt.store %po, %sum, %here : !tt.ptr<f32>
  tt.return
}}
"""
ROW_CHANGES = {
    "infinite where all else is plain": ('"tt.reduce"(%kept)', '"tt.reduce"(%w)'),
    "a place in the grid that has a bound": ("slt, %pid", "sle, %pid"),
}
RACY = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %c7 = arith.constant dense<7> : tensor<64xi32>
  %bound = arith.constant dense<57024> : tensor<64xi32>
  {block(64)}
  %on = arith.cmpi slt, %i, %bound : tensor<64xi32>
  {load("v", "x", "f32", 64, ", %on")}
  %j = arith.remsi %i, %c7 : tensor<64xi32>
  {store("%v", "f32", 64, ", %on", "%j")}
  tt.return
}}
"""


@pytest.mark.parametrize("name", PAIRS)
def test_what_shows_on_few_floats_only(name: str) -> None:
    text = KERNEL.replace("EPS", "0.0000001")
    mine, theirs = (
        parse_module(text.replace(*change), universe.context()) for change in PAIRS[name]
    )
    verdict = check_equivalent(mine, theirs, options=Options(solver=0))
    assert verdict.differences
    assert check_equivalent(mine, mine.clone())


@pytest.mark.parametrize("name", ROW_CHANGES)
def test_what_shows_in_few_rows_only(name: str) -> None:
    mine = parse_module(ROWS, universe.context())
    theirs = parse_module(ROWS.replace(*ROW_CHANGES[name]), universe.context())
    assert check_equivalent(mine, theirs, options=Options(solver=0)).differences


def test_where_programs_race_bounds_are_reached_too() -> None:
    changed = RACY.replace("cmpi slt", "cmpi sle")
    mine, theirs = (parse_module(text, universe.context()) for text in (RACY, changed))
    verdict = check_equivalent(mine, theirs, options=Options(solver=0))
    assert verdict.differences
    assert any("race" in note for note in verdict.notes)


COUNTING = """
tt.func @kernel(%count: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %old = tt.atomic_rmw add, acq_rel, gpu, %count, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  %at = tt.addptr %out, %old : !tt.ptr<i32>, i32
  tt.store %at, %one : !tt.ptr<i32>
  %pid = tt.get_program_id x : i32
  tt.return
}
"""
PLAINLY = """%old = tt.load %count : !tt.ptr<i32>
  %new = arith.addi %old, %one : i32
  tt.store %count, %new : !tt.ptr<i32>"""


def test_programs_that_race_in_the_rewritten_kernel_only() -> None:
    atomic = next(line.strip() for line in COUNTING.splitlines() if "atomic" in line)
    texts = (COUNTING, COUNTING.replace(atomic, PLAINLY))
    mine, theirs = (parse_module(text, universe.context()) for text in texts)
    verdict = check_equivalent(mine, theirs)
    assert "race" in verdict.render(), verdict.render()


@pytest.mark.parametrize("name", ["f8E5M2", "f8E4M3FN", "f8E4M3FNUZ", "bf16", "f16", "f32", "f64"])
@pytest.mark.parametrize("rule", [Contents(small=16), Contents(few=True), Contents(free=True)])
def test_contents_are_numbers_of_their_type(name: str, rule: Contents):
    of = element(name)
    values = rule.values(1, np.arange(4096), of)
    assert np.array_equal(of.from_bits(of.to_bits(values)), values, equal_nan=True)
    assert len(np.unique(values)) > 2
