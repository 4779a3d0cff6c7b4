"""
Compute elementwise before broadcasting, on fewer elements.

Before:

    %0 = tt.broadcast %a : tensor<64x1xf32> -> tensor<64x64xf32>
    %1 = math.exp %0 : tensor<64x64xf32>

After:

    %0 = math.exp %a : tensor<64x1xf32>
    %1 = tt.broadcast %0 : tensor<64x1xf32> -> tensor<64x64xf32>

Source: `ReorderBroadcast.cpp` of Triton.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.traits import is_side_effect_free

from xtriton.dialects.encodings.inference import is_elementwise_class
from xtriton.dialects.tt.shapes import BroadcastOp, SplatOp
from xtriton.dialects.upstream.arith import ConstantOp
from xtriton.dialects.utils.tensors import is_integer, is_tensor
from xtriton.ir.dense import from_bytes, is_splat, splat_value
from xtriton.transforms.cleanup.canonicalization import tt
from xtriton.transforms.triton_gpu.simplification import simplify


@dataclass(frozen=True)
class TritonReorderBroadcastPass(ModulePass):
    """Move broadcasts and splats behind elementwise ops."""

    name = "triton-reorder-broadcast"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        simplify(op, PATTERNS)


class _ElementwisePattern(RewritePattern):
    def has_any_for(self, op_type: type[Operation]) -> bool:
        return is_elementwise_class(op_type)


class ElementwiseOfBroadcastsPattern(_ElementwisePattern):
    """f(broadcast a, splat b) → broadcast(f(a, splat b))"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        made = _makers(op)
        if made is None:
            return
        broadcasts = [m for m in made if isinstance(m, BroadcastOp)]
        if not broadcasts or not all(isinstance(m, BroadcastOp) or _is_splat(m) for m in made):
            return
        source = broadcasts[0].operands[0].type
        assert is_tensor(source)
        shapes = {cast(Any, b.operands[0].type).get_shape() for b in broadcasts}
        if len(shapes) != 1:
            return

        def narrow(type: Attribute) -> Attribute:
            assert is_tensor(type)
            return TensorType(type.element_type, source.shape, source.encoding)

        _move_behind(op, made, narrow, BroadcastOp, rewriter)


class ElementwiseOfSplatsPattern(_ElementwisePattern):
    """f(splat a, splat b) → splat(f(a, b))"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        made = _makers(op)
        if made is None or not all(_is_splat(m) for m in made):
            return
        if not all(is_tensor(result.type) for result in op.results):
            return

        def narrow(type: Attribute) -> Attribute:
            assert is_tensor(type)
            return type.element_type

        _move_behind(op, made, narrow, SplatOp, rewriter)


def _makers(op: Operation) -> list[Operation] | None:
    """Return the ops that widen or are all that `op` takes; None if `op` cannot move."""
    made: list[Operation] = []
    for operand in op._operands:
        maker = operand.owner
        if not isinstance(maker, (BroadcastOp, SplatOp, ConstantOp)):
            return None
        made.append(maker)
    return made if made and not op.regions and is_side_effect_free(op) else None


def _is_splat(op: Operation) -> bool:
    if isinstance(op, SplatOp):
        return True
    return isinstance(op, ConstantOp) and is_splat(op.value)


def _move_behind(
    op: Operation,
    made: list[Operation],
    narrow: Callable[[Attribute], Attribute],
    widening: type[Operation],
    rewriter: PatternRewriter,
) -> None:
    new_ops: list[Operation] = []
    operands: list[SSAValue] = []
    for maker, operand in zip(made, op.operands, strict=True):
        operands.append(_narrowed(maker, narrow(operand.type), new_ops))
    new = type(op).create(
        operands=operands,
        result_types=[narrow(result.type) for result in op.results],
        properties=dict(op.properties),
        attributes=dict(op.attributes),
    )
    wide = [
        widening.create(operands=[result], result_types=[old.type])
        for result, old in zip(new.results, op.results, strict=True)
    ]
    rewriter.replace(op, [*new_ops, new, *wide], [w.results[0] for w in wide])


def _narrowed(maker: Operation, type: Attribute, new_ops: list[Operation]) -> SSAValue:
    """Return an operand on fewer elements; ops for that are added to `new_ops`."""
    if isinstance(maker, BroadcastOp):
        return maker.operands[0]
    if isinstance(maker, SplatOp) and not is_tensor(type):
        return maker.operands[0]
    if isinstance(maker, SplatOp):
        new: Operation = SplatOp.create(operands=[maker.operands[0]], result_types=[type])
    else:
        assert isinstance(maker, ConstantOp)
        value = _constant(maker.value, type)
        new = ConstantOp.create(properties={"value": value}, result_types=[type])
    new_ops.append(new)
    return new.results[0]


def _constant(value: Attribute, type: Any) -> Attribute:
    assert isinstance(value, DenseIntOrFPElementsAttr)
    if is_tensor(type):
        size: int = cast(Any, value).type.element_type.compile_time_size
        return from_bytes(type, value.data.data[:size])
    number = splat_value(cast(Any, value))
    if is_integer(type):
        return IntegerAttr(int(number), type)
    return FloatAttr(number, type)


PATTERNS: tuple[RewritePattern, ...] = (
    *tt.BROADCAST_PATTERNS,
    *tt.EXPAND_DIMS_PATTERNS,
    ElementwiseOfBroadcastsPattern(),
    ElementwiseOfSplatsPattern(),
)
