"""Proofs about loops and reductions, and what they may take for granted."""

import pytest
from xdsl.ir import Operation

from tests.unit.judge.kernel_text import block, load, store
from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.equivalence import Options

pytest.importorskip("z3")


def function(text: str) -> Operation:
    first = parse_module(text, universe.context()).body.block.first_op
    assert first is not None
    return first


def equal(before: str, after: str, seconds: float = 2) -> bool:
    """Whether the solver alone proves that two kernels are equal."""
    from xtriton.judge.proofs.proofs import compare

    return compare(function(before), function(after), seconds).equal


LARGEST = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<i32>) {{
  {block(16)}
  {load("v", "x", "f32", 16)}
  %top:2 = "tt.reduce"(%v, %lane) <{{axis = 0 : i32}}> ({{
  ^bb0(%a: f32, %g: i32, %b: f32, %h: i32):
    %more = arith.cmpf ogt, %a, %b : f32
    %same = arith.cmpf oeq, %a, %b : f32
    %first = arith.cmpi slt, %g, %h : i32
    %tie = arith.andi %same, %first : i1
    %left = arith.ori %more, %tie : i1
    %c = arith.select %left, %a, %b : f32
    %k = arith.select %left, %g, %h : i32
    tt.reduce.return %c, %k : f32, i32
  }}) : (tensor<16xf32>, tensor<16xi32>) -> (f32, i32)
  %r = tt.splat %top#1 : i32 -> tensor<16xi32>
  {store("%r", "i32", 16)}
  tt.return
}}
"""


@pytest.mark.parametrize(
    ("here", "instead", "same"),
    [("ogt, %a, %b", "olt, %b, %a", True),
     ("ori %more, %tie", "ori %tie, %more", True),
     ("ogt, %a, %b", "oge, %a, %b", False),
     ("slt, %g, %h", "sgt, %g, %h", False)],
)  # fmt: skip
def test_reductions_are_equal_if_their_regions_are_the_same_function(
    here: str, instead: str, same: bool
) -> None:
    assert here in LARGEST
    assert equal(LARGEST, LARGEST.replace(here, instead)) == same


SEARCH = f"""
tt.func @kernel(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %end:2 = scf.while (%low = %c0, %range = %n) : (i32, i32) -> (i32, i32) {{
    %go = arith.cmpi sgt, %range, %c1 : i32
    scf.condition(%go) %low, %range : i32, i32
  }} do {{
  ^bb0(%low: i32, %range: i32):
    %p = tt.addptr %x, %low : !tt.ptr<i32>, i32
    %v = tt.load %p : !tt.ptr<i32>
    %off = arith.cmpi eq, %v, %c0 : i32
    %step = arith.divsi %range, %c2 : i32
    %further = arith.addi %low, %step : i32
    %next = arith.select %off, %low, %further : i32
    scf.yield %next, %step : i32, i32
  }}
  {block(16)}
  %r = tt.splat %end#0 : i32 -> tensor<16xi32>
  {store("%r", "i32", 16)}
  tt.return
}}
"""


@pytest.mark.parametrize(
    ("here", "instead", "same"),
    [("divsi %range, %c2", "shrui %range, %c1", True),
     ("addi %low, %step", "addi %step, %low", True),
     ("sgt, %range, %c1", "sge, %range, %c2", True),
     ("divsi %range, %c2", "shrui %range, %c2", False),
     ("sgt, %range, %c1", "sgt, %range, %c2", False),
     ("scf.yield %next, %step", "scf.yield %low, %step", False)],
)  # fmt: skip
def test_while_loops_are_compared_by_induction(here: str, instead: str, same: bool) -> None:
    assert here in SEARCH
    assert equal(SEARCH, SEARCH.replace(here, instead)) == same


def test_what_a_loop_starts_with_and_keeps_is_known_inside() -> None:
    bounded = SEARCH.replace("%range = %n)", "%range = %thousand)").replace(
        "  %c0 =", "  %thousand = arith.constant 1000 : i32\n  %c0 ="
    )
    for here, instead in (("sgt, %range", "ugt, %range"), ("divsi %range", "divui %range")):
        # Up to 1000 there is no sign; of an argument, nobody knows.
        assert equal(bounded, bounded.replace(here, instead))
    free = SEARCH.replace("sgt, %range, %c1", "ne, %range, %c1")
    assert not equal(free, free.replace("divsi %range", "divui %range"))
    below = bounded.replace("%step = arith.divsi %range, %c2", "%step = arith.subi %c1, %range")
    assert not equal(below, below.replace("sgt, %range", "ugt, %range"))


ROWS = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %zeros = arith.constant dense<0.0> : tensor<4x8xf32>
  %ones = arith.constant dense<1.0> : tensor<4x8xf32>
  %rows = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %columns = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %ns = tt.splat %n : i32 -> tensor<4xi32>
  %on = arith.cmpi slt, %rows, %ns : tensor<4xi32>
  %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %ron = tt.expand_dims %on {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
  %rs = tt.broadcast %r : tensor<4x1xi32> -> tensor<4x8xi32>
  %mask = tt.broadcast %ron : tensor<4x1xi1> -> tensor<4x8xi1>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
  %sums = scf.for %k = %c0 to %m step %c8 iter_args(%a = %zeros) -> (tensor<4x8xf32>) : i32 {
    %ks = tt.splat %k : i32 -> tensor<8xi32>
    %kc = arith.addi %ks, %columns : tensor<8xi32>
    %c = tt.expand_dims %kc {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %cs = tt.broadcast %c : tensor<1x8xi32> -> tensor<4x8xi32>
    %i = arith.addi %rs, %cs : tensor<4x8xi32>
    %px = tt.addptr %xs, %i : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
    %v = tt.load %px, %mask, %zeros : tensor<4x8x!tt.ptr<f32>>
    %b = arith.mulf %a, %v : tensor<4x8xf32>
    scf.yield %b : tensor<4x8xf32>
  }
  %sum = "tt.reduce"(%sums) <{axis = AXIS : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %po = tt.addptr %os, %rows : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  tt.store %po, %sum, %on : tensor<4x!tt.ptr<f32>>
  tt.return
}
""".replace("AXIS", "1")


def test_what_a_loop_carries_counts_where_it_is_stored_only() -> None:
    assert equal(ROWS, ROWS.replace("%mask, %zeros", "%mask, %ones"))
    everywhere = ROWS.replace("%po, %sum, %on", "%po, %sum")
    assert not equal(everywhere, everywhere.replace("%mask, %zeros", "%mask, %ones"))
    across = ROWS.replace("mulf %a, %v", "mulf %a, %w").replace("    %b =", MIXED + "    %b =")
    assert not equal(across, across.replace("%mask, %zeros", "%mask, %ones")), "rows meet"


MIXED = """    %all = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tt.reduce.return %s : f32
    }) : (tensor<4x8xf32>) -> tensor<8xf32>
    %row = tt.expand_dims %all {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %w = tt.broadcast %row : tensor<1x8xf32> -> tensor<4x8xf32>
"""


HASHED = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %by = arith.constant dense<-766435501> : tensor<16xi32>
  %seven = arith.constant dense<7> : tensor<16xi32>
  {block(16)}
  %h = arith.muli %lane, %by : tensor<16xi32>
  %place = MIX %h, %seven : tensor<16xi32>
  {load("v", "x", "f32", 16, "", "%place")}
  %r = arith.addf %v, %v : tensor<16xf32>
  {store("%r", "f32", 16)}
  tt.return
}}
"""


@pytest.mark.parametrize("mix", ["arith.remui", "arith.andi", "arith.xori"])
def test_what_cannot_be_granted_proves_nothing(mix: str) -> None:
    """The product overflows in every launch: that it does not would prove anything."""
    text = HASHED.replace("MIX", mix)
    changed = text.replace("muli %lane, %by", "muli %lane, %lane")
    assert not equal(text, changed)
    assert not equal(text, text.replace("addf %v, %v", "mulf %v, %v"))


TWICE = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {{
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %one = arith.constant dense<1> : tensor<16xi32>
  {block(16)}
  %ns = tt.splat %n : i32 -> tensor<16xi32>
  %more = arith.addi %ns, %one : tensor<16xi32>
  %on = arith.cmpi slt, %i, %ns : tensor<16xi32>
  %wide = arith.cmpi slt, %i, %more : tensor<16xi32>
  {load("v", "x", "f32", 16, ", %on, %zero")}
  {load("w", "ALSO", "f32", 16, ", %wide, %zero")}
  %r0 = arith.select %on, %v, %zero : tensor<16xi1>, tensor<16xf32>
  %r = arith.addf %r0, %w : tensor<16xf32>
  {store("%r", "f32", 16)}
  tt.return
}}
"""


def test_another_load_may_read_what_a_load_reads_too() -> None:
    for also, same in (("x", True), ("y", False)):
        text = TWICE.replace("ALSO", also)
        assert equal(text, text.replace("%pv, %on, %zero", "%pv, %wide, %zero")) == same
        # To read less is nothing.
        again = text.replace("  %r =", "  %u = tt.load %pw : tensor<16x!tt.ptr<f32>>\n  %r =")
        assert equal(again, text)
        assert not equal(text, again)
    known = TWICE.replace("ALSO", "x")
    again = "  %u = tt.load %pv, %on : tensor<16x!tt.ptr<f32>>\n  %r ="
    assert equal(known, known.replace("  %r =", again))


def test_what_is_undefined_may_be_anything() -> None:
    text = TWICE.replace("ALSO", "x")
    undefined = text.replace("%pw, %wide, %zero", "%pw, %wide")
    assert equal(undefined, text)
    assert not equal(text, undefined)


def test_zero_times_an_undefined_number_may_be_nan() -> None:
    text = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %five = arith.constant dense<5> : tensor<16xi32>
  {block(16)}
  %on = arith.cmpi slt, %lane, %five : tensor<16xi32>
  {load("v", "x", "f32", 16, ", %on, %zero")}
  {load("w", "x", "f32", 16, ", %on, %zero")}
  %r = arith.mulf %v, %w : tensor<16xf32>
  {store("%r", "f32", 16)}
  tt.return
}}
"""
    dropped = text[::-1].replace(", %on, %zero"[::-1], ", %on"[::-1], 1)[::-1]
    one, other = (parse_module(t, universe.context()) for t in (text, dropped))
    assert not check_equivalent(one, other, options=Options())
    assert check_equivalent(other, one, options=Options())
