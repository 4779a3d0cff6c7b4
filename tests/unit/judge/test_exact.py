"""A fused product that is exact is rounded as often as another one."""

import pytest

from tests.unit.judge.kernel_text import block, load, store
from tests.unit.judge.test_inductive_proofs import equal

KERNEL = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %c16 = arith.constant 16 : i32
  %shift = arith.constant dense<SHIFT> : tensor<16xf32>
  %by = arith.constant dense<BY> : tensor<16xf32>
  {block(16)}
  {load("v", "x", "f32", 16)}
  {load("w", "y", "f32", 16)}
  %sum = arith.addf %v, %shift : tensor<16xf32>
  CHANGED
  {store("%r", "f32", 16)}
  tt.return
}}
"""
APART = "%p = arith.mulf %A, %by : tensor<16xf32>\n%r = arith.addf %p, %w : tensor<16xf32>"
TURNED = "%p = arith.mulf %A, %by : tensor<16xf32>\n%r = arith.addf %w, %p : tensor<16xf32>"
FUSED = "%r = math.fma %A, %by, %w : tensor<16xf32>"


@pytest.mark.parametrize(
    ("value", "shift", "by", "same"),
    [("%sum", "1.0", "0.5", True), ("%sum", "-2.5", "-0.125", True),
     ("%sum", "1.0", "1.0", True),
     ("%v", "1.0", "0.5", False), ("%sum", "1.0", "0.75", False), ("%sum", "1.0", "2.0", False),
     ("%sum", "0.0", "0.5", False), ("%sum", "1.0e-30", "0.5", False),
     ("%sum", "1.0", "2.3509887e-38", False)],
)  # fmt: skip
def test_powers_of_two_times_sums_that_are_not_tiny_are_exact(
    value: str, shift: str, by: str, same: bool
) -> None:
    """A number alone may be denormal, as may be one that is shifted by little or by nothing."""
    text = KERNEL.replace("SHIFT", shift).replace("BY", by)
    for apart in (APART, TURNED):
        one, other = (text.replace("CHANGED", x.replace("%A", value)) for x in (apart, FUSED))
        assert equal(one, other) == same
