"""
What carrying layouts back saves in the TTGIR of the real backend, and what raising it finds.

For all `.ttgir` in FOLDER/xpu and its `corpus`: conversions and bytes through shared memory before
and after `xtriton-propagate-layouts-back`, by its own model of costs, and tensors of pointers with
a layout that become block pointers with it. The interpreter judges every changed kernel.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation

from measurements.figures import Bar, Figure, kernels, percent, progress
from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.analysis.intel.accesses import is_block_pointer, tensor_type
from xtriton.analysis.intel.costs import module_cost
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import check_equivalent
from xtriton.transforms.intel.block_io.materialize_block_pointer import MaterializeBlockPointerPass
from xtriton.transforms.intel.layouts.propagate_layouts_back import PropagateLayoutsBackPass
from xtriton.transforms.raising.triton_raise_block_pointer import TritonRaiseBlockPointerPass
from xtriton.universe import context


def measure(data: Path) -> Iterator[Figure]:
    """Yield what is saved, and what is raised."""
    sys.setrecursionlimit(10_000)
    files = [*kernels(data, "xpu/*.ttgir"), *kernels(data, "xpu/corpus/*/*.ttgir")]
    texts = [path.read_text() for path in files]
    yield from _carried(texts)
    yield from _raised(texts)


def _carried(texts: list[str]) -> Iterator[Figure]:
    counts: Counter[str] = Counter()
    for text in progress(texts, "layouts carried back"):
        before, after = _parsed(text), _parsed(text)
        PropagateLayoutsBackPass().apply(context(), after)
        verify(after)
        costs = [module_cost(m, axis_analysis(m, "intel")) for m in (before, after)]
        conversions = [_conversions(m) for m in (before, after)]
        counts["converting"] += conversions[0] > 0
        for when, cost, number in zip(("before", "after"), costs, conversions, strict=True):
            counts[f"shared {when}"] += cost.shared
            counts[f"total {when}"] += cost.total
            counts[f"conversions {when}"] += number
        counts["worse"] += costs[1].total > costs[0].total
        if conversions[1] < conversions[0]:
            counts["better"] += 1
            counts["same"] += bool(check_equivalent(before, after, count=1))
    yield _less(counts, "conversions", "")
    yield _less(counts, "shared", "bytes through shared memory")
    yield _less(counts, "total", "bytes moved, by the model of costs")
    note = f"of {counts['converting']} that have conversions"
    yield Figure("kernels in which layouts are carried back", counts["better"], note=note)
    yield Figure("kernels that cost more afterwards", counts["worse"], "", 0, Bar.AT_MOST)
    yield _judged("of these, same results", counts["same"], counts["better"])


def _raised(texts: list[str]) -> Iterator[Figure]:
    counts: Counter[str] = Counter()
    for text in progress(texts, "raised with their layouts"):
        before, after = _parsed(text), _parsed(text)
        pointers = [op for op in _accesses(before) if not is_block_pointer(op.operands[0].type)]
        counts["pointers"] += len(pointers)
        TritonRaiseBlockPointerPass().apply(context(), after)
        verify(after)
        MaterializeBlockPointerPass().apply(context(), after)
        pairs = [
            (old, new)
            for old, new in zip(_accesses(before), _accesses(after), strict=True)
            if is_block_pointer(new.operands[0].type) and not is_block_pointer(old.operands[0].type)
        ]
        counts["raised"] += len(pairs)
        counts["layout kept"] += sum(_encoding(old) == _encoding(new) for old, new in pairs)
        counts["new blocks"] += sum(
            "ttig.block_io" in new.attributes and "ttig.block_io" not in old.attributes
            for old, new in pairs
        )
        if pairs:
            counts["kernels"] += 1
            counts["same"] += bool(check_equivalent(before, after, count=1))
    note = f"of {counts['pointers']} through tensors of pointers"
    yield Figure("accesses raised in TTGIR", counts["raised"], note=note)
    yield _judged("of these, layout kept", counts["layout kept"], counts["raised"])
    yield Figure("new 2D block accesses by raising", counts["new blocks"])
    yield _judged("raised kernels, same results", counts["same"], counts["kernels"])


def _judged(name: str, part: int, whole: int) -> Figure:
    return Figure(name, percent(part, whole), "%", 100, Bar.AT_LEAST, f"{part} of {whole}")


def _less(counts: Counter[str], key: str, name: str) -> Figure:
    before, after = counts[f"{key} before"], counts[f"{key} after"]
    note = f"{before:,} to {after:,}"
    return Figure(f"{name or key}, less", percent(before - after, before), "%", note=note)


def _parsed(text: str) -> ModuleOp:
    return parse_module(text, context())


def _conversions(module: ModuleOp) -> int:
    return sum(op.name == "ttg.convert_layout" for op in module.walk())


def _accesses(module: ModuleOp) -> list[Operation]:
    names = ("tt.load", "tt.store")
    found = [op for op in module.walk() if op.name in names]
    return [op for op in found if tensor_type(op.operands[0].type) is not None]


def _encoding(op: Operation) -> Attribute | None:
    type = tensor_type(op.operands[0].type)
    return None if type is None else type.encoding
