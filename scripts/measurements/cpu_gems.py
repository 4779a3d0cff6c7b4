"""
Do FlagGems' own tests of its operators pass on the CPU?

`XTRITON_GEMS` names a checkout, `XTRITON_TRITON_WHEEL` a folder with an unpacked wheel of Triton
3.7: FlagGems uses block pointers, which later ones have no more. The tests run as they stand in
their quick mode, on a vendor that `suites.gems_plugin` adds. `XTRITON_EVERY=10` takes every 10th
test, `XTRITON_RECORDS` names a folder that keeps what is known of each, for a measurement that goes
on where the last one ended.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from measurements.figures import Figure
from measurements.suites.recorded import outcomes

OTHERS = ("test_libentry.py", "test_pointwise_dynamic.py", "test_shape_utils.py")
"""Tests of how FlagGems makes kernels, and of no operator."""


def measure(data: Path) -> Iterator[Figure]:
    """Yield how many tests pass, skip and fail."""
    checkout = os.environ.get("XTRITON_GEMS")
    if not checkout:
        raise SystemExit("error: name a checkout of FlagGems by XTRITON_GEMS")
    root = Path(checkout).absolute()
    places = [os.environ.get("XTRITON_TRITON_WHEEL"), str(root / "src")]
    with TemporaryDirectory() as temporary:
        found = outcomes(
            root,
            ["tests", "--mode", "quick", *(f"--ignore=tests/{name}" for name in OTHERS)],
            {
                "PYTHONPATH": os.pathsep.join(filter(None, places)),
                "TRITON_DEFAULT_BACKEND": "cpu",
            },
            Path(os.environ.get("XTRITON_RECORDS", temporary), "gems.jsonl"),
            ["measurements.suites.gems_plugin"],
        )
    yield Figure("tests", len(found))
    yield Figure("pass", sum(known.outcome == "passed" for known in found))
    yield Figure("skip themselves", sum(known.outcome == "skipped" for known in found))
    yield Figure("fail", sum(known.outcome == "failed" for known in found))
