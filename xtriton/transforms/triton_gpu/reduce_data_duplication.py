"""
Let operands of products that threads would hold in copies go through shared memory.

Before:

    %1 = ttg.convert_layout %0 : tensor<16x256xf16, #blocked>
        -> tensor<16x256xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>

After, with a swizzle by which reading the operand meets all banks:

    %m = ttg.local_alloc %0
        : (tensor<16x256xf16, #blocked>) -> !ttg.memdesc<16x256xf16, #shared, #smem>
    %1 = ttg.local_load %m : !ttg.memdesc<16x256xf16, #shared, #smem>
        -> tensor<16x256xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>

Conversions that do without shared memory stay, and those to operands of AMD's matrix cores.
Source: `ReduceDataDuplication.cpp` of Triton; that of the Intel XPU backend is
`tritonintelgpu-reduce-data-duplication`.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, cga_of, layout_of
from xtriton.dialects.ttg.cga import CGAEncodingAttr
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.interfaces import SharedEncoding
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttg.memory import LocalAllocOp, LocalLoadOp
from xtriton.dialects.ttg.shared import SwizzledSharedEncodingAttr
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_of
from xtriton.layouts.conversion import needs_shared_memory
from xtriton.layouts.shaping import order_for_memory
from xtriton.passes.rewriting import replace
from xtriton.transforms.triton_gpu.operand_swizzles import swizzle_for_operand


@dataclass(frozen=True)
class TritonGPUReduceDataDuplicationPass(ModulePass):
    """Turn conversions to operands of products into a store to and a load from shared memory."""

    name = "tritongpu-reduce-data-duplication"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for conversion in ops_of(op, ConvertLayoutOp):
            shared = _shared_encoding(conversion)
            if shared is not None:
                through_shared_memory(conversion, shared)


def _shared_encoding(op: ConvertLayoutOp) -> SwizzledSharedEncodingAttr | None:
    """Return how the operand that a conversion makes should lie in shared memory, if it should."""
    source, target = op.src.type, op.result.type
    assert is_tensor(source) and is_tensor(target)
    operand = target.encoding
    if not isinstance(operand, DotOperandEncodingAttr) or isinstance(
        source.encoding, SharedEncoding
    ):
        return None
    shape = source.get_shape()
    try:
        layout = layout_of(source.encoding, shape)
        if not needs_shared_memory(layout, layout_of(operand, shape)):
            return None
    except NoLinearLayout:
        return None
    order = order_for_memory(layout)
    cga = CGAEncodingAttr(cga_of(source.encoding), len(order))
    return swizzle_for_operand(operand, source, order, cga)


def through_shared_memory(op: ConvertLayoutOp, shared: SwizzledSharedEncodingAttr) -> None:
    """Replace a conversion by a store to shared memory, laid out as `shared`, and a load."""
    target = op.result.type
    assert is_tensor(target)
    memory = MemDescType(target.get_shape(), target.element_type, shared)
    store = LocalAllocOp(memory, op.src)
    load = LocalLoadOp(store.results[0], target)
    store.location = load.location = op.location
    assert op.parent is not None
    op.parent.insert_ops_before([store, load], op)
    replace(op, [load.results[0]])
