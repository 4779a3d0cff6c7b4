"""Ops are put into blocks and taken out as xDSL does it."""

from __future__ import annotations

import pytest
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Block, Operation, Region


def in_row(block: Block) -> list[Operation]:
    """Return the ops of a block, the same from either end."""
    forward: list[Operation] = []
    op = block.first_op
    while op is not None:
        forward.append(op)
        op = op.next_op
    backward: list[Operation] = []
    op = block.last_op
    while op is not None:
        backward.append(op)
        op = op.prev_op
    assert forward == backward[::-1]
    return forward


def test_ops_come_and_go_at_either_end_and_between() -> None:
    a, b, c, d, e = (AnyOp() for _ in range(5))
    block = Block()
    for op in (b, d):
        block.add_op(op)
    block.insert_op_before(a, b)
    block.insert_op_after(e, d)
    block.insert_op_after(c, b)
    assert in_row(block) == [a, b, c, d, e]
    block.insert_op_before(block.detach_op(e), b)
    assert in_row(block) == [a, e, b, c, d]
    for op in (a, d, b):
        block.detach_op(op)
    assert in_row(block) == [e, c]
    assert a.parent is None
    assert a.next_op is None
    for op in (e, c):
        block.detach_op(op)
    assert in_row(block) == []


def test_ops_of_other_blocks_are_refused() -> None:
    block, other = Block(), Block()
    op, elsewhere = AnyOp(), AnyOp()
    block.add_op(op)
    other.add_op(elsewhere)
    for insert in (block.insert_op_before, block.insert_op_after):
        with pytest.raises(ValueError, match="not in"):
            insert(AnyOp(), elsewhere)
        with pytest.raises(ValueError, match="already attached"):
            insert(elsewhere, op)
    with pytest.raises(ValueError, match="already attached"):
        block.add_op(elsewhere)
    with pytest.raises(ValueError, match="different block"):
        block.detach_op(elsewhere)
    assert in_row(block) == [op]
    assert in_row(other) == [elsewhere]


def test_no_op_goes_into_itself() -> None:
    inner = Block()
    outer = AnyOp(regions=[Region(inner)])
    with pytest.raises(ValueError, match="contained in the operation"):
        inner.add_op(outer)
    assert inner.parent_op() is outer
    assert Block().parent_op() is None
