"""Our passes inside Triton's own pipeline, compiled for a GPU that need not be there."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32

import xtriton as xt
from xtriton import universe
from xtriton.dialects.upstream.arith import ConstantOp
from xtriton.errors import UserError
from xtriton.interop.triton import Specialization, source_of, stub_driver, triton_module
from xtriton.interop.triton_pipeline import LAYOUT_PIPELINE, fresh, inside_triton

pytest.importorskip("triton")

from tests.unit.interop import kernels_for_pipeline as kernels

pytestmark = pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION is unset")


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Triton's cache is a folder of the test's own."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    return tmp_path


def compiled(num_warps: int = 2) -> Any:
    """Return what Triton makes of a kernel, for a Hopper GPU."""
    kernel = cast(Any, kernels).scale
    signature = {"x": "*fp32", "out": "*fp32", "n": "i32", "factor": "fp32"}
    specialization = Specialization(signature, {"BLOCK": 128}, ("x", "out", "n"))
    source = source_of(fresh(kernel), specialization)
    target = triton_module("backends.compiler").GPUTarget("cuda", 90, 32)
    options = {"num_warps": num_warps, "enable_fp_fusion": True}
    with stub_driver():
        return triton_module("compiler").compile(source, target=target, options=options)


def test_raised_inside_triton():
    with inside_triton("triton-raise-tensor-descriptor"):
        raised = compiled()
    assert raised.asm["ttir"].count("tt.descriptor_load") == 1
    assert "cp.async.bulk.tensor" in raised.asm["ptx"]
    # Locations are kept, and outside of the block all is as it was.
    assert "kernels_for_pipeline.py" in raised.asm["ttir"]
    assert "descriptor" not in compiled().asm["ttir"]


def test_layouts_inside_triton():
    ours: list[str] = []
    with inside_triton(LAYOUT_PIPELINE, layouts=True):
        ours.append(compiled(num_warps=8).asm["ttgir"])
    theirs = compiled(num_warps=8).asm["ttgir"]
    assert '"ttg.num-warps" = 8' in ours[0]
    assert [line for line in ours[0].splitlines() if "#blocked =" in line] == [
        line for line in theirs.splitlines() if "#blocked =" in line
    ]


def test_each_pipeline_has_a_cache(cache: Path):
    with inside_triton("cse"):
        compiled()
    with inside_triton("canonicalize"):
        compiled()
    assert len(list(cache.glob("xtriton-*"))) == 2


def test_triton_cleans_up_behind_the_passes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(universe, "_registered", {})

    @xt.module_pass("leave-waste")
    def leave_waste(module: ModuleOp) -> None:
        (function,) = module.body.block.ops
        block = function.regions[0].block
        assert block.first_op is not None
        block.insert_op_before(ConstantOp(IntegerAttr(4242, i32)), block.first_op)
        ran.append(module)

    ran: list[ModuleOp] = []
    with inside_triton("leave-waste"):
        text = compiled().asm["ttir"]
    assert len(ran) == 1
    assert "4242" not in text


def test_errors_reach_the_user():
    with pytest.raises(UserError, match="no-such-pass"), inside_triton("no-such-pass"):
        pass
    with (
        pytest.raises(UserError, match="has no option 'x'"),
        inside_triton("cse{x=1}", layouts=True),
    ):
        pass
