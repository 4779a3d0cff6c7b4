"""Sums of products that are stored as bf16, and rounded on the way."""

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
    CUT,
    ROWS,
    M,
    N,
    in_place,
    operands,
    pitches,
)
from tests.unit.cpu.test_product_ends import EDGE, minima
from xtriton.cpu import compile_module
from xtriton.cpu.target import host

rounds = pytest.mark.skipif(not host().rounds_bf16, reason="the CPU has no such instruction")
SEVEN = 0x40E0
"""As bf16."""
ROUNDING = f"""
    %narrow_empty = tensor.empty() : tensor<{M}x{N}xbf16>
    %narrow = linalg.generic {{indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%sum : tensor<{M}x{N}xf32>) outs(%narrow_empty : tensor<{M}x{N}xbf16>) {{
    ^bb0(%x_wide: f32, %out_narrow: bf16):
      %x_narrow = arith.truncf %x_wide : f32 to bf16
      linalg.yield %x_narrow : bf16
    }} -> tensor<{M}x{N}xbf16>
"""


def rounded(body: str, arguments: str = ARGUMENTS) -> tuple[str, str]:
    """Return the arguments and the body of a kernel that rounds the sum that it stores."""
    inside, line, behind = body.partition("    %line =")
    behind = re.sub(r"%sum\b", "%narrow", behind).replace("f32", "bf16")
    arguments = arguments.replace("%c: memref<*xf32>", "%c: memref<*xbf16>")
    return arguments, inside + ROUNDING + line + behind


def to_bf16(values: Any) -> Any:
    """Round whole numbers, of which halves go to the even one."""
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def sevens() -> Any:
    return np.full((ROWS, COLUMNS), SEVEN, np.uint16)


@rounds
def test_sums_are_rounded_where_they_are_stored(build: Any):
    """Without a buffer of the rounded ones or a loop over them."""
    kernel = build(*rounded(BODY))
    assert in_place(kernel)
    assert kernel.code.text.count("cvtne2ps2bf16") > M


@pytest.mark.parametrize("depth", [0, 1, 300])
@pytest.mark.parametrize("rows", [ROWS, 2 * M + 5])
def test_rows_of_rounded_sums(build: Any, depth: int, rows: int):
    """A sum of nothing is zero; memory beyond what is stored stays as it is."""
    kernel = build(*rounded(CUT, f"{ARGUMENTS}, %r: i32"))
    a, b = (40 * x + 1 for x in operands(depth))
    c = sevens()
    kernel((3, 2, 1), [a, b, c, depth, *pitches(a, b), rows])
    np.testing.assert_array_equal(c[:rows], to_bf16(a @ b)[:rows])
    assert np.all(c[rows:] == SEVEN)


@pytest.mark.parametrize("rows", [1, M + 5, 2 * M])
@pytest.mark.parametrize("columns", [1, N + 3])
def test_rows_and_columns_that_are_not_stored(build: Any, rows: int, columns: int):
    kernel = build(*rounded(EDGE, f"{ARGUMENTS}, %r: i32, %s: i32"))
    assert minima(kernel) > minima(build(*rounded(BODY)))
    a, b = operands(300)
    c = sevens()
    kernel((3, 2, 1), [a, b, c, 300, *pitches(a, b), rows, columns])
    np.testing.assert_array_equal(c[:rows, :columns], to_bf16(a @ b)[:rows, :columns])
    assert np.all(c[rows:] == SEVEN)
    assert np.all(c[:, columns:] == SEVEN)


@rounds
@pytest.mark.parametrize("special", [np.nan, np.inf, 1e-40, -1e-40, 3.4e38])
def test_special_numbers_are_rounded_like_arithmetic(special: float):
    """One in a tile, where the instruction would take it for another number."""
    a, b = operands(8)
    a[5, :], a[5, 0] = 0, special
    b[0, :] = 1
    found: list[Any] = []
    for whether in (True, False):
        target = replace(host(), rounds_bf16=whether)
        module = xtriton.parse(kernel_text(*rounded(BODY)))
        kernel = compile_module(module, optimization=1, target=target)
        found.append(sevens())
        kernel((3, 2, 1), [a, b, found[-1], 8, *pitches(a, b)])
    np.testing.assert_array_equal(*found)
    assert found[0][5, 0] not in (0, SEVEN)


def test_arguments_that_overlap(build: Any):
    """Programs see what those before them stored, where the result lies over an operand."""
    kernel = build(*rounded(BODY))
    depth = 40
    memory = np.random.default_rng(1).integers(-1, 2, ROWS * 64).astype(np.float32)
    a = memory[: ROWS * depth].reshape(ROWS, depth)
    b = np.ones((depth, COLUMNS), np.float32)
    expected = memory.copy()
    over_a = expected[: ROWS * depth].reshape(ROWS, depth)
    over_c = expected.view(np.uint16)[: ROWS * COLUMNS].reshape(ROWS, COLUMNS)
    for y in range(2):
        for x in range(3):
            rows, columns = slice(x * M, (x + 1) * M), slice(y * N, (y + 1) * N)
            over_c[rows, columns] = to_bf16((over_a[rows] @ b)[:, columns])
    c = memory.view(np.uint16)[: ROWS * COLUMNS].reshape(ROWS, COLUMNS)
    kernel((3, 2, 1), [a, b, c, depth, *pitches(a, b)], threads=1)
    np.testing.assert_array_equal(memory.view(np.uint16), expected.view(np.uint16))
