"""
Runs cases of `fuzz_tools.py` in processes of their own, and watches them.

A process takes a batch of cases, one after another: most of what a process costs is to start it.
A case that ends otherwise than it may, or with which its process ends, is judged by a process
that runs nothing else.
"""

from __future__ import annotations

import json
import os
import resource
import shlex
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path

MOST_SECONDS = 10.0
MOST_BYTES = 1 << 30
ARGUMENTS = (*(f"--arg={n}=1" for n in "xynz"), "--arg=p=zeros(8)", "--arg=q=zeros(8)")


@dataclass(frozen=True)
class Case:
    """A module, and the tool that reads it."""

    number: int
    made: str
    """How the module was made."""
    text: str
    words: tuple[str, ...]
    """The tool and its options."""


@dataclass(frozen=True)
class Ended:
    """How a case ended."""

    number: int
    made: str
    tool: str
    seconds: float
    megabytes: float
    code: int
    problem: str = ""


def run_batch(cases: Sequence[Case], folder: Path) -> Iterator[Ended]:
    """Run cases in as few processes as that takes; yield how each ended, in their order."""
    left = list(cases)
    while left:
        good = _batch(left, folder)
        yield from good
        del left[: len(good)]
        if left:
            yield run(left.pop(0), folder)


def _batch(cases: Sequence[Case], folder: Path) -> list[Ended]:
    """Run cases in one process up to the first with a problem; return how those before ended."""
    results = folder / "batch.jsonl"
    results.write_text("")
    process = os.fork()
    if not process:
        _run_all(cases, folder, results)
    os.waitpid(process, 0)
    return recorded(results)


def _run_all(cases: Sequence[Case], folder: Path, results: Path) -> None:
    """Run cases and write down how they ended; never returns."""
    file, told = folder / "batch.mlir", folder / "batch.txt"
    try:
        with results.open("a", encoding="utf-8") as output:
            for at in cases:
                file.write_text(at.text, encoding="utf-8")
                before = time.process_time()
                _limit(before)
                code = _call_apart(at, file, told)
                errors = told.read_text(encoding="utf-8", errors="replace")
                ended = _ended(at, code, errors, time.process_time() - before, _most_kilobytes())
                if ended.problem:
                    break
                output.write(json.dumps(asdict(ended)) + "\n")
                output.flush()
    except BaseException as error:
        told.write_text(f"Traceback: {type(error).__name__}: {error}")
    os._exit(0)


def recorded(record: Path) -> list[Ended]:
    """Return what the record holds; a line that was not finished is none."""
    if not record.exists():
        return []
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    return [Ended(**json.loads(line)) for line in lines if line.endswith("\n")]


def run(at: Case, folder: Path) -> Ended:
    """Run a case in a process of its own, and watch it."""
    file, told = folder / f"{at.number}.mlir", folder / f"{at.number}.txt"
    file.write_text(at.text, encoding="utf-8")
    start = time.monotonic()
    process = os.fork()
    if not process:
        _child(at, file, told)
    killed = False
    while (done := os.wait4(process, os.WNOHANG))[0] == 0:
        if not killed and time.monotonic() - start > 12 * MOST_SECONDS:
            os.kill(process, signal.SIGKILL)
            killed = True
        time.sleep(0.001 if time.monotonic() - start < 0.1 else 0.02)
    _, status, used = done
    errors = told.read_text(encoding="utf-8", errors="replace")
    seconds = used.ru_utime + used.ru_stime
    # What the process shares with this one counts as if it were its own.
    kilobytes = used.ru_maxrss + _most_kilobytes()
    ended = _ended(at, os.waitstatus_to_exitcode(status), errors, seconds, kilobytes)
    if not ended.problem:
        file.unlink()
        told.unlink()
    return ended


def _most_kilobytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _ended(at: Case, code: int, errors: str, seconds: float, kilobytes: float) -> Ended:
    problem = _problem(code, errors, seconds, kilobytes / 1024)
    tool = shlex.join(at.words)
    megabytes = round(kilobytes / 1024)
    return Ended(at.number, at.made, tool, round(seconds, 3), megabytes, code, problem)


def _problem(code: int, errors: str, seconds: float, megabytes: float) -> str:
    if code == -signal.SIGXCPU:
        return f"takes more than {2 * MOST_SECONDS:.0f} s"
    if code not in (0, 1) or "Traceback" in errors or "internal error" in errors:
        return f"exit code {code}: {errors[-400:]}"
    if "more memory than" in errors or megabytes * (1 << 20) > MOST_BYTES:
        return f"took {megabytes:.0f} MB"
    if seconds > MOST_SECONDS:
        return f"took {seconds:.1f} s"
    return f"says {len(errors)} characters" if len(errors) > (1 << 20) else ""


def _child(at: Case, file: Path, told: Path) -> None:
    """Run the tool; never returns."""
    code = 3
    try:
        _limit(0)
        code = _call_apart(at, file, told)
    except BaseException as error:
        told.write_text(f"Traceback: {type(error).__name__}: {error}")
    os._exit(code)


def _limit(used: float) -> None:
    """Let the process take so much from now on, when it has used so many seconds."""
    most = int(used + 2 * MOST_SECONDS + 1)
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_DATA, (3 * MOST_BYTES, 3 * MOST_BYTES))
    signal.alarm(int(12 * MOST_SECONDS))


def _call_apart(at: Case, file: Path, told: Path) -> int:
    """Run the tool; what it prints goes nowhere, its errors into a file."""
    with Path(os.devnull).open("w") as output, told.open("w", encoding="utf-8") as errors:
        os.dup2(output.fileno(), 1)
        os.dup2(errors.fileno(), 2)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", closefd=False)
        code = call(at, os.fspath(file))
        sys.stdout.flush()
        sys.stderr.flush()
    return code


def call(at: Case, file: str) -> int:
    """Run the tool on a file, in this process; return the exit code."""
    tool, *options = at.words
    if tool == "run":
        options += [*ARGUMENTS, "--arg=c=1"] if "random" in at.made else _few()
    files = [file, file] if tool == "check" else [file]
    main = import_module(f"xtriton.tools.xtriton_{tool}").main
    try:
        return main([*files, *options])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)


def _few() -> list[str]:
    return ["--arg=p=zeros(8)", "--arg=x=1", "--arg=y=1", "--arg=c=1"]
