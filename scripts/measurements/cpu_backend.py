"""
Do Triton's own language tests pass on the CPU, unchanged?

`XTRITON_TRITON_TESTS` names a checkout of Triton, of the release that is installed (or that
`XTRITON_TRITON_WHEEL`, a folder with the unpacked wheel, holds). `XTRITON_EVERY=40` takes every
40th test for a sample. `XTRITON_RECORDS` names a folder that keeps what is known of each test, for
a measurement that goes on where the last one ended. Tests marked `interpreter` are those that
Triton itself runs without a GPU; of the others those count that need no GPU feature, that is all
that do not skip themselves.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from measurements.figures import Bar, Figure, percent

FILES = (
    "test_core.py",
    "test_standard.py",
    "test_random.py",
    "test_tuple.py",
    "test_tensor_descriptor.py",
    "test_conversions.py",
    "test_matmul.py",
)
PLUGIN = Path(__file__).parent / "cpu_backend_plugin.py"
BEGUN = "begun"
"""What is known of a test while it runs; the process has ended where it stays so."""
WRONG = re.compile(r"AssertionError|Mismatched elements|Not equal to tolerance")
OF_A_GPU = re.compile(
    r"KeyError: .*'(ttgir|ptx|amdgcn|cubin|hsaco|sass)'|Torch not compiled with CUDA|Gluon kernels"
    r"|in _exchange_device"
)
"""What a test that looks at a GPU's code, or asks for a GPU, fails with."""


def measure(data: Path) -> Iterator[Figure]:
    """Yield how many tests pass, skip, fail, and fail by a result."""
    checkout = os.environ.get("XTRITON_TRITON_TESTS")
    if not checkout:
        raise SystemExit("error: name a checkout of Triton by XTRITON_TRITON_TESTS")
    for marked in (True, False):
        yield from _figures(_outcomes(Path(checkout), marked), marked)


def _figures(outcomes: list[tuple[str, str]], marked: bool) -> Iterator[Figure]:
    name = "marked `interpreter`" if marked else "all others"
    count = Counter(outcome for outcome, _ in outcomes)
    ran = [(outcome, text) for outcome, text in outcomes if outcome != "skipped"]
    failures = [text for outcome, text in ran if outcome == "failed" and not OF_A_GPU.search(text)]
    wrong = sum(1 for text in failures if WRONG.search(text))
    bar = 100 * 9000 / 9287 if marked else 98.0
    yield Figure(f"{name}: tests", len(outcomes), note=f"{count['skipped']} skip themselves")
    passed = percent(count["passed"], count["passed"] + len(failures))
    yield Figure(f"{name}: pass, of those that run and look at no GPU's code", passed, "%", bar)
    yield Figure(f"{name}: fail on GPU's code", count["failed"] - len(failures))
    yield Figure(f"{name}: fail", len(failures))
    yield Figure(f"{name}: fail by a result", wrong, bar=0, side=Bar.AT_MOST)


def _outcomes(checkout: Path, marked: bool) -> list[tuple[str, str]]:
    """Run the tests; return passed, skipped or failed, and the message, for each."""
    folder = checkout / "python" / "test" / "unit" / "language"
    root = checkout / "python"
    with TemporaryDirectory() as temporary:
        kept = os.environ.get("XTRITON_RECORDS")
        records = Path(kept or temporary, f"{'marked' if marked else 'others'}.jsonl").absolute()
        records.parent.mkdir(parents=True, exist_ok=True)
        chosen = Path(temporary, "chosen")
        wheel = os.environ.get("XTRITON_TRITON_WHEEL", "")
        paths = [str(PLUGIN.parent), *filter(None, [wheel, os.environ.get("PYTHONPATH", "")])]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "TRITON_DEFAULT_BACKEND": "cpu",
            "XTRITON_MARKED": str(int(marked)),
            "XTRITON_RECORD": str(records),
            "XTRITON_CHOSEN": str(chosen),
        }
        options = ["-p", PLUGIN.stem, "-p", "no:cacheprovider", "--device", "cpu", "-q"]
        options += ["--rootdir", str(root), "-c", os.devnull, "--confcutdir", str(root)]
        command = [sys.executable, "-m", "pytest", *options, *FILES]
        while True:
            ended = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
            if not chosen.exists():
                raise SystemExit(f"error: the tests did not run:\n{ended.stdout}\n{ended.stderr}")
            found = _read(records)
            names = chosen.read_text().splitlines()
            if all(name in found and found[name][0] != BEGUN for name in names):
                return [found[name] for name in names]
            begun = [name for name, (outcome, _) in found.items() if outcome == BEGUN]
            if not begun:
                raise SystemExit(f"error: the tests ended early:\n{ended.stdout}\n{ended.stderr}")
            with records.open("a") as file:
                for name in begun:
                    text = f"the process ended: {ended.returncode}"
                    file.write(json.dumps([name, "failed", text]) + "\n")


def _read(records: Path) -> dict[str, tuple[str, str]]:
    """Return the last that is known of each test."""
    found: dict[str, tuple[str, str]] = {}
    for line in records.read_text().splitlines() if records.exists() else ():
        name, outcome, text, *_ = json.loads(line)
        found[name] = outcome, text
    return found
