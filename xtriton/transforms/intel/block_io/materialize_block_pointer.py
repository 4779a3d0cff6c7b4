"""
Mark the loads and stores that can be 2D block accesses.

Before:

    %p = tt.make_tensor_ptr %base, [%m, %k], [%stride, %c1_i64], [%i, %j] ...
    %a = tt.load %p : !tt.ptr<tensor<64x32xf16, #blocked>>

After:

    %a = tt.load %p {ttig.block_io = "row_major"} : !tt.ptr<tensor<64x32xf16, #blocked>>

By the rules of August 2026 accesses by tensor descriptors are marked as well, and say in
`ttig.desc_padding` how these pad; flat accesses to the rows of a matrix are accesses to these (see
`flat_tiles`). What keeps an access from it is said by `xtriton.analysis.intel.block_io`.
Source: `MaterializeBlockPointer.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.analysis.axis_info.dataflow import AxisAnalysis
from xtriton.analysis.intel.accesses import tensor_type
from xtriton.analysis.intel.block_io import verdict
from xtriton.analysis.intel.descriptor_io import PADDING, descriptor_verdict
from xtriton.analysis.intel.device import Device, device_called, surface_problems
from xtriton.analysis.intel.module import BLOCK_IO, supports_2d_block_io
from xtriton.analysis.intel.rules import IntelRules, rules_for
from xtriton.dialects.tt.descriptors import DescriptorLoadOp, DescriptorStoreOp
from xtriton.ir.listings import ops_such
from xtriton.ir.noted_edits import set_attribute
from xtriton.transforms.intel.block_io.flat_tiles import access_as_rows, block_io_of_any_layout


@dataclass(frozen=True)
class MaterializeBlockPointerPass(ModulePass):
    """Give loads and stores that can be 2D block accesses the attribute `ttig.block_io`."""

    name = "tritonintelgpu-materialize-block-pointer"

    takes_surfaces_of: str = ""
    """
    A device such as `pvc`: accesses to surfaces that it is known not to take are not marked.

    Upstream marks them.
    """

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not supports_2d_block_io(op):
            return
        device = None
        if self.takes_surfaces_of:
            device = device_called(self.takes_surfaces_of)
        rules = rules_for(op)
        accesses = [access for access in ops_such(op, _is_access) if _may_be_block(access)]
        flat = [access for access in accesses if _is_flat(access)]
        others = [access for access in accesses if not _is_flat(access)]
        if others:
            facts = axis_analysis(op, "intel", _pointers(others))
            for access in others:
                _mark(access, facts, rules, device)
        if rules.accesses_flat_tiles_as_rows and device is None and block_io_of_any_layout():
            for access in flat:
                access_as_rows(access)


def _pointers(accesses: Sequence[Operation]) -> list[SSAValue] | None:
    """Return what accesses go through; None if one goes through what a descriptor is made of."""
    if any(access.name not in ("tt.load", "tt.store") for access in accesses):
        return None
    return [access.operands[0] for access in accesses]


def _mark(access: Operation, facts: AxisAnalysis, rules: IntelRules, device: Device | None) -> None:
    """Say of an access to two dimensions or more, or through a descriptor, what it may become."""
    if access.name in ("tt.load", "tt.store"):
        found = verdict(access, facts, rules)
        if found.mode is not None and not (device and surface_problems(access, device)):
            set_attribute(access, BLOCK_IO, StringAttr(found.mode))
    elif rules.has_descriptors and isinstance(access, DescriptorLoadOp | DescriptorStoreOp):
        padding, found = descriptor_verdict(access, facts)
        if padding is not None:
            set_attribute(access, PADDING, padding)
        if found.mode is not None:
            set_attribute(access, BLOCK_IO, StringAttr(found.mode))


def _is_access(kind: type[Operation]) -> bool:
    is_of_pointers = kind.name in ("tt.load", "tt.store")
    return is_of_pointers or issubclass(kind, DescriptorLoadOp | DescriptorStoreOp)


def _may_be_block(access: Operation) -> bool:
    if access.name in ("tt.load", "tt.store"):
        return tensor_type(access.operands[0].type) is not None
    return True


def _is_flat(op: Operation) -> bool:
    type = tensor_type(op.operands[0].type)
    return op.name in ("tt.load", "tt.store") and type is not None and len(type.get_shape()) == 1
