"""Loops and branches with other types, more values or fewer: what rewriting them takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.ir.core import SSAValues

from xtriton.dialects.upstream.scf import ForOp, YieldOp
from xtriton.ir.value_flow import LOOP_BOUNDS


def moved_block(block: Block, types: Sequence[Attribute]) -> Block:
    """Return a new block with arguments of `types` and the ops of `block`, taken from it."""
    new = Block(arg_types=types)
    for old_argument, argument in zip(block.args, new.args, strict=False):
        argument.location = old_argument.location
        argument.name_hint = old_argument.name_hint
    for op in list(block.ops):
        op.detach()
        new.add_op(op)
    return new


def with_regions(
    op: Operation,
    operands: Sequence[SSAValue],
    result_types: Sequence[Attribute],
    regions: Sequence[Region],
) -> Operation:
    """Return an op like `op`, inserted in front of it."""
    new = type(op).create(
        operands=operands,
        result_types=result_types,
        properties=dict(op.properties),
        attributes=dict(op.attributes),
        regions=regions,
    )
    new.location = op.location
    for old, result in zip(op.results, new.results, strict=False):
        result.name_hint = old.name_hint
    assert op.parent is not None
    op.parent.insert_op_before(new, op)
    return new


def with_more_initial_values(loop: Operation, values: Sequence[SSAValue]) -> Operation:
    """
    Return `scf.for` with more values carried, in front of the old one, whose body it takes.

    The terminator still has to yield the new values. The arguments of the body are those
    that it had, and new ones.
    """
    region = loop.detach_region(loop.regions[0])
    body = region.block
    for value in values:
        argument = body.insert_arg(value.type, len(body.args))
        argument.location = loop.location
    types = [*(r.type for r in loop.results), *(v.type for v in values)]
    new = with_regions(loop, [*loop.operands, *values], types, [region])
    loop.add_region(Region(Block(arg_types=[a.type for a in body.args])))
    return new


def with_more_results(branch: Operation, types: Sequence[Attribute]) -> Operation:
    """
    Return `scf.if` with more results, in front of the old one, whose regions it takes.

    The terminators still have to yield the new values.
    """
    regions = [branch.detach_region(region) for region in list(branch.regions)]
    new = with_regions(
        branch, list(branch.operands), [*(r.type for r in branch.results), *types], regions
    )
    for _ in regions:
        branch.add_region(Region(Block()))
    return new


def with_carried(loop: ForOp, values: Sequence[SSAValue]) -> ForOp:
    """
    Replace `loop` by one that carries `values` as well; return that.

    Its terminator still has to yield them.
    """
    block = loop.body.block
    for value in values:
        argument = block.insert_arg(value.type, len(block.args))
        argument.location = loop.location
    return _replaced(loop, [*loop.iter_args, *values], range(len(loop.results)))


def without_carried(loop: ForOp, removed: Iterable[int]) -> ForOp:
    """
    Replace `loop` by one that does not carry the values at `removed`; return that.

    Ops of the body that use them are erased, with all that depends on these; nobody else
    may use them, or what the loop gives for them.
    """
    gone = set(removed)
    kept = [i for i in range(len(loop.results)) if i not in gone]
    block = loop.body.block
    end = block.last_op
    assert end is not None
    new_end = YieldOp(*(end.operands[i] for i in kept))
    new_end.location = end.location
    block.insert_op_after(new_end, end)
    end.detach()
    end.erase()
    for i in sorted(gone, reverse=True):
        argument = block.args[i + 1]
        for user in _users(argument):
            user.detach()
            user.erase()
        block.erase_arg(argument)
    return _replaced(loop, [loop.iter_args[i] for i in kept], kept)


def _users(value: SSAValue) -> list[Operation]:
    """Return all that depends on `value`, users before what they use."""
    found: dict[Operation, None] = {}

    def visit(current: SSAValue) -> None:
        for use in list(current.uses):
            for result in use.operation.results:
                visit(result)
            found.setdefault(use.operation)

    visit(value)
    return list(found)


def add_carried(loop: Operation, type: Attribute, first: SSAValue) -> BlockArgument:
    """
    Let an `scf.for` carry one more value, that starts as `first`.

    The caller appends what it becomes to the yield, see `yield_also`.
    """
    body = loop.regions[0].blocks[0]
    argument = body.insert_arg(type, len(body.args))
    loop.operands = [*loop.operands, first]
    loop.results = SSAValues((*loop.results, OpResult(type, loop, len(loop.results))))
    return argument


def insert_carried(loop: Operation, n: int, first: SSAValue, yielded: SSAValue) -> SSAValue:
    """
    Let an `scf.for` carry a value for which its body has an argument already.

    `n` is its place among what the loop carries. Returns the new result.
    """
    last = loop.regions[0].blocks[0].ops.last
    assert last is not None
    operands, values, results = list(loop.operands), list(last.operands), list(loop.results)
    operands.insert(LOOP_BOUNDS + n, first)
    values.insert(n, yielded)
    result = OpResult(first.type, loop, n)
    results.insert(n, result)
    for index, moved in enumerate(results):
        moved.index = index
    loop.operands, last.operands, loop.results = operands, values, SSAValues(results)
    return result


def yield_also(loop: Operation, value: SSAValue) -> None:
    """Append to what the body of a loop yields."""
    last = loop.regions[-1].blocks[0].ops.last
    assert last is not None
    last.operands = [*last.operands, value]


def add_carried_by_while(loop: Operation, type: Attribute, first: SSAValue) -> list[BlockArgument]:
    """
    Let an `scf.while` carry one more value, and hand it from its condition to its body.

    Returns the arguments of the two. The caller appends what it becomes to the yield.
    """
    before, after = (region.blocks[0] for region in loop.regions)
    condition = before.ops.last
    assert condition is not None
    argument = before.insert_arg(type, len(before.args))
    condition.operands = [*condition.operands, argument]
    inner = after.insert_arg(type, len(after.args))
    loop.operands = [*loop.operands, first]
    loop.results = SSAValues((*loop.results, OpResult(type, loop, len(loop.results))))
    return [argument, inner]


def is_iteration_argument(value: SSAValue) -> bool:
    """Return whether a value is carried by `scf.for`."""
    if not isinstance(value, BlockArgument) or value.index == 0:
        return False
    owner = value.block.parent_op()
    return owner is not None and owner.name == "scf.for"


def terminator(region: Region) -> Operation:
    """Return the last op of a region of one block."""
    last = region.block.last_op
    assert last is not None
    return last


def _replaced(loop: ForOp, initial: Sequence[SSAValue], kept: Iterable[int]) -> ForOp:
    """Replace `loop` by one with other initial values; its results are those at `kept`."""
    region = loop.detach_region(loop.regions[0])
    loop.add_region(Region(Block()))
    new = ForOp.create(
        operands=[loop.lb, loop.ub, loop.step, *initial],
        result_types=[value.type for value in initial],
        regions=[region],
        properties=dict(loop.properties),
        attributes=dict(loop.attributes),
    )
    new.location = loop.location
    assert loop.parent is not None
    loop.parent.insert_op_before(new, loop)
    for i, result in zip(kept, new.results, strict=False):
        result.name_hint = loop.results[i].name_hint
        loop.results[i].replace_all_uses_with(result)
    loop.detach()
    loop.erase()
    return new
