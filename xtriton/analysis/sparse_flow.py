"""
Facts about values, carried along the branches that can be taken.

Values are taken for what their first definition makes of them until something says otherwise,
so that facts survive loops. Known are blocks and branches, and the loops and conditions of
`scf`; of arguments of other regions, of functions too, nothing is known.

Source: Wegman, Zadeck, "Constant Propagation with Conditional Branches" (1991).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.dialects.upstream import cf
from xtriton.dialects.upstream.scf import ConditionOp, ForOp, IfOp, WhileOp, YieldOp
from xtriton.ir.listings import ops_of_block
from xtriton.ir.op_facts import is_constant, is_terminator

S = TypeVar("S")


@dataclass
class SparseFlow(ABC, Generic[S]):
    """
    The states of the values inside an op; subclasses say what a state is.

    A value without a state has not been given anything by any execution. States of one
    value must only ever grow, and only a few times.
    """

    states: dict[SSAValue, S] = field(default_factory=dict[SSAValue, S])
    reached: set[Block] = field(default_factory=set[Block])
    _pending: list[Operation] = field(default_factory=list[Operation])
    _visited: set[Operation] = field(default_factory=set[Operation])

    @abstractmethod
    def constant(self, value: SSAValue) -> S | None:
        """Return the state of a constant of a known kind; None of other values."""

    @abstractmethod
    def unknown(self, value: SSAValue) -> S:
        """Return the state of a value of which nothing is known."""

    @abstractmethod
    def joined(self, value: SSAValue, old: S, new: S) -> S:
        """Return the state of a value that is what either state says; `old` if it is that."""

    @abstractmethod
    def truth_of(self, state: S) -> bool | None:
        """Return whether a condition holds; None if it may or not."""

    @abstractmethod
    def results(self, op: Operation, states: Sequence[S]) -> Sequence[S] | None:
        """
        Return what the results of `op` are for the states of its operands; None if unknown.

        Of results beyond those returned nothing is known yet.
        """

    def induction_variable(self, loop: ForOp) -> S | None:
        """Return the state of a loop's induction variable; None as long as it never runs."""
        return self.unknown(loop.body.block.args[0])

    def run(self, root: Operation) -> None:
        """Carry facts through all that is inside `root`."""
        for region in root.regions:
            self.enter(region)
        while self._pending:
            self._visit(self._pending.pop())

    def enter(self, region: Region) -> None:
        """Execute a region of which nothing is known from the entry on, with any arguments."""
        if (entry := region.first_block) is not None:
            self._reach(entry)
            self._set_unknown(entry.args)

    def state(self, value: SSAValue) -> S | None:
        """Return what is known of a value."""
        found = self.states.get(value)
        return self.constant(value) if found is None else found

    def _reach(self, block: Block) -> None:
        if block not in self.reached:
            self.reached.add(block)
            self._pending.extend(reversed(ops_of_block(block)))

    def _join(self, value: SSAValue, new: S | None) -> None:
        if new is None:
            return
        if value in self.states:
            old = self.states[value]
            new = self.joined(value, old, new)
            if new is old or new == old:
                return
        self.states[value] = new
        # Others that can be reached are pending, or will be with their block.
        use = value.first_use
        while use is not None:
            if use._operation in self._visited:
                self._pending.append(use._operation)
            use = use._next_use

    def _set_unknown(self, values: Iterable[SSAValue]) -> None:
        for value in values:
            self._join(value, self.unknown(value))

    def _flow(self, sources: Sequence[SSAValue], targets: Sequence[SSAValue]) -> None:
        for source, target in zip(sources, targets, strict=True):
            self._join(target, self.state(source))

    def _visit(self, op: Operation) -> None:
        self._visited.add(op)
        if not op.regions and not is_terminator(op):
            # Most ops are none of the others.
            self._visit_plain(op)
            return
        if op.successors:
            self._visit_branch(op)
            return
        match op:
            case IfOp():
                for taken in self._truth(op.cond):
                    self._enter_branch(op, op.true_region if taken else op.false_region)
            case ForOp():
                self._enter_for(op)
            case WhileOp():
                self._reach(op.before_region.block)
                self._flow(op.arguments, op.before_region.block.args)
            case ConditionOp():
                self._leave_before(op)
            case YieldOp():
                self._leave(op)
            case _:
                self._visit_other(op)

    def _visit_branch(self, op: Operation) -> None:
        match op:
            case cf.BranchOp():
                self._branch(op.successor, op.arguments)
            case cf.ConditionalBranchOp():
                for taken in self._truth(op.cond):
                    target = op.then_block if taken else op.else_block
                    self._branch(target, op.then_arguments if taken else op.else_arguments)
            case _:
                self._visit_other(op)

    def _branch(self, target: Block, arguments: Sequence[SSAValue]) -> None:
        self._reach(target)
        self._flow(arguments, target.args)

    def _truth(self, condition: SSAValue) -> tuple[bool, ...]:
        """Return the values that a condition can have, as far as is known so far."""
        state = self.state(condition)
        if state is None:
            return ()
        value = self.truth_of(state)
        return (True, False) if value is None else (value,)

    def _enter_branch(self, op: IfOp, region: Region) -> None:
        if region.first_block is not None:
            self._reach(region.first_block)

    def _enter_for(self, op: ForOp) -> None:
        body = op.body.block
        self._reach(body)
        self._join(body.args[0], self.induction_variable(op))
        self._flow(op.iter_args, body.args[1:])
        # The loop may run never.
        self._flow(op.iter_args, op.results)

    def _leave(self, op: YieldOp) -> None:
        parent = op.parent_op()
        match parent:
            case IfOp():
                self._flow(op.operands, parent.results)
            case ForOp():
                self._flow(op.operands, parent.body.block.args[1:])
                self._flow(op.operands, parent.results)
            case WhileOp():
                self._flow(op.operands, parent.before_region.block.args)
            case None:
                return
            case _:
                self._set_unknown(parent.results)

    def _leave_before(self, op: ConditionOp) -> None:
        loop = op.parent_op()
        assert isinstance(loop, WhileOp)
        for runs_on in self._truth(op.operands[0]):
            if runs_on:
                self._reach(loop.after_region.block)
                self._flow(op.operands[1:], loop.after_region.block.args)
            else:
                self._flow(op.operands[1:], loop.results)

    def _visit_other(self, op: Operation) -> None:
        for region in op.regions:
            self.enter(region)
        if is_terminator(op):
            for successor in op.successors:
                self._reach(successor)
                self._set_unknown(successor.args)
            return
        self._visit_plain(op)

    def _visit_plain(self, op: Operation) -> None:
        if not op.results or (is_constant(op) and self.constant(op.results[0]) is not None):
            return
        states: list[S] = []
        for operand in op._operands:
            if (state := self.state(operand)) is None:
                return
            states.append(state)
        found = None if op.regions else self.results(op, states)
        if found is None:
            self._set_unknown(op.results)
        else:
            for result, state in zip(op.results, found, strict=False):
                self._join(result, state)
