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

The releases of the backend, pass by pass, are in `releases.py`. Block pointers are gone from that
of August 2026: `raise-pointers` makes tensor descriptors for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.analysis.intel.accesses import is_block_pointer
from xtriton.errors import PassFailure
from xtriton.ir.limits import without_garbage_collection
from xtriton.ir.noted_edits import edits_are_noted
from xtriton.ir.versions import NEWEST, remember_version, rules_of
from xtriton.semantics.tolerance import SUM_TOLERANCE
from xtriton.transforms.intel.releases import LIVENESS, Options, Release, release_called
from xtriton.universe import pass_class


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
    """
    Whether tensors of pointers become block pointers first (for August tensor descriptors), where
    the device gains by it.
    """
    version_for_block_io: bool = False
    """Whether kernels get a version for arguments with which accesses are 2D block accesses."""
    release: str = "2026-01"
    """
    The backend of `2026-01` or of `2026-08`, or that of `2024-10` up to `tritongpu-coalesce`.
    """
    era: str = ""
    """What `release` was called before; counts if it is given."""
    rewrite_rule: str = "load-or-store"
    """Which block pointers stay in 2024, see `tritonintelgpu-rewrite-tensor-pointer`."""
    reduce_variable_liveness: bool = False
    """
    Whether loads move into loops behind the pipelining of January, as the backend lets them
    unless it is told otherwise; in August they do in any case.
    """

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
        if not self._backend.has_block_pointers:
            _take_as_written_today(op)
        # Looking for garbage in what is made here would take a fifth of the time; and all passes
        # note what they edit.
        with rules_of(self._backend.triton), without_garbage_collection(), edits_are_noted():
            for name in names:
                pass_class(name)(**options.get(name, {})).apply(ctx, op)

    def passes(self) -> tuple[str, ...]:
        """
        Return the names of the passes in their order.

        Raises `PassFailure` for a release that there is not.
        """
        backend = self._backend
        ttgir = backend.ttgir
        if self.reduce_variable_liveness and LIVENESS not in ttgir:
            behind = ttgir.index("tritonintelgpu-pipeline") + 1
            ttgir = (*ttgir[:behind], LIVENESS, *ttgir[behind:])
        if self.from_stage != "ttir":
            return ttgir
        return (*backend.ttir[:1], *self._before(), *backend.ttir[1:], *ttgir)

    @property
    def _backend(self) -> Release:
        return release_called(self.era or self.release)

    def _before(self) -> tuple[str, ...]:
        """Return what raises a kernel in front of the backend's own passes."""
        before: list[str] = []
        if self.raise_pointers:
            before += ("xtriton-raise-for-block-io",)
        if self.version_for_block_io:
            before += ("canonicalize", "xtriton-version-for-block-io")
        return tuple(before)

    def options(self) -> dict[str, Options]:
        """
        Return the options of each pass that has other ones than its defaults.

        Raises `PassFailure` for a release or a device that there is not.
        """
        devices = self._backend.devices
        if self.device not in devices:
            raise PassFailure(f"there is no device '{self.device}'; there are {', '.join(devices)}")
        return {
            "triton-annotate-module": {
                **devices[self.device],
                "threads_per_warp": self.threads_per_warp,
            },
            "convert-triton-to-tritongpu": {
                "target": "xpu",
                "num_warps": self.num_warps,
                "threads_per_warp": self.threads_per_warp,
            },
            "xtriton-raise-for-block-io": {
                "device": self.device,
                "num_warps": self.num_warps,
                "num_stages": self.num_stages,
                "threads_per_warp": self.threads_per_warp,
                "version": self.version_for_block_io,
                "release": self.era or self.release,
                "reduce_variable_liveness": self.reduce_variable_liveness,
            },
            "xtriton-version-for-block-io": {"device": self.device},
            "tritonintelgpu-materialize-block-pointer": {
                # What is made here, not by people, is to be such as the device takes.
                "takes_surfaces_of": self.device
                if self.raise_pointers or self.version_for_block_io
                else ""
            },
            "tritonintelgpu-rewrite-tensor-pointer": {"rule": self.rewrite_rule},
            "triton-intel-simplify-signed-arithmetic": {"as_backend": True},
            "tritonintelgpu-annotate-cache-control": {"as_backend": True},
            "tritonintelgpu-pipeline": {"num_stages": self.num_stages},
            "tritongpu-optimize-dot-operands": {"hoist_layout_conversion": True},
            "arith-emulate-unsupported-floats": {
                "source_types": ("bf16",),
                "target_type": "f32",
            },
        }


def _take_as_written_today(module: ModuleOp) -> None:
    """Let passes follow today's rules, however old the syntax is that `module` was read in."""
    if not any(is_block_pointer(value.type) for op in module.walk() for value in op.results):
        remember_version(module, NEWEST)
