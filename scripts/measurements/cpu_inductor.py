"""
Do PyTorch's own tests of Inductor's operators pass with `cpu_backend = "triton"`?

`XTRITON_PYTORCH` names a checkout of PyTorch, of the release that is installed. Its tests of Triton
on a CPU run as they stand: they expect another backend for the CPU to fail in some, which count as
failed here where they pass. `XTRITON_EVERY=10` takes every 10th test, `XTRITON_RECORDS` names a
folder that keeps what is known of each, for a measurement that goes on where the last one ended.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from measurements.figures import Bar, Figure
from measurements.suites.recorded import outcomes

UNEXPECTED = "Unexpected success"
"""What a test fails with that another backend is expected to fail in."""
WRONG = re.compile(r"Tensor-likes are not (close|equal)|Mismatched elements")


def measure(data: Path) -> Iterator[Figure]:
    """Yield how many tests pass, skip, fail, and fail by a result."""
    checkout = os.environ.get("XTRITON_PYTORCH")
    if not checkout:
        raise SystemExit("error: name a checkout of PyTorch by XTRITON_PYTORCH")
    with TemporaryDirectory() as temporary:
        found = outcomes(
            Path(checkout, "test", "inductor").absolute(),
            ["test_triton_cpu_backend.py"],
            {"TRITON_DEFAULT_BACKEND": "cpu"},
            Path(os.environ.get("XTRITON_RECORDS", temporary), "inductor.jsonl"),
        )
    failed = [known.text for known in found if known.outcome == "failed"]
    failures = [text for text in failed if UNEXPECTED not in text]
    wrong = sum(1 for text in failures if WRONG.search(text))
    yield Figure("tests", len(found))
    yield Figure("pass", sum(known.outcome == "passed" for known in found))
    yield Figure("pass, and are expected to fail", len(failed) - len(failures))
    yield Figure("skip themselves", sum(known.outcome == "skipped" for known in found))
    yield Figure("fail", len(failures))
    yield Figure("fail by a result", wrong, "", 0, Bar.AT_MOST)
