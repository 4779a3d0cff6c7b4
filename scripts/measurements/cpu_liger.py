"""
Do Liger-Kernel's own correctness tests pass on the CPU?

`XTRITON_LIGER` names a checkout; `transformers` has to be installed. The tests run as they stand,
but for two questions that know GPUs only: whether the device has bfloat16, and its memory.
`XTRITON_EVERY=10` takes every 10th test, `XTRITON_RECORDS` names a folder that keeps what is known
of each, for a measurement that goes on where the last one ended.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from measurements.figures import Bar, Figure
from measurements.suites.recorded import outcomes

FOLDER = "test/transformers"
OTHER_LANGUAGES = ("cutile", "cutedsl", "cute_moe")
"""In the names of files whose tests are of no Triton kernels."""
OF_A_GPU = re.compile(r"assert input\.is_cuda|local variable 'NUM_SMS'")
"""What a test fails with whose function knows GPUs only."""
WRONG = re.compile(r"AssertionError|Mismatched elements")


def measure(data: Path) -> Iterator[Figure]:
    """Yield how many tests pass, skip, fail, and fail by a result."""
    checkout = os.environ.get("XTRITON_LIGER")
    if not checkout:
        raise SystemExit("error: name a checkout of Liger-Kernel by XTRITON_LIGER")
    root = Path(checkout).absolute()
    others = [
        f"--ignore={FOLDER}/{path.name}"
        for path in (root / FOLDER).glob("test_*.py")
        if any(name in path.name for name in OTHER_LANGUAGES)
    ]
    with TemporaryDirectory() as temporary:
        found = outcomes(
            root,
            [FOLDER, *others],
            {"PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}", "TRITON_DEFAULT_BACKEND": "cpu"},
            Path(os.environ.get("XTRITON_RECORDS", temporary), "liger.jsonl"),
            ["measurements.suites.liger_plugin"],
        )
    failed = [known.text for known in found if known.outcome == "failed"]
    failures = [text for text in failed if not OF_A_GPU.search(text)]
    wrong = sum(1 for text in failures if WRONG.search(text))
    yield Figure("tests", len(found))
    yield Figure("pass", sum(known.outcome == "passed" for known in found))
    yield Figure("skip themselves", sum(known.outcome == "skipped" for known in found))
    yield Figure("fail, in functions for GPUs only", len(failed) - len(failures))
    yield Figure("fail", len(failures))
    yield Figure("fail by a result", wrong, "", 0, Bar.AT_MOST)
