"""What is worth a look in a result: rows that failed, differ, or took long, the worst in front."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from xtriton.corpus.columns import Row

FINDINGS = ("wrong", "crashed", "failed", "time", "memory", "unreadable", "slow", "unsure")
"""Sorts of findings, the worst in front."""

SLOW = 1.0
"""CPU seconds of a pipeline that count as a finding."""


def finding(row: Row) -> str | None:
    """Return what is to be said of a row, one of `FINDINGS`, or None if nothing is."""
    if row.get("verdict") == "different" or row.get("native") == "differs":
        return "wrong"
    if row["status"] != "ok":
        return str(row["status"])
    if number(row, "seconds") > SLOW:
        return "slow"
    if row.get("verdict") == "unknown":
        return "unsure"
    return None


def worst(rows: Iterable[Row], count: int) -> list[Row]:
    """Return the rows to look at first: by their finding, then by how long they took."""
    return heapq.nsmallest(count, rows, key=_badness)


def number(row: Row, column: str) -> float:
    """Return a number of a row; 0 where there is none."""
    value = row.get(column)
    return float(value) if isinstance(value, int | float) else 0.0


def explanation(row: Row) -> str:
    """Return what a row says of its finding, in a line."""
    said = row.get("message") or row.get("finding") or row.get("native_finding") or ""
    at = f" (in {row['failed_pass']})" if row.get("failed_pass") else ""
    return f"{said}{at}".strip()


def _badness(row: Row) -> tuple[int, float, str, str]:
    found = finding(row)
    rank = FINDINGS.index(found) if found else len(FINDINGS)
    return rank, -number(row, "seconds"), str(row["kernel"]), str(row["pipeline"])
