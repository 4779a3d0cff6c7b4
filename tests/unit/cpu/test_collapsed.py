"""Rows that do not follow each other in memory, as one dimension, without a copy."""

from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import emitted
from xtriton.cpu.emitter.tensors import REPEATED

ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>"
ROWS = 6


def body(row: int, after: str) -> str:
    """Return a kernel that negates the first `row` elements of each 100, and ops `after` that."""
    size = ROWS * row
    block, flat = f"tensor<{ROWS}x{row}xf32>", f"tensor<{size}xf32>"
    rows, place = f"memref<{ROWS}x{row}xf32, strided<[100, 1]>>", f"memref<{ROWS}x{row}xf32>"
    text = f"""
    %from = memref.reinterpret_cast %x to offset: [0], sizes: [{ROWS}, {row}], strides: [100, 1] : memref<*xf32> to ROWS
    %buffer = memref.alloc() : {place}
    memref.copy %from, %buffer : ROWS to {place}
    %b = bufferization.to_tensor %buffer restrict writable : {place} to BLOCK
    %c = tensor.collapse_shape %b [[0, 1]] : BLOCK into FLAT
    %n = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%c : FLAT) outs(%c : FLAT) {{
    ^bb0(%p: f32, %old: f32):
      %s = arith.negf %p : f32
      linalg.yield %s : f32
    }} -> FLAT
    {after}
"""
    for name, type in (("ROWS", rows), ("BLOCK", block), ("FLAT", flat), ("SIZE", str(size))):
        text = text.replace(name, type)
    return text.replace("WIDTH", str(row)).replace("HEIGHT", str(ROWS))


IN_ROWS = """
    %w = tensor.expand_shape %n [[0, 1]] output_shape [HEIGHT, WIDTH] : FLAT into BLOCK
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [HEIGHT, WIDTH], strides: [100, 1] : memref<*xf32> to ROWS
    bufferization.materialize_in_destination %w in writable %to : (BLOCK, ROWS) -> ()
"""
FLAT = """
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [SIZE], strides: [1] : memref<*xf32> to memref<SIZExf32, strided<[1]>>
    bufferization.materialize_in_destination %n in writable %to : (FLAT, memref<SIZExf32, strided<[1]>>) -> ()
"""


@pytest.mark.parametrize("row", [3, 16, 40])
@pytest.mark.parametrize("after", [IN_ROWS, FLAT])
def test_negated(check: Any, row: int, after: str):
    x = np.arange(100 * ROWS, dtype=np.float32)
    found = check(ARGUMENTS, body(row, after), [x, np.zeros_like(x)])[1]
    block = -x.reshape(ROWS, 100)[:, :row]
    stored = found.reshape(ROWS, 100)[:, :row] if after is IN_ROWS else found[: ROWS * row]
    np.testing.assert_array_equal(stored.ravel(), block.ravel())


@pytest.mark.parametrize(("row", "after"), [(40, IN_ROWS), (40, FLAT), (3, FLAT)])
def test_places_are_not_divided(row: int, after: str):
    """By row and column is how long rows are loaded; short ones are copied before."""
    text = emitted(ARGUMENTS, body(row, after))
    kernel = text[: text.index("ret void")]
    last = kernel[kernel.rindex("\nloop") :]
    assert "fneg" in last
    assert "div i64" not in last
    assert "rem i64" not in last
    assert ("\nrow" in kernel) == (row == 40 and after is FLAT)


def repeated(row: int) -> str:
    """Return a kernel that stores 2 · x[row] - x[row]² for each place of rows of so many places."""
    size, block = ROWS * row, f"tensor<{ROWS}x{row}xf32>"
    flat, place = f"tensor<{size}xf32>", f"memref<{size}xf32, strided<[1]>>"

    def made(result: str, inputs: str, op: str) -> str:
        maps = ", ".join(["#id"] * (inputs.count("%") + 1))
        types = ", ".join([flat] * inputs.count("%"))
        arguments = ", ".join(f"%p{n}: f32" for n in range(inputs.count("%")))
        return f"""
    {result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} ins({inputs} : {types}) outs(%f : {flat}) {{
    ^bb0({arguments}, %old: f32):
      %s = {op} : f32
      linalg.yield %s : f32
    }} -> {flat}"""

    return f"""
    %from = memref.reinterpret_cast %x to offset: [0], sizes: [{ROWS}, 1], strides: [1, 1] : memref<*xf32> to memref<{ROWS}x1xf32, strided<[1, 1]>>
    %b = bufferization.to_tensor %from restrict : memref<{ROWS}x1xf32, strided<[1, 1]>> to tensor<{ROWS}x1xf32>
    %e = tensor.empty() : {block}
    %f = tensor.empty() : {flat}
    %r = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, #id2], iterator_types = ["parallel", "parallel"]}} ins(%b : tensor<{ROWS}x1xf32>) outs(%e : {block}) {{
    ^bb0(%p: f32, %old: f32):
      linalg.yield %p : f32
    }} -> {block}
    %c = tensor.collapse_shape %r [[0, 1]] : {block} into {flat}
    {made("%a", "%c", "arith.addf %p0, %p0")}
    {made("%m", "%c", "arith.mulf %p0, %p0")}
    {made("%d", "%a, %m", "arith.subf %p0, %p1")}
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{size}], strides: [1] : memref<*xf32> to {place}
    bufferization.materialize_in_destination %d in writable %to : ({flat}, {place}) -> ()
"""


@pytest.mark.parametrize("row", [4, 16, REPEATED, 100])
def test_long_rows_of_one_number_are_not_put_into_memory(check: Any, row: int):
    x = np.arange(100 * ROWS, dtype=np.float32)
    found = check(ARGUMENTS, repeated(row), [x, np.zeros_like(x)])[1]
    each = 2 * x[:ROWS] - x[:ROWS] ** 2
    np.testing.assert_array_equal(found[: ROWS * row], np.repeat(each, row))
    kept = f"alloca [{ROWS * row} x float]" in emitted(ARGUMENTS, repeated(row))
    assert kept == (row < REPEATED)
