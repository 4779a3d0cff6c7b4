"""Loops over rows of two to four elements, of which a turn does a whole one."""

from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import emitted
from xtriton.cpu.emitter import rows

ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>, %base: i64, %n: i64"
SIZE, CHANNEL = 200, 1000
LOOP = '{indexing_maps = [#id], iterator_types = ["parallel"]}'


def body(*divisors: int) -> str:
    """
    Return a kernel that stores element (base + i) of the rows of several channels, below n.

    Channels follow each other in memory, and their elements in the rows that are stored. If there
    is another divisor, so many rows are one 700 behind the one before, and not right behind it.
    """
    divisor, *longer = divisors
    far = "%place0"
    more = ""
    for number in longer:
        more = f"""
      %long = arith.constant {number * divisor} : index
      %p = arith.floordivsi %sum, %long : index
      %gap = arith.constant {700 - number} : index
      %moved = arith.muli %p, %gap : index
      %place1 = arith.addi %place0, %moved : index"""
        far = "%place1"
    return f"""
    %b = arith.index_cast %base : i64 to index
    %end = arith.index_cast %n : i64 to index
    %zero = arith.constant 0.0 : f32
    %d = arith.constant {divisor} : index
    %channel = arith.constant {CHANNEL} : index
    %back = arith.constant {1 - divisor * CHANNEL} : index
    %all = memref.cast %x : memref<*xf32> to memref<?xf32>
    %e = tensor.empty() : tensor<{SIZE}xf32>
    %r = linalg.generic {LOOP} outs(%e : tensor<{SIZE}xf32>) {{
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %sum = arith.addi %b, %i : index
      %q = arith.floordivsi %sum, %d : index
      %one = arith.muli %sum, %channel : index
      %other = arith.muli %q, %back : index
      %place0 = arith.addi %one, %other : index{more}
      %in = arith.cmpi slt, %i, %end : index
      %v = scf.if %in -> (f32) {{
        %loaded = memref.load %all[{far}] : memref<?xf32>
        scf.yield %loaded : f32
      }} else {{
        scf.yield %zero : f32
      }}
      linalg.yield %v : f32
    }} -> tensor<{SIZE}xf32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{SIZE}], strides: [1] : memref<*xf32> to memref<{SIZE}xf32, strided<[1]>>
    bufferization.materialize_in_destination %r in writable %to : (tensor<{SIZE}xf32>, memref<{SIZE}xf32, strided<[1]>>) -> ()
"""


@pytest.mark.parametrize("divisors", [(2,), (3,), (4,), (5,), (3, 16), (2, 24), (4, 5)])
@pytest.mark.parametrize("base", [0, 1, 2, 7, 95])
@pytest.mark.parametrize("end", [SIZE, 150, 1, 0])
def test_elements(check: Any, divisors: tuple[int, ...], base: int, end: int) -> None:
    x = np.arange(10 * CHANNEL + 20 * 700, dtype=np.float32)
    (_, found) = check(ARGUMENTS, body(*divisors), [x, np.zeros(SIZE, np.float32), base, end])
    sums = np.arange(SIZE) + base
    places = sums % divisors[0] * CHANNEL + sums // divisors[0]
    for number in divisors[1:]:
        places += sums // (number * divisors[0]) * (700 - number)
    np.testing.assert_array_equal(found, np.where(np.arange(SIZE) < end, x[places], 0))


def in_turns(*divisors: int) -> list[int]:
    """Return how many elements each loop loads in a turn."""
    loops = emitted(ARGUMENTS, body(*divisors)).split("\nloop")[1:]
    return [loop.partition("!llvm.loop")[0].count("= load float") for loop in loops]


@pytest.mark.parametrize(("divisors", "most"), [((2,), 2), ((3,), 3), ((4, 16), 4), ((5,), 1)])
def test_a_turn_does_a_row(divisors: tuple[int, ...], most: int) -> None:
    assert max(in_turns(*divisors)) == most


def test_without_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rows.MOST_TURN < rows.SHORTEST
    monkeypatch.setattr(rows, "MOST_TURN", 1)
    assert max(in_turns(3)) == 1
