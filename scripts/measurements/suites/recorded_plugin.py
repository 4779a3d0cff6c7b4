"""
The pytest plugin of `recorded`: takes a sample of the tests, and writes down each.

Each line has a test's name, its outcome, its message and the CPU seconds since it began. What is
written down already is not run again; a test that ends the process, or takes longer than
`XTRITON_TEST_SECONDS`, stays begun. `XTRITON_EVERY=40` takes every 40th test, `XTRITON_MARKED=1`
those that are marked `interpreter`, 0 those that are not.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Generator
from pathlib import Path

import pytest

_record = Path(os.environ["XTRITON_RECORD"])
_SECONDS = int(os.environ.get("XTRITON_TEST_SECONDS", "300"))
_MARK = "interpreter"
_begun = 0.0


def _write(name: str, outcome: str, text: str = "") -> None:
    seconds = time.process_time() - _begun
    with _record.open("a") as file:
        file.write(json.dumps([name, outcome, text, round(seconds, 3)]) + "\n")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what is to be run."""
    chosen = list(items)
    if marked := os.environ.get("XTRITON_MARKED"):
        chosen = [i for i in items if bool(i.get_closest_marker(_MARK)) == (marked == "1")]
    chosen = chosen[:: int(os.environ.get("XTRITON_EVERY", "1"))]
    Path(os.environ["XTRITON_CHOSEN"]).write_text("".join(f"{i.nodeid}\n" for i in chosen))
    lines = _record.read_text().splitlines() if _record.exists() else []
    known = {json.loads(line)[0] for line in lines}
    items[:] = [i for i in chosen if i.nodeid not in known]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note that a test begins, and end the process if it takes too long."""
    global _begun
    _begun = time.process_time()
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
    _write(report.nodeid, report.outcome, text)
