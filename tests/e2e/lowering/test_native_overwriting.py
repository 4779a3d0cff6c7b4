"""Native code writes over memory only when nobody reads it any more: stored as interpreted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import xtriton
from tests.e2e.lowering.native_modules import lowered
from xtriton.cpu import compile_module
from xtriton.interpreter.api import run

T = "tensor<4x4xf32>"
P = "tensor<4x4x!tt.ptr<f32>>"
DOT = f"{T} * {T} -> {T}"
KERNEL = f"""
tt.func public @kernel(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %two = arith.constant dense<2.0> : {T}
  %zero = arith.constant dense<0.0> : {T}
  %range = tt.make_range {{end = 16 : i32, start = 0 : i32}} : tensor<16xi32>
  %places = tt.reshape %range : tensor<16xi32> -> tensor<4x4xi32>
  %from = tt.splat %in : !tt.ptr<f32> -> {P}
  %p = tt.addptr %from, %places : {P}, tensor<4x4xi32>
  %to = tt.splat %out : !tt.ptr<f32> -> {P}
  %q = tt.addptr %to, %places : {P}, tensor<4x4xi32>
  %x = tt.load %p : {P}
BODY
  tt.return
}}
"""
PAIR = f"""
  %g:2 = "tt.reduce"(%y, OTHER) <{{axis = 0 : i32}}> ({{
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %s = arith.addf %a, %c : f32
    %m = arith.maximumf %b, %d : f32
    tt.reduce.return %s, %m : f32, f32
  }}) : ({T}, {T}) -> (tensor<4xf32>, tensor<4xf32>)
  %h = arith.subf %g#0, %g#1 : tensor<4xf32>
  %e = tt.expand_dims %h {{axis = 0 : i32}} : tensor<4xf32> -> tensor<1x4xf32>
  %v = tt.broadcast %e : tensor<1x4xf32> -> {T}
  tt.store %q, %v : {P}
"""
BODIES = {
    "a reduction of one tensor twice": f"""
  %y = tt.dot %x, %two, %zero : {DOT}
{PAIR.replace("OTHER", "%y")}""",
    "a reduction of a tensor and its transpose": f"""
  %y = tt.dot %x, %two, %zero : {DOT}
  %w = tt.trans %y {{order = array<i32: 1, 0>}} : {T} -> {T}
{PAIR.replace("OTHER", "%w")}""",
    "a product added to its factor": f"""
  %y = tt.dot %x, %two, %zero : {DOT}
  %v = tt.dot %y, %y, %y : {DOT}
  tt.store %q, %v : {P}""",
    "a loop that carries one tensor twice": f"""
  %y = tt.dot %x, %two, %zero : {DOT}
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y, %b = %y) -> ({T}, {T}) : i32 {{
    %s = arith.addf %a, %two : {T}
    %m = tt.dot %b, %two, %zero : {DOT}
    scf.yield %s, %m : {T}, {T}
  }}
  %v = arith.subf %l#0, %l#1 : {T}
  tt.store %q, %v : {P}""",
    "a loop that yields one tensor twice": f"""
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %two) -> ({T}, {T}) : i32 {{
    %s = arith.addf %a, %two : {T}
    scf.yield %s, %s : {T}, {T}
  }}
  %v = arith.mulf %l#0, %l#1 : {T}
  tt.store %q, %v : {P}""",
    "a scan of one tensor twice": f"""
  %y = tt.dot %x, %two, %zero : {DOT}
  %g:2 = "tt.scan"(%two, %two) <{{axis = 1 : i32, reverse = true}}> ({{
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %s = arith.addf %a, %c : f32
    %m = arith.maximumf %b, %d : f32
    tt.scan.return %s, %m : f32, f32
  }}) : ({T}, {T}) -> ({T}, {T})
  %v = arith.subf %g#0, %g#1 : {T}
  tt.store %q, %v : {P}""",
    "a store in another block": f"""
  %first = tt.load %q : {P}
  %some = arith.cmpi sgt, %n, %c1 : i32
  cf.cond_br %some, ^a, ^b
^a:
  tt.store %q, %x : {P}
  tt.store %p, %first : {P}
  cf.br ^b
^b:""",
    "a branch back with what was loaded": f"""
  %first = tt.load %q : {P}
  cf.br ^a(%first, %c0 : {T}, i32)
^a(%y: {T}, %i: i32):
  tt.store %q, %x : {P}
  tt.store %p, %y : {P}
  %j = arith.addi %i, %c1 : i32
  %z = arith.addf %y, %x : {T}
  %more = arith.cmpi slt, %j, %n : i32
  cf.cond_br %more, ^a(%z, %j : {T}, i32), ^b
^b:""",
}


def check(text: str, values: list[Any]) -> None:
    """Run a kernel natively and in the interpreter; every array must be the same after it."""
    module = xtriton.parse(text)
    wanted: list[Any] = [v.copy() if hasattr(v, "copy") else v for v in values]
    run(module, 1, wanted)
    compile_module(lowered(text), optimization=1)(1, values)
    for found, expected in zip(values, wanted, strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("name", BODIES)
def test_nothing_is_overwritten_too_early(name: str, n: int) -> None:
    numbers = np.arange(32, dtype=np.float32) % 7 - 2
    check(KERNEL.replace("BODY", BODIES[name]), [numbers[:16].copy(), numbers[16:].copy(), n])


def test_a_product_of_several_tiles_added_to_its_factor() -> None:
    text = KERNEL.replace("BODY", BODIES["a product added to its factor"])
    text = text.replace("4x4x", "64x64x").replace("16", "4096")
    numbers = np.random.default_rng(0).integers(-1, 2, 8192).astype(np.float32)
    check(text, [numbers[:4096].copy(), numbers[4096:].copy(), 0])


def test_a_branch_in_a_kernel_of_many_arguments() -> None:
    """Names of block arguments and of the kernel's are told apart."""
    arguments = ", ".join(f"%a{k}: i32" for k in range(20))
    text = f"""
tt.func public @kernel(%out: !tt.ptr<i32>, {arguments}) {{
  cf.br ^a(%a0, %a1 : i32, i32)
^a(%i: i32, %j: i32):
  %k = arith.addi %i, %j : i32
  %more = arith.cmpi slt, %k, %a2 : i32
  cf.cond_br %more, ^a(%j, %k : i32, i32), ^b
^b:
  tt.store %out, %k : !tt.ptr<i32>
  tt.return
}}
"""
    check(text, [np.zeros(1, np.int32), 1, 2, 50, *[0] * 17])
