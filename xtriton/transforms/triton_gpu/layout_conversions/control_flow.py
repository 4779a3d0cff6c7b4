"""Loops and branches with other types or more values: what rewriting them takes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

LOOP_BOUNDS = 3
"""Operands of scf.for in front of the initial values."""


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
