"""
The road to Intel's TTGIR beside the real backend's, pass by pass and as a whole.

FOLDER/xpu holds what the backend made: `passes/PASS/*.{before,after}.mlir`, dumps of its stages,
and `.ttgir` of our kernels and, in `corpus`, of those in FOLDER/corpus.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median

from compare_pass_pairs import Case, canonically_equal, pair_cases, run, stage_cases
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from measurements.figures import Bar, Figure, kernels, percent, progress
from xtriton.analysis.intel.accesses import tensor_type
from xtriton.analysis.intel.device import PVC
from xtriton.ir.reading.parser import parse_module
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.transforms.intel.verdicts import device_verdicts
from xtriton.universe import context

_MEMORY = ("tt.load", "tt.store", "ttg.convert_layout", "ttg.local_alloc", "ttig.prefetch")
_GROWTH = (1_000, 10_000)
_WARPS_OF_GEMM = 16


def measure(data: Path) -> Iterator[Figure]:
    """Yield the figures of passes, of the pipeline, and of what stands on them."""
    sys.setrecursionlimit(10_000)
    yield from _passes("pairs", list(pair_cases(data / "xpu" / "passes")))
    yield from _passes("stage dumps", list(stage_cases(data / "xpu")))
    yield from _pipeline(data)
    yield from _growth()
    yield from _gemms(data / "xpu")


def _passes(what: str, cases: list[Case]) -> Iterator[Figure]:
    """Compare what each pass makes with what the real one made."""
    equal: dict[str, list[bool]] = defaultdict(list)
    idle: list[bool] = []
    for name, _, pipeline, before, after in progress(cases, what):
        outcome, _ = run(pipeline, before, after, show=False)
        equal[name].append(outcome in ("exact", "canonical"))
        if before == after:
            idle.append(outcome == "exact")
    results = [result for found in equal.values() for result in found]
    yield _share(f"{what} equal", results, 90)
    worst = min(equal, key=lambda name: percent(sum(equal[name]), len(equal[name])))
    yield _share(f"{what} equal, worst pass", equal[worst], 90, worst)
    if idle:
        yield _share(f"{what} in which nothing changes, printed alike", idle, 90)


def _share(name: str, results: list[bool], bar: float, note: str = "") -> Figure:
    count = f"{sum(results)} of {len(results)}"
    note = f"{note}: {count}" if note else count
    return Figure(name, percent(sum(results), len(results)), "%", bar, note=note)


# --- the whole pipeline -----------------------------------------------------------------


def _pipeline(data: Path) -> Iterator[Figure]:
    """Compile all kernels of which there is a `.ttgir` of the backend."""
    own = kernels(data, "xpu/*.ttgir")
    corpus = kernels(data, "xpu/corpus/*/*.ttgir")
    # The first one also loads the passes.
    _compiled(own[0].with_suffix(".ttir").read_text(), warps_of(own[0]))
    milliseconds: list[float] = []
    verdicts: list[bool] = []
    for what, files, bar in (("our kernels", own, 100), ("the corpus", corpus, 95)):
        equal: list[bool] = []
        for ttgir in progress(files, f"pipeline on {what}"):
            text, warps = source_of(data, ttgir).read_text(), warps_of(ttgir)
            expected = _parsed(ttgir.read_text())
            module, seconds = _compiled(text, warps)
            milliseconds.append(1000 * seconds)
            equal.append(canonically_equal(module, expected))
            found = device_verdicts(_parsed(text), context(), PVC, warps)
            said = Counter((v.kind, v.shape, v.verdict.mode or "") for v in found)
            verdicts.append(said == _modes(expected))
        yield _share(f"pipeline on {what}, equal TTGIR", equal, bar)
    yield _share("verdicts that are what the backend did, kernels", verdicts, 100)
    milliseconds.sort()
    yield Figure("pipeline, median", median(milliseconds), "ms", 250, Bar.AT_MOST)
    yield Figure("pipeline, 95th percentile", milliseconds[len(milliseconds) * 95 // 100], "ms")
    yield Figure("pipeline, slowest kernel", milliseconds[-1], "ms")


def source_of(data: Path, ttgir: Path) -> Path:
    """Return the TTIR of what the backend compiled."""
    if ttgir.parent.name == "xpu":
        return ttgir.with_suffix(".ttir")
    return data / "corpus" / ttgir.parent.name / f"{ttgir.stem.rsplit('.w', 1)[0]}.ttir"


def warps_of(ttgir: Path) -> int:
    """Return the warps that a kernel was compiled for, which its file name says."""
    found = re.search(r"\.w(\d+)\.", ttgir.name)
    assert found is not None
    return int(found[1])


def _parsed(text: str) -> ModuleOp:
    return parse_module(text, context())


def _compiled(text: str, warps: int, **options: bool) -> tuple[ModuleOp, float]:
    """Return a kernel as TTGIR, and the seconds that the passes took."""
    module = _parsed(text)
    started = time.process_time()
    IntelTTGIRPipelinePass(num_warps=warps, **options).apply(context(), module)  # pyright: ignore[reportArgumentType]
    return module, time.process_time() - started


def _modes(module: ModuleOp) -> Counter[tuple[str, tuple[int, ...], str]]:
    """Return kind, shape and sort of 2D block access of all accesses, each counted."""
    found: Counter[tuple[str, tuple[int, ...], str]] = Counter()
    for op in module.walk():
        type = tensor_type(op.operands[0].type) if op.name in ("tt.load", "tt.store") else None
        if type is not None:
            mode = op.attributes.get("ttig.block_io")
            text = mode.data if isinstance(mode, StringAttr) else ""
            found[op.name.removeprefix("tt."), type.get_shape(), text] += 1
    return found


# --- growth -----------------------------------------------------------------------------


def _growth() -> Iterator[Figure]:
    """Compile kernels that load, shift and add blocks, all from one pointer."""
    from tests.unit.intel.test_pipeline_cost import kernel

    _compiled(kernel(10), 4)
    per_op = [_compiled(kernel(ops // 6), 4)[1] / ops for ops in _GROWTH]
    note = f"{1e6 * per_op[0]:.0f} µs at {_GROWTH[0]} ops, {1e6 * per_op[1]:.0f} at {_GROWTH[1]}"
    ratio = per_op[1] / per_op[0]
    yield Figure("pipeline, time per op, ten times the ops", ratio, "x", 2, Bar.AT_MOST, note)


# --- raised pointers --------------------------------------------------------------------


def _gemms(folder: Path) -> Iterator[Figure]:
    """Compare GEMMs on pointers with the one on block pointers."""

    def accesses(kernel: str, **options: bool) -> ModuleOp:
        text = (folder / f"{kernel}.128x128x32.w16.ttir").read_text()
        return _compiled(text, _WARPS_OF_GEMM, **options)[0]

    expected = _accesses(accesses("gemm_block_pointers").walk())
    raised = _accesses(accesses("gemm_pointers", raise_pointers=True).walk())
    yield _difference("gemm_pointers, raised", raised, expected)
    module = accesses("gemm_pointers_any_strides", raise_pointers=True, version_for_block_io=True)
    branch = next(op for op in module.walk() if op.name == "scf.if")
    versioned = _accesses(branch.regions[0].walk())
    yield _difference("gemm_pointers_any_strides, version for 2D blocks", versioned, expected)


def _accesses(ops: Iterable[Operation]) -> Counter[str]:
    return Counter(
        f"{op.name} {op.operands[0].type} {op.attributes.get('ttig.block_io')}"
        for op in ops
        if op.name in _MEMORY
    )


def _difference(name: str, found: Counter[str], expected: Counter[str]) -> Figure:
    count = (found - expected).total() + (expected - found).total()
    note = f"of {expected.total()} with block pointers"
    return Figure(f"{name}: other memory operations", count, "", 0, Bar.AT_MOST, note)
