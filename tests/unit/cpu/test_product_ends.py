"""Products of which not all counts: ends of results inside a block, zeros behind operands."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from tests.unit.cpu.test_panels import (
    ARGUMENTS,
    BODY,
    COLUMNS,
    RNG,
    ROWS,
    K,
    M,
    N,
    operands,
    pitches,
    product,
)
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import Target

EDGE_PART = f"memref<?x?xf32, strided<[{COLUMNS}, 1], offset: ?>>"


def edge(height: int = M, turned: str = "") -> str:
    """Return the body of a product of blocks that are so high, of which some is stored."""
    whole = f"memref<{height}x{N}xf32, strided<[{COLUMNS}, 1], offset: ?>>"
    _, body = product(turned, height=height)
    return (
        body.partition("    bufferization.materialize")[0]
        + f"""
    %rows = arith.index_cast %r : i32 to index
    %columns = arith.index_cast %s : i32 to index
    %below = arith.subi %rows, %row0 : index
    %right = arith.subi %columns, %column0 : index
    %some_rows = arith.minsi %below, %m : index
    %some_columns = arith.minsi %right, %n : index
    %kept_rows = arith.maxsi %some_rows, %c0 : index
    %kept_columns = arith.maxsi %some_columns, %c0 : index
    %first = tensor.extract_slice %sum[0, 0] [%kept_rows, %kept_columns] [1, 1] : tensor<{height}x{N}xf32> to tensor<?x?xf32>
    %part = memref.subview %out[0, 0] [%kept_rows, %kept_columns] [1, 1] : {whole} to {EDGE_PART}
    bufferization.materialize_in_destination %first in writable %part : (tensor<?x?xf32>, {EDGE_PART}) -> ()
"""
    )


EDGE = edge()
WIDE = Target("x86_64", "y", 512, 32, fma=True, half=True, masks=True, packing_pays=False)
IN_PARTS = replace(WIDE, units=frozenset(["avx512bw"]))
"""A CPU that stores parts of vectors at no cost."""
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


def edge_text(target: Target, height: int = M, turned: str = "") -> str:
    """Return the IR for a CPU of a product of which some is stored."""
    module = xtriton.parse(kernel_text(f"{ARGUMENTS}, %r: i32, %s: i32", edge(height, turned)))
    return emit_kernel(module, target, None).text


def test_a_block_that_ends_is_stored_where_it_goes():
    """Vectors in part are if that costs nothing; else all of it is copied from a buffer."""
    assert "@llvm.masked.store.v16f32" in edge_text(IN_PARTS)
    assert "@llvm.masked.store" not in edge_text(WIDE)


def test_rows_up_to_an_end_are_divided_evenly(build: Any):
    """Of 64 rows tiles do 11, or 10, which come to any number above 90 or so as well."""
    assert re.search(r"udiv i64 %\w+, 11\b", edge_text(WIDE, 64))
    kernel = build(f"{ARGUMENTS}, %r: i32, %s: i32", edge(64))
    a, b = RNG.integers(-4, 5, (64, 21)), RNG.integers(-4, 5, (21, COLUMNS))
    a, b = a.astype(np.float32), b.astype(np.float32)
    for rows in range(65):
        columns = N + 1 + rows % 5
        c = np.full((64, COLUMNS), 7, np.float32)
        kernel((1, 2, 1), [a, b, c, 21, *pitches(a, b), rows, columns], threads=1)
        np.testing.assert_array_equal(c[:rows, :columns], (a @ b)[:rows, :columns])
        assert np.all(c[rows:] == 7)
        assert np.all(c[:, columns:] == 7)


def test_a_few_last_columns_are_dot_products(build: Any):
    """Of rows of A that lie along K; what is behind these, and beside the columns, is not read."""
    turns = "<4 x i32> <i32 0, i32 4, i32 2, i32 6>"
    assert turns in edge_text(WIDE)
    assert turns not in edge_text(WIDE, turned="a")
    kernel = build(f"{ARGUMENTS}, %r: i32, %s: i32", EDGE)
    for depth in (1, 2, 15, 22, 300):
        a = np.full((ROWS, depth + 2), np.nan, np.float32)
        b = np.full((depth + 1, COLUMNS), np.nan, np.float32)
        for columns in range(N + 1, N + 6):
            a[:, :depth] = RNG.standard_normal((ROWS, depth))
            b[:depth, :columns] = RNG.standard_normal((depth, columns))
            c = np.full((ROWS, COLUMNS), 7, np.float32)
            rows = ROWS - columns % 4
            kernel((3, 2, 1), [a, b, c, depth, *pitches(a, b), rows, columns], threads=1)
            exact = a[:rows, :depth].astype(np.float64) @ b[:depth, :columns]
            np.testing.assert_allclose(c[:rows, :columns], exact, rtol=1e-4, atol=1e-4)
            assert np.all(c[rows:] == 7)
            assert np.all(c[:, columns:] == 7)


@pytest.mark.parametrize("in_halves, widths", [(False, {16}), (True, {16, 8})])
def test_the_last_columns_are_as_narrow_as_pays(in_halves: bool, widths: set[int]):
    """A CPU that does vectors in halves is quicker with half of one."""
    target = Target("x86_64", "y", 512, 32, fma=True, half=True, in_halves=in_halves)
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
