"""
How many wrong rewrites the judge sees: a mutation score on real kernels.

Slips of every kind (see `mutation`) are made at random places of the kernels. A mutant that the
judge takes for equal is one that survives, unless it is proved to be equal. `XTRITON_MUTANTS`
says how many are made (6,500, an hour or two), `XTRITON_MUTANTS_RECORD` names a file that keeps
what is known, so that a run which was broken off goes on, and says why each survivor is one.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from measurements.figures import Figure, kernels, progress
from measurements.mutation.score import (
    CAUGHT,
    REFUSED,
    SAME,
    SURVIVED,
    THOROUGH,
    Result,
    results,
    score,
)

MUTANTS = "XTRITON_MUTANTS"
RECORD = "XTRITON_MUTANTS_RECORD"
DEFAULT = 6_500


def measure(data: Path) -> Iterator[Figure]:
    """Yield the scores, then what survived; `data` holds `corpus`."""
    paths = kernels(data)
    wanted = int(os.environ.get(MUTANTS, DEFAULT))
    each = max(1, -(-wanted // len(paths)))
    sample = paths[:: max(1, len(paths) * each // wanted)]
    record = os.environ.get(RECORD)
    found: list[Result] = []
    for path in progress(sample, "mutants"):
        found += results([path], each, record=Path(record) if record else None)
    verdicts = Counter(r.verdict for r in found)
    wrong = verdicts[CAUGHT] + verdicts[THOROUGH] + verdicts[SURVIVED]
    yield Figure("mutants that are wrong", wrong, "", 5000 if wanted >= DEFAULT else None)
    yield Figure("proved to be the same", verdicts[SAME])
    yield Figure("refused", verdicts[REFUSED])
    yield Figure("seen at the default effort", score(found, (CAUGHT,)), "%", 99.0)
    yield Figure("seen with --thorough", score(found, (CAUGHT, THOROUGH)), "%", 99.8)
    for kind, count in Counter(r.mutation.kind for r in found).most_common():
        some = [r for r in found if r.mutation.kind == kind]
        missed = [r for r in some if r.verdict == SURVIVED]
        note = "; ".join(f"{r.kernel}, {r.mutation.what}" for r in missed[:2])
        yield Figure(kind, score(some, (CAUGHT, THOROUGH)), f"% of {count}", note=note)
