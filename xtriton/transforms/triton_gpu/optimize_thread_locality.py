"""
Reduce within threads as long as possible, and gather within warps.

Before, with eight elements a thread along the axis of the reduction:

    scf.for ... iter_args(%acc = %zero) {
      %x = tt.load %p : tensor<32x128x!tt.ptr<f32>, #blocked>
      %r = "tt.reduce"(%x) <{axis = 1 : i32}> ...
      %s = arith.addf %acc, %r
      scf.yield %s
    }

After:

    %t = scf.for ... iter_args(%acc = %zeros) {
      %x = tt.load %p : tensor<32x128x!tt.ptr<f32>, #blocked>
      %y = tt.reshape %x allow_reorder efficient_layout : ... -> tensor<32x16x8xf32, #blocked1>
      %r = "tt.reduce"(%y) <{axis = 2 : i32}> ...
      %s = arith.addf %acc, %r
      scf.yield %s
    }
    %u = "tt.reduce"(%t) <{axis = 1 : i32}> ...

The loop then needs no communication between threads. Reshapes that may reorder get a layout
in which each thread has all of the axis that is reduced; gathers one in which no element
leaves its warp. Source: `OptimizeThreadLocality.cpp` of Triton.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, prod
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, NoneAttr, TensorType, UnitAttr, i32
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from xtriton.dialects.encodings.blocked import blocked_encoding, cluster_encoding
from xtriton.dialects.encodings.inference import reshaped, transposed
from xtriton.dialects.encodings.linear_layouts import cga_of, layout_of_type
from xtriton.dialects.tt.constraints import i32_attr
from xtriton.dialects.tt.elementwise import GatherOp
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.tt.reductions import ReduceOp
from xtriton.dialects.tt.shapes import ReshapeOp, TransOp
from xtriton.dialects.ttg.cga import CGAEncodingAttr
from xtriton.dialects.ttg.context import (
    NUM_CTAS,
    module_of,
    num_warps,
    threads_per_warp,
)
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr, SliceEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.upstream.arith import ConstantOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integer
from xtriton.ir.dense import splat
from xtriton.ir.listings import ops_of
from xtriton.ir.noted_edits import set_property
from xtriton.ir.versions import Version, release
from xtriton.layouts.shaping import elements_per_thread, lane_order, register_order, warp_order
from xtriton.semantics.tolerance import SUM_TOLERANCE
from xtriton.transforms.cleanup.canonicalization.ttg import expensive_view
from xtriton.transforms.loop_rewriting import (
    terminator,
    with_more_initial_values,
)
from xtriton.transforms.triton_gpu.retyping import set_encoding, set_type
from xtriton.transforms.triton_gpu.simplification import simplify

_FIRST_RELEASE_OF_ORDERED_VIEWS: Version = (3, 9)
"""Since then elements keep their order where a thread reduces its own, and a gather has room
for all of its indices."""

_NEUTRAL = {
    "arith.addf": 0.0,
    "arith.maximumf": -inf,
    "arith.maxnumf": -inf,
    "arith.minimumf": inf,
    "arith.minnumf": inf,
    "arith.mulf": 1.0,
}


@dataclass(frozen=True)
class TritonGPUOptimizeThreadLocalityPass(ModulePass):
    """Reduce within threads as long as possible, and gather within warps."""

    name = "tritongpu-optimize-thread-locality"
    tolerance = SUM_TOLERANCE

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        simplify(op, _PATTERNS)
        for reduction in ops_of(op, ReduceOp):
            found = _Reduction.of(reduction)
            if found is not None:
                found.rewrite()


# --- reshapes and gathers ---------------------------------------------------------------


class ReducedReshapePattern(RewritePattern):
    """A reshape for a reduction puts all of the axis into one thread, if that is free."""

    op_types = (ReshapeOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        type = op.results[0].type
        if "allow_reorder" not in op.properties or not is_tensor(type):
            return
        users = [use.operation for use in op.results[0].uses]
        axes = {user.axis.value.data for user in users if isinstance(user, ReduceOp)}
        if len(axes) != 1:
            return
        encoding = _axis_last(op, type, axes.pop())
        if encoding is None or encoding == type.encoding:
            return
        new = TensorType(type.element_type, type.shape, encoding)
        if expensive_view(op.operands[0].type, new):
            return
        set_type(op.results[0], new)
        set_property(op, "efficient_layout", UnitAttr())
        _convert_back(op, type, rewriter)


def _axis_last(op: Operation, type: TensorType[Any], axis: int) -> BlockedEncodingAttr | None:
    """Return a layout that spreads `axis` over threads last; None if it is not spread."""
    encoding, shape = type.encoding, type.get_shape()
    if isinstance(encoding, BlockedEncodingAttr):
        spread = encoding.threads_per_warp[axis] * encoding.warps_per_cta[axis]
        if spread == 1 and encoding.cga.split_parameters[0][axis] == 1:
            return None
    order = [d for d in register_order(layout_of_type(type)) if d != axis]
    order.append(axis)
    ones = (1,) * len(shape)
    ctas = integer(module_of(op), NUM_CTAS, 1)
    cga = cluster_encoding(shape, ones, order, ctas)
    return blocked_encoding(shape, ones, order, num_warps(op) or 1, threads_per_warp(op), cga)


def _convert_back(op: Operation, type: Attribute, rewriter: PatternRewriter) -> None:
    result = op.results[0]
    conversion = ConvertLayoutOp(result, type)
    result.replace_uses_with_if(conversion.result, lambda use: use.operation is not conversion)
    rewriter.insert(conversion, InsertPoint.after(op))
    rewriter.notify_op_modified(op)


class GatherPattern(RewritePattern):
    """A gather works in a layout in which a warp has all of the axis."""

    op_types = (GatherOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source = op.operands[0].type
        assert is_tensor(source)
        if "efficient_layout" in op.properties or len(source.get_shape()) == 1:
            return
        if isinstance(source.encoding, NoneAttr) or num_warps(op) is None:
            return
        encoding = _gather_encoding(op, source)
        for i in (0, 1):
            type = op.operands[i].type
            assert is_tensor(type)
            conversion = ConvertLayoutOp(
                op.operands[i], TensorType(type.element_type, type.shape, encoding)
            )
            rewriter.insert(conversion, InsertPoint.before(op))
            op.operands[i] = conversion.result
        old = op.results[0].type
        set_encoding(op.results[0], encoding)
        set_property(op, "efficient_layout", UnitAttr())
        _convert_back(op, old, rewriter)


def _gather_encoding(op: Operation, type: TensorType[Any]) -> BlockedEncodingAttr:
    axis: int = integer(op, "axis")
    shape, layout = type.get_shape(), layout_of_type(type)
    lanes_total, warps_total = threads_per_warp(op), num_warps(op) or 1
    rank = len(shape)
    lanes, warps = [1] * rank, [1] * rank
    order: list[int] = [axis]
    lanes[axis] = min(shape[axis], lanes_total)
    left = lanes_total // lanes[axis]
    for dim in lane_order(layout):
        if dim == axis:
            continue
        order.append(dim)
        lanes[dim] = min(shape[dim], left)
        left //= lanes[dim]
    warps_left = warps_total
    for dim in warp_order(layout):
        if dim == axis:
            continue
        warps[dim] = min(shape[dim] // lanes[dim], warps_left)
        warps_left //= warps[dim]
    sizes = [1] * rank
    longest = shape[axis]
    if release() >= _FIRST_RELEASE_OF_ORDERED_VIEWS:
        indices = op.operands[1].type
        assert is_tensor(indices)
        longest = max(longest, indices.get_shape()[axis])
    sizes[axis] = longest // lanes[axis]
    # What is left over holds copies.
    lanes[axis] *= left
    warps[axis] *= warps_left
    assert prod(lanes) == lanes_total and prod(warps) == warps_total
    cga = CGAEncodingAttr(cga_of(type.encoding), rank)
    return BlockedEncodingAttr(sizes, lanes, warps, order, cga)


# --- reductions in loops ----------------------------------------------------------------


@dataclass
class _Reduction:
    """A reduction in a loop that only serves an accumulator."""

    reduction: ReduceOp
    update: Operation
    loop: ForOp
    accumulator: BlockArgument
    neutral: float

    @classmethod
    def of(cls, reduction: ReduceOp) -> _Reduction | None:
        """Return what there is to rewrite, or None."""
        type = reduction.operands[0].type
        assert is_tensor(type)
        neutral = _NEUTRAL.get(_combining_op(reduction) or "")
        if neutral is None or not isinstance(type.encoding, BlockedEncodingAttr):
            return None
        if len(reduction.operands) != 1:
            return None
        axis = reduction.axis.value.data
        if axis == 0 or axis != len(type.get_shape()) - 1:
            return None
        loaded = all(isinstance(_maker(o), LoadOp) for o in reduction.operands)
        if not loaded or elements_per_thread(layout_of_type(type))[axis] == 1:
            return None
        return cls._accumulating(reduction, neutral)

    @classmethod
    def _accumulating(cls, reduction: ReduceOp, neutral: float) -> _Reduction | None:
        loop = reduction.parent_op()
        update = _only_user(reduction)
        if update is None or not isinstance(loop, ForOp):
            return None
        # Upstream takes any op: the greatest of sums is no sum of the greatest.
        if update.name != _combining_op(reduction):
            return None
        last = _only_user(update)
        if last is None or last is not terminator(loop.body):
            return None
        others = [o for o in update.operands if o is not reduction.results[0]]
        argument = others[0] if len(others) == 1 else None
        if not isinstance(argument, BlockArgument) or argument.block is not loop.body.block:
            return None
        i = argument.index - 1
        if last.operands[i] is not update.results[0]:
            return None
        if not isinstance(_maker(loop.iter_args[i]), ConstantOp):
            return None
        if not loop.results[i].has_one_use() or not argument.has_one_use():
            return None
        return cls(reduction, update, loop, argument, neutral)

    def rewrite(self) -> None:
        """Accumulate for each thread, and reduce over the threads behind the loop."""
        source = self.reduction.operands[0].type
        assert is_tensor(source)
        view = self._view_type(source)
        i = self.accumulator.index - 1
        old_initial = self.loop.iter_args[i]
        wide = TensorType(
            view.element_type,
            view.get_shape()[:-1],
            SliceEncodingAttr(len(view.get_shape()) - 1, view.encoding),
        )
        zeros = ConstantOp.create(
            properties={"value": splat(wide, self.neutral)}, result_types=[wide]
        )
        _insert_after(zeros, _maker(old_initial))
        old_loop, body = self.loop, self.loop.body.block
        new_loop = with_more_initial_values(old_loop, [zeros.results[0]])
        last = terminator(new_loop.regions[0])
        inner = self._inner_reduction(view, wide)
        update = self._update(body.args[-1], inner.results[0], wide)
        _insert_after(update, inner)
        values = list(last.operands)
        values[i] = self.accumulator
        last.operands = [*values, update.results[0]]
        self._after_loop(new_loop, old_loop, i, old_initial)
        for old, new in zip(old_loop.results, new_loop.results, strict=False):
            old.replace_all_uses_with(new)
        for op in (self.update, self.reduction, old_loop):
            op.detach()
            op.erase(safe_erase=False)

    def _view_type(self, source: TensorType[Any]) -> TensorType[Any]:
        """Return the type with the elements of a thread along the axis as a dimension."""
        axis = self.reduction.axis.value.data
        shape = list(source.get_shape())
        count = elements_per_thread(layout_of_type(source))[axis]
        shape[axis] //= count
        shape.append(count)
        encoding = source.encoding
        assert isinstance(encoding, BlockedEncodingAttr)
        sizes = [*encoding.size_per_thread, encoding.size_per_thread[axis]]
        sizes[axis] = 1
        rank = len(shape)
        new = BlockedEncodingAttr(
            sizes,
            (*encoding.threads_per_warp, 1),
            (*encoding.warps_per_cta, 1),
            (rank - 1, *encoding.order),
            CGAEncodingAttr([(*b, 0) for b in encoding.cga.block_bases], rank),
        )
        return TensorType(source.element_type, shape, new)

    def _inner_reduction(self, view: TensorType[Any], wide: TensorType[Any]) -> Operation:
        reduction, last = self.reduction, self.reduction
        operands: list[SSAValue] = []
        previous: Operation = last
        for operand in reduction.operands:
            for new in _view(operand, view, axis=reduction.axis.value.data):
                _insert_after(new, previous)
                previous = new
            operands.append(previous.results[0])
        inner = reduction.clone()
        inner.operands = operands
        set_property(inner, "axis", i32_attr(len(view.get_shape()) - 1))
        for result in inner.results:
            set_type(result, wide)
        _insert_after(inner, previous)
        return inner

    def _update(self, accumulator: SSAValue, value: SSAValue, type: Attribute) -> Operation:
        update = self.update.clone()
        update.operands = [accumulator, value]
        set_type(update.results[0], type)
        return update

    def _after_loop(self, new_loop: Operation, old_loop: ForOp, i: int, initial: SSAValue) -> None:
        outer = self.reduction.clone()
        outer.operands = [new_loop.results[-1]] * len(outer.operands)
        source = new_loop.results[-1].type
        assert is_tensor(source)
        axis = self.reduction.axis.value.data
        for result in outer.results:
            shape = source.get_shape()
            encoding = SliceEncodingAttr(axis, source.encoding)
            set_type(
                result,
                TensorType(source.element_type, (*shape[:axis], *shape[axis + 1 :]), encoding),
            )
        _insert_after(outer, new_loop)
        old_result = old_loop.results[i]
        conversion = ConvertLayoutOp(outer.results[0], old_result.type)
        _insert_after(conversion, outer)
        final = self.update.clone()
        final.operands = [initial, conversion.result]
        _insert_after(final, conversion)
        old_result.replace_all_uses_with(final.results[0])


def _view(operand: SSAValue, view: TensorType[Any], axis: int) -> list[Operation]:
    """Return the ops that give `operand` the type `view`; threads keep their elements."""
    if release() >= _FIRST_RELEASE_OF_ORDERED_VIEWS:
        return _ordered_view(operand, view, axis)
    efficient = {"allow_reorder": UnitAttr(), "efficient_layout": UnitAttr()}
    return [ReshapeOp.create(operands=[operand], result_types=[view], properties=efficient)]


def _ordered_view(operand: SSAValue, view: TensorType[Any], axis: int) -> list[Operation]:
    """Reshape [..., N] to [..., R, H, S], transpose to [..., H, R, S], join to [..., H, R*S]."""
    source = operand.type
    assert is_tensor(source) and isinstance(source.encoding, BlockedEncodingAttr)
    shape, view_shape = source.get_shape(), view.get_shape()
    own = view_shape[-1]
    run = min(source.encoding.size_per_thread[axis], own)
    factors = (*shape[:-1], own // run, view_shape[axis], run)
    factored = _tensor(source, factors, reshaped(source.encoding, shape, factors))
    order = [*range(axis), axis + 1, axis, axis + 2]
    turned_shape = tuple(factors[d] for d in order)
    turned = _tensor(source, turned_shape, transposed(factored.encoding, factors, tuple(order)))
    joined = _tensor(source, view_shape, reshaped(turned.encoding, turned_shape, view_shape))
    first = ReshapeOp.create(operands=[operand], result_types=[factored])
    second = TransOp.create(
        operands=first.results,
        result_types=[turned],
        properties={"order": DenseArrayBase.from_list(i32, order)},
    )
    third = ReshapeOp.create(
        operands=second.results,
        result_types=[joined],
        properties={"efficient_layout": UnitAttr()},
    )
    return [first, second, third, ConvertLayoutOp(third.results[0], view)]


def _tensor(
    like: TensorType[Any], shape: tuple[int, ...], encoding: Attribute | None
) -> TensorType[Any]:
    assert encoding is not None
    return TensorType(like.element_type, shape, encoding)


def _combining_op(reduction: ReduceOp) -> str | None:
    """Return the name of the only op of a reduction's region, if it combines its arguments."""
    block = reduction.regions[0].blocks.first
    if block is None or block.first_op is None or block.last_op is None:
        return None
    op, last = block.first_op, block.last_op
    combines = op.next_op is last and set(op.operands) == set(block.args)
    return op.name if combines and list(last.operands) == list(op.results) else None


def _maker(value: SSAValue) -> Operation | None:
    return value.op if isinstance(value, OpResult) else None


def _only_user(op: Operation) -> Operation | None:
    uses = [use.operation for result in op.results for use in result.uses]
    return uses[0] if len(uses) == 1 else None


def _insert_after(op: Operation, other: Operation | None) -> None:
    assert other is not None and other.parent is not None
    op.location = other.location
    other.parent.insert_op_after(op, other)


_PATTERNS = (ReducedReshapePattern(), GatherPattern())
