"""Operands of products in loops that other programs have packed, where no loop adds them up."""

from typing import Any

import numpy as np
import pytest

from tests.unit.cpu import test_panels
from tests.unit.cpu.test_panels import COLUMNS, ROWS, K, M, N, lying, pitches, shelf_state
from tests.unit.cpu.test_units import NUMPY, RESULT, TYPES, in_memory, on_tiles, summed
from xtriton.cpu.emitter import shelves
from xtriton.cpu.emitter.panels import panel_depth
from xtriton.cpu.target import host

DEPTH = panel_depth(host())

RNG = np.random.default_rng(8)


def doubling(type: str, turned: str = "") -> tuple[str, str]:
    """Return the arguments and the body of `for k: c = 2 * (c + a[k] @ b[k])`."""
    on_vectors = type in test_panels.NUMPY
    arguments, body = test_panels.product(turned, type) if on_vectors else summed(type, turned)
    result = RESULT.get(type, "f32")
    block = f"tensor<{M}x{N}x{result}>"
    add = "arith.addf" if result == "f32" else "arith.addi"
    twice = f"""
      %twice = linalg.generic {{indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%more, %more : {block}, {block}) outs(%empty : {block}) {{
      ^bb0(%one: {result}, %other: {result}, %unused: {result}):
        %both = {add} %one, %other : {result}
        linalg.yield %both : {result}
      }} -> {block}
      scf.yield %twice"""
    return arguments, body.replace("      scf.yield %more", twice)


def doubled(a: Any, b: Any) -> Any:
    sums = np.zeros((a.shape[0], b.shape[1]), np.int64)
    for k in range(0, a.shape[1], K):
        sums = 2 * (sums + a[:, k : k + K] @ b[k : k + K])
    return sums


def operands(depth: int) -> tuple[Any, Any]:
    return RNG.integers(-4, 5, (ROWS, depth)), RNG.integers(-4, 5, (depth, COLUMNS))


def arguments(a: Any, b: Any, type: str, turned: str = "") -> list[Any]:
    stored = [lying(in_memory(x, type), name in turned) for x, name in ((a, "a"), (b, "b"))]
    c = np.zeros((ROWS, COLUMNS), NUMPY[RESULT[type]])
    return [*stored, c, a.shape[1], *pitches(*stored)]


@on_tiles
@pytest.mark.parametrize("depth", [5, 3 * K, 4 * K + 3])
@pytest.mark.parametrize("turned", ["", "a", "b", "ab"])
@pytest.mark.parametrize("type", TYPES)
def test_blocks_that_other_programs_read_are_packed_once(
    build: Any, depth: int, turned: str, type: str
):
    """A launch sees what has changed since the last one."""
    kernel = build(*doubling(type, turned))
    for _ in range(3):  # The first launch times programs, alone.
        a, b = operands(depth)
        values = arguments(a, b, type, turned)
        kernel((3, 2, 1), values, threads=1)
        np.testing.assert_array_equal(values[2], doubled(a, b))
    blocks = -(-depth // K)
    missed = [shelf_state(kernel, shelves.MOST_BLOCKS, number)[3] for number in range(2)]
    assert missed == [3 * blocks, 2 * blocks]


@pytest.mark.parametrize("turned", ["", "a", "b", "ab"])
@pytest.mark.parametrize("depth", [3 * K, 3 * K + 3])
@pytest.mark.parametrize("type, kept", [("f32", "b"), ("f16", "ab")])
def test_blocks_are_turned_and_converted_once(
    build: Any, type: str, kept: str, depth: int, turned: str
):
    """Rows of f32 are read where they are loaded, and so are columns of A."""
    kernel = build(*doubling(type, turned))
    for _ in range(3):
        a, b = operands(depth)
        stored = [
            lying(x.astype(test_panels.NUMPY[type]), n in turned) for x, n in ((a, "a"), (b, "b"))
        ]
        c = np.zeros((ROWS, COLUMNS), np.float32)
        kernel((3, 2, 1), [*stored, c, depth, *pitches(*stored)], threads=1)
        np.testing.assert_array_equal(c, doubled(a, b))
    names = [n for n in "ab" if n in kept and (type == "f16" or n in turned)]
    assert kernel.code.text.count("%cleared") == 2 * len(names)
    blocks = -(-depth // K)
    missed = [shelf_state(kernel, shelves.MOST_BLOCKS, n)[3] for n in range(len(names))]
    assert missed == [{"a": 3, "b": 2}[n] * blocks for n in names]


def test_the_next_block_is_asked_for(build: Any, asked: list[int]):
    """As far behind a block as that is behind the last one; not by programs that find blocks."""
    steps = 6
    kernel = build(*doubling("f32", "b"))
    a, b = operands(steps * K)
    stored = lying(b.astype(np.float32), turned=True)
    c = np.zeros((ROWS, COLUMNS), np.float32)
    values = [a.astype(np.float32), stored, c, steps * K, *pitches(a, stored)]
    first, pitch = stored.ctypes.data, 4 * steps * K
    by_grid: list[list[int]] = []
    for programs in (1, 3):
        for _ in range(2):  # The first launch times programs, alone.
            asked.clear()
            kernel((programs, 1, 1), values, threads=1)
        inside = [at - first for at in asked if first <= at < first + N * pitch]
        by_grid.append([at % pitch // (4 * K) for at in inside])
    np.testing.assert_array_equal(c[:, :N], doubled(a, b)[:, :N])
    assert set(range(2, steps)) <= {*by_grid[0]}
    assert by_grid[0] == by_grid[1]


@on_tiles
@pytest.mark.parametrize("grid", [(3, 1, 1), (1, 2, 1), (1, 1, 1)])
def test_blocks_that_nobody_else_reads(build: Any, grid: tuple[int, int, int]):
    kernel = build(*doubling("i8"))
    done = slice(grid[0] * M), slice(grid[1] * N)
    for _ in range(2):
        a, b = operands(4 * K)
        values = arguments(a, b, "i8")
        kernel(grid, values, threads=1)
        np.testing.assert_array_equal(values[2][done], doubled(a, b)[done])


@on_tiles
def test_more_blocks_than_there_is_room_for(build: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shelves, "MOST_BLOCKS", 4)
    kernel = build(*doubling("i8"))
    for _ in range(2):
        a, b = operands(7 * K)
        values = arguments(a, b, "i8")
        kernel((3, 2, 1), values, threads=1)
        np.testing.assert_array_equal(values[2], doubled(a, b))


@on_tiles
def test_operands_that_the_result_lies_over(build: Any):
    """Each program sees what those before it stored."""
    kernel = build(*doubling("i8"))
    a, b = operands(2 * K)
    values = arguments(a, b, "i8")
    memory = np.zeros(ROWS * COLUMNS * 4 + b.size, np.int8)
    memory[: b.size] = values[1].reshape(-1)
    expected = memory.copy()
    for y in range(2):
        for x in range(3):
            now = expected[: b.size].reshape(b.shape).astype(np.int64)
            place = expected[: ROWS * COLUMNS * 4].view(np.int32).reshape(ROWS, COLUMNS)
            block = slice(x * M, (x + 1) * M), slice(y * N, (y + 1) * N)
            place[block] = doubled(a, now)[block]
    values[1] = memory[: b.size].reshape(b.shape)
    values[2] = memory[: ROWS * COLUMNS * 4].view(np.int32).reshape(ROWS, COLUMNS)
    kernel((3, 2, 1), values, threads=1)
    np.testing.assert_array_equal(memory, expected)


def test_a_block_that_is_read_as_it_lies_too(build: Any):
    """In `c = c + a[k] @ b[k]`, and `c = c + c @ b[k].T @ b[k]`, with b in columns."""
    arguments, body = test_panels.product("b")
    wide, narrow, block = (f"tensor<{n}xf32>" for n in (f"{M}x{N}", f"{M}x{K}", f"{N}x{K}"))
    turned = f"outs(%more : {wide}) -> {wide}"
    more = next(line for line in body.splitlines() if "%more = linalg.matmul" in line)
    maps = more[more.index("indexing_maps") : more.index("ins(")]
    again = f"""
      %none = tensor.empty() : {narrow}
      %begin = linalg.fill ins(%zero : f32) outs(%none : {narrow}) -> {narrow}
      %inner = linalg.matmul ins(%more, %tb : {wide}, {block}) outs(%begin : {narrow}) -> {narrow}
      %all = linalg.matmul {maps} ins(%inner, %tb : {narrow}, {block}) {turned}
      scf.yield %all"""
    kernel = build(arguments, body.replace("      scf.yield %more", again))
    for _ in range(3):
        a, b = RNG.integers(-1, 2, (ROWS, 2 * K)), RNG.integers(-1, 2, (2 * K, COLUMNS))
        stored = [a.astype(np.float32), lying(b.astype(np.float32), turned=True)]
        c = np.zeros((ROWS, COLUMNS), np.float32)
        kernel((3, 2, 1), [*stored, c, 2 * K, *pitches(*stored)], threads=1)
        for column in range(0, COLUMNS, N):
            sums = np.zeros((ROWS, N), np.int64)
            for k in range(0, 2 * K, K):
                now = b[k : k + K, column : column + N]
                sums = sums + a[:, k : k + K] @ now
                sums = sums + sums @ now.T @ now
            np.testing.assert_array_equal(c[:, column : column + N], sums)
    # Both products that turn b keep it.
    assert [shelf_state(kernel, shelves.MOST_BLOCKS, n)[3] for n in range(2)] == [4, 4]


@pytest.mark.parametrize("depth", [2 * K, DEPTH + 3 * K, DEPTH + 3])
@pytest.mark.parametrize("type", ["f32", "f16", *(pytest.param(t, marks=on_tiles) for t in TYPES)])
def test_sums_of_a_block_that_is_read_twice(
    build: Any, monkeypatch: pytest.MonkeyPatch, type: str, depth: int
):
    """In `c = c + b[k].T @ b[k]` both panels stay on shelves, as all rows of programs have b."""
    monkeypatch.setattr(test_panels, "M", N)
    on_vectors = type in test_panels.NUMPY
    arguments, body = test_panels.product("a", type) if on_vectors else summed(type, "a")
    kernel = build(arguments, body.replace("ins(%ta, %tb", "ins(%tb, %tb"))
    for _ in range(3):
        b = RNG.integers(-4, 5, (depth, COLUMNS))
        stored = b.astype(test_panels.NUMPY[type]) if on_vectors else in_memory(b, type)
        unused = np.zeros((depth, 3 * N), stored.dtype)
        c = np.zeros((3 * N, COLUMNS), NUMPY[RESULT.get(type, "f32")])
        kernel((3, 2, 1), [unused, stored, c, depth, *pitches(unused, stored)], threads=1)
        for column in range(0, COLUMNS, N):
            now = b[:, column : column + N]
            expected = np.tile(now.T @ now, (3, 1))
            np.testing.assert_array_equal(c[:, column : column + N], expected)
    panels = 2 * -(-depth // (DEPTH * {"bf16": 2, "i8": 4}.get(type, 1)))
    assert [shelf_state(kernel, shelves.most_panels(host()), n)[3] for n in range(2)] == [
        panels
    ] * 2
