"""
Run the lit tests of layouts and of the passes on the way to Intel's GPUs.

    python scripts/upstream_layout_lit.py CHECKOUT [--file NAME] [--triton-version 3.7]

CHECKOUT is a checkout of intel/intel-xpu-backend-for-triton; the reference is that of
20 January 2026. The RUN lines of every `.mlir` file of `FOLDERS` run unchanged, in this
process: `xtriton-opt` stands in for `triton-opt`, our FileCheck for LLVM's. A RUN line
counts if xtriton has all of its passes; the others are listed by what they ask for. Each
chunk between `// -----` runs by itself, and each `CHECK-LABEL` of it is judged by itself
(see `xtriton.tools.lit.pieces`). An expectation is a check directive or an expected
diagnostic; of a function that fails those hold that come before the first that does not.

The backend of August 2026 follows the rules of Triton 3.9 but for cache hints, which it reads and
writes as 3.8 does: `--triton-version 3.9 --syntax 3.8`.

Exit code 1 if a tool crashes or less than 80 % of the expectations hold.
"""

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from conformance import version_of
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from xtriton import universe
from xtriton.errors import UserError
from xtriton.ir.versions import Version, rules_of
from xtriton.tools.lit.pieces import Piece, RunLine, run_lines, run_pieces

FOLDERS = ("TritonIntelGPU", "Triton", "TritonGPU", "Analysis", "Conversion")
"""Folders of `test` with layouts, passes on them, and the passes of the Intel pipeline."""

OTHER_BACKENDS = ("amd", "nvidia")

BAR = 80.0

_PLACE = re.compile(r"^\S*/(?=[\w.-]+:\d+)")
"""The folder of a file in a message."""

_SECOND_ERROR = "MLIR tells of a mistake in a second error as well"
_TENSOR_MEMORY = "scales and views of operands in NVIDIA's tensor memory are not done"
_MIXED_SYNTAX = "text of 3.9 for NVIDIA, which the syntax asked for does not have"
_OTHER_CHIP = "an op of another backend"

REASONS = {
    ("TritonGPU/canonicalize.mlir", "test_canonicalize_convert_tmem_store"): (
        "which layouts tensor memory (Blackwell) takes as they are is not known"
    ),
    ("TritonIntelGPU/tritonintelgpu-invalid.mlir", ""): "an alias is read where it is used",
    ("TritonIntelGPU/tritonintelgpu-invalid.mlir", "invalid_desc_gather"): (
        "the error is one, in other words"
    ),
    ("Triton/invalid.mlir", "fn"): _SECOND_ERROR,
    ("Triton/reproducer.mlir", "triton__"): "its pipeline ends in LLVM's dialect",
    ("Triton/Intel/FuseReshape/fuse-reshape.mlir", "fuseLoadWithReshape3"): "truncates unproved",
    ("Triton/Intel/FuseReshape/fuse-reshape.mlir", "fuseLoadWithReshape4"): "truncates unproved",
    ("Triton/Intel/BlockPointerToTensorDesc/basic.mlir", "load"): "truncates unproved",
    ("Triton/Intel/RemoveMasks/unnecessary-masks-predicates.mlir", "test_unsupported_sgt"): (
        "the mask, which is true, is removed here"
    ),
    ("Triton/Intel/fold-true-cmpi.mlir", "loop_carried_cmpi_not_folded"): (
        "MLIR 22 does not make arith.minsi of a comparison and a select"
    ),
    ("TritonGPU/dot-operands.mlir", ""): _TENSOR_MEMORY,
    ("TritonGPU/dot-operands.mlir", "scales_in_shmem"): _TENSOR_MEMORY,
    ("TritonGPU/dot-operands.mlir", "descriptor_load_scales_in_shmem"): _TENSOR_MEMORY,
    ("TritonGPU/dot-operands.mlir", "swizzle0_operand_views"): _TENSOR_MEMORY,
    ("TritonGPU/dot-operands.mlir", "swizzle0_operand_views_warp_group_dot"): _TENSOR_MEMORY,
    ("TritonGPU/ops.mlir", "tmem_subslice_pipeline_stage_chain"): _MIXED_SYNTAX,
    ("TritonGPU/ops.mlir", "tmem_reinterpret_packed_subview_owns_column"): _MIXED_SYNTAX,
    ("TritonGPU/ops.mlir", "tmem_reinterpret_noncontiguous_subview_prefix"): _MIXED_SYNTAX,
    ("TritonGPU/invalid.mlir", "nested_tensordesc"): "read as what older releases write",
    ("TritonGPU/invalid.mlir", "dot_i8_non_mma_layout"): _OTHER_CHIP,
    ("TritonGPU/invalid.mlir", "dot_i8_mismatched_layout"): _OTHER_CHIP,
    ("TritonGPU/invalid.mlir", "dot_i8_invalid_operand_type"): _OTHER_CHIP,
    ("Analysis/test-allocation.mlir", "empty"): "shared memory in partitions, of AMD's GPUs",
    ("Analysis/test-allocation-partitioned.mlir", "partitioned_2p_2g"): (
        "shared memory in partitions, of AMD's GPUs"
    ),
}
"""Why what is known to fail does; the others are printed with what the tool says."""


@dataclass
class File:
    """What came of one test file."""

    name: str
    pieces: list[Piece] = field(default_factory=list[Piece])
    missing: list[str] = field(default_factory=list[str])
    """Passes that xtriton does not have; nothing is run then."""

    @property
    def expectations(self) -> int:
        return sum(piece.expectations for piece in self.pieces)

    @property
    def held(self) -> int:
        return sum(piece.held for piece in self.pieces)

    @property
    def failures(self) -> list[Piece]:
        return [piece for piece in self.pieces if piece.problem]

    @property
    def crashes(self) -> int:
        return sum(piece.crashed for piece in self.pieces)


def main() -> int:
    """Run the tests and print what holds and what does not."""
    arguments = _arguments()
    version = version_of(arguments.triton_version, arguments.checkout)
    tests = files(arguments.checkout, arguments.file)
    found = [
        run(path, arguments.checkout, version, arguments.syntax)
        for path in track(tests, "lit", console=Console(stderr=True), transient=True)
    ]
    console = Console()
    for table in (_holding(found), _failing(found), _apart(found)):
        console.print(table)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([asdict(f) for f in found], indent=1) + "\n")
    held, expectations = sum(f.held for f in found), sum(f.expectations for f in found)
    enough = 100 * held >= BAR * expectations
    return int(not enough or any(f.crashes for f in found))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().partition("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--file", default="", help="only files with this in their path")
    parser.add_argument("--triton-version", help="whose rules hold (default: the checkout's)")
    parser.add_argument("--syntax", help="the release of Triton in whose syntax to write")
    parser.add_argument("--json", type=Path, help="write what came of each function")
    return parser.parse_args()


def files(checkout: Path, part: str = "") -> list[Path]:
    """Return the tests of `FOLDERS` whose path has `part` in it, but those of other backends."""
    root = checkout / "test"
    found = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.mlir"))]
    if not found:
        raise SystemExit(f"error: {root} has none of the folders {', '.join(FOLDERS)}")
    return [
        path
        for path in found
        if part in str(path.relative_to(root)) and not set(OTHER_BACKENDS) & set(path.parts)
    ]


def run(path: Path, checkout: Path, version: Version, syntax: str | None = None) -> File:
    """
    Run the RUN lines of a test by the rules of `version`, if xtriton has their passes.

    What comes of it is written in the syntax of the release `syntax`.
    """
    options = [] if syntax is None else [f"--triton-version={syntax}"]
    result = File(str(path.relative_to(checkout / "test")))
    with tempfile.TemporaryDirectory() as scratch, rules_of(version):
        lines = _lines(path, Path(scratch))
        result.missing = sorted({name for line in lines for name in _missing(line)})
        if lines and not result.missing:
            result.pieces = list(run_pieces(path, Path(scratch), options))
    return result


def _lines(path: Path, scratch: Path) -> list[RunLine]:
    try:
        return run_lines(path, scratch)
    except ValueError:
        return []


def _missing(line: RunLine) -> Iterator[str]:
    """Yield what a RUN line asks for that xtriton does not have."""
    words = line.pipeline.commands[0].words
    if "triton-opt" not in words or len(line.pipeline.commands) > 1:
        yield next((word for word in words if word.startswith("triton-")), words[0])
        return
    try:
        passes = line.passes
    except UserError as error:
        yield error.message
        return
    yield from (name for name in passes if not universe.is_pass(name))


def of_folder(found: Sequence[File], folder: str) -> File:
    """Return the files below a folder of `test`, "" for all of them, as if they were one."""
    pieces = [piece for file in found if file.name.startswith(folder) for piece in file.pieces]
    return File(folder, pieces)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    for column in columns:
        table.add_column(column, justify="left" if column in ("", "reason") else "right")
    return table


def _holding(found: Sequence[File]) -> Table:
    table = _table("What holds", "", "files", "functions", "hold", "expectations", "hold", "%")
    for folder in (*FOLDERS, ""):
        whole = of_folder(found, folder and folder + "/")
        count = sum(bool(f.pieces) and f.name.startswith(whole.name) for f in found)
        good = len(whole.pieces) - len(whole.failures)
        share = 100 * whole.held / max(whole.expectations, 1)
        cells = (count, len(whole.pieces), good, whole.expectations, whole.held, f"{share:.1f}")
        table.add_row(folder or "all", *map(str, cells))
    return table


def _failing(found: Sequence[File]) -> Table:
    table = _table("What does not", "", "RUN", "line", "function", "reason")
    for file in found:
        for piece in file.failures:
            reason = REASONS.get((file.name, piece.name), _PLACE.sub("", piece.problem))
            table.add_row(file.name, str(piece.command + 1), str(piece.line), piece.name, reason)
    return table


def _apart(found: Sequence[File]) -> Table:
    table = _table("Apart, for passes that xtriton does not have", "files", "reason")
    counts = Counter(", ".join(file.missing) for file in found if file.missing)
    for missing, count in counts.most_common():
        table.add_row(str(count), missing)
    return table


if __name__ == "__main__":
    sys.exit(main())
