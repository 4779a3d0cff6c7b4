"""
Which loads and stores by tensor descriptors the backend turns into 2D block accesses.

Source: `MaterializeBlockPointer.cpp` of the Intel XPU backend, August 2026. As there, a base
or a pitch of which nothing is known is taken to be aligned to 16 bytes, as who makes a
descriptor has to promise.
"""

from __future__ import annotations

from typing import cast

from xdsl.ir import Attribute, SSAValue

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.axis_info.dataflow import AxisAnalysis
from xtriton.analysis.intel.block_io import OFFSET_BITS, PITCH_BITS, Verdict
from xtriton.analysis.intel.module import ROW_MAJOR
from xtriton.analysis.intel.values import DESCRIPTOR, final_value, is_divisible, makers_of
from xtriton.dialects.tt.descriptors import DescriptorLoadOp, DescriptorStoreOp, MakeTensorDescOp
from xtriton.dialects.utils.constants import constant_int

PADDING = "ttig.desc_padding"
"""On an access: how the descriptor pads what is outside."""

_BASE_BYTES = 4
_LEAST_STEP = 2


def descriptor_verdict(
    op: DescriptorLoadOp | DescriptorStoreOp, facts: AxisAnalysis
) -> tuple[Attribute | None, Verdict]:
    """Return the padding of an access by descriptor, if known, and whether it is a 2D block."""
    makers = [cast(MakeTensorDescOp, maker) for maker in makers_of(op.desc, DESCRIPTOR)]
    if not makers:
        return None, Verdict(None, "the descriptor is made elsewhere", "origin")
    first = makers[0]
    padding = first.properties.get("padding")
    if any(maker.properties.get("padding") != padding for maker in makers):
        return None, Verdict(None, "the descriptor may pad in several ways", "origin")
    return padding, _verdict(op, makers, facts)


def _verdict(
    op: DescriptorLoadOp | DescriptorStoreOp, makers: list[MakeTensorDescOp], facts: AxisAnalysis
) -> Verdict:
    first = makers[0]
    rank = len(first.shape)
    if rank == 1:
        return Verdict(None, "the block has one dimension", "rank")
    if any(list(maker.shape) != list(first.shape) for maker in makers):
        return Verdict(None, "the descriptor may be of several shapes", "origin")
    if not all(_is_aligned(maker.base, _BASE_BYTES, facts) for maker in makers):
        return Verdict(None, f"the base is not aligned to {_BASE_BYTES} bytes", "base")
    data = op.result if isinstance(op, DescriptorLoadOp) else op.operands[1]
    bits = element_bits(data.type)
    step = max(_LEAST_STEP, -(-OFFSET_BITS // bits))
    multiple = f"known to be a multiple of {step} elements"
    if not is_divisible(final_value(first.shape[rank - 1]), step):
        return Verdict(None, f"the width is not {multiple}", "width")
    if not is_divisible(final_value(op.indices[rank - 1]), step):
        return Verdict(None, f"the offset along the rows is not {multiple}", "offset")
    apart = -(-PITCH_BITS // bits)
    if not all(_is_aligned(maker.strides[rank - 2], apart, facts) for maker in makers):
        return Verdict(None, f"rows are not a multiple of {apart} elements apart", "pitch")
    return Verdict(ROW_MAJOR)


def _is_aligned(value: SSAValue, divisor: int, facts: AxisAnalysis) -> bool:
    number = constant_int(value)
    if number is not None:
        return number % divisor == 0
    known = facts.info(value).divisibility[0]
    return known == 1 or known % divisor == 0
