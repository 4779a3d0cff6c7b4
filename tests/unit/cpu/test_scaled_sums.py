"""Sums of products that are multiplied by one number before they are stored."""

import re
from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.test_panels import (
    ARGUMENTS,
    BODY,
    COLUMNS,
    ROWS,
    M,
    N,
    in_place,
    operands,
    pitches,
)
from tests.unit.cpu.test_product_ends import EDGE
from tests.unit.cpu.test_rounded_sums import rounded, to_bf16

WITH_FACTOR = f"{ARGUMENTS}, %f: f32"


def multiplied(body: str, by: str = "%term, %f", before: str = "%line") -> str:
    """Return the body of a kernel that multiplies the sum that it stores, before something."""
    scaling = f"""
    %scaled_empty = tensor.empty() : tensor<{M}x{N}xf32>
    %scaled = linalg.generic {{indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%sum : tensor<{M}x{N}xf32>) outs(%scaled_empty : tensor<{M}x{N}xf32>) {{
    ^bb0(%term: f32, %out_scaled: f32):
      %term_scaled = arith.mulf {by} : f32
      linalg.yield %term_scaled : f32
    }} -> tensor<{M}x{N}xf32>
"""
    inside, next, behind = body.partition(f"    {before} =")
    return inside + scaling + next + re.sub(r"%sum\b", "%scaled", behind)


@pytest.mark.parametrize("depth", [1, 300])
@pytest.mark.parametrize("by", ["%term, %f", "%f, %term"])
def test_the_last_tiles_multiply(build: Any, depth: int, by: str):
    """Only those: a sum of 300 products has more than one part."""
    kernel = build(WITH_FACTOR, multiplied(BODY, by))
    assert in_place(kernel)
    a, b = operands(depth)
    c = np.full((ROWS, COLUMNS), 7, np.float32)
    kernel((3, 2, 1), [a, b, c, depth, *pitches(a, b), -0.5])
    np.testing.assert_array_equal(c, a @ b * np.float32(-0.5))


def test_a_number_that_is_made_behind_the_loop_is_made_before(build: Any):
    body = multiplied(BODY, "%term, %later").replace(
        "    %scaled_empty", "    %later = arith.addf %f, %f : f32\n    %scaled_empty"
    )
    kernel = build(WITH_FACTOR, body)
    assert in_place(kernel)
    a, b = operands(300)
    c = np.full((ROWS, COLUMNS), 7, np.float32)
    kernel((3, 2, 1), [a, b, c, 300, *pitches(a, b), 0.25])
    np.testing.assert_array_equal(c, a @ b * np.float32(0.5))


@pytest.mark.parametrize("by", ["%term, %term", "%term, %read"])
def test_what_is_no_number_of_before_is_multiplied_behind(build: Any, by: str):
    """As squares, and what is read from memory behind the loop."""
    reading = """    %first_of_b = memref.reinterpret_cast %b to offset: [0], sizes: [1], strides: [1] : memref<*xf32> to memref<1xf32, strided<[1]>>
    %read = memref.load %first_of_b[%c0] : memref<1xf32, strided<[1]>>
"""
    body = multiplied(BODY, by).replace("    %scaled_empty", reading + "    %scaled_empty")
    kernel = build(WITH_FACTOR, body)
    assert not in_place(kernel)
    a, b = operands(20)
    c = np.full((ROWS, COLUMNS), 7, np.float32)
    kernel((3, 2, 1), [a, b, c, 20, *pitches(a, b), 0.25])
    sums = a @ b
    np.testing.assert_array_equal(c, sums * (b[0, 0] if "read" in by else sums))


def test_a_sum_that_is_stored_as_it_is_as_well_is_not_multiplied(build: Any):
    body = multiplied(BODY)
    of_c = body[body.index("    %out =") :]
    of_e = of_c.replace("%out", "%other").replace("%c ", "%e ").replace("%scaled", "%sum")
    kernel = build(f"{WITH_FACTOR}, %e: memref<*xf32>", body + of_e)
    assert not in_place(kernel)
    a, b = operands(20)
    c, other = (np.full((ROWS, COLUMNS), 7, np.float32) for _ in range(2))
    kernel((3, 2, 1), [a, b, c, 20, *pitches(a, b), 2.0, other])
    np.testing.assert_array_equal(other, a @ b)
    np.testing.assert_array_equal(c, a @ b * 2)


@pytest.mark.parametrize("rows, columns", [(M + 5, N + 3), (3 * M, 2 * N)])
def test_rows_and_columns_that_are_not_stored(build: Any, rows: int, columns: int):
    kernel = build(f"{WITH_FACTOR}, %r: i32, %s: i32", multiplied(EDGE))
    a, b = operands(300)
    c = np.full((ROWS, COLUMNS), 7, np.float32)
    kernel((3, 2, 1), [a, b, c, 300, *pitches(a, b), 4.0, rows, columns])
    np.testing.assert_array_equal(c[:rows, :columns], (4 * (a @ b))[:rows, :columns])
    assert np.all(c[rows:] == 7)
    assert np.all(c[:, columns:] == 7)


@pytest.mark.parametrize("factor", [2.0, -1.0, np.inf])
def test_a_sum_of_nothing_is_multiplied(build: Any, factor: float):
    """It is -0 then, or not a number."""
    a, b = operands(8)
    found: Any = np.full((ROWS, COLUMNS), 7, np.float32)
    build(WITH_FACTOR, multiplied(BODY))((3, 2, 1), [a, b, found, 0, *pitches(a, b), factor])
    with np.errstate(invalid="ignore"):
        expected = np.zeros_like(found) * np.float32(factor)
    np.testing.assert_array_equal(found, expected)
    assert np.all(np.signbit(found) == (factor < 0)) or np.all(np.isnan(found))


@pytest.mark.parametrize("depth", [0, 1, 300])
def test_a_sum_that_is_multiplied_and_rounded(build: Any, depth: int):
    """Rounding is of the product."""
    arguments, body = rounded(BODY, WITH_FACTOR)
    kernel = build(arguments, multiplied(body, before="%narrow_empty"))
    a, b = (40 * x + 1 for x in operands(depth))
    c = np.full((ROWS, COLUMNS), 7, np.uint16)
    kernel((3, 2, 1), [a, b, c, depth, *pitches(a, b), 0.75])
    np.testing.assert_array_equal(c, to_bf16(a @ b * np.float32(0.75)))


def test_arguments_that_overlap(build: Any):
    """Then nothing is multiplied before it is stored."""
    kernel = build(WITH_FACTOR, multiplied(BODY))
    memory = np.random.default_rng(1).integers(-1, 2, ROWS * COLUMNS).astype(np.float32)
    matrix = memory.reshape(ROWS, COLUMNS)
    b = np.ones((COLUMNS, COLUMNS), np.float32)
    expected = matrix.copy()
    for y in range(2):
        for x in range(3):
            rows, columns = slice(x * M, (x + 1) * M), slice(y * N, (y + 1) * N)
            expected[rows, columns] = (expected[rows] @ b)[:, columns] * np.float32(0.5)
    values = [matrix, b, matrix, COLUMNS, *pitches(matrix, b), 0.5]
    kernel((3, 2, 1), values, threads=1)
    np.testing.assert_array_equal(matrix, expected)
