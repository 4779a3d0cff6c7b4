"""
Prefetch what products in loops load, some iterations ahead.

Before:

    scf.for %i = %lo to %hi step %st iter_args(%c = %zero) {
      %p = tt.advance %q, [%i, %c0]
      %a = tt.load %p {ttig.block_io = "row_major"}
      %d = tt.dot %a, %b, %c
      scf.yield %d
    }

After:

    %p0 = tt.advance %q, [%lo, %c0]
    ttig.prefetch %p0
    scf.for %i = %lo to %hi step %st iter_args(%c = %zero, %p = %p0) {
      %ahead = tt.advance %q, [%next, %c0]
      ttig.prefetch %ahead, %is_not_last
      %a = tt.load %p {ttig.block_io = "row_major"}
      %d = tt.dot %a, %b, %c
      scf.yield %d, %ahead
    }

A loop in which a read of memory would move over a write stays as it is.
Source: `Pipeliner/MatmulLoopPipeline.cpp`, `SoftwarePipeliner.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, TensorType, i1, i32
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free

from xtriton.analysis.axis_facts import element_bytes
from xtriton.analysis.intel.accesses import tensor_type
from xtriton.analysis.intel.module import BLOCK_IO, PREFETCHES_256_BYTES, supports_2d_block_io
from xtriton.analysis.intel.rules import rules_for
from xtriton.dialects import triton_gen
from xtriton.dialects.tt.constraints import i32_attr
from xtriton.dialects.tt.descriptors import DescriptorLoadOp
from xtriton.dialects.tt.dot import DotOp
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.tt.shapes import SplatOp
from xtriton.dialects.ttg.context import module_of
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr, DotOperandEncodingAttr
from xtriton.dialects.ttg.interfaces import SharedEncoding
from xtriton.dialects.ttig.block_io import DescriptorPrefetchOp
from xtriton.dialects.ttig.ops import PrefetchOp
from xtriton.dialects.upstream.arith import AndIOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_of
from xtriton.ir.noted_edits import set_property
from xtriton.transforms.intel.loops.loop_pipelining import Schedule, pipeline_loop
from xtriton.transforms.intel.loops.pipelining_legality import keeps_meaning
from xtriton.transforms.intel.loops.prefetching import insert_prefetch

_MOST_ELEMENTWISE = 4
_MOST_ELEMENTWISE_BYTES = 16384

_LOOPS = frozenset(("scf.for", "scf.while", "scf.forall", "scf.parallel"))


@dataclass(frozen=True)
class PipelinePass(ModulePass):
    """
    Prefetch the operands of products `num_stages - 1` iterations ahead.

    With `use_barrier` the warps of a group are kept together by a split barrier.
    """

    name = "tritonintelgpu-pipeline"

    num_stages: int = 3
    use_barrier: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not supports_2d_block_io(op) or self.num_stages <= 1:
            return
        # Inner loops come first, as upstream walks.
        for loop in ops_of(op, ForOp, region_first=True):
            new = _pipeline(loop, self.num_stages)
            if new is not None and self.use_barrier:
                _keep_together(new)


def _pipeline(loop: ForOp, num_stages: int) -> ForOp | None:
    end = loop.body.block.last_op
    assert end is not None
    if not all(isinstance(operand, OpResult) for operand in end.operands):
        return None
    if any(op.name in _LOOPS for op in loop.walk() if op is not loop):
        return None
    loads = _prefetched_loads(loop, num_stages)
    if not loads:
        return None
    for load in loads:
        insert_prefetch(load)
    schedule = _schedule(loop, num_stages - 1)
    if not keeps_meaning(loop, schedule):
        for load in loads:
            prefetch = load.prev_op
            assert isinstance(prefetch, PrefetchOp | DescriptorPrefetchOp)
            prefetch.detach()
            prefetch.erase()
        return None
    return pipeline_loop(loop, schedule, _mask, _can_be_masked)


def _prefetched_loads(loop: ForOp, num_stages: int) -> list[LoadOp | DescriptorLoadOp]:
    """
    Return the loads of blocks for products and nothing else.

    Where the device prefetches 256 bytes at once, a few small ones for other ops come with them.
    """
    rules = rules_for(loop)
    fast = PREFETCHES_256_BYTES in module_of(loop).attributes
    elementwise = _MOST_ELEMENTWISE if rules.has_descriptors and fast else 0
    found: list[LoadOp | DescriptorLoadOp] = []
    for op in loop.body.block.ops:
        if not isinstance(op, LoadOp | DescriptorLoadOp) or BLOCK_IO not in op.attributes:
            continue
        type = op.result.type
        if not is_tensor(type):
            continue
        rank = len(type.get_shape())
        if not rules.has_descriptors and (isinstance(op, DescriptorLoadOp) or rank != 2):
            continue
        if _dot_layout(op.result) is not None:
            found.append(op)
        elif elementwise and rank >= 2:
            count = prod(type.get_shape()) * num_stages
            if count * element_bytes(type) <= _MOST_ELEMENTWISE_BYTES:
                elementwise -= 1
                found.append(op)
    return found


def _dot_layout(value: SSAValue) -> DotOperandEncodingAttr | None:
    """Return the layout of a dot operand that all users of `value` turn it into."""
    found: DotOperandEncodingAttr | None = None
    for use in value.uses:
        if isinstance(use.operation, DotOp):
            type = value.type
            layout = type.encoding if is_tensor(type) else None
        else:
            layout = _layout_of_user(use.operation)
        if not isinstance(layout, DotOperandEncodingAttr) or found not in (None, layout):
            return None
        found = layout
    return found


def _layout_of_user(user: Operation) -> object:
    if len(user.results) != 1 or not is_tensor(type := user.results[0].type):
        return None
    if isinstance(type.encoding, SharedEncoding | BlockedEncodingAttr):
        return _dot_layout(user.results[0])
    return type.encoding


def _schedule(loop: ForOp, last: int) -> Schedule:
    """
    Put prefetches and what they depend on into stage 0, all else into the last.

    What these need of the iteration before goes into stage 1.
    """
    block = loop.body.block
    ops = [op for op in block.ops if op is not block.last_op]
    first: set[Operation] = set()
    for op in ops:
        if isinstance(op, PrefetchOp | DescriptorPrefetchOp):
            _add_dependencies(op, first, follow_arguments=False, except_for=())
    near: set[Operation] = set()
    for op in first:
        for operand in op.operands:
            source = _source(operand, op, follow_arguments=True)
            if source is not None:
                _add_dependencies(source, near, follow_arguments=True, except_for=first)
    loads: set[Operation] = set()
    for op in ops:
        if _loads_tensor(op):
            _add_dependencies(op, loads, follow_arguments=False, except_for=first)
    parts = (
        (1, [op for op in ops if op in near]),
        (0, [op for op in ops if op in first]),
        (last, [op for op in ops if op in loads]),
        (last, [op for op in ops if op not in first and op not in near and op not in loads]),
    )
    # An op that is in several parts stands where it comes first, in the stage said last.
    stages: dict[Operation, int] = {}
    for stage, members in parts:
        for op in members:
            stages[op] = stage
    return list(stages.items())


def _loads_tensor(op: Operation) -> bool:
    if isinstance(op, LoadOp):
        return tensor_type(op.ptr.type) is not None
    return isinstance(op, DescriptorLoadOp)


def _source(value: SSAValue, op: Operation, *, follow_arguments: bool) -> Operation | None:
    """Return the op that makes a value; for one that a loop carries, what the loop yields."""
    seen: set[SSAValue] = set()
    block = op.parent
    while isinstance(value, BlockArgument):
        if not follow_arguments or value in seen or value.index == 0 or value.block is not block:
            return None
        seen.add(value)
        end = value.block.last_op
        if end is None or end.name != "scf.yield":
            return None
        value = end.operands[value.index - 1]
    return value.op if isinstance(value, OpResult) else None


def _add_dependencies(
    root: Operation,
    found: set[Operation],
    *,
    follow_arguments: bool,
    except_for: Iterable[Operation],
) -> None:
    """Add `root` and all in its block that it depends on."""
    pending = [root]
    while pending:
        op = pending.pop()
        if op in except_for or op in found:
            continue
        found.add(op)
        for operand in op.operands:
            source = _source(operand, op, follow_arguments=follow_arguments)
            if source is not None and source.parent is op.parent:
                pending.append(source)


def _can_be_masked(op: Operation) -> bool:
    return isinstance(op, LoadOp | PrefetchOp | DescriptorPrefetchOp) or is_side_effect_free(op)


def _mask(op: Operation, predicate: SSAValue) -> bool:
    """Let a load or prefetch do nothing where `predicate` is false."""
    if isinstance(op, DescriptorPrefetchOp) or is_side_effect_free(op):
        # What is fetched too far ahead lies outside of what the descriptor describes, or is cached.
        return True
    if not isinstance(op, LoadOp | PrefetchOp):
        return False
    block = op.parent
    assert block is not None
    mask, type = predicate, tensor_type(op.ptr.type)
    if type is not None:
        splat = SplatOp.create(
            operands=[predicate], result_types=[TensorType(i1, type.shape, type.encoding)]
        )
        splat.location = (
            predicate.owner.location if isinstance(predicate, OpResult) else op.location
        )
        block.insert_op_before(splat, op)
        mask = splat.results[0]
    if op.mask is not None:
        both = AndIOp(mask, op.mask)
        both.location = op.location
        block.insert_op_before(both, op)
        mask = both.results[0]
    _set_mask(op, mask)
    return True


def _set_mask(op: LoadOp | PrefetchOp, mask: SSAValue) -> None:
    if isinstance(op, PrefetchOp) or op.mask is not None:
        op.operands = [op.operands[0], mask, *op.operands[2:]]
        return
    op.operands = [op.operands[0], mask]
    set_property(op, "operandSegmentSizes", DenseArrayBase.from_list(i32, [1, 1, 0]))


def _keep_together(loop: ForOp) -> None:
    """Let warps wait for each other once in an iteration."""
    block = loop.body.block
    first, last = block.first_op, block.last_op
    assert first is not None and last is not None
    if rules_for(loop).split_barriers_are_values:
        arrive = triton_gen.SplitBarrierArriveOp.create(result_types=[triton_gen.local_pointer()])
        wait = triton_gen.SplitBarrierWaitOp.create(operands=arrive.results)
    else:
        scope = i32_attr(triton_gen.MemScope.WorkGroup)
        scopes = {"execution_scope": scope, "memory_scope": scope}
        arrive = triton_gen.SplitBarrierArriveOp.create(properties=dict(scopes))
        wait = triton_gen.SplitBarrierWaitOp.create(properties=dict(scopes))
    arrive.location = wait.location = loop.location
    block.insert_op_before(arrive, first)
    block.insert_op_before(wait, last)
