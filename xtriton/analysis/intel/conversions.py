"""Which layout conversions need shared memory on Intel's GPUs."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import TensorType

from xtriton.dialects.encodings.linear_layouts import layout_of_type
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttig.encodings import DpasEncodingAttr
from xtriton.layouts import conversion
from xtriton.layouts.conversion import Movement, movement


def movement_of(source: TensorType[Any], target: TensorType[Any]) -> Movement:
    """Return how far elements move from one layout to another."""
    if source.encoding == target.encoding:
        return Movement.NOTHING
    return movement(layout_of_type(source), layout_of_type(target))


def needs_shared_memory(source: TensorType[Any], target: TensorType[Any]) -> bool:
    """Return whether a conversion goes through shared memory."""
    if source.encoding == target.encoding or result_is_left_operand(source, target):
        return False
    return conversion.needs_shared_memory(layout_of_type(source), layout_of_type(target))


def result_is_left_operand(source: TensorType[Any], target: TensorType[Any]) -> bool:
    """Return whether a result of DPAS is, register by register, the left operand of the next."""
    result, operand = source.encoding, target.encoding
    if not isinstance(result, DpasEncodingAttr) or not isinstance(operand, DotOperandEncodingAttr):
        return False
    return (
        operand.parent == result
        and operand.op_idx == 0
        and result.warps_per_cta[-1] == 1
        and result.inst_shape_a == result.inst_shape_c
    )
