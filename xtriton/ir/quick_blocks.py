"""
xDSL's core, quicker: putting ops into blocks and taking them out, step for step as xDSL does it.

Each is one step here that says once what changes; in xDSL it is four calls. `xtriton.ir` applies
this when it is imported.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation

from xtriton.ir.listings import forget_listings, forget_nests, forget_with_new
from xtriton.ir.noted_edits import note_edit


def _attach_op(self: Block, operation: Operation) -> None:
    if operation.parent is not None:
        raise ValueError("Can't add to a block an operation already attached to a block.")
    # An op without regions is around no block.
    if operation.regions and operation.is_ancestor(self):
        raise ValueError("Can't add an operation to a block contained in the operation.")
    operation.parent = self
    forget_with_new(operation)
    note_edit(operation)


def _insert_op_before(self: Block, new_op: Operation, existing_op: Operation) -> None:
    if existing_op.parent is not self:
        raise ValueError("Can't insert operation before operation not in current block")
    _attach_op(self, new_op)
    before = existing_op._prev_op
    new_op._prev_op, new_op._next_op = before, existing_op
    existing_op._prev_op = new_op
    if before is None:
        self._first_op = new_op
    else:
        before._next_op = new_op


def _insert_op_after(self: Block, new_op: Operation, existing_op: Operation) -> None:
    if existing_op.parent is not self:
        raise ValueError("Can't insert operation after operation not in this block.")
    _attach_op(self, new_op)
    after = existing_op._next_op
    new_op._prev_op, new_op._next_op = existing_op, after
    existing_op._next_op = new_op
    if after is None:
        self._last_op = new_op
    else:
        after._prev_op = new_op


def _add_op(self: Block, operation: Operation) -> None:
    last = self._last_op
    _attach_op(self, operation)
    self._last_op = operation
    if last is None:
        self._first_op = operation
    else:
        operation._prev_op = last
        last._next_op = operation


def _detach_op(self: Block, op: Operation) -> Operation:
    if op.parent is not self:
        raise ValueError("Cannot detach operation from a different block.")
    if op.regions:
        forget_nests()
    else:
        forget_listings()
    note_edit(op)
    unlink(self, op)
    return op


def unlink(block: Block, op: Operation) -> None:
    """Take an op of a block out of it, and tell nobody."""
    before, after = op._prev_op, op._next_op
    op.parent = op._prev_op = op._next_op = None
    if before is None:
        block._first_op = after
    else:
        before._next_op = after
    if after is None:
        block._last_op = before
    else:
        after._prev_op = before


def _parent_op(self: Block) -> Operation | None:
    region = self.parent
    return None if region is None else region.parent


_METHODS: dict[tuple[type, str], object] = {
    (Block, "_attach_op"): _attach_op,
    (Block, "add_op"): _add_op,
    (Block, "detach_op"): _detach_op,
    (Block, "insert_op_after"): _insert_op_after,
    (Block, "insert_op_before"): _insert_op_before,
    (Block, "parent_op"): _parent_op,
}


def _apply() -> None:
    for (cls, name), method in _METHODS.items():
        setattr(cls, name, method)


_apply()
