"""
The case of intel-xpu-backend-for-triton #2378: a matrix that is added to a product.

With the passes of October 2024 it was loaded through 256x256 pointers, and three layout
conversions took more shared memory than a PVC has; the fix of that month keeps the block
pointer. Carrying layouts back solves it without the fix.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from xdsl.dialects.builtin import IntegerAttr, ModuleOp

from xtriton.analysis.intel.costs import shared_memory_uses
from xtriton.analysis.intel.device import PVC
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import check_equivalent
from xtriton.transforms.intel.layouts.propagate_layouts_back import PropagateLayoutsBackPass
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.transforms.triton_gpu.allocate_shared_memory import IntelAllocateSharedMemoryPass
from xtriton.universe import context

KERNEL = Path(__file__).with_name("gemm_add.mlir")
KB = 1024


def compiled(**options: str) -> ModuleOp:
    """Return the kernel after the pipeline with 32 warps."""
    module = parse_module(KERNEL.read_text(), context(), file=str(KERNEL))
    IntelTTGIRPipelinePass(num_warps=32, **options).apply(context(), module)  # pyright: ignore[reportArgumentType]
    verify(module)
    return module


def counts(module: ModuleOp) -> Counter[str]:
    return Counter(op.name for op in module.walk())


def loads(module: ModuleOp) -> list[str]:
    return [str(op.operands[0].type) for op in module.walk() if op.name == "tt.load"]


def allocated(module: ModuleOp) -> int:
    """Return the bytes of shared memory that the backend allocates."""
    IntelAllocateSharedMemoryPass().apply(context(), module)
    size = module.attributes["ttg.shared"]
    assert isinstance(size, IntegerAttr)
    return size.value.data


def test_before_the_fix():
    module = compiled(era="2024-10", rewrite_rule="store")
    assert sum("tensor<256x256x!tt.ptr<f32>" in type for type in loads(module)) == 1
    sizes = sorted(size for _, size in shared_memory_uses(module))
    # The mask, the loaded matrix, its pointers.
    assert sizes == [64 * KB, 256 * KB, 512 * KB]
    assert allocated(module) == 256 * KB > PVC.shared_memory


def test_with_the_fix():
    module = compiled(era="2024-10", rewrite_rule="load-or-store")
    assert counts(module)["ttg.convert_layout"] == 0
    assert shared_memory_uses(module) == []
    assert all("!tt.ptr<tensor<" in type for type in loads(module))
    assert allocated(module) == 0


def test_carrying_layouts_back_does_it_too():
    module = compiled(era="2024-10", rewrite_rule="store")
    PropagateLayoutsBackPass().apply(context(), module)
    verify(module)
    assert shared_memory_uses(module) == []
    assert counts(module)["ttg.convert_layout"] == 0
    assert allocated(module) == 0


def test_pointers_become_block_pointers_again():
    module = compiled(era="2024-10", rewrite_rule="store")
    PropagateLayoutsBackPass(raise_pointers=True).apply(context(), module)
    verify(module)
    marked = [op for op in module.walk() if op.name == "tt.load"]
    assert len(marked) == 3
    assert all("ttig.block_io" in op.attributes for op in marked)
    assert all("tensor<256x256x!tt.ptr" not in type for type in loads(module))


def test_today_nothing_is_left_of_it():
    module = compiled()
    assert shared_memory_uses(module) == []
    assert counts(module)["ttig.prefetch"] == 4


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["store", "load-or-store"])
def test_same_results(rule: str):
    original = parse_module(KERNEL.read_text(), context())
    assert check_equivalent(original, compiled(era="2024-10", rewrite_rule=rule), count=1)
