"""
Compare passes with what the real ones did: pairs `NN.NAME.before.mlir`, `.after.mlir`.

    python scripts/compare_pass_pairs.py FOLDER [PASS...] [--show] [--unchanged]

FOLDER has one folder per pass. The first line of each `before` is a comment with the command
line (`// xtriton-opt --pass=options`). A pair counts as equal

- exactly: if both print the same, which is equality up to the names of SSA values;
- canonically: if they are equal up to the order of independent ops as well. Within each
  block, ops with effects, regions or no results keep their order; all others may stand
  anywhere that their operands allow. Each block has to have the same ops, dead ones too.

With `--stages`, FOLDER has files `NAME.stages.mlir` instead: the dumps of a pipeline, each
headed by the pass that it comes after. Each pass that xtriton has is run on the dump before,
the first one on `NAME.ttir`, if that is there.

`--show` prints the differences of the first unequal pair of each pass.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import Version, rules_of
from xtriton.ir.writing.printer import print_module
from xtriton.passes.manager import apply_step, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.universe import context, is_pass

_COMMAND = re.compile(r"//.*?--(?P<name>[\w-]+)(?:=\"(?P<options>[^\"]*)\")?\s*$")


REFERENCE: Version = (3, 7)
"""The release whose rules the real passes followed."""


class Canonical:
    """Numbers that are equal for values and ops that are equal up to order."""

    def __init__(self, numbers: dict[object, int]):
        self.numbers = numbers
        self.values: dict[SSAValue, int] = {}
        self.counts: Counter[int] = Counter()

    def number(self, key: object) -> int:
        return self.numbers.setdefault(key, len(self.numbers))

    def block(self, block: Block) -> int:
        for i, argument in enumerate(block.args):
            self.values[argument] = self.number(("argument", depth(block), i, argument.type))
        sequence: list[int] = []
        free: Counter[int] = Counter()
        for op in block.ops:
            key = self.op(op)
            movable = bool(op.results) and not op.regions and is_side_effect_free(op)
            if movable:
                free[key] += 1
            else:
                sequence.append(key)
        types = tuple(argument.type for argument in block.args)
        return self.number((types, tuple(sequence), frozenset(free.items())))

    def op(self, op: Operation) -> int:
        operands = tuple(self.values.get(operand, -1) for operand in op.operands)
        regions = tuple(tuple(self.block(b) for b in region.blocks) for region in op.regions)
        number = self.number(
            (
                op.name,
                operands,
                tuple(op.result_types),
                frozenset(op.properties.items()),
                frozenset(op.attributes.items()),
                regions,
            )
        )
        unique = not is_side_effect_free(op)
        if unique:
            # Two reads of the same place are different values.
            seen = self.number(("times", number, id(self)))
            number = self.number((number, self.count(seen)))
        for i, result in enumerate(op.results):
            self.values[result] = self.number((number, i))
        return number

    def count(self, key: int) -> int:
        self.counts[key] += 1
        return self.counts[key]


def depth(block: Block) -> int:
    count = 0
    parent = block.parent_op()
    while parent is not None and parent.parent is not None:
        count += 1
        parent = parent.parent.parent_op()
    return count


def canonically_equal(a: ModuleOp, b: ModuleOp) -> bool:
    numbers: dict[object, int] = {}
    return Canonical(numbers).op(a) == Canonical(numbers).op(b)


def pairs(folder: Path) -> Iterator[tuple[Path, Path]]:
    for before in sorted(folder.glob("*.before.mlir")):
        yield before, before.with_name(before.name.replace(".before.", ".after."))


_STAGE = re.compile(r"^// -----// IR Dump After \S+ \((?P<name>[\w-]+)\) //----- //$", re.M)


def stages(file: Path) -> Iterator[tuple[str, str, str]]:
    """Return the pass, the module before it and the module after it, for each pass."""
    text = file.read_text(encoding="utf-8")
    found = list(_STAGE.finditer(text))
    ends = [*(m.start() for m in found[1:]), len(text)]
    dumps = [(m["name"], text[m.end() : end]) for m, end in zip(found, ends, strict=True)]
    # Canonicalization inside the inliner dumps functions.
    dumps = [(name, dump) for name, dump in dumps if "module" in dump]
    source = file.with_name(file.name.replace(".stages.mlir", ".ttir"))
    if source.exists():
        dumps.insert(0, ("", source.read_text(encoding="utf-8")))
    for (_, before), (name, after) in pairwise(dumps):
        yield name, before, after


def options_of(name: str, after: str) -> str:
    """Return the options that a pass of the dumps must have had."""
    if name == "convert-triton-to-tritongpu":
        warps = re.search(r'"ttg.num-warps" = (\d+)', after)
        lanes = re.search(r'"ttg.threads-per-warp" = (\d+)', after)
        assert warps
        assert lanes
        return f"{{target=xpu num-warps={warps[1]} threads-per-warp={lanes[1]}}}"
    return {
        "triton-annotate-module": "{min-sg-size=16 support-2d-block-io=true support-dpas=true "
        "support-bf16-conversion=true threads-per-warp=16 target-arch=spir64}",
        "tritonintelgpu-pipeline": "{num-stages=2}",
        "tritongpu-optimize-dot-operands": "{hoist-layout-conversion=true}",
        "arith-emulate-unsupported-floats": "{source-types=bf16 target-type=f32}",
    }.get(name, "")


def command_of(text: str) -> str:
    match = _COMMAND.match(text.partition("\n")[0])
    if match is None:
        raise ValueError("the first line is no command")
    options = match["options"]
    return match["name"] + (f"{{{options}}}" if options else "")


def run(pipeline: str, before: str, after: str, show: bool) -> tuple[str, float]:
    """Return exact, canonical, different or failed, and the seconds that the pass took."""
    ctx = context()
    module, expected = parse_module(before, ctx), parse_module(after, ctx)
    started = time.perf_counter()
    try:
        with rules_of(REFERENCE):
            for step in make_steps(parse_pipeline(pipeline)):
                apply_step(step, ctx, module)
        seconds = time.perf_counter() - started
        verify(module)
        ours, theirs = print_module(module), print_module(expected)
    except Exception:
        if show:
            traceback.print_exc()
        return "failed", time.perf_counter() - started
    if ours == theirs:
        return "exact", seconds
    if canonically_equal(module, expected):
        return "canonical", seconds
    if show:
        diff = difflib.unified_diff(theirs.splitlines(), ours.splitlines(), "real", "ours", n=1)
        print("\n".join(list(diff)[:80]))
    return "different", seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("passes", nargs="*")
    parser.add_argument("--stages", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only", default="", help="only pairs whose name contains this")
    arguments = parser.parse_args()
    sys.setrecursionlimit(10_000)
    results: dict[str, Results] = {}
    cases = stage_cases if arguments.stages else pair_cases
    chosen = cases(arguments.folder, arguments.passes, arguments.only)
    for name, case, pipeline, before, after in chosen:
        found = results.setdefault(name, Results())
        outcome, seconds = run(pipeline, before, after, arguments.show and not found.bad)
        found.counts[outcome] += 1
        found.slowest = max(found.slowest, seconds)
        if outcome in ("different", "failed"):
            found.bad.append(case)
    for name, found in sorted(results.items()):
        print(f"{name:45} {found}")
    return 0


@dataclass
class Results:
    """What came of the cases of one pass."""

    counts: Counter[str] = field(default_factory=Counter[str])
    slowest: float = 0.0
    bad: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        counts = self.counts
        equal = counts["exact"] + counts["canonical"]
        summary = (
            f"{equal:3}/{sum(counts.values()):3} equal ({counts['exact']} exactly), "
            f"{counts['failed']} failed, slowest {self.slowest * 1000:.0f} ms"
        )
        return "\n".join((summary, *(f"    {case}" for case in self.bad)))


Case = tuple[str, str, str, str, str]
"""Pass, name, pipeline, IR before and IR after."""


def stage_cases(folder: Path, passes: Collection[str] = (), only: str = "") -> Iterator[Case]:
    """Return a case for each dump after a pass that xtriton has."""
    for file in sorted(folder.glob("*.stages.mlir")):
        for name, before, after in stages(file):
            wanted = not passes or name in passes
            if wanted and is_pass(name) and only in file.name:
                yield name, file.name, name + options_of(name, after), before, after


def pair_cases(folder: Path, passes: Collection[str] = (), only: str = "") -> Iterator[Case]:
    """Return a case for each pair of a pass that xtriton has."""
    for inner in sorted(p for p in folder.iterdir() if p.is_dir()):
        if (passes and inner.name not in passes) or not is_pass(inner.name):
            continue
        for before, after in pairs(inner):
            if only in before.name:
                text = before.read_text(encoding="utf-8")
                expected = after.read_text(encoding="utf-8")
                yield inner.name, before.name, command_of(text), text, expected


if __name__ == "__main__":
    sys.exit(main())
