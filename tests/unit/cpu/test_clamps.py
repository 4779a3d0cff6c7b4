"""Places that are clamped or reflected: loops are cut where those stop to follow the index."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import emitted, integers_of_places, loops_in_rows
from xtriton.cpu.emitter.limits import Limit, Quotient, Rest

SIZE, WIDTH = 600, 200
ARGUMENTS = "%x: memref<*xi32>, %o: memref<*xi32>, %base: i32, %limit: i32"
CONSTANTS = f"""
    %whole = memref.cast %x : memref<*xi32> to memref<?xi32>
    %zero = arith.constant 0 : i32
    %fifty = arith.constant -50 : i32
    %last = arith.constant -99 : i32
    %hundreds = arith.constant 200 : i32
    %width = arith.constant {WIDTH} : i32"""
Places = Callable[[np.ndarray[Any, Any], int], np.ndarray[Any, Any]]


def reflected(x: np.ndarray[Any, Any], _: int) -> np.ndarray[Any, Any]:
    return 200 - np.abs(np.abs(x % WIDTH - 50) - 99)


PLACES: dict[str, tuple[str, Places]] = {
    "minimum": ("%at = arith.minsi %sum, %limit : i32", np.minimum),
    "maximum": ("%at = arith.maxsi %limit, %sum : i32", np.maximum),
    "magnitude": (
        "%moved = arith.addi %sum, %fifty : i32\n %at = math.absi %moved : i32",
        lambda x, _: np.abs(x - 50),
    ),
    "clamped column": (
        "%low = arith.maxsi %left, %zero : i32\n %at = arith.minsi %low, %limit : i32",
        lambda x, limit: np.minimum(np.maximum(x % WIDTH - 50, 0), limit),
    ),
    "reflected column": (
        """%turned = math.absi %left : i32
        %more = arith.addi %turned, %last : i32
        %back = math.absi %more : i32
        %at = arith.subi %hundreds, %back : i32""",
        reflected,
    ),
}


def gathered(kind: str) -> str:
    """Return a kernel that copies elements of %x from places of a kind."""
    each = f"""
      %rest = arith.remsi %sum, %width : i32
      %left = arith.addi %rest, %fifty : i32
      {PLACES[kind][0]}
      %place = arith.index_cast %at : i32 to index
      %element = memref.load %whole[%place] : memref<?xi32>"""
    return integers_of_places(SIZE, CONSTANTS, each, "%element")


@pytest.mark.parametrize("kind", list(PLACES))
def test_elements(check: Any, kind: str):
    x = np.arange(10, 3010, dtype=np.int32)
    for base, limit in ((0, 300), (100, 0), (50, 1000), (701, 750), (0, 0)):
        (_, found) = check(ARGUMENTS, gathered(kind), [x, np.zeros(SIZE, np.int32), base, limit])
        np.testing.assert_array_equal(found, x[PLACES[kind][1](np.arange(SIZE) + base, limit)])


@pytest.mark.parametrize("kind", list(PLACES))
def test_follows_the_index(kind: str):
    """One loop has nothing but the index and what is added to it, and another one the rest."""
    most, rest = loops_in_rows(emitted(ARGUMENTS, gathered(kind)))
    assert "call" not in most
    assert "select" not in most
    assert "load i32" in most
    assert "load i32" in rest


def test_middle_of_a_row():
    """Row 0 to 199 of a place that begins 50 before is at 50 in the middle."""
    quotient = Quotient("i32", ("%base",), WIDTH, False)
    terms = ("%base", Rest(quotient), -50)
    assert Limit("i32", terms, 51).is_above_the_middle
    assert not Limit("i32", terms, 50).is_above_the_middle
    assert not Limit("i32", ("%base",), 50).is_above_the_middle
    assert not Limit("i32", terms, "%limit").is_above_the_middle
