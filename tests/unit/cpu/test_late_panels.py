"""Blocks that a product gathers, and of which another one gathers what is made of them."""

import re
from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.test_products_in_loops import (
    BLOCK,
    SIZE,
    elementwise,
    loaded,
    matmul,
)

RNG = np.random.default_rng(23)
ARGUMENTS = "%a: memref<*xf32>, %b: memref<*xf32>, %c: memref<*xf32>, %d: memref<*xf32>, %n: i32, %e: memref<*xf32>"
VIEW = f"memref<{SIZE}x{SIZE}xf32, strided<[{SIZE}, 1]>>"
STEP = f"""
      %buffer = memref.alloc() : memref<{SIZE}x{SIZE}xf32>
      %at = arith.muli %i, %size : i32
      %place = arith.index_cast %at : i32 to index
      %from = memref.reinterpret_cast %a to offset: [%place], sizes: [{SIZE}, {SIZE}], strides: [{SIZE}, 1] : memref<*xf32> to memref<{SIZE}x{SIZE}xf32, strided<[{SIZE}, 1], offset: ?>>
      memref.copy %from, %buffer : memref<{SIZE}x{SIZE}xf32, strided<[{SIZE}, 1], offset: ?>> to memref<{SIZE}x{SIZE}xf32>
      %v = bufferization.to_tensor %buffer restrict writable : memref<{SIZE}x{SIZE}xf32> to {BLOCK}
      %w_e = tensor.empty() : {BLOCK}
      %w = linalg.generic {{indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%v : {BLOCK}) outs(%w_e : {BLOCK}) {{
      ^bb0(%in: f32, %out: f32):
        %power = math.exp %in : f32
        linalg.yield %power : f32
      }} -> {BLOCK}
"""
FIRST = matmul("r", "w", "tb", "acc", "f32")
SECOND = elementwise("u", "arith.mulf", "w", "v") + matmul("s", "u", "tb", "acc2", "f32")
AGAIN = elementwise("u", "arith.mulf", "w", "v") + matmul("s", "w", "u", "acc2", "f32")
TURNED = elementwise("u", "arith.mulf", "w", "v", "#swap, #id2") + matmul(
    "s", "u", "tb", "acc2", "f32"
)
THIRD = elementwise("z1", "arith.addf", "w", "v") + elementwise("z2", "arith.mulf", "z1", "u")


def stored(name: str) -> str:
    """Return the store of a block of each turn to e."""
    return f"""
      bufferization.materialize_in_destination %{name} in writable %ve : ({BLOCK}, {VIEW}) -> ()
"""


FOLLOWED = elementwise("z1", "arith.addf", "u", "v") + stored("z1")
ADDED = elementwise("z1", "arith.addf", "w", "v") + stored("z1")


def kernel(inside: str) -> tuple[str, str]:
    """Return the arguments and body of a loop that adds up two products, to c and to d."""
    body = f"""{loaded("b", "f32")}{loaded("c", "f32")}{loaded("d", "f32")}{loaded("e", "f32")}
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant {SIZE * SIZE} : i32
    %all:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %tc, %acc2 = %td) -> ({BLOCK}, {BLOCK}) : i32 {{
      {STEP}{inside}
      scf.yield %r, %s : {BLOCK}, {BLOCK}
    }}
    bufferization.materialize_in_destination %all#0 in writable %vc : ({BLOCK}, {VIEW}) -> ()
    bufferization.materialize_in_destination %all#1 in writable %vd : ({BLOCK}, {VIEW}) -> ()
"""
    return ARGUMENTS, body


def exponentials(kernel: Any) -> list[int]:
    """Return how many elements loops store that compute exponentials."""
    loops = [loop.partition("\ndone")[0] for loop in kernel.code.text.split("\nloop")]
    return [loop.count("store float") for loop in loops if re.search(r"call float @\S*exp", loop)]


def values(n: int) -> list[Any]:
    """Return what such a kernel takes."""
    a = RNG.standard_normal((max(n, 1), SIZE, SIZE)).astype(np.float32)
    b, c, d, e = (RNG.standard_normal((SIZE, SIZE)).astype(np.float32) for _ in range(4))
    return [a, b, c, d, n, e]


@pytest.mark.parametrize(
    "inside",
    [FIRST + SECOND, SECOND + FIRST, FIRST + SECOND + FOLLOWED],
    ids=["before", "behind", "followed"],
)
@pytest.mark.parametrize("n", [0, 1, 20])
def test_one_loop_stores_both(check: Any, build: Any, inside: str, n: int):
    """Wherever the product of the first one stands; of 20 blocks 16 are multiplied at once."""
    assert exponentials(build(*kernel(inside))) == [2]
    check(*kernel(inside), values(n), rtol=1e-4)


@pytest.mark.parametrize("n", [1, 20])
@pytest.mark.parametrize(
    "inside",
    [
        FIRST + AGAIN,
        FIRST + TURNED,
        FIRST + SECOND + THIRD,
        FIRST + SECOND + ADDED,
        FIRST + ADDED + SECOND,
    ],
    ids=["multiplied with it", "turned", "used again", "stored", "stored before"],
)
def test_what_is_needed_elsewhere_is_made_by_itself(check: Any, build: Any, inside: str, n: int):
    if "%z2" in inside:
        inside = inside.replace(matmul("s", "u", "tb", "acc2", "f32"), "")
        inside += matmul("s", "z2", "tb", "acc2", "f32")
    assert exponentials(build(*kernel(inside))) == [1]
    check(*kernel(inside), values(n), rtol=1e-4)
