"""Copies of blocks that lie in columns into rows, whole and cut where a tensor ends."""

import re
from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import emitted

RNG = np.random.default_rng(9)
ARGUMENTS = "%x: memref<*xTYPE>, %o: memref<*xTYPE>, %m: i32, %n: i32"
BODY = """
    %rows = arith.index_cast %m : i32 to index
    %len = arith.index_cast %n : i32 to index
    %view = memref.reinterpret_cast %x to offset: [0], sizes: [16, 32], strides: [1, 16] : memref<*xTYPE> to memref<16x32xTYPE, strided<[1, 16], offset: ?>>
    %buffer = memref.alloc() : memref<16x32xTYPE>
    %from = memref.subview %view[0, 0] [%rows, %len] [1, 1] : memref<16x32xTYPE, strided<[1, 16], offset: ?>> to memref<?x?xTYPE, strided<[1, 16], offset: ?>>
    %to = memref.subview %buffer[0, 0] [%rows, %len] [1, 1] : memref<16x32xTYPE> to memref<?x?xTYPE, strided<[32, 1]>>
    memref.copy %from, %to : memref<?x?xTYPE, strided<[1, 16], offset: ?>> to memref<?x?xTYPE, strided<[32, 1]>>
    %block = bufferization.to_tensor %buffer restrict writable : memref<16x32xTYPE> to tensor<16x32xTYPE>
    %out = memref.reinterpret_cast %o to offset: [0], sizes: [16, 32], strides: [32, 1] : memref<*xTYPE> to memref<16x32xTYPE, strided<[32, 1]>>
    bufferization.materialize_in_destination %block in writable %out : (tensor<16x32xTYPE>, memref<16x32xTYPE, strided<[32, 1]>>) -> ()
"""


@pytest.mark.parametrize("type, dtype", [("f32", np.float32), ("i16", np.int16), ("i64", np.int64)])
@pytest.mark.parametrize(
    "rows, length",
    [(16, 32), (16, 31), (16, 16), (16, 1), (16, 0), (13, 32), (9, 27), (3, 32), (0, 5)],
)
def test_columns_to_rows(check: Any, type: str, dtype: Any, rows: int, length: int):
    x = RNG.integers(1, 1000, (32, 16)).astype(dtype)
    values = [x, np.zeros((16, 32), dtype), rows, length]
    found = check(ARGUMENTS.replace("TYPE", type), BODY.replace("TYPE", type), values)
    np.testing.assert_array_equal(found[1][:rows, :length], x.T[:rows, :length])


ROWS = """
    %len = arith.index_cast %n : i32 to index
    %view = memref.reinterpret_cast %x to offset: [0], sizes: [2, 600], strides: [700, 1] : memref<*xTYPE> to memref<2x600xTYPE, strided<[700, 1]>>
    %buffer = memref.alloc() : memref<2x600xTYPE>
    %from = memref.subview %view[0, 0] [2, %len] [1, 1] : memref<2x600xTYPE, strided<[700, 1]>> to memref<2x?xTYPE, strided<[700, 1]>>
    %to = memref.subview %buffer[0, 0] [2, %len] [1, 1] : memref<2x600xTYPE> to memref<2x?xTYPE, strided<[600, 1]>>
    memref.copy %from, %to : memref<2x?xTYPE, strided<[700, 1]>> to memref<2x?xTYPE, strided<[600, 1]>>
    %block = bufferization.to_tensor %buffer restrict writable : memref<2x600xTYPE> to tensor<2x600xTYPE>
    %part = tensor.extract_slice %block[0, 0] [2, %len] [1, 1] : tensor<2x600xTYPE> to tensor<2x?xTYPE>
    %out = memref.reinterpret_cast %o to offset: [%m0], sizes: [2, 600], strides: [650, 1] : memref<*xTYPE> to memref<2x600xTYPE, strided<[650, 1], offset: ?>>
    %there = memref.subview %out[0, 0] [2, %len] [1, 1] : memref<2x600xTYPE, strided<[650, 1], offset: ?>> to memref<2x?xTYPE, strided<[650, 1], offset: ?>>
    bufferization.materialize_in_destination %part in writable %there : (tensor<2x?xTYPE>, memref<2x?xTYPE, strided<[650, 1], offset: ?>>) -> ()
"""


@pytest.mark.parametrize("type, dtype", [("f32", np.float32), ("i8", np.int8), ("i64", np.int64)])
@pytest.mark.parametrize("length", [0, 1, 63, 256, 257, 511, 512, 513, 600])
@pytest.mark.parametrize("at", [0, 3])
def test_rows_up_to_some_length_and_beyond(check: Any, type: str, dtype: Any, length: int, at: int):
    """Rows of 2 KB are the longest that are copied without a call."""
    x = RNG.integers(1, 100, (2, 700)).astype(dtype)
    first = "    %m0 = arith.index_cast %m : i32 to index"
    values = [x, np.zeros(1400, dtype), at, length]
    check(ARGUMENTS.replace("TYPE", type), (first + ROWS).replace("TYPE", type), values)


def window(rows: int, columns: int) -> str:
    """Return a kernel that copies a window of 40 columns into a buffer as one row."""
    size = rows * columns
    view = f"memref<{rows}x{columns}xf32, strided<[40, 1], offset: ?>>"
    return f"""
    %at = arith.index_cast %n : i32 to index
    %view = memref.reinterpret_cast %x to offset: [%at], sizes: [{rows}, {columns}], strides: [40, 1] : memref<*xf32> to {view}
    %buffer = memref.alloc() : memref<{rows}x{columns}xf32>
    memref.copy %view, %buffer : {view} to memref<{rows}x{columns}xf32>
    %block = bufferization.to_tensor %buffer restrict writable : memref<{rows}x{columns}xf32> to tensor<{rows}x{columns}xf32>
    %row = tensor.collapse_shape %block [[0, 1]] : tensor<{rows}x{columns}xf32> into tensor<{size}xf32>
    %out = memref.reinterpret_cast %o to offset: [0], sizes: [{size}], strides: [1] : memref<*xf32> to memref<{size}xf32, strided<[1]>>
    bufferization.materialize_in_destination %row in writable %out : (tensor<{size}xf32>, memref<{size}xf32, strided<[1]>>) -> ()
"""


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (8, 8), (8, 16), (16, 8), (3, 7)])
def test_windows(check: Any, rows: int, columns: int):
    x = np.arange(1000, dtype=np.float32)
    values = [x, np.zeros(rows * columns, np.float32), 0, 3]
    (_, found) = check(ARGUMENTS.replace("TYPE", "f32"), window(rows, columns), values)
    expected = x[3:].reshape(-1)[: 40 * 24].reshape(24, 40)[:rows, :columns]
    np.testing.assert_array_equal(found.reshape(rows, columns), expected)


def test_few_rows_are_copied_without_a_loop():
    arguments = ARGUMENTS.replace("TYPE", "f32")
    few, many = (emitted(arguments, window(rows, 8)).split("ret void")[0] for rows in (8, 16))
    assert "phi i64 [ 0, " in many
    assert "phi i64 [ 0, " not in few


TURNED = """
    %rows = arith.index_cast %m : i32 to index
    %len = arith.index_cast %n : i32 to index
    %view = memref.reinterpret_cast %x to offset: [0], sizes: [32, 48], strides: [48, 1] : memref<*xTYPE> to memref<32x48xTYPE, strided<[48, 1]>>
    %buffer = memref.alloc() : memref<32x48xTYPE>
    memref.copy %view, %buffer : memref<32x48xTYPE, strided<[48, 1]>> to memref<32x48xTYPE>
    %block = bufferization.to_tensor %buffer restrict writable : memref<32x48xTYPE> to tensor<32x48xTYPE>
    %sum = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%block : tensor<32x48xTYPE>) outs(%block : tensor<32x48xTYPE>) {
    ^bb0(%in: TYPE, %old: TYPE):
      %twice = ADD %in, %in : TYPE
      linalg.yield %twice : TYPE
    } -> tensor<32x48xTYPE>
    %part = tensor.extract_slice %sum[0, 0] [%rows, %len] [1, 1] : tensor<32x48xTYPE> to tensor<?x?xTYPE>
    %out = memref.reinterpret_cast %o to offset: [0], sizes: [32, 48], strides: [1, 40] : memref<*xTYPE> to memref<32x48xTYPE, strided<[1, 40]>>
    %there = memref.subview %out[0, 0] [%rows, %len] [1, 1] : memref<32x48xTYPE, strided<[1, 40]>> to memref<?x?xTYPE, strided<[1, 40]>>
    bufferization.materialize_in_destination %part in writable %there : (tensor<?x?xTYPE>, memref<?x?xTYPE, strided<[1, 40]>>) -> ()
"""


def turned(type: str) -> tuple[str, str]:
    """Return the arguments and the body of a kernel that stores sums of rows in columns."""
    add = "arith.addf" if type == "f32" else "arith.addi"
    return ARGUMENTS.replace("TYPE", type), TURNED.replace("ADD", add).replace("TYPE", type)


@pytest.mark.parametrize("type, dtype", [("f32", np.float32), ("i16", np.int16), ("i64", np.int64)])
@pytest.mark.parametrize(
    ("rows", "length"), [(32, 48), (32, 47), (31, 48), (16, 16), (17, 5), (1, 48), (0, 3), (9, 0)]
)
def test_what_is_made_of_rows_goes_to_columns(
    check: Any, type: str, dtype: Any, rows: int, length: int
):
    x = RNG.integers(1, 100, (32, 48)).astype(dtype)
    arguments, body = turned(type)
    found = check(arguments, body, [x, np.zeros((48, 40), dtype), rows, length])
    wanted = np.zeros((48, 40), dtype)
    wanted[:length, :rows] = 2 * x[:rows, :length].T
    np.testing.assert_array_equal(found[1], wanted)


def test_it_goes_by_way_of_a_buffer():
    """Nothing in a loop that computes is stored a line, or a column, apart."""
    blocks = re.split(r"\n(?=\w+:)", emitted(*turned("f32")))
    computing = [block for block in blocks if "fadd" in block]
    assert len(computing) == 1
    assert "store float" in computing[0]
    assert ", 40" not in computing[0]
