"""Each era of the pipeline follows the rules of its release of Triton."""

from __future__ import annotations

import pytest

from xtriton.errors import PassFailure
from xtriton.ir.parser import parse_module
from xtriton.ir.printer import print_module
from xtriton.transforms.cleanup.canonicalize import CanonicalizePass
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.universe import context

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
    IntelTTGIRPipelinePass(era=era).apply(context(), module)
    assert "tt.bitcast" in print_module(module)


def test_the_newest_release_folds_them():
    module = parse_module(KERNEL, context())
    CanonicalizePass().apply(context(), module)
    assert "tt.bitcast" not in print_module(module)


def test_unknown_era():
    with pytest.raises(PassFailure, match="there is no era '1999'; there are 2024-10, 2026-01"):
        IntelTTGIRPipelinePass(era="1999").apply(context(), parse_module(KERNEL, context()))
