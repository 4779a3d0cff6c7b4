"""Kernels in wider floats differ only where they compute something else."""

import pytest
from xdsl.dialects.builtin import f32, f64

from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.launch_comparison import IN_F64
from xtriton.judge.wider import in_wider_floats

VARIANCE = """
tt.func public @k(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {{
  %i = tt.make_range {{end = 64 : i32, start = 0 : i32}} : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %at = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %at : tensor<64x!tt.ptr<f32>>
  %s = "tt.reduce"(%x) <{{axis = 0 : i32}}> ({{
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }}) : (tensor<64xf32>) -> f32
  %t = arith.addf %s, %one : f32
  %d = arith.{op} {operands} : f32
  tt.store %q, %d : !tt.ptr<f32>
  tt.return
}}
"""


def kernel(op: str, operands: str) -> str:
    text = VARIANCE.format(op=op, operands=operands)
    return text.replace("  %t =", "  %one = arith.constant 1.000000e-01 : f32\n  %t =")


def wide(text: str):
    module = in_wider_floats(parse_module(text, universe.context()))
    assert module is not None
    return module


def test_only_rounding_differs():
    one, other = kernel("subf", "%t, %s"), kernel("addf", "%t, %one")
    assert "f32" not in str(wide(one))
    assert check_equivalent(wide(one), wide(one))
    assert not check_equivalent(wide(one), wide(other), tolerance=2e-5)


def test_what_rounding_hides_in_f32_shows():
    """(s + 1/10) - s is 1/10 up to rounding, which f32 shows and f64 does not."""
    one = kernel("subf", "%t, %s")
    other = one.replace("%d = arith.subf %t, %s", "%d = arith.maximumf %one, %one")
    modules = [parse_module(text, universe.context()) for text in (one, other)]
    assert not check_equivalent(*modules)
    assert check_equivalent(wide(one), wide(other), tolerance=1e-8)


def test_f64_decides_where_sums_may_be_rounded_otherwise():
    one = kernel("subf", "%t, %s")
    same = one.replace("%d = arith.subf %t, %s", "%d = arith.maximumf %one, %one")
    other = one.replace("%d = arith.subf %t, %s", "%d = arith.addf %one, %one")
    original, right, wrong = (parse_module(text, universe.context()) for text in (one, same, other))
    verdict = check_equivalent(original, right, tolerance=1e-8)
    assert verdict
    assert IN_F64 in verdict.notes
    assert not check_equivalent(original, wrong, tolerance=1e-8)


def test_only_some_types_of_floats_are_widened():
    text = kernel("subf", "%t, %s").replace("%q: !tt.ptr<f32>", "%q: !tt.ptr<f16>")
    text = text.replace(
        "  tt.store %q, %d : !tt.ptr<f32>",
        "  %h = arith.truncf %d : f32 to f16\n  tt.store %q, %h : !tt.ptr<f16>",
    )
    module = in_wider_floats(parse_module(text, universe.context()), (f32,))
    assert module is not None
    assert any(op.name == "arith.truncf" and op.operands[0].type == f64 for op in module.walk())


@pytest.mark.parametrize("cast", ["arith.bitcast %s : f32 to i32", "tt.bitcast %s : f32 -> i32"])
def test_bits_of_floats_cannot_be_widened(cast: str):
    text = kernel("subf", "%t, %s").replace("  %t =", f"  %bits = {cast}\n  %t =")
    assert in_wider_floats(parse_module(text, universe.context())) is None
