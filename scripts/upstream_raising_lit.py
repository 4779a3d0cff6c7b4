"""
Run upstream's lit tests of raising with `xtriton-opt` in place of upstream's tools.

    python scripts/upstream_raising_lit.py CHECKOUT... [--show] [--file PART]

CHECKOUT is one of microsoft/triton-shared (`TritonToStructured`, `TritonToUnstructured`) or of
the Intel backend of 30 May 2025 (`RaiseToBlockPointers`). Files run unchanged; in their
expectations the shape of the parent tensor, which upstream takes to be 0, and the order are
wildcards. RUN lines with `ignore-masks` are left out.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.tools import xtriton_opt
from xtriton.tools.chunks import split
from xtriton.tools.lit.checker import run_filecheck
from xtriton.tools.lit.script import read_script
from xtriton.tools.semantics_check import kernel_names

FOLDERS = (
    "test/Conversion/TritonToStructured",
    "test/Conversion/TritonToUnstructured",
    "test/Triton/Intel/RaiseToBlockPointers",
)
UNSOUND = "ignore-masks=true"
MOST_LINES = 400


@dataclass
class Verdict:
    """What came of one file: `lines` of expectations, and the messages of those that fail."""

    path: Path
    error: str = ""
    difference: str = ""
    lines: int = 0
    failures: tuple[str, ...] = ()
    expected_to_fail: bool = False
    unraised: int = 0
    """How many accesses fewer are raised than the expectations show."""

    @property
    def folder(self) -> str:
        return self.path.parent.name

    @property
    def holds(self) -> bool:
        return not self.error and not self.failures


def files(checkouts: Sequence[Path]) -> list[Path]:
    """Return the tests of raising in some checkouts that are not about unsound options."""
    found = [path for root in checkouts for f in FOLDERS for path in sorted((root / f).glob("*"))]
    return [path for path in found if path.suffix == ".mlir" and commands(path)]


def commands(path: Path) -> list[str]:
    """Return the commands of a test without those that ask for an unsound option."""
    return [c for c in read_script(path.read_text()).commands if UNSOUND not in c]


def run(path: Path, execute: bool = False) -> Verdict:
    """Run a test; `execute` compares what goes in with what comes out."""
    text = path.read_text()
    verdict = Verdict(path, expected_to_fail=read_script(text).expected_to_fail)
    for command in commands(path):
        tool, _, check = command.partition("|")
        options = [word for word in shlex.split(tool)[1:] if word not in ("%s", "2>&1")]
        output, errors, code = call(options, path)
        if code != 0:
            verdict.error = errors
            return verdict
        if execute:
            verdict.difference = verdict.difference or difference(text, output)
        words = shlex.split(check)[1:]
        lines, failures = expectations(text, words, output)
        verdict.unraised = max(verdict.unraised, unraised(text, words, output))
        verdict.lines += lines
        verdict.failures += failures
    return verdict


def call(options: list[str], path: Path) -> tuple[str, str, int]:
    """Return output, errors and exit code of `xtriton-opt`."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        code = xtriton_opt.main([*options, str(path)])
    return output.getvalue(), errors.getvalue(), code


def difference(before: str, after: str) -> str:
    """Return where what comes out does something else than what went in; "" if nowhere."""
    for one, other in zip(split(before), split(after), strict=True):
        original, rewritten = _parse(one), _parse(other)
        for name in kernel_names(original):
            with contextlib.suppress(UserError):
                found = check_equivalent(original, rewritten, kernel=name)
                if not found:
                    return found.render()
    return ""


def _parse(text: str) -> ModuleOp:
    return parse_module(text, universe.context())


# --- expectations ---------------------------------------------------------------------

_DIRECTIVE = r"^\s*//\s*(?:{})(?:-[A-Z0-9]+)?(?:-([0-9]+))?:"
_RAISED = re.compile(
    r'"tts\.(?:load|store)"|tts\.(?:masked_load|masked_store|gather|scatter)\b'
    r"|tt\.(?:load|store) .*: !tt\.ptr<tensor<"
)
_BLOCK = re.compile(r"(tt\.make_tensor_ptr [^,]+, )\{\{\\\[\}\}.*?\](, \{\{\\\[\}\})")
_SHAPE = re.compile(r"shape: (\[|\{\{.\}\}).*?(\]|\{\{.\}\}), order: \[.*?\]")
_ORDER = re.compile(r"\{order = array<.*?>\}")
_CONSTANT = re.compile(r"CHECK-DAG:\s+%?\[\[(\w+):[^=]*= arith\.constant ")


def expectations(text: str, words: list[str], output: str) -> tuple[int, tuple[str, ...]]:
    """Return how many lines of expectations a test has, and the messages of those that fail."""
    lines = with_wildcards(text).splitlines()
    prefixes = prefixes_of(words)
    directive = re.compile(_DIRECTIVE.format("|".join(map(re.escape, prefixes))))
    count = sum(bool(directive.match(line)) for line in lines)
    failures: list[str] = []
    for _ in range(MOST_LINES):
        found = first_failure(lines, words, output)
        if found is None:
            return count, tuple(failures)
        number, message = found
        failures.append(message)
        if number is None:
            break
        lines[number] = ""
    return count, tuple(failures)


def unraised(text: str, words: list[str], output: str) -> int:
    """Return how many accesses fewer are raised than the expectations of a test show."""
    directive = re.compile(_DIRECTIVE.format("|".join(map(re.escape, prefixes_of(words)))))
    expected = 0
    for line in text.splitlines():
        found = directive.match(line)
        if found is not None and "-NOT:" not in line and _RAISED.search(line):
            expected += int(found[1] or 1)
    return max(0, expected - sum(bool(_RAISED.search(line)) for line in output.splitlines()))


def prefixes_of(words: list[str]) -> list[str]:
    for word in words:
        name, _, value = word.partition("=")
        if name.startswith("--check-prefix"):
            return value.split(",")
    return ["CHECK"]


def first_failure(lines: list[str], words: list[str], output: str) -> tuple[int | None, str] | None:
    """Return number and message of the first line of a test that fails."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        code, messages = run_filecheck([file.name if w == "%s" else w for w in words], output)
        if code == 0:
            return None
        at = re.search(rf"{re.escape(file.name)}:(\d+): error: (.*)", messages)
    if at is None:
        return None, messages
    return int(at[1]) - 1, f"{at[1]}: {at[2]}"


def with_wildcards(text: str) -> str:
    """Return a test in whose expectations any parent shape and any order will do."""
    text = _BLOCK.sub(r"\1{{.*}}\2", text)
    text = _ORDER.sub("{{.*}}", text)
    text = _SHAPE.sub("shape: {{.*}}, order: {{.*}}", text)
    return "\n".join(line for line in text.splitlines() if not _is_needless(line, text))


def _is_needless(line: str, text: str) -> bool:
    """Tell whether a line only names a constant that was part of a shape."""
    found = _CONSTANT.search(line)
    return found is not None and not re.search(rf"\[\[{found[1]}\]\]", text)


# --- command line ---------------------------------------------------------------------


def main() -> int:
    """Run the tests and print how many hold; the exit code tells whether all were handled."""
    parser = argparse.ArgumentParser(description="Run upstream's lit tests of raising.")
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--file", default="", help="only files with this in their path")
    parser.add_argument("--show", action="store_true", help="print what fails")
    parser.add_argument("--execute", action="store_true", help="compare with the input")
    arguments = parser.parse_args()
    found = list[Verdict]()
    for path in files(arguments.checkouts):
        if arguments.file in str(path):
            found.append(run(path, arguments.execute))
            if arguments.show:
                print("\n".join(report(found[-1])))
    for folder in dict.fromkeys(v.folder for v in found):
        some = [v for v in found if v.folder == folder]
        print(f"{folder}: {sum(v.holds for v in some)} of {len(some)} hold")
    return int(any(v.error or v.difference for v in found))


def report(verdict: Verdict) -> Iterator[str]:
    """Yield what is to be said of a file that does not hold."""
    name = f"{verdict.folder}/{verdict.path.name}"
    if verdict.error or verdict.difference:
        yield f"{name}: {verdict.error or verdict.difference}"
    if verdict.unraised:
        yield f"{name}: {verdict.unraised} accesses are not raised"
    if verdict.failures:
        yield f"{name}: {len(verdict.failures)} of {verdict.lines} lines; {verdict.failures[0]}"


if __name__ == "__main__":
    raise SystemExit(main())
