"""A solver need not be asked about integers that have room, or are not negative."""

import pytest

from tests.unit.judge.test_inductive_proofs import equal

KERNEL = """
tt.func @kernel(%x: !tt.ptr<i64>, %out: !tt.ptr<i64>, %n: i32, %k: i64) {
  %c16 = arith.constant 16 : i32
  %three = arith.constant dense<3> : tensor<16xi64>
  %eight = arith.constant dense<8> : tensor<16xi64>
  %seven = arith.constant dense<7> : tensor<16xi64>
  %one = arith.constant dense<1> : tensor<16xi64>
  %two = arith.constant dense<2> : tensor<16xi64>
  %most = arith.constant dense<62> : tensor<16xi64>
  %zero = arith.constant dense<0> : tensor<16xi64>
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c16 : i32
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %s = tt.splat %start : i32 -> tensor<16xi32>
  %i = arith.addi %s, %lane : tensor<16xi32>
  %w = arith.extsi %i : tensor<16xi32> to tensor<16xi64>
  %l = arith.extsi %lane : tensor<16xi32> to tensor<16xi64>
  %ks = tt.splat %k : i64 -> tensor<16xi64>
  %m = arith.subi %l, %eight : tensor<16xi64>
  %xs = tt.splat %x : !tt.ptr<i64> -> tensor<16x!tt.ptr<i64>>
  %px = tt.addptr %xs, %i : tensor<16x!tt.ptr<i64>>, tensor<16xi32>
  %v = tt.load %px : tensor<16x!tt.ptr<i64>>
  %positive = arith.cmpi sgt, %v, %zero : tensor<16xi64>
  CHANGED
  %os = tt.splat %out : !tt.ptr<i64> -> tensor<16x!tt.ptr<i64>>
  %po = tt.addptr %os, %i : tensor<16x!tt.ptr<i64>>, tensor<16xi32>
  tt.store %po, %r : tensor<16x!tt.ptr<i64>>
  tt.return
}
"""
CUT = "%t = arith.trunci %q : tensor<16xi64> to tensor<16x{0}>\n%r = arith.{1} %t : tensor<16x{0}> to tensor<16xi64>"


def cut(value: str, bits: str = "i32", back: str = "extsi") -> tuple[str, str]:
    """Return lines that hand a value on, and lines that cut it to fewer bits on the way."""
    whole = value.replace("%q =", "%r =")
    return whole, f"{value}\n{CUT.format(bits, back)}"


def ops(one: str, other: str, operands: str) -> tuple[str, str]:
    """Return two lines with different ops on the same operands."""
    line = "%r = arith.{} {} : tensor<16xi64>"
    return line.format(one, operands), line.format(other, operands)


CHOSEN = "%q = arith.select %positive, %seven, %three : tensor<16xi1>, tensor<16xi64>"
SAME = {
    "one of two numbers, in 4 bits": cut(CHOSEN, "i4"),
    "one of two numbers, in 3 bits without a sign": cut(CHOSEN, "i3", "extui"),
    "a place divided by anything": cut("%q = arith.divsi %w, %ks : tensor<16xi64>"),
    "what remains of a place": cut("%q = arith.remsi %w, %ks : tensor<16xi64>"),
    "a lane less 8": cut("%q = arith.addi %m, %zero : tensor<16xi64>", "i4"),
    "a place has no sign": ops("divsi", "divui", "%w, %three"),
    "a shift is a quotient": (
        "%r = arith.divsi %w, %eight : tensor<16xi64>",
        "%r = arith.shrsi %w, %three : tensor<16xi64>",
    ),
    "a mask is what remains": (
        "%r = arith.remsi %w, %eight : tensor<16xi64>",
        "%r = arith.andi %w, %seven : tensor<16xi64>",
    ),
    "bits that are shifted out and back": (
        "%r = arith.addi %w, %zero : tensor<16xi64>",
        "%up = arith.shli %w, %eight : tensor<16xi64>\n%r = arith.shrsi %up, %eight : tensor<16xi64>",
    ),
    "the larger one is known": (
        "%r = arith.addi %w, %zero : tensor<16xi64>",
        "%r = arith.maxsi %w, %m2 : tensor<16xi64>",
    ),
}
WRONG = {
    "one of two numbers, in 3 bits": cut(CHOSEN, "i3"),
    "one of two numbers, in 2 bits without a sign": cut(CHOSEN, "i2", "extui"),
    "a number divided": cut("%q = arith.divsi %v, %ks : tensor<16xi64>"),
    "what remains of a number": cut("%q = arith.remsi %v, %ks : tensor<16xi64>"),
    "a lane less 8, in 3 bits": cut("%q = arith.addi %m, %zero : tensor<16xi64>", "i3"),
    "a lane less 8, without a sign": cut(
        "%q = arith.addi %m, %zero : tensor<16xi64>", "i4", "extui"
    ),
    "a product of places": cut("%q = arith.muli %w, %w : tensor<16xi64>"),
    "a number has a sign": ops("divsi", "divui", "%v, %three"),
    "a negative divisor": ops("remsi", "remui", "%w, %ks"),
    "a shift of a negative number": (
        "%r = arith.divsi %m, %eight : tensor<16xi64>",
        "%r = arith.shrsi %m, %three : tensor<16xi64>",
    ),
    "a mask of a negative number": (
        "%r = arith.remsi %m, %eight : tensor<16xi64>",
        "%r = arith.andi %m, %seven : tensor<16xi64>",
    ),
    "bits of a place that are shifted out": (
        "%r = arith.addi %w, %zero : tensor<16xi64>",
        "%up = arith.shli %w, %most : tensor<16xi64>\n%r = arith.shrsi %up, %most : tensor<16xi64>",
    ),
    "back by another number": (
        "%r = arith.addi %w, %zero : tensor<16xi64>",
        "%up = arith.shli %w, %eight : tensor<16xi64>\n%r = arith.shrsi %up, %seven : tensor<16xi64>",
    ),
    "the larger one is not known": (
        "%r = arith.addi %l, %zero : tensor<16xi64>",
        "%r = arith.maxsi %l, %two : tensor<16xi64>",
    ),
}


def kernel(lines: str) -> str:
    lines = "%m2 = arith.subi %zero, %eight : tensor<16xi64>\n" + lines
    return KERNEL.replace("CHANGED", lines)


@pytest.mark.parametrize("name", SAME)
def test_what_has_room_is_the_same(name: str) -> None:
    before, after = map(kernel, SAME[name])
    assert equal(before, after, seconds=0.2)


@pytest.mark.parametrize("name", WRONG)
def test_what_has_no_room_is_not(name: str) -> None:
    before, after = map(kernel, WRONG[name])
    assert not equal(before, after)


SCALED = """
  %many = arith.constant dense<FACTOR> : tensor<16xi64>
  NUMBER
  %j = arith.muli %q, %many : tensor<16xi64>
  %pj = tt.addptr %xs, %j : tensor<16x!tt.ptr<i64>>, tensor<16xi64>
  %r = tt.load %pj : tensor<16x!tt.ptr<i64>>"""
NARROWER = """%up = arith.shli %v, %seven : tensor<16xi64>
  %q = arith.shrsi %up, %seven : tensor<16xi64>"""


@pytest.mark.parametrize(("factor", "same"), [("1000", True), ("200", True), ("2", False)])
def test_a_number_has_room_for_what_it_is_multiplied_with(factor: str, same: bool) -> None:
    """An offset does not overflow: the number that a thousand times it is has ten bits less."""
    scaled = SCALED.replace("FACTOR", factor)
    whole = scaled.replace("NUMBER", "%q = arith.addi %v, %zero : tensor<16xi64>")
    assert equal(kernel(whole), kernel(scaled.replace("NUMBER", NARROWER))) == same


def test_a_product_that_is_no_offset_leaves_no_room() -> None:
    """A product wraps where no address is made of it."""
    value = "\n%r = arith.muli %q, %eight : tensor<16xi64>"
    whole = "%q = arith.addi %v, %zero : tensor<16xi64>" + value
    assert not equal(kernel(whole), kernel(NARROWER + value))


LOOP = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %c3 = arith.constant 3 : i32
  %up = arith.addi %n, %c7 : i32
  %count = CHANGED : i32
  scf.for %k = FIRST to %count step %c1 : i32 {
    %p = tt.addptr %x, %k : !tt.ptr<f32>, i32
    %v = tt.load %p : !tt.ptr<f32>
    %o = tt.addptr %out, %k : !tt.ptr<f32>, i32
    tt.store %o, %v : !tt.ptr<f32>
  }
  tt.return
}
"""


@pytest.mark.parametrize(("first", "same"), [("%c0", True), ("%n", False)])
def test_a_loop_that_ends_before_it_starts_does_nothing(first: str, same: bool) -> None:
    """Rounded towards zero or down, a negative number of iterations is none."""
    text = LOOP.replace("FIRST", first)
    divided = text.replace("CHANGED", "arith.divsi %up, %c8")
    assert equal(divided, text.replace("CHANGED", "arith.shrsi %up, %c3")) == same
    assert equal(divided, text.replace("CHANGED", "arith.floordivsi %up, %c8")) == same


PLACE = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %pid = tt.get_program_id x : i32
  %five = arith.constant 5 : i32
  OFFSET
  %p = tt.addptr %x, %far : !tt.ptr<f32>, TYPE
  %v = tt.load %p : !tt.ptr<f32>
  %o = tt.addptr %out, %near : !tt.ptr<f32>, i32
  tt.store %o, %v : !tt.ptr<f32>
  tt.return
}
"""
IN_32_BITS = """%many = arith.constant 768 : i32
  %near = arith.addi %pid, %five : i32
  %far = arith.muli %pid, %many : i32"""
IN_64_BITS = """%many = arith.constant 768 : i64
  %near = arith.addi %pid, %five : i32
  %wide = arith.extsi %pid : i32 to i64
  %far = arith.muli %wide, %many : i64"""


def test_what_was_made_of_a_kernel_is_launched_as_it_is() -> None:
    """Offsets in 64 bits leave room where those of the kernel itself, in 32 bits, do not."""
    from tests.unit.judge.test_inductive_proofs import function
    from xtriton.judge.proofs.proofs import compare

    kernel = PLACE.replace("OFFSET", IN_32_BITS).replace("TYPE", "i32")
    made = PLACE.replace("OFFSET", IN_64_BITS).replace("TYPE", "i64")
    less = "%up = arith.shli %pid, %five : i32\n  %low = arith.shrsi %up, %five : i32\n"
    narrow = made.replace("%near = arith.addi %pid", f"{less}  %near = arith.addi %low")
    assert not compare(function(made), function(narrow), 2).equal
    assert compare(function(made), function(narrow), 2, function(kernel)).equal
    narrower = narrow.replace("%up = arith.shli %pid, %five", "%up = arith.shli %pid, %c11")
    narrower = narrower.replace("arith.shrsi %up, %five", "arith.shrsi %up, %c11")
    narrower = narrower.replace("%five =", "%c11 = arith.constant 11 : i32\n  %five =")
    assert not compare(function(made), function(narrower), 2, function(kernel)).equal


TWICE = """
  %wide = arith.muli %l, %ks : tensor<16xi64>
  %square = arith.muli %wide, SECOND : tensor<16xi64>
  %pj = tt.addptr %xs, %square : tensor<16x!tt.ptr<i64>>, tensor<16xi64>
  %u = tt.load %pj : tensor<16x!tt.ptr<i64>>
  %r = arith.addi %u, %q : tensor<16xi64>"""


@pytest.mark.parametrize(("second", "same"), [("%ks", True), ("%l", False)])
def test_a_factor_that_an_offset_has_twice_is_small_with_either_sign(
    second: str, same: bool
) -> None:
    """The last lane is 15 times the square of a number, which does not overflow in 64 bits."""
    whole = "%q = arith.addi %ks, %zero : tensor<16xi64>"
    low = (
        "%t = arith.trunci %k : i64 to i32\n%e = arith.extsi %t : i32 to i64\n"
        "%q = tt.splat %e : i64 -> tensor<16xi64>"
    )
    one, other = (lines + TWICE.replace("SECOND", second) for lines in (whole, low))
    assert equal(kernel(one), kernel(other)) == same


@pytest.mark.parametrize(("predicate", "same"), [("sle", True), ("slt", False)])
def test_what_remains_and_what_is_divided_are_no_more_than_the_number(
    predicate: str, same: bool
) -> None:
    body = f"""%by = arith.addi %l, %one : tensor<16xi64>
  %a = arith.remsi %w, %by : tensor<16xi64>
  %b = arith.divsi %w, %by : tensor<16xi64>
  %sum = arith.addi %a, %b : tensor<16xi64>
  %c = arith.cmpi {predicate}, %sum, %w : tensor<16xi64>
  """
    chosen = "%r = arith.select %c, %one, %zero : tensor<16xi1>, tensor<16xi64>"
    always = "%r = arith.addi %one, %zero : tensor<16xi64>"
    assert equal(kernel(body + chosen), kernel(body + always)) == same
