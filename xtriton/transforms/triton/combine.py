"""
Merge ops of Triton that one op can do.

Before:

    %0 = tt.dot %a, %b, %zero : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %1 = arith.addf %0, %c : tensor<64x64xf32>

After:

    %1 = tt.dot %a, %b, %c : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>

Sums of pointer offsets, a select of a masked load, a product summed along an axis (which is
a dot), and reshapes whose order does not matter are merged likewise.
Source: `Combine.cpp` and `Combine.td` of Triton.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    ModuleOp,
    TensorType,
    UnitAttr,
    f32,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.analysis.writes import may_write
from xtriton.dialects.tt.constraints import i32_attr
from xtriton.dialects.tt.descriptors import DescriptorLoadOp
from xtriton.dialects.tt.dot import DotOp, DotScaledOp
from xtriton.dialects.tt.enums import InputPrecision
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.tt.pointers import AddPtrOp
from xtriton.dialects.tt.reductions import ReduceOp
from xtriton.dialects.tt.shapes import BroadcastOp, ExpandDimsOp, ReshapeOp, SplatOp
from xtriton.dialects.upstream.arith import AddfOp, AddiOp, ConstantOp, MulfOp, SelectOp
from xtriton.dialects.utils.tensors import is_integer, is_tensor
from xtriton.ir.versions import Version, release
from xtriton.semantics.tolerance import SUM_TOLERANCE
from xtriton.transforms.cleanup.constants import constant_of, uniform_value
from xtriton.transforms.triton_gpu.retyping import set_type
from xtriton.transforms.triton_gpu.simplification import simplify

_POINTER_FACTS = ("tt.constancy", "tt.contiguity", "tt.divisibility", "tt.pointee_type")
_LEAST_DOT_SIZE = 16

_FIRST_RELEASE_OF_SHAPED_PRODUCTS: Version = (3, 9)
"""Since then sums of products are told by shapes alone, and are dots in full precision."""


@dataclass(frozen=True)
class TritonCombineOpsPass(ModulePass):
    """Merge ops of Triton that one op can do."""

    name = "triton-combine"
    tolerance = SUM_TOLERANCE

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        simplify(op, PATTERNS)


def _made_by(value: SSAValue, op_type: type[Operation]) -> Operation | None:
    op = value.op if isinstance(value, OpResult) else None
    return op if isinstance(op, op_type) else None


class DotPlusPattern(RewritePattern):
    """dot(a, b, 0) + c → dot(a, b, c); since 3.9 dots with scales as well"""

    op_types = (AddfOp, AddiOp)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        scaled = isinstance(op, AddfOp) and release() >= _FIRST_RELEASE_OF_SHAPED_PRODUCTS
        for kind in (DotOp, DotScaledOp) if scaled else (DotOp,):
            if self._merge(op, kind, rewriter):
                return

    def _merge(
        self, op: Operation, kind: type[DotOp | DotScaledOp], rewriter: PatternRewriter
    ) -> bool:
        right = _made_by(op.operands[1], kind)
        dot = right or _made_by(op.operands[0], kind)
        if not isinstance(dot, DotOp | DotScaledOp) or not dot.d.has_one_use():
            return False
        if uniform_value(constant_of(_source_of_splat(dot.c))) != 0:
            return False
        imprecise = isinstance(dot, DotOp) and dot.maxNumImpreciseAcc.value.data != 0
        if isinstance(op, AddfOp) and imprecise:
            return False
        dot.operands[2] = op.operands[0] if right is not None else op.operands[1]
        dot.detach()
        assert op.parent is not None
        op.parent.insert_op_before(dot, op)
        rewriter.notify_op_modified(dot)
        rewriter.replace(op, [], [dot.d])
        return True


def _source_of_splat(value: SSAValue) -> SSAValue:
    splat = _made_by(value, SplatOp)
    return value if splat is None else splat.operands[0]


class SelectOfLoadPattern(RewritePattern):
    """
    select(c, load(p, splat c, _), y) → load(p, splat c, y)

    The new load stands where the select did: nothing between may write, which upstream forgets.
    """

    op_types = (SelectOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        load = _made_by(op.operands[1], LoadOp)
        if not isinstance(load, LoadOp) or load.mask is None:
            return
        splat = _made_by(load.mask, SplatOp)
        if splat is None or splat.operands[0] is not op.operands[0]:
            return
        if not _may_load_at(load, op):
            return
        new = LoadOp.build(
            operands=[load.ptr, load.mask, op.operands[2]],
            result_types=[op.results[0].type],
            properties={
                name: value
                for name, value in load.properties.items()
                if name != "operandSegmentSizes"
            },
        )
        rewriter.replace(op, new)


def _may_load_at(load: LoadOp, place: Operation) -> bool:
    """Return whether `load` reads the same at a later place of its block, and is not doubled."""
    if load.isVolatile.value.data and not load.result.has_one_use():
        return False
    current = load.next_op
    while current is not None and current is not place:
        if may_write(current):
            return False
        current = current.next_op
    return current is place


class SumOfOffsetsPattern(RewritePattern):
    """addptr(addptr(p, i), j) → addptr(p, i + j), where the sum cannot overflow"""

    op_types = (AddPtrOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner = _made_by(op.operands[0], AddPtrOp)
        if inner is None or not _cannot_overflow(inner.operands[1], op.operands[1]):
            return
        total = AddiOp(inner.operands[1], op.operands[1])
        new = AddPtrOp(inner.operands[0], total.results[0])
        for name in _POINTER_FACTS:
            if name in op.attributes:
                new.attributes[name] = op.attributes[name]
        rewriter.replace(op, [total, new])


def _cannot_overflow(a: SSAValue, b: SSAValue) -> bool:
    if a.type != b.type:
        return False
    element: Attribute = a.type
    if is_tensor(element):
        element = element.element_type
    if not is_integer(element):
        return False
    width = element.width.data
    if width == 64:
        return True
    values = [uniform_value(constant_of(_source_of_splat(v))) for v in (a, b)]
    if values[0] is None or values[1] is None:
        return False
    return -(1 << width - 1) <= int(values[0]) + int(values[1]) < 1 << width - 1


class SumOfProductsPattern(RewritePattern):
    """sum(broadcast(expand a) * broadcast(expand b)) → dot(a, b, 0)"""

    op_types = (ReduceOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not isinstance(op, ReduceOp) or not _sums_floats(op):
            return
        product = _made_by(op.operands[0], MulfOp)
        if product is None:
            return
        sides = [_made_by(operand, BroadcastOp) for operand in product.operands]
        if sides[0] is None or sides[1] is None:
            return
        if release() >= _FIRST_RELEASE_OF_SHAPED_PRODUCTS:
            self._multiply(op, sides[0], sides[1], rewriter)
            return
        expanded = [_made_by(s.operands[0], ExpandDimsOp) for s in sides if s is not None]
        left, right = expanded
        if not isinstance(left, ExpandDimsOp) or not isinstance(right, ExpandDimsOp):
            return
        # Upstream does not ask along which axis the sum is.
        axes = (left.axis.value.data, right.axis.value.data, op.axis.value.data)
        if axes != (2, 0, 1):
            return
        type = sides[0].results[0].type
        assert is_tensor(type)
        shape = type.get_shape()
        # Upstream reads the shape of the left side for both.
        if shape[2] < _LEAST_DOT_SIZE or shape[0] < _LEAST_DOT_SIZE:
            return
        accumulator = TensorType(type.element_type, (shape[0], shape[2]))
        if list(op.result_types) != [accumulator]:
            return
        zero = ConstantOp.create(properties={"value": FloatAttr(0.0, f32)}, result_types=[f32])
        splat = SplatOp.create(operands=[zero.results[0]], result_types=[accumulator])
        dot = DotOp.create(
            operands=[left.operands[0], right.operands[0], splat.results[0]],
            result_types=[accumulator],
            properties={
                "inputPrecision": i32_attr(InputPrecision.tf32),
                "maxNumImpreciseAcc": i32_attr(0),
            },
        )
        rewriter.replace(op, [zero, splat, dot])

    def _multiply(
        self, op: ReduceOp, left: Operation, right: Operation, rewriter: PatternRewriter
    ) -> None:
        """Multiply MxKx1 by 1xKxN, whatever made these."""
        type = left.results[0].type
        assert is_tensor(type)
        shape = type.get_shape()
        if len(shape) != 3 or op.axis.value.data != 1:
            return
        if _repeated(left) != [2] or _repeated(right) != [0]:
            return
        accumulator = TensorType(type.element_type, (shape[0], shape[2]))
        if min(shape[0], shape[2]) < _LEAST_DOT_SIZE or list(op.result_types) != [accumulator]:
            return
        assert isinstance(type.element_type, AnyFloat)
        operands = [
            ReshapeOp.create(
                operands=[side.operands[0]], result_types=[TensorType(type.element_type, part)]
            )
            for side, part in ((left, shape[:2]), (right, shape[1:]))
        ]
        nothing = FloatAttr(0.0, type.element_type)
        zero = ConstantOp.create(properties={"value": nothing}, result_types=[type.element_type])
        splat = SplatOp.create(operands=[zero.results[0]], result_types=[accumulator])
        dot = DotOp.create(
            operands=[*(o.results[0] for o in operands), splat.results[0]],
            result_types=[accumulator],
            properties={
                "inputPrecision": i32_attr(InputPrecision.ieee),
                "maxNumImpreciseAcc": i32_attr(0),
            },
        )
        rewriter.replace(op, [*operands, zero, splat, dot])


def _repeated(broadcast: Operation) -> list[int]:
    """Return the dimensions along which a broadcast repeats."""
    before, after = broadcast.operands[0].type, broadcast.results[0].type
    assert is_tensor(before)
    assert is_tensor(after)
    sizes = zip(before.get_shape(), after.get_shape(), strict=True)
    return [d for d, (old, new) in enumerate(sizes) if old != new]


def _sums_floats(op: Operation) -> bool:
    block = op.regions[0].blocks.first
    if block is None or len(op.operands) != 1:
        return False
    first = block.first_op
    if not isinstance(first, AddfOp) or first.next_op is not block.last_op:
        return False
    assert block.last_op is not None
    if set(first.operands) != set(block.args) or block.last_op.operands[0] is not first.results[0]:
        return False
    type = first.results[0].type
    return isinstance(type, AnyFloat) and type.bitwidth <= 32


class ReshapeForReductionPattern(RewritePattern):
    """
    A reshape to rank 1 for reductions and histograms only may reorder elements.

    Not if it is reduced, or masked, together with another tensor, whose elements would stay:
    upstream reorders then, too.
    """

    op_types = (ReshapeOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        type = op.results[0].type
        assert is_tensor(type)
        if "allow_reorder" in op.properties or len(type.get_shape()) != 1:
            return
        users = [use.operation for use in op.results[0].uses]
        if any(
            user.name not in ("tt.histogram", "tt.reduce") or len(user.operands) != 1
            for user in users
        ):
            return
        op.properties["allow_reorder"] = UnitAttr()
        rewriter.notify_op_modified(op)


class ReshapeOfDescriptorLoadPattern(RewritePattern):
    """reshape(descriptor_load d) → descriptor_load d, where only leading 1s go"""

    op_types = (ReshapeOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        load = _made_by(op.operands[0], DescriptorLoadOp)
        if load is None or not load.results[0].has_one_use():
            return
        before, after = load.results[0].type, op.results[0].type
        assert is_tensor(before) and is_tensor(after)
        count = len(before.get_shape()) - len(after.get_shape())
        if count <= 0 or before.get_shape() != (1,) * count + tuple(after.get_shape()):
            return
        set_type(load.results[0], after)
        rewriter.replace(op, [], [load.results[0]])


PATTERNS: tuple[RewritePattern, ...] = (
    DotPlusPattern(),
    SelectOfLoadPattern(),
    SumOfOffsetsPattern(),
    SumOfProductsPattern(),
    ReshapeForReductionPattern(),
    ReshapeOfDescriptorLoadPattern(),
)
