"""
The process that measures kernels one after the other: jobs come in, rows go out, a line each.

`keeper.Keeper` starts it, limits it, and ends it where a job takes too long.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path

from xtriton.corpus.columns import Row
from xtriton.corpus.jobs import from_json, measure
from xtriton.errors import UserError

_DEEPEST = 10_000
_RESET_PEAK = "5"
"""What Linux wants in `clear_refs` to begin a new high-water mark."""


def main() -> int:
    """Answer jobs until there are none left."""
    # Passes and plug-ins may print: the answers have a descriptor of their own.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.setrecursionlimit(_DEEPEST)
    for line in sys.stdin:
        answers.write(json.dumps(_answer(line)) + "\n")
        answers.flush()
    return 0


def _answer(line: str) -> Row:
    job = from_json(line)
    _begin_peak()
    identity: Row = {
        "kernel": job.kernel,
        "pipeline": job.pipeline,
        "content": job.content,
        "num_warps": job.num_warps,
    }
    try:
        row = measure(job)
    except UserError as error:
        return identity | {"status": "refused", "message": error.message}
    except MemoryError:
        row = identity | {"status": "memory", "message": "more memory than there is"}
    except Exception as error:
        row = identity | {
            "status": "crashed",
            "message": f"{type(error).__name__}: {error}"[:500],
        }
    row["peak_mib"] = _peak()
    return row


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
