"""
Compare passes with what the real ones did: pairs `NN.NAME.before.mlir`, `.after.mlir`.

    python scripts/compare_pass_pairs.py FOLDER [PASS...] [--show] [--unchanged]

FOLDER has one folder per pass. The first line of each `before` is a comment with the command
line (`// xtriton-opt --pass=options`). A pair counts as equal

- exactly: if both print the same, which is equality up to the names of SSA values;
- canonically: if they are equal up to the order of independent ops as well. Within each
  block, ops with effects, regions or no results keep their order; all others may stand
  anywhere that their operands allow. Each block has to have the same ops, dead ones too.

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
from collections.abc import Iterator
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from xtriton.ir.parser import parse_module
from xtriton.ir.printer import print_module
from xtriton.ir.verifier import verify
from xtriton.passes.manager import apply_step, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.universe import context

_COMMAND = re.compile(r"//.*?--(?P<name>[\w-]+)(?:=\"(?P<options>[^\"]*)\")?\s*$")


class Canonical:
    """Numbers that are equal for values and ops that are equal up to order."""

    def __init__(self, numbers: dict[object, int]):
        self.numbers = numbers
        self.values: dict[SSAValue, int] = {}

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
        self._counts: Counter[int] = getattr(self, "_counts", Counter())
        self._counts[key] += 1
        return self._counts[key]


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


def command_of(text: str) -> str:
    match = _COMMAND.match(text.partition("\n")[0])
    if match is None:
        raise ValueError("the first line is no command")
    options = match["options"]
    return match["name"] + (f"{{{options}}}" if options else "")


def run(before: Path, after: Path, show: bool) -> tuple[str, float]:
    """Return exact, canonical, different or failed, and the seconds that the pass took."""
    text = before.read_text(encoding="utf-8")
    ctx = context()
    module = parse_module(text, ctx, file=str(before))
    expected = parse_module(after.read_text(encoding="utf-8"), ctx, file=str(after))
    started = time.perf_counter()
    try:
        for step in make_steps(parse_pipeline(command_of(text))):
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
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("passes", nargs="*")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only", default="", help="only pairs whose name contains this")
    arguments = parser.parse_args()
    sys.setrecursionlimit(10_000)
    for folder in sorted(p for p in arguments.folder.iterdir() if p.is_dir()):
        if arguments.passes and folder.name not in arguments.passes:
            continue
        results: Counter[str] = Counter()
        slowest, shown = 0.0, False
        bad: list[str] = []
        for before, after in pairs(folder):
            if arguments.only not in before.name:
                continue
            result, seconds = run(before, after, arguments.show and not shown)
            results[result] += 1
            slowest = max(slowest, seconds)
            if result in ("different", "failed"):
                bad.append(before.name.removesuffix(".before.mlir"))
                shown = True
        total = sum(results.values())
        equal = results["exact"] + results["canonical"]
        print(
            f"{folder.name:45} {equal:3}/{total:3} equal ({results['exact']} exactly), "
            f"{results['failed']} failed, slowest {slowest * 1000:.0f} ms"
        )
        for name in bad:
            print(f"    {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
