"""Products of matrices of which some elements are zeros, or are not stored."""

import pytest

from tests.unit.judge.test_inductive_proofs import equal

KERNEL = """
tt.func @kernel(%x: !tt.ptr<f16>, %y: !tt.ptr<f16>, %out: !tt.ptr<f32>, %n: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %minus = arith.constant dense<-0.0> : tensor<16x16xf16>
  %one = arith.constant dense<1.0> : tensor<16x16xf16>
  %large = arith.constant dense<0x7C00> : tensor<16x16xf16>
  %start = arith.constant dense<0.0> : tensor<16x16xf32>
  %ks = tt.splat %k : i32 -> tensor<16x16xi32>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32>
  %c16s = arith.constant dense<16> : tensor<16x16xi32>
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %r = tt.expand_dims %lane {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %c = tt.expand_dims %lane {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %rows = tt.broadcast %r : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns = tt.broadcast %c : tensor<1x16xi32> -> tensor<16x16xi32>
  %across = arith.cmpi slt, %columns, %ks : tensor<16x16xi32>
  %down = arith.cmpi slt, %rows, %ks : tensor<16x16xi32>
  %stored = arith.cmpi slt, %columns, %ns : tensor<16x16xi32>
  %both = arith.andi %down, %stored : tensor<16x16xi1>
  %up = arith.muli %rows, %c16s : tensor<16x16xi32>
  %i = arith.addi %up, %columns : tensor<16x16xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  %px = tt.addptr %xs, %i : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
  %ys = tt.splat %y : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  %py = tt.addptr %ys, %i : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %po = tt.addptr %os, %i : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %sum = scf.for %t = %c0 to %n step %c1 iter_args(%acc = %start) -> (tensor<16x16xf32>) : i32 {
    %a = tt.load %px, %across, %A : tensor<16x16x!tt.ptr<f16>>
    %b = tt.load %py, %DOWN, %B : tensor<16x16x!tt.ptr<f16>>
    %d = tt.dot %a, %b, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  tt.store %po, %sumMASK : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
"""


def kernel(a: str = "zero", b: str = "zero", down: str = "down", mask: str = "") -> str:
    text = KERNEL.replace("%A", f"%{a}").replace("%B", f"%{b}")
    return text.replace("%DOWN", f"%{down}").replace("MASK", mask)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [("one", "zero", True), ("minus", "zero", True), ("zero", "one", True),
     ("one", "one", False), ("large", "zero", False), ("one", "large", False)],
)  # fmt: skip
def test_a_zero_times_what_is_finite_adds_nothing(a: str, b: str, same: bool) -> None:
    """Beyond the inner size both factors are zero: one of them may be another finite number."""
    assert equal(kernel(), kernel(a, b)) == same


def test_a_factor_that_is_undefined_is_no_finite_number() -> None:
    undefined = kernel().replace("%across, %zero", "%across")
    assert not equal(kernel(), undefined)


@pytest.mark.parametrize(("mask", "same"), [(", %stored", True), (", %across", False), ("", False)])
def test_columns_that_are_not_stored_may_be_summed_up_otherwise(mask: str, same: bool) -> None:
    """What a loop adds up in columns that are masked off differs from iteration to iteration."""
    one = kernel(down="stored", mask=mask)
    assert equal(one, kernel(b="one", down="stored", mask=mask)) == same
