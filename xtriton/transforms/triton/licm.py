"""
Move what a loop computes anew each time, loads included, in front of it.

Before:

    scf.for %i = %lo to %hi step %st : i32 {
      %x = tt.load %p : !tt.ptr<f32>
      ...
    }

After, if the loop writes nothing:

    %runs = arith.cmpi slt, %lo, %hi : i32
    %x = tt.load %p, %runs : !tt.ptr<f32>
    scf.for %i = %lo to %hi step %st : i32 {
      ...
    }

The mask keeps the load from happening although the loop does not run.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, ModuleOp, TensorType, i32
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.tt.shapes import SplatOp
from xtriton.dialects.upstream.arith import AndIOp, CmpiOp
from xtriton.ir.listings import ops_named
from xtriton.ir.noted_edits import set_property
from xtriton.ir.op_facts import reads_of
from xtriton.transforms.cleanup.licm import LOOPS, blocks_in, is_invariant, may_run_early
from xtriton.transforms.triton_gpu.retyping import tensor_of

STAYS = "tt.no_licm"
"""On an op for which there are no registers in front of the loop."""
_SIGNED_LESS, _UNSIGNED_LESS = 2, 6
_I1 = IntegerType(1)


@dataclass(frozen=True)
class TritonLoopInvariantCodeMotionPass(ModulePass):
    """Move what is the same in every iteration of a loop, loads included, in front of it."""

    name = "triton-licm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Inner loops first: what leaves them may leave the outer ones too.
        for loop in ops_named(op, LOOPS, region_first=True):
            hoist_invariants(loop)


def hoist_invariants(loop: Operation) -> None:
    """Move the invariant ops of `loop` in front of it."""
    # Blocks of ops that leave stay among them: nobody outside uses what is in these.
    inside = blocks_in(loop)
    only_reads: bool | None = None
    for region in loop.regions:
        queue = deque(op for block in region.blocks for op in block.ops)
        while queue:
            op = queue.popleft()
            if op.parent_region() is not region or STAYS in op.attributes:
                continue
            if not is_invariant(op, inside):
                continue
            if isinstance(op, LoadOp):
                if only_reads is None:
                    only_reads = reads_only(loop)
                if not only_reads or not reads_only(op) or loop.name != "scf.for":
                    continue
                _guard(op, loop)
            elif not may_run_early(op):
                continue
            _move_in_front(op, loop)
            for result in op.results:
                queue += [u.operation for u in result.uses]


def reads_only(op: Operation) -> bool:
    """Return whether an op, with all inside it, has no effect but to read memory."""
    return reads_of(op) is not None


def _move_in_front(op: Operation, loop: Operation) -> None:
    assert loop.parent is not None
    op.detach()
    loop.parent.insert_op_before(op, loop)


def _guard(load: LoadOp, loop: Operation) -> None:
    """Mask a load off for the case that the loop does not run."""
    block = loop.parent
    assert block is not None

    def insert(op: Operation) -> SSAValue:
        op.location = loop.location
        block.insert_op_before(op, loop)
        return op.results[0]

    less = _UNSIGNED_LESS if "unsignedCmp" in loop.properties else _SIGNED_LESS
    mask = insert(CmpiOp(loop.operands[0], loop.operands[1], less))
    type = tensor_of(load.ptr.type)
    if type is not None:
        truths = TensorType(_I1, type.shape, type.encoding)
        mask = insert(SplatOp.create(operands=[mask], result_types=[truths]))
    if load.mask is not None:
        mask = insert(AndIOp(mask, load.mask))
    other = load.other
    load.operands = [load.ptr, mask] if other is None else [load.ptr, mask, other]
    _set_segments(load, 1, int(other is not None))


def _set_segments(load: LoadOp, masks: int, others: int) -> None:
    set_property(load, "operandSegmentSizes", DenseArrayBase.from_list(i32, [1, masks, others]))
