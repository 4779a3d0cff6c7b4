"""How operands of products lie in shared memory so that reading them meets all banks."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import TensorType

from xtriton.analysis.axis_facts import element_bits
from xtriton.dialects.ttg.cga import CGAEncodingAttr
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.mma import NvidiaMmaEncodingAttr
from xtriton.dialects.ttg.shared import SwizzledSharedEncodingAttr
from xtriton.layouts.shaping import shape_per_cta

_BITS_OF_ALL_BANKS = 1024

_MATRIX_CORES_OF_AMD = ("ttg.amd_mfma", "ttg.amd_wmma")


def swizzle_for_operand(
    operand: DotOperandEncodingAttr,
    type: TensorType[Any],
    order: tuple[int, ...],
    cga: CGAEncodingAttr,
    *,
    transposed: bool = False,
) -> SwizzledSharedEncodingAttr | None:
    """
    Return the layout in shared memory from which an operand is read best.

    `type` is that of the tensor stored, `order` of its dimensions, fastest first; with
    `transposed` it is turned when read. None for AMD's matrix cores.

    Source: the builders of `SwizzledSharedEncodingAttr` in `TritonGPUAttrDefs.td`.
    """
    parent = operand.parent
    if parent.name in _MATRIX_CORES_OF_AMD:
        return None
    if not isinstance(parent, NvidiaMmaEncodingAttr):
        return SwizzledSharedEncodingAttr(1, 1, 1, order, cga)
    bits = element_bits(type)
    inner = shape_per_cta(cga.block_bases, type.get_shape())[order[0]]
    per_phase = max(_BITS_OF_ALL_BANKS // (bits * inner), 1)
    vec, stride = 4 * operand.k_width, 8
    if transposed:
        vec, stride = stride, vec
    elif bits == 64:
        # Tiles of doubles have half the rows.
        stride = 4
    k_dim = len(order) - 1 if operand.op_idx == 0 else len(order) - 2
    if order[0] != k_dim:
        vec, stride = stride, vec
    max_phase = max(min(stride, _BITS_OF_ALL_BANKS // (vec * bits)), 1)
    return SwizzledSharedEncodingAttr(vec, per_phase, max(max_phase // per_phase, 1), order, cga)
