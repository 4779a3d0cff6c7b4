"""Loops over places some elements apart, which LLVM loads together with what is between."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import emitted, kernel_text
from xtriton.cpu import jit
from xtriton.cpu.builder import MOST_STRIDE
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import Target, host

RNG = np.random.default_rng(11)
ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>, %first: i32"
ROWS, COLUMNS = 3, 64
WIDE = Target("x86_64-unknown-linux-gnu", "skylake-avx512", 512, 32, fma=True, half=True)
NARROW = Target("x86_64-unknown-linux-gnu", "znver3", 256, 16, fma=True, half=True)


def body(stride: int) -> str:
    """Return a kernel that doubles x[first + 500 * row + stride * column]."""
    shape = f"{ROWS}x{COLUMNS}"
    return f"""
    %c500 = arith.constant 500 : index
    %step = arith.constant {stride} : index
    %two = arith.constant 2.0 : f32
    %from = arith.index_cast %first : i32 to index
    %all = memref.cast %x : memref<*xf32> to memref<?xf32>
    %e = tensor.empty() : tensor<{shape}xf32>
    %r = linalg.generic {{indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]}} outs(%e : tensor<{shape}xf32>) {{
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %row = arith.muli %i, %c500 : index
      %column = arith.muli %j, %step : index
      %sum = arith.addi %row, %column : index
      %place = arith.addi %sum, %from : index
      %n = memref.load %all[%place] : memref<?xf32>
      %d = arith.mulf %n, %two : f32
      linalg.yield %d : f32
    }} -> tensor<{shape}xf32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{ROWS}, {COLUMNS}], strides: [{COLUMNS}, 1] : memref<*xf32> to memref<{shape}xf32, strided<[{COLUMNS}, 1]>>
    bufferization.materialize_in_destination %r in writable %to : (tensor<{shape}xf32>, memref<{shape}xf32, strided<[{COLUMNS}, 1]>>) -> ()
"""


@pytest.mark.parametrize("first", [0, 7, 400])
@pytest.mark.parametrize("stride", [1, 2, 3, 5, MOST_STRIDE, MOST_STRIDE + 1])
def test_every_so_many(check: Any, stride: int, first: int):
    x = RNG.normal(size=first + 500 * (ROWS - 1) + stride * (COLUMNS - 1) + 1).astype(np.float32)
    (_, found) = check(ARGUMENTS, body(stride), [x, np.zeros(ROWS * COLUMNS, np.float32), first])
    rows = [x[first + 500 * row :][: stride * COLUMNS : stride] for row in range(ROWS)]
    np.testing.assert_array_equal(found, np.concatenate(rows)[: ROWS * COLUMNS] * 2)


@pytest.mark.parametrize("stride", [1, 2, MOST_STRIDE, MOST_STRIDE + 1])
def test_few_elements_apart_addresses_do_not_wrap(stride: int):
    text = emitted(ARGUMENTS, body(stride))
    assert ("getelementptr nusw [" in text) == (1 < stride <= MOST_STRIDE)


@pytest.mark.skipif(not host().triple.startswith("x86_64"), reason="LLVM has these targets there")
@pytest.mark.parametrize(
    ("target", "stride"), [(WIDE, 2), (WIDE, 4), (NARROW, 2)], ids=["16", "16 of 64", "8"]
)
def test_they_are_not_loaded_one_by_one(target: Target, stride: int):
    module = xtriton.parse(kernel_text(ARGUMENTS, body(stride)))
    assembly = jit.assembly(emit_kernel(module, target, None).text, target=target)
    assert not re.search("gather|vinsertps", assembly)
    assert re.search("vpermt2ps|vpermi2ps|vshufps", assembly)


STORED = """
    %view = memref.reinterpret_cast %x to offset: [0], sizes: [1024], strides: [1] : memref<*xf32> to memref<1024xf32, strided<[1]>>
    %buffer = memref.alloc() : memref<1024xf32>
    memref.copy %view, %buffer : memref<1024xf32, strided<[1]>> to memref<1024xf32>
    %block = bufferization.to_tensor %buffer restrict writable : memref<1024xf32> to tensor<1024xf32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [1024], strides: [STEP] : memref<*xf32> to memref<1024xf32, strided<[STEP]>>
    bufferization.materialize_in_destination %block in writable %to : (tensor<1024xf32>, memref<1024xf32, strided<[STEP]>>) -> ()
"""


@pytest.mark.parametrize("step", [1, 2, 3, 7, MOST_STRIDE, MOST_STRIDE + 1])
def test_what_is_between_stays(check: Any, step: int):
    x, before = RNG.normal(size=1024).astype(np.float32), RNG.normal(size=1024 * step)
    body = STORED.replace("STEP", str(step))
    (_, found) = check(ARGUMENTS, body, [x, before.astype(np.float32), 0], optimization=3)
    expected = before.astype(np.float32)
    expected[::step] = x
    np.testing.assert_array_equal(found, expected)


@pytest.mark.skipif(host().vector_bits < 512, reason="LLVM is not told so where masks are dear")
@pytest.mark.parametrize("step", [2, 4])
def test_stores_some_apart_are_done_together(step: int):
    zen = replace(WIDE, cpu="znver5")
    module = xtriton.parse(kernel_text(ARGUMENTS, STORED.replace("STEP", str(step))))
    assembly = jit.assembly(emit_kernel(module, zen, None).text, target=zen)
    assert re.search(r"vmov\w+\s+%[yz]mm\d+, .*{%k\d}", assembly)
    assert "vextractps" not in assembly


@pytest.mark.skipif(not host().triple.startswith("x86_64"), reason="LLVM has this target there")
def test_zen_does_not_scatter():
    zen = replace(WIDE, cpu="znver5")
    module = xtriton.parse(kernel_text(ARGUMENTS, STORED.replace("STEP", "9")))
    texts = [jit.assembly(emit_kernel(module, cpu, None).text, target=cpu) for cpu in (WIDE, zen)]
    assert ["scatter" in text for text in texts] == [True, False]


def found(index: str) -> str:
    """Return a kernel that stores the elements of x at i32 places, y's or such as are computed."""
    return f"""
    %from = memref.cast %x : memref<*xf32> to memref<?xf32>
    %view = memref.reinterpret_cast %y to offset: [0], sizes: [64], strides: [1] : memref<*xi32> to memref<64xi32, strided<[1]>>
    %places = bufferization.to_tensor %view restrict : memref<64xi32, strided<[1]>> to tensor<64xi32>
    %e = tensor.empty() : tensor<64xf32>
    %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%places : tensor<64xi32>) outs(%e : tensor<64xf32>) {{
    ^bb0(%place: i32, %old: f32):
      %i = linalg.index 0 : index
      %square = arith.muli %i, %i : index
      %cast = arith.index_cast %place : i32 to index
      %at = arith.addi {index} : index
      %n = memref.load %from[%at] : memref<?xf32>
      %s = arith.sitofp %place : i32 to f32
      %d = arith.addf %n, %s : f32
      linalg.yield %d : f32
    }} -> tensor<64xf32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [64], strides: [1] : memref<*xf32> to memref<64xf32, strided<[1]>>
    bufferization.materialize_in_destination %r in writable %to : (tensor<64xf32>, memref<64xf32, strided<[1]>>) -> ()
"""


@pytest.mark.parametrize("index", ["%cast, %i", "%square, %i"])
def test_places_in_memory_and_others(check: Any, index: str):
    arguments = "%x: memref<*xf32>, %y: memref<*xi32>, %o: memref<*xf32>"
    x = RNG.normal(size=64 * 65).astype(np.float32)
    places = RNG.integers(0, 64 * 64, 64).astype(np.int32)
    values = [x, places, np.zeros(64, np.float32)]
    stored = check(arguments, found(index), values, optimization=3)[2]
    n = np.arange(64)
    at = n + (places if "cast" in index else n * n)
    np.testing.assert_array_equal(stored, x[at] + places.astype(np.float32))


@pytest.mark.skipif(not host().triple.startswith("x86_64"), reason="LLVM has these targets there")
@pytest.mark.parametrize(
    ("cpu", "index", "gathers"),
    [
        ("znver4", "%cast, %i", False),
        ("znver4", "%square, %i", True),
        ("skylake-avx512", "%cast, %i", True),
    ],
)
def test_zen_gathers_computed_places_alone(cpu: str, index: str, gathers: bool):
    arguments = "%x: memref<*xf32>, %y: memref<*xi32>, %o: memref<*xf32>"
    module = xtriton.parse(kernel_text(arguments, found(index)))
    target = replace(WIDE, cpu=cpu)
    text = jit.assembly(emit_kernel(module, target, None).text, target=target)
    assert ("vgather" in text) == gathers
