"""
Make a select of tensors a result of the `if` with the same condition.

Before:

    %0 = arith.select %c, %a, %b : tensor<64xf32, #blocked>
    scf.if %c {
      tt.store %p, %q
    }

After:

    %0 = scf.if %c -> (tensor<64xf32, #blocked>) {
      tt.store %p, %q
      scf.yield %a : tensor<64xf32, #blocked>
    } else {
      scf.yield %b : tensor<64xf32, #blocked>
    }

Inside such an `if`, what the select gives is known.
Source: `CombineTensorSelectAndIf.cpp` of Triton.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects.upstream.arith import SelectOp
from xtriton.dialects.upstream.scf import IfOp, YieldOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_of
from xtriton.ir.order import Order


@dataclass(frozen=True)
class CombineTensorSelectAndIfPass(ModulePass):
    """Make a select of tensors a result of the `if` with the same condition."""

    name = "tritongpu-combine-tensor-select-and-if"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        selects = ops_of(op, SelectOp)
        for select in selects:
            use_known_side(select)
        order = Order()
        merged: dict[IfOp, list[SelectOp]] = {}
        for select in selects:
            branch = _branch_for(select, order)
            if branch is not None:
                merged.setdefault(branch, []).append(select)
        for branch, its_selects in merged.items():
            merge(branch, its_selects)


def use_known_side(select: SelectOp) -> None:
    """Inside an `if` with the same condition, use what the select gives there."""
    branches = [use.operation for use in select.operands[0].uses if isinstance(use.operation, IfOp)]
    for branch in branches:
        for use in list(select.results[0].uses):
            side = _side(branch, use.operation)
            if side is not None:
                use.operation.operands[use.index] = select.operands[1 + side]


def _side(branch: IfOp, op: Operation) -> int | None:
    """Return which region of an `if` an op is in; None if it is outside."""
    for i, region in enumerate(branch.regions):
        if region.is_ancestor(op):
            return i
    return None


def _branch_for(select: SelectOp, order: Order) -> IfOp | None:
    """Return the first `if` that can give what a select of tensors gives."""
    if not is_tensor(select.results[0].type):
        return None
    branches = [
        use.operation
        for use in select.operands[0].uses
        if isinstance(use.operation, IfOp) and use.operation.parent is select.parent
    ]
    for branch in sorted(branches, key=order.path):
        if order.number(select) < order.number(branch) and _precedes_uses(branch, select, order):
            return branch
    return None


def _precedes_uses(branch: IfOp, select: SelectOp, order: Order) -> bool:
    """Return whether the users of a select all come after an `if` next to it."""
    for use in select.results[0].uses:
        user: Operation | None = use.operation
        while user is not None and user.parent is not branch.parent:
            user = user.parent_op()
        if user is None or user is branch or order.number(user) < order.number(branch):
            return False
    return True


def merge(branch: IfOp, selects: list[SelectOp]) -> None:
    """Let an `if` give what the selects give."""
    types = [*branch.result_types, *(select.results[0].type for select in selects)]
    regions = [branch.detach_region(region) for region in list(branch.regions)]
    for i, region in enumerate(regions):
        _yield_more(branch, region, [select.operands[1 + i] for select in selects])
    new = IfOp.create(
        operands=list(branch.operands),
        result_types=types,
        properties=dict(branch.properties),
        attributes=dict(branch.attributes),
        regions=regions,
    )
    new.location = branch.location
    assert branch.parent is not None
    branch.parent.insert_op_before(new, branch)
    old = [*branch.results, *(select.results[0] for select in selects)]
    for value, result in zip(old, new.results, strict=True):
        value.replace_all_uses_with(result)
    for op in (*selects, branch):
        op.detach()
        op.erase(safe_erase=False)


def _yield_more(branch: IfOp, region: Region, values: list[SSAValue]) -> None:
    if region.blocks.first is None:
        region.add_block(Block())
    block = region.block
    if not isinstance(block.last_op, YieldOp):
        last = YieldOp()
        last.location = branch.location
        block.add_op(last)
    assert block.last_op is not None
    block.last_op.operands = [*block.last_op.operands, *values]
