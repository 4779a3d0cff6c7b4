"""Which memory a tensor op may overwrite: whose content nobody needs any more."""

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.emitter.values import Storage


class Liveness:
    """Answers questions about uses by the order of ops in their blocks."""

    def __init__(self) -> None:
        self._orders: dict[Block, dict[Operation, int]] = {}
        self._delayed: dict[Operation, Operation] = {}

    def delay(self, ops: Sequence[Operation]) -> None:
        """Have ops of a block count as where the last of them is, which does their work."""
        self._delayed.update(dict.fromkeys(ops, ops[-1]))

    def position(self, op: Operation) -> int:
        """Return the place of `op` in its block, or of what does its work."""
        op = self._delayed.get(op, op)
        block = op.parent_block()
        assert block is not None
        order = self._orders.get(block)
        if order is None or op not in order:
            order = {other: i for i, other in enumerate(block.ops)}
            self._orders[block] = order
        return order[op]

    def dead_after(self, storage: Storage, op: Operation) -> bool:
        """True if no value in `storage` is needed after `op` has run."""
        return storage.writable and all(self._value_dead_after(v, op) for v in storage.values)

    def _value_dead_after(self, value: SSAValue, op: Operation) -> bool:
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
        if block is None:
            return False
        here = ancestor_in(op, block)
        if here is None:
            return False
        position = self.position(here)
        for use in value.uses:
            user = ancestor_in(use.operation, block)
            if user is None:
                return False
            if user is here and use.operation is op:
                continue
            # Inside a loop or branch the other uses in it may still come, or come again.
            if self.position(user) >= position:
                return False
        # An op inside a loop may not overwrite what was made outside: the next iteration
        # reads it again.
        return here is op


def ancestor_in(op: Operation | None, block: Block) -> Operation | None:
    """Return the op of `block` that is or contains `op`; None if it is elsewhere."""
    while op is not None:
        if op.parent_block() is block:
            return op
        op = op.parent_op()
    return None
