"""Loads from places that are computed with floats, which go through memory."""

from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import emitted

SIZE = 64
ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>, %base: i32"
BY_FLOATS = """
      %f = arith.sitofp %n : i32 to f32
      %g = arith.mulf %f, %half : f32
      %v = arith.fptosi %g : f32 to i32"""
BY_INTEGERS = """
      %v = arith.shrsi %n, %one : i32"""


def nearest(each: str, loads: int = 1) -> str:
    """Return a kernel that loads each element twice, or as many of them, which it adds up."""
    loaded = "".join(
        f"""
    %b{k} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%places : tensor<{SIZE}xi32>) outs(%e : tensor<{SIZE}xf32>) {{
    ^bb0(%p: i32, %old: f32):
      %q = arith.index_cast %p : i32 to index
      %more = arith.constant {k} : index
      %at = arith.addi %q, %more : index
      %v = memref.load %from[%at] : memref<?xf32>
      linalg.yield %v : f32
    }} -> tensor<{SIZE}xf32>"""
        for k in range(loads)
    )
    sums = "".join(
        f"""
    %s{k + 1} = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}} ins(%s{k}, %b{k + 1} : tensor<{SIZE}xf32>, tensor<{SIZE}xf32>) outs(%e : tensor<{SIZE}xf32>) {{
    ^bb0(%p: f32, %q: f32, %old: f32):
      %v = arith.addf %p, %q : f32
      linalg.yield %v : f32
    }} -> tensor<{SIZE}xf32>""".replace("%s0,", "%b0,")
        for k in range(loads - 1)
    )
    return f"""
    %half = arith.constant 5.0e-01 : f32
    %one = arith.constant 1 : i32
    %from = memref.cast %x : memref<*xf32> to memref<?xf32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{SIZE}], strides: [1] : memref<*xf32> to memref<{SIZE}xf32, strided<[1]>>
    %e = tensor.empty() : tensor<{SIZE}xf32>
    %ei = tensor.empty() : tensor<{SIZE}xi32>
    %places = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%ei : tensor<{SIZE}xi32>) {{
    ^bb0(%old: i32):
      %i = linalg.index 0 : index
      %c = arith.index_cast %i : index to i32
      %n = arith.addi %base, %c : i32
{each}
      linalg.yield %v : i32
    }} -> tensor<{SIZE}xi32>
{loaded}
{sums}
    bufferization.materialize_in_destination {"%b0" if loads == 1 else f"%s{loads - 1}"} in writable %to : (tensor<{SIZE}xf32>, memref<{SIZE}xf32, strided<[1]>>) -> ()
"""


@pytest.mark.parametrize("loads", [1, 3])
@pytest.mark.parametrize("each", [BY_FLOATS, BY_INTEGERS], ids=["floats", "integers"])
def test_neighbours(check: Any, each: str, loads: int):
    x = np.arange(SIZE, dtype=np.float32)
    found = check(ARGUMENTS, nearest(each, loads), [x, np.zeros(SIZE, np.float32), 8])[1]
    places = (np.arange(SIZE) + 8) // 2
    assert found.tolist() == np.add.reduce([x[places + k] for k in range(loads)]).tolist()


@pytest.mark.parametrize(("each", "buffers"), [(BY_FLOATS, 1), (BY_INTEGERS, 0)])
def test_places_in_memory(each: str, buffers: int):
    """Only those that LLVM would convert one by one."""
    text = emitted(ARGUMENTS, nearest(each))
    assert text.count(f"= alloca [{SIZE} x i32]") == buffers
