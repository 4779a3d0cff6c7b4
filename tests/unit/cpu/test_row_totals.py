"""Sums that a loop keeps for each place of a row and that are added up behind it."""

import re
from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import emitted

RNG = np.random.default_rng(6)
ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>, %n: i32, %rows: i32"
WIDTH = 1024
CHOICE = """
      %new = linalg.generic {indexing_maps = [#id2, #id2, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%mask, %added, %sums : B, T, T) outs(%added : T) {
      ^bb0(%m: i1, %a: f32, %b: f32, %old: f32):
        %s = arith.select %m, %a, %b : f32
        linalg.yield %s : f32
      } -> T
"""
TOTAL = """
    %one = tensor.empty() : tensor<1xf32>
    %start = linalg.fill ins(%start_value : f32) outs(%one : tensor<1xf32>) -> tensor<1xf32>
    %total = linalg.reduce { arith.addf } ins(%all : T) outs(%start : tensor<1xf32>) dimensions = [1]
    %v = tensor.extract %total[%c0] : tensor<1xf32>
    %at = memref.reinterpret_cast %o to offset: [0], sizes: [1], strides: [1] : memref<*xf32> to memref<1xf32, strided<[1]>>
    memref.store %v, %at[%c0] : memref<1xf32, strided<[1]>>
"""
SEEN = """
    %late = memref.reinterpret_cast %o to offset: [8], sizes: [1, 1024], strides: [1024, 1] : memref<*xf32> to memref<1x1024xf32, strided<[1024, 1], offset: 8>>
    bufferization.materialize_in_destination %all in writable %late : (T, memref<1x1024xf32, strided<[1024, 1], offset: 8>>) -> ()
"""


def body(first: str = "0.0", start: str = "1.5", choice: str = CHOICE, after: str = "") -> str:
    """Return a sum of `n` elements of a row, if there are `rows`, and 3 for each that is not."""
    result = "%new" if choice else "%added"
    text = f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %other = arith.constant 3.0 : f32
    %first = arith.constant {first} : f32
    %start_value = arith.constant {start} : f32
    %many = arith.index_cast %rows : i32 to index
    %length = arith.index_cast %n : i32 to index
    %empty = tensor.empty() : T
    %bits = tensor.empty() : B
    %begin = linalg.fill ins(%first : f32) outs(%empty : T) -> T
    %all = scf.for %k = %c0 to %length step %c1024 iter_args(%sums = %begin) -> (T) {{
      %left = arith.subi %length, %k : index
      %part = arith.minsi %left, %c1024 : index
      %mask = linalg.generic {{indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]}} outs(%bits : B) {{
      ^bb0(%old: i1):
        %i = linalg.index 1 : index
        %inside = arith.cmpi slt, %i, %part : index
        linalg.yield %inside : i1
      }} -> B
      %alloc = memref.alloc() : memref<1x1024xf32>
      %cut = arith.cmpi slt, %part, %c1024 : index
      %none = arith.cmpi slt, %many, %c1 : index
      %either = arith.ori %cut, %none : i1
      scf.if %either {{
        linalg.fill ins(%other : f32) outs(%alloc : memref<1x1024xf32>)
      }}
      %from = memref.reinterpret_cast %x to offset: [%k], sizes: [1, 1024], strides: [1024, 1] : memref<*xf32> to memref<1x1024xf32, strided<[1024, 1], offset: ?>>
      %source = memref.subview %from[0, 0] [%many, %part] [1, 1] : memref<1x1024xf32, strided<[1024, 1], offset: ?>> to memref<?x?xf32, strided<[1024, 1], offset: ?>>
      %place = memref.subview %alloc[0, 0] [%many, %part] [1, 1] : memref<1x1024xf32> to memref<?x?xf32, strided<[1024, 1]>>
      memref.copy %source, %place : memref<?x?xf32, strided<[1024, 1], offset: ?>> to memref<?x?xf32, strided<[1024, 1]>>
      %loaded = bufferization.to_tensor %alloc restrict writable : memref<1x1024xf32> to T
      %added = linalg.generic {{indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%sums, %loaded : T, T) outs(%sums : T) {{
      ^bb0(%a: f32, %b: f32, %old: f32):
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      }} -> T
      {choice}
      scf.yield {result} : T
    }}
    {TOTAL}{after}
"""
    shapes = {"T": "tensor<1x1024xf32>", "B": "tensor<1x1024xi1>"}
    return re.sub(r"\b[TB]\b", lambda found: shapes[found[0]], text)


def keeps_a_block(text: str) -> bool:
    """Return whether code has a buffer for a block of sums, beside that of a load."""
    code = emitted(ARGUMENTS, text)
    return code.count("alloca [1024 x float]") > 1


@pytest.mark.parametrize("rows", [0, 1])
@pytest.mark.parametrize("n", [0, 1, 1000, 1024, 1025, 3136])
@pytest.mark.parametrize("choice", [CHOICE, ""])
def test_sum_of_a_row(check: Any, n: int, rows: int, choice: str):
    """Also of a row that is not there, and of what a load leaves to `other`."""
    # Whole numbers, so that any order of summing gives the same.
    x = RNG.integers(-9, 9, 4 * WIDTH).astype(np.float32)
    text = body(choice=choice)
    assert not keeps_a_block(text)
    found = check(ARGUMENTS, text, [x, np.zeros(2048, np.float32), n, rows])
    counted = n if choice else -(-n // WIDTH) * WIDTH
    loaded = x[:n] if rows else x[:0]
    assert found[1][0] == 1.5 + loaded.sum() + 3 * (counted - len(loaded))


@pytest.mark.parametrize(
    "text", [body(first="2.0"), body(after=SEEN)], ids=["not from zero", "seen"]
)
def test_sums_that_are_blocks(check: Any, text: str):
    """Each of them counts where they begin with something, or are stored."""
    x = RNG.integers(-9, 9, 4 * WIDTH).astype(np.float32)
    assert keeps_a_block(text)
    check(ARGUMENTS, text, [x, np.zeros(2048, np.float32), 3000, 1])


def test_sum_is_as_accurate_as_by_places(native: Any):
    """No more additions follow each other than in a block of sums."""
    x = RNG.uniform(0.9, 1.1, 1 << 20).astype(np.float32)
    arguments = [x, np.zeros(2048, np.float32), len(x), 1]
    found = native(ARGUMENTS, body(start="0.0"), arguments)
    assert abs(found[1][0] / x.sum(dtype=np.float64) - 1) < 2e-6
