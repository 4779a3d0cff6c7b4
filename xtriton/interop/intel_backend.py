"""
TTIR and TTGIR through the real XPU backend of Intel's, where Triton has it installed.

No GPU is needed: the device is described to the backend. That of January 2026 is the reference;
it takes the architecture from the environment, else it compiles a program that asks the device,
and its stage `spv` wants the version of a driver.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec

from xtriton.errors import UserError
from xtriton.interop.triton_stages import Compilation, compile_text

ARCHITECTURE = "TRITON_INTEL_DEVICE_ARCH"
"""What the backend reads instead of compiling a program with SYCL that asks the device."""

_XE2 = {
    "platform_name": "Intel(R) oneAPI Unified Runtime over Level-Zero",
    "vendor": "Intel(R) Corporation",
    "version": "12.60.7",
    "driver_version": "1.6.35096+9",
    "architecture": 0,
    "max_work_group_size": 1024,
    "max_num_sub_groups": 64,
    "sub_group_sizes": [16, 32],
    "has_fp64": True,
    "has_16bit_atomics": True,
    "has_256b_prefetch": False,
    "has_atomic64": True,
    "has_bfloat16_arithmetic": False,
    "has_bfloat16_conversion": True,
    "has_f4_conversions": False,
    "has_f8_conversions": False,
    "has_predicated_io": True,
    "has_subgroup_2d_block_io": True,
    "has_subgroup_matrix_multiply_accumulate": True,
    "has_subgroup_matrix_multiply_accumulate_bfloat8": False,
    "has_subgroup_matrix_multiply_accumulate_tensor_float32": True,
    "has_subgroup_scaled_matrix_multiply_accumulate": False,
}

DEVICES: dict[str, dict[str, object]] = {
    "pvc": {"name": "Intel(R) Data Center GPU Max 1550", **_XE2},
    "bmg": {
        "name": "Intel(R) Arc(TM) B580 Graphics",
        **_XE2,
        "max_num_sub_groups": 128,
        "max_work_group_size": 2048,
    },
}
"""What the backend is told of a device: `torch.xpu.get_device_capability` and its driver's."""

BLOCK_OPERATIONS = {
    "loads": r"\bcall\b.*(?:Subgroup2DBlockLoad|sub_group_2d_block_read|LSC2DBlockRead)",
    "stores": r"\bcall\b.*(?:Subgroup2DBlockStore|sub_group_2d_block_write|LSC2DBlockWrite)",
    "prefetches": r"\bcall\b.*(?:Subgroup2DBlockPrefetch|2d_block_prefetch|LSC2DBlockPrefetch)",
}
"""How 2D block operations look in LLVM IR, as calls of SPIR-V, OpenCL or GenISA functions."""


def is_installed() -> bool:
    """Tell whether Triton is there with its `intel` backend."""
    return find_spec("triton") is not None and find_spec("triton.backends.intel") is not None


def compile_for_xpu(
    text: str,
    *,
    first: str = "ttir",
    last: str = "spv",
    device: str = "pvc",
    options: Mapping[str, object] | None = None,
) -> Compilation:
    """
    Run stages `first` to `last` of the backend on a module of TTIR or TTGIR.

    The stages are `ttir`, `ttgir`, `llir`, `spv`. `options` are compile options, such as
    `num_warps`. Raises `UserError` where the backend is not installed.
    """
    if not is_installed():
        raise UserError("Triton's intel backend is not installed")
    with _architecture(device):
        target = ("xpu", dict(DEVICES[device]), 32)
        return compile_text(text, first=first, last=last, options=options, target=target)


@contextmanager
def _architecture(device: str) -> Generator[None]:
    before = os.environ.get(ARCHITECTURE)
    os.environ[ARCHITECTURE] = before or device
    try:
        yield
    finally:
        if before is None:
            del os.environ[ARCHITECTURE]


def block_operations(llir: str) -> dict[str, int]:
    """Count the 2D block operations in LLVM IR as the backend writes it."""
    return {name: len(re.findall(pattern, llir)) for name, pattern in BLOCK_OPERATIONS.items()}
