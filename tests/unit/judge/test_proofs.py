"""A solver proves that kernels are equal, and finds launches on which they are not."""

from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tests.unit.judge.kernel_text import block, load, store
from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.equivalence import Options

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
    from xtriton.judge.proofs.proofs import compare

    shorter = ("tt.store %po, %v, %on : tensor<128x!tt.ptr<f32>>", "")
    assert not compare(function(module()), function(module(shorter))).equal
    assert compare(function(module()), function(module())).equal


def test_a_different_combination_is_no_proof():
    """What a reduction does to its operands is part of what is compared."""
    from xtriton.judge.proofs.proofs import compare

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


def proved(before: str, after: str, *, thorough: bool = False) -> bool:
    one, other = (parse_module(text, universe.context()) for text in (before, after))
    verdict = check_equivalent(one, other, thorough=thorough)
    assert verdict, verdict.render()
    return verdict.proved


VALUES = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %y: !tt.ptr<i64>, %flags: !tt.ptr<i1>, %out: !tt.ptr<OUT>) {{
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0> : tensor<16xi64>
  %zero8 = arith.constant dense<0> : tensor<16xi8>
  %one8 = arith.constant dense<1> : tensor<16xi8>
  %ones = arith.constant dense<-1> : tensor<16xi64>
  %bound = arith.constant dense<100> : tensor<16xi64>
  %least = arith.constant 0.0 : f32
  {block(16)}
  {load("v", "x", "f32", 16)}
  {load("w", "y", "i64", 16)}
  %bytes = tt.bitcast %flags : !tt.ptr<i1> -> !tt.ptr<i8>
  {load("f", "bytes", "i8", 16)}
  BODY
  {store("%r", "OUT", 16)}
  tt.return
}}
"""
IN_BOUNDS = """%low = arith.cmpi sge, %w, %zero : tensor<16xi64>
  %high = arith.cmpi slt, %w, %bound : tensor<16xi64>
  %ok = arith.andi %low, %high : tensor<16xi1>
  tt.assert %ok, "in bounds" : tensor<16xi1>
  """
FACTS = {
    "a square has no sign": ("f32",
        "%d = arith.subf %v, %e : tensor<16xf32>", "%d = arith.subf %e, %v : tensor<16xf32>",
        "%e = math.exp %v : tensor<16xf32>\nCHANGED\n"
        "%r = arith.mulf %d, %d : tensor<16xf32>"),
    "an assertion bounds it": ("i64",
        "%r = arith.addi %w, %bound : tensor<16xi64>",
        "%t = arith.trunci %w : tensor<16xi64> to tensor<16xi32>\n"
        "%u = arith.extsi %t : tensor<16xi32> to tensor<16xi64>\n"
        "%r = arith.addi %u, %bound : tensor<16xi64>",
        IN_BOUNDS + "CHANGED"),
    "a weaker assertion": ("i64",
        'tt.assert %ok, "in bounds" : tensor<16xi1>', 'tt.assert %low, "in bounds" : tensor<16xi1>',
        IN_BOUNDS.replace('tt.assert %ok, "in bounds" : tensor<16xi1>', "CHANGED")
        + "%r = arith.addi %w, %w : tensor<16xi64>"),
    "a truth is 0 or 1": ("i1",
        "%r = arith.cmpi ne, %f, %zero8 : tensor<16xi8>",
        "%r = arith.cmpi eq, %f, %one8 : tensor<16xi8>", "CHANGED"),
    "a sum in the other order, where it is used": ("f32",
        "%e = arith.addf %v, %v : tensor<16xf32>",
        "%l = math.log %v : tensor<16xf32>\n%k = arith.select %c, %v, %l : tensor<16xi1>, tensor<16xf32>"
        "\n%e = arith.addf %k, %v : tensor<16xf32>",
        "%c = arith.cmpi slt, %w, %zero : tensor<16xi64>\nCHANGED\n"
        "%g = math.exp %v : tensor<16xf32>\n%h = arith.addf %g, %e : tensor<16xf32>\n"
        "%r = arith.select %c, %h, %v : tensor<16xi1>, tensor<16xf32>"),
    "the float of a number that is not negative": ("f32",
        "%r = arith.sitofp %k : tensor<16xi64> to tensor<16xf32>",
        "%r = arith.uitofp %k : tensor<16xi64> to tensor<16xf32>",
        "%c = arith.cmpi slt, %w, %zero : tensor<16xi64>\n"
        "%m = arith.xori %w, %ones : tensor<16xi64>\n"
        "%k = arith.select %c, %m, %w : tensor<16xi1>, tensor<16xi64>\nCHANGED"),
    "a reduction with a constant from outside": ("f32",
        "%a = arith.addf %v, %g : tensor<16xf32>", "%a = arith.addf %g, %v : tensor<16xf32>",
        "%g = math.exp %v : tensor<16xf32>\nCHANGED\n"
        '%sum = "tt.reduce"(%a) <{axis = 0 : i32}> ({\n^bb0(%p: f32, %q: f32):\n'
        "  %n = arith.addf %p, %q : f32\n  %m = arith.maximumf %n, %least : f32\n"
        "  tt.reduce.return %m : f32\n}) : (tensor<16xf32>) -> f32\n"
        "%r = tt.splat %sum : f32 -> tensor<16xf32>"),
}  # fmt: skip


@pytest.mark.parametrize("name", FACTS)
def test_facts_that_a_proof_knows(name: str) -> None:
    kind, mine, theirs, body = FACTS[name]
    text = VALUES.replace("BODY", body).replace("OUT", kind)
    assert proved(text.replace("CHANGED", mine), text.replace("CHANGED", theirs))


SUMMED = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %ns = tt.splat %n : i32 -> tensor<16xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %more = arith.addi %n, %c1 : i32
  %sum = scf.for %k = %c0 to %n step %c16 iter_args(%a = %zero) -> (tensor<16xf32>) : i32 {
    %ks = tt.splat %k : i32 -> tensor<16xi32>
    %i = arith.addi %ks, %lane : tensor<16xi32>
    %on = arith.cmpi slt, %i, %ns : tensor<16xi32>
    %p = tt.addptr %xs, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %v = tt.load %p, %on, %zero : tensor<16x!tt.ptr<f32>>
    %b = arith.addf %a, %v : tensor<16xf32>
    %c = arith.select %on, %b, %a : tensor<16xi1>, tensor<16xf32>
    scf.yield %c : tensor<16xf32>
  }
  %po = tt.addptr %os, %lane : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %po, %sum : tensor<16x!tt.ptr<f32>>
  tt.return
}
"""


def test_an_iteration_with_all_lanes_off_is_nothing():
    assert proved(SUMMED, SUMMED.replace("to %n step", "to %more step"))
    assert proved(SUMMED.replace("to %n step", "to %more step"), SUMMED)


@pytest.mark.parametrize(
    ("here", "instead"),
    [("load %p, %on, %zero", "load %p"), ("select %on, %b, %a", "select %on, %b, %v"),
     ("slt, %i, %ns", "sle, %i, %ns"), ("scf.yield %c", "scf.yield %b")],
)  # fmt: skip
def test_an_iteration_more_that_does_something_is_no_proof(here: str, instead: str):
    before = SUMMED.replace(here, instead)
    after = before.replace("to %n step", "to %more step")
    one, other = (parse_module(text, universe.context()) for text in (before, after))
    assert not check_equivalent(one, other).proved


def test_what_is_asserted_in_a_loop_says_nothing_behind_it() -> None:
    body = (
        "%none = arith.constant 0 : i32\n%two = arith.trunci %n64 : i64 to i32\n"
        "scf.for %k = %none to %two step %c16 : i32 {\n" + IN_BOUNDS + "}\nCHANGED"
    )
    kind, mine, theirs, _ = FACTS["an assertion bounds it"]
    text = (
        VALUES.replace("BODY", body).replace("OUT", kind).replace("%x: !tt", "%n64: i64, %x: !tt")
    )
    one, other = (
        parse_module(text.replace("CHANGED", c), universe.context()) for c in (mine, theirs)
    )
    assert not check_equivalent(one, other).proved


CASES = ("equal", "greater", "less", "unordered")
PREDICATES = {
    "oeq": "equal", "ogt": "greater", "oge": "greater equal", "olt": "less", "ole": "less equal",
    "one": "less greater", "ord": "less greater equal", "ueq": "equal unordered",
    "ugt": "greater unordered", "uge": "greater equal unordered", "ult": "less unordered",
    "ule": "less equal unordered", "une": "less greater unordered", "uno": "unordered",
}  # fmt: skip


def test_predicates_of_floats_are_known_by_their_cases():
    """Of two predicates, what holds for one or the other is the predicate of all their cases."""
    from xtriton.judge.proofs.proofs import compare

    def kernel(line: str) -> Operation:
        body = f"%e = math.exp2 %v : tensor<16xf32>\n%g = math.log %v : tensor<16xf32>\n{line}"
        text = VALUES.replace("BODY", body).replace("OUT", "i1")
        return function(parse_module(text, universe.context()))

    def one(name: str, result: str) -> str:
        return f"%{result} = arith.cmpf {name}, %e, %g : tensor<16xf32>\n"

    by_cases = {frozenset(cases.split()): name for name, cases in PREDICATES.items()}
    for name, cases in PREDICATES.items():
        for other in ("oeq", "uno"):
            both = frozenset((*cases.split(), *PREDICATES[other].split()))
            if (joined := by_cases.get(both)) is None:
                continue
            joint = one(name, "a") + one(other, "b") + "%r = arith.ori %a, %b : tensor<16xi1>"
            for guess in {joined, name}:
                same = compare(kernel(joint), kernel(one(guess, "r")), 4).equal
                assert same == (guess == joined), (name, other, guess)


def test_a_sum_that_starts_at_zero_is_never_a_zero_with_a_sign():
    """So `sum + 0` is `sum`: lanes that are off need no selection."""
    assert proved(SUMMED, SUMMED.replace("scf.yield %c", "scf.yield %b"))
    start = SUMMED.replace("iter_args(%a = %zero)", "iter_args(%a = %minus)").replace(
        "  %lane =", "  %minus = arith.constant dense<-0.0> : tensor<16xf32>\n  %lane ="
    )
    one, other = (
        parse_module(text, universe.context())
        for text in (start, start.replace("scf.yield %c", "scf.yield %b"))
    )
    assert not check_equivalent(one, other).proved


def test_a_product_of_zeros_may_be_left_out():
    dotted = SUMMED.replace("xf32>", "xf16>").replace("!tt.ptr<f32>", "!tt.ptr<f16>")
    dotted = dotted.replace("%b = arith.addf %a, %v : tensor<16xf16>", "").replace(
        "%c = arith.select %on, %b, %a : tensor<16xi1>, tensor<16xf16>", DOT
    )
    dotted = dotted.replace("%a = %zero) -> (tensor<16xf16>)", "%a = %sums) -> (tensor<16x16xf32>)")
    dotted = dotted.replace("scf.yield %c : tensor<16xf16>", "scf.yield %c : tensor<16x16xf32>")
    dotted = dotted.replace("  %lane =", "  %sums = arith.constant dense<0.0> : "
                            "tensor<16x16xf32>\n  %lane =")  # fmt: skip
    dotted = dotted.replace("  %po =", TAKEN + "  %po =").replace("%po, %sum ", "%po, %taken ")
    assert proved(dotted, dotted.replace("to %n step", "to %more step"))
    signed = dotted.replace("tensor<16x16xf32>\n  %lane", "tensor<16x16xf32>\n  %lane").replace(
        "%sums = arith.constant dense<0.0>", "%sums = arith.constant dense<-0.0>"
    )
    one, other = (
        parse_module(text, universe.context())
        for text in (signed, signed.replace("to %n step", "to %more step"))
    )
    assert not check_equivalent(one, other).proved


DOT = """%va = tt.expand_dims %v {axis = 1 : i32} : tensor<16xf16> -> tensor<16x1xf16>
    %l = tt.broadcast %va : tensor<16x1xf16> -> tensor<16x16xf16>
    %r = tt.trans %l {order = array<i32: 1, 0>} : tensor<16x16xf16> -> tensor<16x16xf16>
    %c = tt.dot %l, %r, %a : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>"""
TAKEN = """  %narrow = arith.truncf %sum : tensor<16x16xf32> to tensor<16x16xf16>
  %taken = "tt.reduce"(%narrow) <{axis = 0 : i32}> ({
  ^bb0(%p: f16, %q: f16):
    %m = arith.maximumf %p, %q : f16
    tt.reduce.return %m : f16
  }) : (tensor<16x16xf16>) -> tensor<16xf16>
"""

WHOLE_LAUNCH = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i64, %size: i32) {
  %c2 = arith.constant 2 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %pid = tt.get_program_id x : i32
  CHANGED
  %row = arith.muli %place, %c8 : i32
  %wide = arith.extsi %row : i32 to i64
  %q = arith.divsi %wide, %n : i64
  %o = arith.muli %q, %stride : i64
  %p = tt.addptr %x, %o : !tt.ptr<f32>, i64
  %v = tt.load %p : !tt.ptr<f32>
  %later = arith.muli %pid, %c8 : i32
  %po = tt.addptr %out, %later : !tt.ptr<f32>, i32
  tt.store %po, %v : !tt.ptr<f32>
  tt.return
}
"""
LAUNCH_SAME = {
    "a bit that overflows later": (
        "%place = arith.addi %pid, %c1 : i32\n%stride = arith.addi %n, %n : i64",
        "%u = arith.shli %pid, %c2 : i32\n%d = arith.shrsi %u, %c2 : i32\n"
        "%place = arith.addi %d, %c1 : i32\n%stride = arith.addi %n, %n : i64",
    ),
    "a stride that only quotients of zero are multiplied with": (
        "%place = arith.addi %pid, %c1 : i32\n%c = arith.constant 0 : i64\n"
        "%stride = arith.maxsi %n, %c : i64",
        "%place = arith.addi %pid, %c1 : i32\n%c = arith.constant 0 : i64\n"
        "%s = arith.maxsi %n, %c : i64\n%t = arith.trunci %s : i64 to i32\n"
        "%stride = arith.extsi %t : i32 to i64",
    ),
}


@pytest.mark.parametrize("name", LAUNCH_SAME)
def test_what_a_launch_has_in_common(name: str) -> None:
    mine, theirs = (WHOLE_LAUNCH.replace("CHANGED", text) for text in LAUNCH_SAME[name])
    # How many steps z3 takes for these depends on what it was asked before in this process.
    assert proved(mine, theirs, thorough=True)


def test_lanes_in_another_order_are_the_same_for_the_same_lanes() -> None:
    body = (
        "CHANGED\n%all = tt.reshape %e allow_reorder : tensor<16xf32> -> tensor<4x4xf32>\n"
        '%few = "tt.reduce"(%all) <{axis = 0 : i32}> ({\n^bb0(%p: f32, %q: f32):\n'
        "  %n = arith.addf %p, %q : f32\n  tt.reduce.return %n : f32\n"
        "}) : (tensor<4x4xf32>) -> tensor<4xf32>\n"
        '%sum = "tt.reduce"(%few) <{axis = 0 : i32}> ({\n^bb0(%p: f32, %q: f32):\n'
        "  %n = arith.addf %p, %q : f32\n  tt.reduce.return %n : f32\n"
        "}) : (tensor<4xf32>) -> f32\n%r = tt.splat %sum : f32 -> tensor<16xf32>"
    )
    text = VALUES.replace("BODY", body).replace("OUT", "f32")
    mine, theirs = "%e = arith.addf %v, %g", "%e = arith.addf %g, %v"
    exp = "%g = math.exp %v : tensor<16xf32>\n"
    assert proved(*(text.replace("CHANGED", f"{exp}{x} : tensor<16xf32>") for x in (mine, theirs)))


ROWS = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %zeros = arith.constant dense<0.0> : tensor<4x8xf32>
  %ones = arith.constant dense<1.0> : tensor<4x8xf32>
  %five = arith.constant dense<5> : tensor<1x8xi32>
  %rows = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %columns = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %ns = tt.splat %n : i32 -> tensor<4xi32>
  %on = arith.cmpi slt, %rows, %ns : tensor<4xi32>
  %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %ron = tt.expand_dims %on {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
  %con = arith.cmpi slt, %c, %five : tensor<1x8xi32>
  %rs = tt.broadcast %r : tensor<4x1xi32> -> tensor<4x8xi32>
  %cs = tt.broadcast %c : tensor<1x8xi32> -> tensor<4x8xi32>
  %i = arith.addi %rs, %cs : tensor<4x8xi32>
  %rm = tt.broadcast %ron : tensor<4x1xi1> -> tensor<4x8xi1>
  %cm = tt.broadcast %con : tensor<1x8xi1> -> tensor<4x8xi1>
  %m = arith.andi %rm, %cm : tensor<4x8xi1>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
  %px = tt.addptr %xs, %i : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
  %v = tt.load %px, %m, %zeros : tensor<4x8x!tt.ptr<f32>>
  %sum = "tt.reduce"(%v) <{axis = AXIS : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (tensor<4x8xf32>) -> tensor<LENGTHxf32>
  STORE
  tt.return
}
"""
ROW_SUMS = """%os = tt.splat %out : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %po = tt.addptr %os, %rows : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  tt.store %po, %sum, %on : tensor<4x!tt.ptr<f32>>"""
COLUMN_SUMS = """%os = tt.splat %out : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %po = tt.addptr %os, %columns : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %po, %sum : tensor<8x!tt.ptr<f32>>"""


def test_sums_of_rows_that_are_not_stored_do_not_count() -> None:
    from xtriton.judge.proofs.proofs import compare

    rows, columns = (
        ROWS.replace("AXIS", axis).replace("LENGTH", length).replace("STORE", store)
        for axis, length, store in (("1", "4", ROW_SUMS), ("0", "8", COLUMN_SUMS))
    )
    off = "%fill = arith.select %rm, %zeros, %ones : tensor<4x8xi1>, tensor<4x8xf32>\n  %v ="

    def changed(text: str) -> str:
        return text.replace("%v =", off).replace("%m, %zeros", "%m, %fill")

    def equal(*texts: str) -> bool:
        one, other = (function(parse_module(text, universe.context())) for text in texts)
        return compare(one, other, 1).equal

    assert equal(rows, changed(rows))
    assert not equal(columns, changed(columns)), "rows that are off are in the sums of columns"
    everywhere = rows.replace("%m, %zeros", "%m, %ones")
    assert not equal(rows, everywhere), "columns that are off are in the sums of rows"


PRODUCT = """
tt.func @kernel(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  %ones = arith.constant dense<1.0> : tensor<16x16xf32>
  %by = arith.constant dense<16> : tensor<16x1xi32>
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %r = tt.expand_dims %lane {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %c = tt.expand_dims %lane {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %rr = arith.muli %r, %by : tensor<16x1xi32>
  %rs = tt.broadcast %rr : tensor<16x1xi32> -> tensor<16x16xi32>
  %cs = tt.broadcast %c : tensor<1x16xi32> -> tensor<16x16xi32>
  %i = arith.addi %rs, %cs : tensor<16x16xi32>
  %ns = tt.splat %n : i32 -> tensor<16x1xi32>
  %on = arith.cmpi slt, %r, %ns : tensor<16x1xi32>
  %rm = tt.broadcast %on : tensor<16x1xi1> -> tensor<16x16xi1>
  %end = arith.constant dense<16> : tensor<1x16xi32>
  %all = arith.cmpi slt, %c, %end : tensor<1x16xi32>
  %cm = tt.broadcast %all : tensor<1x16xi1> -> tensor<16x16xi1>
  %m = arith.andi %rm, %cm : tensor<16x16xi1>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %px = tt.addptr %xs, %i : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %a = tt.load %px, %m, %zeros : tensor<16x16x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %py = tt.addptr %ys, %i : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %b = tt.load %py : tensor<16x16x!tt.ptr<f32>>
  %d = tt.dot %a, %b, %zeros : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %po = tt.addptr %os, %i : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  tt.store %po, %d, %m : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
"""


def test_rows_of_a_product_that_are_not_stored_do_not_count() -> None:
    from xtriton.judge.proofs.proofs import compare

    def equal(before: str) -> bool:
        after = before.replace("%m, %zeros", "%m, %ones")
        one, other = (function(parse_module(t, universe.context())) for t in (before, after))
        return compare(one, other, 1).equal

    assert equal(PRODUCT)
    assert not equal(PRODUCT.replace("%a, %b, %zeros", "%b, %a, %zeros")), "rows of the inner sums"
    assert not equal(PRODUCT.replace("tt.store %po, %d, %m", "tt.store %po, %d"))


def test_signs_of_zeros_add_nothing_to_a_product() -> None:
    from xtriton.judge.proofs.proofs import compare

    def equal(before: str) -> bool:
        after = before.replace("%m, %zeros", "%m, %minus")
        one, other = (function(parse_module(t, universe.context())) for t in (before, after))
        return compare(one, other, 1).equal

    minus = PRODUCT.replace("  %lane =", "  %minus = arith.constant dense<-0.0> : "
                            "tensor<16x16xf32>\n  %lane =")  # fmt: skip
    all_stored = minus.replace("tt.store %po, %d, %m", "tt.store %po, %d")
    assert equal(all_stored)
    assert not equal(all_stored.replace("%a, %b, %zeros", "%a, %b, %minus"))


GRID = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32, %stride: i64) {
  %c32 = arith.constant 32 : i32
  %y = tt.get_program_id y : i32
  %z = tt.get_program_id z : i32
  %ny = tt.get_num_programs y : i32
  %above = arith.muli %z, %ny : i32
  %row = arith.addi %y, %above : i32
  %start = arith.muli %row, %c32 : i32
  %lane = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %s = tt.splat %start : i32 -> tensor<32xi32>
  %i = arith.addi %s, %lane : tensor<32xi32>
  %wide = arith.extsi %i : tensor<32xi32> to tensor<32xi64>
  %by = tt.splat %stride : i64 -> tensor<32xi64>
  %at = arith.muli %wide, %by : tensor<32xi64>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %px = tt.addptr %xs, %at : tensor<32x!tt.ptr<f32>>, tensor<32xi64>
  %v = tt.load %px : tensor<32x!tt.ptr<f32>>
  STORE
  tt.return
}
""".replace("STORE", store("%v", "f32", 32))


def test_a_place_over_two_axes_is_not_negative() -> None:
    from xtriton.judge.proofs.proofs import compare

    def equal(before: str) -> bool:
        after = before.replace("extsi", "extui")
        one, other = (function(parse_module(t, universe.context())) for t in (before, after))
        return compare(one, other, 1).equal

    assert equal(GRID)
    assert not equal(GRID.replace("%row = arith.addi %y, %above", "%row = arith.subi %y, %above"))


def test_an_offset_behind_a_quotient_that_fits_says_what_it_is_made_of() -> None:
    """Where a 256th of a place times 768 does not overflow, the place has a bit to spare."""
    from xtriton.judge.proofs.proofs import compare

    text = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %one = arith.constant dense<1> : tensor<256xi32>
  %c256 = arith.constant dense<256> : tensor<256xi32>
  %by = arith.constant dense<TIMES> : tensor<256xi32>
  {block(256)}
  %r = arith.remsi %i, %c256 : tensor<256xi32>
  %q = arith.divsi %i, %c256 : tensor<256xi32>
  %row = arith.muli %q, %by : tensor<256xi32>
  %at = arith.addi %row, %r : tensor<256xi32>
  {load("v", "x", "f32", 256, "", "%at")}
  {store("%v", "f32", 256, "", "%at")}
  tt.return
}}
"""
    shorter = """%i0 = arith.addi %s, %lane : tensor<256xi32>
  %up = arith.shli %i0, %one : tensor<256xi32>
  %i = arith.shrsi %up, %one : tensor<256xi32>
  %r ="""

    def equal(before: str) -> bool:
        after = before.replace("%i =", "%unused =").replace("%r =", shorter)
        one, other = (function(parse_module(t, universe.context())) for t in (before, after))
        return compare(one, other, 1).equal

    assert equal(text.replace("TIMES", "768"))
    assert not equal(text.replace("TIMES", "256"))


QUOTIENT = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i64, %m: i64) {{
  {block(16)}
  %wide = arith.extsi %i : tensor<16xi32> to tensor<16xi64>
  %ns = tt.splat %n : i64 -> tensor<16xi64>
  %ms = tt.splat %m : i64 -> tensor<16xi64>
  %q = arith.divsi %wide, %ns : tensor<16xi64>
  LINES
  %t = arith.trunci %k : tensor<16xi64> to tensor<16xi32>
  %u = arith.extsi %t : tensor<16xi32> to tensor<16xi64>
  %at = arith.addi USED, %wide : tensor<16xi64>
  {load("v", "x", "f32", 16, "", "%at").replace("16xi32>", "16xi64>")}
  {store("%v", "f32", 16)}
  tt.return
}}
"""
QUOTIENTS = {
    "a quotient is no larger": ("%k = arith.addi %q, %q : tensor<16xi64>", True),
    "but times another number": ("%k = arith.muli %q, %ms : tensor<16xi64>", False),
    "but another number's": ("%k = arith.remsi %ms, %ns : tensor<16xi64>", False),
}


@pytest.mark.parametrize("name", QUOTIENTS)
def test_quotients_and_remainders_have_few_bits(name: str) -> None:
    from xtriton.judge.proofs.proofs import compare

    lines, same = QUOTIENTS[name]
    if "addi" in lines:
        lines = lines.replace("%q, %q", "%q, %zero").replace(
            "%k", "%zero = arith.constant dense<0> : tensor<16xi64>\n  %k", 1
        )
    text = QUOTIENT.replace("LINES", lines)
    one, other = (
        function(parse_module(text.replace("USED", used), universe.context()))
        for used in ("%k", "%u")
    )
    assert compare(one, other, 4).equal == same


def test_facts_of_divisions_hold_for_all_numbers() -> None:
    """What stands for a quotient or a remainder is known by what holds for each of 5 bits."""
    from xtriton.judge.proofs.formulas import context, own_context
    from xtriton.judge.proofs.products import Products

    z3: Any = pytest.importorskip("z3")

    def quotient(p: Any, q: Any) -> Any:
        return p / q

    signed: dict[int, Any] = {z3.Z3_OP_BSDIV_I: quotient, z3.Z3_OP_BSREM_I: z3.SRem}
    ops = signed | {z3.Z3_OP_BUDIV_I: z3.UDiv, z3.Z3_OP_BUREM_I: z3.URem}

    def computed(x: Any) -> Any:
        of, name = [computed(c) for c in x.children()], x.decl().name()
        if name.startswith("division "):
            return ops[int(name.split()[1])](*of)
        if name.startswith("product "):
            return of[0] * of[1]
        return x.decl()(*of) if of else x

    with own_context():
        a, b = (z3.BitVec(name, 5, context()) for name in "ab")
        for x in (a / b, z3.SRem(a, b), (a / b) * b, z3.SRem(a / b, b), z3.UDiv(a, b),
                  z3.URem(a, b)):  # fmt: skip
            asked = z3.simplify(x == a)
            facts = Products().replaced([asked])[1:]
            assert facts
            for fact in facts:
                solver = z3.Solver(ctx=context())
                solver.add(z3.Not(computed(fact)))
                assert solver.check() == z3.unsat, fact
