"""Claims about floats that are tried on all values, or on many, and what is known of NaN."""

import pytest

pytest.importorskip("z3")

from xdsl.dialects.builtin import ModuleOp

from tests.unit.judge.kernel_text import block, load, store
from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import Options, check_equivalent
from xtriton.judge.proofs.proofs import Proof, compare

TEXT = f"""
tt.func @kernel(%x: !tt.ptr<IN>, %y: !tt.ptr<IN>, %out: !tt.ptr<IN>) {{
  {block(16)}
  {load("v", "x", "IN", 16)}
  {load("w", "y", "IN", 16)}
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %half = arith.constant dense<0.5> : tensor<16xf32>
  %two = arith.constant dense<2.0> : tensor<16xf32>
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %three = arith.constant dense<3.0> : tensor<16xf32>
  %third = arith.constant dense<0.333333343> : tensor<16xf32>
  %n = arith.sitofp %i : tensor<16xi32> to tensor<16xf32>
  BODY
  {store("%r", "IN", 16)}
  tt.return
}}
"""
WIDE = """%a = arith.extf %v : tensor<16xIN> to tensor<16xf32>
  %b = arith.extf %w : tensor<16xIN> to tensor<16xf32>
"""
NARROW = "\n%r = arith.truncf %t : tensor<16xf32> to tensor<16xIN>"
BY_THREE = "%q = arith.divf %a, %three : tensor<16xf32>\n"
TIMES_THIRD = "%q = arith.mulf %a, %third : tensor<16xf32>\n"
ALONE = "%t = arith.addf %q, %q : tensor<16xf32>"
CLAMP = """%none = arith.constant dense<false> : tensor<16xi1>
  %above = arith.cmpf ogt, %m, %one : tensor<16xf32>
  %nan = arith.cmpf une, %m, %m : tensor<16xf32>
  %on = arith.ori %above, CHANGED : tensor<16xi1>
  %t = arith.select %on, %m, %one : tensor<16xi1>, tensor<16xf32>"""
OF_PLACES = (
    "%h = arith.addf %n, %half : tensor<16xf32>\n%m = arith.mulf %h, %half : tensor<16xf32>\n"
)


def module(kind: str, body: str) -> ModuleOp:
    text = TEXT.replace("BODY", body).replace("IN", kind)
    return parse_module(text, universe.context())


def proof(kind: str, mine: str, theirs: str) -> Proof:
    first, second = (module(kind, body).body.block.first_op for body in (mine, theirs))
    assert first is not None
    assert second is not None
    return compare(first, second, 1)


def test_what_all_values_give_alike_is_proved() -> None:
    """In bf16 no quotient by 3 is near enough to the middle of two numbers; in f16 some are."""
    mine, theirs = (WIDE + way + ALONE + NARROW for way in (BY_THREE, TIMES_THIRD))
    assert proof("bf16", mine, theirs).equal
    apart = proof("f16", WIDE + "%t = arith.divf %a, %b : tensor<16xf32>" + NARROW,
                  WIDE + "%o = arith.divf %one, %b : tensor<16xf32>\n"
                  "%t = arith.mulf %a, %o : tensor<16xf32>" + NARROW)  # fmt: skip
    assert not apart.equal


def test_values_that_show_a_rounding_are_found() -> None:
    square = WIDE + "%c = arith.mulf %b, %b : tensor<16xf32>\n"
    square += "%d = arith.addf %c, %one : tensor<16xf32>\n"
    mine = square + "%t = arith.divf %a, %d : tensor<16xf32>" + NARROW
    inverse = "%o = arith.divf %one, %d : tensor<16xf32>\n"
    theirs = square + inverse + "%t = arith.mulf %a, %o : tensor<16xf32>" + NARROW
    found = proof("bf16", mine, theirs)
    assert not found.equal
    assert found.fillings[0].contents.keys() == {0, 1}
    few = Options(count=1)
    verdict = check_equivalent(module("bf16", mine), module("bf16", theirs), options=few)
    assert "found by trial" in verdict.render()
    assert check_equivalent(module("bf16", mine), module("bf16", mine), options=few)


@pytest.mark.parametrize(("kind", "proved"), [("places", True), ("loaded numbers", False)])
def test_floats_of_places_are_never_nan(kind: str, proved: bool) -> None:
    made = OF_PLACES if proved else "%m = arith.mulf %a, %half : tensor<16xf32>\n"
    mine, theirs = (
        WIDE + made + CLAMP.replace("CHANGED", change) + NARROW for change in ("%nan", "%none")
    )
    assert proof("bf16", mine, theirs).equal == proved


def test_a_nan_is_as_good_as_another() -> None:
    """Where the sum is NaN for another reason, it does not matter what NaN was replaced with."""
    body = WIDE + (
        "%nan = arith.cmpf une, %a, %a : tensor<16xf32>\n"
        "%k = arith.select %nan, CHANGED, %a : tensor<16xi1>, tensor<16xf32>\n"
        "%e = math.exp %a : tensor<16xf32>\n%t = arith.addf %k, OTHER : tensor<16xf32>" + NARROW
    )

    def changed(other: str) -> bool:
        text = body.replace("OTHER", other)
        return proof("f32", *(_plain(text.replace("CHANGED", c)) for c in ("%a", "%one"))).equal

    assert changed("%e")
    assert not changed("%b")


def _plain(text: str) -> str:
    """Return a body for f32, where nothing is widened or narrowed."""
    text = text.replace(WIDE, "").replace("%a", "%v").replace("%b", "%w")
    return text.replace(NARROW, "\n%r = arith.mulf %t, %one : tensor<16xf32>")


def test_to_divide_by_a_power_of_two_is_to_multiply() -> None:
    ways = ("%t = arith.divf %a, %two : tensor<16xf32>", "%t = arith.mulf %a, %half : tensor<16xf32>",
            "%o = arith.divf %one, %two : tensor<16xf32>\n%t = arith.mulf %a, %o : tensor<16xf32>",
            "%o = arith.divf %one, %three : tensor<16xf32>\n"
            "%t = arith.mulf %a, %o : tensor<16xf32>")  # fmt: skip
    by_two, times_half, inverse, third = (_plain(WIDE + way + NARROW) for way in ways)
    assert proof("f32", by_two, times_half).equal
    assert proof("f32", by_two, inverse).equal
    assert not proof("f32", by_two, third).equal


def test_what_is_rounded_already_is_not_rounded_again() -> None:
    mine = WIDE + "%t = arith.addf %a, %b : tensor<16xf32>" + NARROW
    again = """%k = arith.truncf %u : tensor<16xf32> to tensor<16xIN>
  %t = arith.extf %k : tensor<16xIN> to tensor<16xf32>"""
    theirs = WIDE + "%u = arith.addf %a, %b : tensor<16xf32>\n" + again + NARROW
    assert proof("bf16", mine, theirs).equal
    assert not proof("bf16", mine, theirs.replace("addf %a, %b", "subf %a, %b")).equal


def test_a_narrow_float_on_the_way_has_few_values() -> None:
    """What f8 holds is exact in f16, twice as much too."""
    small = "%k = arith.truncf %v : tensor<16xf32> to tensor<16xf8E5M2>\n"
    small += "%a = arith.extf %k : tensor<16xf8E5M2> to tensor<16xf32>\n"
    double = "%r = arith.addf %a, %a : tensor<16xf32>"
    through = """%t = arith.addf %a, %a : tensor<16xf32>
  %h = arith.truncf %t : tensor<16xf32> to tensor<16xNARROW>
  %r = arith.extf %h : tensor<16xNARROW> to tensor<16xf32>"""
    assert proof("f32", small + double, small + through.replace("NARROW", "bf16")).equal
    assert not proof("f32", small + double, small + through.replace("NARROW", "f16")).equal
    assert not proof("f32", small + double, small + through.replace("NARROW", "f8E5M2")).equal


def test_what_is_narrowed_and_is_nothing_is_compared_with_what_it_was() -> None:
    chosen = """%c0 = arith.constant dense<0> : tensor<16xi32>
  %on = arith.cmpi sgt, %i, %c0 : tensor<16xi32>
  %k = arith.select %on, %one, OTHER : tensor<16xi1>, tensor<16xf32>"""
    after = """
  %h = arith.truncf %k : tensor<16xf32> to tensor<16xf16>
  %l = arith.extf %h : tensor<16xf16> to tensor<16xf32>
  %r = arith.addf %l, %v : tensor<16xf32>"""
    before = "\n%r = arith.addf %k, %v : tensor<16xf32>"
    for other, same in (("%zero", True), ("%third", False)):
        text = chosen.replace("OTHER", other)
        assert proof("f32", text + before, text + after).equal == same
