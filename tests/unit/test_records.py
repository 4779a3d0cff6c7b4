"""Records are compared and hashed by their fields, as frozen dataclasses are."""

from dataclasses import replace

from xtriton.records import record, slotted_record


@record
class Point:
    x: int
    y: int = 0


@slotted_record
class Pair:
    x: int
    y: int


def test_equal_fields_make_equal_records() -> None:
    assert Point(1) == Point(1, 0)
    assert Point(1) != Point(2)
    assert {Point(1): "a"}[Point(1, 0)] == "a"
    assert hash(Pair(1, 2)) == hash(Pair(1, 2))


def test_another_record_has_other_fields() -> None:
    assert replace(Point(1), y=3) == Point(1, 3)


def test_a_slotted_record_is_told_apart_by_its_fields() -> None:
    assert not hasattr(Pair(1, 2), "__dict__")
    match Pair(1, 2):
        case Pair(x, y):
            assert (x, y) == (1, 2)
