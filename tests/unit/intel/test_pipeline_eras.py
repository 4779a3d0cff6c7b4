"""Each era of the pipeline follows the rules of its release of Triton."""

from __future__ import annotations

import pytest

from xtriton.errors import PassFailure
from xtriton.ir.parser import parse_module
from xtriton.ir.printer import print_module
from xtriton.transforms.cleanup.canonicalize import CanonicalizePass
from xtriton.transforms.intel.releases import LIVENESS, RELEASES
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.universe import context, is_pass

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


def test_august_knows_no_block_pointers():
    names = IntelTTGIRPipelinePass(release="2026-08", raise_pointers=True).passes()
    assert "triton-raise-tensor-descriptor" in names
    assert "triton-raise-block-pointer" not in names


def test_unknown_era():
    with pytest.raises(PassFailure, match="there is no release '1999'; there are 2024-10, 2026-01"):
        IntelTTGIRPipelinePass(era="1999").apply(context(), parse_module(KERNEL, context()))
