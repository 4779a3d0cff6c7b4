"""Products of which not all counts: ends of results inside a block, zeros behind operands."""

import re
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from tests.unit.cpu.test_panels import (
    ARGUMENTS,
    BODY,
    COLUMNS,
    ROWS,
    TYPE,
    K,
    M,
    N,
    operands,
    pitches,
)
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import Target

EDGE_PART = f"memref<?x?xf32, strided<[{COLUMNS}, 1], offset: ?>>"
EDGE = (
    BODY.partition("    bufferization.materialize")[0]
    + f"""
    %rows = arith.index_cast %r : i32 to index
    %columns = arith.index_cast %s : i32 to index
    %below = arith.subi %rows, %row0 : index
    %right = arith.subi %columns, %column0 : index
    %some_rows = arith.minsi %below, %m : index
    %some_columns = arith.minsi %right, %n : index
    %kept_rows = arith.maxsi %some_rows, %c0 : index
    %kept_columns = arith.maxsi %some_columns, %c0 : index
    %first = tensor.extract_slice %sum[0, 0] [%kept_rows, %kept_columns] [1, 1] : tensor<{M}x{N}xf32> to tensor<?x?xf32>
    %part = memref.subview %out[0, 0] [%kept_rows, %kept_columns] [1, 1] : {TYPE} to {EDGE_PART}
    bufferization.materialize_in_destination %first in writable %part : (tensor<?x?xf32>, {EDGE_PART}) -> ()
"""
)
WITHOUT_MASK = BODY.replace("[%live, %n]", "[%block, %n]")
"""B is loaded whole."""


def minima(kernel: Any) -> int:
    """Return how many extents code makes smaller."""
    return kernel.code.text.count("call i64 @llvm.smin.i64")


@pytest.mark.parametrize("depth", [5, 300])
@pytest.mark.parametrize("rows", [1, M + 5, 2 * M])
@pytest.mark.parametrize("columns", [1, N + 3])
def test_rows_and_columns_that_are_not_stored(build: Any, depth: int, rows: int, columns: int):
    kernel = build(f"{ARGUMENTS}, %r: i32, %s: i32", EDGE)
    assert minima(kernel) > minima(build(ARGUMENTS, BODY))
    a, b = operands(depth)
    c = np.full((ROWS, COLUMNS), 7, np.float32)
    kernel((3, 2, 1), [a, b, c, depth, *pitches(a, b), rows, columns])
    np.testing.assert_array_equal(c[:rows, :columns], (a @ b)[:rows, :columns])
    assert np.all(c[rows:] == 7)
    assert np.all(c[:, columns:] == 7)


def test_any_number_of_rows_and_columns_is_stored(build: Any):
    kernel = build(f"{ARGUMENTS}, %r: i32, %s: i32", EDGE)
    a, b = operands(300)
    for rows in range(2 * M + 1):
        for columns in (rows % 3, N - rows % 8, N + rows, N + 8 + rows % 17):
            c = np.full((ROWS, COLUMNS), 7, np.float32)
            kernel((3, 2, 1), [a, b, c, 300, *pitches(a, b), rows, columns], threads=1)
            np.testing.assert_array_equal(c[:rows, :columns], (a @ b)[:rows, :columns])
            assert np.all(c[rows:] == 7)
            assert np.all(c[:, columns:] == 7)


@pytest.mark.parametrize("memory_bits, widths", [(0, {16}), (256, {16, 8})])
def test_the_last_columns_are_as_narrow_as_pays(memory_bits: int, widths: set[int]):
    """A CPU that does vectors in halves is quicker with half of one."""
    target = Target("x86_64", "y", 512, 32, fma=True, half=True, memory_bits=memory_bits)
    module = xtriton.parse(kernel_text(f"{ARGUMENTS}, %r: i32, %s: i32", EDGE))
    text = emit_kernel(module, target, None).text
    assert {int(n) for n in re.findall(r"call <(\d+) x float> @llvm.fmuladd", text)} == widths


def test_zeros_behind_both_operands(build: Any):
    """Only those: a block that ends in ones is taken whole."""
    ones = BODY.replace("%zero_a = arith.constant 0.0", "%zero_a = arith.constant 1.0")
    assert minima(build(ARGUMENTS, BODY)) > minima(build(ARGUMENTS, ones))


@pytest.mark.parametrize("depth", [6, 7, 8])
def test_a_zero_that_is_added_makes_zero_of_minus_zero(build: Any, depth: int):
    """Products of -1e-60 come to -0; behind them come zeros if a block is cut."""
    a, b = np.full((ROWS, depth), -1e-30, np.float32), np.full((depth, COLUMNS), 1e-30, np.float32)
    c = np.full((ROWS, COLUMNS), 7, np.float32)
    build(ARGUMENTS, BODY)((3, 2, 1), [a, b, c, depth, *pitches(a, b)])
    np.testing.assert_array_equal(c, 0)
    np.testing.assert_array_equal(np.signbit(c), depth == 8)


def test_zeros_behind_one_operand_count(build: Any):
    """A mask of A alone does not hide an infinite number of B."""
    a, b = operands(K)
    b[5:] = np.inf
    a, c = np.ascontiguousarray(a[:, :3]), np.zeros((ROWS, COLUMNS), np.float32)
    build(ARGUMENTS, WITHOUT_MASK)((3, 2, 1), [a, b, c, 3, *pitches(a, b)])
    assert np.all(np.isnan(c))
