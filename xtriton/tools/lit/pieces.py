"""
How much of a lit test holds: its commands on each chunk, its checks on each function.

A test as a whole says yes or no. Here each part between `// -----` runs by itself, and each
`CHECK-LABEL` of it, with the checks up to the next one, gets its own answer. So do the
diagnostics that comments ask for (`expected-error {{...}}`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from xtriton.tools.chunks import split
from xtriton.tools.command_line import parse_command_line
from xtriton.tools.expected import find_expected
from xtriton.tools.lit.checker import run_filecheck
from xtriton.tools.lit.runner import OPT_ALIASES, Finished, inside, run_pipeline
from xtriton.tools.lit.script import read_script, substitute
from xtriton.tools.lit.shell import Command, PipeLine, parse_shell

_CRASH = 2
"""Exit code of our tools for a bug of theirs, in contrast to one of the input."""
_CHECKERS = ("FileCheck", "filecheck")
_DIRECTIVE = r"(?<![-\w])(?:{})(?:-(?:NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-\d+))?(?:{{LITERAL}})?:"
_FUNCTION = re.compile(r"\b(?:func\.func|tt\.func|llvm\.func)\b[^@\n]*@([\w.$-]+)")
_PROBLEM_LINE = re.compile(r":(\d+)(?::\d+)?: ")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Piece:
    """
    What one function of a test asks for, and whether it holds.

    `expectations` counts check directives, or expected diagnostics; of them `held` come
    before the first that fails. `problem` is "" if all hold.
    """

    command: int
    """Which RUN line, counted from 0."""
    name: str
    line: int
    expectations: int
    held: int
    problem: str = ""
    crashed: bool = False


@dataclass(frozen=True)
class RunLine:
    """One RUN line: the tool's commands, and the FileCheck at their end, if any."""

    pipeline: PipeLine
    check: Command | None

    @property
    def passes(self) -> list[str]:
        """The passes that the line runs, by name."""
        arguments = _tool_arguments(self.pipeline.commands[0].words)
        line = parse_command_line(arguments)
        names = [p.name for p in line.passes]
        nested = line.values.get("pass-pipeline", "")
        return [*names, *re.findall(r"[\w-]+(?=[,{)]|$)", nested.partition("(")[2])]

    @property
    def prefixes(self) -> list[str]:
        """The prefixes of the directives that count."""
        words = [] if self.check is None else self.check.words
        text = " ".join(words)
        found = list[str](re.findall(r"-check-prefix(?:es)?[= ]([\w,-]+)", text))
        return [prefix for names in found for prefix in names.split(",")] or ["CHECK"]


def run_lines(test: Path, scratch: Path) -> list[RunLine]:
    """Return the RUN lines of a test; raise `ValueError` for one that is not understood."""
    script = read_script(test.read_text(encoding="utf-8"))
    found: list[RunLine] = []
    for command in script.commands:
        for pipeline in parse_shell(substitute(command, test.absolute(), scratch, {})):
            *tools, last = pipeline.commands
            if tools and last.words[0] in _CHECKERS:
                found.append(RunLine(PipeLine(tools, pipeline.follows), last))
            else:
                found.append(RunLine(pipeline, None))
    return found


def run_pieces(test: Path, scratch: Path, options: Sequence[str] = ()) -> Iterator[Piece]:
    """
    Run every RUN line on every chunk of a test; yield what each function comes to.

    The tool that writes gets `options` as well.
    """
    text = test.read_text(encoding="utf-8")
    splits = "split-input-file" in "".join(read_script(text).commands)
    part = scratch / test.name
    with inside(scratch):
        for chunk in split(text) if splits else [text]:
            if not _has_code(chunk):
                continue
            part.write_text(chunk, encoding="utf-8")
            for number, line in enumerate(run_lines(test, scratch)):
                redirected = _redirected(line, test, part)
                redirected.pipeline.commands[0].words.extend(options)
                yield from _run_chunk(number, redirected, chunk, part)


def _has_code(chunk: str) -> bool:
    lines = (line.strip() for line in chunk.splitlines())
    return any(line and not line.startswith("//") for line in lines)


def _redirected(line: RunLine, test: Path, part: Path) -> RunLine:
    """Return `line` with `part` in place of the file that it reads."""

    def moved(command: Command) -> Command:
        words = [str(part) if word == str(test.absolute()) else word for word in command.words]
        return Command(
            words, command.redirections, command.errors_to_output, command.errors_before_output
        )

    commands = [moved(command) for command in line.pipeline.commands]
    check = None if line.check is None else moved(line.check)
    return RunLine(PipeLine(commands, line.pipeline.follows), check)


def _run_chunk(number: int, line: RunLine, chunk: str, part: Path) -> Iterator[Piece]:
    try:
        finished = run_pipeline(line.pipeline)
    except Exception as e:
        finished = Finished(_CRASH, errors=f"{type(e).__name__}: {e}")
    crashed = finished.code == _CRASH
    problem = _first_line(finished.errors or finished.output) if finished.code else ""
    sections = list(_sections(chunk, line.prefixes)) if line.check is not None else []
    comments = len(find_expected(chunk, str(part)))
    if comments or not sections:
        yield _of_the_tool(number, finished, chunk, comments, problem)
    if line.check is None:
        return
    if finished.code and not comments:
        for s in sections:
            yield Piece(number, s.name, s.line, s.size, 0, problem, crashed)
        return
    for s, held, message in _judged(sections, line.check, chunk, part, finished.output):
        yield Piece(number, s.name, s.line, s.size, held, message)


def _of_the_tool(number: int, finished: Finished, chunk: str, comments: int, problem: str) -> Piece:
    """Return what the tool itself says: it tells of each diagnostic that is not as expected."""
    function = _FUNCTION.search(chunk)
    name = function[1] if function else ""
    at = chunk.count("\n", 0, function.start() if function else 0) + 1
    count = max(comments, 1)
    failed = max(_errors(finished), 1) if problem else 0
    held = max(count - failed, 0)
    return Piece(number, name, at, count, held, problem, finished.code == _CRASH)


def _errors(finished: Finished) -> int:
    return sum(": error: " in line for line in (finished.errors + finished.output).splitlines())


# --- checks ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Section:
    """The directives of one function: their lines, counted from 0."""

    name: str
    lines: tuple[int, ...]
    labels: tuple[int, ...]
    """Those of `lines` that are labels."""

    @property
    def line(self) -> int:
        return self.lines[0] + 1

    @property
    def size(self) -> int:
        return len(self.lines)


def _sections(chunk: str, prefixes: Sequence[str]) -> Iterator[_Section]:
    """Yield the directives before the first label, then those of each label."""
    directive = re.compile(_DIRECTIVE.format("|".join(map(re.escape, prefixes))))
    name, lines, labels = "", list[int](), list[int]()
    for i, line in enumerate(chunk.splitlines()):
        match = directive.search(line)
        if match is None:
            continue
        if match[0].endswith("-LABEL:"):
            if lines:
                yield _Section(name, tuple(lines), tuple(labels))
            called = re.search(r"@([\w.$-]+)", line[match.end() :])
            name = called[1] if called else line[match.end() :].strip()
            lines, labels = [], [i]
        lines.append(i)
    if lines:
        if not name and (function := _FUNCTION.search(chunk)):
            name = function[1]
        yield _Section(name, tuple(lines), tuple(labels))


def _judged(
    sections: Sequence[_Section], check: Command, chunk: str, part: Path, output: str
) -> Iterator[tuple[_Section, int, str]]:
    """Yield each section with how many of its directives hold, and what fails."""
    if not sections or run_filecheck(check.words[1:], output)[0] == 0:
        yield from ((section, section.size, "") for section in sections)
        return
    always = {i for section in sections for i in section.labels}
    always |= set() if sections[0].labels else set(sections[0].lines)
    held = set[int]()
    for section in sections:
        # Variables may come from functions before, but not from those that fail.
        for kept in (always | set(section.lines), always | held | set(section.lines)):
            message = _check(check, chunk, part, output, sections, kept)
            if not message:
                held |= set(section.lines)
                yield section, section.size, ""
                break
        else:
            yield section, _held_before(section, message), _first_line(message)


def _check(
    check: Command,
    chunk: str,
    part: Path,
    output: str,
    sections: Sequence[_Section],
    kept: set[int],
) -> str:
    """Return what FileCheck says with only the directives of the lines `kept`, "" if content."""
    dropped = {i for section in sections for i in section.lines} - kept
    lines = chunk.splitlines()
    part.write_text("\n".join("" if i in dropped else line for i, line in enumerate(lines)))
    code, message = run_filecheck(check.words[1:], output)
    return message or "FileCheck fails" if code else ""


def _held_before(section: _Section, message: str) -> int:
    match = _PROBLEM_LINE.search(_COLOUR.sub("", message))
    return sum(i + 1 < int(match[1]) for i in section.lines) if match else 0


# --- text --------------------------------------------------------------------------------


def _tool_arguments(words: Sequence[str]) -> list[str]:
    """Return the arguments of the tool, without `env`, `not` and its name."""
    for i, word in enumerate(words):
        if word in OPT_ALIASES or word.startswith("xtriton-"):
            return list(words[i + 1 :])
    return []


def _first_line(text: str) -> str:
    lines = [line.strip() for line in _COLOUR.sub("", text).splitlines() if line.strip()]
    return next((line for line in lines if "error" in line), lines[0] if lines else "no message")
