"""What has been stored to, to which one adds often."""

from typing import Any

from xtriton.analysis.effects.state import Covers


def covers(*keys: Any) -> Covers:
    found = Covers()
    for key in keys:
        found = found.and_also(key)
    return found


def test_all_are_found_whenever_they_came():
    found: Any = covers(*range(200))
    assert all(key in found for key in range(200))
    assert 200 not in found
    assert not Covers()
    assert found


def test_what_came_is_in_no_state_from_before():
    before: Any = covers(*range(70))
    before.and_also(70)
    assert 70 not in before


def test_where_ways_meet_both_have_to_have_it():
    both: Any = covers(*range(150)) & covers(*range(100, 300))
    assert [key for key in range(300) if key in both] == list(range(100, 150))
