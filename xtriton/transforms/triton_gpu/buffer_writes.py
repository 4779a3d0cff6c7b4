"""Which ops may change buffers in shared memory that others have filled."""

from __future__ import annotations

from xdsl.ir import Block, Operation
from xdsl.traits import MemoryEffectKind, RecursiveMemoryEffect, get_effects

from xtriton.dialects.tt.traits import GlobalMemory
from xtriton.dialects.ttg.memory import LocalAllocOp
from xtriton.dialects.ttig.effects import L2Cache

_CHANGES = frozenset((MemoryEffectKind.WRITE, MemoryEffectKind.FREE))
_ELSEWHERE = (GlobalMemory, L2Cache)


class BufferWrites:
    """Answers are remembered: ask only as long as ops stay where they are."""

    def __init__(self) -> None:
        self._known: dict[Operation, bool] = {}
        self._until: dict[Operation, int] = {}
        """How many ops of its block up to and with an op may change a buffer."""

    def may_change(self, op: Operation) -> bool:
        """Return whether `op`, with all inside it, may write or free a buffer but its own."""
        found = self._known.get(op)
        if found is None:
            found = self._known[op] = self._find(op)
        return found

    def between(self, first: Operation | None, last: Operation) -> bool:
        """
        Return whether an op of a block from `first` up to and with `last` may change one.

        That is said of ops in different blocks, too.
        """
        if first is None or first.parent is None or first.parent is not last.parent:
            return True
        if first not in self._until:
            self._count(first.parent)
        before = self._until[first] - self.may_change(first)
        return self._until[last] > before

    def _count(self, block: Block) -> None:
        count = 0
        for op in block.ops:
            count += self.may_change(op)
            self._until[op] = count

    def _find(self, op: Operation) -> bool:
        if isinstance(op, LocalAllocOp):
            return False
        if op.regions and op.has_trait(RecursiveMemoryEffect):
            inside = (o for region in op.regions for block in region.blocks for o in block.ops)
            return any(self.may_change(o) for o in inside)
        effects = get_effects(op)
        return effects is None or any(
            e.kind in _CHANGES and not isinstance(e.resource, _ELSEWHERE) for e in effects
        )
