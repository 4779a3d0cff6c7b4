"""What a change did: two results side by side, kernel by kernel."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from xtriton.corpus.columns import MEASURED, RESULTS, Column, Row
from xtriton.corpus.findings import explanation, finding, number

Sort = Literal["wrong", "broken", "worse", "slower", "right", "mended", "better", "faster"]

BAD: tuple[Sort, ...] = ("wrong", "broken", "worse", "slower")
GOOD: tuple[Sort, ...] = ("right", "mended", "better", "faster")

FACTOR = 1.5
"""How much more CPU time counts as slower."""
SECONDS = 0.02
"""Differences below this are noise."""


@dataclass(frozen=True)
class Change:
    """One thing that is otherwise in the second result; `sort` says which way."""

    kernel: str
    pipeline: str
    sort: Sort
    column: str
    before: object
    after: object
    why: str = ""


@dataclass
class Comparison:
    """All changes, what only one result has, and how many rows were compared."""

    changes: list[Change] = field(default_factory=list[Change])
    compared: int = 0
    only_before: int = 0
    only_after: int = 0

    def of(self, *sorts: Sort) -> list[Change]:
        """Return the changes of these sorts, in the order of the sorts."""
        return [change for sort in sorts for change in self.changes if change.sort == sort]

    @property
    def is_worse(self) -> bool:
        """Whether something is wrong or fails now that was right."""
        return any(change.sort in ("wrong", "broken") for change in self.changes)


def compare(before: Iterable[Row], after: Iterable[Row]) -> Comparison:
    """
    Compare two results.

    Rows are of the same kernel and, where a result has several pipelines, the same pipeline: two
    results with one pipeline each compare these, whatever they are called.
    """
    first, second = list(before), list(after)
    by_pipeline = any(len({row["pipeline"] for row in rows}) > 1 for rows in (first, second))
    known = {_key(row, by_pipeline): row for row in first}
    result = Comparison()
    for row in second:
        old = known.pop(_key(row, by_pipeline), None)
        if old is None:
            result.only_after += 1
            continue
        result.compared += 1
        result.changes += _changes(old, row)
    result.only_before = len(known)
    return result


def _key(row: Row, by_pipeline: bool) -> tuple[object, ...]:
    return (row["kernel"], row["pipeline"]) if by_pipeline else (row["kernel"],)


def _changes(old: Row, new: Row) -> list[Change]:
    return [
        change
        for change in (
            _state_changed(old, new),
            *(_number_changed(old, new, column) for column in RESULTS),
            _time_changed(old, new),
        )
        if change is not None
    ]


def _state_changed(old: Row, new: Row) -> Change | None:
    was, now = _state(old), _state(new)
    sort = None if was == now else _sort_of(was, now)
    if sort is None:
        return None
    return _change(new, sort, "status", was, now, explanation(new if sort in BAD else old))


def _state(row: Row) -> str:
    """Return `wrong`, a status that is not `ok`, or `right`."""
    if finding(row) == "wrong":
        return "wrong"
    return "right" if row["status"] == "ok" else str(row["status"])


def _sort_of(was: str, now: str) -> Sort | None:
    if now == "wrong":
        return "wrong"
    if now != "right":
        return "broken" if was == "right" else None
    return "right" if was == "wrong" else "mended"


def _number_changed(old: Row, new: Row, column: Column) -> Change | None:
    a, b = old.get(column.name), new.get(column.name)
    if not column.worse or a == b or not (isinstance(a, int) and isinstance(b, int)):
        return None
    return _change(new, "worse" if (b - a) * column.worse > 0 else "better", column.name, a, b)


def _time_changed(old: Row, new: Row) -> Change | None:
    column = MEASURED[0].name
    a, b = number(old, column), number(new, column)
    if not a or not b or abs(b - a) < SECONDS or max(a, b) < FACTOR * min(a, b):
        return None
    return _change(new, "slower" if b > a else "faster", column, a, b)


def _change(row: Row, sort: Sort, column: str, a: object, b: object, why: str = "") -> Change:
    return Change(str(row["kernel"]), str(row["pipeline"]), sort, column, a, b, why)
