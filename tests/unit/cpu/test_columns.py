"""Blocks whose elements follow each other along the first of two dimensions."""

from typing import Any

import numpy as np
import pytest

import xtriton
from xtriton.cpu.emitter.columns import shapes_in_columns

RNG = np.random.default_rng(6)
ROWS, COLUMNS = 24, 64
ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>, %n: i32"
VIEW = "memref<64x4xf32, strided<[1, 64], offset: ?>>"

BODY = f"""
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c24 = arith.constant 24 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %len = arith.index_cast %n : i32 to index
    %e = tensor.empty() : tensor<64x4xf32>
    %start = linalg.fill ins(%zero : f32) outs(%e : tensor<64x4xf32>) -> tensor<64x4xf32>
    %sum = scf.for %i = %c0 to %c24 step %c4 iter_args(%acc = %start) -> (tensor<64x4xf32>) {{
      %at = arith.muli %i, %c64 : index
      %view = memref.reinterpret_cast %x to offset: [%at], sizes: [64, 4], strides: [1, 64] : memref<*xf32> to {VIEW}
      %buffer = memref.alloc() : memref<64x4xf32>
      %cut = arith.cmpi slt, %len, %c64 : index
      scf.if %cut {{
        linalg.fill ins(%zero : f32) outs(%buffer : memref<64x4xf32>)
      }}
      %from = memref.subview %view[0, 0] [%len, 4] [1, 1] : {VIEW} to memref<?x4xf32, strided<[1, 64], offset: ?>>
      %to = memref.subview %buffer[0, 0] [%len, 4] [1, 1] : memref<64x4xf32> to memref<?x4xf32, strided<[4, 1]>>
      memref.copy %from, %to : memref<?x4xf32, strided<[1, 64], offset: ?>> to memref<?x4xf32, strided<[4, 1]>>
      %block = bufferization.to_tensor %buffer restrict writable : memref<64x4xf32> to tensor<64x4xf32>
      %next = linalg.generic {{indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%acc, %block : tensor<64x4xf32>, tensor<64x4xf32>) outs(%acc : tensor<64x4xf32>) {{
      ^bb0(%p: f32, %q: f32, %old: f32):
        %s = arith.addf %p, %q : f32
        linalg.yield %s : f32
      }} -> tensor<64x4xf32>
      scf.yield %next : tensor<64x4xf32>
    }}
REDUCE
    %out = memref.reinterpret_cast %o to offset: [0], sizes: [64], strides: [1] : memref<*xf32> to memref<64xf32, strided<[1]>>
    bufferization.materialize_in_destination %total in writable %out : (tensor<64xf32>, memref<64xf32, strided<[1]>>) -> ()
"""
FROM_ZERO = """
    %te = tensor.empty() : tensor<64xf32>
    %first = linalg.fill ins(%zero : f32) outs(%te : tensor<64xf32>) -> tensor<64xf32>
    %total = linalg.reduce { arith.addf } ins(%sum : tensor<64x4xf32>) outs(%first : tensor<64xf32>) dimensions = [1]
"""
FROM_THE_FIRST = """
    %first = tensor.extract_slice %sum[0, 0] [64, 1] [1, 1] : tensor<64x4xf32> to tensor<64xf32>
    %others = tensor.extract_slice %sum[0, 1] [64, 3] [1, 1] : tensor<64x4xf32> to tensor<64x3xf32>
    %total = linalg.reduce { arith.addf } ins(%others : tensor<64x3xf32>) outs(%first : tensor<64xf32>) dimensions = [1]
"""


@pytest.mark.parametrize("length", [64, 63, 1])
@pytest.mark.parametrize("reduce", [FROM_ZERO, FROM_THE_FIRST])
def test_sums_of_columns(check: Any, reduce: str, length: int):
    x = RNG.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    values = [x, np.zeros(COLUMNS, np.float32), length]
    found = check(ARGUMENTS, BODY.replace("REDUCE", reduce), values, rtol=1e-5)
    expected = x.sum(0, dtype=np.float64)
    np.testing.assert_allclose(found[1][:length], expected[:length], rtol=1e-4, atol=1e-4)
    assert not found[1][length:].any()


def test_reshaped_columns_are_rows(check: Any):
    """What takes a block's elements in a row gets them so."""
    reshape = """
    %flat = arith.constant dense<[256]> : tensor<1xindex>
    %row = tensor.reshape %sum(%flat) : (tensor<64x4xf32>, tensor<1xindex>) -> tensor<256xf32>
    %total = tensor.extract_slice %row[0] [64] [1] : tensor<256xf32> to tensor<64xf32>
"""
    x = RNG.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    values = [x, np.zeros(COLUMNS, np.float32), 64]
    found = check(ARGUMENTS, BODY.replace("REDUCE", reshape), values)
    by_four = x.reshape(ROWS // 4, 4, COLUMNS).sum(0).T.reshape(-1)
    np.testing.assert_allclose(found[1], by_four[:COLUMNS], rtol=1e-4, atol=1e-4)


def shapes(body: str) -> frozenset[tuple[int, ...]]:
    """Return which shapes of a function are kept by columns."""
    text = f"module {{ func.func @kernel({ARGUMENTS}) {{ {body} return }} }}"
    return shapes_in_columns(xtriton.parse(text).ops)


def test_shapes_of_what_is_loaded_by_columns():
    load = f"""
      %at = arith.constant 0 : index
      %view = memref.reinterpret_cast %x to offset: [%at], sizes: [64, 4], strides: [1, 64] : memref<*xf32> to {VIEW}
      %buffer = memref.alloc() : memref<64x4xf32>
      memref.copy %view, %buffer : {VIEW} to memref<64x4xf32>
"""
    row_view = "memref<64x4xf32, strided<[4, 1], offset: ?>>"
    rows = f"""
      %row = memref.reinterpret_cast %o to offset: [%at], sizes: [64, 4], strides: [4, 1] : memref<*xf32> to {row_view}
"""
    store = f"""
      %to = memref.reinterpret_cast %o to offset: [%at], sizes: [64, 4], strides: [1, 64] : memref<*xf32> to {VIEW}
      memref.copy %buffer, %to : memref<64x4xf32> to {VIEW}
"""
    assert shapes(load) == {(64, 4)}
    assert shapes(load + rows) == frozenset()
    assert shapes(load + store) == frozenset()
