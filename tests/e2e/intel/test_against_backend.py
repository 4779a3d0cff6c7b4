"""
Our passes against what Intel's XPU backend made of the same modules.

Needs the folder that `XTRITON_SHARED` names: pairs of modules before and after one pass, and
kernels with their TTGIR. Equal means: up to the names of values and the order of independent
ops, as `scripts/compare_pass_pairs.py` has it.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from xtriton.analysis.intel.accesses import tensor_type
from xtriton.analysis.intel.device import PVC
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import rules_of
from xtriton.passes.manager import apply_step, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.transforms.intel.verdicts import device_report, device_verdicts
from xtriton.universe import context

SHARED = os.environ.get("XTRITON_SHARED")
XPU = Path(SHARED, "xpu") if SHARED else Path("nowhere")
PASSES = (
    "arith-emulate-unsupported-floats",
    "canonicalize",
    "convert-triton-to-tritongpu",
    "cse",
    "inline",
    "sccp",
    "triton-annotate-module",
    "triton-intel-block-pointer-to-tdesc",
    "triton-intel-remove-masks",
    "triton-intel-tdesc-to-block-pointer",
    "triton-licm",
    "tritongpu-optimize-dot-operands",
    "tritongpu-reorder-instructions",
    "tritonintelgpu-accelerate-matmul",
    "tritonintelgpu-coalesce",
    "tritonintelgpu-materialize-block-pointer",
    "tritonintelgpu-pipeline",
    "tritonintelgpu-reduce-data-duplication",
    "tritonintelgpu-remove-layout-conversions",
    "tritonintelgpu-rewrite-tensor-pointer",
)
KERNELS = sorted(XPU.glob("*.ttir"))
CORPUS = sorted(XPU.glob("corpus/*/*.ttgir"))

pytestmark = pytest.mark.skipif(
    not KERNELS, reason="XTRITON_SHARED names no folder with modules of the XPU backend"
)


def read(path: Path) -> ModuleOp:
    return parse_module(path.read_text(), context(), file=str(path))


@pytest.mark.parametrize("name", PASSES)
def test_pairs(name: str, compare: ModuleType):
    unequal: list[str] = []
    pairs = list(compare.pairs(XPU / "passes" / name))
    for before, after in pairs:
        module = read(before)
        with rules_of(compare.REFERENCE):
            for step in make_steps(parse_pipeline(compare.command_of(before.read_text()))):
                apply_step(step, context(), module)
        verify(module)
        if not compare.canonically_equal(module, read(after)):
            unequal.append(before.name)
    assert pairs
    assert not unequal


def compiled(ttir: Path, warps: int) -> ModuleOp:
    module = read(ttir)
    IntelTTGIRPipelinePass(num_warps=warps).apply(context(), module)
    verify(module)
    return module


@pytest.mark.parametrize("ttir", [pytest.param(p, id=p.stem) for p in KERNELS])
def test_pipeline(ttir: Path, compare: ModuleType):
    warps = re.search(r"\.w(\d+)", ttir.name)
    assert warps is not None
    expected = read(ttir.with_suffix(".ttgir"))
    assert compare.canonically_equal(compiled(ttir, int(warps[1])), expected)


MEMORY = ("tt.load", "tt.store", "ttg.convert_layout", "ttg.local_alloc", "ttig.prefetch")


def accesses(root: Operation) -> Counter[str]:
    """Return what moves data inside `root`, with its layouts, each counted."""
    return Counter(
        f"{op.name} {op.operands[0].type} {op.attributes.get('ttig.block_io')}"
        for op in root.walk()
        if op.name in MEMORY
    )


def gemm(kernel: str, **options: bool) -> ModuleOp:
    module = read(XPU / f"{kernel}.128x128x32.w16.ttir")
    IntelTTGIRPipelinePass(num_warps=16, **options).apply(context(), module)  # pyright: ignore[reportArgumentType]
    verify(module)
    return module


def test_raised_pointers_give_the_same_accesses():
    raised = gemm("gemm_pointers", raise_pointers=True)
    assert accesses(raised) == accesses(gemm("gemm_block_pointers"))


def test_a_version_for_unit_strides_gives_the_same_accesses():
    module = gemm("gemm_pointers_any_strides", raise_pointers=True, version_for_block_io=True)
    (branch,) = (op for op in function_of(module).regions[0].block.ops if op.name == "scf.if")
    fast, slow = branch.regions[0].block, branch.regions[1].block
    counts = sum((accesses(op) for op in fast.ops), Counter[str]())
    assert counts == accesses(gemm("gemm_block_pointers"))
    assert not any("row_major" in text for op in slow.ops for text in accesses(op))


def function_of(module: ModuleOp) -> Operation:
    (function,) = (op for op in module.walk() if op.name == "tt.func")
    return function


def with_blocks_of_256(text: str) -> str:
    """Return a GEMM of ours with blocks of 256x256 instead of 128x128."""
    text = re.sub(r"\b128x|(?<=x)128(?=x)", lambda m: m[0].replace("128", "256"), text)
    text = re.sub(r"(?<=constant )(128|127) ", lambda m: f"{int(m[1]) + 128} ", text)
    return text.replace("end = 128 ", "end = 256 ")


@pytest.mark.parametrize(
    ("kernel", "size"),
    [
        ("gemm_block_pointers", 0),
        ("gemm_descriptors", 0),
        ("gemm_pointers", 32768),
        ("gemm_pointers_any_strides", 32768),
        ("gemm_pointers_unmasked", 0),
        ("gemm_transposed_b_block_pointers", 0),
    ],
)
def test_shared_memory_is_what_the_backend_allocates(kernel: str, size: int):
    # Sizes that the backend gave to GEMMs of 256x256x32 by 32 warps.
    text = with_blocks_of_256((XPU / f"{kernel}.128x128x32.w16.ttir").read_text())
    report = device_report(parse_module(text, context()), context(), PVC, 32)
    assert report.shared_memory.size == size


def corpus_kernel(ttgir: Path) -> tuple[Path, int]:
    """Return the TTIR of a module of the corpus, and its number of warps."""
    name, warps = ttgir.stem.rsplit(".w", 1)
    assert SHARED is not None
    return Path(SHARED, "corpus", ttgir.parent.name, f"{name}.ttir"), int(warps)


def summary(module: ModuleOp) -> Counter[tuple[str, ...]]:
    """Return memory accesses, conversions and products with their layouts, each counted."""
    return Counter(
        (op.name, *(str(v.type) for v in (*op.operands, *op.results)), str(op.attributes))
        for op in module.walk()
        if op.name in ("tt.dot", "tt.load", "tt.reduce", "tt.store")
        or op.name.startswith(("ttg.", "ttig."))
    )


@pytest.mark.parametrize("ttgir", [pytest.param(p, id=p.stem) for p in CORPUS[7::40]])
def test_pipeline_on_real_kernels(ttgir: Path, compare: ModuleType):
    ours = compiled(*corpus_kernel(ttgir))
    expected = read(ttgir)
    assert summary(ours) == summary(expected)
    assert compare.canonically_equal(ours, expected)


@pytest.mark.parametrize("ttgir", [pytest.param(p, id=p.stem) for p in CORPUS[3::60]])
def test_verdicts_are_what_the_backend_did(ttgir: Path):
    ttir, warps = corpus_kernel(ttgir)
    verdicts = device_verdicts(read(ttir), context(), PVC, warps)
    found = Counter((v.kind, v.shape, v.verdict.mode or "") for v in verdicts)
    expected = Counter(
        (op.name.removeprefix("tt."), type.get_shape(), mode_of(op))
        for op in read(ttgir).walk()
        if op.name in ("tt.load", "tt.store")
        and (type := tensor_type(op.operands[0].type)) is not None
    )
    assert found == expected


def mode_of(op: Operation) -> str:
    mode = op.attributes.get("ttig.block_io")
    return mode.data if isinstance(mode, StringAttr) else ""


@pytest.mark.slow
def test_pipeline_on_all_real_kernels(compare: ModuleType):
    equal = compare.canonically_equal
    results: Counter[bool] = Counter()
    for ttgir in CORPUS:
        results[equal(compiled(*corpus_kernel(ttgir)), read(ttgir))] += 1
    assert results[True] == len(CORPUS)
