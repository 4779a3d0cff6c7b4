"""Canonicalization patterns of `tt` ops; upstream: `Ops.cpp` and `Canonicalize.td`."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, TensorType, i32
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.dialects.tt.casts import BitcastOp, IntToPtrOp, PtrToIntOp
from xtriton.dialects.tt.constraints import bit_width
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.tt.pointers import AddPtrOp
from xtriton.dialects.tt.shapes import BroadcastOp, ExpandDimsOp, ReshapeOp, SplatOp, TransOp
from xtriton.dialects.tt.type_relations import element_type
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.upstream.arith import AddiOp, ConstantOp
from xtriton.ir.noted_edits import note_edit
from xtriton.transforms.cleanup.canonicalization.where import with_giver
from xtriton.transforms.cleanup.constants import (
    constant_of,
    is_tensor,
    uniform_constant,
    uniform_value,
)


class KnownMaskOfLoadPattern(RewritePattern):
    """load p, true, o → load p; load p, false, o → o"""

    op_types = (LoadOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, LoadOp)
        mask = None if op.mask is None else uniform_value(constant_of(op.mask))
        if mask is None:
            return
        if mask:
            new = op.clone()
            new.operands = [new.ptr]
            _set_segments(new, 1, 0, 0)
            rewriter.replace(op, new)
        elif op.other is not None:
            rewriter.replace(op, [], [op.other])


class KnownMaskOfStorePattern(RewritePattern):
    """store p, v, true → store p, v; store p, v, false → nothing"""

    op_types = (StoreOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, StoreOp)
        mask = None if op.mask is None else uniform_value(constant_of(op.mask))
        if mask is None:
            return
        if mask:
            op.operands = [op.ptr, op.value]
            rewriter.notify_op_modified(op)
        else:
            rewriter.erase(op)


class PointerRoundTripPattern(RewritePattern):
    """int_to_ptr(ptr_to_int p) → bitcast p, or p itself where the types agree"""

    op_types = (IntToPtrOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner = op.operands[0].owner
        if not isinstance(inner, PtrToIntOp):
            return
        if inner.src.type == op.results[0].type:
            rewriter.replace(op, [], [inner.src])
        else:
            rewriter.replace(
                op,
                BitcastOp.create(operands=[inner.src], result_types=[op.results[0].type]),
            )


class ReshapeOfSplatPattern(RewritePattern):
    """expand_dims(splat x), broadcast(splat x) and reshape(splat x) are splat x"""

    op_types = (BroadcastOp, ExpandDimsOp, ReshapeOp)
    where = with_giver("tt.splat")

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner = op.operands[0].owner
        if isinstance(inner, SplatOp):
            rewriter.replace(
                op, SplatOp.create(operands=[inner.src], result_types=[op.results[0].type])
            )


class BroadcastOfBroadcastPattern(RewritePattern):
    """broadcast(broadcast x) → broadcast x"""

    op_types = (BroadcastOp,)
    where = with_giver("tt.broadcast")

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner = op.operands[0].owner
        if isinstance(inner, BroadcastOp):
            op.operands = [inner.src]
            rewriter.notify_op_modified(op)


class ExpandDimsOfBroadcastPattern(RewritePattern):
    """expand_dims(broadcast x) → broadcast(expand_dims x)"""

    op_types = (ExpandDimsOp,)
    where = with_giver("tt.broadcast")

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, ExpandDimsOp)
        inner = op.src.owner
        if not isinstance(inner, BroadcastOp):
            return
        old, source = op.result.type, inner.src.type
        assert is_tensor(old)
        assert is_tensor(source)
        shape = list(source.get_shape())
        shape.insert(op.axis.value.data, 1)
        expanded = ExpandDimsOp.create(
            operands=[inner.src],
            result_types=[TensorType(old.element_type, shape, old.encoding)],
            properties=dict(op.properties),
        )
        broadcast = BroadcastOp.create(operands=[expanded.result], result_types=[old])
        rewriter.replace(op, [expanded, broadcast])


class ReshapeOfReshapePattern(RewritePattern):
    """reshape(reshape x) → reshape x, which may reorder if either may"""

    op_types = (ReshapeOp,)
    where = with_giver("tt.reshape")

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, ReshapeOp)
        inner = op.src.owner
        if not isinstance(inner, ReshapeOp) or op.efficient_layout or inner.efficient_layout:
            return
        if inner.allow_reorder is not None:
            op.allow_reorder = inner.allow_reorder
        op.operands = [inner.src]
        rewriter.notify_op_modified(op)


class ReshapeOfExpandDimsPattern(RewritePattern):
    """reshape(expand_dims x) → x where the types agree"""

    op_types = (ReshapeOp,)
    where = with_giver("tt.expand_dims")

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, ReshapeOp)
        inner = op.src.owner
        if op.efficient_layout or op.allow_reorder or not isinstance(inner, ExpandDimsOp):
            return
        if inner.src.type == op.result.type:
            rewriter.replace(op, [], [inner.src])


class TransOfTransPattern(RewritePattern):
    """trans(trans x) → trans x with the composed order"""

    op_types = (TransOp,)
    where = with_giver("tt.trans")

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, TransOp)
        inner = op.src.owner
        if not isinstance(inner, TransOp):
            return
        first = inner.order.get_values()
        op.order = DenseArrayBase.from_list(i32, [first[dim] for dim in op.order.get_values()])
        op.operands = [inner.src]
        rewriter.notify_op_modified(op)


class PointerFromSumPattern(RewritePattern):
    """int_to_ptr(addi x, c) → addptr(int_to_ptr x), c / element size, if that divides c"""

    op_types = (IntToPtrOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner = op.operands[0].owner
        if not isinstance(inner, AddiOp):
            return
        offset = uniform_value(constant_of(inner.rhs))
        pointer = element_type(op.results[0].type)
        assert isinstance(pointer, PtrType)
        size = max(1, bit_width(pointer.pointee_type) // 8)
        if not isinstance(offset, int) or offset % size:
            return
        base = IntToPtrOp.create(operands=[inner.lhs], result_types=[op.results[0].type])
        count = ConstantOp.create(
            properties={"value": uniform_constant(inner.rhs.type, offset // size)},
            result_types=[inner.rhs.type],
        )
        rewriter.replace(op, [base, count, AddPtrOp(base, count)])


LOAD_PATTERNS = (KnownMaskOfLoadPattern(),)
STORE_PATTERNS = (KnownMaskOfStorePattern(),)
INT_TO_PTR_PATTERNS = (PointerRoundTripPattern(), PointerFromSumPattern())
EXPAND_DIMS_PATTERNS = (ReshapeOfSplatPattern(), ExpandDimsOfBroadcastPattern())
BROADCAST_PATTERNS = (ReshapeOfSplatPattern(), BroadcastOfBroadcastPattern())
RESHAPE_PATTERNS = (
    ReshapeOfExpandDimsPattern(),
    ReshapeOfSplatPattern(),
    ReshapeOfReshapePattern(),
)
TRANS_PATTERNS = (TransOfTransPattern(),)


def _set_segments(op: Operation, *sizes: int) -> None:
    """Say how many operands each operand group of `op` has now."""
    old = op.properties["operandSegmentSizes"]
    note_edit(op)
    op.properties["operandSegmentSizes"] = type(old).from_list(old.elt_type, sizes)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
