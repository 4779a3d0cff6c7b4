"""Blocks of which a mask or a formula is that of a row: loaded row by row."""

from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import emitted
from xtriton.cpu.emitter.pointed import DEPTH as DEPTH_OF_PANEL

ROWS, DEPTH, STEPS = 24, 32, 10
BLOCK = f"tensor<{ROWS}x{DEPTH}xf32>"
MASKS = f"tensor<{ROWS}xi1>"
SQUARE = f"tensor<{DEPTH}x{DEPTH}xf32>"
ARGUMENTS = "%x: memref<*xf32>, %w: memref<*xf32>, %o: memref<*xf32>, %pitch: i32, %limit: i32"
PLACE = f"memref<{ROWS}x{DEPTH}xf32, strided<[{DEPTH}, 1]>>"
SOURCE = f"memref<{DEPTH}x{DEPTH}xf32, strided<[{DEPTH}, 1], offset: ?>>"
COLUMN = "affine_map<(d0, d1) -> (d0, 0)>"

OVER_INPUT = f"""
    %over = memref.reinterpret_cast %x to offset: [0], sizes: [{ROWS}, {DEPTH}], strides: [{DEPTH}, 1] : memref<*xf32> to {PLACE}
    bufferization.materialize_in_destination %begin in writable %over : ({BLOCK}, {PLACE}) -> ()
"""


def masked(other: str = "0.0", column: str = "%d1") -> str:
    """Return what loads a block, %a, of rows below a limit that moves with %step."""
    return f"""
    %masks = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%none : {MASKS}) {{
    ^bb0(%old: i1):
      %r = linalg.index 0 : index
      %r32 = arith.index_cast %r : index to i32
      %shifted = arith.addi %r32, %step : i32
      %seven = arith.constant 7 : i32
      %rest = arith.remsi %shifted, %seven : i32
      %m = arith.cmpi slt, %rest, %limit : i32
      linalg.yield %m : i1
    }} -> {MASKS}
    %expanded = tensor.expand_shape %masks [[0, 1]] output_shape [{ROWS}, 1] : {MASKS} into tensor<{ROWS}x1xi1>
    %wide = tensor.empty() : tensor<{ROWS}x{DEPTH}xi1>
    %inside = linalg.generic {{indexing_maps = [{COLUMN}, #id2], iterator_types = ["parallel", "parallel"]}} ins(%expanded : tensor<{ROWS}x1xi1>) outs(%wide : tensor<{ROWS}x{DEPTH}xi1>) {{
    ^bb0(%in: i1, %old: i1):
      linalg.yield %in : i1
    }} -> tensor<{ROWS}x{DEPTH}xi1>
    %value = arith.constant {other} : f32
    %others = linalg.fill ins(%value : f32) outs(%e : {BLOCK}) -> {BLOCK}
    %from = memref.cast %x : memref<*xf32> to memref<?xf32>
    %a = linalg.generic {{indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%inside, %others : tensor<{ROWS}x{DEPTH}xi1>, {BLOCK}) outs(%others : {BLOCK}) {{
    ^bb0(%in: i1, %other: f32, %old: f32):
      %d0 = linalg.index 0 : index
      %d1 = linalg.index 1 : index
      %v = scf.if %in -> (f32) {{
        %far = arith.muli %d0, %wide_pitch : index
        %there = arith.addi %start, %far : index
        %at = arith.addi %there, {column} : index
        %loaded = memref.load %from[%at] : memref<?xf32>
        scf.yield %loaded : f32
      }} else {{
        scf.yield %other : f32
      }}
      linalg.yield %v : f32
    }} -> {BLOCK}
"""


def in_loop(
    load: str,
    between: str = "",
    product: str = "%a, %b",
    after: str = "",
    steps: int = STEPS,
) -> str:
    """Return a kernel that adds up products of blocks that `load` makes."""
    return f"""
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : {BLOCK}
    %none = tensor.empty() : {MASKS}
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %steps = arith.constant {steps} : i32
    %wide_pitch = arith.index_cast %pitch : i32 to index
    %square = arith.constant {DEPTH * DEPTH} : index
    %begin = linalg.fill ins(%zero : f32) outs(%e : {BLOCK}) -> {BLOCK}
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{ROWS}, {DEPTH}], strides: [{DEPTH}, 1] : memref<*xf32> to {PLACE}
    %whole = scf.for %step = %c0 to %steps step %c1 iter_args(%sums = %begin) -> ({BLOCK}) : i32 {{
    %start = arith.index_cast %step : i32 to index
{load}
    %moved = arith.muli %start, %square : index
    %right = memref.reinterpret_cast %w to offset: [%moved], sizes: [{DEPTH}, {DEPTH}], strides: [{DEPTH}, 1] : memref<*xf32> to {SOURCE}
    %buffer = memref.alloc() : memref<{DEPTH}x{DEPTH}xf32>
    memref.copy %right, %buffer : {SOURCE} to memref<{DEPTH}x{DEPTH}xf32>
    %b = bufferization.to_tensor %buffer restrict writable : memref<{DEPTH}x{DEPTH}xf32> to {SQUARE}
{between}
    %more = linalg.matmul ins({product} : {BLOCK}, {SQUARE}) outs(%sums : {BLOCK}) -> {BLOCK}
{after}
    scf.yield %more : {BLOCK}
    }}
    bufferization.materialize_in_destination %whole in writable %to : ({BLOCK}, {PLACE}) -> ()
"""


def values(pitch: int, limit: int, steps: int = STEPS) -> list[Any]:
    """Return arguments: whole numbers, of which sums are exact in any order."""
    generator = np.random.default_rng(0)
    x = generator.integers(-9, 9, ROWS * pitch + DEPTH + steps).astype(np.float32)
    w = generator.integers(-9, 9, steps * DEPTH * DEPTH).astype(np.float32)
    return [x, w, np.zeros(ROWS * DEPTH, np.float32), pitch, limit]


ADDED = f"""
    %doubled = linalg.generic {{indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%a : {BLOCK}) outs(%e : {BLOCK}) {{
    ^bb0(%p: f32, %old: f32):
      %s = arith.addf %p, %p : f32
      linalg.yield %s : f32
    }} -> {BLOCK}
"""


@pytest.mark.parametrize("pitch", [1, DEPTH, 200, 1000])
@pytest.mark.parametrize("limit", [0, 3, 7])
@pytest.mark.parametrize("other", ["0.0", "-2.0"])
def test_products(check: Any, pitch: int, limit: int, other: str):
    check(ARGUMENTS, in_loop(masked(other)), values(pitch, limit))


def test_what_masks_leave_changes_from_step_to_step(check: Any):
    number = "%value = arith.constant 0.0 : f32"
    assert number in masked()
    moving = masked().replace(number, "%value = arith.sitofp %step : i32 to f32")
    check(ARGUMENTS, in_loop(moving), values(DEPTH, 3))


@pytest.mark.parametrize(
    "body",
    [
        in_loop(masked(), between=OVER_INPUT),
        in_loop(masked(), after=OVER_INPUT),
        in_loop(masked(), between=ADDED, product="%doubled, %b"),
        in_loop(masked(column="%d0")),
    ],
    ids=["stored before", "stored after", "other user", "not by one"],
)
def test_other_uses(check: Any, body: str):
    check(ARGUMENTS, body, values(40, 4))


def test_more_steps_than_a_panel_has(check: Any):
    steps = DEPTH_OF_PANEL // DEPTH + 3
    body = in_loop(masked(), steps=steps)
    check(ARGUMENTS, body, values(DEPTH, 3, steps))


@pytest.mark.parametrize("pitch", [DEPTH, 1000])
def test_sums_over_what_is_loaded(build: Any, pitch: int):
    """All is loaded before anything is stored, wherever the result goes."""
    kernel = build(ARGUMENTS, in_loop(masked()))
    x, w, o, *numbers = values(pitch, 4)
    kernel(1, [x, w, o, *numbers])
    kernel(1, [x, w, x[: len(o)], *numbers])
    assert x[: len(o)].tolist() == o.tolist()


def code(body: str) -> str:
    return emitted(ARGUMENTS, body)


def test_masks_are_those_of_rows():
    """There is none for each element, and one for each row only where those are not whole."""
    of_elements, of_rows = f"[{ROWS * DEPTH} x i8]", f"[{ROWS} x i8]"
    whole, others = code(in_loop(masked())), code(in_loop(masked(column="%d0")))
    assert of_elements not in whole
    assert of_elements not in others
    assert of_rows in others


def test_only_products_wait():
    """What another op reads is put into memory of its own, what a product gathers is not."""
    buffer = f"[{ROWS * DEPTH} x float]"
    waiting = code(in_loop(masked())).count(buffer)
    assert code(in_loop(masked(), between=OVER_INPUT)).count(buffer) == waiting + 1


def test_rows_stay_where_they_are():
    """Unless they are stored to, a product reads them there."""
    noted = "store ptr"
    elsewhere = code(in_loop(masked(), after=OVER_INPUT)).count(noted)
    assert code(in_loop(masked())).count(noted) > elsewhere
