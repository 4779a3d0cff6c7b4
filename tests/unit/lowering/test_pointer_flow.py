"""Pointers through control flow, calls and casts, in one memory and in several."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Same = Callable[..., str]

HEAD = "%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %r: !tt.ptr<f32>, %c: i1, %n: i32"

KERNELS = {
    "select in one memory": """
  %a = tt.addptr %p, %n : !tt.ptr<f32>, i32
  %x = arith.select %c, %a, %p : !tt.ptr<f32>
  %v = tt.load %x : !tt.ptr<f32>
  tt.store %r, %v : !tt.ptr<f32>
""",
    "select between memories": """
  %a = tt.addptr %p, %n : !tt.ptr<f32>, i32
  %x = arith.select %c, %a, %q : !tt.ptr<f32>
  %y = tt.addptr %x, %n : !tt.ptr<f32>, i32
  %v = tt.load %y : !tt.ptr<f32>
  tt.store %r, %v : !tt.ptr<f32>
""",
    "if in one memory": """
  %x = scf.if %c -> (!tt.ptr<f32>) {
    %a = tt.addptr %p, %n : !tt.ptr<f32>, i32
    scf.yield %a : !tt.ptr<f32>
  } else {
    scf.yield %p : !tt.ptr<f32>
  }
  %v = tt.load %x : !tt.ptr<f32>
  tt.store %r, %v : !tt.ptr<f32>
""",
    "if between memories, block behind it": """
  %x, %k = scf.if %c -> (!tt.ptr<f32>, i32) {
    %a = tt.addptr %p, %n : !tt.ptr<f32>, i32
    scf.yield %a, %n : !tt.ptr<f32>, i32
  } else {
    %z = arith.constant 3 : i32
    scf.yield %q, %z : !tt.ptr<f32>, i32
  }
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %y = tt.addptr %x, %k : !tt.ptr<f32>, i32
  %s = tt.splat %y : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %t = tt.addptr %s, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %v = tt.load %t : tensor<16x!tt.ptr<f32>>
  %u = tt.splat %r : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %w = tt.addptr %u, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %w, %v : tensor<16x!tt.ptr<f32>>
""",
    "for that swaps two memories": """
  %l = arith.constant 0 : i32
  %h = arith.constant 5 : i32
  %o = arith.constant 1 : i32
  %x:3 = scf.for %i = %l to %h step %o iter_args(%a = %p, %b = %q, %d = %r)
      -> (!tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>) : i32 {
    %v = tt.load %a : !tt.ptr<f32>
    tt.store %d, %v : !tt.ptr<f32>
    %e = tt.addptr %a, %n : !tt.ptr<f32>, i32
    %f = tt.addptr %d, %o : !tt.ptr<f32>, i32
    scf.yield %b, %e, %f : !tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>
  }
  %v = tt.load %x#1 : !tt.ptr<f32>
  tt.store %x#2, %v : !tt.ptr<f32>
""",
    "while that moves a pointer": """
  %l = arith.constant 0 : i32
  %h = arith.constant 5 : i32
  %o = arith.constant 1 : i32
  %x:2 = scf.while (%a = %p, %i = %l) : (!tt.ptr<f32>, i32) -> (!tt.ptr<f32>, i32) {
    %go = arith.cmpi slt, %i, %h : i32
    scf.condition(%go) %a, %i : !tt.ptr<f32>, i32
  } do {
  ^bb0(%a: !tt.ptr<f32>, %i: i32):
    %d = tt.addptr %r, %i : !tt.ptr<f32>, i32
    %v = tt.load %a : !tt.ptr<f32>
    tt.store %d, %v : !tt.ptr<f32>
    %e = tt.addptr %a, %n : !tt.ptr<f32>, i32
    %j = arith.addi %i, %o : i32
    scf.yield %e, %j : !tt.ptr<f32>, i32
  }
  %v = tt.load %x#0 : !tt.ptr<f32>
  %d = tt.addptr %r, %x#1 : !tt.ptr<f32>, i32
  tt.store %d, %v : !tt.ptr<f32>
""",
    "while that changes memory": """
  %t = arith.constant true
  %f = arith.constant false
  %x:2 = scf.while (%a = %p, %i = %t) : (!tt.ptr<f32>, i1) -> (!tt.ptr<f32>, i1) {
    scf.condition(%i) %a, %i : !tt.ptr<f32>, i1
  } do {
  ^bb0(%a: !tt.ptr<f32>, %i: i1):
    %e = tt.addptr %q, %n : !tt.ptr<f32>, i32
    scf.yield %e, %f : !tt.ptr<f32>, i1
  }
  %v = tt.load %x#0 : !tt.ptr<f32>
  tt.store %r, %v : !tt.ptr<f32>
""",
    "branches": """
  cf.cond_br %c, ^one(%p, %n : !tt.ptr<f32>, i32), ^two(%q : !tt.ptr<f32>)
^one(%a: !tt.ptr<f32>, %k: i32):
  %e = tt.addptr %a, %k : !tt.ptr<f32>, i32
  cf.br ^end(%e : !tt.ptr<f32>)
^two(%b: !tt.ptr<f32>):
  cf.br ^end(%b : !tt.ptr<f32>)
^end(%x: !tt.ptr<f32>):
  %v = tt.load %x : !tt.ptr<f32>
  tt.store %r, %v : !tt.ptr<f32>
""",
    "masked scalar accesses": """
  %z = arith.constant 7.0 : f32
  %a = tt.load %p, %c, %z : !tt.ptr<f32>
  tt.store %r, %a : !tt.ptr<f32>
  %e = tt.addptr %r, %n : !tt.ptr<f32>, i32
  tt.store %e, %a, %c : !tt.ptr<f32>
""",
    "bitcast beside other uses": """
  %a = tt.addptr %p, %n : !tt.ptr<f32>, i32
  %b = tt.bitcast %a : !tt.ptr<f32> -> !tt.ptr<i32>
  %v = tt.load %b : !tt.ptr<i32>
  %w = tt.load %p : !tt.ptr<f32>
  %s = tt.bitcast %r : !tt.ptr<f32> -> !tt.ptr<i32>
  tt.store %s, %v : !tt.ptr<i32>
  %o = arith.constant 1 : i32
  %e = tt.addptr %r, %o : !tt.ptr<f32>, i32
  tt.store %e, %w : !tt.ptr<f32>
""",
    "bitcast to another width": """
  %b = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i8>
  %k = arith.constant 12 : i32
  %a = tt.addptr %b, %k : !tt.ptr<i8>, i32
  %d = tt.bitcast %a : !tt.ptr<i8> -> !tt.ptr<i32>
  %v = tt.load %d : !tt.ptr<i32>
  %w = tt.load %p : !tt.ptr<f32>
  %s = tt.bitcast %r : !tt.ptr<f32> -> !tt.ptr<i32>
  tt.store %s, %v : !tt.ptr<i32>
  %o = arith.constant 1 : i32
  %e = tt.addptr %r, %o : !tt.ptr<f32>, i32
  tt.store %e, %w : !tt.ptr<f32>
""",
}


@pytest.mark.parametrize("name", KERNELS)
def test_pointers_through_control_flow(name: str, same: Same) -> None:
    lowered = same(f"tt.func public @kernel({HEAD}) {{{KERNELS[name]}  tt.return\n}}")
    assert "!tt.ptr" not in lowered


def test_memory_goes_along_only_where_it_differs(same: Same) -> None:
    one = same(f"tt.func public @kernel({HEAD}) {{{KERNELS['if in one memory']}  tt.return\n}}")
    assert "scf.if %arg3 -> (index)" in one or "arith.select" in one
    loop = KERNELS["for that swaps two memories"]
    two = same(f"tt.func public @kernel({HEAD}) {{{loop}  tt.return\n}}")
    assert "(index, index, index, memref<*xf32>, memref<*xf32>)" in two


CALL = """
tt.func public @kernel(%p: !tt.ptr<f32>, %r: !tt.ptr<f32>, %n: i32) {
  %a = tt.addptr %p, %n : !tt.ptr<f32>, i32
  %v = tt.call @get(%a, %n) : (!tt.ptr<f32>, i32) -> f32
  %w = tt.call @get(%p, %n) : (!tt.ptr<f32>, i32) -> f32
  tt.store %r, %v : !tt.ptr<f32>
  %e = tt.addptr %r, %n : !tt.ptr<f32>, i32
  tt.store %e, %w : !tt.ptr<f32>
  tt.return
}
tt.func private @get(%x: !tt.ptr<f32>, %k: i32) -> f32 attributes {noinline = true} {
  %a = tt.addptr %x, %k : !tt.ptr<f32>, i32
  %v = tt.load %a : !tt.ptr<f32>
  tt.return %v : f32
}
"""


def test_a_call_passes_the_offset_of_a_moved_pointer(same: Same) -> None:
    lowered = same(CALL)
    assert "memref<*xf32>, i32, i32, i32, i32, i32, i32, i32, index) -> f32" in lowered
