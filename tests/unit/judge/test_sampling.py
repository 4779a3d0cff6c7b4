# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""Launches in which one lane of one program differs are found among thousands."""

import numpy as np
import pytest

from tests.unit.judge.kernel_text import block, load, pointers, store
from xtriton import universe
from xtriton.interpreter.arguments import Endless, parameters
from xtriton.interpreter.effects import Recorder, argument_of
from xtriton.interpreter.machine import Program
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.equivalence import Options
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.launches.execution import execute
from xtriton.judge.samples.graphs import all_of
from xtriton.judge.samples.samples import Samples
from xtriton.judge.samples.sampling import Origin, sampled

COUNT = 4096

PADDED = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32, %w: i32, %k: i32, %m: i32) {{
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %two = arith.constant 2 : i32
  %one = arith.constant dense<1> : tensor<64xi32>
  {block(64)}
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %ws = tt.splat %w : i32 -> tensor<64xi32>
  %ks = tt.splat %k : i32 -> tensor<64xi32>
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  %on = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %row = arith.divsi %i, %ws : tensor<64xi32>
  %column = arith.remsi %i, %ws : tensor<64xi32>
  %area = arith.muli %ws, %ks : tensor<64xi32>
  %next = arith.addi %row, %one : tensor<64xi32>
  %full = arith.cmpi eq, %area, %ms : tensor<64xi32>
  %inside = arith.cmpi PREDICATE, %column, %ks : tensor<64xi32>
  %told = arith.andi %full, %inside : tensor<64xi1>
  %both = arith.andi %told, %on : tensor<64xi1>
  {load("v", "x", "f32", 64, ", %both, %zero")}
  {store("%v", "f32", 64, ", %on")}
  tt.return
}}
"""
"""Something is read where the area is one of the sizes: few launches have that."""

FAR = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {{
  {block(16)}
  %far = arith.constant 900000000 : i32
  %less = arith.constant 900000005 : i32
  %beyond = arith.cmpi sgt, %pid, %far : i32
  %before = arith.cmpi LAST, %pid, %less : i32
  %few = arith.andi %beyond, %before : i1
  %fews = tt.splat %few : i1 -> tensor<16xi1>
  {load("v", "x", "f32", 16, ", %fews, %none", "%lane")}
  {store("%v", "f32", 16, ", %fews", "%lane")}
  tt.return
}}
""".replace("%far =", "%none = arith.constant dense<0.0> : tensor<16xf32>\n  %far =")

NEGATIVE = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32, %m: i32) {{
  {block(16)}
  %c32 = arith.constant 32 : i32
  %c31 = arith.constant 31 : i32
  %five = arith.constant 5 : i32
  %up = arith.addi %n, %c31 : i32
  %blocks = QUOTIENT
  %q = arith.remsi %pid, %m : i32
  %far = arith.cmpi sgt, %q, %five : i32
  %less = arith.cmpi slt, %blocks, %q : i32
  %both = arith.andi %far, %less : i1
  %at = arith.select %both, %blocks, %q : i32
  %ats = tt.splat %at : i32 -> tensor<16xi32>
  %place = arith.addi %ats, %lane : tensor<16xi32>
  {load("v", "x", "f32", 16, "", "%place")}
  {store("%v", "f32", 16)}
  tt.return
}}
"""

MEAN = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32, %eps: f32) {{
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  {block(16)}
  %ns = tt.splat %n : i32 -> tensor<16xi32>
  %on = arith.cmpi slt, %lane, %ns : tensor<16xi32>
  {load("v", "x", "f32", 16, ", %on, %zero")}
  %sum = "tt.reduce"(%v) <{{axis = 0 : i32}}> ({{
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }}) : (tensor<16xf32>) -> f32
  %count = CONVERTED %n : i32 to f32
  %mean = arith.divf %sum, %count : f32
  %more = arith.addf %mean, %eps : f32
  %means = tt.splat %more : f32 -> tensor<16xf32>
  {store("%means", "f32", 16)}
  tt.return
}}
"""

PAIRS = (
    (MEAN.replace("CONVERTED", "arith.sitofp"), MEAN.replace("CONVERTED", "arith.uitofp")),
    (PADDED.replace("PREDICATE", "slt"), PADDED.replace("PREDICATE", "sle")),
    (FAR.replace("LAST", "slt"), FAR.replace("LAST", "sle")),
    (
        NEGATIVE.replace("QUOTIENT", "arith.divsi %up, %c32 : i32"),
        NEGATIVE.replace("QUOTIENT", "arith.shrsi %up, %five : i32"),
    ),
)


@pytest.mark.parametrize("pair", PAIRS)
def test_wrong_rewrites_are_told_without_a_solver(pair: tuple[str, str]) -> None:
    one, other = (parse_module(text, universe.context()) for text in pair)
    found = check_equivalent(one, other, options=Options(solver=0.0))
    assert not found, found.render()
    assert check_equivalent(one, one.clone(), options=Options(solver=0.0))


def test_launches_are_what_the_graph_says() -> None:
    """What is computed for one lane is what the interpreter stores there."""
    module = parse_module(PADDED.replace("PREDICATE", "slt"), universe.context())
    kernel = module.body.block.first_op
    assert kernel is not None
    launches = Launches(kernel, parameters(kernel))
    origin = Origin.of(launches)
    samples = Samples(launches, origin.lanes.graph, origin.bases, COUNT)
    rows = samples.some(COUNT)
    store = next(e for e in origin.lanes.effects if e.kind[0] == "store")
    assert store.place is not None
    value, of = store.values[0]
    values = samples.values(rows, {*store.nodes(), *origin.lanes.fine, *origin.lanes.defined})
    size = samples.size(rows)
    on = all_of([values[n] for n in (*store.mask, *origin.lanes.fine, *origin.lanes.defined)])
    chosen = sorted(np.flatnonzero(on), key=lambda row: size[row])[:12]
    assert len(chosen) == 12
    program = Program(module)
    for row in chosen:
        ran = execute(
            program, "kernel", samples.draw(rows, int(row)), poison=0, observer=Recorder()
        )
        offset = argument_of(int(values[store.place][row]))[1]
        places, held = ran.written[1]
        at = int(np.searchsorted(places, offset))
        stored = held[at : at + of.size].view(np.float32)[0]
        assert places[at] == offset
        assert np.array_equal(stored, values[value][row], equal_nan=True)


ADDED = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32, %m: i32) {{
  %one = arith.constant dense<true> : tensor<16xi1>
  %some = arith.constant 100 : i32
  {block(16)}
  %place = arith.remsi %pid, %m : i32
  %row = arith.muli %place, %length : i32
  %rows = tt.splat %row : i32 -> tensor<16xi32>
  %at = arith.addi %rows, %lane : tensor<16xi32>
  {load("v", "x", "f32", 16)}
  {pointers("o", "out", "f32", 16, "%at")}
  ADD
  tt.return
}}
"""


def test_programs_far_apart_that_add_to_one_element_run_together() -> None:
    many = "tensor<16x!tt.ptr<f32>>"
    atomic = f"""%old = tt.atomic_rmw fadd, relaxed, gpu, %po, %v, %one
      : ({many}, tensor<16xf32>, tensor<16xi1>) -> tensor<16xf32>"""
    plain = f"""%old = tt.load %po : {many}
  %sum = arith.addf %old, %v : tensor<16xf32>
  tt.store %po, %sum : {many}"""
    one, other = (
        parse_module(ADDED.replace("ADD", text), universe.context()) for text in (atomic, plain)
    )
    kernel, changed = (module.body.block.first_op for module in (one, other))
    assert kernel is not None
    assert changed is not None
    launches = Launches(kernel, parameters(kernel))
    found = list(sampled(launches, Origin.of(launches), changed))
    assert any(len(draw.programs) == 2 for draw in found)
    assert not check_equivalent(one, other)


def test_offsets_beyond_any_memory_decide_nothing() -> None:
    """In bytes the offset needs more than 64 bits, though the index of the element does not."""
    text = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i64) {{
  {block(32)}
  %wide = arith.extsi %lane : tensor<32xi32> to tensor<32xi64>
  %ns = tt.splat %n : i64 -> tensor<32xi64>
  %at = arith.muli %wide, %ns : tensor<32xi64>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %px = tt.addptr %xs, %at : tensor<32x!tt.ptr<f32>>, tensor<32xi64>
  %v = tt.load %px : tensor<32x!tt.ptr<f32>>
  {store("%v", "f32", 32)}
  tt.return
}}
"""
    less = text.replace("tt.load %px :", "tt.load %px2 :").replace(
        "  %v =",
        """  %limit = arith.constant dense<2305843009213693951> : tensor<32xi64>
  %cut = arith.minsi %at, %limit : tensor<32xi64>
  %px2 = tt.addptr %xs, %cut : tensor<32x!tt.ptr<f32>>, tensor<32xi64>
  %v =""",
    )
    one, other = (parse_module(x, universe.context()) for x in (text, less))
    draw = Draw("far", (Endless(), Endless(), 1 << 58), (1, 1, 1), (0,))
    near = Draw("near", (Endless(), Endless(), 1 << 20), (1, 1, 1), (0,))
    found = check_equivalent(one, other, launches=[draw, near])
    assert found, found.render()
    assert found.draws == 1


CARRIED = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %none = arith.constant dense<0> : tensor<16xi8>
  {block(16)}
  {load("v", "x", "f32", 16)}
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(ARGUMENTS) -> (TYPES) : i32 {{
    %b = arith.addf %a, %v : tensor<16xf32>
    %m = arith.addi %l, %l : tensor<16xi8>
    scf.yield NEXT
  }}
  {store("%r#SUM", "f32", 16)}
  tt.return
}}
"""
"""A sum and a number are carried by a loop, in either order."""


def _carried(swapped: bool) -> str:
    parts = (
        ("%a = %zero", "tensor<16xf32>", "%b"),
        ("%l = %none", "tensor<16xi8>", "%m"),
    )
    arguments, types, yielded = zip(*(parts[::-1] if swapped else parts), strict=True)
    found = CARRIED.replace("ARGUMENTS", ", ".join(arguments))
    found = found.replace("TYPES", ", ".join(types)).replace("SUM", str(int(swapped)))
    return found.replace("NEXT", f"{', '.join(yielded)} : {', '.join(types)}")


def test_carried_values_of_other_types_are_no_pair() -> None:
    context = universe.context()
    modules = [parse_module(_carried(swapped), context) for swapped in (False, True)]
    assert check_equivalent(*modules, options=Options(solver=0))
