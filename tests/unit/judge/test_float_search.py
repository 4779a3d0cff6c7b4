# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""Floats that tell two kernels apart are found among millions, and put into memory."""

from itertools import islice

import numpy as np
import pytest

from tests.unit.judge.kernel_text import block, load, store
from xtriton import universe
from xtriton.interpreter import registry
from xtriton.interpreter.arguments import Endless, parameters
from xtriton.interpreter.contents import Contents
from xtriton.interpreter.machine import Program
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.equivalence import Options
from xtriton.judge.floats.float_numbers import KINDS, beside, numbers
from xtriton.judge.floats.float_search import USUAL, FloatSearch, float_draws
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.runs import Runs, Side
from xtriton.semantics import element

MEAN = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  {block(64)}
  %count = arith.constant 257.0 : f32
  %part = arith.constant 3.89105058E-3 : f32
  {load("v", "x", "f32", 64)}
  %sum = "tt.reduce"(%v) <{{axis = 0 : i32}}> ({{
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf ORDER : f32
    tt.reduce.return %t : f32
  }}) : (tensor<64xf32>) -> f32
  %mean = QUOTIENT
  %p = tt.addptr %out, %pid : !tt.ptr<f32>, i32
  tt.store %p, %mean : !tt.ptr<f32>
  tt.return
}}
"""
"""A sum is divided by 257: one in some hundred is another number if it is multiplied instead."""

DROPPED = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %k: !tt.ptr<i32>, %out: !tt.ptr<f32>) {{
  {block(64)}
  %c = arith.constant dense<1.1> : tensor<64xf32>
  %zero = arith.constant dense<0> : tensor<64xi32>
  {load("v", "x", "f32", 64)}
  {load("n", "k", "i32", 64)}
  %kept = arith.cmpi sgt, %n, %zero : tensor<64xi32>
  %keep = arith.uitofp %kept : tensor<64xi1> to tensor<64xf32>
  SCALED
  {store("%w", "f32", 64)}
  tt.return
}}
"""
"""What is dropped may be large, but not infinite."""

ABOVE = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  {block(64)}
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %c = arith.constant dense<7.0> : tensor<64xf32>
  %part = arith.constant dense<0.142857149> : tensor<64xf32>
  {load("v", "x", "f32", 64)}
  {load("u", "y", "f32", 64)}
  %q = QUOTIENT : tensor<64xf32>
  %above = COMPARED : tensor<64xf32>
  %w = arith.select %above, %one, %none : tensor<64xi1>, tensor<64xf32>
  {store("%w", "f32", 64)}
  tt.return
}}
"""
"""A number is above a quotient, or above its other rounding."""

CARRIED = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {{
  {block(64)}
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %c = arith.constant dense<257.0> : tensor<64xf32>
  %part = arith.constant dense<3.89105058E-3> : tensor<64xf32>
  %sum = scf.for %k = %zero to %n step %one iter_args(%acc = %none) -> (tensor<64xf32>) : i32 {{
    %off = arith.muli %k, %length : i32
    %offs = tt.splat %off : i32 -> tensor<64xi32>
    %place = arith.addi %offs, %i : tensor<64xi32>
    {load("v", "x", "f32", 64, "", "%place")}
    %next = arith.addf %acc, %v : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }}
  %w = QUOTIENT : tensor<64xf32>
  {store("%w", "f32", 64)}
  tt.return
}}
"""
"""A loop adds up what is divided."""

MULTIPLIED = """
tt.func @kernel(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %c = arith.constant dense<257.0> : tensor<16x16xf32>
  %part = arith.constant dense<3.89105058E-3> : tensor<16x16xf32>
  %width = arith.constant dense<16> : tensor<16x1xi32>
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %r = tt.expand_dims %lane {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %row = arith.muli %r, %width : tensor<16x1xi32>
  %column = tt.expand_dims %lane {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %rows = tt.broadcast %row : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %place = arith.addi %rows, %columns : tensor<16x16xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %px = tt.addptr %xs, %place : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %a = tt.load %px : tensor<16x16x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %py = tt.addptr %ys, %place : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %b = tt.load %py : tensor<16x16x!tt.ptr<f32>>
  %sum = tt.dot %a, %b, %none, inputPrecision = ieee :
    tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %w = QUOTIENT : tensor<16x16xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %po = tt.addptr %os, %place : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  tt.store %po, %w : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
"""
"""A product of matrices is divided."""

ASSERTED = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {{
  {block(64)}
  %c = arith.constant dense<257.0> : tensor<64xf32>
  %part = arith.constant dense<3.89105058E-3> : tensor<64xf32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %inside = arith.cmpi slt, %lane, %ns : tensor<64xi32>
  tt.assert %inside, "inside" : tensor<64xi1>
  {load("v", "x", "f32", 64)}
  %w = QUOTIENT : tensor<64xf32>
  {store("%w", "f32", 64)}
  tt.return
}}
"""
"""Most sizes fit the first lane, and few the last one."""

DIVIDED, REVERSED = "arith.divf %sum, %count : f32", "%b, %a"
COUNTED = "arith.mulf %sum, %part : f32"
KEPT = """%u = arith.mulf %keep, %v : tensor<64xf32>
  %w = arith.mulf %u, %c : tensor<64xf32>"""
SCALED = """%u = arith.mulf %v, %c : tensor<64xf32>
  %w = arith.mulf %keep, %u : tensor<64xf32>"""
SWAPPED = """%u = arith.mulf %v, %keep : tensor<64xf32>
  %w = arith.mulf %c, %u : tensor<64xf32>"""
BELOW, OTHER_WAY = "arith.cmpf ogt, %u, %q", "arith.cmpf olt, %q, %u"

Pieces = dict[str, str]


def kernel(text: str, pieces: Pieces) -> Program:
    for name, piece in pieces.items():
        text = text.replace(name, piece)
    return Program(parse_module(text, universe.context()))


WRONG = [
    (MEAN, {"QUOTIENT": DIVIDED, "ORDER": "%a, %b"}, {"QUOTIENT": COUNTED, "ORDER": "%a, %b"}),
    (DROPPED, {"SCALED": KEPT}, {"SCALED": SCALED}),
    (
        ABOVE,
        {"QUOTIENT": "arith.divf %v, %c", "COMPARED": BELOW},
        {"QUOTIENT": "arith.mulf %v, %part", "COMPARED": BELOW},
    ),
    (CARRIED, {"QUOTIENT": "arith.divf %sum, %c"}, {"QUOTIENT": "arith.mulf %sum, %part"}),
    (MULTIPLIED, {"QUOTIENT": "arith.divf %sum, %c"}, {"QUOTIENT": "arith.mulf %sum, %part"}),
]
RIGHT = [
    (MEAN, {"QUOTIENT": DIVIDED, "ORDER": "%a, %b"}, {"QUOTIENT": DIVIDED, "ORDER": REVERSED}),
    (DROPPED, {"SCALED": KEPT}, {"SCALED": SWAPPED}),
    (
        ABOVE,
        {"QUOTIENT": "arith.divf %v, %c", "COMPARED": BELOW},
        {"QUOTIENT": "arith.divf %v, %c", "COMPARED": OTHER_WAY},
    ),
]


def launches(program: Program) -> Launches:
    function = program.symbols["kernel"]
    return Launches(function, parameters(function))


def differ(original: Program, rewritten: Program, draw: Draw) -> bool:
    """Run both kernels on a launch; return whether they store other bits."""
    registry.load()
    a, b = (Side.make(program, None) for program in (original, rewritten))
    runs = Runs(a, b, Options())
    one, other = (runs.execute(side, draw, 0).written for side in (a, b))
    return any(not np.array_equal(one[k][1], other[k][1]) for k in one)


@pytest.mark.parametrize(("text", "before", "after"), WRONG)
def test_few_floats_for_which_kernels_differ_are_found(text: str, before: Pieces, after: Pieces):
    original, rewritten = kernel(text, before), kernel(text, after)
    with np.errstate(all="ignore"):
        draws = list(islice(float_draws(launches(original), rewritten.symbols["kernel"]), 3))
        assert draws
        assert all(differ(original, rewritten, draw) for draw in draws)


@pytest.mark.parametrize(("text", "before", "after"), RIGHT)
def test_no_floats_differ_where_a_rewrite_is_right(text: str, before: Pieces, after: Pieces):
    original, rewritten = kernel(text, before), kernel(text, after)
    with np.errstate(all="ignore"):
        search = FloatSearch(launches(original), rewritten.symbols["kernel"], USUAL)
        assert list(search.draws()) == []


def test_floats_are_tried_where_assertions_hold_in_all_lanes():
    before, after = (
        kernel(ASSERTED, {"QUOTIENT": q}) for q in ("arith.divf %v, %c", "arith.mulf %v, %part")
    )
    search = FloatSearch(launches(before), after.symbols["kernel"], USUAL)
    rows = search.places.chosen(search.pairs, search.fine, search.order)
    assert len(rows["argument", 2])
    assert (rows["argument", 2] >= 64).all()


@pytest.mark.parametrize("thorough", [False, True])
def test_a_comparison_seeks_floats_where_nothing_else_tells(thorough: bool):
    text, before, after = WRONG[2]
    original, rewritten = kernel(text, before), kernel(text, after)
    assert check_equivalent(original, rewritten, options=Options(solver=0.0, sampled=False))
    options = Options(solver=0.0, thorough=thorough)
    found = check_equivalent(original, rewritten, options=options)
    assert not found
    assert found.differences[0].draw.name == "floats found among many"


def test_memory_holds_what_is_placed_there_whatever_else_it_holds():
    of = element("f32")
    contents = Contents(only=(0.0,), placed=((3, 0x3F800000), (-2, 0x80000000)))
    index = np.arange(-3, 5, dtype=np.int64)
    found = contents.values(1, index, of)
    assert found.tolist() == [0, 0, 0, 0, 0, 0, 1, 0]
    assert np.signbit(found[1])
    assert contents.values(1, index[6:7], of) == 1.0
    assert contents.steering(4).placed == ()
    assert Endless(contents) != Endless(Contents(only=(0.0,), placed=((3, 0x3F800000),)))


def test_every_second_stretch_of_memory_is_zero():
    contents = Contents(only=(2.5,), band=4)
    index = np.arange(-8, 12, dtype=np.int64)
    found = contents.values(1, index, element("f32")).tolist()
    assert found == [0.0] * 4 + [2.5] * 4 + [0.0] * 4 + [2.5] * 4 + [0.0] * 4
    assert contents.values(1, index, element("i32")).all()


@pytest.mark.parametrize("name", ["f8E5M2", "f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("kind", range(KINDS))
def test_floats_of_all_kinds_are_exact_in_their_type(name: str, kind: int):
    of, rng = element(name), np.random.default_rng(0)
    found = numbers(of, rng, (200,), kind)
    assert found.dtype == of.carrier
    with np.errstate(all="ignore"):
        near = beside(of, rng, found)
        for made in (found, near):
            assert np.array_equal(of.round(made), made, equal_nan=True)


@pytest.mark.parametrize("combiner", ["addf", "mulf", "maximumf", "maxnumf", "minimumf"])
@pytest.mark.parametrize("name", ["f16", "bf16", "f32", "f64"])
def test_reductions_of_all_types_have_graphs(name: str, combiner: str):
    text = f"""
tt.func @kernel(%x: !tt.ptr<{name}>, %out: !tt.ptr<{name}>) {{
  %one = arith.constant dense<1.0> : tensor<16x{name}>
  {block(16)}
  {load("v", "x", name, 16)}
  %w = arith.PART %v, %one : tensor<16x{name}>
  %r = "tt.reduce"(%w) <{{axis = 0 : i32}}> ({{
  ^bb0(%a: {name}, %b: {name}):
    %c = arith.{combiner} %a, %b : {name}
    tt.reduce.return %c : {name}
  }}) : (tensor<16x{name}>) -> {name}
  %rs = tt.splat %r : {name} -> tensor<16x{name}>
  {store("%rs", name, 16)}
  tt.return
}}
"""
    context = universe.context()
    one, other = (parse_module(text.replace("PART", p), context) for p in ("mulf", "divf"))
    assert check_equivalent(one, other, options=Options(solver=0))
