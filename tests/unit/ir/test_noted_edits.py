"""What was seen of a module is believed as long as no edit is noted; and edits are noted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i32, i64
from xdsl.ir import Block, Operation
from xdsl.rewriter import Rewriter

from xtriton.dialects.upstream import arith
from xtriton.ir.noted_edits import edits_are_noted, note_edit, set_attribute, set_property
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.states import state_of
from xtriton.transforms.triton_gpu.retyping import set_type
from xtriton.universe import context

KERNEL = """
tt.func @k(%p: !tt.ptr<i32>, %a: i32, %b: i32) {
  %c1 = arith.constant 1 : i32
  %x = arith.addi %a, %b : i32
  %y = arith.muli %x, %c1 {mark} : i32
  tt.store %p, %y : !tt.ptr<i32>
  cf.br ^end
^end:
  tt.return
}
"""


def op_called(module: ModuleOp, name: str) -> Operation:
    return next(op for op in module.walk() if op.name == name)


def set_operand(module: ModuleOp) -> None:
    sum_ = op_called(module, "arith.addi")
    sum_.operands[0] = sum_.operands[1]


def set_operands(module: ModuleOp) -> None:
    sum_ = op_called(module, "arith.addi")
    sum_.operands = [sum_.operands[0]] * 2


def replace_uses(module: ModuleOp) -> None:
    sum_ = op_called(module, "arith.addi")
    sum_.results[0].replace_all_uses_with(sum_.operands[0])


def change_type(module: ModuleOp) -> None:
    set_type(op_called(module, "arith.addi").results[0], i64)


def replace_type(module: ModuleOp) -> None:
    Rewriter.replace_value_with_new_type(op_called(module, "arith.addi").results[0], i64)


def give_attribute(module: ModuleOp) -> None:
    set_attribute(op_called(module, "arith.addi"), "mark", StringAttr("here"))


def give_property(module: ModuleOp) -> None:
    set_property(op_called(module, "arith.constant"), "value", IntegerAttr(2, i32))


def use_accessor(module: ModuleOp) -> None:
    constant = op_called(module, "arith.constant")
    assert isinstance(constant, arith.ConstantOp)
    constant.value = IntegerAttr(2, i32)


def last_block(module: ModuleOp) -> Block:
    block = op_called(module, "tt.func").regions[0].last_block
    assert block is not None
    return block


def add_argument(module: ModuleOp) -> None:
    last_block(module).insert_arg(i32, 0)


def change_successor(module: ModuleOp) -> None:
    branch = op_called(module, "cf.br")
    assert branch.parent is not None
    branch.successors[0] = branch.parent


def change_successors(module: ModuleOp) -> None:
    branch = op_called(module, "cf.br")
    assert branch.parent is not None
    branch.successors = [branch.parent]


def move(module: ModuleOp) -> None:
    store = op_called(module, "tt.store")
    end = last_block(module)
    store.detach()
    assert end.first_op is not None
    end.insert_op_before(store, end.first_op)


EDITS: list[Callable[[ModuleOp], None]] = [
    set_operand,
    set_operands,
    replace_uses,
    change_type,
    replace_type,
    give_attribute,
    give_property,
    use_accessor,
    add_argument,
    change_successor,
    change_successors,
    move,
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_an_edit_is_noted(edit: Callable[[ModuleOp], None]) -> None:
    module = parse_module(KERNEL, context())
    with edits_are_noted():
        before = state_of(module)
        assert state_of(module, before) is before
        edit(module)
        assert state_of(module, before) != before


def test_what_nobody_noted_is_believed_only_where_that_can_be_counted_on() -> None:
    module = parse_module(KERNEL, context())
    before = state_of(module)
    op_called(module, "arith.addi").attributes["mark"] = StringAttr("here")
    assert state_of(module, before) != before

    with edits_are_noted():
        before = state_of(module)
        op_called(module, "arith.addi").attributes["mark"] = StringAttr("there")
        # Tests find out, others believe it.
        with pytest.raises(AssertionError, match=r"nobody noted that arith\.addi was edited"):
            state_of(module, before)
    assert state_of(module, before) != before


def test_only_ops_that_were_edited_are_looked_at() -> None:
    module = parse_module(KERNEL, context())
    with edits_are_noted():
        before = state_of(module)
        set_attribute(op_called(module, "arith.addi"), "mark", StringAttr("here"))
        move(module)
        op_called(module, "arith.muli").attributes["mark"] = StringAttr("here")
        with pytest.raises(AssertionError, match=r"nobody noted that arith\.muli was edited"):
            state_of(module, before)


def test_what_was_seen_is_believed_of_that_op_and_state() -> None:
    module, other = parse_module(KERNEL, context()), parse_module(KERNEL, context())
    with edits_are_noted():
        first = state_of(module)
        assert state_of(other) is not first
        set_attribute(module, "mark", StringAttr("here"))
        second = state_of(module, first)
        assert second is not first
        assert state_of(module, second) is second
        # Compared with an earlier one, it is looked at.
        assert state_of(module, first) is not first


def test_changes_over_several_states_are_those_from_the_first_to_the_last() -> None:
    module = parse_module(KERNEL, context())
    with edits_are_noted():
        first = state_of(module)
        added, store = op_called(module, "arith.addi"), op_called(module, "tt.store")
        set_attribute(added, "mark", StringAttr("here"))
        store.detach()
        second = state_of(module, first)
        del added.attributes["mark"]
        note_edit(added)
        last_block(module).add_op(store)
        third = state_of(module, second)
        changes = first.changes_until(third)
        assert changes is not None
        assert {op for op, (old, new) in changes.items() if old != new} == {store}
        assert first.changes_until(second) == {
            added: (first.by_op[added], second.by_op[added]),
            store: (first.by_op[store], None),
        }
        back = second.changes_until(first)
        assert back is not None
        assert back[store] == (None, first.by_op[store])


def test_edits_go_on_being_noted_where_more_passes_are_inside() -> None:
    module = parse_module(KERNEL, context())
    with edits_are_noted():
        seen = state_of(module)
        with edits_are_noted():
            set_operands(module)
        now = state_of(module, seen)
    assert now == state_of(module)
    assert now != seen
