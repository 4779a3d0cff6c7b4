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
constants survive loops (see `xtriton.analysis.sparse_flow`).

Source: Wegman, Zadeck, "Constant Propagation with Conditional Branches" (1991).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.sparse_flow import SparseFlow
from xtriton.ir.listings import ops_of_block, ops_with_regions
from xtriton.ir.op_facts import constants_in, is_dead
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
    solver.run(root)
    return _replace_constants(root, solver)


class _Varying:
    """The state of a value that is no constant."""


_VARYING = _Varying()
_State = Constant | _Varying


class _Solver(SparseFlow[_State]):
    """What is constant, along the branches that can be taken."""

    def constant(self, value: SSAValue) -> _State | None:
        return constant_of(value)

    def unknown(self, value: SSAValue) -> _State:
        return _VARYING

    def joined(self, value: SSAValue, old: _State, new: _State) -> _State:
        return old if new == old else _VARYING

    def truth_of(self, state: _State) -> bool | None:
        value = None if isinstance(state, _Varying) else uniform_value(state)
        return None if value is None else bool(value)

    def results(self, op: Operation, states: Sequence[_State]) -> Sequence[_State] | None:
        """Return what the results of `op` are for operands of which something is known."""
        if len(op.results) != 1:
            return None
        fold = fold_of(type(op))
        if fold is None and _VARYING in states:
            return None
        constants = [None if isinstance(state, _Varying) else state for state in states]
        folded = None if fold is None else fold(op, constants)
        if folded is None and states and None not in constants:
            folded = fold_constants(op, constants)
        if isinstance(folded, SSAValue):
            state = self.state(folded)
            return () if state is None else (state,)
        return None if folded is None else (folded,)  # pyright: ignore[reportReturnType]


def _replace_constants(root: Operation, solver: _Solver) -> bool:
    """Use a constant instead of every value that is one, and remove what computed it."""
    folder = Folder()
    changed = False
    pending = _blocks_of(root)
    # Of most ops there is nothing to say.
    constant, around = _constant_ops(root, solver), {*ops_with_regions(root)}
    while pending:
        block = pending.pop()
        for op in ops_of_block(block):
            if op in constant:
                replaced = [_replace(result, block, solver, folder) for result in op.results]
                changed |= any(replaced)
                if all(replaced) and is_dead(op):
                    op.detach()
                    op.erase()
                    continue
            if op in around:
                pending += _blocks_of(op)
        for argument in block.args:
            changed |= _replace(argument, block, solver, folder)
    return changed


def _constant_ops(root: Operation, solver: _Solver) -> set[Operation]:
    """Return the ops in `root` that have results that are constants."""
    found = {*constants_in(root)}
    for value, state in solver.states.items():
        if isinstance(value, OpResult) and not isinstance(state, _Varying):
            found.add(value.op)
    return found


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
