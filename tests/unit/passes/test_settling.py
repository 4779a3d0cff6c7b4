"""What simplification remembers of a module, and that it forgets it when anything changes."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32, i64
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.ir.noted_edits import edits_are_noted
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.states import state_of
from xtriton.ir.versions import rules_of
from xtriton.ir.writing.printer import print_module
from xtriton.transforms.cleanup.canonicalize import canonicalize
from xtriton.transforms.cleanup.cse import merge_equal_ops
from xtriton.transforms.cleanup.settled import settled
from xtriton.transforms.cleanup.settling import settle
from xtriton.transforms.triton_gpu.simplification import simplify
from xtriton.universe import context

KERNEL = """
tt.func @k(%p: !tt.ptr<i32>, %a: i32, %b: i32) {
  %c1 = arith.constant 1 : i32
  %x = arith.addi %a, %b : i32
  %y = arith.muli %x, %c1 {mark} : i32
  tt.store %p, %y : !tt.ptr<i32>
  tt.return
}
"""


class Watch(RewritePattern):
    """Counts what it is asked about."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        self.seen.append(op.name)


class Additions(Watch):
    """Is asked about additions only."""

    def has_any_for(self, op_type: type[Operation]) -> bool:
        return op_type.name == "arith.addi"


def settled_module() -> ModuleOp:
    module = parse_module(KERNEL, context())
    assert canonicalize(module)
    return module


def op_called(module: ModuleOp, name: str) -> Operation:
    return next(op for op in module.walk() if op.name == name)


def exchange_operands(module: ModuleOp) -> None:
    op = op_called(module, "arith.addi")
    op.operands = list(reversed(op.operands))


def swap_types(module: ModuleOp) -> None:
    op_called(module, "arith.addi").properties["other"] = IntegerAttr(1, i32)


def add_an_attribute(module: ModuleOp) -> None:
    op_called(module, "tt.store").attributes["other"] = IntegerAttr(1, i32)


def move_an_op(module: ModuleOp) -> None:
    op = op_called(module, "arith.addi")
    copy, block = op.clone(), op.parent
    assert block is not None
    block.insert_op_before(copy, op)


def change_a_result(module: ModuleOp) -> None:
    op_called(module, "arith.addi").results[0]._type = i64


def change_an_argument(module: ModuleOp) -> None:
    op_called(module, "tt.func").regions[0].block.args[1]._type = i64


def exchange_ops(module: ModuleOp) -> None:
    op = op_called(module, "arith.addi")
    following, block = op.next_op, op.parent
    assert following is not None
    assert block is not None
    op.detach()
    block.insert_op_after(op, following)


CHANGES = [
    exchange_operands,
    swap_types,
    add_an_attribute,
    move_an_op,
    change_a_result,
    change_an_argument,
]


@pytest.mark.parametrize("change", [*CHANGES, exchange_ops])
def test_a_state_is_the_same_until_something_changes(change: Callable[[ModuleOp], None]):
    module = settled_module()
    state = state_of(module)
    assert state_of(module, state) is state
    change(module)
    changed = state_of(module, state)
    assert changed is not state
    assert (changed == state) == (change is exchange_ops)


def test_nothing_is_looked_at_twice():
    module, watch = settled_module(), Watch()
    assert not simplify(module, (watch,))
    first = len(watch.seen)
    assert first
    assert not simplify(module, (watch,))
    assert len(watch.seen) == first


def test_where_there_is_nothing_to_fold_only_ops_with_patterns_are_looked_at():
    module, watch = settled_module(), Additions()
    assert not simplify(module, (watch,))
    assert watch.seen == ["arith.addi"]


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_is_noticed(change: Callable[[ModuleOp], None]):
    module, watch = settled_module(), Watch()
    simplify(module, (watch,))
    before = len(watch.seen)
    change(module)
    simplify(module, (watch,))
    assert len(watch.seen) > before


def test_rules_of_another_release_are_a_change():
    module, watch = settled_module(), Watch()
    simplify(module, (watch,))
    before = len(watch.seen)
    with rules_of((3, 4)):
        simplify(module, (watch,))
    assert len(watch.seen) > before


def test_equal_ops_that_come_later_are_merged():
    module = settled_module()
    merge_equal_ops(module)
    merge_equal_ops(module)
    text = print_module(module)
    move_an_op(module)
    op = op_called(module, "arith.addi")
    store = op_called(module, "tt.store")
    store.operands[1] = op.results[0]
    merge_equal_ops(module)
    assert print_module(module) == text


def test_a_change_is_forgotten_when_it_is_undone():
    module, watch = settled_module(), Watch()
    simplify(module, (watch,))
    assert settled(module).knows((watch,))
    exchange_operands(module)
    assert not settled(module).knows((watch,))
    exchange_operands(module)
    assert settled(module).touched((watch,)) == set()


CHAIN = """
tt.func @k(%p: !tt.ptr<i32>, %a: i32, %b: i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.muli %a, %b : i32
  %2 = arith.xori %1, %a : i32
  %3 = arith.muli %2, %2 : i32
  %4 = arith.addi %3, %0 : i32
  %5 = arith.muli %4, %4 : i32
  %6 = arith.subi %5, %a : i32
  tt.store %p, %6 : !tt.ptr<i32>
  tt.return
}
"""


def test_only_what_is_near_a_change_is_looked_at_again():
    module, watch = parse_module(CHAIN, context()), Watch()
    simplify(module, (watch,))
    watch.seen.clear()
    exchange_operands(module)
    simplify(module, (watch,))
    # What feeds from it: the addition at the end and the product of it; and what is around it.
    assert sorted(watch.seen) == ["arith.addi", "arith.addi", "arith.muli", "tt.func"]


def test_who_gave_to_an_op_that_is_gone_is_looked_at_again():
    module, watch = parse_module(CHAIN, context()), Watch()
    simplify(module, (watch,))
    watch.seen.clear()
    store = op_called(module, "tt.store")
    store.operands[1] = op_called(module, "arith.addi").results[0]
    simplify(module, (watch,))
    # All that is dead now goes, one by one, without a pattern; the sum and the store stay.
    assert set(watch.seen) == {"tt.func", "arith.addi", "tt.store"}
    assert [op.name for op in module.walk()] == [
        "builtin.module", "tt.func", "arith.addi", "tt.store", "tt.return",
    ]  # fmt: skip


def test_a_module_knows_what_its_functions_know():
    module, watch = parse_module(CHAIN, context()), Watch()
    function = op_called(module, "tt.func")
    simplify(function, (watch,))
    watch.seen.clear()
    simplify(module, (watch,))
    assert watch.seen == []


def test_a_function_that_changed_is_looked_at_from_the_module():
    module, watch = parse_module(CHAIN, context()), Watch()
    simplify(op_called(module, "tt.func"), (watch,))
    watch.seen.clear()
    exchange_operands(module)
    simplify(module, (watch,))
    assert sorted(watch.seen) == ["arith.addi", "arith.addi", "arith.muli", "tt.func"]


def gone(module: ModuleOp) -> weakref.ref[Operation]:
    """Erase an op and change those around it; return what tells whether it is still in memory."""
    op = op_called(module, "tt.store")
    for other in module.walk():
        other.attributes["other"] = IntegerAttr(1, i32)
    op.detach()
    op.erase()
    return weakref.ref(op)


def test_states_of_which_little_is_left_are_let_go():
    module, watch, other = parse_module(CHAIN, context()), Watch(), Watch()
    simplify(module, (watch, other))
    erased = gone(module)
    simplify(module, (watch,))
    gc.collect()
    assert erased() is None


def test_what_a_module_took_over_its_functions_let_go():
    module, watch = parse_module(CHAIN, context()), Watch()
    simplify(op_called(module, "tt.func"), (watch,))
    erased = gone(module)
    simplify(module, (watch,))
    gc.collect()
    assert erased() is None


MERGED = """
tt.func @k(%p: !tt.ptr<i32>, %a: i32, %b: i32) {
  %c3 = arith.constant 3 : i32
  %x = arith.muli %a, %c3 : i32
  tt.store %p, %x {near} : !tt.ptr<i32>
  %again = arith.constant 3 : i32
  %y = arith.divsi %b, %again : i32
  tt.store %p, %y {far} : !tt.ptr<i32>
  %c0 = arith.constant 0 : i32
  %z = arith.subi %a, %c0 : i32
  %w = arith.xori %z, %b : i32
  tt.store %p, %w {changed} : !tt.ptr<i32>
  tt.return
}
"""


def test_merging_constants_lets_nothing_be_looked_at_twice():
    """All ops are looked at after constants move; then only those near what rewriting changed."""
    module = parse_module(MERGED, context())
    watch = Watch()
    with edits_are_noted():
        assert settle(module, (watch,), max_iterations=10).converged
    assert watch.seen.count("arith.xori") == 2
    assert watch.seen.count("arith.divsi") == 1
    assert watch.seen.count("arith.muli") == 1
