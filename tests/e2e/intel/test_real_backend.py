"""
Our TTIR and TTGIR in the hands of Intel's real backend.

Where Triton has its `intel` backend installed, that compiles both to SPIR-V. Else
`XTRITON_INTEL_TRITON_OPT` may name a `triton-opt` of the backend of January 2026; it lowers our
TTGIR to LLVM. Both ways 2D block operations are counted.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from xtriton.interop import intel_backend
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import Version, parse_version
from xtriton.ir.writing.printer import print_module
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.universe import context

FOLDER = Path(__file__).parent
TRITON_OPT = os.environ.get("XTRITON_INTEL_TRITON_OPT")
LOWERING = (
    "--convert-scf-to-cf",
    "--intel-allocate-shared-memory",
    "--convert-triton-intel-gpu-to-llvm",
)
PIPELINE = "xtriton-intel-ttgir-pipeline{num-warps=32}"
RAISING = "triton-raise-block-pointer"

KERNELS = {
    # Two operands and the added matrix are loaded as blocks, the result is stored as such.
    "gemm_add": {"loads": 19, "stores": 16, "prefetches": 4},
    # The same without the addition, written with pointers, masks and modulo.
    "gemm_pointers": {"loads": 3, "stores": 16, "prefetches": 4},
}
"""Kernels, 256x256x32, and how many 2D block operations the backend makes of block pointers."""

needs_triton_opt = pytest.mark.skipif(
    TRITON_OPT is None, reason="XTRITON_INTEL_TRITON_OPT names no triton-opt of Intel's backend"
)
needs_backend = pytest.mark.skipif(
    not intel_backend.is_installed(), reason="Triton's intel backend is not installed"
)


def compiled(kernel: str, passes: str, version: Version) -> str:
    """Return a kernel as text after passes, in the syntax of a release."""
    path = FOLDER / f"{kernel}.mlir"
    shared = context()
    module = parse_module(path.read_text(), shared, file=str(path))
    PassManager(shared, make_steps(parse_pipeline(passes))).run(module)
    return print_module(module, version=version)


def version_at_hand() -> Version:
    from xtriton.interop.triton import release

    return parse_version(release())


@needs_triton_opt
@pytest.mark.parametrize("kernel", KERNELS)
def test_ttgir_lowers_to_2d_block_operations(kernel: str, tmp_path: Path):
    assert TRITON_OPT is not None
    path = tmp_path / "kernel.ttgir"
    path.write_text(compiled(kernel, f"{RAISING},{PIPELINE}", (3, 7)))
    command = [TRITON_OPT, str(path), *LOWERING]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert {
        "loads": done.stdout.count("triton_gen.2Dblockload"),
        "stores": done.stdout.count("triton_gen.2Dblockstore"),
        "prefetches": done.stdout.count("triton_gen.2Dblockprefetch"),
    } == KERNELS[kernel]
    assert '"ttg.shared" = 0' in done.stdout or "ttg.shared = 0" in done.stdout


@needs_backend
@pytest.mark.parametrize("kernel", KERNELS)
def test_ttgir_compiles_to_spirv(kernel: str):
    text = compiled(kernel, f"{RAISING},{PIPELINE}", version_at_hand())
    result = intel_backend.compile_for_xpu(text, first="llir", options={"num_warps": 32})
    assert intel_backend.block_operations(result.texts["llir"]) == KERNELS[kernel]
    assert result.metadata["shared"] == 0
    assert result.binaries["spv"].startswith(b"\x03\x02\x23\x07")


@needs_backend
@pytest.mark.parametrize("kernel", KERNELS)
def test_ttir_compiles_to_spirv(kernel: str):
    text = compiled(kernel, RAISING, version_at_hand())
    result = intel_backend.compile_for_xpu(text, options={"num_warps": 32})
    assert intel_backend.block_operations(result.texts["llir"]) == KERNELS[kernel]
    assert result.binaries["spv"].startswith(b"\x03\x02\x23\x07")
