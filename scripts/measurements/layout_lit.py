"""
How much of upstream's lit tests of layouts and of the Intel passes holds.

They are run where XTRITON_CHECKOUTS names a folder with a checkout of
intel/intel-xpu-backend-for-triton of 20 January 2026 whose name begins with 3.7, and one of
20 August 2026 whose name begins with 3.9: each by the rules of its release.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import upstream_layout_lit as lit

from measurements.figures import Bar, Figure, percent, progress
from xtriton.ir.versions import Version, version_text

CHECKOUTS = "XTRITON_CHECKOUTS"
RELEASE = (3, 7)
LATER_RELEASE = (3, 9)

CORE_FOLDERS = ("TritonGPU/", "Triton/", "Analysis/")
"""What the later checkout is measured by besides the whole."""

BY_THEIR_TESTS_ALONE = {
    "tritongpu-optimize-thread-locality": "TritonGPU/optimize-locality.mlir",
    "tritongpu-combine-tensor-select-and-if": "TritonGPU/combine-select-if.mlir",
    "tritongpu-fuse-nested-loops": "TritonGPU/fuse-nested-loops.mlir",
    "tritonintelgpu-optimize-dot-operands": "TritonIntelGPU/dot-operands.mlir",
}
"""Passes of which there are no pairs."""


def measure(_: Path) -> Iterator[Figure]:
    """Yield the shares that hold, of the reference first, then of the later checkout."""
    yield from _reference()
    yield from _later()


def _reference() -> Iterator[Figure]:
    checkout = _checkout(RELEASE)
    if checkout is None:
        yield Figure("lit tests of layouts", 0, note=f"{CHECKOUTS} names no checkout of 3.7")
        return
    tests = lit.files(checkout)
    found = [lit.run(path, checkout, RELEASE) for path in progress(tests, "lit tests")]
    yield from _shares(found)
    for name, file in BY_THEIR_TESTS_ALONE.items():
        one = lit.of_folder(found, file)
        share = percent(one.held, one.expectations)
        yield Figure(f"expectations of {name}", share, "%", 100)
    apart = sum(bool(file.missing) for file in found)
    yield Figure("files for passes that xtriton does not have", apart)


def _later() -> Iterator[Figure]:
    checkout = _checkout(LATER_RELEASE)
    if checkout is None:
        return
    tests = lit.files(checkout)
    found = [lit.run(path, checkout, LATER_RELEASE) for path in progress(tests, "lit of 3.9")]
    for folder in (*CORE_FOLDERS, ""):
        part = lit.of_folder(found, folder)
        yield Figure(
            f"expectations of test/{folder or '*'} of 3.9 that hold",
            percent(part.held, part.expectations),
            "%",
            lit.BAR,
            note=f"{part.held:,} of {part.expectations:,}",
        )
    crashes = lit.of_folder(found, "").crashes
    yield Figure("crashes on lit tests of 3.9", crashes, "", 0, Bar.AT_MOST)


def _shares(found: Sequence[lit.File]) -> Iterator[Figure]:
    whole = lit.of_folder(found, "")
    for folder in ("TritonIntelGPU", "Triton/Intel", ""):
        part = lit.of_folder(found, folder)
        name = f"expectations of test/{folder or '*'} that hold"
        note = f"{part.held:,} of {part.expectations:,}"
        share = percent(part.held, part.expectations)
        yield Figure(name, share, "%", lit.BAR, note=note)
    good = len(whole.pieces) - len(whole.failures)
    note = f"{good:,} of {len(whole.pieces):,}"
    yield Figure("functions all of whose expectations hold", percent(good, len(whole.pieces)), "%",
                 lit.BAR, note=note)  # fmt: skip
    yield Figure("crashes", whole.crashes, "", 0, Bar.AT_MOST)


def _checkout(release: Version) -> Path | None:
    folder = os.environ.get(CHECKOUTS)
    roots = sorted(Path(folder).glob(f"{version_text(release)}*")) if folder else []
    return next((root for root in roots if (root / "test/TritonIntelGPU").is_dir()), None)
