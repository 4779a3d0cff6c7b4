"""Matrix products: all tails, transposed operands, element types, in place in loops."""

import re
from typing import Any

import numpy as np
import pytest

from xtriton.cpu.builder import Module
from xtriton.cpu.emitter import lookahead
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.lookahead import LINE, Following, Part
from xtriton.cpu.emitter.tiles import (
    FEW_ROWS,
    Sums,
    TileShape,
    heights,
    multiply_tiles,
    tile_shape,
)
from xtriton.cpu.emitter.values import Storage, View
from xtriton.cpu.target import Target, host
from xtriton.cpu.types import F32, F64

RNG = np.random.default_rng(2)
NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32}


def matmul_body(m: int, n: int, k: int, source: str, result: str, strides: str = "") -> str:
    """Return a kernel that adds the product of %a and %b to %c; `strides` as letters n or t."""
    a_strides = f"[1, {m}]" if "a" in strides else f"[{k}, 1]"
    b_strides = f"[1, {k}]" if "b" in strides else f"[{n}, 1]"
    return f"""
    %va = memref.reinterpret_cast %a to offset: [0], sizes: [{m}, {k}], strides: {a_strides} : memref<*x{source}> to memref<{m}x{k}x{source}, strided<{a_strides}>>
    %vb = memref.reinterpret_cast %b to offset: [0], sizes: [{k}, {n}], strides: {b_strides} : memref<*x{source}> to memref<{k}x{n}x{source}, strided<{b_strides}>>
    %vc = memref.reinterpret_cast %c to offset: [0], sizes: [{m}, {n}], strides: [{n}, 1] : memref<*x{result}> to memref<{m}x{n}x{result}, strided<[{n}, 1]>>
    %ta = bufferization.to_tensor %va restrict : memref<{m}x{k}x{source}, strided<{a_strides}>> to tensor<{m}x{k}x{source}>
    %tb = bufferization.to_tensor %vb restrict : memref<{k}x{n}x{source}, strided<{b_strides}>> to tensor<{k}x{n}x{source}>
    %tc = bufferization.to_tensor %vc restrict : memref<{m}x{n}x{result}, strided<[{n}, 1]>> to tensor<{m}x{n}x{result}>
    %r = linalg.matmul ins(%ta, %tb : tensor<{m}x{k}x{source}>, tensor<{k}x{n}x{source}>) outs(%tc : tensor<{m}x{n}x{result}>) -> tensor<{m}x{n}x{result}>
    bufferization.materialize_in_destination %r in writable %vc : (tensor<{m}x{n}x{result}>, memref<{m}x{n}x{result}, strided<[{n}, 1]>>) -> ()
"""


def run(native: Any, m: int, n: int, k: int, source: str, result: str, strides: str = "") -> None:
    # Whole numbers, so that any order of summing gives the same.
    a = RNG.integers(-4, 5, (m, k)).astype(NUMPY[source])
    b = RNG.integers(-4, 5, (k, n)).astype(NUMPY[source])
    c = RNG.integers(-4, 5, (m, n)).astype(NUMPY[result])
    body = matmul_body(m, n, k, source, result, strides)
    arguments = f"%a: memref<*x{source}>, %b: memref<*x{source}>, %c: memref<*x{result}>"
    stored_a = np.ascontiguousarray(a.T) if "a" in strides else a
    stored_b = np.ascontiguousarray(b.T) if "b" in strides else b
    found = native(arguments, body, [stored_a, stored_b, c])[2]
    expected = c.astype(np.float64) + a.astype(np.float64) @ b.astype(np.float64)
    np.testing.assert_array_equal(found, expected.astype(NUMPY[result]))


SHAPES = [(1, 1, 1), (16, 16, 16), (64, 64, 32), (5, 7, 3), (13, 50, 9), (8, 33, 1), (17, 95, 40)]


@pytest.mark.parametrize("m, n, k", SHAPES)
@pytest.mark.parametrize("source, result", [("f32", "f32"), ("f64", "f64"), ("f16", "f32")])
def test_matmul(native: Any, m: int, n: int, k: int, source: str, result: str):
    run(native, m, n, k, source, result)


@pytest.mark.parametrize("source, result", [("i8", "i32"), ("i32", "i32"), ("f16", "f16")])
def test_matmul_of_other_types(native: Any, source: str, result: str):
    run(native, 32, 32, 16, source, result)


@pytest.mark.parametrize("strides", ["a", "b", "ab"])
def test_transposed_operands(native: Any, strides: str):
    run(native, 24, 40, 16, "f32", "f32", strides)


def test_indexing_maps_transpose(native: Any):
    """`linalg.matmul` with maps, as MLIR 21 and later write transposed operands."""
    body = matmul_body(16, 16, 16, "f32", "f32").replace(
        "linalg.matmul ins",
        "linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, "
        "affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins",
    )
    a, b = (RNG.integers(-4, 5, (16, 16)).astype(np.float32) for _ in "ab")
    arguments = "%a: memref<*xf32>, %b: memref<*xf32>, %c: memref<*xf32>"
    found = native(arguments, body, [a, b, np.zeros((16, 16), np.float32)])[2]
    np.testing.assert_array_equal(found, a.T @ b.T)


def test_batch_matmul(native: Any):
    shape = "memref<3x8x8xf32, strided<[64, 8, 1]>>"
    cast = "to offset: [0], sizes: [3, 8, 8], strides: [64, 8, 1] : memref<*xf32> to"
    tensors = "".join(
        f"""
    %v{x} = memref.reinterpret_cast %{x} {cast} {shape}
    %t{x} = bufferization.to_tensor %v{x} restrict : {shape} to tensor<3x8x8xf32>"""
        for x in "abc"
    )
    body = (
        tensors
        + f"""
    %r = linalg.batch_matmul ins(%ta, %tb : tensor<3x8x8xf32>, tensor<3x8x8xf32>) outs(%tc : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
    bufferization.materialize_in_destination %r in writable %vc : (tensor<3x8x8xf32>, {shape}) -> ()
"""
    )
    a, b = (RNG.integers(-4, 5, (3, 8, 8)).astype(np.float32) for _ in "ab")
    arguments = "%a: memref<*xf32>, %b: memref<*xf32>, %c: memref<*xf32>"
    found = native(arguments, body, [a, b, np.ones((3, 8, 8), np.float32)])[2]
    np.testing.assert_array_equal(found, a @ b + 1)


def loads_first(pitch: int, store: str = "") -> str:
    """Return a product of blocks of 8 x 32 and 32 x 32 that are loaded before `store`."""
    loads = "".join(
        f"""
    %v{x} = memref.reinterpret_cast %{x} to offset: [0], sizes: [{m}, 32], strides: [{pitch}, 1] : memref<*xf32> to memref<{m}x32xf32, strided<[{pitch}, 1]>>
    %buffer{x} = memref.alloc() : memref<{m}x32xf32>
    memref.copy %v{x}, %buffer{x} : memref<{m}x32xf32, strided<[{pitch}, 1]>> to memref<{m}x32xf32>
    %t{x} = bufferization.to_tensor %buffer{x} restrict writable : memref<{m}x32xf32> to tensor<{m}x32xf32>"""
        for x, m in (("a", 8), ("b", 32))
    )
    return f"""{loads}
    %vc = memref.reinterpret_cast %c to offset: [0], sizes: [8, 32], strides: [32, 1] : memref<*xf32> to memref<8x32xf32, strided<[32, 1]>>
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %empty = tensor.empty() : tensor<8x32xf32>
    %begin = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x32xf32>) -> tensor<8x32xf32>
    {store}
    %r = linalg.matmul ins(%ta, %tb : tensor<8x32xf32>, tensor<32x32xf32>) outs(%begin : tensor<8x32xf32>) -> tensor<8x32xf32>
    bufferization.materialize_in_destination %r in writable %vc : (tensor<8x32xf32>, memref<8x32xf32, strided<[32, 1]>>) -> ()
"""


THREE = "%a: memref<*xf32>, %b: memref<*xf32>, %c: memref<*xf32>"


@pytest.mark.parametrize("pitch, copies", [(32, 1), (40, 3)])
def test_a_dense_block_is_read_where_it_lies(build: Any, pitch: int, copies: int):
    """The result is copied to where it is stored, and rows that are apart to a buffer."""
    kernel = build(THREE, loads_first(pitch))
    assert kernel.code.text.count("call void @llvm.memcpy") == copies
    a, b = (RNG.integers(-4, 5, (m, pitch)).astype(np.float32) for m in (8, 32))
    c = np.zeros((8, 32), np.float32)
    kernel(1, [a, b, c])
    np.testing.assert_array_equal(c, a[:, :32] @ b[:, :32])


@pytest.mark.parametrize("name", ["b", "c"])
def test_a_dense_block_is_what_it_was_when_loaded(build: Any, name: str):
    """Stores after the load do not count, by the same name or by that of an argument over it."""
    store = f"""
    %element = memref.reinterpret_cast %{name} to offset: [0], sizes: [1], strides: [1] : memref<*xf32> to memref<1xf32, strided<[1]>>
    %index = arith.constant 0 : index
    memref.store %one, %element[%index] : memref<1xf32, strided<[1]>>"""
    kernel = build(THREE, loads_first(32, store))
    a, memory = (RNG.integers(2, 5, (m, 32)).astype(np.float32) for m in (8, 32))
    expected = a @ memory
    c = memory[:8] if name == "c" else np.zeros((8, 32), np.float32)
    kernel(1, [a, memory, c])
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize(
    "vector_bits, registers, expected",
    [
        (512, 32, TileShape(13, 2, 16)),
        (256, 16, TileShape(6, 2, 8)),
        (128, 32, TileShape(13, 2, 4)),
    ],
)
def test_tiles_fit_the_registers(vector_bits: int, registers: int, expected: TileShape):
    target = Target("x", "y", vector_bits, registers, fma=True, half=True)
    assert tile_shape(Emitter(Module(), target), F32, 64, 64) == expected
    shape = tile_shape(Emitter(Module(), target), F64, 64, 64)
    assert shape.rows * shape.vectors + shape.vectors + 1 <= registers


def test_narrow_results_use_narrow_vectors():
    shape = tile_shape(Emitter(Module(), host()), F32, 16, 2)
    assert (shape.vectors, shape.lanes) == (1, 2)


@pytest.mark.parametrize("registers", [16, 32])
@pytest.mark.parametrize("rows", range(1, 130))
def test_tiles_of_two_heights_do_all_rows(registers: int, rows: int):
    target = Target("x", "y", 256, registers, fma=True, half=True)
    most = tile_shape(Emitter(Module(), target), F32, rows, 64).rows
    (tiles, height), (others, low) = heights(rows, most)
    assert tiles * height + others * low == rows
    assert min(tiles, others) >= 0
    assert height == most
    if registers == 16 and rows % FEW_ROWS == 0:
        # Those that the last rows take anyway do the rest.
        assert low == FEW_ROWS


@pytest.mark.parametrize("steps", [2, 8, 16])
@pytest.mark.parametrize("row, pitch", [(0, 0), (256, 1000)])
def test_tiles_ask_for_all_that_follows(
    monkeypatch: pytest.MonkeyPatch, row: int, pitch: int, steps: int
):
    """Four tiles of a product over 32 steps share 64 lines: each asks for one in two steps."""
    asked: list[Any] = []

    def bring(_: Emitter, pointer: Any) -> None:
        asked.append(pointer)

    def place(type: str, start: str, index: Any) -> Any:
        return index

    e = Emitter(Module(), host())
    monkeypatch.setattr(lookahead, "bring", bring)
    monkeypatch.setattr(e.builder, "element_pointer", place)
    following = Following("%next", 64 * LINE, row, pitch)
    for done in range(0, 1024, 256):
        ask = Part(done, 256, 1024, 32).ask(e, following, steps, LINE // 2)
        for k in range(0, 32, steps):
            ask(k)
    lines = range(0, 64 * LINE, LINE)
    assert asked == [at // row * pitch + at % row if row else at for at in lines]


def test_no_more_than_a_few_lines_are_asked_for_at_once(monkeypatch: pytest.MonkeyPatch):
    """Rows of a few bytes each are lines of their own."""
    asked: list[Any] = []

    def bring(_: Emitter, pointer: Any) -> None:
        asked.append(pointer)

    monkeypatch.setattr(lookahead, "bring", bring)
    e = Emitter(Module(), host())
    Part(0, 1, 1, 32).ask(e, Following("%next", 32 * LINE, 2, 1000), 32, LINE)(0)
    assert len(asked) == lookahead.MOST_LINES


@pytest.mark.parametrize("depth", [64, 48, 8])
@pytest.mark.parametrize("registers", [16, 32])
def test_where_registers_are_few_tiles_ask_once_for_many_steps(registers: int, depth: int):
    """A block of code either multiplies or asks, but where a tile is large beside the asking."""
    e = Emitter(Module(), Target("x", "y", 256, registers, fma=True, half=True))
    a, b, c = (
        View(Storage(pointer), F32, 0, sizes, (sizes[1], 1))
        for pointer, sizes in (("%a", (64, depth)), ("%b", (depth, 64)), ("%c", (64, 64)))
    )
    following = [Following("%next", 64 * depth * 4)]
    multiply_tiles(e, a, b, Sums(c, begun="false", asked=True), depth, following=following)
    blocks = re.split(r"\n(?=\w+:\n)", e.builder.text("define void @f()"))
    asking = [block for block in blocks if "@llvm.prefetch" in block]
    assert asking
    assert any("fmuladd" in block for block in asking) == (registers > 16)
    if registers == 16:
        # Of where the sums go no more than a tile has: six rows of two vectors.
        assert max(block.count("i32 1, i32 3") for block in asking) <= 12
