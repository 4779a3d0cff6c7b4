"""Tensors of pointers through control flow: offsets from one base take their way."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Same = Callable[..., str]

P = "tensor<8x!tt.ptr<f32>>"
INDICES = "tensor<8xi32>"

CHOICES = {
    "branch": f"""
  %x = scf.if %c -> {P} {{
    %t = tt.addptr %a, %i : {P}, {INDICES}
    scf.yield %t : {P}
  }} else {{
    scf.yield %a : {P}
  }}
""",
    "select": f"""
  %t = tt.addptr %a, %i : {P}, {INDICES}
  %x = arith.select %c, %t, %a : {P}
""",
    "select lane by lane": f"""
  %ns = tt.splat %n : i32 -> {INDICES}
  %lanes = arith.cmpi slt, %i, %ns : {INDICES}
  %t = tt.addptr %a, %i : {P}, {INDICES}
  %x = arith.select %lanes, %t, %a : tensor<8xi1>, {P}
""",
    "select between memories": f"""
  %x = arith.select %c, %a, %b : {P}
""",
    "for": f"""
  %x = scf.for %j = %c0 to %c3 step %c1 iter_args(%v = %a) -> ({P}) : i32 {{
    %l = tt.load %v : {P}
    tt.store %o2, %l : {P}
    %e = tt.addptr %v, %i : {P}, {INDICES}
    scf.yield %e : {P}
  }}
""",
    "for that moves by branch and select": f"""
  %x = scf.for %j = %c0 to %c3 step %c1 iter_args(%v = %a) -> ({P}) : i32 {{
    %e = tt.addptr %v, %i : {P}, {INDICES}
    %u = arith.select %c, %e, %v : {P}
    %w = scf.if %c -> {P} {{
      scf.yield %u : {P}
    }} else {{
      %f = tt.addptr %u, %k : {P}, {INDICES}
      scf.yield %f : {P}
    }}
    scf.yield %w : {P}
  }}
""",
    "while": f"""
  %w:2 = scf.while (%j = %c0, %v = %a) : (i32, {P}) -> ({P}, i32) {{
    %go = arith.cmpi slt, %j, %c3 : i32
    %e = tt.addptr %v, %i : {P}, {INDICES}
    scf.condition(%go) %e, %j : {P}, i32
  }} do {{
  ^bb0(%v: {P}, %j: i32):
    %l = tt.load %v : {P}
    tt.store %o2, %l : {P}
    %e = tt.addptr %v, %k : {P}, {INDICES}
    %j2 = arith.addi %j, %c1 : i32
    scf.yield %j2, %e : i32, {P}
  }}
  %x = tt.addptr %w#0, %i : {P}, {INDICES}
""",
    "while that exchanges two": f"""
  %w:3 = scf.while (%j = %c0, %u = %a, %v = %a2) : (i32, {P}, {P}) -> (i32, {P}, {P}) {{
    %go = arith.cmpi slt, %j, %c3 : i32
    scf.condition(%go) %j, %u, %v : i32, {P}, {P}
  }} do {{
  ^bb0(%j: i32, %u: {P}, %v: {P}):
    %j2 = arith.addi %j, %c1 : i32
    scf.yield %j2, %v, %u : i32, {P}, {P}
  }}
  %x = tt.addptr %w#1, %i : {P}, {INDICES}
""",
}


@pytest.mark.parametrize("name", CHOICES)
def test_tensors_of_pointers(name: str, same: Same) -> None:
    same(
        f"""
tt.func public @kernel(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %r: !tt.ptr<f32>, %c: i1, %n: i32) {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %i = tt.make_range {{end = 8 : i32, start = 0 : i32}} : {INDICES}
  %k = arith.muli %i, %i : {INDICES}
  %ps = tt.splat %p : !tt.ptr<f32> -> {P}
  %a = tt.addptr %ps, %k : {P}, {INDICES}
  %a2 = tt.addptr %a, %k : {P}, {INDICES}
  %qs = tt.splat %q : !tt.ptr<f32> -> {P}
  %b = tt.addptr %qs, %i : {P}, {INDICES}
  %rs = tt.splat %r : !tt.ptr<f32> -> {P}
  %o = tt.addptr %rs, %i : {P}, {INDICES}
  %far = arith.constant dense<64> : {INDICES}
  %o2 = tt.addptr %o, %far : {P}, {INDICES}
{CHOICES[name]}
  %y = tt.load %x : {P}
  tt.store %o, %y : {P}
  tt.return
}}
"""
    )


def test_a_block_before_its_base(same: Same) -> None:
    """MLIR has no static offset below 0."""
    lowered = same(
        f"""
tt.func public @kernel(%p: !tt.ptr<f32>, %r: !tt.ptr<f32>) {{
  %i = tt.make_range {{end = 8 : i32, start = 0 : i32}} : {INDICES}
  %one = arith.constant dense<1> : {INDICES}
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %before = arith.subi %i, %one : {INDICES}
  %m = arith.cmpi sge, %i, %one : {INDICES}
  %ps = tt.splat %p : !tt.ptr<f32> -> {P}
  %a = tt.addptr %ps, %before : {P}, {INDICES}
  %x = tt.load %a, %m, %zero : {P}
  %rs = tt.splat %r : !tt.ptr<f32> -> {P}
  %o = tt.addptr %rs, %i : {P}, {INDICES}
  tt.store %o, %x : {P}
  tt.return
}}
"""
    )
    assert "offset: [%c-1]" in lowered
