"""Simplifying the control flow graph of a region."""

from __future__ import annotations

from xdsl.ir import Block, Operation, Region

from xtriton.dialects.upstream.cf import BranchOp
from xtriton.ir.dominance import successors
from xtriton.transforms.cleanup.dce import remove_unreachable_blocks


def simplify_regions(root: Operation) -> bool:
    """
    Remove unreachable blocks inside `root` and join blocks that only follow one another.

    Returns whether anything changed.
    """
    changed = False
    for op in list(root.walk()):
        for region in op.regions:
            if region.first_block is not region.last_block:
                changed |= remove_unreachable_blocks(region)
                changed |= _join_blocks(region)
    return changed


def _join_blocks(region: Region) -> bool:
    changed = False
    predecessors = _predecessor_counts(region)
    block = region.first_block
    while block is not None:
        last = block.last_op
        while isinstance(last, BranchOp) and _can_join(last, block, predecessors):
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


def _can_join(branch: BranchOp, block: Block, predecessors: dict[Block, int]) -> bool:
    target = branch.successor
    region = block.parent
    is_entry = region is not None and target is region.first_block
    return predecessors[target] == 1 and target is not block and not is_entry


def _join(block: Block, branch: BranchOp) -> None:
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
