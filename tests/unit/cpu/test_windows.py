"""Elements at places near each other, which are loaded as what lies between them."""

import ctypes
import mmap
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import emitted, kernel_text
from xtriton.cpu import jit
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.mathlib import windows
from xtriton.cpu.target import host
from xtriton.cpu.types import suffix

has_windows = pytest.mark.skipif(
    "avx512bw" not in host().units, reason="they take instructions of AVX-512"
)
NUMBERS = {"float": np.float32, "i32": np.int32, "i16": np.int16}
RNG = np.random.default_rng(21)


def loaded(type: str, place_type: str, width: int) -> Callable[..., Any]:
    """Return what loads numbers of some places with a function of vectors, those that it is told."""
    name = f"{windows.PREFIX}.{suffix(type)}.{place_type}"
    vector, places, mask = (f"<{width} x {one}>" for one in (type, place_type, "i1"))
    function = f"{vector} @{name}.some.{width}(i64, {places}, {mask})"
    text = f"""
define void @run(i64 %base, ptr %places, ptr %told, ptr %out) {{
  %all = load {places}, ptr %places, align 8
  %bytes = load <{width} x i8>, ptr %told, align 8
  %some = trunc <{width} x i8> %bytes to {mask}
  %found = call {vector} @{name}.some.{width}(i64 %base, {places} %all, {mask} %some)
  store {vector} %found, ptr %out, align 2
  ret void
}}
declare {function}
declare {type} @{name}(i64, {place_type})
"""
    library = jit.load(text, ["run"])
    run = ctypes.CFUNCTYPE(None, *4 * [ctypes.c_void_p])(library.addresses["run"])
    kind = np.int32 if place_type == "i32" else np.int64

    def load(base: int, where: Any, told: Any) -> Any:
        out = np.zeros(width, NUMBERS[type])
        arrays = np.array(where, kind), np.array(told, np.int8), out
        run(base, *(array.ctypes.data for array in arrays))
        assert library.tracker is not None
        return out

    return load


@has_windows
@pytest.mark.parametrize("width", windows.WIDTHS)
@pytest.mark.parametrize("place_type", windows.PLACES)
@pytest.mark.parametrize("type", NUMBERS)
def test_elements(type: str, place_type: str, width: int) -> None:
    load = loaded(type, place_type, width)
    memory = RNG.integers(0, 1 << 15, 1000).astype(np.int16).repeat(2).view(np.int32)
    memory = memory.astype(NUMBERS[type]) if type == "float" else memory.view(NUMBERS[type])
    start = 500
    base = memory.ctypes.data + start * memory.itemsize
    for span in (1, 2, 8, 15, 16, 17, 31, 32, 33, 64, 400):
        for _ in range(4):
            where = RNG.integers(0, span, width)
            where[RNG.permutation(width)[:2]] = 0, span - 1
            where += RNG.integers(-100, 0)
            told = RNG.integers(0, 2, width)
            if RNG.integers(2):
                told[:] = 1
            found, expected = load(base, where, told), memory[start + where]
            np.testing.assert_array_equal(found[told == 1], expected[told == 1])


@has_windows
@pytest.mark.skipif(sys.platform != "linux", reason="pages are protected as Linux does it")
@pytest.mark.parametrize("width", windows.WIDTHS)
@pytest.mark.parametrize("place_type", windows.PLACES)
@pytest.mark.parametrize("type", NUMBERS)
def test_only_what_lies_between_is_touched(type: str, place_type: str, width: int) -> None:
    """Between pages that may not be read, also by lanes that nobody asked for, and by none."""
    load, page = loaded(type, place_type, width), mmap.PAGESIZE
    pages = mmap.mmap(-1, 3 * page)
    start = np.frombuffer(pages, np.int8).ctypes.data + page
    protect = ctypes.CDLL(None).mprotect
    for forbidden in (start - page, start + page):
        assert protect(ctypes.c_void_p(forbidden), ctypes.c_size_t(page), 0) == 0
    last = page // np.dtype(NUMBERS[type]).itemsize - 1
    lanes, told = np.arange(width), np.ones(width)
    for step in (1, 2, 3, 60):
        np.testing.assert_array_equal(load(start, step * lanes, told), 0)
        np.testing.assert_array_equal(load(start, last - step * lanes, told), 0)
    away = np.where(lanes % 2 == 0, lanes, -1 - lanes)
    np.testing.assert_array_equal(load(start, away, lanes % 2 == 0)[::2], 0)
    load(start, -1 - lanes, 0 * told)
    load(start, np.full(width, windows.PLACES[place_type]), 0 * told)


ARGUMENTS = "%x: memref<*xT>, %o: memref<*xT>, %p: memref<*xi32>, %base: i32, %n: i32"
SIZE = 100
LOOP = '{indexing_maps = [#id, #id], iterator_types = ["parallel"]}'
MASKED = """
      %v = scf.if %in -> (T) {
        %far = arith.index_cast %place : i32 to index
        %loaded = memref.load %all[%far] : memref<?xT>
        scf.yield %loaded : T
      } else {
        scf.yield %zero : T
      }"""
PLAIN = """
      %far = arith.index_cast %place : i32 to index
      %v = memref.load %all[%far] : memref<?xT>"""


def kernel(type: str, *, masked: bool, places: str = "%places") -> str:
    """
    Return a kernel that stores x[(base + i) % 37 * 3 % n] for i below n, and the places.

    What is loaded may be `masked`, and the places may be others.
    """
    zero = "0.0" if type[0] in "fb" else "0"
    load = (MASKED if masked else PLAIN).replace("T", type)
    return f"""
    %zero = arith.constant {zero} : {type}
    %many = arith.constant 37 : i32
    %three = arith.constant 3 : i32
    %all = memref.cast %x : memref<*x{type}> to memref<?x{type}>
    %e = tensor.empty() : tensor<{SIZE}xi32>
    %f = tensor.empty() : tensor<{SIZE}x{type}>
    %places = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%e : tensor<{SIZE}xi32>) {{
    ^bb0(%old: i32):
      %i = linalg.index 0 : index
      %number = arith.index_cast %i : index to i32
      %sum = arith.addi %base, %number : i32
      %rest = arith.remsi %sum, %many : i32
      %more = arith.muli %rest, %three : i32
      %last = arith.remsi %more, %n : i32
      linalg.yield %last : i32
    }} -> tensor<{SIZE}xi32>
    %to_places = memref.reinterpret_cast %p to offset: [0], sizes: [{SIZE}], strides: [1] : memref<*xi32> to memref<{SIZE}xi32, strided<[1]>>
    %buffer = memref.alloc() : memref<{SIZE}xi32>
    memref.copy %to_places, %buffer : memref<{SIZE}xi32, strided<[1]>> to memref<{SIZE}xi32>
    %given = bufferization.to_tensor %buffer restrict writable : memref<{SIZE}xi32> to tensor<{SIZE}xi32>
    %r = linalg.generic {LOOP} ins({places} : tensor<{SIZE}xi32>) outs(%f : tensor<{SIZE}x{type}>) {{
    ^bb0(%place: i32, %old: {type}):
      %i = linalg.index 0 : index
      %number = arith.index_cast %i : index to i32
      %in = arith.cmpi slt, %number, %n : i32{load}
      linalg.yield %v : {type}
    }} -> tensor<{SIZE}x{type}>
    bufferization.materialize_in_destination %places in writable %to_places : (tensor<{SIZE}xi32>, memref<{SIZE}xi32, strided<[1]>>) -> ()
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{SIZE}], strides: [1] : memref<*x{type}> to memref<{SIZE}x{type}, strided<[1]>>
    bufferization.materialize_in_destination %r in writable %to : (tensor<{SIZE}x{type}>, memref<{SIZE}x{type}, strided<[1]>>) -> ()
"""


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("type", ["f32", "i32", "f16", "i16", "i8", "f64"])
def test_kernels(check: Any, type: str, masked: bool) -> None:
    kinds = {"f32": "f4", "i32": "i4", "f16": "f2", "i16": "i2", "i8": "i1", "f64": "f8"}
    x = RNG.integers(-100, 100, 200).astype(kinds[type])
    for base, n in ((0, 100), (5, 60), (30, 7), (0, 1)):
        values = [x, np.zeros(SIZE, x.dtype), np.zeros(SIZE, np.int32), base, n]
        found = check(ARGUMENTS.replace("T", type), kernel(type, masked=masked), values)
        numbers = np.arange(SIZE)
        places = (base + numbers) % 37 * 3 % n
        expected = np.where(masked & (numbers >= n), 0, x[places])
        np.testing.assert_array_equal(found[1], expected)


@has_windows
@pytest.mark.parametrize(
    ("changed", "uses"),
    [({}, True), ({"places": "%given"}, False), ({"type": "f64"}, False)],
    ids=["computed places", "places that are loaded", "wide elements"],
)
def test_where_places_are_computed(changed: dict[str, Any], uses: bool) -> None:
    arguments: dict[str, Any] = {"type": "f32", "masked": True, **changed}
    text = emitted(ARGUMENTS.replace("T", arguments["type"]), kernel(**arguments))
    assert (windows.PREFIX in text) == uses


@has_windows
def test_checked_code_loads_each_element() -> None:
    text = kernel_text(ARGUMENTS.replace("T", "f32"), kernel("f32", masked=True))
    assert windows.PREFIX not in emit_kernel(xtriton.parse(text), host(), checked=True).text
