"""Where pointers begin and how wide numbers are: what looks alike as a sum need not be."""

from __future__ import annotations

import pytest

from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import check_equivalent
from xtriton.transforms.raising.triton_to_structured import TritonToStructuredPass
from xtriton.universe import context

CHOSEN = """
tt.func public @kernel(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32, %m: i32) {
  %two = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c4 = arith.constant 4 : i32
  %four = arith.constant dense<4> : tensor<16xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %r4 = arith.addi %r, %four : tensor<16xi32>
  %a4 = tt.addptr %a, %c4 : !tt.ptr<f32>, i32
  %as = tt.splat %a4 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %as, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %q = tt.addptr %bs, %r4 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %pid = tt.get_program_id x : i32
  %odd = arith.remsi %pid, %two : i32
  %c = arith.cmpi eq, %odd, %zero : i32
  %s = arith.select %c, %p, %q : tensor<16x!tt.ptr<f32>>
  %x = tt.load %s : tensor<16x!tt.ptr<f32>>
  %own = arith.muli %pid, %c16 : i32
  %mine = tt.addptr %out, %own : !tt.ptr<f32>, i32
  %so = tt.splat %mine : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %po = tt.addptr %so, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %po, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}
"""
"""One of two pointers, of which one is moved before it becomes a tensor, the other after."""

SWAPPED = """
tt.func public @kernel(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c16 = arith.constant 16 : i32
  %four = arith.constant dense<4> : tensor<16xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %r4 = arith.addi %r, %four : tensor<16xi32>
  %a4 = tt.addptr %a, %c4 : !tt.ptr<f32>, i32
  %as = tt.splat %a4 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %as, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %q = tt.addptr %bs, %r4 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %so = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %z:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %p, %v = %q) -> (tensor<16x!tt.ptr<f32>>, tensor<16x!tt.ptr<f32>>) : i32 {
    %x = tt.load %u : tensor<16x!tt.ptr<f32>>
    %o = arith.muli %i, %c16 : i32
    %ot = tt.splat %o : i32 -> tensor<16xi32>
    %oo = arith.addi %ot, %r : tensor<16xi32>
    %po = tt.addptr %so, %oo : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %po, %x : tensor<16x!tt.ptr<f32>>
    scf.yield %v, %u : tensor<16x!tt.ptr<f32>>, tensor<16x!tt.ptr<f32>>
  }
  tt.return
}
"""
"""Two such pointers, swapped in a loop."""

WIDE_MASK = """
tt.func public @kernel(%a: !tt.ptr<f32>, %w: !tt.ptr<i64>, %k: !tt.ptr<i32>, %out: !tt.ptr<f32>, %n: i64) {
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %c = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %big = arith.constant dense<1000000007> : tensor<8xi64>
  %sixteen = arith.constant dense<16> : tensor<8xi32>
  %four = arith.constant dense<4> : tensor<8xi32>
  %ws = tt.splat %w : !tt.ptr<i64> -> tensor<8x!tt.ptr<i64>>
  %wp = tt.addptr %ws, %r : tensor<8x!tt.ptr<i64>>, tensor<8xi32>
  %w0 = tt.load %wp : tensor<8x!tt.ptr<i64>>
  %w1 = arith.muli %w0, %big : tensor<8xi64>
  %ks = tt.splat %k : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %kp = tt.addptr %ks, %r : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  %k0 = tt.load %kp : tensor<8x!tt.ptr<i32>>
  %k1 = arith.muli %k0, %sixteen : tensor<8xi32>
  %w2 = tt.expand_dims %w1 {axis = 1 : i32} : tensor<8xi64> -> tensor<8x1xi64>
  %lim = tt.splat %n : i64 -> tensor<8x1xi64>
  %mask1 = arith.cmpi slt, %w2, %lim : tensor<8x1xi64>
  %mask = tt.broadcast %mask1 : tensor<8x1xi1> -> tensor<8x4xi1>
  %k2 = tt.expand_dims %k1 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %k3 = tt.broadcast %k2 : tensor<8x1xi32> -> tensor<8x4xi32>
  %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
  %c3 = tt.broadcast %c2 : tensor<1x4xi32> -> tensor<8x4xi32>
  %o = arith.addi %k3, %c3 : tensor<8x4xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<8x4x!tt.ptr<f32>>
  %p = tt.addptr %as, %o : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
  %z = arith.constant dense<0.5> : tensor<8x4xf32>
  %x = tt.load %p, %mask, %z : tensor<8x4x!tt.ptr<f32>>
  %r4 = arith.muli %r, %four : tensor<8xi32>
  %r5 = tt.expand_dims %r4 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %r6 = tt.broadcast %r5 : tensor<8x1xi32> -> tensor<8x4xi32>
  %oo = arith.addi %r6, %c3 : tensor<8x4xi32>
  %so = tt.splat %out : !tt.ptr<f32> -> tensor<8x4x!tt.ptr<f32>>
  %po = tt.addptr %so, %oo : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
  tt.store %po, %x : tensor<8x4x!tt.ptr<f32>>
  tt.return
}
"""
"""Rows gathered at places of 32 bits, by a mask on numbers of 64 bits that are beyond 32."""


def check(text: str) -> None:
    before, after = parse_module(text, context()), parse_module(text, context())
    TritonToStructuredPass().apply(context(), after)
    assert any(op.name.startswith("tts.") for op in after.walk())
    verdict = check_equivalent(before, after)
    assert verdict, verdict.render()
    assert all(reached for _, reached in verdict.coverage)


@pytest.mark.parametrize("text", [CHOSEN, SWAPPED, WIDE_MASK], ids=["chosen", "swapped", "mask"])
def test_kernel(text: str):
    check(text)


def test_both_pointers_are_moved_as_scalars():
    """Their bases may be moved by different numbers, as long as the rest is the same."""
    text = CHOSEN.replace("%q = tt.addptr %bs, %r4", "%q = tt.addptr %bs, %r")
    assert text != CHOSEN
    check(text)
