"""Raising real kernels: tiers, formulas against traced addresses, meaning kept, and time."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from statistics import median
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from measurements import ROOT
from measurements.figures import Bar, Figure, kernels, percent, progress, rows
from xtriton.analysis.accesses import Access, Accesses
from xtriton.analysis.classify import Tier
from xtriton.analysis.report import kernels as functions
from xtriton.corpus.jobs import Settings
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import check_equivalent
from xtriton.transforms.raising.triton_to_structured import TritonToStructuredPass
from xtriton.transforms.raising.versioning.guards import quotients
from xtriton.transforms.raising.xtriton_version_kernel import is_simple, version_kernel
from xtriton.universe import context

RAISED = (Tier.BLOCK, Tier.WRAPPED_BLOCK)
LOOPS = ("scf.for", "scf.while")


def measure(data: Path) -> Iterator[Figure]:
    """Yield the figures of raising; the comparisons run every kernel of the corpus."""
    paths = kernels(data)
    yield from tiers(paths)
    yield from tiers_with_guards(paths)
    yield from own_kernels()
    yield from speed()
    yield from raised(data)
    yield from addresses(paths)


def read(path: Path) -> ModuleOp:
    return parse_module(path.read_text(), context(), file=str(path))


def tensor_accesses(accesses: Accesses) -> Iterator[Access]:
    """Yield the loads and stores of tensors."""
    return (a for a in accesses.all if a.shape and a.kind != "atomic")


# --- tiers ----------------------------------------------------------------------------


def tiers(paths: list[Path]) -> Iterator[Figure]:
    """Yield the share of each tier, and of blocks among accesses that are not the common ones."""
    found: Counter[str] = Counter()
    apart: dict[str, list[bool]] = {"in loops": [], "of rank 2 and more": [], "with // or %": []}
    for path in progress(paths, "tiers"):
        for function in functions(read(path)):
            for access in tensor_accesses(Accesses(function)):
                found[kind_of(access)] += 1
                for sort in sorts_of(access):
                    apart[sort].append(access.tier in RAISED)
    total = found.total()
    good = sum(n for kind, n in found.items() if "block" in kind)
    yield Figure("accesses of tensors", total)
    yield Figure("block or wrapped block", percent(good, total), "%", 90.0)
    for kind, n in found.most_common():
        yield Figure(f"  {kind}", percent(n, total), "%")
    for sort, raised in apart.items():
        share = percent(sum(raised), len(raised))
        yield Figure(f"block or wrapped block {sort}", share, "%", note=f"of {len(raised)}")
    yield Figure("opaque", found["opaque"], "", 0, Bar.AT_MOST)
    yield Figure("gathers", found["gather"], "", 90, Bar.AT_MOST)


def kind_of(access: Access) -> str:
    """Return the tier of an access and how its block has to be seen."""
    form = access.form
    reshaped = ", reshaped" if form.is_reshaped else ""
    in_parts = ", in parts" if form.parts else ""
    return form.tier.value + reshaped + in_parts


def sorts_of(access: Access) -> Iterator[str]:
    """Yield what is unusual about an access."""
    if any(op.name in LOOPS for op in parents(access.op)):
        yield "in loops"
    if sum(n > 1 for n in access.shape) > 1:
        yield "of rank 2 and more"
    if any(True for _ in quotients(access.form.offset)):
        yield "with // or %"


def parents(op: Operation) -> Iterator[Operation]:
    parent = op.parent_op()
    while parent is not None:
        yield parent
        parent = parent.parent_op()


def tiers_with_guards(paths: list[Path]) -> Iterator[Figure]:
    """Yield the share of blocks where each access counts as in the version that a guard allows."""
    good = total = versioned = 0
    for path in progress(paths, "tiers with guards"):
        for function in functions(read(path)):
            guards = version_kernel(function) if is_simple(function) else None
            versioned += guards is not None
            for access in tensor_accesses(Accesses(function)):
                if guards is None or is_in_first_version(access.op, function):
                    total += 1
                    good += access.tier in RAISED
    share = percent(good, total)
    yield Figure("block or wrapped block under guards", share, "%", 90.0)
    yield Figure("kernels with a second version", versioned)


def is_in_first_version(op: Operation, function: Operation) -> bool:
    region, parent = op.parent_region(), op.parent_op()
    while parent is not None and parent.parent_op() is not function:
        region, parent = parent.parent_region(), parent.parent_op()
    return parent is not None and parent.name == "scf.if" and region is parent.regions[0]


def own_kernels() -> Iterator[Figure]:
    """Yield the same of the kernels under `tests/e2e/raising`, which are hard to raise."""
    if find_spec("triton") is None:
        return
    tests: Any = import_module("tests.e2e.raising.test_raised_kernels")
    found: Counter[str] = Counter()
    named = list(tests.kernels())
    left = 0
    for name, kernel in progress(named, "own kernels"):
        module = parse_module(tests.ttir_of(name, kernel), context())
        for function in functions(module):
            found.update(map(kind_of, tensor_accesses(Accesses(function))))
        TritonToStructuredPass().apply(context(), module)
        left += len(tests.unraised(module))
    good = sum(n for kind, n in found.items() if "block" in kind)
    yield Figure("own kernels", len(named), "", 100)
    share = percent(good, found.total())
    yield Figure("block or wrapped block in own kernels", share, "%", note=f"of {found.total()}")
    yield Figure("accesses of own kernels that stay", left)


# --- time -----------------------------------------------------------------------------


def speed() -> Iterator[Figure]:
    """Yield how the cost of an op grows with the kernel."""
    per_op: dict[int, float] = {}
    for count in (1_000, 10_000):
        trials = [seconds_to_raise(parse_module(long_kernel(count), context())) for _ in range(5)]
        per_op[count] = 1e6 * median(trials) / count
    yield Figure("cost of an op at 10,000", per_op[10_000], "µs", 100, Bar.AT_MOST)
    growth = per_op[10_000] / per_op[1_000]
    yield Figure("cost of an op, 10,000 ops against 1,000", growth, "times", 1.5, Bar.AT_MOST)


def seconds_to_raise(module: ModuleOp) -> float:
    dialects = context()
    start = time.process_time()
    TritonToStructuredPass().apply(dialects, module)
    return time.process_time() - start


def long_kernel(ops: int) -> str:
    """Return a kernel of about so many ops: masked copies one after the other."""
    block = "tensor<64x!tt.ptr<f32>>"
    lines = [
        "tt.func @long(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {",
        "  %pid = tt.get_program_id x : i32",
        "  %size = arith.constant 64 : i32",
        "  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>",
        "  %start = arith.muli %pid, %size : i32",
        f"  %ps = tt.splat %p : !tt.ptr<f32> -> {block}",
        f"  %qs = tt.splat %q : !tt.ptr<f32> -> {block}",
        "  %ns = tt.splat %n : i32 -> tensor<64xi32>",
    ]
    for k in range(ops // 10):
        lines += [
            f"  %c{k} = arith.constant {7 * k} : i32",
            f"  %o{k} = arith.addi %start, %c{k} : i32",
            f"  %s{k} = tt.splat %o{k} : i32 -> tensor<64xi32>",
            f"  %i{k} = arith.addi %s{k}, %r : tensor<64xi32>",
            f"  %m{k} = arith.cmpi slt, %i{k}, %ns : tensor<64xi32>",
            f"  %a{k} = tt.addptr %ps, %i{k} : {block}, tensor<64xi32>",
            f"  %x{k} = tt.load %a{k}, %m{k} : {block}",
            f"  %y{k} = arith.addf %x{k}, %x{k} : tensor<64xf32>",
            f"  %d{k} = tt.addptr %qs, %i{k} : {block}, tensor<64xi32>",
            f"  tt.store %d{k}, %y{k}, %m{k} : {block}",
        ]
    return "\n".join([*lines, "  tt.return", "}"])


# --- meaning --------------------------------------------------------------------------


def raised(data: Path) -> Iterator[Figure]:
    """Yield how long raising takes, and how many kernels do something else raised."""
    name = TritonToStructuredPass.name
    found = rows(data, [name], Settings(check=3))
    times = [json.loads(str(row["pass_seconds"]))[name] for row in found if row["status"] == "ok"]
    yield Figure("analysis and rewriting, median", 1000 * median(times), "ms", 10, Bar.AT_MOST)
    different = [str(row["kernel"]) for row in found if row["verdict"] != "same"]
    note = ", ".join(different[:3])
    yield Figure("raised kernels that differ", len(different), "", 0, Bar.AT_MOST, note)


def addresses(paths: list[Path]) -> Iterator[Figure]:
    """Yield how many kernels do something else with the addresses of their formulas."""
    name, change = "kernels with addresses other than their formulas", formulas()
    different = [
        path
        for path in progress(paths, name)
        if not stays_equal(path, change.compute_from_formulas)
    ]
    note = ", ".join(path.stem for path in different[:3])
    yield Figure(name, len(different), "", 0, Bar.AT_MOST, note)


def stays_equal(path: Path, change: Callable[[ModuleOp], object]) -> bool:
    """Tell whether a kernel does the same after a change, for every launch that is drawn."""
    before, after = read(path), read(path)
    try:
        change(after)
        return bool(check_equivalent(before, after))
    except UserError:
        return False


def formulas() -> Any:
    """Return the module of the tests that computes addresses from formulas."""
    path = ROOT / "tests/e2e/raising/formulas.py"
    spec = spec_from_file_location("formulas", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
