"""
Do Triton's own language tests pass on the CPU, unchanged?

`suites.triton_language` says where they come from. `XTRITON_EVERY=40` takes every 40th test for a
sample. `XTRITON_RECORDS` names a folder that keeps what is known of each test, for a measurement
that goes on where the last one ended. Of the tests that are not marked `interpreter` those count
that need no GPU feature, that is all that do not skip themselves.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from measurements.figures import Bar, Figure, percent
from measurements.suites.recorded import Outcome
from measurements.suites.triton_language import language_tests

WRONG = re.compile(r"AssertionError|Mismatched elements|Not equal to tolerance")
OF_A_GPU = re.compile(
    r"KeyError: .*'(ttgir|ptx|amdgcn|cubin|hsaco|sass)'|Torch not compiled with CUDA|Gluon kernels"
    r"|in _exchange_device"
)
"""What a test that looks at a GPU's code, or asks for a GPU, fails with."""


def measure(data: Path) -> Iterator[Figure]:
    """Yield how many tests pass, skip, fail, and fail by a result."""
    for marked in (True, False):
        yield from _figures(_outcomes(marked), marked)


def _figures(outcomes: list[Outcome], marked: bool) -> Iterator[Figure]:
    name = "marked `interpreter`" if marked else "all others"
    count = Counter(known.outcome for known in outcomes)
    failed = [known.text for known in outcomes if known.outcome == "failed"]
    failures = [text for text in failed if not OF_A_GPU.search(text)]
    wrong = sum(1 for text in failures if WRONG.search(text))
    bar = 100 * 9000 / 9287 if marked else 98.0
    yield Figure(f"{name}: tests", len(outcomes), note=f"{count['skipped']} skip themselves")
    passed = percent(count["passed"], count["passed"] + len(failures))
    yield Figure(f"{name}: pass, of those that run and look at no GPU's code", passed, "%", bar)
    yield Figure(f"{name}: fail on GPU's code", count["failed"] - len(failures))
    yield Figure(f"{name}: fail", len(failures))
    yield Figure(f"{name}: fail by a result", wrong, bar=0, side=Bar.AT_MOST)


def _outcomes(marked: bool) -> list[Outcome]:
    """Run the tests; return what is known of each."""
    with TemporaryDirectory() as temporary:
        records = Path(os.environ.get("XTRITON_RECORDS", temporary))
        return language_tests(
            marked,
            records / f"{'marked' if marked else 'others'}.jsonl",
            {"TRITON_DEFAULT_BACKEND": "cpu"},
        )
