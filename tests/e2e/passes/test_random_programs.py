"""Kernels that nobody thought of keep their meaning through the passes on TTIR and TTGIR."""

from __future__ import annotations

import random

import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.e2e.passes.random_programs import RandomProgram, launches
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import Options, check_equivalent, shared
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.semantics.tolerance import SUM_TOLERANCE
from xtriton.universe import context

TTIR = (
    "triton-combine",
    "triton-reorder-broadcast",
    "triton-licm",
    "triton-loop-unroll",
    "triton-loop-aware-cse",
    "tritongpu-fuse-nested-loops",
)
CUDA = (
    "tritongpu-coalesce",
    "tritongpu-remove-layout-conversions",
    "tritongpu-optimize-thread-locality",
    "tritongpu-optimize-dot-operands",
    "tritongpu-prefetch",
    "tritongpu-combine-tensor-select-and-if",
    "tritongpu-reorder-instructions",
    "canonicalize",
)


def pipelines(seed: int) -> list[str]:
    """Return passes one by one, in a random order, and the whole way to Intel's TTGIR."""
    draw = random.Random(seed)
    warps = draw.choice((1, 2, 4, 8, 16, 32))
    order = draw.sample(CUDA, len(CUDA))
    convert = f"convert-triton-to-tritongpu{{target=cuda:80 num-warps={warps}}}"
    options = f"num-warps={warps} threads-per-warp={draw.choice((16, 32))}"
    era = draw.choice(("2024-10", "2026-01", "2026-01 raise-pointers"))
    return [
        draw.choice(TTIR),
        ",".join([*draw.sample(TTIR, len(TTIR)), convert, *order]),
        f"xtriton-intel-ttgir-pipeline{{{options} num-stages={draw.randint(1, 3)} era={era}}}",
    ]


def left_behind(module: ModuleOp) -> list[str]:
    """Return the ops that use values of a module without being in it."""
    inside = set(module.walk())
    values = [r for op in inside for r in op.results]
    values += [a for op in inside for r in op.regions for b in r.blocks for a in b.args]
    return [u.operation.name for v in values for u in v.uses if u.operation not in inside]


@pytest.mark.parametrize("seed", range(30))
def test_random_program(seed: int) -> None:
    text = RandomProgram(seed).text()
    original = shared(parse_module(text, context()))
    for pipeline in pipelines(seed):
        ctx = context()
        module = parse_module(text, ctx)
        PassManager(ctx, make_steps(parse_pipeline(pipeline))).run(module)
        verify(module)
        assert not left_behind(module)
        options = Options(count=2, tolerance=16 * SUM_TOLERANCE)
        verdict = check_equivalent(original, module, launches=list(launches(seed)), options=options)
        assert verdict, f"{pipeline}: {verdict.render()}\n{text}"
