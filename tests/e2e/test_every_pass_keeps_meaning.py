"""
Every pass keeps what kernels do: each runs on its natural input, executed before and after.

`ROWS` says what each pass is given; a pass without a row fails the test. Besides the kernels
of `meaning/`, the kernels of a pass' own FileCheck test are executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.errors import UserError
from xtriton.interpreter import Program
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import copied
from xtriton.judge import check_equivalent, shared
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.tools import chunks
from xtriton.tools.semantics_check import kernel_names
from xtriton.transforms.intel.releases import RELEASES

TESTS = Path(__file__).parents[1]
TEXTS = {path.stem: path.read_text() for path in sorted((TESTS / "e2e" / "meaning").glob("*.mlir"))}
FILECHECK = {path.stem: path for path in (TESTS / "filecheck").rglob("*.mlir")}

JANUARY = RELEASES["2026-01"]

Steps = tuple[str, ...]

FRONT_END: Steps = ()
TTIR: Steps = ("inline", "canonicalize", "cse", "symbol-dce")
BLOCK_POINTERS: Steps = (*TTIR, "triton-raise-block-pointer")
TENSOR_DESCRIPTORS: Steps = (*TTIR, "triton-raise-tensor-descriptor")
NVIDIA: Steps = (*TTIR, "convert-triton-to-tritongpu{target=cuda:80 num-warps=4}")
LINALG: Steps = (
    *TTIR,
    "triton-to-structured",
    "cse",
    "canonicalize",
    "triton-to-unstructured",
    "triton-arith-to-linalg",
    "structured-to-memref",
    "unstructured-to-memref",
    "triton-ptr-to-memref",
    "reconcile-ptr-casts",
)


@dataclass(frozen=True)
class Row:
    """
    What a pass is given: the kernels of `meaning/` after other passes.

    options: in `{}` as in a pipeline; kernels: all if empty. own: whether the kernels of its
    FileCheck test are executed too. changes: whether it must change one of all these.
    compared: false where the kernel takes other arguments afterwards, and is only verified.
    given: numbers for kernels of the FileCheck test that promise more than they say.
    """

    after: Steps = TTIR
    options: str = ""
    kernels: tuple[str, ...] = ()
    own: bool = True
    changes: bool = True
    compared: bool = True
    given: Mapping[str, dict[int, int]] = field(default_factory=dict[str, dict[int, int]])


GIVEN: dict[str, dict[str, dict[int, int]]] = {
    # The offset of a dimension that wraps is a multiple of its stride.
    # Bounds of a mask are no greater than the block.
    "structured-to-memref": {"wraps": {1: 4}, "load": {1: 2, 2: 3}, "store": {2: 3}},
    # The stride of a batch is taken for a multiple of that of a row.
    "triton-intel-fuse-reshape": {
        "advanced": {2: 96, 3: 32},
        "batch": {2: 96, 3: 32},
    },
}


def lowering(name: str) -> Row:
    """What the lowering to linalg gives a pass."""
    return Row(LINALG[: LINALG.index(name)], given=GIVEN.get(name, {}))


def intel(name: str) -> Row:
    """What the pipeline of the Intel backend gives a pass."""
    names = (*JANUARY.ttir, *JANUARY.ttgir)
    before = [n for n in names[: names.index(name)] if n in universe.PASSES]
    start = FRONT_END if "inline" in before else ("inline",)
    return Row(
        (*start, *(n + INTEL_OPTIONS.get(n, "") for n in before)),
        INTEL_OPTIONS.get(name, ""),
        given=GIVEN.get(name, {}),
    )


def intel_later(following: str) -> Row:
    """What the pipeline gives a pass of later backends, which ran in front of `following`."""
    return Row(intel(following).after)


INTEL_TTGIR: Steps = ("inline", "xtriton-intel-ttgir-pipeline")

INTEL_OPTIONS = {
    "triton-annotate-module": (
        "{min-sg-size=16 support-2d-block-io support-dpas threads-per-warp=16}"
    ),
    "convert-triton-to-tritongpu": "{target=xpu num-warps=4 threads-per-warp=16}",
    "tritonintelgpu-pipeline": "{num-stages=2}",
    "arith-emulate-unsupported-floats": "{source-types=bf16 target-type=f32}",
}

ROWS: dict[str, Row] = {
    # cleanup
    **{
        name: Row(FRONT_END)
        for name in (
            "canonicalize",
            "cse",
            "dce",
            "inline",
            "loop-invariant-code-motion",
            "remove-dead-values",
            "sccp",
        )
    },
    "symbol-dce": Row(("inline",)),
    # on tt
    "triton-combine": Row(),
    "triton-licm": Row(),
    "triton-loop-aware-cse": Row(),
    "triton-loop-unroll": Row(),
    "triton-reorder-broadcast": Row(),
    "triton-rewrite-tensor-descriptor-to-pointer": Row(),
    "triton-rewrite-tensor-pointer": Row(BLOCK_POINTERS),
    # on tt, for Intel
    "triton-intel-descriptor-versioning": Row(),
    "triton-intel-fold-true-cmpi": Row(),
    "triton-intel-prepare-if-combining": Row(),
    "tritonintelgpu-loop-distribute": Row(),
    "triton-intel-reassociate-dot-scale": Row(options="{fast-math=true}"),
    "triton-intel-rewrite-tensor-descriptor-to-pointer": Row(),
    "triton-intel-simplify-signed-arithmetic": Row(),
    # raising
    "test-xtriton-accesses": Row(),
    # The grid is another one; `tests/e2e/passes/test_split_programs.py` compares.
    "xtriton-split-programs": Row(compared=False),
    "triton-raise-block-pointer": Row(),
    "triton-raise-tensor-descriptor": Row(),
    "triton-to-structured": Row(),
    "xtriton-add-shape-arguments": Row(compared=False),
    "xtriton-fold-clamps": Row(),
    "xtriton-fold-picks": Row(),
    "xtriton-simplify-indices": Row(),
    "xtriton-pad-unused-strides": Row(BLOCK_POINTERS),
    "xtriton-version-for-block-io": Row(BLOCK_POINTERS),
    "xtriton-version-kernel": Row(),
    "xtriton-version-loops": Row(),
    # lowering
    **{name: lowering(name) for name in LINALG[7:]},
    # Functions that `structured-to-memref` has not made ones of memrefs.
    "triton-ptr-to-memref": lowering("structured-to-memref"),
    "triton-to-linalg-experimental": Row(),
    "collapse-shape": Row((*LINALG, "cse", "canonicalize")),
    # on ttg, for NVIDIA
    "convert-triton-to-tritongpu": Row(options="{target=cuda:80 num-warps=4}"),
    "test-print-alignment": Row(changes=False),
    "test-print-axis-info": Row(changes=False),
    "test-print-allocation": Row(NVIDIA, changes=False),
    "allocate-shared-memory": Row(NVIDIA),
    "tritongpu-coalesce": Row(NVIDIA),
    "tritongpu-remove-layout-conversions": Row((*NVIDIA, "tritongpu-coalesce")),
    "tritongpu-reduce-data-duplication": Row((*NVIDIA, "tritongpu-coalesce")),
    # on ttg, for Intel
    **{
        name: intel(name)
        for name in sorted({*JANUARY.ttir, *JANUARY.ttgir} & {*universe.PASSES})
        if name.startswith("triton-intel") or name in JANUARY.ttgir
        if name not in ("cse", "canonicalize", "symbol-dce", "sccp", "triton-licm")
        if name != "convert-triton-to-tritongpu"
    },
    "tritonintelgpu-annotate-cache-control": intel_later("tritonintelgpu-reduce-data-duplication"),
    "tritonintelgpu-code-sinking": intel_later("tritongpu-fuse-nested-loops"),
    "tritonintelgpu-fold-fp-to-fp": intel_later("tritonintelgpu-optimize-dot-operands"),
    "tritonintelgpu-hoist-layout-conversions": intel_later("tritonintelgpu-pipeline"),
    "tritonintelgpu-optimize-reduction-locality": intel_later("arith-emulate-unsupported-floats"),
    "tritonintelgpu-reduce-variable-liveness": intel_later("tritongpu-fuse-nested-loops"),
    "tritonintelgpu-rewrite-tensor-pointer": Row(
        (*BLOCK_POINTERS, *(n + INTEL_OPTIONS[n] for n in JANUARY.ttgir[:2]))
    ),
    "tritonintelgpu-stage-large-fma-dots-via-slm": intel_later(
        "tritonintelgpu-materialize-block-pointer"
    ),
    "tritonintelgpu-widen-load-store-encoding": intel_later(
        "tritonintelgpu-remove-layout-conversions"
    ),
    "intel-allocate-shared-memory": Row(INTEL_TTGIR),
    "xtriton-propagate-layouts-back": Row(INTEL_TTGIR),
    "xtriton-intel-ttgir-pipeline": Row(FRONT_END),
    "xtriton-raise-for-block-io": Row(FRONT_END),
}


def run(module: ModuleOp, *steps: str) -> None:
    PassManager(universe.context(), make_steps(parse_pipeline(",".join(steps)))).run(module)


@cache
def prepared(kernel: str, after: Steps) -> Program:
    """Return a kernel of `meaning/` after some passes; effects of its runs are remembered."""
    if after:
        before = prepared(kernel, after[:-1]).module
        assert isinstance(before, ModuleOp)
        module = copied(before)
        run(module, after[-1])
        verify(module)
    else:
        module = parse_module(TEXTS[kernel], universe.context())
    return shared(module)


def own_inputs(name: str) -> Iterator[Program]:
    """Give the modules in the FileCheck test of a pass, where they are valid and execute."""
    if name not in FILECHECK:
        return
    for part in chunks.split(FILECHECK[name].read_text()):
        if "expected-error" not in part and part.strip():
            yield Program(parse_module(part, universe.context(allow_unregistered=True)))


def tolerance(name: str) -> float:
    return float(getattr(universe.pass_class(name), "tolerance", 0.0))


def compare(name: str, before: Program, strict: bool) -> tuple[bool, int]:
    """
    Run a pass; return whether it changed the module, and how many kernels were compared.

    Where `strict`, kernels that cannot be compared, or store nothing, are failures.
    """
    row = ROWS[name]
    original = before.module
    assert isinstance(original, ModuleOp)
    module = copied(original)
    run(module, name + row.options)
    verify(module)
    if module.is_structurally_equivalent(original):
        return False, 0
    if not row.compared:
        return True, 1
    after, compared = Program(module), 0
    for kernel in kernel_names(original):
        try:
            verdict = check_equivalent(
                before,
                after,
                kernel=kernel,
                count=2,
                tolerance=tolerance(name),
                given=None if strict else row.given.get(kernel),
            )
        except UserError:
            if strict:
                raise
            continue
        assert verdict, verdict.render()
        assert not strict or not any("vacuous" in note for note in verdict.notes)
        compared += 1
    return True, compared


def test_every_pass_has_a_row() -> None:
    assert set(universe.PASSES) == set(ROWS)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_pass_keeps_meaning(name: str) -> None:
    row = ROWS[name]
    results = [
        compare(name, prepared(kernel, row.after), strict=True) for kernel in row.kernels or TEXTS
    ]
    if row.own:
        results += [compare(name, p, strict=False) for p in own_inputs(name)]
    changed = [compared for changed, compared in results if changed]
    assert bool(changed) == row.changes
    assert not row.changes or sum(changed)
