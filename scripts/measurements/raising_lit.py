"""
How much of upstream's lit tests of raising holds.

They are run where XTRITON_CHECKOUTS names a folder with checkouts of microsoft/triton-shared and
of the Intel backend of 30 May 2025, the last with a pass that raises to block pointers.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import upstream_raising_lit as lit

from measurements.figures import Bar, Figure, percent, progress

CHECKOUTS = "XTRITON_CHECKOUTS"


def measure(_: Path) -> Iterator[Figure]:
    """Yield the shares that hold, of files and of lines, and what is not as it should be."""
    tests = lit.files(_checkouts())
    if not tests:
        yield Figure("lit tests of raising", 0, note=f"{CHECKOUTS} names no checkout with any")
        return
    found = [lit.run(path, execute=True) for path in progress(tests, "lit tests of raising")]
    for folder in dict.fromkeys(v.folder for v in found):
        yield _files(f"files of {folder} that hold", [v for v in found if v.folder == folder])
    yield _files("files that hold", found, 60)
    expected = [v for v in found if not v.expected_to_fail]
    yield _files("files that hold, without those that upstream expects to fail", expected, 60)
    lines = sum(v.lines for v in found)
    failures = sum(min(len(v.failures), v.lines) for v in found)
    share = percent(lines - failures, lines)
    yield Figure("lines that hold", share, "%", note=f"{lines - failures:,} of {lines:,}")
    unraised = sum(v.unraised for v in found)
    note = "net of what only we raise; modulos that upstream takes for boundaries"
    yield Figure("accesses raised there and not here", unraised, note=note)
    yield Figure("files not handled", sum(bool(v.error) for v in found), "", 0, Bar.AT_MOST)
    different = sum(bool(v.difference) for v in found)
    yield Figure("files that do something else afterwards", different, "", 0, Bar.AT_MOST)


def _files(name: str, verdicts: Sequence[lit.Verdict], bar: float | None = None) -> Figure:
    holding = sum(v.holds for v in verdicts)
    note = f"{holding} of {len(verdicts)}"
    return Figure(name, percent(holding, len(verdicts)), "%", bar, note=note)


def _checkouts() -> list[Path]:
    folder = os.environ.get(CHECKOUTS)
    return sorted(path for path in Path(folder).iterdir() if path.is_dir()) if folder else []
