"""
Let shared memory, through which operands of dots go anyway, transpose and reshape them.

Before:

    %0 = tt.trans %x {order = array<i32: 1, 0>} : ...
    %1 = ttg.convert_layout %0 : ... -> tensor<64x64xf16, #ttg.dot_op<...>>
    %2 = tt.dot %a, %1, ...

After:

    %0 = ttg.local_alloc %x : ... -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %1 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>} : ...
    %2 = ttg.local_load %1 : ... -> tensor<64x64xf16, #ttg.dot_op<...>>
    %3 = tt.dot %a, %2, ...

Source: `OptimizeDotOperands.cpp` of Triton.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, cga_of, layout_of
from xtriton.dialects.tt.shapes import ReshapeOp, TransOp
from xtriton.dialects.ttg.cga import CGAEncodingAttr
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttg.memdesc_views import MemDescReshapeOp, MemDescTransOp
from xtriton.dialects.ttg.memory import LocalAllocOp, LocalLoadOp
from xtriton.dialects.ttg.shared import NVMMASharedEncodingAttr, SwizzledSharedEncodingAttr
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integers
from xtriton.layouts.shaping import order_for_memory, reshape
from xtriton.passes.rewriting import LatePatterns
from xtriton.transforms.cleanup.canonicalization.tables import CONVERSION_PATTERNS
from xtriton.transforms.cleanup.canonicalize import canonicalize
from xtriton.transforms.triton_gpu.operand_swizzles import swizzle_for_operand
from xtriton.transforms.triton_gpu.retyping import layout_of_value
from xtriton.transforms.triton_gpu.simplification import simplify

_MATRIX_TRANSPOSE = (1, 0)
_MMA_FROM_SHARED = frozenset(("ttng.tc_gen5_mma", "ttng.tc_gen5_mma_scaled", "ttng.warp_group_dot"))


@dataclass(frozen=True)
class TritonGPUOptimizeDotOperandsPass(ModulePass):
    """Transpose and reshape operands of dots in shared memory."""

    name = "tritongpu-optimize-dot-operands"

    hoist_layout_conversion: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        canonicalize(op)
        simplify(op, (*PATTERNS, *CONVERSION_PATTERNS))


def _made_by(value: SSAValue, op_type: type[Operation]) -> Operation | None:
    op = value.op if isinstance(value, OpResult) else None
    return op if isinstance(op, op_type) else None


def _order(op: Operation) -> tuple[int, ...]:
    return integers(op, "order")


def _only_user(value: SSAValue) -> Operation | None:
    return next(iter(value.uses)).operation if value.has_one_use() else None


class TransposedOperandPattern(RewritePattern):
    """dot(convert(trans x)) → dot(convert(local_load(memdesc_trans(local_alloc x))))"""

    op_types = (ConvertLayoutOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, ConvertLayoutOp)
        user = _only_user(op.result)
        transpose = _made_by(op.src, TransOp)
        if user is None or user.name != "tt.dot" or transpose is None:
            return
        encoding = layout_of_value(op.result)
        source = transpose.operands[0]
        if _order(transpose) != _MATRIX_TRANSPOSE or not isinstance(
            encoding, DotOperandEncodingAttr
        ):
            return
        type = source.type
        conversion = _made_by(source, ConvertLayoutOp)
        if conversion is not None:
            type = conversion.operands[0].type
        assert is_tensor(type)
        types = _buffer_and_view(encoding, type)
        if types is None:
            return
        memory, view = types
        buffer = LocalAllocOp(memory, source)
        transposed = MemDescTransOp(buffer.result, _MATRIX_TRANSPOSE, view)
        loaded = LocalLoadOp(transposed.result, op.result.type)
        rewriter.insert([buffer, transposed, loaded], InsertPoint.before(transpose))
        op.operands[0] = loaded.result
        rewriter.notify_op_modified(op)


@lru_cache(maxsize=1024)
def _buffer_and_view(
    operand: DotOperandEncodingAttr, type: TensorType[Any]
) -> tuple[MemDescType, MemDescType] | None:
    """Return how a tensor is put into shared memory, and seen there transposed."""
    shared = _shared_encoding(operand, type)
    if shared is None:
        return None
    turned = SwizzledSharedEncodingAttr(
        shared.vec,
        shared.per_phase,
        shared.max_phase,
        [_MATRIX_TRANSPOSE.index(d) for d in shared.order],
        shared.cga.transposed(_MATRIX_TRANSPOSE),
    )
    rows, columns = type.get_shape()
    memory = MemDescType((rows, columns), type.element_type, shared)
    return memory, MemDescType((columns, rows), type.element_type, turned)


def _shared_encoding(
    operand: DotOperandEncodingAttr, type: TensorType[Any]
) -> SwizzledSharedEncodingAttr | None:
    """Return the layout in shared memory from which an operand, transposed, is read best."""
    try:
        order = order_for_memory(layout_of(type.encoding, type.get_shape()))
    except NoLinearLayout:
        return None
    blocks = [[basis[d] for d in _MATRIX_TRANSPOSE] for basis in cga_of(type.encoding)]
    cga = CGAEncodingAttr(blocks, len(order))
    return swizzle_for_operand(operand, type, order, cga, transposed=True)


class TransposedBufferPattern(RewritePattern):
    """mma(local_alloc(trans x)) → mma(memdesc_trans(local_alloc x))"""

    op_types = (LocalAllocOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, LocalAllocOp)
        user = _only_user(op.result)
        transpose = None if op.src is None else _made_by(op.src, TransOp)
        if user is None or user.name not in _MMA_FROM_SHARED or transpose is None:
            return
        if _order(transpose) != _MATRIX_TRANSPOSE:
            return
        type = op.result.type
        assert isinstance(type, MemDescType)
        encoding, source = type.encoding, transpose.operands[0]
        assert is_tensor(source.type)
        if not isinstance(encoding, NVMMASharedEncodingAttr):
            return
        inner = NVMMASharedEncodingAttr(
            encoding.swizzling_byte_width,
            not encoding.transposed,
            encoding.element_bit_width,
            encoding.fp4_padded,
            encoding.cga.transposed(_MATRIX_TRANSPOSE),
        )
        buffer = LocalAllocOp(
            MemDescType(
                source.type.get_shape(), source.type.element_type, inner, type.memory_space
            ),
            source,
        )
        rewriter.replace(op, [buffer, MemDescTransOp(buffer.result, _MATRIX_TRANSPOSE, type)])


class ReshapedBufferPattern(RewritePattern):
    """local_alloc(reshape x) → memdesc_reshape(local_alloc x), where the layout allows it"""

    op_types = (LocalAllocOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, LocalAllocOp)
        view = None if op.src is None else _made_by(op.src, ReshapeOp)
        type = op.result.type
        assert isinstance(type, MemDescType)
        if view is None:
            return
        source = view.operands[0]
        assert is_tensor(source.type)
        inner = _reshaped_encoding(type, source.type.get_shape())
        if inner is None:
            return
        buffer = LocalAllocOp(
            MemDescType(
                source.type.get_shape(), source.type.element_type, inner, type.memory_space
            ),
            source,
        )
        rewriter.replace(op, [buffer, MemDescReshapeOp(buffer.result, type)])


def _reshaped_encoding(type: MemDescType, shape: tuple[int, ...]) -> Attribute | None:
    """Return the same kind of encoding for another shape; None where that is another map."""
    encoding = type.encoding
    if not isinstance(encoding, NVMMASharedEncodingAttr) or encoding.cga.num_ctas != 1:
        return None
    old = tuple(type.get_shape())
    fast = 0 if encoding.transposed else -1
    if old[fast] != shape[fast]:
        return None
    candidate = NVMMASharedEncodingAttr(
        encoding.swizzling_byte_width,
        encoding.transposed,
        encoding.element_bit_width,
        encoding.fp4_padded,
        rank=len(shape),
    )
    try:
        same = reshape(layout_of(encoding, old), shape) == layout_of(candidate, tuple(shape))
    except NoLinearLayout:
        return None
    return candidate if same else None


class LateScales(LatePatterns):
    """What lets scales of products stay in shared memory."""

    HOMES: ClassVar = {
        "ttng.tc_gen5_mma_scaled": "xtriton.transforms.triton_gpu.scales_in_shared_memory"
    }


PATTERNS: tuple[RewritePattern, ...] = (
    TransposedOperandPattern(),
    TransposedBufferPattern(),
    ReshapedBufferPattern(),
    LateScales(),
)
