"""
Whether each load and store of a kernel becomes a 2D block access, and what is in the way.

The backend's own passes run on a copy up to where it decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, NoneAttr
from xdsl.ir import Operation

from xtriton.analysis.axis_info import axis_analysis
from xtriton.analysis.intel.accesses import tensor_type
from xtriton.analysis.intel.block_io import Verdict, verdict
from xtriton.analysis.intel.device import Device
from xtriton.analysis.intel.values import maker_of
from xtriton.dialects.tt.pointers import MakeTensorPtrOp
from xtriton.ir.locations import file_position
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass

_DECIDES = "tritonintelgpu-materialize-block-pointer"


@dataclass(frozen=True)
class AccessVerdict:
    """The verdict on one access; accesses in versions of one loop have one each."""

    kind: str
    """`load` or `store`."""
    shape: tuple[int, ...]
    position: tuple[str, int, int] | None
    """File, line and column, if known."""
    verdict: Verdict
    surface_problems: tuple[str, ...] = ()
    """Limits of the hardware that the surface is known to break."""

    @property
    def sentence(self) -> str:
        """What to tell people."""
        if self.surface_problems:
            return "breaks limits of the hardware: " + "; ".join(self.surface_problems)
        if self.verdict.mode is not None:
            return f"2D block {self.kind}, {self.verdict.mode.replace('_', '-')}"
        return f"no 2D block {self.kind} ({self.verdict.condition}): {self.verdict.reason}"


def device_verdicts(
    module: ModuleOp, ctx: Context, device: Device, num_warps: int = 4
) -> list[AccessVerdict]:
    """Return the verdicts on the tensors that a kernel loads and stores, in its order."""
    copy = module.clone()
    _copy_locations(module, copy)
    if not _has_layouts(copy):
        pipeline = IntelTTGIRPipelinePass(
            num_warps=num_warps, threads_per_warp=device.subgroup_size, device=device.name
        )
        pipeline.run_up_to(ctx, copy, _DECIDES)
    facts = axis_analysis(copy, "intel")
    return [
        _verdict(op, verdict(op, facts), device)
        for op in copy.walk()
        if op.name in ("tt.load", "tt.store") and tensor_type(op.operands[0].type) is not None
    ]


def _copy_locations(source: Operation, target: Operation) -> None:
    for old, new in zip(source.walk(), target.walk(), strict=True):
        new.location = old.location


def _has_layouts(module: ModuleOp) -> bool:
    types = (tensor_type(result.type) for op in module.walk() for result in op.results)
    return any(type is not None and not isinstance(type.encoding, NoneAttr) for type in types)


def _verdict(op: Operation, found: Verdict, device: Device) -> AccessVerdict:
    type = tensor_type(op.operands[0].type)
    assert type is not None
    maker = maker_of(op.operands[0]) if found.is_block else None
    problems = device.surface_problems(maker) if isinstance(maker, MakeTensorPtrOp) else []
    kind = op.name.removeprefix("tt.")
    return AccessVerdict(kind, type.get_shape(), file_position(op.location), found, tuple(problems))
