"""What it takes to change a layout."""

import pytest

from xtriton.layouts.conversion import (
    Movement,
    is_expensive_view,
    minimal_conversion,
    movement,
    reorders_registers,
)
from xtriton.layouts.distributed import blocked, slice_of
from xtriton.layouts.linear import LinearLayout


def row(size: int, registers: int, *, warps: int = 4, elements: int = 1024) -> LinearLayout:
    return blocked((elements,), (registers,), (size,), (warps,), (0,))


def test_nothing_moves_between_equal_layouts():
    assert movement(row(32, 4), row(32, 4)) is Movement.NOTHING
    # Another parent, but the same places.
    tall = blocked((1024, 1), (4, 1), (32, 1), (4, 1), (0, 1))
    assert movement(row(32, 4), slice_of(tall, 1)) is Movement.NOTHING
    assert minimal_conversion(row(32, 4), row(32, 4)).out_names == ()


@pytest.mark.parametrize(
    "source, target, expected",
    [
        # Two registers change places.
        (
            blocked((2, 2), (2, 2), (1, 1), (1, 1), (1, 0)),
            blocked((2, 2), (2, 2), (1, 1), (1, 1), (0, 1)),
            Movement.REGISTERS,
        ),
        # One warp: elements pass between its lanes.
        (row(32, 1, warps=1), row(32, 4, warps=1), Movement.LANES),
        (row(32, 1), row(32, 4), Movement.WARPS),
        (
            blocked((64,), (1,), (32,), (1,), (0,), ((1,),)),
            blocked((64,), (2,), (32,), (1,), (0,)),
            Movement.BLOCKS,
        ),
    ],
)
def test_movement(source: LinearLayout, target: LinearLayout, expected: Movement):
    if "block" in source.bases_of and source.bases_of["block"] != target.bases_of["block"]:
        target = target.with_bases("block", [(0,)])
    assert movement(source, target) is expected
    assert reorders_registers(source, target) == (expected is Movement.REGISTERS)


def test_a_view_is_expensive_if_threads_have_other_numbers_of_elements():
    assert not is_expensive_view(row(32, 4), row(32, 1))
    assert is_expensive_view(row(32, 4), row(32, 4, warps=8))
