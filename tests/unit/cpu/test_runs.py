"""Loads by blocks of indices: those that follow each other, and those that only begin so."""

from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import emitted

RNG = np.random.default_rng(8)
COUNT = 64


def arguments(type: str) -> str:
    return f"%t: memref<*x{type}>, %x: memref<*xf32>, %o: memref<*xf32>"


def body(type: str) -> str:
    """Return a kernel that loads one element of %x for each index of %t."""
    return f"""
    %view = memref.reinterpret_cast %t to offset: [0], sizes: [{COUNT}], strides: [1] : memref<*x{type}> to memref<{COUNT}x{type}, strided<[1]>>
    %buffer = memref.alloc() : memref<{COUNT}x{type}>
    memref.copy %view, %buffer : memref<{COUNT}x{type}, strided<[1]>> to memref<{COUNT}x{type}>
    %table = bufferization.to_tensor %buffer restrict writable : memref<{COUNT}x{type}> to tensor<{COUNT}x{type}>
    %two = arith.constant 2 : {type}
    %te = tensor.empty() : tensor<{COUNT}x{type}>
    %moved = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%table : tensor<{COUNT}x{type}>) outs(%te : tensor<{COUNT}x{type}>) {{
    ^bb0(%p: {type}, %old: {type}):
      %s = arith.addi %p, %two : {type}
      linalg.yield %s : {type}
    }} -> tensor<{COUNT}x{type}>
    %from = memref.cast %x : memref<*xf32> to memref<?xf32>
    %e = tensor.empty() : tensor<{COUNT}xf32>
    %r = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%e : tensor<{COUNT}xf32>) {{
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %n = tensor.extract %moved[%i] : tensor<{COUNT}x{type}>
      %at = arith.index_cast %n : {type} to index
      %v = memref.load %from[%at] : memref<?xf32>
      linalg.yield %v : f32
    }} -> tensor<{COUNT}xf32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{COUNT}], strides: [1] : memref<*xf32> to memref<{COUNT}xf32, strided<[1]>>
    bufferization.materialize_in_destination %r in writable %to : (tensor<{COUNT}xf32>, memref<{COUNT}xf32, strided<[1]>>) -> ()
"""


def exchanged(order: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return it with two in the middle exchanged: the ends are those of a run."""
    order[[30, 31]] = order[[31, 30]]
    return order


@pytest.mark.parametrize("type", ["i32", "i64"])
@pytest.mark.parametrize(
    "indices",
    [
        np.arange(COUNT) + 100,
        np.arange(COUNT),
        exchanged(np.arange(COUNT) + 7),
        np.arange(COUNT)[::-1],
        np.full(COUNT, 3),
        RNG.integers(0, 250, COUNT),
    ],
)
def test_elements_are_those_of_the_indices(check: Any, type: str, indices: np.ndarray[Any, Any]):
    table = indices.astype(np.int32 if type == "i32" else np.int64)
    x = RNG.normal(size=256).astype(np.float32)
    found = check(arguments(type), body(type), [table, x, np.zeros(COUNT, np.float32)])
    np.testing.assert_array_equal(found[2], x[indices + 2])


STEPS = "%x: memref<*xf32>, %o: memref<*xf32>, %first: i32, %row: i32"


def in_rows(index: str) -> str:
    """Return a kernel that loads from %q, which `index` makes of the places from %first on."""
    return f"""
    %width = arith.constant 48 : i32
    %many = arith.constant 80 : i32
    %less = arith.constant -16 : i32
    %from = memref.cast %x : memref<*xf32> to memref<?xf32>
    %te = tensor.empty() : tensor<{COUNT}xi32>
    %e = tensor.empty() : tensor<{COUNT}xf32>
    %places = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%te : tensor<{COUNT}xi32>) {{
    ^bb0(%o0: i32):
      %i0 = linalg.index 0 : index
      %n0 = arith.index_cast %i0 : index to i32
      %p = arith.addi %n0, %first : i32
      {index}
      %s = arith.addi %q, %row : i32
      linalg.yield %s : i32
    }} -> tensor<{COUNT}xi32>
    %r = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%e : tensor<{COUNT}xf32>) {{
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %n = tensor.extract %places[%i] : tensor<{COUNT}xi32>
      %at = arith.index_cast %n : i32 to index
      %v = memref.load %from[%at] : memref<?xf32>
      linalg.yield %v : f32
    }} -> tensor<{COUNT}xf32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{COUNT}], strides: [1] : memref<*xf32> to memref<{COUNT}xf32, strided<[1]>>
    bufferization.materialize_in_destination %r in writable %to : (tensor<{COUNT}xf32>, memref<{COUNT}xf32, strided<[1]>>) -> ()
"""


REMAINDER = "%q = arith.remsi %p, %width : i32"
WIDE = "%q = arith.remsi %p, %many : i32"
QUOTIENT = """%d = arith.divsi %p, %width : i32
      %k = arith.muli %d, %less : i32
      %q = arith.addi %p, %k : i32"""
MIXED = """%d = arith.divsi %p, %width : i32
      %k = arith.remsi %p, %width : i32
      %q = arith.addi %d, %k : i32"""
SQUARE = "%q = arith.muli %p, %p : i32"


@pytest.mark.parametrize("first", [0, 3, 40, 79])
@pytest.mark.parametrize("index", [REMAINDER, WIDE, QUOTIENT, MIXED])
def test_places_in_rows(check: Any, index: str, first: int):
    x = RNG.normal(size=400).astype(np.float32)
    check(STEPS, in_rows(index), [x, np.zeros(COUNT, np.float32), first, 160])


@pytest.mark.parametrize(
    ("index", "looks"), [(REMAINDER, False), (QUOTIENT, False), (MIXED, True), (SQUARE, True)]
)
def test_places_that_go_up_in_steps_are_not_looked_at_one_by_one(index: str, looks: bool):
    text = emitted(STEPS, in_rows(index))
    assert ("zext i1" in text[: text.index("ret void")]) == looks


@pytest.mark.parametrize("shift", [-30, -1, 0, 1, 30, 100])
def test_a_run_is_read_where_it_lies_unless_that_is_stored_to(build: Any, shift: int):
    kernel = build(arguments("i64"), body("i64"))
    memory = RNG.normal(size=400).astype(np.float32)
    expected = memory.copy()
    first = 100
    out = slice(first + shift, first + shift + COUNT)
    expected[out] = memory[first : first + COUNT]
    kernel(1, [np.arange(COUNT) + first - 2, memory, memory[out]])
    np.testing.assert_array_equal(memory, expected)
    assert "phi ptr" in kernel.code.text.partition("ret void")[0]
