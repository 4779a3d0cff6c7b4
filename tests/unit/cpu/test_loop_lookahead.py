"""Loops over rows some pages apart, which ask for what later turns touch."""

from typing import Any

import numpy as np
import pytest

from xtriton.cpu.emitter import loop_lookahead
from xtriton.cpu.emitter.loop_lookahead import AHEAD, LONG, MOST_LINES, NEAR

LINE, TURNS = 64, 5
LEAST = LONG // 4 // TURNS + 1
"""Numbers from one row to the next, from which it is asked for."""
ARGUMENTS = "%x: memref<*xf32>, %y: memref<*xf32>, %step: i32, %turns: i32"


def masked(text: str, length: int) -> str:
    """Return a kernel that copies all but one of so many numbers."""
    view, part = f"memref<{length}xf32, strided<[1], offset: ?>>", "memref<?xf32, strided<[1]{}>>"
    cut = f"[0] [%less] [1] : {view} to {part.format(', offset: ?')}"
    text = text.replace(
        "    %one =", f"    %less = arith.constant {length - 1} : index\n    %one ="
    )
    text = text.replace(
        f"memref.copy %from, %buffer : {view} to memref<{length}xf32>",
        f"""%some = memref.subview %from{cut}
      %place_of = memref.subview %buffer[0] [%less] [1] : memref<{length}xf32> to {part.format("")}
      memref.copy %some, %place_of : {part.format(", offset: ?")} to {part.format("")}""",
    )
    return text.replace(
        f"bufferization.materialize_in_destination %b in writable %to : (tensor<{length}xf32>, {view})",
        f"""%slice = tensor.extract_slice %b[0] [%less] [1] : tensor<{length}xf32> to tensor<?xf32>
      %to_some = memref.subview %to{cut}
      bufferization.materialize_in_destination %slice in writable %to_some : (tensor<?xf32>, {part.format(", offset: ?")})""",
    )


def loop(length: int) -> str:
    """Return a kernel that copies so many numbers from x to y in each turn, `%step` behind the last."""
    view, kind = f"memref<{length}xf32, strided<[1], offset: ?>>", f"tensor<{length}xf32>"
    shape = f"sizes: [{length}], strides: [1] : memref<*xf32> to {view}"
    return f"""
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %turn = %zero to %turns step %one : i32 {{
      %at = arith.muli %turn, %step : i32
      %place = arith.index_cast %at : i32 to index
      %from = memref.reinterpret_cast %x to offset: [%place], {shape}
      %buffer = memref.alloc() : memref<{length}xf32>
      memref.copy %from, %buffer : {view} to memref<{length}xf32>
      %b = bufferization.to_tensor %buffer restrict writable : memref<{length}xf32> to {kind}
      %to = memref.reinterpret_cast %y to offset: [%place], {shape}
      bufferization.materialize_in_destination %b in writable %to : ({kind}, {view}) -> ()
    }}
"""


def asked_for(
    build: Any, asked: list[int], length: int, step: int, *, all_but_one: bool = False
) -> list[int]:
    """Return what is asked for, in bytes behind the beginning of x."""
    text = masked(loop(length), length) if all_but_one else loop(length)
    size = abs(step) * (TURNS - 1) + length
    x, y = np.arange(size, dtype=np.float32), np.zeros(size, np.float32)
    begin = 0 if step > 0 else size - length
    build(ARGUMENTS, text)(1, [x[begin:], y[begin:], step, TURNS])
    for turn in range(TURNS):
        row = slice(begin + step * turn, begin + step * turn + length - all_but_one)
        np.testing.assert_array_equal(y[row], x[row])
    return [at - x[begin:].ctypes.data for at in asked]


@pytest.mark.parametrize("all_but_one", [False, True])
@pytest.mark.parametrize("step", [LEAST, LEAST + 4000, -LEAST])
def test_rows_of_other_pages_are_asked_for(
    build: Any, asked: list[int], step: int, all_but_one: bool
):
    found = asked_for(build, asked, 32, step, all_but_one=all_but_one)
    expected = [4 * step * (turn + AHEAD) + line for turn in range(1, TURNS) for line in (0, LINE)]
    assert set(expected) <= set(found)


@pytest.mark.parametrize("step", [16, NEAR // 4 - 1, 1024, LEAST - 1])
def test_what_follows_or_is_near_is_not(build: Any, asked: list[int], step: int):
    assert not asked_for(build, asked, 16, step)


def test_long_rows_are_not(build: Any, asked: list[int]):
    assert not asked_for(build, asked, LINE // 4 * MOST_LINES + 1, LEAST)
    assert asked_for(build, asked, LINE // 4 * MOST_LINES, LEAST)


ROWS, COLUMNS, PITCH = 4, 32, 300


def sums_of_columns() -> str:
    """Return a kernel that adds up the rows of blocks, which begin `%step` apart."""
    view, row = (
        f"memref<{ROWS}x{COLUMNS}xf32, strided<[?, 1], offset: ?>>",
        f"tensor<{COLUMNS}xf32>",
    )
    buffer, block = f"memref<{ROWS}x{COLUMNS}xf32>", f"tensor<{ROWS}x{COLUMNS}xf32>"
    return f"""
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant 0.0 : f32
    %apart = arith.index_cast %pitch : i32 to index
    %empty = tensor.empty() : {row}
    %start = linalg.fill ins(%none : f32) outs(%empty : {row}) -> {row}
    %sums = scf.for %turn = %zero to %turns step %one iter_args(%sum = %start) -> ({row}) : i32 {{
      %at = arith.muli %turn, %step : i32
      %place = arith.index_cast %at : i32 to index
      %from = memref.reinterpret_cast %x to offset: [%place], sizes: [{ROWS}, {COLUMNS}], strides: [%apart, 1] : memref<*xf32> to {view}
      %buffer = memref.alloc() : {buffer}
      memref.copy %from, %buffer : {view} to {buffer}
      %b = bufferization.to_tensor %buffer restrict writable : {buffer} to {block}
      %more = linalg.reduce {{ arith.addf }} ins(%b : {block}) outs(%sum : {row}) dimensions = [0]
      scf.yield %more : {row}
    }}
    %to = memref.reinterpret_cast %y to offset: [0], sizes: [{COLUMNS}], strides: [1] : memref<*xf32> to memref<{COLUMNS}xf32, strided<[1]>>
    bufferization.materialize_in_destination %sums in writable %to : ({row}, memref<{COLUMNS}xf32, strided<[1]>>) -> ()
"""


def rows_asked_for(
    build: Any, asked: list[int], pitch: int, step: int, *, may_ask: bool = True
) -> list[int]:
    """Return what is asked for, in bytes behind the beginning of x."""
    x = np.arange(step * (TURNS - 1) + pitch * (ROWS - 1) + COLUMNS, dtype=np.float32) % 7
    y = np.zeros(COLUMNS, np.float32)
    kernel = build(ARGUMENTS + ", %pitch: i32", sums_of_columns(), asks_for_rows=may_ask)
    kernel(1, [x, y, step, TURNS, pitch])
    rows = [step * turn + pitch * row for turn in range(TURNS) for row in range(ROWS)]
    np.testing.assert_array_equal(y, sum(x[row : row + COLUMNS] for row in rows))
    return [at - x.ctypes.data for at in asked]


@pytest.mark.parametrize("step", [COLUMNS, ROWS * PITCH])
def test_blocks_of_rows_of_a_large_matrix_are_asked_for(
    build: Any, asked: list[int], step: int, monkeypatch: pytest.MonkeyPatch
):
    """Those of the next turn, along the rows or across, but in the first one, which knows of none."""
    monkeypatch.setattr(loop_lookahead, "LARGE", TURNS * ROWS * COLUMNS * 4 - 1)
    found = rows_asked_for(build, asked, PITCH, step)
    assert found == [
        4 * (step * (turn + 1) + PITCH * row) + line
        for turn in range(1, TURNS)
        for row in range(ROWS)
        for line in (0, LINE)
    ]


def test_blocks_of_rows_are_asked_for_where_that_pays(
    build: Any, asked: list[int], monkeypatch: pytest.MonkeyPatch
):
    """Some second caches lose lines that are pages apart before they are read."""
    monkeypatch.setattr(loop_lookahead, "LARGE", 0)
    assert rows_asked_for(build, asked, PITCH, COLUMNS, may_ask=False) == []
    assert rows_asked_for(build, asked, PITCH, COLUMNS) != []


@pytest.mark.parametrize("large, pitch", [(True, NEAR // 4 - 1), (False, PITCH)])
def test_blocks_of_near_rows_or_a_small_matrix_are_not(
    build: Any, asked: list[int], large: bool, pitch: int, monkeypatch: pytest.MonkeyPatch
):
    size = TURNS * ROWS * COLUMNS * 4
    monkeypatch.setattr(loop_lookahead, "LARGE", size - 1 if large else size)
    assert not rows_asked_for(build, asked, pitch, ROWS * pitch)
