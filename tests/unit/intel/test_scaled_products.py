"""Block-scaled products by the rules of January and of August 2026."""

from __future__ import annotations

import pytest

from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import Version, rules_of
from xtriton.ir.writing.printer import print_module
from xtriton.judge import check_equivalent
from xtriton.transforms.intel.layouts.accelerate_matmul import AccelerateMatmulPass
from xtriton.universe import context

ROWS = "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>"
DPAS = "ttig.support_subgroup_matrix_multiply_accumulate"
SCALED = f"{DPAS}, {DPAS}_bf8, ttig.support_subgroup_scaled_matrix_multiply_accumulate"


def kernel(device: str, a: str, b: str, formats: str, packing: str = "") -> str:
    """
    Multiply 32x64 by 64x32, which operands of types `a` and `b` are.

    Scales are near 1: of greater ones it depends on the order of factors what overflows.
    """
    c = f"tensor<32x32xf32, {ROWS}>"
    types = [f"tensor<{t}, {ROWS}>" for t in (a, "32x2xi8", b, "32x2xi8")]
    of = "{}, {} * {}, {}".format(*types)
    return f"""
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu",
    "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, {device}}} {{
  tt.func @k(%a: {types[0]}, %s: {types[1]}, %b: {types[2]}, %t: {types[3]}, %c: {c}) -> {c} {{
    %few = arith.constant dense<7> : {types[1]}
    %one = arith.constant dense<124> : {types[1]}
    %x = arith.andi %s, %few : {types[1]}
    %y = arith.andi %t, %few : {types[1]}
    %u = arith.addi %x, %one : {types[1]}
    %v = arith.addi %y, %one : {types[1]}
    %d = tt.dot_scaled %a scale %u, %b scale %v, %c {formats}
        {{fastMath = false{packing}}} : {of} -> {c}
    tt.return %d : {c}
  }}
}}"""


CASES = {
    "fp8": (kernel(SCALED, "32x64xf8E5M2", "64x32xf8E4M3FN", "lhs = e5m2 rhs = e4m3"), 1),
    "fp4": (kernel(SCALED, "32x32xi8", "32x32xi8", "lhs = e2m1 rhs = e2m1"), 1),
    "fp4 along n": (
        kernel(SCALED, "32x32xi8", "64x16xi8", "lhs = e2m1 rhs = e2m1", ", rhs_k_pack = false"),
        1,
    ),
    "mixed": (kernel(SCALED, "32x32xi8", "64x32xf16", "lhs = e2m1 rhs = fp16"), 1),
    "another device": (kernel(DPAS, "32x64xf8E5M2", "64x32xbf16", "lhs = e5m2 rhs = bf16"), 0),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("rules", [(3, 7), (3, 9)])
def test_the_product_stays(name: str, rules: Version):
    text, kept = CASES[name]
    before = parse_module(text, context())
    after = parse_module(text, context())
    with rules_of(rules):
        AccelerateMatmulPass().apply(context(), after)
    after.verify()
    printed = print_module(after)
    assert "#ttig.dpas" in printed
    assert printed.count("tt.dot_scaled") == (kept if rules == (3, 9) else 0)
    verdict = check_equivalent(before, after, count=1, tolerance=2e-2)
    assert verdict, verdict.render()


def test_scales_are_repeated_where_they_are_needed():
    text, _ = CASES["another device"]
    module = parse_module(text, context())
    with rules_of((3, 9)):
        AccelerateMatmulPass().apply(context(), module)
    assert print_module(module).count("efficient_layout") == 4
