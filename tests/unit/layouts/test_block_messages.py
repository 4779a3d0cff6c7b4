"""Which 2D block message loads what a layout wants."""

from __future__ import annotations

import pytest

from xtriton.layouts.block_messages import gather_cost, load_cost, load_tile
from xtriton.layouts.distributed import blocked
from xtriton.layouts.intel import Dpas, dpas
from xtriton.layouts.linear import LinearLayout


def rows(per_thread: int, columns: int, height: int = 1) -> LinearLayout:
    """Give each of 16 lanes `per_thread` neighbours of a row; 4 warps stand below each other."""
    return blocked((height, columns), (1, per_thread), (1, 16), (4, 1), (1, 0))


LEFT = Dpas(8, 8, 16, 2, (1, 1), (4, 2), 16)


def test_neighbours_of_a_lane_are_packed():
    tile = load_tile(rows(2, 32, 4), 1, 16)
    assert tile is not None
    assert (tile.height, tile.width, tile.packed, tile.count) == (1, 16, 2, 1)


def test_rows_of_more_than_64_bytes_have_no_message():
    assert load_tile(rows(4, 64, 4), 1, 16) is None


def test_too_many_neighbours_in_a_lane_have_no_message():
    assert load_tile(rows(8, 128, 4), 1, 16) is None
    assert load_cost(rows(8, 128, 4), True, 16) == gather_cost(rows(8, 128, 4)) == 64


@pytest.mark.parametrize(("per_thread", "cost"), [(1, 8), (2, 64)])
def test_a_row_of_64_bits(per_thread: int, cost: int):
    # A row of a message has 64 bytes: 16 lanes of 8 bytes do not fit, so both are gathers.
    layout = rows(per_thread, 128)
    assert load_cost(layout, True, 64) == 128 // per_thread
    assert load_cost(layout, True, 32) == cost


def test_an_operand_of_dpas_is_loaded_by_rows():
    tile = load_tile(dpas(LEFT, (32, 32), 0), 1, 16)
    assert tile is not None
    assert (tile.height, tile.width, tile.count, tile.transposed) == (32, 16, 2, False)
    assert tile.messages((32, 32)) == 1


def test_the_right_operand_puts_rows_into_one_lane():
    tile = load_tile(dpas(LEFT, (32, 32), 1), 1, 16)
    assert tile is not None
    assert (tile.packed, tile.width, tile.transposed) == (1, 16, False)


def test_a_transposed_operand_is_turned_32_bits_at_a_time():
    layout = dpas(LEFT, (32, 32), 1)
    tile = load_tile(layout, 0, 16)
    assert tile is not None
    assert (tile.packed, tile.height, tile.transposed) == (2, 32, True)
    alone = load_tile(layout, 0, 16, one_matrix=True)
    assert alone is not None
    assert alone.height == 16
    assert load_cost(layout, False, 16) < gather_cost(layout)


def test_lanes_along_two_dimensions_at_once_have_no_message():
    skew = LinearLayout.of(
        {"register": [], "lane": [(1, 1), (2, 0), (0, 2), (0, 4)], "warp": []}, ("dim0", "dim1")
    )
    assert load_tile(skew, 1, 16) is None
