# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
Are the regions of two reductions or scans the same function?

What both are given is unknown, and the same to both. Where all that they return is proved equal,
the reductions of equal values are equal, however each of them gets there.
"""

from __future__ import annotations

from xdsl.ir import Operation, Region

from xtriton.interpreter.types import info, same_values
from xtriton.judge.proofs.formulas import NoFormula
from xtriton.judge.proofs.walk import Walk, has_effect


def combine_alike(walk: Walk, one: Operation, other: Operation) -> bool:
    """Whether two ops with a region each do the same with equal operands."""
    values = [(*op.operands, *op.results) for op in (one, other)]
    types = [[info(v.type).without_layout for v in of] for of in values]
    if types[0] != types[1] or walk.said(one) != walk.said(other):
        return False
    if walk.rest(one) == walk.rest(other):
        return True
    return all(_is_same(walk, a, b) for a, b in zip(one.regions, other.regions, strict=True))


def _is_same(walk: Walk, one: Region, other: Region) -> bool:
    """Whether two regions of one block each return the same for the same arguments."""
    mine, theirs = one.block, other.block
    if len(mine.args) != len(theirs.args) or mine.last_op is None or theirs.last_op is None:
        return False
    if not all(same_values(a.type, b.type) for a, b in zip(mine.args, theirs.args, strict=True)):
        return False
    walk.unknown(mine.args, theirs.args)
    try:
        for block in (mine, theirs):
            for op in block.ops:
                if op is not block.last_op and has_effect(op):
                    return False
                walk.pure(op)
    except NoFormula:
        return False
    returned = zip(mine.last_op.operands, theirs.last_op.operands, strict=True)
    return all(walk.equal(a, b) for a, b in returned)
