"""
Run the lit tests of microsoft/triton-shared with xtriton's tools in place of its own.

    python scripts/upstream_lit.py CHECKOUT [--folder StructuredToMemref ...] [--failures FILE]

CHECKOUT is a checkout of microsoft/triton-shared. The RUN lines of every `.mlir` file
run unchanged, in this process: `xtriton-opt` stands in for `triton-shared-opt`, our own
FileCheck for LLVM's. For each file four questions are answered:

- lowers: does the tool succeed, with no op of Triton's dialects left where the RUN line
  runs the composite pass?
- verifies: does `mlir-opt`, where one is installed, accept what it wrote?
- equal: does `xtriton-check` find no difference between input and output?
- CHECK: do the CHECK lines of the file hold, every one?

Exit code 1 if a file does not lower, does not verify, or differs.
"""

import argparse
import json
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.errors import UserError
from xtriton.interop import mlir
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.wider import in_wider_floats
from xtriton.lowering.leftovers import leftovers
from xtriton.tools.chunks import split
from xtriton.tools.lit.checker import run_filecheck
from xtriton.tools.lit.runner import call_tool, inside
from xtriton.tools.lit.script import read_script
from xtriton.tools.semantics_check import kernel_names

FOLDERS = (
    "StructuredToMemref",
    "TritonArithToLinalg",
    "TritonToLinalgExperimental",
    "UnstructuredToMemref",
)
COMPOSITE = "--triton-to-linalg-experimental"
OPTIONS = ("--split-input-file",)
SUM_TOLERANCE = 2e-3
"""Relative error that another order of sums may make, in the narrowest type tested."""


@dataclass
class Verdict:
    """What came of one file; each answer is "" (yes) or what is wrong."""

    file: str
    lowers: str = ""
    verifies: str = ""
    equal: str = ""
    check: str = ""
    expected_to_fail: bool = False
    notes: list[str] = field(default_factory=list[str])


def main() -> int:
    """Run the files and print the table."""
    arguments = _arguments()
    found: list[Verdict] = []
    folders = arguments.folder or FOLDERS
    for verdict in verdicts(arguments.checkout, folders, arguments.file, not arguments.only_check):
        found.append(verdict)
        if arguments.show:
            _show(verdict)
    _print(found)
    if arguments.failures is not None:
        arguments.failures.write_text(json.dumps([asdict(v) for v in found], indent=1) + "\n")
    return int(any(v.lowers or v.verifies or v.equal for v in found))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])  # pyright: ignore[reportOptionalMemberAccess]
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--folder", action="append", help="only this one; may be repeated")
    parser.add_argument("--file", default="", help="only files with this in their name")
    parser.add_argument("--failures", type=Path, help="write the verdicts as JSON")
    parser.add_argument("--show", action="store_true", help="print what is wrong")
    parser.add_argument("--only-check", action="store_true", help="no MLIR, no execution")
    return parser.parse_args()


def verdicts(
    checkout: Path, folders: Sequence[str] = FOLDERS, name: str = "", execute: bool = True
) -> Iterator[Verdict]:
    """Run the files of some folders of a checkout that have `name` in their name."""
    judge = mlir.find() if execute else None
    for folder in folders:
        for path in sorted((checkout / "test" / "Conversion" / folder).glob("*.mlir")):
            if name in path.name:
                verdict = run_file(path, judge, execute)
                verdict.file = f"{folder}/{path.name}"
                yield verdict


def _show(verdict: Verdict) -> None:
    for name in ("lowers", "verifies", "equal", "check"):
        if getattr(verdict, name):
            print(f"{verdict.file}: {name}: {getattr(verdict, name)}")


def run_file(path: Path, judge: mlir.MlirOpt | None, execute: bool) -> Verdict:
    """Run the RUN lines of one file."""
    verdict = Verdict(path.name)
    text = path.read_text()
    script = read_script(text)
    verdict.expected_to_fail = script.expected_to_fail
    for command in script.commands:
        tool, _, check = command.partition("|")
        words = shlex.split(tool)
        negative = words[0] == "not"
        options = [w for w in words[1 + negative :] if w not in ("%s", "2>&1")]
        output, errors, code = _call(options, path)
        if negative:
            if code == 0:
                verdict.notes.append("is expected to be refused and is lowered")
        elif code != 0:
            verdict.lowers = errors
        composite = any(option.startswith(COMPOSITE) for option in options)
        if code == 0:
            _judge(verdict, text, output, judge, composite, execute)
        checked = errors + output if "2>&1" in words else output
        failed, messages = _filecheck(shlex.split(check)[1:], path, checked)
        if failed:
            verdict.check = messages
    return verdict


def _call(options: list[str], path: Path) -> tuple[str, str, int]:
    with tempfile.TemporaryDirectory() as scratch, inside(Path(scratch)):
        finished = call_tool("xtriton-opt", [*options, str(path.absolute())])
    return finished.output, finished.errors, finished.code


def _filecheck(words: list[str], path: Path, text: str) -> tuple[int, str]:
    return run_filecheck([str(path) if w == "%s" else w for w in words], text)


def _judge(
    verdict: Verdict,
    before: str,
    after: str,
    judge: mlir.MlirOpt | None,
    composite: bool,
    execute: bool,
) -> None:
    """Look at what is left, let MLIR verify it, and execute before and after."""
    if not execute:
        return
    for one, other in zip(split(before), split(after), strict=True):
        original, rewritten = _parse(one), _parse(other)
        left = sorted({op.name for op in leftovers(rewritten)})
        if left and composite:
            verdict.lowers = "left: " + ", ".join(left)
        if not left and judge is not None:
            try:
                judge.verify(other)
            except UserError as e:
                verdict.verifies = "\n".join([e.message, *e.notes])
        _compare(verdict, original, rewritten)


def _parse(text: str) -> ModuleOp:
    return parse_module(text, universe.context())


def _compare(verdict: Verdict, original: ModuleOp, rewritten: ModuleOp) -> None:
    for name in kernel_names(original):
        try:
            found = check_equivalent(original, rewritten, kernel=name, tolerance=SUM_TOLERANCE)
        except UserError as e:
            verdict.notes.append(f"{name} is not executed: {e.message}")
            continue
        verdict.notes.extend(f"{name}: {note}" for note in found.notes)
        if not found and not _same_in_wider_floats(original, rewritten, name):
            verdict.equal = found.render()


def _same_in_wider_floats(original: ModuleOp, rewritten: ModuleOp, name: str) -> bool:
    """Tell whether two kernels differ in rounding only."""
    one, other = in_wider_floats(original), in_wider_floats(rewritten)
    if one is None or other is None:
        return False
    return bool(check_equivalent(one, other, kernel=name, tolerance=SUM_TOLERANCE))


def _print(verdicts: list[Verdict]) -> None:
    table = Table("folder", "files", "lower", "verify", "equal", "not executed", "CHECK lines hold")
    folders = sorted({v.file.partition("/")[0] for v in verdicts})
    for folder in [*folders, ""]:
        some = [v for v in verdicts if v.file.startswith(folder)]
        holds = sum(not v.check for v in some)
        table.add_row(
            folder or "all",
            str(len(some)),
            str(sum(not v.lowers for v in some)),
            str(sum(not v.verifies and not v.lowers for v in some)),
            str(sum(not v.equal for v in some)),
            str(sum(any("not executed" in n for n in v.notes) for v in some)),
            f"{holds} ({holds / max(len(some), 1):.0%})",
        )
    Console(file=sys.stdout).print(table)


if __name__ == "__main__":
    sys.exit(main())
