"""
Many modules through a Triton's stages, in a child process that may die over one of them.

Any release may be asked: a folder with an unpacked wheel stands in for what is installed.
Run as a program this module is the child: it reads jobs as lines of JSON and writes outcomes.
"""

from __future__ import annotations

import json
import os
import re
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any


@dataclass(frozen=True)
class Job:
    """A module as text, and what of `compile_text` is wanted of it."""

    name: str
    text: str
    first: str = "ttir"
    last: str = "ptx"
    has_layouts: bool = False
    options: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True)
class Outcome:
    """
    What became of a job.

    `error` is empty, or the end of what Triton said; `counts` says how often the patterns
    that were asked for occur in the texts; `seconds` of processor time went into it.
    """

    name: str
    error: str = ""
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    seconds: float = 0.0

    @property
    def accepted(self) -> bool:
        """Whether all stages ran."""
        return not self.error


def compile_all(
    jobs: Iterable[Job],
    *,
    wheel: Path | None = None,
    patterns: Mapping[str, tuple[str, str]] | None = None,
    timeout: float = 120.0,
) -> Iterator[Outcome]:
    """
    Yield the outcome of each job, in order.

    `wheel` is a folder that holds a package `triton`; by default the installed one is taken.
    `patterns` are regular expressions by name, each with the stage whose text is searched.
    A job that takes longer than `timeout` seconds is given up.
    """
    child: _Child | None = None
    try:
        for job in jobs:
            if child is None:
                child = _Child(wheel, patterns or {})
            outcome = child.ask(job, timeout)
            if outcome is None:
                outcome = Outcome(job.name, child.last_words(timeout))
                child = None
            yield outcome
    finally:
        if child is not None:
            child.end()


class _Child:
    """The process that runs the stages."""

    def __init__(self, wheel: Path | None, patterns: Mapping[str, tuple[str, str]]) -> None:
        environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
        if wheel is not None:
            others = os.environ.get("PYTHONPATH")
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(wheel), others)))
        self.errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        self.process = subprocess.Popen(
            [sys.executable, "-m", __name__, json.dumps(patterns)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=environment,
            text=True,
        )
        self.selector = selectors.DefaultSelector()
        assert self.process.stdout is not None
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def ask(self, job: Job, timeout: float) -> Outcome | None:
        """Return the outcome of a job; None where the process died or took too long."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(asdict(job)) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        if not self.selector.select(timeout):
            return None
        line = self.process.stdout.readline()
        return Outcome(**json.loads(line)) if line.endswith("\n") else None

    def last_words(self, timeout: float) -> str:
        """End the process; return what it said last."""
        late = self.process.poll() is None and not _ends_by_itself(self.process)
        self.process.kill()
        self.process.wait()
        self.errors.seek(0)
        said = _end_of(self.errors.read().decode(errors="replace"))
        self.end()
        return f"took more than {timeout:g} s" if late else f"aborted: {said}"

    def end(self) -> None:
        """End the process."""
        self.selector.close()
        self.process.kill()
        self.process.communicate()
        self.errors.close()


def _ends_by_itself(process: subprocess.Popen[str]) -> bool:
    try:
        process.wait(1.0)
    except subprocess.TimeoutExpired:
        return False
    return True


def _end_of(text: str) -> str:
    """Return the lines of a log that say what was wrong."""
    lines = [line for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"error|assert|unreachable", line, re.I)]
    return " | ".join((telling or lines)[:3])[:600]


def main() -> None:
    """Be the child."""
    from xtriton.interop.triton_stages import compile_text

    patterns: dict[str, tuple[str, str]] = json.loads(sys.argv[1])
    # What Triton prints must not come between the outcomes.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        fields: dict[str, Any] = json.loads(line)
        name = fields.pop("name")
        mark = _size_of_errors()
        start = time.process_time()
        counts: dict[str, int] = {}
        try:
            texts = compile_text(fields.pop("text"), **fields).texts
            for key, (stage, pattern) in patterns.items():
                counts[key] = len(re.findall(pattern, texts.get(stage, "")))
            error = ""
        except Exception as failure:  # Triton raises anything
            error = " | ".join(filter(None, [_said_since(mark), f"{failure!r:.300}"]))
        outcome = Outcome(name, error, counts, time.process_time() - start)
        answers.write(json.dumps(asdict(outcome)) + "\n")
        answers.flush()


def _size_of_errors() -> int:
    sys.stderr.flush()
    return os.lseek(2, 0, os.SEEK_CUR)


def _said_since(mark: int) -> str:
    """Return what stands in the log of errors, a file, behind `mark`."""
    sys.stderr.flush()
    return _end_of(os.pread(2, 1 << 16, mark).decode(errors="replace"))


if __name__ == "__main__":
    main()
