"""
Iteration arguments of loops that serve nothing but themselves.

A value that is carried only to compute its own next value is replaced by its initial value;
what computed it is then dead. Source: `ForOpDeadArgElimination` in Triton's `Utility.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.dialects.upstream.scf import ForOp
from xtriton.ir.op_facts import would_be_dead
from xtriton.ir.value_flow import bounds_of, initial_values
from xtriton.transforms.loop_rewriting import terminator


class DeadIterationArgumentPattern(RewritePattern):
    """An iteration argument that only its own next value needs is its initial value."""

    op_types = (ForOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, ForOp)
        body = op.body.block
        yielded = terminator(op.body).operands
        roots = [v for v, result in zip(yielded, op.results, strict=True) if result.first_use]
        alive = _Alive(op)
        alive.add(roots)
        if len(alive.values) == len(op.results) or not alive.spread():
            return
        carried = zip(body.args[1:], yielded, op.iter_args, strict=True)
        for argument, value, initial in carried:
            if value in alive.values or value is argument or argument.first_use is None:
                continue
            # If the loop may not run, its result is not just what it yields.
            if not alive.is_inside(value) and value is not initial:
                continue
            rewriter.replace_all_uses_with(argument, initial)


class _Alive:
    """The values inside a loop that something needs."""

    def __init__(self, loop: Operation):
        self.loop = loop
        self.values: set[SSAValue] = set()
        self._queue: list[SSAValue] = []

    def is_inside(self, value: SSAValue) -> bool:
        block = value.block if isinstance(value, BlockArgument) else value.owner.parent
        return block is not None and self.loop.is_ancestor(block)

    def add(self, values: Iterable[SSAValue]) -> None:
        for value in values:
            if value not in self.values and self.is_inside(value):
                self.values.add(value)
                self._queue.append(value)

    def spread(self) -> bool:
        """Add what effects and living values need; return False if that cannot be told."""
        for op in self.loop.regions[0].walk():
            if op.name == "scf.yield" or would_be_dead(op):
                continue
            # How often a loop runs matters; what it carries need not.
            self.add(bounds_of(op) if op.name == "scf.for" else op.operands)
        while self._queue:
            value = self._queue.pop()
            if isinstance(value, OpResult):
                if value.op.name == "scf.while":
                    return False
                self.add(_needs(value))
            elif isinstance(value, BlockArgument):
                self.add(_needs_of_argument(value))
        return True


def _needs(value: OpResult) -> list[SSAValue]:
    op, i = value.op, value.index
    if op.name == "scf.for":
        bounds = bounds_of(op)
        return [*bounds, initial_values(op)[i], terminator(op.regions[0]).operands[i]]
    if op.name == "scf.if":
        return [op.operands[0], *(terminator(region).operands[i] for region in op.regions)]
    return list(op.operands)


def _needs_of_argument(value: BlockArgument) -> list[SSAValue]:
    loop = value.block.parent_op()
    if loop is None or loop.name != "scf.for" or value.index == 0:
        return []
    i = value.index - 1
    return [terminator(loop.regions[0]).operands[i], initial_values(loop)[i]]
