"""Values whose users are still to come wake nobody: what is known in the end is the same."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton.analysis.axis_info import dataflow
from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import context

LOOPS = """
tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %never = arith.constant false
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %s, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %d = arith.constant dense<64> : tensor<64xi32>
  %odd = arith.constant dense<3> : tensor<64xi32>
  %e:2 = scf.for %i = %c0 to %n step %c4 iter_args(%a = %q, %b = %r)
      -> (tensor<64x!tt.ptr<f32>>, tensor<64xi32>) : i32 {
    %x = tt.load %a : tensor<64x!tt.ptr<f32>>
    %m = arith.muli %b, %d : tensor<64xi32>
    %f = scf.if %c -> (tensor<64xi32>) {
      %u = arith.addi %m, %odd : tensor<64xi32>
      scf.yield %u : tensor<64xi32>
    } else {
      scf.yield %m : tensor<64xi32>
    }
    %g = tt.addptr %a, %f : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %g, %x : tensor<64x!tt.ptr<f32>>
    %h = tt.addptr %a, %d : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    scf.yield %h, %f : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  }
  %v = scf.if %never -> (tensor<64xi32>) {
    %w = arith.muli %e#1, %odd : tensor<64xi32>
    scf.yield %w : tensor<64xi32>
  } else {
    scf.yield %e#1 : tensor<64xi32>
  }
  %y = tt.addptr %e#0, %v : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %z = tt.load %y : tensor<64x!tt.ptr<f32>>
  tt.store %q, %z : tensor<64x!tt.ptr<f32>>
  tt.return
}
"""
CALLS = """
tt.func public @k(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {
  %c8 = arith.constant 8 : i32
  %m = arith.muli %n, %c8 : i32
  tt.call @g(%p, %m) : (!tt.ptr<i32>, i32) -> ()
  tt.return
}
tt.func private @g(%p: !tt.ptr<i32>, %n: i32) {
  %q = tt.addptr %p, %n : !tt.ptr<i32>, i32
  tt.store %q, %n : !tt.ptr<i32>
  tt.return
}
"""


def facts(module: ModuleOp, backend: str) -> list[str]:
    known = axis_analysis(module, backend)
    return [
        f"{op.name} {known.info(value)}"
        for op in module.walk()
        for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args))
    ]


def always(_: Operation) -> bool:
    return True


@pytest.mark.parametrize("backend", ["", "intel"])
@pytest.mark.parametrize("text", [LOOPS, CALLS], ids=["loops", "calls"])
def test_what_is_known_does_not_depend_on_who_is_woken(
    text: str, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = parse_module(text, context())
    quick = facts(module, backend)
    # As if ops did not stand in the order in which they are reached.
    monkeypatch.setattr(dataflow, "has_branches", always)
    assert facts(module, backend) == quick
    # There is something to know.
    assert any("16" in line for line in quick)


def test_what_is_never_reached_says_nothing() -> None:
    module = parse_module(LOOPS, context())
    known = axis_analysis(module)
    skipped = [op.results[0] for op in module.walk() if op.name == "arith.muli"][-1]
    assert skipped not in known.infos
