"""
Bring what is defined and what uses it closer together.

Before:

    %0 = ttg.convert_layout %x : tensor<64x64xf16, #b> -> tensor<64x64xf16, #ttg.dot_op<...>>
    scf.for ... {
      %1 = tt.dot %0, ...
    }

After:

    scf.for ... {
      %0 = ttg.convert_layout %x : tensor<64x64xf16, #b> -> tensor<64x64xf16, #ttg.dot_op<...>>
      %1 = tt.dot %0, ...
    }

What fills registers is computed where it is needed; what is stored to shared memory is
stored right after it was computed; transposes follow what they transpose; the right operand
of a dot is loaded after the left one. Source: `ReorderInstructions.cpp` of Triton, which moves
loads from shared memory over stores to it, and allocations, whose contents change, out of loops.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, OpResult
from xdsl.passes import ModulePass
from xdsl.traits import MemoryEffectKind, get_effects

from xtriton.analysis.writes import Writes, may_change_buffers
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttg.memory import LocalAllocOp, LocalDeallocOp, LocalLoadOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_named, ops_of
from xtriton.ir.order import Order
from xtriton.transforms.triton_gpu.retyping import encoding_of

_TRANSPOSES = frozenset(("tt.trans", "ttg.memdesc_trans"))
_NOT_STORED_EARLY = frozenset(("arith.constant", "tt.splat"))


@dataclass(frozen=True)
class TritonGPUReorderInstructionsPass(ModulePass):
    """Bring what is defined and what uses it closer together."""

    name = "tritongpu-reorder-instructions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        fillers = ops_of(op, ConvertLayoutOp, LocalLoadOp, region_first=True)
        allocs = ops_of(op, LocalAllocOp, region_first=True)
        deallocations = Deallocations(ops_of(op, LocalDeallocOp, region_first=True))
        for conversion in [o for o in fillers if isinstance(o, ConvertLayoutOp)]:
            deallocations.sink_behind(conversion)
        sink_into_loops(fillers)
        for alloc in allocs:
            source = _maker(alloc, 0) if alloc.operands else None
            if source is None or source.name in _NOT_STORED_EARLY:
                continue
            if alloc.parent is source.parent or _is_constant(alloc):
                move_after(alloc, source)
        for transpose in ops_named(op, _TRANSPOSES, region_first=True):
            source = _maker(transpose, 0)
            if source is not None:
                move_after(transpose, source)
        order, writes = Order(), Writes(_writes)
        for load in ops_of(op, LocalLoadOp, region_first=True):
            load_after_left_operand(load, order, writes)


def _reads_what_may_change(op: Operation) -> bool:
    if not isinstance(op, LocalLoadOp):
        return False
    alloc = _maker(op, 0)
    return not (isinstance(alloc, LocalAllocOp) and _is_constant(alloc))


def _is_constant(alloc: LocalAllocOp) -> bool:
    """Return whether a buffer has the same contents as long as the program runs."""
    type = alloc.result.type
    if type.mutable:
        return False
    return not any(isinstance(use.operation, LocalDeallocOp) for use in alloc.result.uses)


def _maker(op: Operation, i: int) -> Operation | None:
    value = op.operands[i]
    return value.op if isinstance(value, OpResult) else None


def move_after(op: Operation, other: Operation) -> None:
    """Move `op` right behind `other`."""
    if other.next_op is op:
        return
    block = other.parent
    assert block is not None
    op.detach()
    block.insert_op_after(op, other)


def _ancestor_next_to(op: Operation, other: Operation) -> Operation | None:
    """Return `other`, or what is around it, in the block of `op`."""
    current: Operation | None = other
    while current is not None and current.parent is not op.parent:
        current = current.parent_op()
    return current


class Deallocations:
    """Where shared memory is given back, as far as conversions are moved behind it."""

    def __init__(self, ops: Sequence[LocalDeallocOp]) -> None:
        self._order = Order()
        self._of: dict[Block, list[Operation]] = defaultdict(list)
        for op in ops:
            if op.parent is not None:
                self._of[op.parent].append(op)

    def sink_behind(self, conversion: Operation) -> None:
        """Convert after the last deallocation in front of the first use."""
        assert conversion.parent is not None
        found = self._of.get(conversion.parent)
        if not found:
            return
        number = self._order.number
        start = number(conversion)
        users = (_ancestor_next_to(conversion, use.operation) for use in conversion.results[0].uses)
        ends = [end for user in users if user is not None and (end := number(user)) > start]
        count = bisect_left(found, min(ends), key=number) if ends else len(found)
        if count and number(found[count - 1]) > start:
            move_after(conversion, found[count - 1])
            self._order.moved(conversion)


def sink_into_loops(ops: Sequence[Operation]) -> None:
    """Move what fills registers into the loop in which its only use is."""
    moves: dict[Operation, Operation] = {}
    writes = Writes(may_change_buffers)
    for op in ops:
        if not _fills_registers(op):
            continue
        uses = [use.operation for result in op.results for use in result.uses]
        if len(uses) != 1 or _loop_around(uses[0]) is _loop_around(op):
            continue
        at = _ancestor_next_to(op, uses[0])
        if _reads_what_may_change(op) and (at is None or writes.any_between(op, at)):
            continue
        moves[op] = uses[0]
    for op, user in moves.items():
        assert user.parent is not None
        op.detach()
        user.parent.insert_op_before(op, user)


def _fills_registers(op: Operation) -> bool:
    if isinstance(op, LocalLoadOp):
        return True
    return isinstance(op, ConvertLayoutOp) and isinstance(
        encoding_of(op.result.type), DotOperandEncodingAttr
    )


def _loop_around(op: Operation) -> Operation | None:
    current = op.parent_op()
    while current is not None and current.name != "scf.for":
        current = current.parent_op()
    return current


def load_after_left_operand(load: LocalLoadOp, order: Order, writes: Writes) -> None:
    """Move the load of a dot's right operand behind that of the left one."""
    type = load.results[0].type
    encoding = type.encoding if is_tensor(type) else None
    if not isinstance(encoding, DotOperandEncodingAttr) or encoding.op_idx != 1:
        return
    if not load.results[0].has_one_use():
        return
    user = next(iter(load.results[0].uses)).operation
    left = _maker(user, 0) if user.name == "tt.dot" else None
    if not isinstance(left, LocalLoadOp) or not order.dominates(load.results[0], left):
        return
    end = _ancestor_next_to(load, left)
    if end is not None and not writes.any_between(load, end):
        move_after(load, left)


def _writes(op: Operation) -> bool:
    effects = get_effects(op)
    return effects is None or any(e.kind is MemoryEffectKind.WRITE for e in effects)
