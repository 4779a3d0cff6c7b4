"""
Remove ops whose results nobody uses and blocks that nothing reaches.

Before:

    %0 = arith.addi %a, %b : i32
    %1 = arith.muli %0, %0 : i32
    tt.return

After:

    tt.return

Ops that write memory, or of whose effects nothing is known, stay.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region
from xdsl.passes import ModulePass

from xtriton.ir.checking.dominance import reverse_postorder
from xtriton.ir.op_facts import is_dead


@dataclass(frozen=True)
class DCEPass(ModulePass):
    """Remove ops whose results nobody uses and blocks that nothing reaches."""

    name = "dce"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        remove_dead_code(op)


def remove_dead_code(root: Operation) -> bool:
    """Remove what is dead in the regions of `root`; return whether anything was."""
    changed = False
    for region in root.regions:
        changed |= remove_unreachable_blocks(region)
        for block in reversed(region.blocks):
            op = block.last_op
            while op is not None:
                # Users come after what they use, so one walk from the end finds all.
                previous = op.prev_op
                changed |= remove_dead_code(op)
                if is_dead(op):
                    op.detach()
                    op.erase()
                    changed = True
                op = previous
    return changed


def remove_unreachable_blocks(region: Region) -> bool:
    """Remove the blocks of `region` that nothing branches to; return whether any was."""
    if region.first_block is region.last_block:
        return False
    reachable = set(reverse_postorder(region))
    dead = [block for block in region.blocks if block not in reachable]
    for block in dead:
        # Dead blocks may use each other's values: cut these before erasing any.
        for op in block.ops:
            op.drop_all_references()
    for block in dead:
        region.erase_block(block, safe_erase=False)
    return bool(dead)
