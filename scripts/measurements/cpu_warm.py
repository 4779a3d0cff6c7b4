"""
Do Triton's language tests take less time on the CPU than in Triton's interpreter?

The tests marked `interpreter` run three times: with `TRITON_INTERPRET=1`, on the CPU with empty
caches, and on the CPU again. What counts is CPU time, compared side by side; starting Python and
finding the tests is the same in all of them. Every 30th test is taken unless `XTRITON_EVERY` says
otherwise, and none of `test_matmul.py`, on some of which the interpreter takes minutes. See
`suites.triton_language` for where they come from; `XTRITON_RECORDS` names a folder that keeps what
is known of each test.
"""

from __future__ import annotations

import os
import resource
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from measurements.figures import Bar, Figure
from measurements.suites.recorded import Outcome
from measurements.suites.triton_language import FILES, language_tests

EVERY = "30"
INTERPRETED = "TRITON_INTERPRET=1"
TAKEN = [name for name in FILES if name != "test_matmul.py"]


def measure(data: Path) -> Iterator[Figure]:
    """Yield the seconds of each way, and what they are of the interpreter's."""
    with TemporaryDirectory() as folder:
        ours = {
            "TRITON_DEFAULT_BACKEND": "cpu",
            "TRITON_CACHE_DIR": f"{folder}/triton",
            "XTRITON_CACHE_DIR": f"{folder}/objects",
        }
        ways: dict[str, Mapping[str, str]] = {
            INTERPRETED: {"TRITON_INTERPRET": "1"},
            "empty caches": ours,
            "warm caches": ours,
        }
        records = Path(os.environ.get("XTRITON_RECORDS", folder))
        spent: dict[str, float] = {}
        known: dict[str, list[Outcome]] = {}
        for name, environment in ways.items():
            spent[name], known[name] = _run(environment, records / f"{name}.jsonl")
            count = Counter(one.outcome for one in known[name])
            note = ", ".join(f"{number} {outcome}" for outcome, number in count.most_common())
            yield Figure(f"{name}: CPU seconds", spent[name], "s", note=note)
    for name, bar in (("empty caches", None), ("warm caches", 1.0)):
        share = spent[name] / spent[INTERPRETED]
        yield Figure(f"{name}: of the interpreter's", share, "", bar, Bar.AT_MOST)
    yield from _in_common(known)


def _in_common(known: Mapping[str, list[Outcome]]) -> Iterator[Figure]:
    """Yield what the tests take that pass in every way, without finding them."""
    rows = [
        [one.seconds for one in row]
        for row in zip(*known.values(), strict=True)
        if all(one.outcome == "passed" for one in row)
    ]
    for name, seconds in zip(known, zip(*rows, strict=True), strict=True):
        note = f"{len(rows)} tests that pass in all three"
        yield Figure(f"{name}: CPU seconds in tests", sum(seconds), "s", note=note)


def _run(environment: Mapping[str, str], records: Path) -> tuple[float, list[Outcome]]:
    """Return the CPU seconds of the tests, and how they ended."""
    every = os.environ.get("XTRITON_EVERY", EVERY)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = language_tests(True, records, {**environment, "XTRITON_EVERY": every}, TAKEN)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return spent, found
