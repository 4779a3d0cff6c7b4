"""Taking many ops out of a block for good, in one go: half of what a pass replaces dies at once."""

from collections.abc import Sequence

from xdsl.ir import Block, Operation

from xtriton.ir.listings import forget_listings
from xtriton.ir.noted_edits import note_all_erased


def erase_all(block: Block, dead: Sequence[Operation]) -> None:
    """
    Detach and erase ops of a block, those that use others first; nobody else uses any of them.

    They must have neither regions nor successors.
    """
    if not dead:
        return
    forget_listings()
    note_all_erased(dead)
    for op in dead:
        assert op.parent is block
        before, after = op._prev_op, op._next_op
        op.parent = op._prev_op = op._next_op = None
        if before is None:
            block._first_op = after
        else:
            before._next_op = after
        if after is None:
            block._last_op = before
        else:
            after._prev_op = before
        for operand, use in zip(op._operands, op._operand_uses, strict=True):
            previous, following = use._prev_use, use._next_use
            if following is not None:
                following._prev_use = previous
            if previous is None:
                operand.first_use = following
            else:
                previous._next_use = following
        op._operand_uses = ()
        for result in op.results:
            if result.first_use is not None:
                result.erase(safe_erase=False)
