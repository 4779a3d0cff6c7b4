"""Blocks of two different numbers: what is computed of them is computed before any loop."""

from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import WHOLE, emitted, whole

ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>, %n: i32"


BODY = f"""
    {whole(("xv", "x"), ("ov", "o"))}
    %t = bufferization.to_tensor %xv restrict : {WHOLE} to tensor<64xf32>
    %e = tensor.empty() : tensor<64xf32>
    %zero = arith.constant 0 : index
    %whole = arith.constant 64 : index
    %end = arith.index_cast %n : i32 to index
    %none = arith.constant 0.0 : f32
    %a = arith.constant 4.0 : f32
    %b = arith.constant 16.0 : f32
    %first = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%e : tensor<64xf32>) {{
    ^bb0(%o0: f32):
      %i = linalg.index 0 : index
      %before = arith.cmpi slt, %i, %end : index
      %v = arith.select %before, %a, %none : f32
      linalg.yield %v : f32
    }} -> tensor<64xf32>
    %left = arith.subi %whole, %end : index
    %count = arith.maxsi %left, %zero : index
    %slice = tensor.extract_slice %first[%end] [%count] [1] : tensor<64xf32> to tensor<?xf32>
    %filled = linalg.fill ins(%b : f32) outs(%slice : tensor<?xf32>) -> tensor<?xf32>
    %two = tensor.insert_slice %filled into %first[%end] [%count] [1] : tensor<?xf32> into tensor<64xf32>
    %roots = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%two : tensor<64xf32>) outs(%two : tensor<64xf32>) {{
    ^bb0(%p1: f32, %o1: f32):
      %s1 = math.sqrt %p1 : f32
      linalg.yield %s1 : f32
    }} -> tensor<64xf32>
    %r = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}} ins(%t, %roots : tensor<64xf32>, tensor<64xf32>) outs(%t : tensor<64xf32>) {{
    ^bb0(%p2: f32, %q2: f32, %o2: f32):
      %s2 = arith.divf %p2, %q2 : f32
      linalg.yield %s2 : f32
    }} -> tensor<64xf32>
    bufferization.materialize_in_destination %r in writable %ov : (tensor<64xf32>, {WHOLE}) -> ()
"""


def loops(text: str) -> int:
    code = emitted(ARGUMENTS, text)
    return code[: code.index("ret void")].count("\nloop")


@pytest.mark.parametrize("n", [0, 1, 40, 64])
def test_both_pieces_are_right(check: Any, n: int):
    x = np.arange(64, dtype=np.float32)
    found = check(ARGUMENTS, BODY, [x, np.zeros(64, np.float32), n])
    np.testing.assert_array_equal(found[1], x / np.where(np.arange(64) < n, 2, 4))


def test_pieces_take_one_loop_that_neither_computes_nor_chooses_them():
    assert loops(BODY) == 1
    code = emitted(ARGUMENTS, BODY)
    inside = code[code.index("\nloop") : code.index("\ndone")]
    assert "llvm.sqrt" not in inside
    assert inside.count("icmp") == 1  # whether that was the last one


@pytest.mark.parametrize("n", [0, 40, 60])
def test_a_slice_that_ends_earlier_is_no_piece(check: Any, n: int):
    text = BODY.replace("%whole = arith.constant 64", "%whole = arith.constant 62")
    assert loops(text) > 1
    check(ARGUMENTS, text, [np.arange(64, dtype=np.float32), np.zeros(64, np.float32), n])


def test_a_block_of_one_element_is_a_number():
    text = f"""
    %xv = memref.reinterpret_cast %x to offset: [0], sizes: [1], strides: [1] : memref<*xf32> to memref<1xf32, strided<[1]>>
    %ov = memref.reinterpret_cast %o to offset: [0], sizes: [64], strides: [1] : memref<*xf32> to {WHOLE}
    %t = bufferization.to_tensor %xv restrict : memref<1xf32, strided<[1]>> to tensor<1xf32>
    %e = tensor.empty() : tensor<64xf32>
    %r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (0)>, #id], iterator_types = ["parallel"]}} ins(%t : tensor<1xf32>) outs(%e : tensor<64xf32>) {{
    ^bb0(%p: f32, %o0: f32):
      %s = math.sqrt %p : f32
      linalg.yield %s : f32
    }} -> tensor<64xf32>
    bufferization.materialize_in_destination %r in writable %ov : (tensor<64xf32>, {WHOLE}) -> ()
"""
    code = emitted(ARGUMENTS, text)
    assert code.index("llvm.sqrt") < code.index("loop")
