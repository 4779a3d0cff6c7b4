"""
How much of an upstream repository's tests the text layer reads, verifies and writes.

    python scripts/conformance.py CHECKOUT [--folder test/Triton] [--failures FILE]

CHECKOUT is a checkout of triton-lang/triton, of intel/intel-xpu-backend-for-triton or of
microsoft/triton-shared, at any commit since October 2024. Every `.mlir` file below it is
split at `// -----`; each chunk must parse, verify and be written as a fixed point
(parsed again, our text gives the same text), and where it has `expected-error` comments
and its RUN line runs no pass, fail with just these errors.

Chunks with ops of dialects that xtriton does not model are counted apart. Exit code 1
if a chunk fails.
"""

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table
from xdsl.context import Context

from xtriton import universe
from xtriton.diagnostics import Diagnostic
from xtriton.errors import UserError
from xtriton.ir.checking.verifier import verify_all
from xtriton.ir.reading.parser import parse_module, position_of
from xtriton.ir.versions import (
    NEWEST,
    OLDEST,
    RENAMED_DIALECTS,
    Version,
    parse_version,
    release,
    rules_of,
    version_read,
    version_text,
)
from xtriton.ir.writing.printer import print_module
from xtriton.tools.chunks import split
from xtriton.tools.expected import Expected, compare, find_expected

OUTCOMES = ("passed", "rejected as expected", "needs a pass", "foreign", "failed")

_RUN = re.compile(r"//\s*RUN:(.*)")
_NEUTRAL_FLAGS = re.compile(
    r"^-{1,2}(split-input-file|verify-diagnostics|verify-each.*|allow-unregistered-dialect|"
    r"mlir-print.*|o|canonicalize-region)$"
)
_OP = re.compile(r"(?:^|=|\{|\()\s*\"?([a-z_][\w]*)\.[a-z_2]", re.MULTILINE)
_ATTRIBUTE = re.compile(r"[#!]([a-z_]\w*)\.[a-z]")
_OLD_NAME = re.compile(rf"\b({'|'.join(RENAMED_DIALECTS)})\.")
_FOLLOW_UPS = ("op failed to infer returned types",)
"""What MLIR says in a second error about the same mistake."""
_FILE_IN_FILE = re.compile(r"^//--- .*$", re.MULTILINE)
"""Where LLVM's `split-file` begins another file."""
_PACKAGE_VERSION = re.compile(r"__version__ = ['\"](\d+)\.(\d+)")


@dataclass(frozen=True)
class Outcome:
    """What became of one chunk."""

    kind: str
    """One of `OUTCOMES`."""
    reason: str = ""


def main() -> int:
    """Run the conformance check; return the exit code."""
    arguments = _arguments()
    root = Path(arguments.checkout)
    version = version_of(arguments.triton_version, root)
    counts, failures = judge(root, version, arguments.folder)
    if not counts:
        print(f"error: no .mlir files below {root / arguments.folder}", file=sys.stderr)
        return 1
    print(f"by the rules of Triton {version_text(version)}")
    _print_table(counts)
    if arguments.failures:
        Path(arguments.failures).write_text(json.dumps(failures, indent=1))
    for failure in failures[: arguments.show]:
        print(f"{failure['chunk']}: {failure['reason']}")
    return 1 if failures else 0


Counts = dict[str, Counter[str]]
"""How many chunks had which outcome, by folder."""


def judge(root: Path, version: Version, folder: str = ".") -> tuple[Counts, list[dict[str, str]]]:
    """Return what became of the chunks below a folder of a checkout, and which failed why."""
    files = sorted((root / folder).rglob("*.mlir"))
    counts: Counts = defaultdict(Counter)
    failures: list[dict[str, str]] = []
    for path in track(files, root.name, console=Console(stderr=True), transient=True):
        with rules_of(version):
            outcomes = _outcomes(path)
        for number, outcome in enumerate(outcomes):
            counts[str(path.parent.relative_to(root))][outcome.kind] += 1
            if outcome.kind == "failed":
                where = f"{path.relative_to(root)}#{number}"
                failures.append({"chunk": where, "reason": outcome.reason})
    return counts, failures


def judged_and_good(count: Counter[str]) -> tuple[int, int]:
    """Return how many chunks were judged, and how many of them are as they should be."""
    judged = sum(count[kind] for kind in OUTCOMES if kind not in ("foreign", "needs a pass"))
    return judged, count["passed"] + count["rejected as expected"]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("checkout", help="folder of the upstream checkout")
    parser.add_argument("--folder", default=".", help="only this folder of it")
    parser.add_argument("--triton-version", help="whose rules hold (default: the checkout's)")
    parser.add_argument("--failures", help="write the chunks that fail, with reasons, as JSON")
    parser.add_argument("--show", type=int, default=20, help="failures to print")
    return parser.parse_args()


def version_of(asked: str | None, root: Path) -> Version:
    """Return the release whose rules hold: the one asked for, else what the checkout says."""
    if asked is not None:
        return parse_version(asked)
    package = root / "python/triton/__init__.py"
    found = _PACKAGE_VERSION.search(package.read_text()) if package.exists() else None
    if found is None:
        return NEWEST
    return max(OLDEST, min(NEWEST, (int(found[1]), int(found[2]))))


def _outcomes(path: Path) -> list[Outcome]:
    text = path.read_text()
    commands = " ".join(_RUN.findall(text))
    with_passes = _has_passes(commands)
    unregistered = "allow-unregistered-dialect" in commands
    files = _FILE_IN_FILE.split(text) if "split-file" in commands else [text]
    if "split-input-file" in commands:
        chunks = [chunk for file in files for chunk in split(file)]
    else:
        chunks = files
    return [_outcome(chunk, path.name, unregistered, with_passes) for chunk in chunks]


def _has_passes(commands: str) -> bool:
    """Return whether a RUN line asks for more than reading and writing."""
    flags = [word for word in commands.split() if word.startswith("-")]
    return any(_NEUTRAL_FLAGS.match(flag.split("=")[0]) is None for flag in flags)


def _outcome(text: str, file: str, unregistered: bool, with_passes: bool) -> Outcome:
    if not _without_comments(text).strip():
        return Outcome("passed")
    context = universe.context(allow_unregistered=unregistered)
    expected = _expected_errors(text, file)
    try:
        fixed, errors = _round_trip(text, file, context)
    except UserError as error:
        fixed, errors = None, [error]
    except RecursionError:
        return Outcome("failed", "nested too deep")
    if errors:
        if _is_foreign(text):
            return Outcome("foreign")
        found = [Diagnostic("error", error.message, error.position) for error in errors]
        if expected and not compare(expected, found):
            return Outcome("rejected as expected")
        return Outcome("failed", f"{errors[0].position}: {errors[0].message}")
    if expected:
        if with_passes:
            return Outcome("needs a pass")
        return (
            Outcome("foreign")
            if _is_foreign(text)
            else Outcome("failed", f"accepted, but expected: {expected[0].message}")
        )
    return Outcome("passed") if fixed is None else Outcome("failed", fixed)


def _expected_errors(text: str, file: str) -> list[Expected]:
    """Return the errors that a chunk announces, dialects named as today."""
    lines = (
        _OLD_NAME.sub(lambda m: RENAMED_DIALECTS[m[1]] + ".", line) if "expected-" in line else line
        for line in text.split("\n")
    )
    found = find_expected("\n".join(lines), file)
    return [e for e in found if e.severity == "error" and e.message not in _FOLLOW_UPS]


def _round_trip(text: str, file: str, context: Context) -> tuple[str | None, Sequence[UserError]]:
    """Return what differs when our text of a chunk is read again, and what does not verify."""
    module = parse_module(text, context, file=file)
    version = min(version_read(module), release())
    errors = verify_all(module, lambda op: position_of(op, text, context, file=file))
    if errors:
        return None, errors
    for debug_info in (False, True):
        first = print_module(module, version=version, debug_info=debug_info)
        try:
            again = parse_module(first, context, file="printed")
        except UserError as error:
            return f"our text does not parse: {error.position}: {error.message}", ()
        second = print_module(again, version=version, debug_info=debug_info)
        if first != second:
            pairs = zip(first.splitlines(), second.splitlines(), strict=False)
            line = next((f"{a!r} became {b!r}" for a, b in pairs if a != b), "length")
            return f"not a fixed point: {line[:200]}", ()
    return None, ()


def _is_foreign(text: str) -> bool:
    """Return whether a chunk uses dialects that are not modelled."""
    text = _without_comments(text)
    known = {*universe.DIALECTS, *RENAMED_DIALECTS}
    used = {*_OP.findall(text), *_ATTRIBUTE.findall(text)}
    return bool(used - known)


def _without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*", "", text)


def _print_table(counts: Counts) -> None:
    table = Table("folder", *OUTCOMES, "share")
    total: Counter[str] = Counter()
    for folder in sorted(counts):
        total.update(counts[folder])
        table.add_row(folder, *_cells(counts[folder]))
    table.add_section()
    table.add_row("all", *_cells(total))
    Console().print(table)


def _cells(count: Counter[str]) -> list[str]:
    judged, good = judged_and_good(count)
    share = f"{100 * good / judged:.1f} %" if judged else "-"
    return [*(str(count[kind]) for kind in OUTCOMES), share]


if __name__ == "__main__":
    sys.exit(main())
