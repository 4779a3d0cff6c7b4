"""Products that a loop adds up: tails, turned operands, types; blocks that others packed."""

import ctypes
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu import compile_module
from xtriton.cpu.arenas import arena
from xtriton.cpu.emitter import lookahead, shelves
from xtriton.cpu.emitter.panels import panel_depth
from xtriton.cpu.target import TILE_UNITS, host

DEPTH = panel_depth(host())

RNG = np.random.default_rng(3)
M, N, K = 16, 32, 8
"""The block of a product; its programs stand in a grid of 3 x 2."""
ROWS, COLUMNS = 3 * M, 2 * N
NUMPY = {"f16": np.float16, "f32": np.float32}


def loaded(name: str, at: str, sizes: tuple[int, int], live: tuple[str, str], type: str) -> str:
    """Return the load of a block, as long as `live` in each dimension, with zeros around it."""
    shape, pitch = f"{sizes[0]}x{sizes[1]}x{type}", f"strided<[{sizes[1]}, 1]>"
    source = f"memref<?x?x{type}, strided<[?, 1], offset: ?>>"
    part = f"memref<?x?x{type}, {pitch}>"
    extent = ", ".join(live)
    return f"""
      %buffer_{name} = memref.alloc() : memref<{shape}>
      %zero_{name} = arith.constant 0.0 : {type}
      scf.if %cut {{
        linalg.fill ins(%zero_{name} : {type}) outs(%buffer_{name} : memref<{shape}>)
      }}
      %from_{name} = memref.reinterpret_cast %{name} to offset: [{at}], sizes: [{extent}], strides: [%pitch_{name}, 1] : memref<*x{type}> to {source}
      %into_{name} = memref.subview %buffer_{name}[0, 0] [{extent}] [1, 1] : memref<{shape}> to {part}
      memref.copy %from_{name}, %into_{name} : {source} to {part}
      %t{name} = bufferization.to_tensor %buffer_{name} restrict writable : memref<{shape}> to tensor<{shape}>
"""


def product(
    turned: str = "", type: str = "f32", after: str = "", height: int | None = None
) -> tuple[str, str]:
    """
    Return the arguments and the body of a product of blocks; `turned` names what is.

    Blocks of the result are `M` high, unless another height is given.
    """
    height = M if height is None else height
    shape_a = (K, height) if "a" in turned else (height, K)
    shape_b = (N, K) if "b" in turned else (K, N)
    at_a = ("%k0", "%row0") if "a" in turned else ("%row0", "%k0")
    at_b = ("%column0", "%k0") if "b" in turned else ("%k0", "%column0")
    live_a = ("%live", "%m") if "a" in turned else ("%m", "%live")
    live_b = ("%n", "%live") if "b" in turned else ("%live", "%n")
    maps = [
        f"affine_map<(m, n, k) -> ({'k, m' if 'a' in turned else 'm, k'})>",
        f"affine_map<(m, n, k) -> ({'n, k' if 'b' in turned else 'k, n'})>",
        "affine_map<(m, n, k) -> (m, n)>",
    ]
    types = [f"tensor<{a}x{b}x{type}>" for a, b in (shape_a, shape_b)]
    result, store = (
        f"tensor<{height}x{N}xf32>",
        f"memref<{height}x{N}xf32, strided<[{COLUMNS}, 1], offset: ?>>",
    )
    body = f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = arith.constant {height} : index
    %n = arith.constant {N} : index
    %block = arith.constant {K} : index
    %pitch = arith.constant {COLUMNS} : index
    %depth = arith.index_cast %d : i32 to index
    %pitch_a = arith.index_cast %pa : i32 to index
    %pitch_b = arith.index_cast %pb : i32 to index
    %x = arith.index_cast %program_x : i32 to index
    %y = arith.index_cast %program_y : i32 to index
    %row0 = arith.muli %x, %m : index
    %column0 = arith.muli %y, %n : index
    %above = arith.addi %depth, %block : index
    %above1 = arith.subi %above, %c1 : index
    %steps = arith.divui %above1, %block : index
    %empty = tensor.empty() : {result}
    %zero = arith.constant 0.0 : f32
    %start = linalg.fill ins(%zero : f32) outs(%empty : {result}) -> {result}
    %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%c_in = %start) -> ({result}) {{
      %k0 = arith.muli %k, %block : index
      %left = arith.subi %depth, %k0 : index
      %live = arith.minsi %left, %block : index
      %cut = arith.cmpi slt, %live, %block : index
      %line_a = arith.muli {at_a[0]}, %pitch_a : index
      %at_a = arith.addi %line_a, {at_a[1]} : index
      %line_b = arith.muli {at_b[0]}, %pitch_b : index
      %at_b = arith.addi %line_b, {at_b[1]} : index
      {loaded("a", "%at_a", shape_a, live_a, type)}
      {loaded("b", "%at_b", shape_b, live_b, type)}
      %more = linalg.matmul indexing_maps = [{", ".join(maps)}] ins(%ta, %tb : {", ".join(types)}) outs(%c_in : {result}) -> {result}
      {after}
      scf.yield %more : {result}
    }}
    %line = arith.muli %row0, %pitch : index
    %at = arith.addi %line, %column0 : index
    %out = memref.reinterpret_cast %c to offset: [%at], sizes: [{height}, {N}], strides: [{COLUMNS}, 1] : memref<*xf32> to {store}
    bufferization.materialize_in_destination %sum in writable %out : ({result}, {store}) -> ()
"""
    arguments = ", ".join(
        f"%{n}: memref<*x{t}>" for n, t in zip("abc", (type, type, "f32"), strict=True)
    )
    return f"{arguments}, %d: i32, %pa: i32, %pb: i32", body


def operands(depth: int, type: str = "f32") -> tuple[Any, Any]:
    """Return A and B of whole numbers, so that any order of summing gives the same."""
    a, b = RNG.integers(-4, 5, (ROWS, depth)), RNG.integers(-4, 5, (depth, COLUMNS))
    return a.astype(NUMPY[type]), b.astype(NUMPY[type])


def lying(matrix: Any, turned: bool) -> Any:
    return np.ascontiguousarray(matrix.T) if turned else matrix


def pitches(*matrices: Any) -> list[int]:
    return [matrix.shape[1] for matrix in matrices]


# Less than a block, whole panels (32 blocks), a panel and a part of one, and of a block.
@pytest.mark.parametrize("depth", [3, 8, 256, 300, 800])
@pytest.mark.parametrize("turned", ["", "a", "b", "ab"])
def test_depths_and_turned_operands(native: Any, depth: int, turned: str):
    a, b = operands(depth)
    stored = [lying(a, "a" in turned), lying(b, "b" in turned)]
    values = [*stored, np.zeros((ROWS, COLUMNS), np.float32), depth, *pitches(*stored)]
    found = native(*product(turned), values, grid=(3, 2, 1))[2]
    np.testing.assert_array_equal(found, a @ b)


@pytest.mark.parametrize("depth", [40, 300])
@pytest.mark.parametrize("turned", ["", "a", "b", "ab"])
def test_narrow_operands(native: Any, depth: int, turned: str):
    """Blocks of another type than the accumulator's are widened into the panels."""
    a, b = operands(depth, "f16")
    stored = [lying(a, "a" in turned), lying(b, "b" in turned)]
    values = [*stored, np.zeros((ROWS, COLUMNS), np.float32), depth, *pitches(*stored)]
    found = native(*product(turned, "f16"), values, grid=(3, 2, 1))[2]
    np.testing.assert_array_equal(found, a.astype(np.float32) @ b.astype(np.float32))


def test_same_as_interpreter(check: Any):
    """Floats differ from what the interpreter computes by rounding alone."""
    a, b = (RNG.normal(size=shape).astype(np.float32) for shape in ((ROWS, 70), (70, COLUMNS)))
    values = [a, b, np.zeros((ROWS, COLUMNS), np.float32), 70, *pitches(a, b)]
    check(*product(), values, grid=(3, 2, 1), rtol=1e-5)


@pytest.mark.parametrize("across", [1, 2])
def test_a_launch_sees_what_changed_since_the_last(build: Callable[..., Any], across: int):
    kernel = build(*product())
    a, b = operands(300)
    c = np.zeros((ROWS, COLUMNS), np.float32)
    for factor in (1, 2):
        a *= factor
        kernel((3, across, 1), [a, b, c, 300, *pitches(a, b)], threads=1)
        np.testing.assert_array_equal(c[:, : across * N], (a @ b)[:, : across * N])


@pytest.mark.parametrize("type", ["f32", "f16"])
def test_programs_find_what_others_packed(build: Callable[..., Any], type: str):
    assert "zext i1 %overlap" in build(*product(type=type)).code.text


def shelf_state(kernel: Any, slots: int, operand: int = 0) -> list[int]:
    """Return what the last launch left behind the tags of the panels of A, or of B."""
    begin = rf"%cleared{operand} = getelementptr i8, ptr %arena, i64 (\d+)"
    cleared = re.search(begin, kernel.code.text)
    assert cleared is not None
    start = (arena(kernel.code.arena_bytes) or 0) + int(cleared[1])
    return list((ctypes.c_int64 * (slots + shelves.STATE)).from_address(start))[slots:]


def test_some_are_found_of_more_panels_than_there_is_room_for(
    build: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    """In twelve rounds over twelve panels of A, of which eight fit."""
    monkeypatch.setattr(shelves, "PANELS_OF_VECTOR", 8 // host().tile_vectors)
    kernel = build(*product(), **near_by(0))
    a, b = operands(4 * DEPTH)
    c, rounds = np.zeros((ROWS, COLUMNS), np.float32), 12
    kernel((3, 2, rounds // 2), [a, b, c, 4 * DEPTH, *pitches(a, b)], threads=1)
    np.testing.assert_array_equal(c, a @ b)
    missed, sought = shelf_state(kernel, 8)[3], rounds * 12
    assert 12 < missed < 0.8 * sought


def test_panels_of_a_group_of_programs_are_packed_once(build: Callable[..., Any]):
    """There is room for those of eight programs of eight each, and some more."""
    kernel, depth = build(*product(), **near_by(0)), 24 * DEPTH
    a, b = operands(depth)
    c = np.zeros((ROWS, COLUMNS), np.float32)
    kernel((3, 2, 2), [a, b, c, depth, *pitches(a, b)], threads=1)
    np.testing.assert_array_equal(c, a @ b)
    filled, missed = shelf_state(kernel, shelves.most_panels(host()))[2:4]
    assert filled == missed == 3 * depth // DEPTH > 64


@pytest.mark.parametrize("across", [1, 2])
@pytest.mark.parametrize("down", [1, 3])
def test_what_no_two_programs_load_leaves_few_panels(build: Any, across: int, down: int):
    """Nobody comes for A in a single column of programs: it had better stay in a near cache."""
    kernel = build(*product(), **near_by(0))
    a, b = operands(8 * DEPTH)
    c = np.zeros((ROWS, COLUMNS), np.float32)
    kernel((down, across, 1), [a, b, c, 8 * DEPTH, *pitches(a, b)], threads=1)
    done = slice(down * M), slice(across * N)
    np.testing.assert_array_equal(c[done], (a @ b)[done])
    filled = shelf_state(kernel, shelves.most_panels(host()))[2]
    assert filled == (0 if across == 1 else 8 * down)


@pytest.mark.parametrize("rounds, filled, missed", [(1, 1, 2), (2, 2, 3), (5, 2, 3)])
def test_a_panel_of_programs_that_have_ended_is_filled_again(
    build: Any, rounds: int, filled: int, missed: int
):
    """
    Three programs have the first panel of B in common, and then three the second.

    Once the first is wanted again, both are kept.
    """
    kernel = build(*product(), packing_pays=True)
    a, b = operands(40)
    c = np.zeros((ROWS, COLUMNS), np.float32)
    for _ in range(2):  # The first launch times programs, alone.
        kernel((3, 2, rounds), [a, b, c, 40, *pitches(a, b)], threads=1)
    np.testing.assert_array_equal(c, a @ b)
    assert shelf_state(kernel, shelves.most_panels(host()), 1)[2:4] == [filled, missed]
    # Those of A are not found before all are there.
    assert shelf_state(kernel, shelves.most_panels(host()))[2:4] == [3, 3]


def aligned(matrix: Any) -> Any:
    """
    Return a copy that begins with a cache line.

    As much behind it is nobody's: what is asked for beyond its end is in no other array.
    """
    memory = np.zeros(2 * matrix.size + lookahead.LINE, matrix.dtype)
    start = -memory.ctypes.data % lookahead.LINE // matrix.itemsize
    place = memory[start : start + matrix.size].reshape(matrix.shape)
    place[:] = matrix
    return place


def near_by(bytes: int) -> dict[str, Any]:
    """Return what a CPU is known for that reads rows in place which are so far apart."""
    return {"near_bytes": bytes, "near_bytes_along": bytes}


def lines_in(asked: Sequence[int], array: Any) -> Any:
    """Return how often each cache line of an array has been asked for, in succession once."""
    inside = [at - array.ctypes.data for at in asked]
    every = [at // lookahead.LINE for at in inside if 0 <= at < array.nbytes]
    lines = [line for line, before in zip(every, [-1, *every], strict=False) if line != before]
    return np.bincount(lines, minlength=array.nbytes // lookahead.LINE)


# Of A turned, bf16 has rows of half a line, more of them than steps.
@pytest.mark.parametrize(
    "turned, type", [("", "f32"), ("a", "f32"), ("", "f16"), ("a", "f16"), ("", "bf16")]
)
def test_what_is_packed_next_is_asked_for(asked: list[int], turned: str, type: str):
    """All of A but its first block along K; where others packed that, what comes after them."""
    # B is packed, too.
    facts = {**near_by(0), "packing_pays": True}
    plain = {"units": host().units - TILE_UNITS, "depth_in_place": 1}
    target = replace(host(), **plain, **facts)
    module = xtriton.parse(kernel_text(*product(turned, type)))
    kernel = compile_module(module, optimization=1, target=target)
    deep = 2 * DEPTH if type == "bf16" and "avx512bf16" in target.units else DEPTH
    a, b = operands(3 * deep)
    in_memory = [_in_memory(x, type) for x in (a, b)]
    stored = [aligned(lying(in_memory[0], bool(turned))), aligned(in_memory[1])]
    c = np.zeros((ROWS, COLUMNS), np.float32)
    for _ in range(2):  # The first launch times programs, alone.
        asked.clear()
        kernel((3, 2, 1), [*stored, c, 3 * deep, *pitches(*stored)], threads=1)
    np.testing.assert_array_equal(c, a @ b)
    of_a, of_b = (lines_in(asked, array) for array in stored)
    behind = np.ones(a.shape, np.bool_)
    behind[:M, :deep] = False
    in_line = lookahead.LINE // stored[0].itemsize
    assert np.all(of_a[lying(behind, bool(turned)).reshape(-1, in_line)[:, 0]] >= 1)
    # Two programs pack B, and ask for five panels of it and for what is behind its end, which in
    # rows is the beginning of the next one; three pack A, where that is so of columns. Those that
    # find a panel ask for the one that comes after the last one packed: four of B, three of A. A
    # tile may ask for a little more than its share, and of B, as blocks are small, for less.
    rows, columns = (deep, M) if turned else (M, deep)
    lines_of_a, lines_of_b = rows * -(-columns // in_line), deep * N // in_line
    assert np.sum(of_a) == pytest.approx(lines_of_a * (12 if turned else 8), rel=0.05)
    assert 0.4 < np.sum(of_b) / (10 * lines_of_b) < 1.05


def _in_memory(values: Any, type: str) -> Any:
    """Return whole numbers as elements of a type; bf16 is the upper half of an f32."""
    if type == "bf16":
        return (values.view(np.uint32) >> 16).astype(np.uint16)
    return values.astype(NUMPY[type])


@pytest.mark.parametrize("packed", [False, True])
def test_where_sums_go_is_asked_for(build: Callable[..., Any], asked: list[int], packed: bool):
    """Unless operands are read where they lie: then there is little of all."""
    kernel = build(*product(), **near_by(0 if packed else 512))
    a, b = operands(3 * DEPTH)
    c = aligned(np.zeros((ROWS, COLUMNS), np.float32))
    grid = (3, 2, 1) if packed else (1, 1, 1)
    kernel(grid, [a, b, c, 3 * DEPTH, *pitches(a, b)], threads=1)
    done = slice(grid[0] * M), slice(grid[1] * N)
    np.testing.assert_array_equal(c[done], (a @ b)[done])
    lines = lines_in(asked, c)
    assert np.all(lines >= 1) if packed else not np.any(lines)


@pytest.mark.parametrize("packing_pays", [False, True])
@pytest.mark.parametrize("depth", [40, 300])
@pytest.mark.parametrize("down, across", [(3, 1), (1, 2), (3, 2)])
def test_what_changes_between_launches(
    build: Callable[..., Any], down: int, across: int, depth: int, packing_pays: bool
):
    """Panels are of the launch, also that of a block which was to be read in place but is not."""
    kernel = build(*product(), **near_by(0), packing_pays=packing_pays)
    a, b = operands(depth)
    for _ in range(3):
        c = np.zeros((ROWS, COLUMNS), np.float32)
        kernel((down, across, 1), [a, b, c, depth, *pitches(a, b)], threads=1)
        done = slice(down * M), slice(across * N)
        np.testing.assert_array_equal(c[done], (a @ b)[done])
        a[:], b[:] = operands(depth)


@pytest.mark.parametrize("depth", [40, 800])
def test_arguments_that_overlap(build: Callable[..., Any], depth: int):
    """Programs see what those before them stored, where the result lies over an operand."""
    kernel = build(*product())
    memory = RNG.integers(-1, 2, ROWS * 800).astype(np.float32)
    a = memory[: ROWS * depth].reshape(ROWS, depth)
    b = RNG.integers(-1, 2, (depth, COLUMNS)).astype(np.float32)
    c = memory[ROWS * 20 : ROWS * 20 + ROWS * COLUMNS].reshape(ROWS, COLUMNS)
    expected = memory.copy()
    over_a = expected[: ROWS * depth].reshape(ROWS, depth)
    over_c = expected[ROWS * 20 : ROWS * 20 + ROWS * COLUMNS].reshape(ROWS, COLUMNS)
    for y in range(2):
        for x in range(3):
            rows, columns = slice(x * M, (x + 1) * M), slice(y * N, (y + 1) * N)
            over_c[rows, columns] = over_a[rows] @ b[:, columns]
    kernel((3, 2, 1), [a, b, c, depth, *pitches(a, b)], threads=1)
    np.testing.assert_array_equal(memory, expected)


def test_an_operand_that_is_stored_to_is_loaded_again(build: Callable[..., Any]):
    """A kernel that writes over its operand by the same name finds nothing of before."""
    after = """
      %one = memref.reinterpret_cast %a to offset: [0], sizes: [1], strides: [1] : memref<*xf32> to memref<1xf32, strided<[1]>>
      %zero_again = arith.constant 0.0 : f32
      memref.store %zero_again, %one[%c0] : memref<1xf32, strided<[1]>>
"""
    kernel = build(*product(after=after))
    a, b = operands(40)
    c = np.zeros((ROWS, COLUMNS), np.float32)
    expected = a @ b
    changed = a.copy()
    changed[0, 0] = 0
    # The program beside the first one has the same block of A.
    expected[:M, N:] = (changed @ b)[:M, N:]
    kernel((3, 2, 1), [a, b, c, 40, *pitches(a, b)], threads=1)
    np.testing.assert_array_equal(c, expected)


# --- where sums are added up ------------------------------------------------------------

ARGUMENTS, BODY = product()
TYPE = f"memref<{M}x{N}xf32, strided<[{COLUMNS}, 1], offset: ?>>"
PART = f"memref<?x{N}xf32, strided<[{COLUMNS}, 1], offset: ?>>"
CUT = (
    BODY.partition("    bufferization.materialize")[0]
    + f"""
    %rows = arith.index_cast %r : i32 to index
    %below = arith.subi %rows, %row0 : index
    %kept = arith.minsi %below, %m : index
    %first = tensor.extract_slice %sum[0, 0] [%kept, {N}] [1, 1] : tensor<{M}x{N}xf32> to tensor<?x{N}xf32>
    %part = memref.subview %out[0, 0] [%kept, {N}] [1, 1] : {TYPE} to {PART}
    bufferization.materialize_in_destination %first in writable %part : (tensor<?x{N}xf32>, {PART}) -> ()
"""
)


def in_place(kernel: Any) -> bool:
    """Return whether code may add up in an argument's memory."""
    return "xor i1 %overlap, true" in kernel.code.text


@pytest.mark.parametrize("depth", [1, 300])
@pytest.mark.parametrize("rows", [ROWS, 2 * M + 5])
def test_a_sum_is_added_up_where_it_is_stored(build: Any, depth: int, rows: int):
    """What is stored in part only is not everywhere, and memory beyond that stays as it is."""
    kernel = build(f"{ARGUMENTS}, %r: i32", CUT)
    assert in_place(kernel)
    a, b = operands(depth)
    c = np.full((ROWS, COLUMNS), 7, np.float32)
    kernel((3, 2, 1), [a, b, c, depth, *pitches(a, b), rows])
    np.testing.assert_array_equal(c[:rows], (a @ b)[:rows])
    assert np.all(c[rows:] == 7)


def test_rows_of_a_sum_do_not_fall_on_each_other(build: Any):
    """They are an odd number of cache lines apart: three of 16 numbers, not two."""
    text = build(ARGUMENTS, BODY).code.text
    assert f"alloca [{M * 3 * 16} x float]" in text


def test_a_sum_of_nothing_is_zero(build: Any):
    kernel = build(ARGUMENTS, BODY)
    assert in_place(kernel)
    a, b = operands(8)
    c = np.full((ROWS, COLUMNS), 7, np.float32)
    kernel((3, 2, 1), [a, b, c, 0, *pitches(a, b)])
    np.testing.assert_array_equal(c, np.zeros_like(c))


@pytest.mark.parametrize("start", ["-0.0", "2.0"])
def test_a_sum_that_begins_elsewhere(build: Any, start: str):
    """Also -0 is another number: it stays one if all that is added is -0."""
    constant = "%zero = arith.constant 0.0"
    kernel = build(ARGUMENTS, BODY.replace(constant, f"%zero = arith.constant {start}"))
    a, b = np.full((ROWS, 8), -0.0, np.float32), np.ones((8, COLUMNS), np.float32)
    c = np.full((ROWS, COLUMNS), 7, np.float32)
    kernel((3, 2, 1), [a, b, c, 8, *pitches(a, b)])
    expected = np.full_like(c, float(start))
    np.testing.assert_array_equal(c, expected)
    np.testing.assert_array_equal(np.signbit(c), np.signbit(expected))


def test_a_result_that_was_read_before_is_added_up_elsewhere(build: Any):
    """The kernel reads in the loop what it stores behind it."""
    read = """
      %mine = memref.reinterpret_cast %c to offset: [0], sizes: [1], strides: [1] : memref<*xf32> to memref<1xf32, strided<[1]>>
      %was = memref.load %mine[%c0] : memref<1xf32, strided<[1]>>
      %note = memref.reinterpret_cast %e to offset: [0], sizes: [1], strides: [1] : memref<*xf32> to memref<1xf32, strided<[1]>>
      memref.store %was, %note[%c0] : memref<1xf32, strided<[1]>>
"""
    arguments, body = product(after=read)
    kernel = build(f"{arguments}, %e: memref<*xf32>", body)
    a, b = operands(800)
    c, seen = np.full((ROWS, COLUMNS), 7, np.float32), np.zeros(1, np.float32)
    kernel((1, 1, 1), [a, b, c, 800, *pitches(a, b), seen])
    assert seen[0] == 7
    np.testing.assert_array_equal(c[:M, :N], (a @ b)[:M, :N])


def test_a_result_that_is_used_again_is_added_up_elsewhere(build: Any):
    """A second store of the same sum, behind the first, is of what the loop left."""
    again = BODY.rstrip().rpartition("\n")[2].replace("%out", "%other")
    other = BODY.partition("    %out =")[2].partition("\n")[0].replace("%c to", "%e to")
    kernel = build(f"{ARGUMENTS}, %e: memref<*xf32>", f"{BODY}\n    %other ={other}\n{again}\n")
    assert not in_place(kernel)
    a, b = operands(300)
    c, e = (np.zeros((ROWS, COLUMNS), np.float32) for _ in "ce")
    kernel((3, 2, 1), [a, b, c, 300, *pitches(a, b), e])
    np.testing.assert_array_equal(c, a @ b)
    np.testing.assert_array_equal(e, a @ b)


def test_programs_that_make_the_same_block_do_not_see_each_other(build: Any):
    """As on a GPU, each stores its own sum, whatever the others have stored meanwhile."""
    same = "%x = arith.index_cast %program_x"
    body = BODY.replace(same, "%x_all = arith.index_cast %program_x").replace(
        "%row0 = arith.muli %x,", "%three = arith.constant 3 : index\n"
        "    %x = arith.remui %x_all, %three : index\n    %row0 = arith.muli %x,"
    )  # fmt: skip
    kernel = build(ARGUMENTS, body)
    assert in_place(kernel)
    a, b = operands(8000)
    c = np.zeros((ROWS, COLUMNS), np.float32)
    for _ in range(20):
        kernel((3 * 64, 2, 1), [a, b, c, 8000, *pitches(a, b)], threads=4)
        np.testing.assert_array_equal(c, a @ b)
