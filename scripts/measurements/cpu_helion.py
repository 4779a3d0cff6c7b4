"""
Do the tests of Helion's examples pass on the CPU?

`XTRITON_HELION` names a checkout. The tests run as they stand, but for the device, which
`suites.helion_plugin` names, and without a search for the best configuration. `XTRITON_EVERY=10`
takes every 10th test, `XTRITON_RECORDS` names a folder that keeps what is known of each, for a
measurement that goes on where the last one ended.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from measurements.figures import Bar, Figure
from measurements.suites.recorded import outcomes

WRONG = re.compile(r"AssertionError|Mismatched elements")


def measure(data: Path) -> Iterator[Figure]:
    """Yield how many tests pass, skip, fail, and fail by a result."""
    checkout = os.environ.get("XTRITON_HELION")
    if not checkout:
        raise SystemExit("error: name a checkout of Helion by XTRITON_HELION")
    root = Path(checkout).absolute()
    with TemporaryDirectory() as temporary:
        found = outcomes(
            root,
            ["test/test_examples.py"],
            {
                "PYTHONPATH": str(root),
                "TRITON_DEFAULT_BACKEND": "cpu",
                "HELION_AUTOTUNE_EFFORT": "none",
            },
            Path(os.environ.get("XTRITON_RECORDS", temporary), "helion.jsonl"),
            ["measurements.suites.helion_plugin"],
        )
    failures = [known.text for known in found if known.outcome == "failed"]
    wrong = sum(1 for text in failures if WRONG.search(text))
    yield Figure("tests", len(found))
    yield Figure("pass", sum(known.outcome == "passed" for known in found))
    yield Figure("skip themselves", sum(known.outcome == "skipped" for known in found))
    yield Figure("fail", len(failures))
    yield Figure("fail by a result", wrong, "", 0, Bar.AT_MOST)
