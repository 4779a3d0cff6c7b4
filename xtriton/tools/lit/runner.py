"""Running a test: its commands one after the other, ours as calls, others as processes."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Literal

from xtriton.tools.lit.checker import run_filecheck
from xtriton.tools.lit.script import read_script, substitute
from xtriton.tools.lit.shell import Command, PipeLine, parse_shell

OPT_ALIASES = ("triton-opt", "triton-shared-opt", "triton-gpu-opt")
"""Names under which upstream's tests call the tool that xtriton-opt stands in for."""

MLIR_OPT_NAMES = ("mlir-opt-22", "mlir-opt")


@dataclass(frozen=True)
class Outcome:
    """What came of a test; `details` is what to show, or the reason of a skip."""

    status: Literal["passed", "failed", "skipped"]
    details: str = ""


@dataclass(frozen=True)
class Finished:
    """What a command left: exit code, standard output, standard error."""

    code: int
    output: str = ""
    errors: str = ""


def run_test(
    test: Path,
    scratch: Path,
    features: Collection[str] = (),
    named: dict[str, str] | None = None,
) -> Outcome:
    """
    Run a lit test file.

    `scratch` is the folder for its files and where commands run; `features` are those that
    `REQUIRES:` may ask for; `named` maps names of run lines to commands.
    """
    test = test.absolute()  # commands run elsewhere
    script = read_script(test.read_text(encoding="utf-8"))
    if not script.commands:
        return Outcome("failed", f"{test} has no RUN line")
    missing = [feature for feature in script.requires if feature not in features]
    if missing:
        return Outcome("skipped", "needs " + ", ".join(missing))
    if any(feature in features for feature in script.unsupported):
        return Outcome("skipped", "not supported here")
    problem = _first_problem(script.commands, test, scratch, named or {})
    if script.expected_to_fail:
        return Outcome("passed") if problem else Outcome("failed", f"{test} passes unexpectedly")
    return Outcome("failed", problem) if problem else Outcome("passed")


def _first_problem(
    commands: Sequence[str], test: Path, scratch: Path, named: dict[str, str]
) -> str:
    """Return what the first failing command has to say, "" if all succeed."""
    with inside(scratch):
        for command in commands:
            text = substitute(command, test, scratch, named)
            try:
                finished = _run_shell(text)
            except ValueError as e:
                return f"RUN: {text}\n{e}"
            if finished.code != 0:
                return f"RUN: {text}\nexit code {finished.code}\n{finished.errors}"
    return ""


def _run_shell(text: str) -> Finished:
    """Run a command line; the errors of every command are kept, for the report."""
    last = Finished(0)
    errors: list[str] = []
    for line in parse_shell(text):
        if (line.follows == "&&" and last.code != 0) or (line.follows == "||" and last.code == 0):
            continue
        last = run_pipeline(line)
        errors.append(last.errors)
    return Finished(last.code, last.output, "".join(errors))


def run_pipeline(line: PipeLine) -> Finished:
    """Run a pipeline, which fails if any of its commands does, as in lit."""
    text, code = "", 0
    errors: list[str] = []
    for command in line.commands:
        finished = _redirect(command, _run_command(command.words, _input(command, text)))
        text = finished.output
        code = code or finished.code
        errors.append(finished.errors)
    return Finished(code, text, "".join(errors))


def _input(command: Command, piped: str) -> str:
    source = command.redirections.get("<")
    return piped if source is None else Path(source).read_text(encoding="utf-8")


def _redirect(command: Command, finished: Finished) -> Finished:
    output, errors = finished.output, finished.errors
    redirections = command.redirections
    if command.errors_before_output and ">" in redirections:
        Path(redirections[">"]).write_text(output, encoding="utf-8")
        return Finished(finished.code, errors)
    if command.errors_to_output or "&>" in redirections:
        # In one process the order between the two is lost; errors come first, because
        # tools write their output last.
        output, errors = errors + output, ""
    if "2>" in redirections:
        Path(redirections["2>"]).write_text(errors, encoding="utf-8")
        errors = ""
    target = redirections.get(">", redirections.get("&>"))
    if target is not None:
        Path(target).write_text(output, encoding="utf-8")
        output = ""
    if ">>" in redirections:
        with Path(redirections[">>"]).open("a", encoding="utf-8") as file:
            file.write(output)
        output = ""
    return Finished(finished.code, output, errors)


def _run_command(words: Sequence[str], text: str) -> Finished:
    name, arguments = words[0], list(words[1:])
    match name:
        case "not":
            if arguments[0] == "--crash":
                arguments.pop(0)
            inner = _run_command(arguments, text)
            return Finished(int(inner.code == 0), inner.output, inner.errors)
        case "filecheck" | "FileCheck":
            code, messages = run_filecheck(arguments, text)
            return Finished(code, errors=messages)
        case "env":
            return _run_with_environment(arguments, text)
        case "cat":
            files = [text if f == "-" else Path(f).read_text(encoding="utf-8") for f in arguments]
            return Finished(0, "".join(files) if arguments else text)
        case "echo":
            return Finished(0, " ".join(arguments) + "\n")
        case _ if name in OPT_ALIASES:
            return call_tool("xtriton-opt", arguments, text)
        case _ if name.startswith("xtriton-"):
            return call_tool(name, arguments, text)
        case "mlir-opt":
            return _run_process([mlir_opt() or name, *arguments], text)
        case _:
            return _run_process(words, text)


def mlir_opt() -> str | None:
    """Return the path of the newest `mlir-opt` that is installed, if any."""
    return next((path for name in MLIR_OPT_NAMES if (path := shutil.which(name))), None)


def call_tool(name: str, arguments: Sequence[str], text: str = "") -> Finished:
    """Call the `main` of one of our tools as if it ran in a process of its own."""
    tool = import_module("xtriton.tools." + name.replace("-", "_"))
    output, errors = io.StringIO(), io.StringIO()
    stdin = sys.stdin
    sys.stdin = io.StringIO(text)
    try:
        with redirect_stdout(output), redirect_stderr(errors):
            code = tool.main(arguments)
    except SystemExit as e:
        code = e.code if isinstance(e.code, int) else int(e.code is not None)
    finally:
        sys.stdin = stdin
    return Finished(code, output.getvalue(), errors.getvalue())


def _run_process(words: Sequence[str], text: str) -> Finished:
    try:
        done = subprocess.run(
            list(words), input=text, capture_output=True, text=True, timeout=60, check=False
        )
    except FileNotFoundError:
        return Finished(127, errors=f"{words[0]}: command not found\n")
    except subprocess.TimeoutExpired:
        return Finished(124, errors=f"{words[0]}: no answer after 60 s\n")
    return Finished(done.returncode, done.stdout, done.stderr)


def _run_with_environment(arguments: list[str], text: str) -> Finished:
    saved = os.environ.copy()
    try:
        while arguments and "=" in arguments[0]:
            name, _, value = arguments.pop(0).partition("=")
            os.environ[name] = value
        return _run_command(arguments, text)
    finally:
        os.environ.clear()
        os.environ.update(saved)


@contextmanager
def inside(folder: Path) -> Generator[None]:
    """Work in `folder` for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
