"""What was seen of a module is believed as long as no edit is noted; and edits are noted."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import pytest
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i32, i64
from xdsl.ir import Block, Operation
from xdsl.rewriter import Rewriter

from xtriton.dialects.upstream import arith
from xtriton.ir.looks import Look, joined, look_at
from xtriton.ir.noted_edits import edits_are_noted, set_attribute, set_property
from xtriton.ir.reading.parser import parse_module
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
        before = look_at(module)
        assert look_at(module, before) is before
        edit(module)
        assert look_at(module, before) is not before


def erase(module: ModuleOp) -> None:
    store = op_called(module, "tt.store")
    store.detach()
    store.erase()


@pytest.mark.parametrize(
    ("edit", "giver"),
    [(set_operand, "tt.func"), (set_operands, "tt.func"), (erase, "arith.muli")],
    ids=["set_operand", "set_operands", "erase"],
)
def test_who_loses_a_user_is_noted(edit: Callable[[ModuleOp], None], giver: str) -> None:
    module = parse_module(KERNEL, context())
    with edits_are_noted():
        before = look_at(module)
        edit(module)
        changes = before.changes_until(look_at(module, before))
    assert changes is not None
    assert op_called(module, giver) in changes.givers


def test_what_nobody_noted_is_believed_only_where_that_can_be_counted_on() -> None:
    module = parse_module(KERNEL, context())
    before = look_at(module)
    op_called(module, "arith.addi").attributes["mark"] = StringAttr("here")
    assert look_at(module, before) is not before

    with edits_are_noted():
        before = look_at(module)
        op_called(module, "arith.addi").attributes["mark"] = StringAttr("there")
        # Tests find out, others believe it.
        with pytest.raises(AssertionError, match=r"nobody noted that arith\.addi was edited"):
            look_at(module, before)
    assert look_at(module, before) is not before


def test_another_edit_does_not_excuse_one_that_nobody_noted() -> None:
    module = parse_module(KERNEL, context())
    with edits_are_noted():
        before = look_at(module)
        set_attribute(op_called(module, "arith.addi"), "mark", StringAttr("here"))
        move(module)
        op_called(module, "arith.muli").attributes["mark"] = StringAttr("here")
        with pytest.raises(AssertionError, match=r"nobody noted that arith\.muli was edited"):
            look_at(module, before)


def test_changes_are_those_between_two_looks_at_an_op() -> None:
    module = parse_module(KERNEL, context())
    with edits_are_noted():
        first = look_at(module)
        set_attribute(op_called(module, "arith.addi"), "mark", StringAttr("here"))
        second = look_at(module, first)
        set_attribute(op_called(module, "arith.muli"), "mark", StringAttr("here"))
        third = look_at(module, second)

        def changed(before: Look, now: Look) -> list[str]:
            changes = before.changes_until(now)
            assert changes is not None
            return sorted(op.name for op in changes.ops)

        assert changed(first, second) == ["arith.addi"]
        assert changed(second, third) == ["arith.muli"]
        assert changed(first, third) == ["arith.addi", "arith.muli"]


def test_notes_say_nothing_of_the_time_before_them() -> None:
    module = parse_module(KERNEL, context())
    early = look_at(module)
    with edits_are_noted():
        first = look_at(module)
        assert early.changes_until(first) is None
        assert look_at(module, early) is not early
    with edits_are_noted():
        assert first.changes_until(look_at(module, first)) is None
    assert first.changes_until(look_at(module, first)) is None


TWO = """
tt.func @f(%p: !tt.ptr<i32>, %a: i32) {
  tt.store %p, %a : !tt.ptr<i32>
  tt.return
}
tt.func @g(%a: i32) {
  %x = arith.addi %a, %a : i32
  tt.return
}
"""


@pytest.mark.parametrize("are_noted", [True, False], ids=["noted", "not noted"])
def test_looks_at_functions_are_one_at_the_module(are_noted: bool) -> None:
    module = parse_module(TWO, context())
    first, second = module.ops
    with edits_are_noted() if are_noted else nullcontext():
        looks = [look_at(first), look_at(second)]
        set_attribute(op_called(module, "arith.addi"), "mark", StringAttr("here"))
        whole, part = joined(module, looks), joined(module, looks[:1])
        now = look_at(module)
        assert whole is not None
        assert part is not None
        changes = whole.changes_until(now)
        assert changes is not None
        # Nobody has looked at the module itself.
        assert {op.name for op in changes.ops} == {"builtin.module", "arith.addi"}
        changes = part.changes_until(now)
        assert changes is not None
        assert changes.ops == {module, *second.walk()}


def test_the_earliest_of_several_looks_counts() -> None:
    module = parse_module(TWO, context())
    first, second = module.ops
    sum_ = op_called(module, "arith.addi")
    with edits_are_noted():
        sum_.detach()
        early = look_at(first)
        # Only who gave to it is noted now: where it was has been said.
        sum_.erase()
        late = look_at(second)
        for looks in ([early, late], [late, early]):
            whole = joined(module, looks)
            assert whole is not None
            changes = whole.changes_until(look_at(module))
            assert changes is not None
            assert changes.givers == {second}


def test_edits_go_on_being_noted_where_more_passes_are_inside() -> None:
    module = parse_module(KERNEL, context())
    with edits_are_noted():
        seen = look_at(module)
        with edits_are_noted():
            set_operands(module)
        changes = seen.changes_until(look_at(module, seen))
    assert changes is not None
    assert {op.name for op in changes.ops} == {"arith.addi"}


def test_another_thread_looks_at_all_ops_meanwhile() -> None:
    module = parse_module(KERNEL, context())

    def edit_without_a_note() -> bool:
        with edits_are_noted():
            before = look_at(module)
            op_called(module, "arith.addi").attributes["mark"] = StringAttr("here")
            return look_at(module, before) is not before

    with edits_are_noted(), ThreadPoolExecutor(1) as other:
        assert other.submit(edit_without_a_note).result()
