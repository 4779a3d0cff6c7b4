"""Stores that round f32 to bf16, by the CPU's instruction and number by number."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu import compile_module, target

ROWS, COLUMNS = 3, 100
ARGUMENTS = "%a: memref<*xf32>, %c: memref<*xbf16>, %live: i32"
SOURCE = f"memref<{ROWS}x{COLUMNS}xf32, strided<[{COLUMNS}, 1]>>"
PLACE = f"memref<{ROWS}x{COLUMNS}xbf16, strided<[{COLUMNS}, 1]>>"
PART = f"memref<{ROWS}x?xbf16, strided<[{COLUMNS}, 1]>>"
BLOCK = f"tensor<{ROWS}x{COLUMNS}xbf16>"
BODY = f"""
    %va = memref.reinterpret_cast %a to offset: [0], sizes: [{ROWS}, {COLUMNS}], strides: [{COLUMNS}, 1] : memref<*xf32> to {SOURCE}
    %ta = bufferization.to_tensor %va restrict : {SOURCE} to tensor<{ROWS}x{COLUMNS}xf32>
    %empty = tensor.empty() : {BLOCK}
    %rounded = linalg.generic {{indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%ta : tensor<{ROWS}x{COLUMNS}xf32>) outs(%empty : {BLOCK}) {{
      ^bb0(%x: f32, %out: bf16):
        %y = arith.truncf %x : f32 to bf16
        linalg.yield %y : bf16
    }} -> {BLOCK}
    %n = arith.index_cast %live : i32 to index
    %first = tensor.extract_slice %rounded[0, 0] [{ROWS}, %n] [1, 1] : {BLOCK} to tensor<{ROWS}x?xbf16>
    %vc = memref.reinterpret_cast %c to offset: [0], sizes: [{ROWS}, {COLUMNS}], strides: [{COLUMNS}, 1] : memref<*xbf16> to {PLACE}
    %part = memref.subview %vc[0, 0] [{ROWS}, %n] [1, 1] : {PLACE} to {PART}
    bufferization.materialize_in_destination %first in writable %part : (tensor<{ROWS}x?xbf16>, {PART}) -> ()
"""


NEGATED = f"""
    %wide = tensor.empty() : tensor<{ROWS}x{COLUMNS}xf32>
    %minus = linalg.generic {{indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%ta : tensor<{ROWS}x{COLUMNS}xf32>) outs(%wide : tensor<{ROWS}x{COLUMNS}xf32>) {{
      ^bb0(%x: f32, %out: f32):
        %y = arith.negf %x : f32
        linalg.yield %y : f32
    }} -> tensor<{ROWS}x{COLUMNS}xf32>
    %rounded = """
COMPUTED = BODY.replace("\n    %rounded = ", NEGATED).replace(
    "ins(%ta : tensor<3x100xf32>) outs(%empty", "ins(%minus : tensor<3x100xf32>) outs(%empty"
)
"""Rounds what is computed from a block, instead of the block."""


def numbers() -> Any:
    """Return rows of any bits, of denormal numbers, and of ties, infinities and NaNs."""
    rng = np.random.default_rng(1)
    bits = rng.integers(0, 1 << 32, (ROWS, COLUMNS), dtype=np.uint64).astype(np.uint32)
    bits[0, :40] = rng.normal(size=40).astype(np.float32).view(np.uint32)
    bits[1] = rng.integers(0, 1 << 23, COLUMNS)
    bits[2, :40] = 0x3F800000 + np.arange(40) * 0x8000
    bits[2, 40:] = [0x7F800000, 0xFF800000, 0x7F7FFFFF, 0x7FC12345, 0xFFFFFFFF, 0x7F800001] * 10
    return bits.view(np.float32)


@pytest.mark.parametrize("body", [BODY, COMPUTED], ids=["in memory", "computed"])
@pytest.mark.parametrize("live", [0, 31, 32, 64, 100])
def test_rounding_of_stores(check: Any, live: int, body: str):
    """Of NaNs the interpreter keeps more bits than native code, with the instruction or without."""
    some = np.where(np.isnan(numbers()), np.float32(1), numbers())
    check(ARGUMENTS, body, [some, np.full((ROWS, COLUMNS), 7, np.uint16), live])


@pytest.mark.skipif(not target.host().rounds_bf16, reason="the CPU has no such instruction")
@pytest.mark.parametrize("body", [BODY, COMPUTED], ids=["in memory", "computed"])
def test_the_instruction_rounds_like_arithmetic(body: str):
    stored: list[Any] = []
    for rounds in (True, False):
        host = replace(target.host(), rounds_bf16=rounds)
        module = xtriton.parse(kernel_text(ARGUMENTS, body))
        kernel = compile_module(module, optimization=1, target=host)
        assert ("cvtne2ps2bf16" in kernel.code.text) == rounds
        stored.append(np.full((ROWS, COLUMNS), 7, np.uint16))
        kernel(1, [numbers(), stored[-1], COLUMNS])
    np.testing.assert_array_equal(*stored)


def test_long_blocks_and_narrow_ones_are_rounded_as_they_are_computed():
    for columns in (16, 8192):
        body = COMPUTED.replace("100", str(columns))
        code = compile_module(xtriton.parse(kernel_text(ARGUMENTS, body)), optimization=1).code
        assert "cvtne2ps2bf16" not in code.text


SIDE = 64
SQUARE = f"tensor<{SIDE}x{SIDE}x"
PRODUCT = (
    "".join(
        f"""
    %v{x} = memref.reinterpret_cast %{x} to offset: [0], sizes: [{SIDE}, {SIDE}], strides: [{SIDE}, 1] : memref<*x{type}> to memref<{SIDE}x{SIDE}x{type}, strided<[{SIDE}, 1]>>
    %t{x} = bufferization.to_tensor %v{x} restrict : memref<{SIDE}x{SIDE}x{type}, strided<[{SIDE}, 1]>> to {SQUARE}{type}>"""
        for x, type in (("a", "f32"), ("b", "bf16"), ("c", "f32"))
    )
    + f"""
    %empty = tensor.empty() : {SQUARE}bf16>
    %rounded = linalg.generic {{indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%ta : {SQUARE}f32>) outs(%empty : {SQUARE}bf16>) {{
      ^bb0(%x: f32, %out: bf16):
        %y = arith.truncf %x : f32 to bf16
        linalg.yield %y : bf16
    }} -> {SQUARE}bf16>
    %r = linalg.matmul ins(%rounded, %tb : {SQUARE}bf16>, {SQUARE}bf16>) outs(%tc : {SQUARE}f32>) -> {SQUARE}f32>
    bufferization.materialize_in_destination %r in writable %vc : ({SQUARE}f32>, memref<{SIDE}x{SIDE}xf32, strided<[{SIDE}, 1]>>) -> ()
"""
)


TRANSPOSED = f"""
    %empty_t = tensor.empty() : {SQUARE}bf16>
    %columns = linalg.transpose ins(%rounded : {SQUARE}bf16>) outs(%empty_t : {SQUARE}bf16>) permutation = [1, 0]
    %r = linalg.matmul ins(%columns,"""
BY_MAPS = """
    %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%rounded,"""


@pytest.mark.parametrize("begin", ["", TRANSPOSED, BY_MAPS], ids=["rows", "transposed", "by maps"])
def test_an_operand_is_rounded_as_it_is_packed(build: Any, begin: str):
    """Numbers of nine bits are rounded to eight, to the even one of two."""
    rng = np.random.default_rng(2)
    a = rng.integers(257, 512, (SIDE, SIDE)).astype(np.float32)
    b = rng.integers(-4, 5, (SIDE, SIDE)).astype(np.float32)
    c = np.zeros((SIDE, SIDE), np.float32)
    product = PRODUCT.replace("    %r = linalg.matmul ins(%rounded,", begin) if begin else PRODUCT
    kernel = build("%a: memref<*xf32>, %b: memref<*xbf16>, %c: memref<*xf32>", product)
    host = target.host()
    if host.rounds_bf16:
        assert "cvtne2ps2bf16" in kernel.code.text
    kernel(1, [a, (b.view(np.uint32) >> 16).astype(np.uint16), c])
    rounded = np.round(a / 2) * 2
    np.testing.assert_array_equal(c, (rounded.T if begin else rounded) @ b)
