"""
Which ops an op has to do with: what it depends on, what depends on it, and so on.

Source: `getSlice` of MLIR's `Analysis/SliceAnalysis.h`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.ir import BlockArgument, Operation, OpResult

from xtriton.ir.op_facts import is_isolated


def connected(op: Operation, follow: Callable[[Operation], bool] | None = None) -> list[Operation]:
    """
    Return `op` and all ops reached from it over operands and users, in no special order.

    Operands are followed only from ops, and to ops, that `follow` holds for.
    """
    found = {op: None}
    pending = [op]
    while pending:
        current = pending.pop()
        for other in (*_forward(current), *_backward(current, follow)):
            if other not in found:
                found[other] = None
                pending.append(other)
    return list(found)


def _forward(op: Operation) -> Iterator[Operation]:
    for region in op.regions:
        for block in region.blocks:
            yield from block.ops
    for result in op.results:
        for use in result.uses:
            yield use.operation


def _backward(op: Operation, follow: Callable[[Operation], bool] | None) -> Iterator[Operation]:
    if follow is not None and not follow(op):
        return
    for operand in op.operands:
        source: Operation | None = None
        if isinstance(operand, OpResult):
            source = operand.op
        elif isinstance(operand, BlockArgument):
            source = operand.block.parent_op()
        if source is None or is_isolated(source):
            continue
        if follow is None or follow(source):
            yield source
