"""
Canonicalization of layout conversions: into what is converted, or away.

Upstream: `ConvertLayoutOp::getCanonicalizationPatterns` in `TritonGPU/IR/Ops.cpp`.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from xtriton.dialects.encodings.inference import infer_result
from xtriton.dialects.encodings.linear_layouts import (
    NoLinearLayout,
    elements_per_thread,
    layout_of_type,
)
from xtriton.dialects.tt.elementwise import GatherOp, HistogramOp
from xtriton.dialects.tt.joins import CatOp, SplitOp
from xtriton.dialects.tt.program import MakeRangeOp
from xtriton.dialects.tt.shapes import ReshapeOp, SplatOp, TransOp
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttg.memory import LocalAllocOp, LocalLoadOp, LocalStoreOp
from xtriton.dialects.ttg.mma import NvidiaMmaEncodingAttr
from xtriton.dialects.ttig.encodings import DpasEncodingAttr
from xtriton.dialects.upstream.arith import ConstantOp
from xtriton.ir.attributes import integers
from xtriton.ir.dense import from_bytes, is_splat
from xtriton.layouts.conversion import is_expensive_view
from xtriton.transforms.cleanup.canonicalization.where import CONSTANT, with_giver


def defining(value: SSAValue, op_type: type[Operation]) -> Any:
    """Return the op of class `op_type` that makes `value`, or None."""
    op = value.op if isinstance(value, OpResult) else None
    return op if isinstance(op, op_type) else None


def encoding(type: Attribute) -> Attribute | None:
    """Return the encoding of a tensor type."""
    return type.encoding if isinstance(type, TensorType) else None


def is_trivial(conversion: ConvertLayoutOp) -> bool:
    """Return whether both layouts are the same map."""
    source, target = conversion.src.type, conversion.result.type
    return source == target or _layouts_equal(source, target)


def _layouts_equal(a: Attribute, b: Attribute) -> bool:
    try:
        return layout_of_type(a) == layout_of_type(b)  # pyright: ignore[reportArgumentType]
    except NoLinearLayout:
        return False


def expensive_view(source: Attribute, target: Attribute) -> bool:
    """Return whether a reshape that may reorder has to move elements between threads."""
    try:
        return is_expensive_view(layout_of_type(source), layout_of_type(target))  # pyright: ignore[reportArgumentType]
    except NoLinearLayout:
        return True


def expensive_cat(cat: CatOp, target: Attribute) -> bool:
    """Return whether a thread would have fewer elements of the concatenation than now."""
    type = cat.result.type
    assert isinstance(type, TensorType)
    shape = type.get_shape()
    return elements_per_thread(target, shape) < elements_per_thread(type.encoding, shape)


def retyped(op: Operation, result_type: Attribute) -> Operation:
    """Return `op` once more, with a result of `result_type`."""
    return type(op).create(
        operands=list(op.operands),
        result_types=[result_type],
        properties=dict(op.properties),
        attributes=dict(op.attributes),
    )


_RESULTS_OF_DOTS = (NvidiaMmaEncodingAttr, DpasEncodingAttr)


_MERGED = (CatOp, ConvertLayoutOp, HistogramOp, LocalLoadOp, MakeRangeOp, ReshapeOp, SplatOp)
"""Ops that are made in another layout, as constants are."""


class ConversionPattern(RewritePattern):
    """A conversion of what can be made in any layout is that, made in the layout wanted."""

    op_types = (ConvertLayoutOp,)
    where = with_giver(CONSTANT, *(op.name for op in _MERGED), same_type=True)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, ConvertLayoutOp)
        (value,), (result,) = op._operands, op.results
        target = result.type
        if value.type == target:
            rewriter.replace(op, [], [value])
            return
        # A heuristic for attention: what one dot gives and another takes stays explicit.
        from_mma = isinstance(encoding(value.type), _RESULTS_OF_DOTS)
        if from_mma and isinstance(encoding(target), DotOperandEncodingAttr):
            return
        source = value.op if isinstance(value, OpResult) else None
        new = None if source is None else self.merged(op, source, target)
        if new is None:
            return
        if isinstance(source, LocalLoadOp):
            # What follows the load may write to the memory that it reads.
            rewriter.replace(op, [], [self._insert(rewriter, new, source)])
            return
        rewriter.replace(op, new)

    def _insert(self, rewriter: PatternRewriter, new: Operation, before: Operation) -> SSAValue:
        new.location = before.location
        rewriter.insert(new, InsertPoint.before(before))
        return new.results[0]

    def merged(self, op: ConvertLayoutOp, source: Operation, target: Attribute) -> Any:
        """Return the op that makes the tensor in the layout wanted, or None."""
        match source:
            case ReshapeOp():
                return self._reshape(op, source, target)
            case HistogramOp() | LocalLoadOp() | SplatOp() | MakeRangeOp():
                return retyped(source, target)
            case CatOp():
                wanted = encoding(target)
                if wanted is None or expensive_cat(source, wanted):
                    return None
                return retyped(source, target)
            case ConvertLayoutOp():
                return ConvertLayoutOp(source.src, target)
            case ConstantOp():
                value = source.value
                if not isinstance(value, DenseIntOrFPElementsAttr) or not is_splat(value):
                    return None
                size = value.type.element_type.compile_time_size
                constant = from_bytes(target, value.data.data[:size])
                return ConstantOp.create(properties={"value": constant}, result_types=[target])
            case _:
                return None

    def _reshape(self, op: ConvertLayoutOp, source: ReshapeOp, target: Attribute) -> Any:
        reorders = "allow_reorder" in source.properties
        fixed = "efficient_layout" in source.properties
        if not reorders or fixed or expensive_view(source.operands[0].type, target):
            return None
        if any(isinstance(encoding(t), DotOperandEncodingAttr) for t in (op.src.type, target)):
            return None
        new = retyped(source, target)
        new.operands[0] = source.results[0]
        return new


class ReshapeOfConversionPattern(RewritePattern):
    """reshape(convert x) → reshape x, where that is as cheap"""

    op_types = (ReshapeOp,)
    where = with_giver("ttg.convert_layout")

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        conversion = defining(op.operands[0], ConvertLayoutOp)
        if conversion is None:
            return
        if not is_trivial(conversion):
            reorders = "allow_reorder" in op.properties
            if not reorders or expensive_view(conversion.src.type, op.results[0].type):
                return
        use_instead(op, 0, conversion.src, rewriter)


class TransposeOfConversionPattern(RewritePattern):
    """trans(convert x) → trans x, where the conversion changes nothing"""

    op_types = (TransOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        order = list(integers(op, "order"))
        if order == list(range(len(order))):
            if encoding(op.operands[0].type) is not None:
                rewriter.replace(op, ConvertLayoutOp(op.operands[0], op.results[0].type))
            return
        conversion = defining(op.operands[0], ConvertLayoutOp)
        if conversion is not None and is_trivial(conversion):
            use_instead(op, 0, conversion.src, rewriter)


class HistogramOfConversionPattern(RewritePattern):
    """histogram(convert x) → histogram x"""

    op_types = (HistogramOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        conversion = defining(op.operands[0], ConvertLayoutOp)
        if conversion is None:
            return
        source = conversion.src.type
        if len(op.operands) > 1:
            mask = ConvertLayoutOp(
                op.operands[1], TensorType(IntegerType(1), source.shape, source.encoding)
            )
            rewriter.insert(mask, InsertPoint.before(op))
            op.operands[1] = mask.result
        use_instead(op, 0, conversion.src, rewriter)


class GatherOfConversionPattern(RewritePattern):
    """gather(convert x, i) → gather(x, i), as x goes through shared memory anyway"""

    op_types = (GatherOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        conversion = defining(op.operands[0], ConvertLayoutOp)
        if conversion is not None and "efficient_layout" not in op.properties:
            use_instead(op, 0, conversion.src, rewriter)


class StoreOfConversionPattern(RewritePattern):
    """local_alloc(convert x) and local_store(convert x) take x in any layout."""

    op_types = (LocalAllocOp, LocalStoreOp)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        conversion = defining(op.operands[0], ConvertLayoutOp) if op.operands else None
        if conversion is not None:
            use_instead(op, 0, conversion.src, rewriter)


class SplitOfConversionPattern(RewritePattern):
    """split(convert x) → split x, where the halves get the same layout"""

    op_types = (SplitOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        conversion = defining(op.operands[0], ConvertLayoutOp)
        if conversion is None:
            return
        inferred = infer_result(op, conversion.src.type.encoding)
        if inferred is not None and inferred == encoding(op.results[0].type):
            use_instead(op, 0, conversion.src, rewriter)


def use_instead(op: Operation, i: int, value: SSAValue, rewriter: PatternRewriter) -> None:
    """Let an op take `value` as its operand number `i`."""
    op.operands[i] = value
    rewriter.notify_op_modified(op)


PATTERNS: tuple[RewritePattern, ...] = (
    ConversionPattern(),
    ReshapeOfConversionPattern(),
    TransposeOfConversionPattern(),
    GatherOfConversionPattern(),
    HistogramOfConversionPattern(),
    StoreOfConversionPattern(),
    SplitOfConversionPattern(),
)
