"""Chains of pointer arithmetic: offsets sum up, and every view is one of the argument itself."""

from __future__ import annotations

import re
from collections.abc import Callable

Same = Callable[..., str]

CHAIN = """
tt.func public @chain(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %o: i32) {
  %1 = tt.addptr %p, %o : !tt.ptr<f32>, i32
  %2 = tt.addptr %1, %o : !tt.ptr<f32>, i32
  %3 = tt.addptr %2, %o : !tt.ptr<f32>, i32
  %a = tt.load %1 : !tt.ptr<f32>
  %b = tt.load %2 : !tt.ptr<f32>
  %c = tt.load %3 : !tt.ptr<f32>
  %s = arith.addf %a, %b : f32
  %t = arith.addf %s, %c : f32
  tt.store %q, %t : !tt.ptr<f32>
  tt.return
}
"""

BLOCK_POINTER = """
tt.func public @block(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %o: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c64 = arith.constant 64 : i64
  %base = tt.addptr %p, %o : !tt.ptr<f32>, i32
  %x = tt.make_tensor_ptr %base, [%c64, %c8], [%c8, %c1], [%c0, %c0] {order = array<i32: 1, 0>}
      : <tensor<4x8xf32>>
  %v = tt.load %x : !tt.ptr<tensor<4x8xf32>>
  %y = tt.make_tensor_ptr %q, [%c64, %c8], [%c8, %c1], [%c0, %c0] {order = array<i32: 1, 0>}
      : <tensor<4x8xf32>>
  tt.store %y, %v : !tt.ptr<tensor<4x8xf32>>
  tt.return
}
"""


def test_three_addptr_are_three_views_of_the_argument_with_summed_offsets(same: Same) -> None:
    lowered = same(CHAIN)
    views = re.findall(
        r"memref.reinterpret_cast (%\w+) to offset: \[(%?\w+)\], sizes: \[1\]", lowered
    )
    loads = [view for view in views if view[0] == "%arg0"]
    assert len(loads) == 3
    first, second, third = (offset for _, offset in loads)
    assert f"{first} = arith.index_cast %arg2 : i32 to index" in lowered
    assert f"{second} = arith.addi {first}, {first} : index" in lowered
    assert f"{third} = arith.addi {second}, {first} : index" in lowered


def test_a_block_pointer_keeps_the_offset_of_its_base(same: Same) -> None:
    lowered = same(BLOCK_POINTER)
    offset = re.search(r"(%\w+) = arith.index_cast %arg2 : i32 to index", lowered)
    assert offset is not None
    assert (
        f"memref.reinterpret_cast %arg0 to offset: [{offset[1]}], sizes: [4, 8], strides: [8, 1]"
        in lowered
    )


def test_nothing_asks_a_memref_where_it_begins(same: Same) -> None:
    for text in (CHAIN, BLOCK_POINTER):
        assert "extract_strided_metadata" not in same(text)
