"""
All passes of the Intel XPU backend from TTIR to TTGIR.

Before:

    tt.func @gemm(%a: !tt.ptr<f16>, ...) { ... tt.dot %x, %y, %acc : tensor<256x32xf16> * ... }

After:

    #mma = #ttig.dpas<{...}>
    tt.func @gemm(%a: !tt.ptr<f16>, ...) {
      ttig.prefetch ...
      ... tt.dot %x, %y, %acc : tensor<256x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, ...}>> * ...
    }

Source: the stages `ttir` and `ttgir` of `backend/compiler.py` of the backend, January 2026.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.errors import PassFailure
from xtriton.ir.limits import without_garbage_collection
from xtriton.ir.versions import Version, rules_of
from xtriton.semantics.tolerance import SUM_TOLERANCE
from xtriton.universe import pass_class

TTIR = (
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
"""The stage `ttir`."""

TTGIR = (
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
"""The stage `ttgir`."""

_TTIR_2024 = (
    "inline",
    "triton-combine",
    "canonicalize",
    "triton-reorder-broadcast",
    "cse",
    "triton-licm",
    "symbol-dce",
    "triton-loop-unroll",
)

TTGIR_2024 = (
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

Options = dict[str, object]

_RELEASES: Mapping[str, Version] = {"2024-10": (3, 1), "2026-01": (3, 7)}
"""The release of Triton whose rules the backend followed in each era."""

_DEVICES: Mapping[str, Options] = {
    # Ponte Vecchio and Battlemage have subgroups of 16, DPAS and 2D block accesses.
    name: {
        "min_sg_size": 16,
        "support_2d_block_io": True,
        "support_dpas": True,
        "support_bf16_conversion": True,
    }
    for name in ("bmg", "pvc")
}


@dataclass(frozen=True)
class IntelTTGIRPipelinePass(ModulePass):
    """
    Run the backend's passes from TTIR to TTGIR.

    `device` is `pvc` or `bmg`; `from_stage` is `ttir`, or `ttgir` to begin with that stage.
    """

    name = "xtriton-intel-ttgir-pipeline"
    tolerance = SUM_TOLERANCE

    num_warps: int = 4
    num_stages: int = 2
    threads_per_warp: int = 16
    device: str = "pvc"
    from_stage: str = "ttir"
    raise_pointers: bool = False
    """Whether tensors of pointers become block pointers first, where that can be proved."""
    version_for_block_io: bool = False
    """Whether kernels get a version for arguments with which accesses are 2D block accesses."""
    era: str = "2026-01"
    """Or `2024-10`: the passes up to `tritongpu-coalesce` as they were then."""
    rewrite_rule: str = "load-or-store"
    """Which block pointers stay in 2024, see `tritonintelgpu-rewrite-tensor-pointer`."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self._run(ctx, op, self.passes())

    def run_up_to(self, ctx: Context, op: ModuleOp, last: str) -> None:
        """Run the passes in front of the first one called `last`."""
        names = self.passes()
        self._run(ctx, op, names[: names.index(last)])

    def run_from(self, ctx: Context, op: ModuleOp, first: str) -> None:
        """Run the first pass called `first` and all that follow."""
        names = self.passes()
        self._run(ctx, op, names[names.index(first) :])

    def _run(self, ctx: Context, op: ModuleOp, names: Sequence[str]) -> None:
        options = self.options()
        # Looking for garbage in what is made here would take a fifth of the time.
        with rules_of(_RELEASES[self.era]), without_garbage_collection():
            for name in names:
                pass_class(name)(**options.get(name, {})).apply(ctx, op)

    def passes(self) -> tuple[str, ...]:
        """Return the names of the passes in their order."""
        if self.era == "2024-10":
            return (*_TTIR_2024, *TTGIR_2024)
        if self.from_stage != "ttir":
            return TTGIR
        before: list[str] = []
        if self.raise_pointers:
            before += ("canonicalize", "triton-raise-block-pointer", "xtriton-pad-unused-strides")
        if self.version_for_block_io:
            before += ("canonicalize", "xtriton-version-for-block-io")
        return ("inline", *before, *TTIR[1:], *TTGIR)

    def options(self) -> dict[str, Options]:
        """
        Return the options of each pass that has other ones than its defaults.

        Raises `PassFailure` for an era or a device that there is not.
        """
        if self.era not in _RELEASES:
            raise PassFailure(f"there is no era '{self.era}'; there are {', '.join(_RELEASES)}")
        if self.device not in _DEVICES:
            raise PassFailure(
                f"there is no device '{self.device}'; there are {', '.join(_DEVICES)}"
            )
        return {
            "triton-annotate-module": {
                **_DEVICES[self.device],
                "threads_per_warp": self.threads_per_warp,
            },
            "convert-triton-to-tritongpu": {
                "target": "xpu",
                "num_warps": self.num_warps,
                "threads_per_warp": self.threads_per_warp,
            },
            "xtriton-version-for-block-io": {"device": self.device},
            "tritonintelgpu-materialize-block-pointer": {
                # What is made here, not by people, is to be such as the device takes.
                "takes_surfaces_of": self.device
                if self.raise_pointers or self.version_for_block_io
                else ""
            },
            "tritonintelgpu-rewrite-tensor-pointer": {"rule": self.rewrite_rule},
            "tritonintelgpu-pipeline": {"num_stages": self.num_stages},
            "tritongpu-optimize-dot-operands": {"hoist_layout_conversion": True},
            "arith-emulate-unsupported-floats": {
                "source_types": ("bf16",),
                "target_type": "f32",
            },
        }
