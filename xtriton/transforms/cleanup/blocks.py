"""Simplifying the control flow graph of a region."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from xdsl.ir import Block, Operation, Region, SSAValue, Use

from xtriton.dialects.upstream import cf
from xtriton.ir.checking.dominance import successors
from xtriton.ir.listings import has_branches, ops_with_regions
from xtriton.transforms.cleanup.dce import remove_unreachable_blocks


def simplify_regions(root: Operation) -> bool:
    """
    Simplify the control flow graphs inside `root`.

    Unreachable blocks go, blocks that only follow one another are joined, and arguments of
    blocks that nobody uses are not passed.

    Returns whether anything changed.
    """
    if not has_branches(root):
        return False
    changed = False
    for op in ops_with_regions(root):
        for region in op.regions:
            if region.first_block is not region.last_block:
                changed |= remove_unreachable_blocks(region)
                changed |= drop_arguments(region, _live_arguments(region))
                changed |= _join_blocks(region)
    return changed


def drop_arguments(region: Region, live: AbstractSet[SSAValue]) -> bool:
    """
    Drop the block arguments of a region that are not `live`; return whether there were any.

    What uses them otherwise than to pass them on must go, too, and their blocks must have
    plain predecessors (`has_plain_predecessors`).
    """
    changed = False
    for block in list(region.blocks)[1:]:
        unused = {arg.index for arg in block.args if arg not in live}
        if not unused:
            continue
        # A conditional branch may name the block twice.
        for branch in dict.fromkeys(use.operation for use in block.uses):
            _stop_passing(branch, block, unused)
        for index in sorted(unused, reverse=True):
            # It may be passed on to others that are not live until their turn comes.
            block.erase_arg(block.args[index], safe_erase=False)
        changed = True
    return changed


def has_plain_predecessors(block: Block) -> bool:
    """Return whether only ops lead to `block` of which we know what they pass to it."""
    return all(
        isinstance(use.operation, (cf.BranchOp, cf.ConditionalBranchOp)) for use in block.uses
    )


def _live_arguments(region: Region) -> set[SSAValue]:
    """Return the block arguments that are used other than to be passed on unused."""
    live: set[SSAValue] = set()
    passed_to: dict[SSAValue, list[SSAValue]] = {}
    for block in region.blocks:
        if not has_plain_predecessors(block):
            live.update(block.args)
        for argument in block.args:
            for use in argument.uses:
                target = _receiver(use)
                if target is None:
                    live.add(argument)
                else:
                    passed_to.setdefault(target, []).append(argument)
    pending = list(live)
    while pending:
        for source in passed_to.get(pending.pop(), ()):
            if source not in live:
                live.add(source)
                pending.append(source)
    return live


def _receiver(use: Use) -> SSAValue | None:
    """Return the block argument that a branch's operand becomes; None for other uses."""
    branch, index = use.operation, use.index
    if isinstance(branch, cf.BranchOp):
        return branch.successor.args[index]
    if not isinstance(branch, cf.ConditionalBranchOp) or index == 0:
        return None
    count = len(branch.then_arguments)
    if index <= count:
        return branch.then_block.args[index - 1]
    return branch.else_block.args[index - 1 - count]


def _stop_passing(branch: Operation, block: Block, unused: set[int]) -> None:
    """Replace `branch` by one that does not pass the arguments `unused` to `block`."""

    def kept(target: Block, values: list[SSAValue]) -> list[SSAValue]:
        if target is not block or len(values) != len(block.args):
            return values
        return [value for index, value in enumerate(values) if index not in unused]

    parent = branch.parent
    assert parent is not None
    if isinstance(branch, cf.BranchOp):
        new: Operation = cf.BranchOp(
            branch.successor, *kept(branch.successor, list(branch.arguments))
        )
    else:
        assert isinstance(branch, cf.ConditionalBranchOp)
        new = cf.ConditionalBranchOp(
            branch.cond,
            branch.then_block,
            kept(branch.then_block, list(branch.then_arguments)),
            branch.else_block,
            kept(branch.else_block, list(branch.else_arguments)),
        )
        new.properties |= {
            name: value
            for name, value in branch.properties.items()
            if name != "operandSegmentSizes"
        }
    new.attributes = dict(branch.attributes)
    new.location = branch.location
    branch.detach()
    branch.erase()
    parent.add_op(new)


def _join_blocks(region: Region) -> bool:
    changed = False
    predecessors = _predecessor_counts(region)
    block = region.first_block
    while block is not None:
        last = block.last_op
        while isinstance(last, cf.BranchOp) and _can_join(last, block, predecessors):
            _join(block, last)
            changed = True
            last = block.last_op
        block = block.next_block
    return changed


def _predecessor_counts(region: Region) -> dict[Block, int]:
    counts: dict[Block, int] = {}
    for block in region.blocks:
        for successor in successors(block):
            counts[successor] = counts.get(successor, 0) + 1
    return counts


def _can_join(branch: cf.BranchOp, block: Block, predecessors: dict[Block, int]) -> bool:
    target = branch.successor
    region = block.parent
    is_entry = region is not None and target is region.first_block
    return predecessors[target] == 1 and target is not block and not is_entry


def _join(block: Block, branch: cf.BranchOp) -> None:
    """Append the block that `branch` leads to, and that nothing else does, to `block`."""
    target = branch.successor
    for argument, value in zip(list(target.args), list(branch.arguments), strict=True):
        argument.replace_all_uses_with(value)
    branch.detach()
    branch.erase()
    for op in list(target.ops):
        op.detach()
        block.add_op(op)
    region = target.parent
    assert region is not None
    region.erase_block(target)
