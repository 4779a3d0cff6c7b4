"""
Propagate constants along the branches that can be taken.

Before:

    %c1 = arith.constant 1 : i32
    cf.br ^loop(%c1 : i32)
  ^loop(%x: i32):
    %y = arith.muli %x, %x : i32
    cf.cond_br %p, ^loop(%y : i32), ^end
  ^end:
    "use"(%x) : (i32) -> ()

After:

    %c1 = arith.constant 1 : i32
    cf.br ^loop(%c1 : i32)
  ^loop(%x: i32):
    cf.cond_br %p, ^loop(%c1 : i32), ^end
  ^end:
    "use"(%c1) : (i32) -> ()

As in MLIR, constants then stand at the beginning of the function, and ops that they leave
without a use go. Values are taken for constants until something says otherwise, so that
constants survive loops. Known are blocks and branches, and the loops and conditions of
`scf`; arguments of other regions, of functions too, may be anything.

Source: Wegman, Zadeck, "Constant Propagation with Conditional Branches" (1991).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects.upstream.cf import BranchOp, ConditionalBranchOp
from xtriton.dialects.upstream.scf import ConditionOp, ForOp, IfOp, WhileOp, YieldOp
from xtriton.ir.op_facts import is_constant, is_dead, is_terminator
from xtriton.transforms.cleanup.canonicalization.tables import fold_of
from xtriton.transforms.cleanup.constants import Constant, constant_of, uniform_value
from xtriton.transforms.cleanup.elementwise_folds import fold_constants
from xtriton.transforms.cleanup.folder import Folder


@dataclass(frozen=True)
class SCCPPass(ModulePass):
    """Propagate constants along the branches that can be taken."""

    name = "sccp"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        propagate_constants(op)


def propagate_constants(root: Operation) -> bool:
    """Replace the values inside `root` that are constants; return whether there were any."""
    solver = _Solver()
    for region in root.regions:
        solver.enter(region)
    solver.solve()
    return _replace_constants(root, solver)


class _Varying:
    """The state of a value that is no constant."""


_VARYING = _Varying()
_State = Constant | _Varying | None
"""None means that no execution has given the value anything yet."""


@dataclass
class _Solver:
    states: dict[SSAValue, _State] = field(default_factory=dict[SSAValue, _State])
    reached: set[Block] = field(default_factory=set[Block])
    _pending: list[Operation] = field(default_factory=list[Operation])

    def solve(self) -> None:
        """Visit ops until no state changes."""
        while self._pending:
            self._visit(self._pending.pop())

    def enter(self, region: Region) -> None:
        """Execute a region of which nothing is known from the entry on, with any arguments."""
        if (entry := region.first_block) is not None:
            self._reach(entry)
            self._set_all(entry.args, _VARYING)

    def _reach(self, block: Block) -> None:
        if block not in self.reached:
            self.reached.add(block)
            self._pending.extend(reversed(list(block.ops)))

    def _join(self, value: SSAValue, new: _State) -> None:
        old = self.states.get(value)
        joined = new if old is None else old if new is None or new == old else _VARYING
        if joined is old or joined == old:
            return
        self.states[value] = joined
        self._pending.extend(
            use.operation for use in value.uses if use.operation.parent in self.reached
        )

    def _set_all(self, values: Iterable[SSAValue], state: _State) -> None:
        for value in values:
            self._join(value, state)

    def _flow(self, sources: Sequence[SSAValue], targets: Sequence[SSAValue]) -> None:
        for source, target in zip(sources, targets, strict=True):
            self._join(target, self.state(source))

    def state(self, value: SSAValue) -> _State:
        """Return what is known of a value."""
        constant = constant_of(value)
        return self.states.get(value) if constant is None else constant

    def _visit(self, op: Operation) -> None:
        match op:
            case BranchOp():
                self._branch(op.successor, op.arguments)
            case ConditionalBranchOp():
                for taken in self._truth(op.cond):
                    target = op.then_block if taken else op.else_block
                    self._branch(target, op.then_arguments if taken else op.else_arguments)
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

    def _branch(self, target: Block, arguments: Sequence[SSAValue]) -> None:
        self._reach(target)
        self._flow(arguments, target.args)

    def _truth(self, condition: SSAValue) -> tuple[bool, ...]:
        """Return the values that a condition can have, as far as is known so far."""
        state = self.state(condition)
        if state is None:
            return ()
        value = None if isinstance(state, _Varying) else uniform_value(state)
        return (True, False) if value is None else (bool(value),)

    def _enter_branch(self, op: IfOp, region: Region) -> None:
        if region.first_block is not None:
            self._reach(region.first_block)

    def _enter_for(self, op: ForOp) -> None:
        body = op.body.block
        self._reach(body)
        self._join(body.args[0], _VARYING)
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
                self._set_all(parent.results, _VARYING)

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
                self._set_all(successor.args, _VARYING)
            return
        if is_constant(op) or not op.results:
            return
        states = [self.state(operand) for operand in op.operands]
        if None not in states:
            self._set_all(op.results, self._result(op, states))

    def _result(self, op: Operation, states: Sequence[_State]) -> _State:
        """Return what the results of `op` are for operands of which something is known."""
        if op.regions or len(op.results) != 1:
            return _VARYING
        constants = [None if isinstance(state, _Varying) else state for state in states]
        fold = fold_of(type(op))
        folded = None if fold is None else fold(op, constants)
        if folded is None and states and None not in constants:
            folded = fold_constants(op, constants)
        if isinstance(folded, SSAValue):
            return self.state(folded)
        return _VARYING if folded is None else folded  # pyright: ignore[reportReturnType]


def _replace_constants(root: Operation, solver: _Solver) -> bool:
    """Use a constant instead of every value that is one, and remove what computed it."""
    folder = Folder()
    changed = False
    pending = _blocks_of(root)
    while pending:
        block = pending.pop()
        for op in list(block.ops):
            replaced = [_replace(result, block, solver, folder) for result in op.results]
            changed |= any(replaced)
            if replaced and all(replaced) and is_dead(op):
                op.detach()
                op.erase()
            else:
                pending += _blocks_of(op)
        for argument in block.args:
            changed |= _replace(argument, block, solver, folder)
    return changed


def _blocks_of(op: Operation) -> list[Block]:
    """Return the blocks of the regions of `op`, the first one last."""
    return [block for region in op.regions for block in reversed(region.blocks)]


def _replace(value: SSAValue, block: Block, solver: _Solver, folder: Folder) -> bool:
    state = solver.state(value)
    if state is None or isinstance(state, _Varying):
        return False
    constant = folder.constant(state, value.type, block)
    if constant is None or constant.results[0] is value:
        return False
    value.replace_all_uses_with(constant.results[0])
    return True
