"""
Whether each load and store of a kernel becomes a 2D block access, and what is in the way.

The backend's own passes run on a copy, to the end: what is said of an access is what they made
of it, the reason what the pass found that decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, NoneAttr, StringAttr
from xdsl.ir import Operation

from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.analysis.axis_info.dataflow import AxisAnalysis
from xtriton.analysis.intel.accesses import tensor_type
from xtriton.analysis.intel.block_io import Verdict, verdict
from xtriton.analysis.intel.descriptor_io import descriptor_verdict
from xtriton.analysis.intel.device import Device, surface_problems
from xtriton.analysis.intel.module import BLOCK_IO
from xtriton.analysis.intel.rules import IntelRules, rules_for
from xtriton.analysis.shared_memory.report import SharedMemoryReport, shared_memory_report
from xtriton.dialects.tt.descriptors import DescriptorLoadOp, DescriptorStoreOp
from xtriton.ir.locations import call_position, program_position
from xtriton.ir.versions import copied, rules_of
from xtriton.transforms.intel.releases import release_called
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass

_DECIDES = "tritonintelgpu-materialize-block-pointer"

Position = tuple[str, int, int]


@dataclass(frozen=True)
class AccessVerdict:
    """The verdict on one access; accesses in versions of one loop have one each."""

    kind: str
    """`load` or `store`."""
    shape: tuple[int, ...]
    element: str
    """Type of the elements."""
    position: Position | None
    """File, line and column, if known."""
    caller: Position | None
    """Where the function is called that the position is in, if it is one that is called."""
    verdict: Verdict
    surface_problems: tuple[str, ...] = ()
    """Limits of the hardware that the surface is known to break."""

    @property
    def is_block(self) -> bool:
        """Whether it is a 2D block access that the hardware takes."""
        return self.verdict.is_block and not self.surface_problems

    @property
    def condition(self) -> str:
        """The condition that fails, in a word; empty if none does."""
        return "surface" if self.surface_problems else self.verdict.condition

    @property
    def sentence(self) -> str:
        """What to tell people."""
        if self.surface_problems:
            return "breaks limits of the hardware: " + "; ".join(self.surface_problems)
        if self.verdict.mode is not None:
            return f"2D block {self.kind}, {self.verdict.mode.replace('_', '-')}"
        return f"no 2D block {self.kind} ({self.verdict.condition}): {self.verdict.reason}"


@dataclass(frozen=True)
class DeviceReport:
    """What the backend makes of a kernel."""

    accesses: tuple[AccessVerdict, ...]
    """Loads and stores of tensors in the order of the program."""
    shared_memory: SharedMemoryReport


def device_report(
    module: ModuleOp,
    ctx: Context,
    device: Device,
    num_warps: int = 4,
    *,
    raise_pointers: bool = False,
    version_for_block_io: bool = False,
    release: str = "2026-01",
) -> DeviceReport:
    """
    Compile a copy of a module for a device and report on it; see the pipeline's options.

    Raises `PassFailure` for a release of the backend that there is not.
    """
    with rules_of(release_called(release).triton):
        return _device_report(
            module,
            ctx,
            device,
            IntelTTGIRPipelinePass(
                num_warps=num_warps,
                threads_per_warp=device.subgroup_size,
                device=device.name,
                raise_pointers=raise_pointers,
                version_for_block_io=version_for_block_io,
                release=release,
            ),
        )


def _device_report(
    module: ModuleOp, ctx: Context, device: Device, pipeline: IntelTTGIRPipelinePass
) -> DeviceReport:
    copy = copied(module)
    _copy_locations(module, copy)
    compiled = _has_layouts(copy)
    if not compiled:
        pipeline.run_up_to(ctx, copy, _DECIDES)
    facts = axis_analysis(copy, "intel")
    rules = rules_for(copy)
    early = {op: _said_of(op, facts, rules) for op in _accesses(copy)}
    positions = {_key(op): found for op, found in early.items() if program_position(op.location)}
    problems = {_key(op): tuple(surface_problems(op, device)) for op in early}
    if not compiled:
        pipeline.run_from(ctx, copy, _DECIDES)
    found: list[AccessVerdict] = []
    for op in _accesses(copy):
        said = early.get(op) or positions.get(_key(op)) or Verdict(None, "it is made late", "late")
        broken = problems.get(_key(op), ()) if said.is_block else ()
        final = said if compiled or broken else _final(op, said)
        found.append(_verdict(op, final, broken))
    return DeviceReport(tuple(found), shared_memory_report(copy, "intel"))


def device_verdicts(
    module: ModuleOp, ctx: Context, device: Device, num_warps: int = 4
) -> list[AccessVerdict]:
    """Return the verdicts on the tensors that a kernel loads and stores, in its order."""
    return list(device_report(module, ctx, device, num_warps).accesses)


def _final(op: Operation, said: Verdict) -> Verdict:
    """Return what the passes made of an access, with what was said of it as the reason."""
    mode = op.attributes.get(BLOCK_IO)
    if isinstance(mode, StringAttr):
        return Verdict(mode.data)
    if said.is_block:
        return Verdict(None, "a later pass took the layout that it needs away", "layout")
    return said


def _said_of(op: Operation, facts: AxisAnalysis, rules: IntelRules) -> Verdict:
    if not isinstance(op, DescriptorLoadOp | DescriptorStoreOp):
        return verdict(op, facts, rules)
    if not rules.has_descriptors:
        return Verdict(None, "descriptors become pointers", "descriptor")
    return descriptor_verdict(op, facts)[1]


def _accesses(module: ModuleOp) -> list[Operation]:
    return [
        op
        for op in module.walk()
        if isinstance(op, DescriptorLoadOp | DescriptorStoreOp)
        or (op.name in ("tt.load", "tt.store") and tensor_type(op.operands[0].type) is not None)
    ]


def _key(op: Operation) -> object:
    """Return what tells an access apart from others across passes that make it anew."""
    position = program_position(op.location)
    return op if position is None else (op.name, position, call_position(op.location))


def _copy_locations(source: Operation, target: Operation) -> None:
    for old, new in zip(source.walk(), target.walk(), strict=True):
        new.location = old.location


def _has_layouts(module: ModuleOp) -> bool:
    types = (tensor_type(result.type) for op in module.walk() for result in op.results)
    return any(type is not None and not isinstance(type.encoding, NoneAttr) for type in types)


def _verdict(op: Operation, found: Verdict, problems: tuple[str, ...]) -> AccessVerdict:
    data = tensor_type(op.results[0].type if op.results else op.operands[1].type)
    type = tensor_type(op.operands[0].type) or data
    assert type is not None
    element = "" if data is None else str(data.element_type)
    kind = op.name.removeprefix("tt.").removeprefix("descriptor_")
    where = program_position(op.location), call_position(op.location)
    return AccessVerdict(kind, type.get_shape(), element, *where, found, problems)
