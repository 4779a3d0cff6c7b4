"""Launches that are drawn for a kernel of which nothing else is known."""

import pytest
from xdsl.ir import Operation

from tests.unit.judge.kernel_text import load, store
from xtriton import universe
from xtriton.errors import UserError
from xtriton.interpreter.arguments import parameters
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import Options, check_equivalent
from xtriton.judge.launches.draws import draws, edge_draws
from xtriton.judge.launches.kernel_facts import (
    default_launch,
    lock_arguments,
    loop_arguments as bounds,
)

LOOP = """
tt.func @loop(%p: !tt.ptr<f32>, %n: i32 {tt.divisibility = 16 : i32}, %stride: i32, %flag: i1) {
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %i = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  scf.for %k = %c0 to %n step %c256 : i32 {
    %q = tt.addptr %p, %k : !tt.ptr<f32>, i32
    %s = tt.splat %q : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %r = tt.addptr %s, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %x = tt.load %r : tensor<256x!tt.ptr<f32>>
    tt.store %r, %x : tensor<256x!tt.ptr<f32>>
  }
  tt.return
}
"""
LOCK = """
tt.func @lock(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %z = tt.get_program_id z : i32
  %count = tt.addptr %p, %one : !tt.ptr<i32>, i32
  %ticket = tt.atomic_rmw add, acq_rel, gpu, %count, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  %r = tt.addptr %q, %ticket : !tt.ptr<i32>, i32
  %old = tt.atomic_rmw add, acq_rel, gpu, %r, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}
"""


def function(text: str) -> Operation:
    first = parse_module(text, universe.context()).body.block.first_op
    assert first is not None
    return first


def test_a_loop_runs_more_than_once() -> None:
    kernel = function(LOOP)
    assert bounds(kernel) == {1: 256}
    sizes = [draw.values[1] for draw in draws(kernel, parameters(kernel))]
    assert any(256 < size <= 4 * 256 + 16 for size in sizes)
    assert any(size <= 256 for size in sizes)


def test_promises_are_kept_and_given_numbers_taken() -> None:
    kernel = function(LOOP)
    for draw in draws(kernel, parameters(kernel), {2: 7}):
        assert draw.values[1] % 16 == 0
        assert draw.values[2] == 7
        assert draw.values[3] in (0, 1)


def test_programs_that_wait_for_each_other_all_run() -> None:
    kernel = function(LOCK)
    assert lock_arguments(kernel) == {0}
    assert default_launch(kernel) == ((4, 3, 2), tuple(range(24)))
    free = function(LOCK.replace("%q, %ticket", "%q, %one"))
    assert lock_arguments(free) == set()
    assert default_launch(free) == ((2, 3, 4), (0, 3, 7, 22))


def test_edges() -> None:
    kernel = function(LOOP)
    drawn = {draw.name: draw.values for draw in edge_draws(kernel, parameters(kernel), {2: 7})}
    assert sorted(drawn) == ["flag = 0", "n = -16", "n = 0", "n = 2147483632"]
    assert all(values[2] == 7 for values in drawn.values())


ROWS = """
tt.func @rows(%p: !tt.ptr<f32>, %stride: i32) {
  %one = arith.constant 1.0 : f32
  %x = tt.get_program_id x : i32
  %wide = arith.extsi %x : i32 to i64
  %by = arith.extsi %stride : i32 to i64
  %at = arith.muli %wide, %by : i64
  %q = tt.addptr %p, %at : !tt.ptr<f32>, i64
  tt.store %q, %one : !tt.ptr<f32>
  tt.return
}
"""


def test_a_program_with_a_number_of_31_bits_runs() -> None:
    original, shorter = (
        parse_module(text, universe.context())
        for text in (
            ROWS,
            ROWS.replace("%wide = arith.extsi %x",
                         "%c1 = arith.constant 1 : i32\n%u = arith.shli %x, %c1 : i32\n"
                         "%s = arith.shrsi %u, %c1 : i32\n%wide = arith.extsi %s"),
        )
    )  # fmt: skip
    assert not check_equivalent(original, shorter, options=Options(solver=0))


PLACES = f"""
tt.func @kernel(%out: !tt.ptr<i32>) {{
  %c64 = arith.constant 64 : i32
  %one = arith.constant 1 : i32
  %bound = arith.constant dense<65536> : tensor<64xi32>
  %y = tt.get_program_id y : i32
  %z = tt.get_program_id z : i32
  %ny = tt.get_num_programs y : i32
  %above = arith.muli %z, %ny : i32
  %row = arith.addi %y, %above : i32
  %start = arith.muli %row, %c64 : i32
  %lane = tt.make_range {{end = 64 : i32, start = 0 : i32}} : tensor<64xi32>
  %s = tt.splat %start : i32 -> tensor<64xi32>
  %i = arith.addi %s, %lane : tensor<64xi32>
  %on = arith.cmpi slt, %i, %bound : tensor<64xi32>
  {store("%i", "i32", 64, ", %on")}
  tt.return
}}
"""


NARROWER = """%up = arith.shli %start, %one : i32
  %st = arith.shrsi %up, %one : i32
  %s = tt.splat %st"""
ROW_OF_PROGRAMS = PLACES.replace("program_id y", "program_id x").replace(
    "arith.muli %z, %ny", "arith.subi %z, %z"
)
PLACE_CHANGES = {
    "at a bound of rows over two axes": (PLACES, "slt", "sle"),
    "where no two axes are as long": (PLACES, "get_num_programs y", "get_num_programs z"),
    "from element 2 to the 30 on": (ROW_OF_PROGRAMS, "%s = tt.splat %start", NARROWER),
}


@pytest.mark.parametrize("name", PLACE_CHANGES)
def test_what_shows_in_few_places_of_a_grid(name: str) -> None:
    before, old, new = PLACE_CHANGES[name]
    mine, theirs = (
        parse_module(text, universe.context()) for text in (before, before.replace(old, new))
    )
    assert check_equivalent(mine, theirs, options=Options(solver=0)).differences


QUOTIENT = """
tt.func @kernel(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i64) {
  %pid = tt.get_program_id x : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %wide = arith.extsi %pid : i32 to i64
  %place = arith.remsi %wide, %n : i64
  %p = tt.addptr %x, %place : !tt.ptr<i32>, i64
  %v = tt.load %p : !tt.ptr<i32>
  %po = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  tt.store %po, %v : !tt.ptr<i32>
  tt.return
}
"""
SHORTER = """%up = arith.shli %n, %one : i64
  %short = arith.shrsi %up, %one : i64
  %place = arith.remsi %wide, %short"""


def test_the_largest_divisor_is_tried() -> None:
    mine, theirs = (
        parse_module(QUOTIENT.replace(old, new), universe.context())
        for old, new in (("", ""), ("%place = arith.remsi %wide, %n", SHORTER))
    )
    assert check_equivalent(mine, theirs, options=Options(solver=0)).differences


def test_strides_are_negative_where_sizes_are_not() -> None:
    stride = """%eight = arith.constant 8 : i32
  %three = arith.constant 3 : i32
  %down = arith.divsi %stride, %eight : i32
  %x = tt.get_program_id x : i32"""
    before = ROWS.replace("%x = tt.get_program_id x : i32", stride)
    before = before.replace("%by = arith.extsi %stride", "%by = arith.extsi %down")
    after = before.replace("divsi %stride, %eight", "shrsi %stride, %three")
    mine, theirs = (parse_module(text, universe.context()) for text in (before, after))
    verdict = check_equivalent(mine, theirs, options=Options(solver=0))
    assert "negative" in verdict.render()


def test_offsets_that_overflow_64_bits_decide_nothing() -> None:
    """Where `8 n` does not fit, an eighth of it is not `n`."""
    times = "%eight = arith.constant 8 : i64\n%m = arith.muli %n, %eight : i64\n"
    mine, theirs = (
        parse_module(QUOTIENT.replace("%place = arith.remsi %wide, %n", way), universe.context())
        for way in (times + "%place = arith.divsi %m, %eight", "%place = arith.addi %n, %zero")
    )
    assert check_equivalent(mine, theirs, given={2: 5})
    with pytest.raises(UserError, match="no drawn launch fits"):
        check_equivalent(mine, theirs, given={2: 1 << 61})


TILES = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %c8 = arith.constant 8 : i32
  %c40 = arith.constant 40 : i32
  %c16 = arith.constant 16 : i32
  %bound = arith.constant dense<80> : tensor<16xi32>
  %pid = tt.get_program_id x : i32
  %group = arith.divsi %pid, %c40 : i32
  %rows = arith.muli %group, %c8 : i32
  %left = arith.subi %c8, %rows : i32
  %size = arith.minsi %left, %c8 : i32
  %inner = arith.remsi %pid, %c40 : i32
  %tile = arith.divsi %inner, %size : i32
  %start = arith.muli %tile, %c16 : i32
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %s = tt.splat %start : i32 -> tensor<16xi32>
  %i = arith.addi %s, %lane : tensor<16xi32>
  %on = arith.cmpi slt, %i, %bound : tensor<16xi32>
  LOAD
  %row = arith.remsi %pid, %size : i32
  %apart = arith.muli %row, %c40 : i32
  %more = arith.muli %apart, %c8 : i32
  %ms = tt.splat %more : i32 -> tensor<16xi32>
  %at = arith.addi %ms, %i : tensor<16xi32>
  STORE
  tt.return
}
""".replace("LOAD", load("v", "x", "f32", 16)).replace(
    "STORE", store("%v", "f32", 16, ", %on", "%at")
)


def test_programs_that_a_kernel_is_not_made_for_do_not_hide_others() -> None:
    """The last tile is that of program 39; program 640 divides by what is no size."""
    mine, theirs = (
        parse_module(text, universe.context())
        for text in (TILES, TILES.replace("dense<80>", "dense<79>"))
    )
    assert check_equivalent(mine, theirs, options=Options(solver=0)).differences


GATHER = """
tt.func @kernel(%x: !tt.ptr<i64>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %pid = tt.get_program_id x : i32
  %p = tt.addptr %x, %pid : !tt.ptr<i64>, i32
  %i = tt.load %p : !tt.ptr<i64>
  %q = tt.addptr %y, %i : !tt.ptr<f32>, i64
  %v = tt.load %q : !tt.ptr<f32>
  %po = tt.addptr %out, %pid : !tt.ptr<f32>, i32
  tt.store %po, %v : !tt.ptr<f32>
  tt.return
}
"""


def test_an_index_that_needs_more_than_32_bits_is_tried() -> None:
    narrow = """%n = arith.trunci %i : i64 to i32
  %q = tt.addptr %y, %n : !tt.ptr<f32>, i32"""
    mine, theirs = (
        parse_module(text, universe.context())
        for text in (GATHER, GATHER.replace("%q = tt.addptr %y, %i : !tt.ptr<f32>, i64", narrow))
    )
    assert check_equivalent(mine, theirs, options=Options(solver=0)).differences
