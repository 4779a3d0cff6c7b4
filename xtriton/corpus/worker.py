"""
The process that measures kernels: jobs come in, rows go out as soon as they are known, a line each.

`keeper.Keeper` starts it, limits it, and ends it where a job takes too long.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

from xtriton.corpus.columns import Row
from xtriton.corpus.jobs import from_json, measure
from xtriton.errors import UserError

_DEEPEST = 10_000
_OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""Modules are circles of many objects: Python's 700 cost a twelfth of the time, these a few MiB."""

_JOBS_BETWEEN_FULL_COLLECTIONS = 64

_RESET_PEAK = "5"
"""What Linux wants in `clear_refs` to begin a new high-water mark."""


def main() -> int:
    """Answer jobs until there are none left."""
    # Passes and plug-ins may print: the answers have a descriptor of their own.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.setrecursionlimit(_DEEPEST)
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    for number, line in enumerate(sys.stdin):
        for row in _rows(line):
            answers.write(json.dumps(row) + "\n")
            answers.flush()
        # Now next to all that is young is garbage; what is older is looked at now and then.
        gc.collect(1 if number % _JOBS_BETWEEN_FULL_COLLECTIONS else 2)
        if not number:
            # What is loaded by now stays: no collection need look at it.
            gc.freeze()
    return 0


def _rows(line: str) -> Iterator[Row]:
    """Yield an answer for each pipeline of a job, or one that refuses it."""
    try:
        rows = measure(from_json(line))
        _begin_peak()
        for row in rows:
            yield row | {"peak_mib": _peak()}
            _begin_peak()
    except UserError as error:
        yield {"status": "refused", "message": error.message}


def _begin_peak() -> None:
    try:
        Path("/proc/self/clear_refs").write_text(_RESET_PEAK)
    except OSError:
        return  # no Linux: the peak is that of all jobs so far


def _peak() -> float:
    """Return the largest resident memory since `_begin_peak`, in MiB."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


if __name__ == "__main__":
    sys.exit(main())
