"""Parts of loops that are written for either way in which one condition chooses."""

from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import emitted, integers_of_places, loops_of
from xtriton.cpu.emitter.conditions import Conditions
from xtriton.cpu.emitter.limits import Limit

SIZE = 100
ARGUMENTS = "%o: memref<*xi32>, %base: i32, %limit: i32, %flag: i1"
CONDITIONS = {
    "below": "%low",
    "not below": "%high",
    "both": "%both",
    "with a flag": "%flagged",
    "all": "%all",
}


def chosen(condition: str, choices: int) -> str:
    """Return a kernel that chooses so often between two numbers of each place."""
    each = "".join(
        f"""
      %p{n} = arith.addi %v{n}, %sum : i32
      %q{n} = arith.muli %v{n}, %three : i32
      %v{n + 1} = arith.select {condition}, %p{n}, %q{n} : i32"""
        for n in range(choices)
    )
    return integers_of_places(
        SIZE,
        """
    %three = arith.constant 3 : i32
    %twenty = arith.constant 20 : i32
    %v0 = arith.constant 1 : i32""",
        f"""
      %low = arith.cmpi slt, %sum, %limit : i32
      %high = arith.cmpi sge, %sum, %twenty : i32
      %both = arith.andi %low, %high : i1
      %flagged = arith.andi %low, %flag : i1
      %all = arith.andi %both, %flagged : i1
{each}""",
        f"%v{choices}",
    )


@pytest.mark.parametrize("condition", list(CONDITIONS))
@pytest.mark.parametrize("flag", [False, True])
def test_choices(check: Any, condition: str, flag: bool):
    kernel = chosen(CONDITIONS[condition], 3)
    for base, limit in ((0, 50), (0, 0), (0, SIZE), (-10, 15), (10, 30), (40, 200)):
        values = [np.zeros(SIZE, np.int32), base, limit, flag]
        (found,) = check(ARGUMENTS, kernel, values)
        places = np.arange(SIZE) + base
        low, high = places < limit, places >= 20
        holds = {
            "below": low,
            "not below": high,
            "both": low & high,
            "with a flag": low & flag,
            "all": low & high & flag,
        }[condition]
        expected = np.ones(SIZE, int)
        for _ in range(3):
            expected = np.where(holds, expected + places, expected * 3)
        assert found.tolist() == expected.tolist()


@pytest.mark.parametrize(("choices", "selects"), [(1, 1), (2, 0), (5, 0)])
@pytest.mark.parametrize("condition", list(CONDITIONS))
def test_selects(condition: str, choices: int, selects: int):
    """One choice is left to vectors, for more the loop is written twice."""
    kernel = chosen(CONDITIONS[condition], choices)
    loops = loops_of(emitted(ARGUMENTS, kernel))
    assert sum(loop.count("select i1") for loop in loops) == selects
    assert len(loops) == (2 if choices > 1 else 1)


def test_what_follows():
    """Of what holds each part does, and what does not hold is part of what does not either."""
    low, high = Limit("i32", ("%base",), 5), Limit("i32", ("%base",), 9)
    conditions = Conditions()
    conditions.made |= {"%a": frozenset({(low, True)}), "%b": frozenset({(high, False)})}
    conditions.note_both(("%a", "%b"), "%c", ())
    conditions.note_both(("%a", "%new"), "%d", ())
    conditions.note_both(("%a", "%old"), "%e", ("%old",))
    conditions.note_both(("%old", "%older"), "%f", ("%old", "%older"))
    assert conditions.made["%c"] == frozenset({(low, True), (high, False)})
    assert conditions.made["%e"] == frozenset({(low, True), ("%old", True)})
    assert conditions.made.keys() == {*("%a", "%b", "%c", "%e")}
    conditions.decided = (conditions.made["%c"], True)
    assert [conditions.holds(one) for one in ("%a", "%b", "%c", "%e")] == [True, True, True, None]
    conditions.decided = (conditions.made["%a"], False)
    found = [conditions.holds(one) for one in ("%a", "%b", "%c", "%e", "%d")]
    assert found == [False, None, False, False, None]
    conditions.made["%g"] = frozenset({(low, False)})
    assert conditions.holds("%g")
    conditions.decided = (conditions.made["%g"], True)
    assert [conditions.holds(one) for one in ("%a", "%b", "%c")] == [False, None, False]


def test_what_is_asked_most():
    """If the part tells of it, and it is asked more than once, or by a branch."""
    low, high = Limit("i32", ("%base",), 5), Limit("i32", ("%base",), 9)
    conditions = Conditions()
    conditions.made |= {"%a": frozenset({(low, True)}), "%b": frozenset({(high, False)})}
    conditions.made["%c"] = frozenset({("%flag", True)})
    for condition, times in (("%a", 1), ("%a", 2), ("%b", 2), ("%c", 1)):
        conditions.holds(condition, times)
    conditions.counts = False
    conditions.holds("%c")
    assert conditions.worth_deciding(lambda _: True) == conditions.made["%a"]
    assert conditions.worth_deciding(lambda one: one != low) == conditions.made["%b"]
    assert conditions.worth_deciding(lambda one: one == "%flag") is None
    # What an address is expected to be is decided with it, unless one contradicts the other.
    conditions.expected = {low: False}
    assert conditions.worth_deciding(lambda _: True) == {(low, False), (high, False)}
    assert conditions.worth_deciding(lambda one: one == low) == {(low, False)}
