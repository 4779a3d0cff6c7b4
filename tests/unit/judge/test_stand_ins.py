"""What ops leave undefined by themselves has another stand-in in each run."""

import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.verdicts import Options

HEAD = """
tt.func @kernel(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %zero = arith.constant dense<0> : tensor<16xi32>
  %one = arith.constant dense<1> : tensor<16xi32>
  %five = arith.constant dense<5> : tensor<16xi32>
  %few = arith.constant dense<-10> : tensor<16xi32>
  %wide = arith.constant dense<32> : tensor<16xi32>
  %true = arith.constant dense<true> : tensor<16xi1>
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %ns = tt.splat %n : i32 -> tensor<16xi32>
  %no = arith.cmpi eq, %ns, %zero : tensor<16xi32>
  %on = arith.cmpi slt, %i, %five : tensor<16xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %px = tt.addptr %xs, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %outs = tt.splat %out : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %po = tt.addptr %outs, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %a = tt.load %px : tensor<16x!tt.ptr<i32>>
  %b = tt.load %px, %on : tensor<16x!tt.ptr<i32>>
  %isnt = arith.cmpi eq, %a, %zero : tensor<16xi32>
  %is_wide = arith.cmpi uge, %a, %wide : tensor<16xi32>
"""
TAIL = """
  tt.store %po, %r : tensor<16x!tt.ptr<i32>>
  tt.return
}
"""

QUOTIENT = "%r = arith.divsi %five, %a : tensor<16xi32>"
CHOSEN = (
    "%q = arith.divsi %five, %a : tensor<16xi32>\n"
    "%r = arith.select %isnt, %zero, %q : tensor<16xi1>, tensor<16xi32>"
)
GUARDED = (
    "%d = arith.select %isnt, %one, %a : tensor<16xi1>, tensor<16xi32>\n"
    "%q = arith.divsi %five, %d : tensor<16xi32>\n"
    "%r = arith.select %isnt, %zero, %q : tensor<16xi1>, tensor<16xi32>"
)
SHIFT = "%r = arith.shli %one, %a : tensor<16xi32>"
SHIFT_CHOSEN = (
    "%q = arith.shli %one, %a : tensor<16xi32>\n"
    "%r = arith.select %is_wide, %zero, %q : tensor<16xi1>, tensor<16xi32>"
)
ASSERTED = (
    "%r = arith.select %on, %b, %zero : tensor<16xi1>, tensor<16xi32>\n"
    "%c = arith.cmpi sge, %b, %few : tensor<16xi32>\n"
    'tt.assert %c, "bounds" : tensor<16xi1>'
)
ASSERTED_WHERE_ON = (
    "%r = arith.select %on, %b, %zero : tensor<16xi1>, tensor<16xi32>\n"
    "%c = arith.cmpi sge, %b, %few : tensor<16xi32>\n"
    "%off = arith.xori %on, %true : tensor<16xi1>\n"
    "%ok = arith.ori %c, %off : tensor<16xi1>\n"
    'tt.assert %ok, "bounds" : tensor<16xi1>'
)
RIGHT = {
    "a quotient that is guarded": (QUOTIENT, GUARDED),
    "a quotient that is not chosen": (GUARDED, CHOSEN),
    "a shift that is not chosen": (SHIFT, SHIFT_CHOSEN),
    "an assertion that holds less": (ASSERTED, ASSERTED_WHERE_ON),
}
WRONG = {
    "a quotient by zero is stored": (CHOSEN, QUOTIENT),
    "a shift by too much is stored": (SHIFT_CHOSEN, SHIFT),
    "lanes that are off are asserted": (ASSERTED_WHERE_ON, ASSERTED),
}


def module(body: str) -> ModuleOp:
    return parse_module(HEAD + body + TAIL, universe.context())


@pytest.mark.parametrize("name", RIGHT)
def test_right_rewrites_are_the_same(name: str):
    mine, theirs = map(module, RIGHT[name])
    verdict = check_equivalent(mine, theirs, options=Options(solver=0))
    assert verdict, verdict.differences


@pytest.mark.parametrize("name", WRONG)
def test_what_depends_on_undefined_numbers_is_seen(name: str):
    mine, theirs = map(module, WRONG[name])
    assert not check_equivalent(mine, theirs, options=Options(solver=0))


def test_a_lane_that_may_be_on_may_read_anywhere():
    """With n = 0 each quotient is undefined, in the mask and in the address."""
    quotient = "%q = arith.divsi %i, %ns : tensor<16xi32>\n"
    chosen = (
        "%p = arith.divsi %i, %ns : tensor<16xi32>\n"
        "%q = arith.select %no, %five, %p : tensor<16xi1>, tensor<16xi32>\n"
    )
    access = (
        "%at = tt.addptr %px, %q : tensor<16x!tt.ptr<i32>>, tensor<16xi32>\n"
        "%f = arith.cmpi sge, %q, %one : tensor<16xi32>\n"
        "%v = tt.load %at, %f, %zero : tensor<16x!tt.ptr<i32>>\n"
        "%r = arith.muli %v, %zero : tensor<16xi32>"
    )
    mine, theirs = module(quotient + access), module(chosen + access)
    options = Options(solver=0)
    assert check_equivalent(mine, theirs, given={3: 0}, options=options)
    elsewhere = (
        "%ys = tt.splat %y : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>\n"
        "%py = tt.addptr %ys, %q : tensor<16x!tt.ptr<i32>>, tensor<16xi32>\n"
        "%w = tt.load %py, %f, %zero : tensor<16x!tt.ptr<i32>>\n"
    )
    other = chosen + access.replace("%r =", elsewhere + "%r =")
    verdict = check_equivalent(mine, module(other), given={3: 0}, options=options)
    assert not verdict
    assert "reads argument 1" in verdict.differences[0].message


def test_undefined_lanes_that_look_further_do_not_hide_a_store():
    """A search goes on from what an undefined lane has read: nothing of it is stored."""
    search = (
        "%f = arith.cmpi sgt, %b, %zero : tensor<16xi32>\n"
        "%q = arith.select %f, %five, %one : tensor<16xi1>, tensor<16xi32>\n"
        "%few_of = arith.cmpi slt, %q, %five : tensor<16xi32>\n"
        "%at = tt.addptr %px, %q : tensor<16x!tt.ptr<i32>>, tensor<16xi32>\n"
        "%r = tt.load %at, %few_of, %zero : tensor<16x!tt.ptr<i32>>\n"
    )
    store = "  tt.store %po, %r, %on : tensor<16x!tt.ptr<i32>>\n  tt.return\n}\n"
    context = universe.context()
    mine = parse_module(HEAD + search + store, context)
    theirs = parse_module(HEAD + search + store.replace(", %on", ""), context)
    assert check_equivalent(mine, mine.clone(), options=Options(solver=0))
    assert not check_equivalent(mine, theirs, options=Options(solver=0))
