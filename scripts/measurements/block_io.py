"""
How many accesses are 2D block accesses: as the kernel is, raised, and with a version for that.

Compiles all kernels of which FOLDER/xpu has a `.ttgir` of the backend with the options
`raise-pointers` and `version-for-block-io` of the pipeline. Where these make more 2D block
accesses, the interpreter judges the result.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from measurements.figures import Bar, Figure, kernels, percent, progress
from measurements.layouts import source_of, warps_of
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import check_equivalent
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.universe import context

_WAYS = {
    "as it is": (False, False),
    "raised": (True, False),
    "raised, with a version": (True, True),
}
"""The options of the pipeline."""


def measure(data: Path) -> Iterator[Figure]:
    """Yield the counts."""
    sys.setrecursionlimit(10_000)
    files = [*kernels(data, "xpu/*.ttgir"), *kernels(data, "xpu/corpus/*/*.ttgir")]
    found: Counter[str] = Counter()
    for ttgir in progress(files, "2D block accesses"):
        text, warps = source_of(data, ttgir).read_text(), warps_of(ttgir)
        most = 0
        for way, (raising, version) in _WAYS.items():
            module = _parsed(text)
            IntelTTGIRPipelinePass(
                num_warps=warps, raise_pointers=raising, version_for_block_io=version
            ).apply(context(), module)
            verify(module)
            blocks = _blocks(module)
            found[way] += blocks
            if raising and blocks > most:
                found[f"more {way}"] += 1
                found[f"same {way}"] += bool(check_equivalent(_parsed(text), module, count=1))
            most = max(most, blocks)
    for way in _WAYS:
        better = found[f"more {way}"]
        note = f"more in {better} kernels" if better else ""
        yield Figure(f"2D block accesses, {way}", found[way], note=note)
    for way in [way for way in _WAYS if found[f"more {way}"]]:
        part, whole = found[f"same {way}"], found[f"more {way}"]
        share, note = percent(part, whole), f"{part} of {whole}"
        yield Figure(f"kernels {way}, same results", share, "%", 100, Bar.AT_LEAST, note)


def _parsed(text: str) -> ModuleOp:
    return parse_module(text, context())


def _blocks(module: ModuleOp) -> int:
    return sum(
        "ttig.block_io" in op.attributes
        for op in module.walk()
        if op.name in ("tt.load", "tt.store")
    )
