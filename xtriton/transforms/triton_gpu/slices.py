"""
Everything that an op depends on, that depends on it, and so on: MLIR's `getSlice`.

Two ops are in each other's slice if a chain of definitions and uses leads from one to the
other, in whatever directions. A use of a loop's argument leads to the loop, and an op leads
to the ops in its regions; not the other way round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from xdsl.ir import BlockArgument, Operation, OpResult

from xtriton.ir.listings import nested_ops
from xtriton.ir.op_facts import is_isolated


class Slices:
    """The slices of all ops inside `root`, for interesting ops only."""

    def __init__(self, root: Operation, interesting: Iterable[Operation]):
        self._parents: dict[Operation, Operation] = {}
        ops = nested_ops(root)[1:]
        edges: list[tuple[Operation, Operation]] = []
        for op in ops:
            self._parents.setdefault(op, op)
            for operand in op.operands:
                if isinstance(operand, OpResult):
                    self._join(op, operand.op)
                elif isinstance(operand, BlockArgument):
                    owner = operand.block.parent_op()
                    if owner is not None and _is_plain(owner):
                        edges.append((op, owner))
            outer = op.parent_op()
            if outer is not None and outer is not root:
                edges.append((outer, op))
        self._members: dict[Operation, list[Operation]] = defaultdict(list)
        for op in interesting:
            self._members[self._root(op)].append(op)
        self._next: dict[Operation, set[Operation]] = defaultdict(set)
        for source, target in edges:
            a, b = self._root(source), self._root(target)
            if a is not b:
                self._next[a].add(b)
        self._reached: dict[Operation, list[Operation]] = {}

    def of(self, op: Operation) -> list[Operation]:
        """Return the interesting ops in the slice of `op`."""
        start = self._root(op)
        found = self._reached.get(start)
        if found is None:
            seen = {start}
            pending = [start]
            found = list[Operation]()
            while pending:
                component = pending.pop()
                found += self._members[component]
                for following in self._next[component]:
                    if following not in seen:
                        seen.add(following)
                        pending.append(following)
            self._reached[start] = found
        return found

    def _root(self, op: Operation) -> Operation:
        path: list[Operation] = []
        while (parent := self._parents.setdefault(op, op)) is not op:
            path.append(op)
            op = parent
        for passed in path:
            self._parents[passed] = op
        return op

    def _join(self, a: Operation, b: Operation) -> None:
        self._parents[self._root(a)] = self._root(b)


def _is_plain(op: Operation) -> bool:
    """Return whether slices go from an op's block arguments to the op."""
    if is_isolated(op) or len(op.regions) != 1:
        return False
    region = op.regions[0]
    return region.first_block is region.last_block
