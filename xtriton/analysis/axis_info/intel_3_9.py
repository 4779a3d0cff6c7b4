"""
Axis information by the rules of the Intel XPU backend that go with Triton 3.9.

They are Triton's own, with rules for tensor descriptors and casts to `index`; what strides there
are is told by an analysis of its own.
Source: `AxisInfoExt.cpp` and `StrideInfo.cpp` of the backend, August 2026.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from xdsl.ir import Operation, OpResult, SSAValue

from xtriton.analysis.axis_facts import element_bytes
from xtriton.analysis.axis_info import rules_3_9
from xtriton.analysis.axis_info.dataflow import AxisAnalysis, Rule
from xtriton.analysis.axis_info.intel import RULES_3_9 as RULES_OF_STRIDES, IntelAxisAnalysis
from xtriton.analysis.axis_info.lattice import AxisInfo, Infos, gcd, hint, shape_of
from xtriton.analysis.axis_info.rules import same
from xtriton.analysis.axis_info.rules_3_9 import AxisAnalysisOf39


class IntelAxisAnalysisOf39(AxisAnalysisOf39):
    """The analysis of the Intel backend since August 2026."""

    strides: AxisAnalysis

    @classmethod
    def of(cls, module: Operation, wanted: Sequence[SSAValue] | None = None) -> AxisAnalysis:
        """Analyse a module, or what is behind some values in it."""
        analysis = cls(RULES)
        analysis.run(module, wanted)
        analysis.strides = _StrideAnalysis(RULES_OF_STRIDES).run(module, wanted)
        return analysis

    def info(self, value: SSAValue) -> AxisInfo:
        found, strides = super().info(value), self.strides.info(value)
        return replace(found, stride=strides.stride) if found.rank == strides.rank else found


class _StrideAnalysis(IntelAxisAnalysis):
    """Strides, by `tt.contiguity` too where it spans a dimension."""

    def hinted(self, info: AxisInfo, result: OpResult) -> AxisInfo:
        found = super().hinted(info, result)
        spans = hint(result.op.attributes.get("tt.contiguity"))
        shape = shape_of(result.type)
        if spans is None or shape is None:
            return found
        stride = tuple(
            1
            if found.stride_of(d) < 0 and d < len(spans) and spans[d] >= size
            else found.stride_of(d)
            for d, size in enumerate(shape)
        )
        return replace(found, stride=stride)


def _make_descriptor(op: Operation, operands: Infos) -> AxisInfo:
    """Along a dimension with stride 1 what a descriptor points to is contiguous up to its end."""
    type: Any = op.results[0].type
    shape: tuple[int, ...] = type.block_type.get_shape()
    rank = len(shape)
    base, sizes, strides = operands[0], operands[1 : rank + 1], operands[rank + 1 : 2 * rank + 1]
    size = element_bytes(type.block_type)
    contiguity = tuple(
        min(sizes[d].divisibility[0], shape[d]) if strides[d].value == 1 else 1 for d in range(rank)
    )
    divisibility = tuple(
        gcd(base.divisibility[0], size * gcd(0, *(s.divisibility[0] for s in _others(strides, d))))
        if contiguity[d] > 1
        else 1
        for d in range(rank)
    )
    return AxisInfo(contiguity, divisibility, (1,) * rank)


def _others(strides: Infos, d: int) -> Infos:
    return [stride for i, stride in enumerate(strides) if i != d]


def _load(op: Operation, operands: Infos) -> AxisInfo | None:
    shape, rank = shape_of(op.results[0].type) or (), operands[0].rank
    if len(shape) != rank:
        return None
    return AxisInfo((1,) * rank, (1,) * rank, operands[0].constancy)


RULES: dict[str, Rule] = {
    **rules_3_9.RULES,
    "arith.index_cast": same,
    "tt.make_tensor_descriptor": _make_descriptor,
    "tt.descriptor_load": _load,
    # Of block pointers, which the backend does not have any more.
    **{name: RULES_OF_STRIDES[name] for name in ("tt.advance", "tt.make_tensor_ptr")},
}
