"""Two versions of a loop, one of which may assume what a condition says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.traits import is_side_effect_free

from xtriton.dialects.upstream.scf import ForOp, IfOp, WhileOp, YieldOp
from xtriton.dialects.utils.constants import constant_int

_Loop = TypeVar("_Loop", ForOp, WhileOp)

_DEPTH = 8
"""Ops behind one another in the conditions that are compared."""


def copied(loop: _Loop) -> _Loop:
    """Return a copy of a loop, locations included, that stands nowhere yet."""
    copy = loop.clone()
    for old, new in zip(loop.walk(), copy.walk(), strict=True):
        new.location = old.location
    return copy


def version_loop(
    loop: _Loop, condition: SSAValue, results: Sequence[int] | None = None
) -> tuple[_Loop, _Loop, dict[Operation, Operation]]:
    """
    Put two copies of `loop` into the branches of an `scf.if` that replaces it.

    Returns the copy that runs if `condition` holds, the other one, and for each op of the
    loop its copy in the former. `results` are those of the loop's results that the branches
    give; all by default, else all that are used.
    """
    kept = list(range(len(loop.results)) if results is None else results)
    copies = [copied(loop), copied(loop)]
    regions: list[Region] = []
    for copy in copies:
        end = YieldOp(*(copy.results[i] for i in kept))
        end.location = loop.location
        regions.append(Region(Block([copy, end])))
    branch = IfOp.create(
        operands=[condition],
        result_types=[loop.results[i].type for i in kept],
        regions=regions,
    )
    branch.location = loop.location
    assert loop.parent is not None
    loop.parent.insert_op_before(branch, loop)
    for i, result in zip(kept, branch.results, strict=True):
        result.name_hint = loop.results[i].name_hint
        loop.results[i].replace_all_uses_with(result)
    then, otherwise = copies
    mapping = dict(zip(loop.walk(), then.walk(), strict=True))
    return then, otherwise, mapping


def is_version(loop: ForOp, condition: SSAValue) -> bool:
    """Return whether `loop` is one of two versions already that `condition` chooses from."""
    region = loop.parent_region()
    while region is not None and (parent := region.parent) is not None:
        if isinstance(parent, IfOp) and _is_same(parent.operands[0], condition):
            return True
        region = parent.parent_region()
    return False


def _is_same(a: SSAValue, b: SSAValue, depth: int = 0) -> bool:
    """Return whether two values are computed alike, by few enough pure ops."""
    if a is b:
        return True
    if not (isinstance(a, OpResult) and isinstance(b, OpResult)) or depth == _DEPTH:
        return False
    x, y = a.op, b.op
    return (
        type(x) is type(y)
        and a.index == b.index
        and x.properties == y.properties
        and is_side_effect_free(x)
        and len(x.operands) == len(y.operands)
        and all(_is_same(v, w, depth + 1) for v, w in zip(x.operands, y.operands, strict=True))
    )


def erase_between(first: Operation | None, last: Operation) -> None:
    """Erase the ops of the block of `last` from after `first`, or all before `last`."""
    while (op := last.prev_op) is not None and op is not first:
        op.detach()
        op.erase()


def erase(loop: ForOp | WhileOp) -> None:
    """Erase a loop that has been replaced."""
    loop.detach()
    loop.erase()


def last_induction_value(loop: ForOp) -> int | None:
    """Return the induction variable's value in the last iteration, where it is known."""
    lower, upper, step = map(known_int, (loop.lb, loop.ub, loop.step))
    if lower is None or upper is None or step is None or step <= 0 or upper <= lower:
        return None
    return lower + (upper - lower - 1) // step * step


def known_int(value: SSAValue) -> int | None:
    """Return the integer that a value is, be it by way of bitcasts."""
    while isinstance(value, OpResult) and value.op.name == "arith.bitcast":
        value = value.op.operands[0]
    return constant_int(value)


def is_nested(loop: Operation) -> bool:
    """Return whether a loop is inside another `scf.for`."""
    parent = loop.parent_op()
    while parent is not None:
        if isinstance(parent, ForOp):
            return True
        parent = parent.parent_op()
    return False
