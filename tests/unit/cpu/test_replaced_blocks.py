"""Blocks that are loaded, changed element by element and stored in their own place."""

import re
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import WHOLE, emitted, kernel_text, whole
from xtriton.cpu import compile_module

RNG = np.random.default_rng(7)
SIZE = 64
T, PART, SLICE = "tensor<64xf32>", "memref<?xf32, strided<[1]>>", "tensor<?xf32>"
ARGUMENTS = "%x: memref<*xf32>, %y: memref<*xf32>, %count: i32"
VIEWS = whole(("at_x", "x"), ("at_y", "y"))
LOAD = f"""{VIEWS}
    %n = arith.index_cast %count : i32 to index
    %buffer = memref.alloc() : memref<64xf32>
    memref.copy %at_x, %buffer : {WHOLE} to memref<64xf32>
    %b = bufferization.to_tensor %buffer restrict writable : memref<64xf32> to {T}
"""
MASKED_LOAD = f"""{VIEWS}
    %n = arith.index_cast %count : i32 to index
    %from = memref.subview %at_x[0] [%n] [1] : {WHOLE} to {PART}
    %buffer = memref.alloc() : memref<64xf32>
    %part = memref.subview %buffer[0] [%n] [1] : memref<64xf32> to {PART}
    memref.copy %from, %part : {PART} to {PART}
    %b = bufferization.to_tensor %buffer restrict writable : memref<64xf32> to {T}
"""


def changed(result: str, block: str, map: str = "#id") -> str:
    """Return an op that makes 3 · e + e · e of each element, those of `map`."""
    return f"""
    {result} = linalg.generic {{indexing_maps = [{map}, #id], iterator_types = ["parallel"]}} ins({block} : {T}) outs({block} : {T}) {{
    ^bb0(%in: f32, %old: f32):
      %three = arith.constant 3.0 : f32
      %t = arith.mulf %in, %three : f32
      %s = arith.mulf %in, %in : f32
      %sum = arith.addf %t, %s : f32
      linalg.yield %sum : f32
    }} -> {T}"""


def stored(block: str, place: str) -> str:
    store = "bufferization.materialize_in_destination"
    return f"\n    {store} {block} in writable {place} : ({T}, {WHOLE}) -> ()\n"


LESS_SUM = f"""
    %init = tensor.empty() : tensor<f32>
    %zero = arith.constant 0.0 : f32
    %begun = linalg.fill ins(%zero : f32) outs(%init : tensor<f32>) -> tensor<f32>
    %total = linalg.reduce ins(%b : {T}) outs(%begun : tensor<f32>) dimensions = [0]
      (%in: f32, %acc: f32) {{
        %add = arith.addf %in, %acc : f32
        linalg.yield %add : f32
      }}
    %sum = tensor.extract %total[] : tensor<f32>
    %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%b : {T}) outs(%b : {T}) {{
    ^bb0(%in: f32, %old: f32):
      %d = arith.subf %in, %sum : f32
      linalg.yield %d : f32
    }} -> {T}"""
SOME = f"""
    %to = memref.subview %at_x[0] [%n] [1] : {WHOLE} to {PART}
    %some = tensor.extract_slice %r[0] [%n] [1] : {T} to {SLICE}
    bufferization.materialize_in_destination %some in writable %to : ({SLICE}, {PART}) -> ()
"""
BEHIND = "memref<64xf32, strided<[1], offset: 1>>"
STORED_BEHIND = f"""
    %behind = memref.reinterpret_cast %x to offset: [1], sizes: [64], strides: [1] : memref<*xf32> to {BEHIND}
    bufferization.materialize_in_destination %r in writable %behind : ({T}, {BEHIND}) -> ()
"""
ONE = changed("%r", "%b")
READ_WHERE_THEY_ARE = {
    "changed": LOAD + ONE + stored("%r", "%at_x"),
    "changed twice": LOAD + ONE + changed("%q", "%r") + stored("%q", "%at_x"),
    "less their sum": LOAD + LESS_SUM + stored("%r", "%at_x"),
    "stored elsewhere before": LOAD + ONE + stored("%r", "%at_y") + stored("%r", "%at_x"),
}
REVERSED = changed("%r", "%b", "affine_map<(d0) -> (63 - d0)>")
COPIED = {
    "reversed": LOAD + REVERSED + stored("%r", "%at_x"),
    "moved": LOAD + ONE + STORED_BEHIND,
    "read afterwards": LOAD + ONE + stored("%r", "%at_x") + stored("%b", "%at_y"),
    "stored twice": LOAD + ONE + stored("%b", "%at_x") + stored("%r", "%at_x"),
    "made of what has changed": LOAD
    + ONE
    + stored("%r", "%at_x")
    + changed("%q", "%b")
    + stored("%q", "%at_y"),
}
MASKED = {
    "all of some": MASKED_LOAD + ONE + SOME,
    "some of all": LOAD + ONE + SOME,
    "all": MASKED_LOAD + ONE + stored("%r", "%at_x"),
}


def uses_a_buffer(body: str) -> bool:
    """Return whether a kernel does more with a buffer for a block than to reserve it."""
    text = emitted(ARGUMENTS, body)
    buffers = re.findall(r"(%buffer\d+) = alloca \[64 x", text)
    return any(len(re.findall(rf"{buffer}\b", text)) > 1 for buffer in buffers)


@pytest.mark.parametrize("name", READ_WHERE_THEY_ARE)
def test_they_are_read_where_they_are(check: Any, name: str):
    body = READ_WHERE_THEY_ARE[name]
    x = RNG.integers(-9, 9, SIZE).astype(np.float32)
    check(ARGUMENTS, body, [x, np.zeros(SIZE, np.float32), SIZE], optimization=3)
    assert uses_a_buffer(body) == ("before" in name)


@pytest.mark.parametrize("name", COPIED)
def test_what_is_needed_later_is_copied(check: Any, name: str):
    x = RNG.integers(-9, 9, SIZE + 1).astype(np.float32)
    body = COPIED[name]
    check(ARGUMENTS, body, [x, np.zeros(SIZE, np.float32), SIZE], optimization=3)
    assert uses_a_buffer(body)


@pytest.mark.parametrize("count", [0, 1, 17, SIZE])
@pytest.mark.parametrize("name", MASKED)
def test_parts(check: Any, name: str, count: int):
    x = RNG.integers(-9, 9, SIZE).astype(np.float32)
    check(ARGUMENTS, MASKED[name], [x, np.zeros(1, np.float32), count], optimization=3)


@pytest.mark.parametrize("step", [-1, 0, 1, 3])
def test_what_another_argument_changes_before(step: int):
    body = READ_WHERE_THEY_ARE["stored elsewhere before"]
    run = compile_module(xtriton.parse(kernel_text(ARGUMENTS, body)), optimization=3)
    memory = RNG.integers(-9, 9, SIZE + 8).astype(np.float32)
    expected = memory.copy()
    made = 3 * expected[4 : 4 + SIZE] + expected[4 : 4 + SIZE] ** 2
    expected[4 + step : 4 + step + SIZE] = made
    expected[4 : 4 + SIZE] = made
    run(1, [memory[4 : 4 + SIZE], memory[4 + step : 4 + step + SIZE], SIZE])
    np.testing.assert_array_equal(memory, expected)


ROWS = """
    %s = arith.index_cast %count : i32 to index
    %at = memref.reinterpret_cast %x to offset: [0], sizes: [4, 16], strides: [%s, 1] : memref<*xf32> to memref<4x16xf32, strided<[?, 1]>>
    %buffer = memref.alloc() : memref<4x16xf32>
    memref.copy %at, %buffer : memref<4x16xf32, strided<[?, 1]>> to memref<4x16xf32>
    %b = bufferization.to_tensor %buffer restrict writable : memref<4x16xf32> to tensor<4x16xf32>
    %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x16xf32>) outs(%b : tensor<4x16xf32>) {
    ^bb0(%in: f32, %old: f32):
      %three = arith.constant 3.0 : f32
      %t = arith.mulf %in, %three : f32
      linalg.yield %t : f32
    } -> tensor<4x16xf32>
    bufferization.materialize_in_destination %r in writable %at : (tensor<4x16xf32>, memref<4x16xf32, strided<[?, 1]>>) -> ()
"""


@pytest.mark.parametrize("step", [0, 1, 8, 15, 16, 40])
def test_rows_that_overlap_are_copied(check: Any, step: int):
    x = RNG.integers(1, 9, 3 * step + 16).astype(np.float32)
    (found, _) = check(ARGUMENTS, ROWS, [x, np.zeros(1, np.float32), step], optimization=3)
    stored = {step * row + column for row in range(4) for column in range(16)}
    expected = [3 * value if n in stored else value for n, value in enumerate(x)]
    np.testing.assert_array_equal(found, expected)
