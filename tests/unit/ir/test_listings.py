"""That listed ops are those of the module, whatever changes it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region

from xtriton.ir import listings
from xtriton.ir.listings import (
    classes_of,
    has_branches,
    holds_class,
    nested_ops,
    ops_of,
    ops_such,
    ops_with_regions,
)


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
    assert nested_ops(module, reverse=True) == list(module.walk(reverse=True))
    assert before == list(module.walk())
    CHANGES[change](module)
    now = list(module.walk())
    # Splitting a block leaves the ops as they are.
    assert (now != before) == (change != "split a block")
    assert nested_ops(module) == now
    assert nested_ops(module, reverse=True) == list(module.walk(reverse=True))
    assert ops_of(module, test.TestOp) == list(now[1:])
    assert ops_with_regions(module) == [op for op in now if op.regions]


def test_what_has_not_changed_is_listed_once():
    module = nest()
    assert nested_ops(module) is nested_ops(module)
    listed = ops_of(module, test.TestOp)
    listed.clear()
    assert ops_of(module, test.TestOp)


def test_an_op_whose_class_never_had_regions_is_listed_with_them_once_it_has_some() -> None:
    class Late(test.TestOp):
        """An op of a class of its own."""

    late = Late()
    module = ModuleOp([late])
    assert ops_with_regions(module) == [module]
    late.add_region(Region(Block(inside := ops(2))))
    assert ops_with_regions(module) == [module, late]
    assert nested_ops(module) == [module, late, *inside]


def test_all_orders_are_those_of_walks() -> None:
    module = nest()
    first_block(module).add_op(test.TestOp(regions=[Region(Block(ops(1)))]))
    for reverse in (False, True):
        for root in (module, around(module), first_op(module)):
            assert nested_ops(root, reverse=reverse) == list(root.walk(reverse=reverse))
    assert nested_ops(module, region_first=True) == list(module.walk(region_first=True))


def test_ops_of_classes_are_in_the_order_of_the_module() -> None:
    module = nest()
    assert classes_of(module) == {ModuleOp, test.TestOp}
    assert ops_such(module, lambda kind: kind is test.TestOp) == list(nested_ops(module)[1:])
    assert ops_such(module, lambda kind: True) == list(nested_ops(module))


@pytest.mark.parametrize("is_listed", [False, True])
def test_classes_are_found_at_any_depth_with_or_without_a_listing(is_listed: bool) -> None:
    module = nest()
    first_block(module).add_op(test.TestPureOp())
    if is_listed:
        nested_ops(module)
    assert holds_class(module, lambda kind: kind is test.TestPureOp)
    assert holds_class(module, lambda kind: kind is test.TestOp)
    assert not holds_class(module, lambda kind: kind is test.TestTermOp)
    assert not holds_class(around(module), lambda kind: kind is ModuleOp)


WAYS_IN: dict[str, Callable[[ModuleOp, Operation], object]] = {
    "an op": lambda m, new: m.body.block.add_op(new),
    "an op inside of an op": lambda m, new: first_block(m).add_op(
        test.TestOp(regions=[Region(Block([test.TestOp(regions=[Region(Block([new]))])]))])
    ),
    "an op behind a block": lambda m, new: first_block(m).add_op(
        test.TestOp(regions=[Region([Block(), Block([new])])])
    ),
    "a block": lambda m, new: around(m).regions[0].add_block(Block([new])),
    "a block in front": lambda m, new: around(m).regions[0].insert_block(Block([new]), 0),
    "a region": lambda m, new: around(m).add_region(Region(Block([new]))),
    "blocks moved": lambda m, new: Region(Block([new])).move_blocks(around(m).regions[0]),
    "blocks moved in front": lambda m, new: Region(Block([new])).move_blocks_before(first_block(m)),
    "a region of the module": lambda m, new: m.add_region(Region(Block([new]))),
}


@pytest.mark.parametrize("other_is_listed", [False, True])
@pytest.mark.parametrize("way", WAYS_IN)
def test_an_op_of_a_new_class_is_found_whichever_way_it_comes(
    way: str, other_is_listed: bool
) -> None:
    module = nest()
    nested_ops(module)
    first_block(module).add_op(test.TestOp())
    assert not ops_of(module, test.TestPureOp)
    if other_is_listed:
        nested_ops(nest())
    WAYS_IN[way](module, new := test.TestPureOp())
    assert holds_class(module, lambda kind: kind is test.TestPureOp)
    assert ops_of(module, test.TestPureOp) == [new]
    assert ops_of(new, test.TestPureOp) == [new]


def test_an_op_of_a_new_class_is_found_that_was_made_inside_before_the_module_was_listed() -> None:
    inside = test.TestOp(regions=[Region(Block([new := test.TestPureOp()]))])
    module = nest()
    assert not ops_of(module, test.TestPureOp)
    module.body.block.add_op(inside)
    assert ops_of(module, test.TestPureOp) == [new]


def test_ops_of_a_class_that_never_came_are_not_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = nest()
    nested_ops(module)
    first_block(module).add_op(test.TestOp())
    with monkeypatch.context() as patch:
        patch.setattr(listings, "_listing", None)
        patch.setattr(listings, "_classes_met", None)
        assert not ops_of(module, test.TestPureOp)
        assert not ops_of(around(module), test.TestPureOp)
        assert not ops_such(module, lambda kind: kind is test.TestPureOp)
        assert not holds_class(module, lambda kind: kind is test.TestPureOp)
    assert len(ops_of(module, test.TestOp)) == 7


def test_several_blocks_in_a_region_are_branches() -> None:
    module = nest()
    assert has_branches(module)
    assert not has_branches(ModuleOp([test.TestOp(regions=[Region(Block(ops(2)))])]))
    assert has_branches(ModuleOp([test.TestOp(regions=[Region([Block(ops(2)), Block()])])]))


def test_functions_are_listed_with_their_module_and_modules_with_their_functions() -> None:
    for is_inside_first in (False, True):
        for is_flat in (False, True):
            module = nest()
            inner = test.TestOp(regions=[Region(Block(ops(1)))])
            (module.body.block if is_flat else first_block(module)).add_op(inner)
            roots = (around(module), module, inner)
            for root in roots if is_inside_first else roots[1:] + roots[:1]:
                everything = list(root.walk())
                assert nested_ops(root) == everything
                assert nested_ops(root, reverse=True) == list(root.walk(reverse=True))
                assert nested_ops(root, region_first=True) == list(root.walk(region_first=True))
                assert ops_with_regions(root) == [root, *(o for o in everything[1:] if o.regions)]
                assert ops_such(root, lambda kind: True) == everything
                assert has_branches(root) is (root is not inner)
