"""
The pytest plugin of `cpu_backend`: takes a sample of Triton's tests, and writes down each.

Each line has a test's name, its outcome, its message and the seconds that it took. What is written
down already is not run again; a test that ends the process, or takes longer than
`XTRITON_TEST_SECONDS`, stays begun.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest
import torch


def _capability(device: object = None) -> tuple[int, int]:
    # Tests of bfloat16 ask for 9, whatever the device.
    return 9, 0


torch.cuda.get_device_capability = _capability  # asked for when the tests are imported

_record = Path(os.environ["XTRITON_RECORD"])
_SECONDS = int(os.environ.get("XTRITON_TEST_SECONDS", "300"))


def _write(name: str, outcome: str, text: str = "", seconds: float = 0.0) -> None:
    with _record.open("a") as file:
        file.write(json.dumps([name, outcome, text, round(seconds, 3)]) + "\n")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what is to be run."""
    marked = os.environ["XTRITON_MARKED"] == "1"
    chosen = [i for i in items if (i.get_closest_marker("interpreter") is not None) == marked]
    chosen = chosen[:: int(os.environ.get("XTRITON_EVERY", "1"))]
    Path(os.environ["XTRITON_CHOSEN"]).write_text("".join(f"{i.nodeid}\n" for i in chosen))
    lines = _record.read_text().splitlines() if _record.exists() else []
    known = {json.loads(line)[0] for line in lines}
    items[:] = [i for i in chosen if i.nodeid not in known]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note that a test begins, and end the process if it takes too long."""
    _write(item.nodeid, "begun")
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(_SECONDS)
    ended = yield
    signal.alarm(0)
    return ended


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write down how a test ended."""
    if report.when != "call" and report.outcome == "passed":
        return
    text = "" if report.outcome == "passed" else report.longreprtext[-2000:]
    _write(report.nodeid, report.outcome, text, report.duration)
