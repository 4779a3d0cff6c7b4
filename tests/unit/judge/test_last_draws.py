"""Launches at random, for kernels that nothing else tells apart."""

import numpy as np
from xdsl.ir import Operation

from tests.unit.judge.kernel_text import block, load, store
from xtriton import universe
from xtriton.interpreter.arguments import Endless, parameters
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.equivalence import Options
from xtriton.judge.launches.draws import Launches
from xtriton.judge.launches.last_draws import HUGE_SIZES, further_on, last_draws
from xtriton.semantics import element

GATHER = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %at: !tt.ptr<i64>, %out: !tt.ptr<f32>, %n: i64, %m: i64) {{
  {block(16)}
  {load("k", "at", "i64", 16)}
  %ns = tt.splat %n : i64 -> tensor<16xi64>
  %ms = tt.splat %m : i64 -> tensor<16xi64>
  %q = arith.remsi %k, %ns : tensor<16xi64>
  %on = arith.cmpi slt, %q, %ms : tensor<16xi64>
  {load("v", "x", "f32", 16, ", %on", "%q").replace("16xi32>", "16xi64>")}
  {store("%v", "f32", 16)}
  tt.return
}}
"""


def function(text: str) -> Operation:
    first = parse_module(text, universe.context()).body.block.first_op
    assert first is not None
    return first


def launches(text: str, given: dict[int, int] | None = None) -> Launches:
    kernel = function(text)
    return Launches(kernel, parameters(kernel), dict(given or {}))


def test_each_number_is_huge_once_and_indices_are_equal_once() -> None:
    found = [draw.values for draw in last_draws(launches(GATHER))]
    for size in HUGE_SIZES:
        assert {k for values in found for k in (3, 4) if values[k] == size} == {3, 4}
    held = [v[1].contents.only for v in found if isinstance(v[1], Endless)]
    assert {(-1.0,), (3.0,)} <= set(held)
    more = [draw.values for draw in last_draws(launches(GATHER), turns=2)]
    assert len(more) > len(found)


def test_what_is_given_is_left_alone() -> None:
    for draw in last_draws(launches(GATHER, {3: 40})):
        assert draw.values[3] == 40


def test_a_product_that_is_infinite_for_few_numbers() -> None:
    """Where the first factor is 0, the product of the other two must not be infinite."""
    text = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %by = arith.constant dense<1.5> : tensor<16xf32>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %most = arith.constant dense<2.0e38> : tensor<16xf32>
  {block(16)}
  {load("v", "x", "f32", 16)}
  %large = arith.cmpf ogt, %v, %most : tensor<16xf32>
  %u = arith.select %large, %zero, %one : tensor<16xi1>, tensor<16xf32>
  LINES
  {store("%r", "f32", 16)}
  tt.return
}}
"""
    mine = "%a = arith.mulf %u, %v : tensor<16xf32>\n%r = arith.mulf %a, %by : tensor<16xf32>"
    theirs = "%a = arith.mulf %v, %by : tensor<16xf32>\n%r = arith.mulf %u, %a : tensor<16xf32>"
    one, other = (
        parse_module(text.replace("LINES", lines), universe.context()) for lines in (mine, theirs)
    )
    assert not check_equivalent(one, other, options=Options())


LOOKS_BACK = f"""
tt.func @kernel(%words: !tt.ptr<i64>, %out: !tt.ptr<i32>) {{
  %true = arith.constant true
  %none = arith.constant 0 : i64
  %done = arith.constant 2 : i64
  %one = arith.constant 1 : i32
  %half = arith.constant 77 : i32
  %whole = arith.constant 5 : i32
  {block(16)}
  %pw = tt.addptr %words, %pid : !tt.ptr<i64>, i32
  %less = arith.subi %pid, %one : i32
  %pb = tt.addptr %words, %less : !tt.ptr<i64>, i32
  %word = tt.atomic_rmw add, relaxed, gpu, %pb, %none, %true : (!tt.ptr<i64>, i64, i1) -> i64
  %waits = arith.cmpi ne, %word, %none : i64
  %other = arith.cmpi ne, %word, %done : i64
  %both = arith.andi %waits, %other : i1
  %value = arith.select %both, HALF, %whole : i32
  %values = tt.splat %value : i32 -> tensor<16xi32>
  {store("%values", "i32", 16)}
  %old = tt.atomic_rmw exch, relaxed, gpu, %pw, %done, %true : (!tt.ptr<i64>, i64, i1) -> i64
  tt.return
}}
"""


def test_what_other_programs_have_left_half_done() -> None:
    """Programs that run one after the other only find what is done, or nothing."""
    one, other = (
        parse_module(LOOKS_BACK.replace("HALF", name), universe.context())
        for name in ("%half", "%whole")
    )
    found = check_equivalent(one, other, options=Options(solver=0.0))
    assert not found, found.render()
    assert "half done" in found.differences[0].draw.name


def test_what_others_have_left_half_done_where_a_constant_ends_the_grid() -> None:
    """The fifth program stores nothing, the third does."""
    bounded = LOOKS_BACK.replace(store("%values", "i32", 16), store("%values", "i32", 16, ", %in"))
    bounded = bounded.replace(
        "%values = ",
        "%last = arith.constant dense<40> : tensor<16xi32>\n"
        "%in = arith.cmpi slt, %i, %last : tensor<16xi32>\n%values = ",
    )
    one, other = (
        parse_module(bounded.replace("HALF", name), universe.context())
        for name in ("%half", "%whole")
    )
    found = check_equivalent(one, other, options=Options(solver=0.0))
    assert not found, found.render()
    assert found.differences[0].draw.name == "others before 2 are half done"


def test_a_loop_over_a_list_of_blocks_that_are_huge() -> None:
    """A block has 2³⁰ rows: any but the first one lies out of what 32 bits count."""
    text = """
tt.func @kernel(%count: !tt.ptr<i32>, %list: !tt.ptr<i32>, %x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %much = arith.constant 8388608 : i32
  %rows = arith.constant 1073741824 : i32
  %zero = arith.constant 0.0 : f32
  %n = tt.load %count : !tt.ptr<i32>
  %turns = arith.muli %n, %much : i32
  %few = arith.minsi %turns, %c8 : i32
  %sum = scf.for %i = %c0 to %few step %c1 iter_args(%s = %zero) -> (f32) : i32 {
    %entry = tt.addptr %list, %i : !tt.ptr<i32>, i32
    %block = tt.load %entry : !tt.ptr<i32>
    %first = arith.muli %block, %rows : i32
    %far = arith.addi %first, %first : i32
    %at = tt.addptr %x, %far : !tt.ptr<f32>, i32
    %v = tt.load %at : !tt.ptr<f32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  tt.store %out, %sum : !tt.ptr<f32>
  tt.return
}
"""
    found = {draw.name: draw.values for draw in last_draws(launches(text))}
    held = [v.contents.only for v in found["count is 2"][:2] if isinstance(v, Endless)]
    assert held == [(2.0,), (0.0,)]


def test_one_argument_is_minus_zero_and_the_other_is_not() -> None:
    """Products are -0 only if one factor is, and the other is positive."""
    text = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %none = arith.constant dense<ZERO> : tensor<16xf32>
  %seven = arith.constant dense<7> : tensor<16xi32>
  {block(16)}
  %on = arith.cmpi slt, %lane, %seven : tensor<16xi32>
  {load("v", "x", "f32", 16)}
  {load("w", "y", "f32", 16)}
  %p = arith.mulf %v, %w : tensor<16xf32>
  %q = arith.select %on, %p, %none : tensor<16xi1>, tensor<16xf32>
  %sum = "tt.reduce"(%q) <{{axis = 0 : i32}}> ({{
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }}) : (tensor<16xf32>) -> f32
  %r = tt.splat %sum : f32 -> tensor<16xf32>
  {store("%r", "f32", 16)}
  tt.return
}}
"""
    one, other = (
        parse_module(text.replace("ZERO", zero), universe.context()) for zero in ("0.0", "-0.0")
    )
    verdict = check_equivalent(one, other, options=Options(solver=0, sampled=False))
    assert not verdict
    assert verdict.differences[0].draw.name == "x is -0"
    assert check_equivalent(one, one, options=Options(solver=0))


def test_two_arguments_are_minus_zero_and_the_others_positive() -> None:
    text = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %w: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %nothing = arith.constant dense<ZERO> : tensor<16xf32>
  %eight = arith.constant dense<8> : tensor<16xi32>
  {block(16)}
  %on = arith.cmpi slt, %lane, %eight : tensor<16xi32>
  {load("a", "x", "f32", 16)}
  {load("b", "w", "f32", 16)}
  {load("c", "y", "f32", 16)}
  %ab = arith.mulf %a, %b : tensor<16xf32>
  %some = arith.select %on, %ab, %nothing : tensor<16xi1>, tensor<16xf32>
  %sum = "tt.reduce"(%some) <{{axis = 0 : i32}}> ({{
  ^bb0(%l: f32, %r: f32):
    %more = arith.addf %l, %r : f32
    tt.reduce.return %more : f32
  }}) : (tensor<16xf32>) -> f32
  %sums = tt.splat %sum : f32 -> tensor<16xf32>
  %all = arith.addf %sums, %c : tensor<16xf32>
  {store("%all", "f32", 16)}
  tt.return
}}
"""
    context = universe.context()
    plus, minus = (parse_module(text.replace("ZERO", z), context) for z in ("0.0", "-0.0"))
    verdict = check_equivalent(plus, minus, options=Options(solver=0, sampled=False, thorough=True))
    assert not verdict
    assert verdict.differences[0].draw.name.startswith("some are -0")


def test_programs_further_on_are_along_both_axes() -> None:
    text = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  {block(16)}
  %y = tt.get_program_id y : i32
  %ys = tt.splat %y : i32 -> tensor<16xi32>
  %at = arith.addi %i, %ys : tensor<16xi32>
  {load("v", "x", "f32", 16, "", "%at")}
  {store("%v", "f32", 16, "", "%at")}
  tt.return
}}
"""
    drawn = launches(text)
    found = further_on(drawn, drawn.plain())
    (width, height, _), programs = found.grid, found.programs
    assert {p % width for p in programs} >= {0, 1}
    assert max(p // width for p in programs) == height - 1
    assert {p // width % 2 for p in programs if p // width > 1} == {0, 1}


def test_few_numbers_are_nan() -> None:
    """So few that a row may have one that only the second turn of a loop reads."""
    (found,) = [d for d in last_draws(launches(GATHER)) if d.name == "x is NaN in few places"]
    held = found.values[0].contents
    values = held.values(0, np.arange(1 << 16), element("f32"))
    assert 1 << 5 < np.isnan(values).sum() < 1 << 7
