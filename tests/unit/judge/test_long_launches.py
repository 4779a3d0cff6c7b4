# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""Loops of millions of turns are compared, of which only some turns are run."""

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.judge.kernel_text import block, load, store
from xtriton import universe
from xtriton.interpreter.arguments import parameters
from xtriton.interpreter.long_loops import BEGIN, END, some_turns
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.equivalence import Options
from xtriton.judge.launches.draws import Launches
from xtriton.judge.runs import Runs, Side
from xtriton.judge.samples.long_launches import LongLaunches, suits

SUM = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {{
  {block(64)}
  %c0 = arith.constant 0 : i32
  %one = arith.constant dense<1> : tensor<64xi32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %up = arith.shli %ns, %one : tensor<64xi32>
  %cut = arith.shrsi %up, %one : tensor<64xi32>
  %first = arith.cmpi slt, %lane, %ns : tensor<64xi32>
  {load("begin", "x", "f32", 64, ", %first, %zero", "%lane")}
  %sum, %last = scf.for %k = %c0 to %n step %length iter_args(%acc = %zero, %held = %begin)
      -> (tensor<64xf32>, tensor<64xf32>) : i32 {{
    %after = arith.addi %k, %length : i32
    %ks = tt.splat AT : i32 -> tensor<64xi32>
    %at = arith.addi %ks, %lane : tensor<64xi32>
    %on = arith.cmpi INSIDE : tensor<64xi32>
    {load("v", "x", "f32", 64, ", %on, %zero", "%at")}
    %more = TERM
    %next = arith.addf %acc, %more : tensor<64xf32>
    scf.yield %next, HELD : tensor<64xf32>, tensor<64xf32>
  }}
  {store("%sum", "f32", 64)}
  tt.return
}}
"""
"""A row is summed up in blocks; the block of the next turn may be read one turn before."""

PLAIN = {
    "AT": "%k", "INSIDE": "slt, %at, %ns", "HELD": "%held",
    "TERM": "arith.addf %v, %zero : tensor<64xf32>",
}  # fmt: skip
CUT = PLAIN | {"INSIDE": "slt, %at, %cut"}
TURNED = PLAIN | {"INSIDE": "sgt, %ns, %at"}
AHEAD = PLAIN | {
    "AT": "%after", "HELD": "%v", "TERM": "arith.addf %held, %zero : tensor<64xf32>",
}  # fmt: skip
EXPONENTS = PLAIN | {"TERM": "math.exp %v : tensor<64xf32>"}


def kernel(**parts: str):
    text = SUM
    for name, part in parts.items():
        text = text.replace(name, part)
    return parse_module(text, universe.context())


def differs(one: dict[str, str], other: dict[str, str]) -> bool | None:
    """Return what a launch with a row of more than 2³⁰ numbers tells; None if that is nothing."""
    a, b = (Side.make(kernel(**parts), None) for parts in (one, other))
    function = a.function
    plain = Launches(function, parameters(function)).plain()
    draw = replace(plain, values=(*plain.values[:2], (1 << 30) + 77), programs=(1,))
    with np.errstate(all="ignore"):
        compared = LongLaunches(Runs(a, b, Options())).compared(draw)
    return None if compared is None else compared.found is not None


def test_bound_of_many_bits():
    options = Options(solver=0)
    verdict = check_equivalent(kernel(**PLAIN), kernel(**CUT), options=options)
    assert not verdict
    found = verdict.differences[0].draw
    assert found.name == "loops of millions of turns"
    assert not check_equivalent(kernel(**PLAIN), kernel(**CUT), launches=[found])
    assert check_equivalent(kernel(**PLAIN), kernel(**TURNED), launches=[found])


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [(PLAIN, CUT, True), (PLAIN, TURNED, False), (PLAIN, AHEAD, None), (AHEAD, PLAIN, None)],
)
def test_last_turns(one, other, expected):
    assert differs(one, other) is expected


def test_what_each_turn_changes_decides_nothing():
    assert differs(EXPONENTS, EXPONENTS | {"INSIDE": CUT["INSIDE"]}) is None


def test_turns_between_are_idle():
    turns = list(some_turns(0, 1 << 20))
    idle = [turn.number for turn in turns if turn.idle]
    assert (turns[0].number, turns[-1].number) == (0, (1 << 20) - 1)
    assert len(turns) - len(idle) == BEGIN + END
    assert {BEGIN, (1 << 20) - END - 1, 1 << 19} <= set(idle)


def test_what_is_read_and_written_is_left_alone():
    assert suits(Side.make(kernel(**PLAIN), None).function)
    in_place = SUM.replace('"%x"', '"%out"').replace("tt.splat %x", "tt.splat %out")
    for name, part in PLAIN.items():
        in_place = in_place.replace(name, part)
    module = parse_module(in_place, universe.context())
    assert not suits(Side.make(module, None).function)
