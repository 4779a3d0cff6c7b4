"""
Our TTGIR in the hands of Intel's real backend.

`XTRITON_INTEL_TRITON_OPT` names a `triton-opt` of the backend of January 2026; it lowers our
module to LLVM, and 2D block operations are counted. Where Triton has its `intel` backend
installed, that compiles the kernel to SPIR-V.
"""

from __future__ import annotations

import os
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from xtriton.ir.parser import parse_module
from xtriton.ir.printer import print_module
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.universe import context

KERNEL = Path(__file__).with_name("gemm_add.mlir")
TRITON_OPT = os.environ.get("XTRITON_INTEL_TRITON_OPT")
LOWERING = (
    "--convert-scf-to-cf",
    "--intel-allocate-shared-memory",
    "--convert-triton-intel-gpu-to-llvm",
)


@pytest.fixture
def ttgir(tmp_path: Path) -> Path:
    """The kernel as we compile it, as a file."""
    module = parse_module(KERNEL.read_text(), context(), file=str(KERNEL))
    IntelTTGIRPipelinePass(num_warps=32).apply(context(), module)
    path = tmp_path / "gemm_add.ttgir"
    path.write_text(print_module(module, version=(3, 7)))
    return path


@pytest.mark.skipif(
    TRITON_OPT is None, reason="XTRITON_INTEL_TRITON_OPT names no triton-opt of Intel's backend"
)
def test_lowers_to_2d_block_operations(ttgir: Path):
    assert TRITON_OPT is not None
    command = [TRITON_OPT, str(ttgir), *LOWERING]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    # Two operands and the added matrix are loaded as blocks, the result is stored as such.
    assert done.stdout.count("triton_gen.2Dblockload") == 19
    assert done.stdout.count("triton_gen.2Dblockstore") == 16
    assert done.stdout.count("triton_gen.2Dblockprefetch") == 4
    assert '"ttg.shared" = 0' in done.stdout or "ttg.shared = 0" in done.stdout


@pytest.mark.skipif(
    find_spec("triton") is None or find_spec("triton.backends.intel") is None,
    reason="Triton's intel backend is not installed",
)
def test_compiles_to_spirv(ttgir: Path):
    import triton
    from triton.backends.compiler import GPUTarget  # pyright: ignore

    properties = {
        "has_subgroup_2d_block_io": True,
        "has_subgroup_matrix_multiply_accumulate": True,
        "has_bfloat16_conversions": True,
        "sub_group_sizes": [16, 32],
        "max_work_group_size": 1024,
        "max_num_sub_groups": 64,
    }
    compiled = triton.compile(str(ttgir), target=GPUTarget("xpu", properties, 32))  # pyright: ignore
    assert compiled.asm["spv"]  # pyright: ignore
