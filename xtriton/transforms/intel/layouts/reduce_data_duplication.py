"""
Let operands of products that threads would hold in copies go through shared memory.

Before:

    %1 = ttg.convert_layout %0 : tensor<64x32xf16, #blocked>
        -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>

After:

    %m = ttg.local_alloc %0 : (tensor<64x32xf16, #blocked>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
    %1 = ttg.local_load %m : !ttg.memdesc<64x32xf16, #shared, #smem>
        -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>

Source: `ReduceDataDuplication.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.analysis.intel.conversions import needs_shared_memory
from xtriton.dialects.encodings.linear_layouts import cga_of, order_of
from xtriton.dialects.ttg.cga import CGAEncodingAttr
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.interfaces import SharedEncoding
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttg.shared import SwizzledSharedEncodingAttr
from xtriton.dialects.ttig.encodings import DpasEncodingAttr
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_of
from xtriton.transforms.triton_gpu.reduce_data_duplication import through_shared_memory


@dataclass(frozen=True)
class ReduceDataDuplicationPass(ModulePass):
    """Turn conversions to operands of products into a store to and a load from shared memory."""

    name = "tritonintelgpu-reduce-data-duplication"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for conversion in ops_of(op, ConvertLayoutOp):
            _share(conversion)


def _share(op: ConvertLayoutOp) -> None:
    source, target = op.src.type, op.result.type
    assert is_tensor(source) and is_tensor(target)
    operand = target.encoding
    if not isinstance(operand, DotOperandEncodingAttr):
        return
    if isinstance(source.encoding, SharedEncoding) or not needs_shared_memory(source, target):
        return
    if _holds_no_copies(source.encoding, operand):
        return
    order = order_of(source.encoding, source.get_shape())
    if len(order) == 3:
        # The batch is the slowest.
        order = (*(d for d in order if d != 0), 0)
    bases = cga_of(source.encoding)
    shared = SwizzledSharedEncodingAttr(1, 1, 1, order, CGAEncodingAttr(bases, len(order)))
    through_shared_memory(op, shared)


def _holds_no_copies(source: object, operand: DotOperandEncodingAttr) -> bool:
    """Return whether a result of DPAS becomes the operand of one without copies."""
    if not isinstance(source, DpasEncodingAttr) or operand.parent != source:
        return False
    return source.warps_per_cta[-1 if operand.op_idx == 0 else -2] == 1
