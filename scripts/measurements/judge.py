"""
How many wrong rewrites the judge sees: a mutation score on real kernels.

Slips of every kind (see `mutation`) are made at random places of the kernels. A mutant that the
judge takes for equal is one that survives, unless it is proved to be equal. `XTRITON_MUTANTS`
says how many are made (6,500, some hours), `XTRITON_MUTANTS_SEED` which, and
`XTRITON_MUTANTS_RECORD` names a file that keeps what is known, so that a run which was broken off
goes on. The default effort looks at all of them before the thorough one and longer proofs look at
those that it missed.

Survivors that somebody has read, and found to be equal, are counted twice: as wrong ones where
proofs alone count, and not at all, see `mutation.readings`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from measurements.figures import Bar, Figure, kernels, progress
from measurements.mutation.readings import Key, equal_by_reading, key_of
from measurements.mutation.score import (
    CAUGHT,
    MISSED,
    REFUSED,
    SAME,
    SURVIVED,
    THOROUGH,
    Result,
    is_wrong,
    results,
    score,
    second_look,
)

MUTANTS = "XTRITON_MUTANTS"
SEED = "XTRITON_MUTANTS_SEED"
RECORD = "XTRITON_MUTANTS_RECORD"
DEFAULT = 6_500


def measure(data: Path) -> Iterator[Figure]:
    """Yield the scores, then what survived; `data` holds `corpus`."""
    paths = kernels(data)
    wanted = int(os.environ.get(MUTANTS, DEFAULT))
    each = max(1, -(-wanted // len(paths)))
    sample = in_parts(paths[:: max(1, len(paths) * each // wanted)])
    record = Path(os.environ[RECORD]) if RECORD in os.environ else None
    first: list[Result] = []
    for path in progress(sample, "mutants"):
        first += results([path], each, os.environ.get(SEED, "0"), record)
    found: list[Result] = []
    missed = [r for r in first if r.verdict == MISSED]
    for result in progress(missed, "mutants that the default effort missed"):
        found += second_look(sample, [result], record)
    found += [r for r in first if r.verdict != MISSED]
    yield from _scores(found, equal_by_reading(), 5000 if wanted >= DEFAULT else None)
    for kind, count in Counter(r.mutation.kind for r in found).most_common():
        some = [r for r in found if r.mutation.kind == kind]
        survivors = [r for r in some if r.verdict == SURVIVED]
        note = "; ".join(f"{r.kernel}, {r.mutation.what}" for r in survivors[:2])
        yield Figure(kind, score(some, (CAUGHT, THOROUGH)), f"% of {count}", note=note)


def in_parts(paths: Sequence[Path]) -> list[Path]:
    """Return kernels in an order of which each beginning is a fair sample: every eighth first."""
    return [path for k in range(8) for path in paths[k::8]]


def _scores(found: list[Result], equal: set[Key], wanted: int | None) -> Iterator[Figure]:
    verdicts = Counter(r.verdict for r in found)
    survivors = [r for r in found if r.verdict == SURVIVED]
    read = [r for r in survivors if not is_wrong(r, equal)]
    refuted = [
        r
        for r in found
        if r.verdict in (CAUGHT, THOROUGH) and key_of(r.kernel, r.mutation) in equal
    ]
    wrong = verdicts[CAUGHT] + verdicts[THOROUGH] + len(survivors) - len(read)
    yield Figure("mutants that are wrong", wrong, "", wanted)
    yield Figure("proved to be the same", verdicts[SAME])
    yield Figure("read to be the same", len(read))
    yield Figure("read to be the same, and are not", len(refuted), "", 0, Bar.AT_MOST)
    yield Figure("refused", verdicts[REFUSED])
    for name, seen, bar in (
        ("seen at the default effort", (CAUGHT,), 99.0),
        ("seen with --thorough", (CAUGHT, THOROUGH), 99.8),
    ):
        yield Figure(name, score(found, seen, equal), "%", bar)
        yield Figure(f"{name}, where proofs alone count", score(found, seen), "%")
