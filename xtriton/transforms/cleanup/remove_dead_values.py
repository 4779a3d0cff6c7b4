"""
Remove values that have no effect, also those that only keep one another alive.

Before:

    %0:2 = scf.for %i = %lo to %hi step %st iter_args(%x = %a, %y = %b) -> (i32, i32) {
      %1 = arith.addi %x, %c : i32
      %2 = arith.muli %y, %y : i32
      scf.yield %1, %2 : i32, i32
    }
    "use"(%0#0) : (i32) -> ()

After:

    %0 = scf.for %i = %lo to %hi step %st iter_args(%x = %a) -> (i32) {
      %1 = arith.addi %x, %c : i32
      scf.yield %1 : i32
    }
    "use"(%0) : (i32) -> ()

Alive is what an op with effects uses, and what is needed to compute or reach that. Arguments
and results of functions stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.traits import IsTerminator
from xdsl.transforms.dead_code_elimination import would_be_trivially_dead

from xtriton.dialects.upstream.cf import BranchOp, ConditionalBranchOp
from xtriton.dialects.upstream.scf import ForOp, IfOp, YieldOp
from xtriton.transforms.cleanup.blocks import drop_arguments, has_plain_predecessors
from xtriton.transforms.cleanup.canonicalization.scf import keep_iter_args, keep_results
from xtriton.transforms.cleanup.dce import remove_dead_code


@dataclass(frozen=True)
class RemoveDeadValuesPass(ModulePass):
    """Remove values that have no effect, also those that only keep one another alive."""

    name = "remove-dead-values"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        remove_dead_values(op)


def remove_dead_values(root: Operation) -> None:
    """Remove the dead values inside `root`; see the module's docstring."""
    liveness = _Liveness()
    liveness.find(root)
    for op in list(root.walk(region_first=True)):
        match op:
            case ForOp():
                _drop_dead_iter_args(op, liveness.live)
            case IfOp():
                _drop_dead_results(op, liveness.live)
            case _:
                for region in op.regions:
                    if region.first_block is not region.last_block:
                        drop_arguments(region, liveness.live)
    remove_dead_code(root)


@dataclass
class _Liveness:
    live: set[SSAValue] = field(default_factory=set[SSAValue])
    _pending: list[SSAValue] = field(default_factory=list[SSAValue])
    _needed: set[Operation] = field(default_factory=set[Operation])
    """Ops that must run, for their effects or for a live result."""

    def find(self, root: Operation) -> None:
        """Find the live values inside `root`."""
        for op in root.walk():
            if op is not root and _has_effects(op):
                self._need(op)
            for region in op.regions:
                for block in region.blocks:
                    if not has_plain_predecessors(block):
                        self._mark(block.args)
        while self._pending:
            value = self._pending.pop()
            owner = value.owner
            if isinstance(owner, Block):
                self._need_argument(owner, value)
            else:
                self._need_result(owner, value)

    def _mark(self, values: Iterable[SSAValue]) -> None:
        for value in values:
            if value not in self.live:
                self.live.add(value)
                self._pending.append(value)

    def _need(self, op: Operation) -> None:
        """Mark what `op` needs to run at all, and so for the ops around it."""
        while op not in self._needed:
            self._needed.add(op)
            match op:
                case ForOp():
                    self._mark((op.lb, op.ub, op.step))
                case IfOp():
                    self._mark((op.cond,))
                case ConditionalBranchOp():
                    self._mark((op.cond,))
                case BranchOp():
                    pass
                case YieldOp() if isinstance(op.parent_op(), (ForOp, IfOp)):
                    pass
                case _:
                    self._mark(op.operands)
                    self._mark_yielded(op)
            parent = op.parent_op()
            if parent is None:
                return
            op = parent

    def _mark_yielded(self, op: Operation) -> None:
        """Mark what the regions of an op of which nothing else is known hand to it."""
        for region in op.regions:
            for block in region.blocks:
                last = block.last_op
                if last is not None and not isinstance(last, (BranchOp, ConditionalBranchOp)):
                    self._mark(last.operands)

    def _need_result(self, op: Operation, value: SSAValue) -> None:
        self._need(op)
        index = next(i for i, result in enumerate(op.results) if result is value)
        if isinstance(op, ForOp):
            self._need_carried(op, index)
        elif isinstance(op, IfOp):
            for region in op.regions:
                last = region.block.last_op if region.first_block is not None else None
                if last is not None:
                    self._mark(last.operands[index : index + 1])

    def _need_carried(self, op: ForOp, index: int) -> None:
        last = op.body.block.last_op
        assert last is not None
        self._mark((op.iter_args[index], last.operands[index]))

    def _need_argument(self, block: Block, value: SSAValue) -> None:
        index = next(i for i, argument in enumerate(block.args) if argument is value)
        parent = block.parent_op()
        if isinstance(parent, ForOp) and index > 0:
            self._need_carried(parent, index - 1)
            return
        for use in block.uses:
            branch = use.operation
            if isinstance(branch, BranchOp):
                self._mark((branch.arguments[index],))
            elif isinstance(branch, ConditionalBranchOp):
                arguments = branch.then_arguments if use.index == 0 else branch.else_arguments
                self._mark((arguments[index],))
            else:
                self._mark(branch.operands)


def _has_effects(op: Operation) -> bool:
    """Return whether `op` itself, apart from what is inside, must run."""
    if isinstance(op, (ForOp, IfOp)):
        return False
    if op.has_trait(IsTerminator, value_if_unregistered=True):
        return not (isinstance(op, YieldOp) and isinstance(op.parent_op(), (ForOp, IfOp)))
    return not would_be_trivially_dead(op)


def _drop_dead_results(op: IfOp, live: set[SSAValue]) -> None:
    kept = [result in live for result in op.results]
    if not all(kept):
        keep_results(op, kept, PatternRewriter(op))


def _drop_dead_iter_args(op: ForOp, live: set[SSAValue]) -> None:
    body = op.body.block
    last = body.last_op
    assert last is not None
    pairs = zip(op.results, body.args[1:], strict=True)
    kept = [result in live or argument in live for result, argument in pairs]
    if all(kept):
        return
    for argument, initial, keep in zip(body.args[1:], op.iter_args, kept, strict=True):
        if not keep:
            # Only dead ops use it; they go later and must have something to use until then.
            argument.replace_all_uses_with(initial)
    for result, initial, keep in zip(op.results, op.iter_args, kept, strict=True):
        if not keep:
            result.replace_all_uses_with(initial)
    keep_iter_args(op, kept, PatternRewriter(op))
