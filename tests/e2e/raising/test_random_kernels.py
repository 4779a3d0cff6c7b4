"""Kernels that nobody thought of: raised to each form, they do what they did before."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.passes import ModulePass

from tests.e2e.raising.random_kernels import RandomKernel, launches
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import Options, check_equivalent, shared
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.transforms.raising.triton_raise_block_pointer import TritonRaiseBlockPointerPass
from xtriton.transforms.raising.triton_to_structured import TritonToStructuredPass
from xtriton.transforms.raising.xtriton_simplify_indices import SimplifyIndicesPass
from xtriton.transforms.raising.xtriton_version_kernel import VersionKernelPass
from xtriton.transforms.raising.xtriton_version_loops import VersionLoopsPass
from xtriton.universe import context

PASSES: dict[str, tuple[ModulePass, ...]] = {
    "structured": (TritonToStructuredPass(),),
    "without affine": (TritonToStructuredPass(affine=False),),
    "versions": (
        VersionKernelPass(unit_strides=True, unwrap=True),
        VersionLoopsPass(),
        TritonToStructuredPass(),
    ),
    "block pointers": (TritonRaiseBlockPointerPass(),),
    "simpler": (SimplifyIndicesPass(),),
}

LOWERING = (
    "inline,canonicalize,cse,symbol-dce,triton-to-structured,cse,canonicalize,triton-to-unstructured,"
    "triton-arith-to-linalg,structured-to-memref,unstructured-to-memref,triton-ptr-to-memref,"
    "reconcile-ptr-casts"
)


FOUND = (Path(__file__).parent / "texts" / "random_lowered.mlir").read_text()
"""One that an earlier generator wrote, and that was once lowered to something else."""


@pytest.mark.parametrize("seed", [*range(52), None])
def test_random_kernel(seed: int | None):
    ctx = context()
    text = FOUND if seed is None else RandomKernel(seed).text()
    original = shared(parse_module(text, ctx))
    draws = list(launches(1207 if seed is None else seed))
    for name in (*PASSES, "lowered"):
        raised = parse_module(text, ctx)
        for one in PASSES.get(name, ()):
            one.apply(ctx, raised)
        if name == "lowered":
            PassManager(ctx, make_steps(parse_pipeline(LOWERING))).run(raised)
        verify(raised)
        # a block pointer takes the sizes of its tensor not to be negative
        fitting = [d for d in draws if name != "block pointers" or min(d.values[4:]) > 0]
        verdict = check_equivalent(original, raised, launches=fitting, options=Options(count=3))
        assert verdict, f"{name}: {verdict.render()}\n{text}"
