"""Which ops may change memory or give it back, and which of them stand between two others."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from xdsl.ir import Block, Operation
from xdsl.traits import EffectInstance, MemoryEffectKind, RecursiveMemoryEffect, get_effects

from xtriton.dialects.tt.traits import GlobalMemory
from xtriton.dialects.ttg.memory import LocalAllocOp
from xtriton.dialects.ttig.effects import L2Cache
from xtriton.ir.order import Order


def may_write(op: Operation) -> bool:
    """
    Return whether `op`, with all inside it, may write to memory, free it, or do what nobody
    knows of.

    A prefetch only fills a cache.
    """
    effects = get_effects(op)
    return effects is None or any(map(_changes_memory, effects))


def may_change_buffers(op: Operation) -> bool:
    """
    Return whether `op`, with all inside it, may write or free shared memory of another op.

    An op that allocates a buffer fills its own.
    """
    if isinstance(op, LocalAllocOp):
        return False
    if op.regions and op.has_trait(RecursiveMemoryEffect):
        blocks = (block for region in op.regions for block in region.blocks)
        return any(may_change_buffers(inner) for block in blocks for inner in block.ops)
    effects = get_effects(op)
    return effects is None or any(
        _changes_memory(effect) and not isinstance(effect.resource, GlobalMemory)
        for effect in effects
    )


def _changes_memory(effect: EffectInstance) -> bool:
    changes = effect.kind in (MemoryEffectKind.WRITE, MemoryEffectKind.FREE)
    return changes and not isinstance(effect.resource, L2Cache)


class Writes:
    """
    The writing ops of blocks, found once for each block; `writing` tells which these are.

    Ops that do not write may be inserted and erased meanwhile.
    """

    def __init__(self, writing: Callable[[Operation], bool] = may_write) -> None:
        self._is_writing = writing
        self._order = Order()
        self._writing: dict[Block, list[Operation]] = {}

    def any_between(self, first: Operation, last: Operation) -> bool:
        """Return whether an op behind `first` and up to `last`, in their block, may write."""
        _, start, end = self._places(first, last)
        return start < end

    def between(self, first: Operation, last: Operation) -> list[Operation]:
        """Return the ops of a block behind `first` and up to `last` that may write."""
        writing, start, end = self._places(first, last)
        return writing[start:end]

    def _places(self, first: Operation, last: Operation) -> tuple[list[Operation], int, int]:
        """Return the writing ops of a block, and where those between two ops begin and end."""
        block = first.parent
        assert block is not None and last.parent is block
        writing = self._writing.get(block)
        if writing is None:
            writing = self._writing[block] = [op for op in block.ops if self._is_writing(op)]
        number = self._order.number
        start, end = (bisect_right(writing, number(op), key=number) for op in (first, last))
        return writing, start, end
