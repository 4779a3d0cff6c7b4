"""
Which values control flow hands on as which others: loops, conditions, branches, regions.

MLIR asks its `BranchOpInterface` and `RegionBranchOpInterface`; here a table says which
operands go where. What an op does to its operands is none of it, but for `arith.select`, which
hands on as well, and for ops that a caller of `origins` names.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xtriton.ir.attributes import integers

Values = Sequence[SSAValue]

LOOP_BOUNDS = 3
"""An `scf.for` has its bounds and its step before what it carries."""

# --- branches ------------------------------------------------------------------------------


def _one_target(op: Operation) -> list[Values]:
    return [op.operands]


def _two_targets(op: Operation) -> list[Values]:
    _, first, second = _parts(op.operands, integers(op, "operandSegmentSizes"))
    return [first, second]


def _switch(op: Operation) -> list[Values]:
    _, default, cases = _parts(op.operands, integers(op, "operandSegmentSizes"))
    return [default, *_parts(cases, integers(op, "case_operand_segments"))]


def _parts(values: Values, sizes: Sequence[int]) -> list[Values]:
    parts: list[Values] = []
    start = 0
    for size in sizes:
        parts.append(values[start : start + size])
        start += size
    return parts


_BRANCHES: dict[str, Callable[[Operation], list[Values]]] = {
    "cf.br": _one_target,
    "cf.cond_br": _two_targets,
    "cf.switch": _switch,
    "llvm.br": _one_target,
    "llvm.cond_br": _two_targets,
    "llvm.switch": _switch,
}


def passed_on(op: Operation) -> list[Values] | None:
    """Return what a branch passes on to each successor; None if that is not known."""
    operands_of = _BRANCHES.get(op.name)
    return None if operands_of is None else operands_of(op)


# --- where a value comes from --------------------------------------------------------------


def sources(value: SSAValue) -> list[SSAValue] | None:
    """
    Return all values that control flow may hand on as `value`.

    None where it is no matter of control flow, or not known: results of ordinary ops,
    induction variables, arguments of functions. A loop's result and its carried argument
    have two sources, what the loop starts with and what an iteration ends with.
    """
    if isinstance(value, BlockArgument):
        block = value.block
        region = block.parent
        if region is None:
            return None
        if block is not region.blocks[0]:
            return _from_branches(block, region, value.index)
        parent = region.parent
        into = None if parent is None else _INTO.get(parent.name)
        return None if into is None or parent is None else into(parent, region, value.index)
    assert isinstance(value, OpResult)
    out_of = _OUT_OF.get(value.op.name)
    return None if out_of is None else out_of(value.op, value.index)


def origins(value: SSAValue, moves: Container[str] = ()) -> Values | None:
    """
    Return all values that `value` may be, or be moved from; None if that is not known.

    What control flow and `arith.select` hand on, and the first operand of an op named in `moves`.
    """
    if isinstance(value, OpResult):
        op = value.op
        if op.name == "arith.select":
            return op.operands[1:]
        if op.name in moves:
            return op.operands[:1]
    return sources(value)


def beginnings(
    value: SSAValue, moves: Container[str] = (), known: Container[SSAValue] = ()
) -> set[SSAValue]:
    """
    Return the values that a value may come from and that have no origins themselves.

    What is `known` counts as one of them, whatever it comes from.
    """
    found: set[SSAValue] = set()
    seen: set[SSAValue] = set()
    worklist = [value]
    while worklist:
        v = worklist.pop()
        if v in seen:
            continue
        seen.add(v)
        made_from = None if v in known else origins(v, moves)
        if made_from:
            worklist += made_from
        else:
            found.add(v)
    return found


def bounds_of(loop: Operation) -> Values:
    """Return the bounds and the step of an `scf.for`."""
    return loop._operands[:LOOP_BOUNDS]


def initial_values(loop: Operation) -> Values:
    """Return what an `scf.for` starts with, for each value that it carries."""
    return loop._operands[LOOP_BOUNDS:]


def deciding(op: Operation) -> Values:
    """Return what says which regions of an `scf` op run, and how often; nothing of other ops."""
    match op.name:
        case "scf.for":
            return bounds_of(op)
        case "scf.while":
            return ends_of(op.regions[0], 0)
        case "scf.if" | "scf.index_switch":
            return op.operands[:1]
        case _:
            return ()


def handed_on(condition: Operation) -> Values:
    """Return what an `scf.condition` hands on to the body and to the results of its loop."""
    return condition.operands[1:]


def _from_branches(block: Block, region: Region, index: int) -> list[SSAValue] | None:
    found: list[SSAValue] = []
    # Uses stand in the reverse order of the text.
    for last in reversed(dict.fromkeys(use.operation for use in block.uses)):
        if last.parent is None or last.parent.parent is not region:
            continue
        passed = passed_on(last)
        if passed is None:
            return None
        edges = zip(last.successors, passed, strict=True)
        found += [operands[index] for target, operands in edges if target is block]
    return found or None


def is_inside(value: SSAValue, op: Operation) -> bool:
    """Return whether a value is made in a region of `op`."""
    block = value.owner.parent if isinstance(value.owner, Operation) else value.owner
    return block is not None and op.is_ancestor(block)


def ends_of(region: Region, index: int) -> list[SSAValue]:
    """Return operand `index` of each op that ends a region and leaves it."""
    lasts = [block.last_op for block in region.blocks]
    return [
        last.operands[index]
        for last in lasts
        if last is not None and not last.successors and index < len(last.operands)
    ]


def _known(found: list[SSAValue], count: int = 1) -> list[SSAValue] | None:
    return found if len(found) >= count else None


def _into_for(op: Operation, region: Region, index: int) -> list[SSAValue] | None:
    return _carried(op, index - 1) if index else None


def _carried(op: Operation, index: int) -> list[SSAValue] | None:
    return _known([initial_values(op)[index], *ends_of(op.regions[0], index)], 2)


def _into_while(op: Operation, region: Region, index: int) -> list[SSAValue] | None:
    before, after = op.regions
    if region is after:
        return _known(ends_of(before, 1 + index))
    return _known([op.operands[index], *ends_of(after, index)], 2)


def _into_partition(op: Operation, region: Region, index: int) -> list[SSAValue] | None:
    return [op.operands[index]] if index < len(op.operands) else None


def _out_of_while(op: Operation, index: int) -> list[SSAValue] | None:
    return _known(ends_of(op.regions[0], 1 + index))


def _out_of_regions(op: Operation, index: int) -> list[SSAValue] | None:
    regions = [region for region in op.regions if region.blocks]
    return _known([end for region in regions for end in ends_of(region, index)])


def _out_of_first(op: Operation, index: int) -> list[SSAValue] | None:
    return _known(ends_of(op.regions[0], index))


_INTO: dict[str, Any] = {
    "scf.for": _into_for,
    "scf.while": _into_while,
    "ttg.warp_specialize.partitions": _into_partition,
}
_OUT_OF: dict[str, Any] = {
    "scf.execute_region": _out_of_regions,
    "scf.for": _carried,
    "scf.if": _out_of_regions,
    "scf.index_switch": _out_of_regions,
    "scf.while": _out_of_while,
    "ttg.warp_specialize": _out_of_first,
}
