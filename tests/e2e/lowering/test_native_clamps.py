"""Borders as Inductor writes them, as products with conditions, are clamps in native code."""

import numpy as np

from tests.e2e.lowering.native_modules import lowered
from xtriton.cpu import compile_module

SIZE, WIDTH, LAST = 256, 61, 55
PLACES, POINTERS = f"tensor<{SIZE}xi32>", f"tensor<{SIZE}x!tt.ptr<f32>>"
KERNEL = f"""
tt.func public @kernel(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %zero = arith.constant dense<0> : {PLACES}
  %three = arith.constant dense<-3> : {PLACES}
  %last = arith.constant dense<{LAST}> : {PLACES}
  %range = tt.make_range {{end = {SIZE} : i32, start = 0 : i32}} : {PLACES}
  %width = arith.constant dense<{WIDTH}> : {PLACES}
  %size = arith.constant {SIZE} : i32
  %pid = tt.get_program_id x : i32
  %begin = arith.muli %pid, %size : i32
  %begins = tt.splat %begin : i32 -> {PLACES}
  %index = arith.addi %begins, %range : {PLACES}
  %column = arith.remsi %index, %width : {PLACES}
  %moved = arith.addi %column, %three : {PLACES}
  %above = arith.cmpi sgt, %moved, %zero : {PLACES}
  %of_it = arith.extui %above : tensor<{SIZE}xi1> to {PLACES}
  %low = arith.muli %moved, %of_it : {PLACES}
  %behind = arith.cmpi sge, %low, %last : {PLACES}
  %of_last = arith.extui %behind : tensor<{SIZE}xi1> to {PLACES}
  %right = arith.muli %last, %of_last : {PLACES}
  %within = arith.cmpi slt, %low, %last : {PLACES}
  %of_low = arith.extui %within : tensor<{SIZE}xi1> to {PLACES}
  %left = arith.muli %low, %of_low : {PLACES}
  %places = arith.addi %right, %left : {PLACES}
  %from = tt.splat %in : !tt.ptr<f32> -> {POINTERS}
  %p = tt.addptr %from, %places : {POINTERS}, {PLACES}
  %x = tt.load %p : {POINTERS}
  %to = tt.splat %out : !tt.ptr<f32> -> {POINTERS}
  %q = tt.addptr %to, %index : {POINTERS}, {PLACES}
  tt.store %q, %x : {POINTERS}
  tt.return
}}
"""


def test_replicated_border():
    module = lowered(KERNEL)
    text = str(module)
    assert "arith.maxsi" in text
    assert "arith.minsi" in text
    assert "arith.extui" not in text
    x, found = np.arange(SIZE, dtype=np.float32), np.zeros(2 * SIZE, np.float32)
    compile_module(module)(2, [x, found])
    np.testing.assert_array_equal(found, np.clip(np.arange(2 * SIZE) % WIDTH - 3, 0, LAST))
