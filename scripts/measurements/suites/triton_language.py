"""
Triton's own language tests, unchanged.

`XTRITON_TRITON_TESTS` names a checkout of Triton, of the release that is installed (or that
`XTRITON_TRITON_WHEEL`, a folder with the unpacked wheel, holds). Tests marked `interpreter` are
those that Triton itself runs without a GPU.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from measurements.suites.recorded import Outcome, outcomes

FILES = (
    "test_core.py",
    "test_standard.py",
    "test_random.py",
    "test_tuple.py",
    "test_tensor_descriptor.py",
    "test_conversions.py",
    "test_matmul.py",
)


def language_tests(
    marked: bool, records: Path, environment: Mapping[str, str], files: Sequence[str] = FILES
) -> list[Outcome]:
    """Run the tests marked `interpreter`, or the others; return what is known of each."""
    checkout = os.environ.get("XTRITON_TRITON_TESTS")
    if not checkout:
        raise SystemExit("error: name a checkout of Triton by XTRITON_TRITON_TESTS")
    root = Path(checkout, "python").absolute()
    options = ["--device", "cpu", "--rootdir", str(root), "-c", os.devnull]
    options += ["--confcutdir", str(root), *files]
    return outcomes(
        root / "test" / "unit" / "language",
        options,
        {
            "PYTHONPATH": os.environ.get("XTRITON_TRITON_WHEEL", ""),
            "XTRITON_MARKED": str(int(marked)),
            **environment,
        },
        records,
        [f"{__name__}_plugin"],
    )
