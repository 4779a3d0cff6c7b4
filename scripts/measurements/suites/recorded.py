"""
Runs tests of others, unchanged, and keeps what is known of each as it comes.

A test that ends the process, or takes longer than `XTRITON_TEST_SECONDS`, has failed, and the
others go on in a new process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple


class Outcome(NamedTuple):
    """Passed, skipped or failed, the message, and the CPU seconds."""

    outcome: str
    text: str
    seconds: float


BEGUN = "begun"
"""What is known of a test while it runs; the process has ended where it stays so."""


def outcomes(
    folder: Path,
    options: Sequence[str],
    environment: Mapping[str, str],
    records: Path,
    plugins: Sequence[str] = (),
) -> list[Outcome]:
    """
    Run pytest with `options` in a folder; return what is known of each test that was chosen.

    `records` keeps that, for a run that goes on where this one ends. `environment` is added to this
    process's own.
    """
    records.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--disable-warnings"]
    for plugin in (f"{__name__}_plugin", *plugins):
        command += ["-p", plugin]
    with TemporaryDirectory() as temporary:
        chosen = Path(temporary, "chosen")
        settings = {
            **os.environ,
            **environment,
            "PYTHONPATH": _path(environment),
            "XTRITON_RECORD": str(records.absolute()),
            "XTRITON_CHOSEN": str(chosen),
        }
        while True:
            ended = subprocess.run(
                [*command, *options],
                cwd=folder,
                env=settings,
                capture_output=True,
                text=True,
                check=False,
            )
            if not chosen.exists():
                raise SystemExit(f"error: the tests did not run:\n{ended.stdout}\n{ended.stderr}")
            found = _read(records)
            names = chosen.read_text().splitlines()
            if all(name in found and found[name].outcome != BEGUN for name in names):
                return [found[name] for name in names]
            begun = [name for name, known in found.items() if known.outcome == BEGUN]
            if not begun:
                raise SystemExit(f"error: the tests ended early:\n{ended.stdout}\n{ended.stderr}")
            with records.open("a") as file:
                for name in begun:
                    text = f"the process ended: {ended.returncode}"
                    file.write(json.dumps([name, "failed", text, 0.0]) + "\n")


def _path(environment: Mapping[str, str]) -> str:
    """Return where modules are found: plugins, then what was given and what is known here."""
    places = (
        str(Path(__file__).parents[2]),
        environment.get("PYTHONPATH"),
        os.environ.get("PYTHONPATH"),
    )
    return os.pathsep.join(filter(None, places))


def _read(records: Path) -> dict[str, Outcome]:
    """Return the last that is known of each test."""
    found: dict[str, Outcome] = {}
    for line in records.read_text().splitlines() if records.exists() else ():
        name, *known = json.loads(line)
        found[name] = Outcome(*known)
    return found
