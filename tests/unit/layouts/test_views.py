"""Seeing a tensor in another shape, each element staying where it is."""

from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.views import order_in_place

SQUARE = {"dim0": 2, "dim1": 2}
ROW = {"dim0": 4}


def test_registers_along_columns_come_first() -> None:
    source = LinearLayout.of({"register": [(1, 0)], "lane": [(0, 1)]}, SQUARE)
    target = LinearLayout.of({"register": [(1,)], "lane": [(2,)]}, ROW)
    assert order_in_place(source, target) == [0, 2, 1, 3]


def test_mixed_bases_are_solved_for() -> None:
    source = LinearLayout.of({"register": [(1, 0)], "lane": [(1, 1)]}, SQUARE)
    target = LinearLayout.of({"register": [(3,)], "lane": [(1,)]}, ROW)
    order = order_in_place(source, target)
    assert order is not None
    for register in (0, 1):
        for lane in (0, 1):
            point = {"register": register, "lane": lane}
            image = source.apply(point)
            assert order[target.apply(point)["dim0"]] == image["dim0"] * 2 + image["dim1"]


def test_copies_stay_copies() -> None:
    source = LinearLayout.of({"register": [(1,), (2,)], "lane": [(0,)]}, ROW)
    target = LinearLayout.of({"register": [(2,), (1,)], "lane": [(0,)]}, ROW)
    assert order_in_place(source, target) == [0, 2, 1, 3]


def test_copies_that_would_become_elements() -> None:
    source = LinearLayout.of({"register": [(1,), (2,)], "lane": [(0,)]}, ROW)
    target = LinearLayout.of({"register": [(1,), (0,)], "lane": [(2,)]}, ROW)
    assert order_in_place(source, target) is None
    assert order_in_place(target, source) is None


def test_other_numbers_of_registers() -> None:
    source = LinearLayout.of({"register": [(1,), (2,)]}, ROW)
    target = LinearLayout.of({"register": [(1,), (2,), (0,)]}, ROW)
    assert order_in_place(source, target) is None
