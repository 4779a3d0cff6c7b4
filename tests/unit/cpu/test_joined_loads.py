"""Blocks that are loaded in two parts, as where a row ends: each is copied once, to its place."""

from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import emitted

SIZE = 64
ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>, %m: i32, %n: i32"
WHOLE = f"memref<{SIZE}xf32, strided<[1], offset: ?>>"
PART = "memref<?xf32, strided<[1], offset: ?>>"
BLOCK = f"memref<{SIZE}xf32>"
TENSOR = f"tensor<{SIZE}xf32>"


FILL = f"""    %seven = arith.constant 7.0 : f32
    linalg.fill ins(%seven : f32) outs(%a : {BLOCK})"""


def joined(after: str = "", at: str = "%first", fill: str = "") -> str:
    """Return a kernel that joins %m elements of %x with %n others from 10 places further on."""
    return f"""
    %ten = arith.constant 10 : index
    %zero = arith.constant 0 : index
    %first = arith.index_cast %m : i32 to index
    %second = arith.index_cast %n : i32 to index
    %here = memref.reinterpret_cast %x to offset: [%zero], sizes: [{SIZE}], strides: [1] : memref<*xf32> to {WHOLE}
    %there = memref.reinterpret_cast %x to offset: [%ten], sizes: [{SIZE}], strides: [1] : memref<*xf32> to {WHOLE}
    %a = memref.alloc() : {BLOCK}
{fill}
    %a0 = memref.subview %here[0] [%first] [1] : {WHOLE} to {PART}
    %a1 = memref.subview %a[0] [%first] [1] : {BLOCK} to memref<?xf32, strided<[1]>>
    memref.copy %a0, %a1 : {PART} to memref<?xf32, strided<[1]>>
    %left = bufferization.to_tensor %a restrict writable : {BLOCK} to {TENSOR}
    %b = memref.alloc() : {BLOCK}
    %b0 = memref.subview %there[%first] [%second] [1] : {WHOLE} to {PART}
    %b1 = memref.subview %b[%first] [%second] [1] : {BLOCK} to {PART}
    memref.copy %b0, %b1 : {PART} to {PART}
    %right = bufferization.to_tensor %b restrict writable : {BLOCK} to {TENSOR}
    %part = tensor.extract_slice %right[{at}] [%second] [1] : {TENSOR} to tensor<?xf32>
    %both = tensor.insert_slice %part into %left[{at}] [%second] [1] : tensor<?xf32> into {TENSOR}
{after}
    %out = memref.reinterpret_cast %o to offset: [0], sizes: [{SIZE}], strides: [1] : memref<*xf32> to memref<{SIZE}xf32, strided<[1]>>
    bufferization.materialize_in_destination %both in writable %out : ({TENSOR}, memref<{SIZE}xf32, strided<[1]>>) -> ()
"""


def expected(
    x: np.ndarray[Any, Any], first: int, second: int, other: float = 0
) -> np.ndarray[Any, Any]:
    found = np.full(SIZE, other, np.float32)
    found[:first] = x[:first]
    found[first : first + second] = x[10 + first : 10 + first + second]
    return found


@pytest.mark.parametrize(("first", "second"), [(SIZE, 0), (40, 24), (0, SIZE), (13, 20), (0, 0)])
def test_elements(check: Any, first: int, second: int):
    x = np.arange(1, 101, dtype=np.float32)
    values = [x, np.zeros(SIZE, np.float32), first, second]
    for fill, other in (("", 0), (FILL, 7)):
        (_, found) = check(ARGUMENTS, joined(fill=fill), values)
        np.testing.assert_array_equal(found, expected(x, first, second, other))


def test_each_part_is_copied_once():
    text = emitted(ARGUMENTS, joined()).split("ret void")[0]
    assert text.count("alloca") == 1
    assert text.count("load float") == 2


@pytest.mark.parametrize("first", [20, 3, 12, 0, SIZE])
def test_other_elements_than_those_copied(check: Any, first: int):
    """The part that is asked for begins elsewhere, and may not be loaded, or not all of it."""
    second = min(8, SIZE - first)
    x = np.arange(1, 101, dtype=np.float32)
    values = [x, np.zeros(SIZE, np.float32), first, second]
    (_, found) = check(ARGUMENTS, joined(at="%ten", fill=FILL), values)
    right = np.zeros(SIZE, np.float32)
    right[first : first + second] = x[10 + first : 10 + first + second]
    result = expected(x, first, 0, 7)
    result[10 : 10 + second] = right[10 : 10 + second]
    np.testing.assert_array_equal(found, result)


def test_places_that_are_numbers(check: Any):
    """As many of the second block are asked for as are loaded, but others."""
    body = joined().replace("[%first] [%second]", "[16] [8]")
    slices = body.index("    %part =")
    body = body[:slices] + body[slices:].replace("[16] [8]", "[20] [8]")
    x = np.arange(1, 101, dtype=np.float32)
    (_, found) = check(ARGUMENTS, body, [x, np.zeros(SIZE, np.float32), 16, 8])
    result = expected(x, 16, 0)
    result[20:24] = x[30:34]
    np.testing.assert_array_equal(found, result)


def test_stored_to_before_it_is_asked_for(check: Any):
    """What is loaded is what was there before a store to the same memory."""
    ones = f"""
    %one = arith.constant 1.0 : f32
    %empty = tensor.empty() : {TENSOR}
    %ones = linalg.fill ins(%one : f32) outs(%empty : {TENSOR}) -> {TENSOR}
    bufferization.materialize_in_destination %ones in writable %there : ({TENSOR}, {WHOLE}) -> ()
"""
    text = joined()
    place = text.index("    %part =")
    x = np.arange(1, 101, dtype=np.float32)
    for body in (joined(after=ones), text[:place] + ones + text[place:]):
        (_, found) = check(ARGUMENTS, body, [x, np.zeros(SIZE, np.float32), 40, 24])
        np.testing.assert_array_equal(found, expected(x, 40, 24))
