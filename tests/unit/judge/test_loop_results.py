"""Bounds that a loop keeps hold of what it ends with."""

import pytest

from tests.unit.judge.kernel_text import block, store
from tests.unit.judge.test_inductive_proofs import equal

SEARCH = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %key: f32) {{
  %zero = arith.constant FIRST : i64
  %last = arith.constant 33 : i64
  %left = arith.constant COUNT : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  {block(16)}
  %end:3 = scf.while (%low = %zero, %high = %last, %n = %left) : (i64, i64, i32) -> (i64, i64, i32) {{
    %more = arith.cmpi sgt, %n, %c1 : i32
    scf.condition(%more) %A, %B, %n : i64, i64, i32
  }} do {{
  ^bb0(%low: i64, %high: i64, %n: i32):
    %sum = arith.addi %low, %high : i64
    %middle = arith.divsi %sum, %two : i64
    %p = tt.addptr %x, %middle : !tt.ptr<f32>, i64
    %v = tt.load %p : !tt.ptr<f32>
    %after = arith.cmpf ogt, %key, %v : f32
    %next = arith.addi %middle, %one : i64
    %inside = arith.cmpi slt, %middle, %last : i64
    %up = arith.andi %after, %inside : i1
    %l = arith.select %up, %next, %low : i64
    %h = arith.select %after, %high, %middle : i64
    %m = arith.addi %n, %c1 : i32
    %half = arith.divsi %m, %c2 : i32
    scf.yield %l, %h, %half : i64, i64, i32
  }}
  %f = arith.sitofp %end#0 : i64 to f32
  %r = tt.splat %f : f32 -> tensor<16xf32>
  {store("%r", "f32", 16)}
  tt.return
}}
"""
ORDERED = SEARCH.replace("%A, %B", "%low, %high").replace("FIRST", "0").replace("COUNT", "34")
NO_SIGN = ("arith.sitofp", "arith.uitofp")
SIX_BITS = (
    "%f = arith.sitofp %end#0",
    "%t = arith.trunci %end#0 : i64 to i7\n%e = arith.extsi %t : i7 to i64\n%f = arith.sitofp %e",
)
NOT_ONE = ("cmpi sgt, %n", "cmpi ne, %n")


@pytest.mark.parametrize("change", [NO_SIGN, SIX_BITS, NOT_ONE])
def test_what_a_search_finds_is_between_its_bounds(change: tuple[str, str]) -> None:
    assert equal(ORDERED, ORDERED.replace(*change))


@pytest.mark.parametrize(
    ("kernel", "change"),
    [(ORDERED.replace("constant 0 : i64", "constant -1 : i64"), NO_SIGN),
     (ORDERED, (SIX_BITS[0], SIX_BITS[1].replace("i7", "i6"))),
     (ORDERED.replace("constant 33 : i64", "constant 70 : i64"), SIX_BITS),
     (ORDERED.replace("constant 34 : i32", "constant 0 : i32"), NOT_ONE),
     # What it hands on is not what an iteration begins with.
     (ORDERED.replace("(%more) %low, %high", "(%more) %high, %low")
      .replace("constant 33 : i64", "constant -33 : i64"), NO_SIGN)],
)  # fmt: skip
def test_what_is_beyond_the_bounds_is_not_proved(kernel: str, change: tuple[str, str]) -> None:
    assert change[0] in kernel
    assert not equal(kernel, kernel.replace(*change))
