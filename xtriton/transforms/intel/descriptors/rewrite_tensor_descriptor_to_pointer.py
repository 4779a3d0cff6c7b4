"""
Turn accesses through tensor descriptors that no 2D block access can do into ones by pointers.

Before:

    %d = tt.make_tensor_descriptor %base, [%m, %k], [%s, %c1_i64] : <f16>, <1x32xf16>
    %x = tt.descriptor_gather %d[%rows, %j]
    %e = tt.make_tensor_descriptor %base, [%m, %k], [%s, %c1_i64] : <f16>, <64x32xf16>
    %y = tt.descriptor_load %e[%i, %j]

After:

    %p = %base + %rows * %s + (%j + [0 .. 31]) : tensor<64x32x!tt.ptr<f16>>
    %x = tt.load %p, 0 <= %rows < %m & 0 <= %j + [0 .. 31] < %k, %zero_or_nan
    %e = tt.make_tensor_descriptor %base, [%m, %k], [%s, %c1_i64] : <f16>, <64x32xf16>
    %y = tt.descriptor_load %e[%i, %j]

Descriptors stay that only loads and stores use, be it by way of loops and branches. Kernels
make those that the host passes to them, from the sizes and strides that it passes too.
Gathers and scatters of rows one behind the other become loads and stores before, but where
the environment says `TRITON_INTEL_DISABLE_DESCRIPTOR_GATHER_SCATTER_REWRITE=1`.
Source: `RewriteTensorDescriptorToPointer.cpp` of the Intel XPU backend. Other than there, a
descriptor that meets another one, of which it is not so, does not stay; and a scatter that
stores a row twice stays one.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects.tt.descriptors import DescriptorLoadOp, DescriptorStoreOp, MakeTensorDescOp
from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.upstream.arith import SelectOp
from xtriton.dialects.upstream.scf import ConditionOp, ForOp, IfOp, WhileOp, YieldOp
from xtriton.ir.value_flow import sources
from xtriton.passes.rewriting import rewrite_greedily
from xtriton.transforms.intel.descriptors.descriptor_rows import RowsInRunsPattern
from xtriton.transforms.intel.descriptors.host_descriptors import make_host_descriptors
from xtriton.transforms.triton.descriptor_rewriting import (
    DescriptorRewriting,
    can_rewrite_descriptors,
)
from xtriton.transforms.triton.descriptor_values import is_descriptor, touches_descriptors

KEEP_ROWS = "TRITON_INTEL_DISABLE_DESCRIPTOR_GATHER_SCATTER_REWRITE"
"""Environment variable by which gathers and scatters of rows stay what they are."""


@dataclass(frozen=True)
class IntelRewriteTensorDescriptorToPointerPass(ModulePass):
    """Leave the descriptors that serve loads and stores; turn others into pointers."""

    name = "triton-intel-rewrite-tensor-descriptor-to-pointer"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if isinstance(function, FuncOp):
                make_host_descriptors(function)
        if os.environ.get(KEEP_ROWS, "").lower() not in ("1", "on", "true"):
            rewrite_greedily(op, [RowsInRunsPattern()])
        if can_rewrite_descriptors(op):
            rewriting = DescriptorRewriting(kept=_for_blocks(op), rounds=True)
            rewriting.inside(op)
            rewriting.erase()


@dataclass
class _Groups:
    """Descriptors that may be one another; `kinds` of their uses by the first of a group."""

    _above: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    accessed: list[SSAValue] = field(default_factory=list[SSAValue])
    spoilt: list[SSAValue] = field(default_factory=list[SSAValue])

    def first(self, value: SSAValue) -> SSAValue:
        """Return the value that stands for the group of a descriptor."""
        path: list[SSAValue] = []
        while (above := self._above.setdefault(value, value)) is not value:
            path.append(value)
            value = above
        for passed in path:
            self._above[passed] = value
        return value

    def meet(self, *values: SSAValue) -> None:
        """Note that values are one another, if they are descriptors."""
        if is_descriptor(values[0].type):
            for other in values[1:]:
                self._above[self.first(other)] = self.first(values[0])

    def good(self) -> set[SSAValue]:
        """Return the descriptors of groups that are accessed, and not spoilt."""
        spoilt = {self.first(value) for value in self.spoilt}
        good = {self.first(value) for value in self.accessed} - spoilt
        return {value for value in list(self._above) if self.first(value) in good}


def _for_blocks(module: ModuleOp) -> set[SSAValue]:
    """Return the descriptors that only loads and stores use, and that are made in the function."""
    groups = _Groups()
    for op in module.walk():
        if not touches_descriptors(op):
            continue
        match op:
            case DescriptorLoadOp() | DescriptorStoreOp():
                groups.accessed.append(op.desc)
            case MakeTensorDescOp():
                groups.meet(op.result)
            case SelectOp():
                groups.meet(*op.results, *op.operands[1:])
            case ForOp() | IfOp() | WhileOp():
                for value in (*op.results, *_arguments(op)):
                    groups.meet(value, *(sources(value) or ()))
            case YieldOp() | ConditionOp() if isinstance(op.parent_op(), ForOp | IfOp | WhileOp):
                pass
            case _:
                values = (*op.operands, *op.results, *_arguments(op))
                groups.spoilt += [value for value in values if is_descriptor(value.type)]
    return groups.good()


def _arguments(op: Operation) -> list[BlockArgument]:
    return [a for region in op.regions for block in region.blocks for a in block.args]
