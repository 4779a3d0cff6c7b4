"""Passes leave what they wrote themselves as it is, but for those listed with a reason."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from xtriton import universe
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.tools import chunks

FILECHECK = Path(__file__).parents[2] / "filecheck"

CHANGE_AGAIN = {
    "sccp": "makes all constants anew and so turns their order around, as MLIR does",
    "test-xtriton-accesses": "names values as the text that it reads does",
    "triton-to-structured": "with its pre-pass, it carries what that hands out once more",
    "tritongpu-prefetch": "leaves products that nobody uses any more, as Triton does",
    "tritonintelgpu-annotate-cache-control": "takes the marks that it finds into account",
    "tritongpu-coalesce": "converts every operand, to the layout that it has if need be, as Triton",
    "tritonintelgpu-coalesce": "the same",
    "tritonintelgpu-pipeline": "fetches once more ahead",
    "xtriton-add-shape-arguments": "adds arguments again",
    "xtriton-intel-ttgir-pipeline": "is many passes",
    "xtriton-split-programs": "splits the programs once more",
    "xtriton-version-kernel": "the version without facts looks like the first kernel",
    "xtriton-version-loops": "the version without facts looks like the first loop",
}

_FLAG = re.compile(r"""--([\w-]+)(?:=("[^"]*"|'[^']*'|\S+))?""")


def passes_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield names and pipelines of the RUN lines that run a single pass and succeed."""
    for line in re.findall(r"RUN: *(xtriton-opt .*)", text):
        flags: list[tuple[str, str]] = _FLAG.findall(line.partition("|")[0])
        found = [(name, value) for name, value in flags if name in universe.PASSES]
        if len(found) == 1 and "--verify-diagnostics" not in line:
            name, value = found[0]
            yield name, f"{name}{{{value.strip(chr(34) + chr(39))}}}"


def cases() -> list[tuple[Path, str]]:
    return [
        (path, pipeline)
        for path in sorted((FILECHECK / "transforms").rglob("*.mlir"))
        for name, pipeline in passes_of(path.read_text(encoding="utf-8"))
        if name not in CHANGE_AGAIN and not name.startswith("test-")
    ]


def transformed(text: str, pipeline: str) -> str:
    context = universe.context(allow_unregistered=True)
    module = parse_module(text, context)
    PassManager(context, make_steps(parse_pipeline(pipeline))).run(module)
    return print_module(module)


@pytest.mark.parametrize("path, pipeline", cases(), ids=lambda value: getattr(value, "stem", value))
def test_second_run_changes_nothing(path: Path, pipeline: str):
    for chunk in chunks.split(path.read_text(encoding="utf-8")):
        try:
            once = transformed(chunk, pipeline)
        except UserError:
            # What a pass refuses has tests of its own.
            continue
        assert transformed(once, pipeline) == once


def test_exceptions_are_passes():
    assert set(CHANGE_AGAIN) <= set(universe.PASSES)
