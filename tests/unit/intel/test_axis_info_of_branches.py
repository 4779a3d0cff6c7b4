"""Results of `if`: known in August 2026, unknown in January."""

from __future__ import annotations

import pytest

from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import Version, rules_of
from xtriton.universe import context

IF = """
  %i = scf.if %c -> (tensor<32xi32>) {
    %x = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    scf.yield %x : tensor<32xi32>
  } else {
    %x = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    scf.yield %x : tensor<32xi32>
  }
  %s = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
"""
HEAD = "tt.func @f(%c: i1) {"
BRANCH = "cf.cond_br %c, ^end, ^rest\n^end:\ntt.return\n^rest:"


@pytest.mark.parametrize(
    ("branch", "since", "contiguity"),
    [("", (3, 7), 1), ("", (3, 9), 32), (BRANCH, (3, 7), 1), (BRANCH, (3, 9), 32)],
)
def test_what_both_branches_yield(branch: str, since: Version, contiguity: int):
    module = parse_module("\n".join([HEAD, branch, IF, "tt.return", "}"]), context())
    with rules_of(since):
        facts = axis_analysis(module, "intel")
    result = next(op.results[0] for op in module.walk() if op.name == "scf.if")
    assert facts.info(result).contiguity == (contiguity,)
