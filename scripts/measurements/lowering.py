"""
How kernels lower to upstream MLIR: what is left, who accepts it, what it means, how large and fast.

`mlir-opt-22` and `mlir-opt-19` judge where they are installed. `XTRITON_TRITON_SHARED` names a
checkout of microsoft/triton-shared, whose lit tests are run too. A kernel that only differs in
sums is compared again in wider floats, where no order of additions shows.
"""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import compile_with_mlir
import upstream_lit
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from measurements.figures import Bar, Figure, kernels, percent, progress
from xtriton.errors import UserError
from xtriton.interop import mlir
from xtriton.ir.limits import without_garbage_collection
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import parse_mlir_version
from xtriton.ir.writing.printer import print_module
from xtriton.judge.equivalence import check_equivalent
from xtriton.judge.wider import in_wider_floats
from xtriton.lowering.leftovers import leftovers
from xtriton.lowering.triton_to_linalg import TritonToLinalgExperimentalPass
from xtriton.transforms.cleanup.canonicalize import CanonicalizePass
from xtriton.transforms.cleanup.cse import CSEPass
from xtriton.transforms.raising.triton_to_structured import TritonToStructuredPass
from xtriton.universe import context

CHECKOUT = "XTRITON_TRITON_SHARED"
SIZES = "corpus/triton_shared_sizes.csv"
COMPILED = 50
BUFFERIZE = ("--one-shot-bufferize=allow-return-allocs-from-loops", "-o", os.devnull)
NOT_LOWERING = (TritonToStructuredPass, CSEPass, CanonicalizePass)
"""Passes of the composite that have measurements of their own."""
SHORTEST = 100
"""Input ops below which the time of one kernel says little."""


@dataclass
class Lowered:
    """One kernel, and what became of it."""

    path: Path
    seconds: float
    """In the passes of the lowering itself."""
    whole: float
    """With raising and cleaning up."""
    ops: int
    text: str
    left: set[str]
    """Names of the ops of Triton that are left."""


def measure(data: Path) -> Iterator[Figure]:
    """Yield the figures; `data` holds `corpus` and `xpu`."""
    paths = [*kernels(data), *kernels(data, "xpu/*.ttir")]
    shared = context()
    lower(paths[0], shared)
    done = [lower(path, shared) for path in progress(paths, "lowering")]
    left = sum(bool(kernel.left) for kernel in done)
    yield Figure("kernels lowered whole", percent(len(done) - left, len(done)), "%", 100)
    yield from speed(done)
    yield from sizes(data, done)
    for version in ("22", "19"):
        yield from judged(version, done)
    yield from equality(done)
    yield from compiled(paths)
    yield from upstream()


def lower(path: Path, shared: Context) -> Lowered:
    """Lower one kernel."""
    module = parse_module(path.read_text(), shared, file=str(path))
    ops = sum(1 for _ in module.walk())
    seconds = whole = 0.0
    with without_garbage_collection():
        for step in TritonToLinalgExperimentalPass().steps(module):
            start = time.process_time()
            step.apply(shared, module)
            took = time.process_time() - start
            whole += took
            seconds += 0.0 if isinstance(step, NOT_LOWERING) else took
    names = {op.name for op in leftovers(module)}
    return Lowered(path, seconds, whole, ops, print_module(module), names)


def speed(done: Sequence[Lowered]) -> Iterator[Figure]:
    """Yield microseconds per input op, of the lowering itself and of the whole way."""
    ops = sum(k.ops for k in done)
    total = 1e6 * sum(k.seconds for k in done) / ops
    each = [1e6 * k.seconds / k.ops for k in done if k.ops >= SHORTEST]
    whole = 1e6 * sum(k.whole for k in done) / ops
    yield Figure("lowering, all kernels", total, "µs/op", 40, Bar.AT_MOST)
    yield Figure("lowering, median of the longer", median(each), "µs/op", 40, Bar.AT_MOST)
    yield Figure("the same with raising and cleaning up", whole, "µs/op")


def sizes(data: Path, done: Sequence[Lowered]) -> Iterator[Figure]:
    """Yield the lines that both write, as ratios."""
    with (data / SIZES).open() as table:
        theirs = {
            row["kernel"]: int(row["lines_of_triton_to_linalg_experimental"])
            for row in csv.DictReader(table)
            if row["no_triton_op_left"] == "1"
        }
    pairs = [
        (lines(k.text), theirs[name], name)
        for k in done
        if (name := f"{k.path.parent.name}/{k.path.name}") in theirs and not k.left
    ]
    ratio = sum(ours for ours, _, _ in pairs) / sum(other for _, other, _ in pairs)
    yield Figure(f"lines beside triton-shared's, {len(pairs)} kernels", ratio, "", 1.3, Bar.AT_MOST)
    worst, name = max((ours / other, name) for ours, other, name in pairs)
    yield Figure("the same, largest of a kernel", worst, "", 1.3, Bar.AT_MOST, name)


def lines(text: str) -> int:
    """Return the lines of a module; maps have lines of their own."""
    return len(text.strip().splitlines())


def judged(version: str, done: Sequence[Lowered]) -> Iterator[Figure]:
    """Yield how many modules an MLIR release verifies and bufferizes."""
    judge = mlir.find(f"mlir-opt-{version}")
    if judge is None:
        yield Figure(f"verified by MLIR {version}", 0, note="not installed")
        return
    accepted = 0
    refused = ""
    for kernel in progress(done, f"MLIR {version}"):
        shared = context()
        module = parse_module(kernel.text, shared)
        try:
            judge.run(print_module(module, version=parse_mlir_version(version)), BUFFERIZE)
            accepted += 1
        except UserError as error:
            refused = f"{kernel.path.name}: {error.notes[0]}"
    share = percent(accepted, len(done))
    yield Figure(f"verified and bufferized by MLIR {version}", share, "%", 100, note=refused)


def equality(done: Sequence[Lowered]) -> Iterator[Figure]:
    """Yield how many kernels mean what they meant."""
    equal, rounded, different = 0, 0, list[str]()
    for kernel in progress(done, "equality"):
        if kernel.left:
            continue
        original = parse_module(kernel.path.read_text(), context())
        rewritten = parse_module(kernel.text, context())
        if same(original, rewritten):
            equal += 1
        elif same_in_wider_floats(original, rewritten):
            rounded += 1
        else:
            different.append(kernel.path.name)
    share = percent(equal + rounded, len(done))
    note = ", ".join(different[:4]) or f"{rounded} of them in f64 only, where rounding is no matter"
    yield Figure("equal to the TTIR", share, "%", 100, note=note)


def same(one: ModuleOp, other: ModuleOp) -> bool:
    """Tell whether two kernels do the same, up to what the pass says of sums."""
    tolerance = TritonToLinalgExperimentalPass.tolerance
    return bool(check_equivalent(one, other, tolerance=tolerance))


def same_in_wider_floats(one: ModuleOp, other: ModuleOp) -> bool:
    """Tell the same of the kernels in f64; no if there are none such."""
    wide = in_wider_floats(one), in_wider_floats(other)
    return wide[0] is not None and wide[1] is not None and same(wide[0], wide[1])


def compiled(paths: Sequence[Path]) -> Iterator[Figure]:
    """Yield how many of a sample MLIR's own tools compile to code that computes the same."""
    if mlir.find() is None:
        yield Figure("compiled by mlir-opt and right", 0, note="not installed")
        return
    compile_with_mlir.prepare()
    right, wrong = 0, ""
    for path in progress(paths[:: len(paths) // COMPILED], "mlir-opt to LLVM"):
        try:
            verdict = compile_with_mlir.check(path)
        except compile_with_mlir.NotComparable:
            continue
        except UserError as error:
            verdict = error.message
        right += verdict == "right"
        wrong = wrong if verdict == "right" else f"{path.name}: {verdict}"
    yield Figure("compiled by mlir-opt and right", right, "kernels", COMPILED, note=wrong)


def upstream() -> Iterator[Figure]:
    """Yield what holds of triton-shared's own lit tests."""
    root = os.environ.get(CHECKOUT)
    if root is None:
        yield Figure("CHECK lines of triton-shared", 0, note=f"{CHECKOUT} names no checkout")
        return
    found = list(upstream_lit.verdicts(Path(root), upstream_lit.FOLDERS))
    for name in ("lowers", "verifies", "equal"):
        share = percent(sum(not getattr(v, name) for v in found), len(found))
        yield Figure(f"lit tests of triton-shared: {name}", share, "%", 100)
    share = percent(sum(not v.check for v in found), len(found))
    yield Figure("lit tests of triton-shared: CHECK lines hold", share, "%", 60)
