"""
The order of ops in a function, while ops are being inserted.

Each op gets a number that grows along its block. Ops inserted later get one between their
neighbours', found when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

_STEP = 1.0
_SMALLEST_GAP = 1e-9


class Order:
    """Numbers of ops; blocks are numbered when one of their ops is asked for."""

    def __init__(self) -> None:
        self._numbers: dict[Operation, float] = {}
        self._blocks: set[Block] = set()

    def number(self, op: Operation) -> float:
        """Return the number of `op`, greater than those of the ops in front of it."""
        found = self._numbers.get(op)
        if found is not None:
            return found
        block = op.parent
        assert block is not None
        if block not in self._blocks:
            self._blocks.add(block)
            return self._renumber(block, op)
        return self._between(block, op)

    def moved(self, op: Operation) -> None:
        """Forget where `op` stood."""
        self._numbers.pop(op, None)

    def _between(self, block: Block, op: Operation) -> float:
        before, after = op.prev_op, op.next_op
        new = [op]
        while before is not None and before not in self._numbers:
            new.insert(0, before)
            before = before.prev_op
        while after is not None and after not in self._numbers:
            new.append(after)
            after = after.next_op
        low = None if before is None else self._numbers[before]
        high = None if after is None else self._numbers[after]
        if low is None:
            low = 0.0 if high is None else high - _STEP * (len(new) + 1)
        if high is None:
            high = low + _STEP * (len(new) + 1)
        gap = (high - low) / (len(new) + 1)
        if gap < _SMALLEST_GAP:
            return self._renumber(block, op)
        for i, inserted in enumerate(new):
            self._numbers[inserted] = low + gap * (i + 1)
        return self._numbers[op]

    def _renumber(self, block: Block, op: Operation) -> float:
        for i, other in enumerate(block.ops):
            self._numbers[other] = i * _STEP
        return self._numbers[op]

    def path(self, op: Operation) -> tuple[float, ...]:
        """Return a key to sort ops by: as in the text, an op before what is inside it."""
        numbers: list[float] = []
        current: Operation | None = op
        while current is not None and current.parent is not None:
            numbers.append(self.number(current))
            region = current.parent_region()
            if region is not None and region.first_block is not region.last_block:
                numbers.append(float(region.get_block_index(current.parent)))
            outer = current.parent_op()
            if outer is not None and region is not None and len(outer.regions) > 1:
                numbers.append(float(outer.regions.index(region)))
            current = outer
        return tuple(reversed(numbers))

    def sorted(self, ops: Iterable[Operation]) -> list[Operation]:
        """Return ops as they stand in the text, each before what is inside it."""
        ops = list(ops)
        if len({op.parent for op in ops}) == 1:
            for op in ops:
                self.number(op)
            return sorted(ops, key=self._numbers.__getitem__)
        for op in ops:
            # Numbering one that is new may number those anew that have been asked for.
            self.path(op)
        return sorted(ops, key=self.path)

    def is_before(self, a: Operation, b: Operation) -> bool:
        """Return whether `a` stands in front of `b` in their block."""
        self.number(a)
        self.number(b)
        return self._numbers[a] < self._numbers[b]

    def dominates(self, value: SSAValue, user: Operation) -> bool:
        """Return whether `value` is defined where `user`, in structured code, can use it."""
        if isinstance(value, BlockArgument):
            return _ancestor_in(value.block, user) is not None
        assert isinstance(value, OpResult)
        block = value.op.parent
        if block is None:
            return False
        at = _ancestor_in(block, user)
        return at is not None and self.is_before(value.op, at)


def _ancestor_in(block: Block, op: Operation) -> Operation | None:
    """Return `op`, or the op around it, that is in `block`; None if there is none."""
    current: Operation | None = op
    while current is not None and current.parent is not block:
        current = current.parent_op()
    return current
