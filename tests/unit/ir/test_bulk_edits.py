"""Ops that are erased together leave what those that are erased one after the other leave."""

from collections.abc import Callable, Sequence

import pytest
from xdsl.ir import Block, Operation

from xtriton.ir.bulk_edits import erase_all
from xtriton.ir.listings import nested_ops
from xtriton.ir.noted_edits import edits_are_noted, moment
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.universe import context

KERNEL = """
tt.func @k(%p: !tt.ptr<i32>, %a: i32, %b: i32) {
  %first = arith.addi %a, %a : i32
  %kept = arith.muli %a, %b : i32
  %second = arith.addi %first, %kept : i32
  %third = arith.subi %second, %a : i32
  %last = arith.subi %third, %first : i32
  tt.store %p, %kept : !tt.ptr<i32>
  tt.return
}
"""


def one_by_one(block: Block, dead: Sequence[Operation]) -> None:
    for op in dead:
        op.detach()
        op.erase()


def erased(erase: Callable[[Block, Sequence[Operation]], None]) -> tuple[object, ...]:
    module = parse_module(KERNEL, context())
    (function,) = [op for op in module.walk() if op.name == "tt.func"]
    block = function.regions[0].blocks[0]
    ops = list(block.ops)
    dead = [ops[n] for n in (4, 3, 2, 0)]
    assert len(nested_ops(function)) == 8
    with edits_are_noted():
        before = moment()
        erase(block, dead)
        after = moment()
        assert before is not None
        assert after is not None
        changes = before.changes_until(after)
    assert changes is not None
    left = [*block.args, ops[1].results[0]]
    uses = [[(use.operation.name, use.index) for use in value.uses] for value in left]
    assert all(op.parent is None for op in dead)
    assert list(block.ops) == list(nested_ops(function))[1:] == [ops[1], *ops[5:]]
    assert [op.prev_op for op in block.ops] == [None, ops[1], ops[5]]
    return print_module(module), uses, {op.name for op in changes.givers}


def test_together_is_as_one_after_the_other() -> None:
    assert erased(erase_all) == erased(one_by_one)


def test_what_is_still_used_is_no_longer_there_for_who_uses_it() -> None:
    module = parse_module(KERNEL, context())
    ops = [op for op in module.walk() if op.name.startswith("arith.")]
    block = ops[0].parent
    assert block is not None
    erase_all(block, [ops[1]])
    assert type(ops[2].operands[1]).__name__ == "ErasedSSAValue"


def test_ops_of_another_block_are_no_ops_of_this_one() -> None:
    module = parse_module(KERNEL, context())
    op = next(op for op in module.walk() if op.name == "arith.addi")
    with pytest.raises(AssertionError):
        erase_all(Block(), [op])
