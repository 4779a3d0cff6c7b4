"""
What the Intel XPU backend runs from TTIR to TTGIR in its releases, as data.

Source: the stages `ttir` and `ttgir` of `backend/compiler.py` of October 2024, of January and of
August 2026.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xtriton.errors import PassFailure
from xtriton.ir.versions import Version

Options = dict[str, object]

_TTIR_2026_01 = (
    "inline",
    "triton-intel-block-pointer-to-tdesc",
    "triton-intel-tdesc-to-block-pointer",
    "triton-rewrite-tensor-descriptor-to-pointer",
    "cse",
    "triton-licm",
    "triton-intel-remove-boundary-checks",
    "triton-intel-remove-masks",
    "triton-intel-stride-versioning",
    "triton-intel-fuse-reshape",
    "canonicalize",
    "triton-combine",
    "triton-reorder-broadcast",
    "cse",
    "symbol-dce",
    "triton-loop-unroll",
)

_TTGIR_2026_01 = (
    "triton-annotate-module",
    "convert-triton-to-tritongpu",
    "tritonintelgpu-coalesce",
    "tritonintelgpu-remove-layout-conversions",
    "tritonintelgpu-accelerate-matmul",
    "tritonintelgpu-materialize-block-pointer",
    "tritonintelgpu-remove-layout-conversions",
    "tritonintelgpu-optimize-dot-operands",
    "tritonintelgpu-pipeline",
    "tritongpu-fuse-nested-loops",
    "canonicalize",
    "triton-licm",
    "canonicalize",
    "tritongpu-combine-tensor-select-and-if",
    "tritongpu-optimize-thread-locality",
    "tritongpu-optimize-dot-operands",
    "cse",
    "tritongpu-prefetch",
    "tritongpu-optimize-dot-operands",
    "tritonintelgpu-remove-layout-conversions",
    "tritonintelgpu-reduce-data-duplication",
    "tritongpu-reorder-instructions",
    "cse",
    "symbol-dce",
    "sccp",
    "canonicalize",
    "arith-emulate-unsupported-floats",
)

_TTIR_2024_10 = (
    "inline",
    "triton-combine",
    "canonicalize",
    "triton-reorder-broadcast",
    "cse",
    "triton-licm",
    "symbol-dce",
    "triton-loop-unroll",
)

_TTGIR_2024_10 = (
    "triton-annotate-module",
    "convert-triton-to-tritongpu",
    "tritonintelgpu-accelerate-matmul",
    "tritonintelgpu-remove-layout-conversions",
    "tritonintelgpu-materialize-block-pointer",
    "tritonintelgpu-remove-layout-conversions",
    "tritonintelgpu-rewrite-tensor-pointer",
    "tritonintelgpu-pipeline",
    "tritongpu-coalesce",
)
"""
The stage `ttgir` in October 2024 up to coalescing, after which nothing chooses layouts.

Block accesses are marked before conversions are removed once more, since today's pass takes
only marked ones for cheap, that of 2024 all by block pointers.
"""

_TTIR_2026_08 = (
    "inline",
    "triton-intel-rewrite-tensor-descriptor-to-pointer",
    "cse",
    "triton-intel-reassociate-dot-scale",
    "triton-licm",
    "triton-intel-remove-masks",
    "triton-intel-stride-versioning",
    "triton-intel-descriptor-versioning",
    "triton-intel-fuse-reshape",
    "triton-intel-fold-true-cmpi",
    "triton-intel-prepare-if-combining",
    "canonicalize",
    "triton-combine",
    "triton-intel-simplify-signed-arithmetic",
    "triton-reorder-broadcast",
    "cse",
    "symbol-dce",
    "triton-loop-unroll",
)

_TTGIR_2026_08 = (
    "triton-annotate-module",
    "convert-triton-to-tritongpu",
    "tritongpu-coalesce",
    "tritonintelgpu-remove-layout-conversions",
    "tritonintelgpu-accelerate-matmul",
    "tritonintelgpu-stage-large-fma-dots-via-slm",
    "tritonintelgpu-materialize-block-pointer",
    "tritonintelgpu-remove-layout-conversions",
    "tritonintelgpu-fold-fp-to-fp",
    "tritonintelgpu-optimize-dot-operands",
    "tritonintelgpu-hoist-layout-conversions",
    "tritonintelgpu-pipeline",
    "tritonintelgpu-reduce-variable-liveness",
    "triton-loop-aware-cse",
    "tritongpu-fuse-nested-loops",
    "canonicalize",
    "triton-licm",
    "canonicalize",
    "tritongpu-combine-tensor-select-and-if",
    "tritongpu-optimize-thread-locality",
    "tritongpu-optimize-dot-operands",
    "cse",
    "tritongpu-prefetch",
    "tritongpu-optimize-dot-operands",
    "tritonintelgpu-remove-layout-conversions",
    "tritonintelgpu-annotate-cache-control",
    "tritonintelgpu-reduce-data-duplication",
    "tritongpu-reorder-instructions",
    "triton-loop-aware-cse",
    "symbol-dce",
    "sccp",
    "canonicalize",
    "arith-emulate-unsupported-floats",
)

_XE: Options = {
    "min_sg_size": 16,
    "support_2d_block_io": True,
    "support_dpas": True,
    "support_bf16_conversion": True,
}
"""Ponte Vecchio and Battlemage have subgroups of 16, DPAS and 2D block accesses."""

_XE_2026_08: Options = {
    **_XE,
    "support_bfloat16_arithmetic": True,
    "support_predicated_io": True,
    "support_rounded_divide_sqrt": True,
}
"""What the same devices can do with a driver that is not of the long-term series."""


@dataclass(frozen=True)
class Release:
    """The backend at one time: whose rules of Triton it follows, its passes, its devices."""

    triton: Version
    ttir: tuple[str, ...]
    ttgir: tuple[str, ...]
    devices: Mapping[str, Options]
    """Options of `triton-annotate-module`."""

    has_block_pointers: bool = True


RELEASES: Mapping[str, Release] = {
    "2024-10": Release((3, 1), _TTIR_2024_10, _TTGIR_2024_10, {"bmg": _XE, "pvc": _XE}),
    "2026-01": Release((3, 7), _TTIR_2026_01, _TTGIR_2026_01, {"bmg": _XE, "pvc": _XE}),
    "2026-08": Release(
        (3, 9),
        _TTIR_2026_08,
        _TTGIR_2026_08,
        {"bmg": _XE_2026_08, "pvc": _XE_2026_08},
        has_block_pointers=False,
    ),
}

LIVENESS = "tritonintelgpu-reduce-variable-liveness"


def release_called(name: str) -> Release:
    """Return a release of the backend; raise `PassFailure` if there is none of that name."""
    found = RELEASES.get(name)
    if found is None:
        raise PassFailure(f"there is no release '{name}'; there are {', '.join(RELEASES)}")
    return found
