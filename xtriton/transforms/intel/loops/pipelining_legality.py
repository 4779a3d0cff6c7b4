"""Whether a loop does the same when its ops follow a schedule: neither upstream's pipeliner asks."""

from __future__ import annotations

from xdsl.ir import Operation, OpResult
from xdsl.traits import MemoryEffectKind, get_effects, is_side_effect_free

from xtriton.analysis.writes import may_write
from xtriton.dialects.upstream.scf import ForOp
from xtriton.transforms.intel.loops.loop_pipelining import Schedule


def keeps_meaning(loop: ForOp, schedule: Schedule) -> bool:
    """Return whether accesses to memory, bounds and carried values allow a schedule."""
    return (
        # Bounds are compared, and ends computed, with signs.
        "unsignedCmp" not in loop.properties
        and keeps_accesses_in_order(loop, schedule)
        and not _runs_ahead_of_a_start(loop, schedule)
    )


def keeps_accesses_in_order(loop: ForOp, schedule: Schedule) -> bool:
    """Return whether no read of memory moves over a write, nor a write over another."""
    stages = dict(schedule)
    accesses = [op for op in loop.body.block.ops if op in stages and _accesses_memory(op)]
    writes = {op for op in accesses if may_write(op)}
    if not writes:
        return True
    last = max(stages.values())
    # What runs iterations ahead overtakes the writes of those between.
    if any(stages[op] < last for op in accesses):
        return False
    chosen = set(accesses)
    return _by_writes(accesses, writes) == _by_writes(
        [op for op, _ in schedule if op in chosen], writes
    )


def _by_writes(
    accesses: list[Operation], writes: set[Operation]
) -> tuple[list[Operation], dict[Operation, int]]:
    """Return the writes in their order, and how many of them stand in front of each access."""
    order: list[Operation] = []
    in_front: dict[Operation, int] = {}
    for op in accesses:
        in_front[op] = len(order)
        if op in writes:
            order.append(op)
    return order, in_front


def _accesses_memory(op: Operation) -> bool:
    if is_side_effect_free(op):
        return False
    effects = get_effects(op)
    reads = effects is None or any(e.kind is MemoryEffectKind.READ for e in effects)
    return reads or may_write(op)


def _runs_ahead_of_a_start(loop: ForOp, schedule: Schedule) -> bool:
    """
    Return whether an op that runs ahead uses a value that is another one in the first iteration.

    Namely what the loop yields but does not compute.
    """
    stages = dict(schedule)
    block = loop.body.block
    end = block.last_op
    assert end is not None
    last = max(stages.values())
    for argument, value in zip(block.args[1:], end.operands, strict=True):
        if isinstance(value, OpResult) and value.op in stages:
            continue
        for use in argument.uses:
            user: Operation | None = use.operation
            while user is not None and user.parent is not block:
                user = user.parent_op()
            if user is not None and stages.get(user, last) < last:
                return True
    return False
