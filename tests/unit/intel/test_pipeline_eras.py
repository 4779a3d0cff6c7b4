"""Each era of the pipeline follows the rules of its release of Triton."""

from __future__ import annotations

from pathlib import Path

import pytest

from xtriton.errors import PassFailure
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.transforms.cleanup.canonicalize import CanonicalizePass
from xtriton.transforms.intel.releases import LIVENESS, RELEASES
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.universe import context, is_pass

GEMM = Path(__file__).parents[2] / "e2e" / "intel" / "gemm_pointers.mlir"

DESCRIPTORS = """
tt.func public @f(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32>,
                  %m: i32 {tt.divisibility = 16 : i32}, %s: i64 {tt.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = tt.make_tensor_descriptor %a, [%m, %m], [%s, %c1] : <f16>, <BLOCK>
  %x = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<BLOCK> -> tensor<32x32xf16>
  %y = tt.descriptor_load %d[%m, %c0] : !tt.tensordesc<BLOCK> -> tensor<32x32xf16>
  %z = tt.dot %x, %y, %zeros : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
  %p = tt.splat %c : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  tt.store %p, %z : tensor<32x32x!tt.ptr<f32>>
  tt.return
}
"""

KERNEL = """
tt.func public @k(%p: !tt.ptr<f32>, %x: f32) {
  %same = tt.bitcast %x : f32 -> f32
  tt.store %p, %same : !tt.ptr<f32>
  tt.return
}
"""


@pytest.mark.parametrize("era", ["2024-10", "2026-01"])
def test_idle_bitcasts_stay(era: str):
    module = parse_module(KERNEL, context())
    IntelTTGIRPipelinePass(release=era).apply(context(), module)
    assert "tt.bitcast" in print_module(module)


def test_the_newest_release_folds_them():
    module = parse_module(KERNEL, context())
    CanonicalizePass().apply(context(), module)
    assert "tt.bitcast" not in print_module(module)


def test_the_old_spelling_counts():
    assert IntelTTGIRPipelinePass(era="2024-10").passes()[-1] == "tritongpu-coalesce"


@pytest.mark.parametrize("name", ["2024-10", "2026-01", "2026-08"])
def test_all_passes_are_there(name: str):
    release = RELEASES[name]
    assert all(is_pass(p) for p in (*release.ttir, *release.ttgir))


@pytest.mark.parametrize("stage", ["ttir", "ttgir"])
def test_variable_liveness_is_reduced_behind_pipelining(stage: str):
    made = IntelTTGIRPipelinePass(from_stage=stage, reduce_variable_liveness=True)
    names = made.passes()
    assert names[names.index("tritonintelgpu-pipeline") + 1] == LIVENESS
    august = IntelTTGIRPipelinePass(from_stage=stage, release="2026-08").passes()
    assert august.count(LIVENESS) == 1
    assert LIVENESS not in IntelTTGIRPipelinePass(from_stage=stage).passes()


def compiled(text: str, **options: bool) -> str:
    """Return a kernel behind the pipeline of August, with 16 warps."""
    module = parse_module(text, context())
    IntelTTGIRPipelinePass(release="2026-08", num_warps=16, **options).apply(context(), module)  # pyright: ignore[reportArgumentType]
    verify(module)
    return print_module(module)


def test_august_raises_to_descriptors():
    text = compiled(GEMM.read_text(), raise_pointers=True)
    assert "tt.make_tensor_ptr" not in text
    assert text.count("ttig.descriptor_prefetch") == 4
    accesses = [line for line in text.splitlines() if "tt.descriptor_" in line]
    assert len(accesses) == 3
    assert all("ttig.block_io" in line for line in accesses)


@pytest.mark.parametrize("type", ["tensor<32x32xf16>", "32x32xf16"])
def test_august_follows_its_rules_whatever_the_syntax(type: str):
    text = compiled(DESCRIPTORS.replace("BLOCK", type))
    loads = [line for line in text.splitlines() if "tt.descriptor_load" in line]
    assert len(loads) == 2
    assert all("ttig.block_io" in line for line in loads)


def test_unknown_era():
    with pytest.raises(PassFailure, match="there is no release '1999'; there are 2024-10, 2026-01"):
        IntelTTGIRPipelinePass(era="1999").apply(context(), parse_module(KERNEL, context()))
