"""That listed ops are those of the module, whatever changes it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region

from xtriton.ir.listings import nested_ops, ops_of, ops_with_regions


def ops(count: int) -> list[Operation]:
    return [test.TestOp() for _ in range(count)]


def nest() -> ModuleOp:
    """A module around an op with two blocks of two ops each, and one without."""
    blocks = [Block(ops(2)), Block(ops(2))]
    return ModuleOp([test.TestOp(regions=[Region(blocks)]), test.TestOp()])


def around(module: ModuleOp) -> Operation:
    op = module.body.block.first_op
    assert op is not None
    return op


def first_block(module: ModuleOp) -> Block:
    block = around(module).regions[0].first_block
    assert block is not None
    return block


def first_op(module: ModuleOp) -> Operation:
    op = first_block(module).first_op
    assert op is not None
    return op


def detached(op: Operation) -> Operation:
    op.detach()
    return op


def split(module: ModuleOp) -> None:
    last = first_block(module).last_op
    assert last is not None
    first_block(module).split_before(last)


CHANGES: dict[str, Callable[[ModuleOp], object]] = {
    "add an op": lambda m: m.body.block.add_op(test.TestOp()),
    "insert in front": lambda m: first_block(m).insert_op_before(test.TestOp(), first_op(m)),
    "insert behind": lambda m: first_block(m).insert_ops_after(ops(2), first_op(m)),
    "detach an op": lambda m: first_op(m).detach(),
    "erase an op": lambda m: first_block(m).erase_op(first_op(m)),
    "move an op": lambda m: m.body.block.add_op(detached(first_op(m))),
    "split a block": split,
    "add a block": lambda m: around(m).regions[0].add_block(Block(ops(1))),
    "insert a block": lambda m: around(m).regions[0].insert_block(Block(ops(1)), 0),
    "detach a block": lambda m: around(m).regions[0].detach_block(0),
    "erase a block": lambda m: around(m).regions[0].erase_block(first_block(m)),
    "add a region": lambda m: around(m).add_region(Region(Block(ops(1)))),
    "detach a region": lambda m: around(m).detach_region(0),
    "move blocks": lambda m: Region([Block(ops(1)), Block()]).move_blocks(around(m).regions[0]),
    "move blocks in": lambda m: Region(Block(ops(1))).move_blocks_before(first_block(m)),
    "move blocks out": lambda m: around(m).regions[0].move_blocks(Region()),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_structure_is_listed(change: str):
    module = nest()
    before = nested_ops(module)
    assert nested_ops(module, reverse=True) == tuple(module.walk(reverse=True))
    assert before == tuple(module.walk())
    CHANGES[change](module)
    now = tuple(module.walk())
    # Splitting a block leaves the ops as they are.
    assert (now != before) == (change != "split a block")
    assert nested_ops(module) == now
    assert nested_ops(module, reverse=True) == tuple(module.walk(reverse=True))
    assert ops_of(module, test.TestOp) == list(now[1:])
    assert ops_with_regions(module) == [op for op in now if op.regions]


def test_what_has_not_changed_is_listed_once():
    module = nest()
    assert nested_ops(module) is nested_ops(module)
    listed = ops_of(module, test.TestOp)
    listed.clear()
    assert ops_of(module, test.TestOp)
