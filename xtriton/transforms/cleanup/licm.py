"""
Move what a loop computes anew each time, with the same result, in front of it.

Before:

    scf.for %i = %lo to %hi step %st {
      %0 = arith.muli %a, %b : i32
      "use"(%0) : (i32) -> ()
    }

After:

    %0 = arith.muli %a, %b : i32
    scf.for %i = %lo to %hi step %st {
      "use"(%0) : (i32) -> ()
    }

Only ops without effects that may run although the loop does not: a division moves only if
its divisor is a constant that it can be divided by.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import (
    IsTerminator,
    RecursivelySpeculatable,
    is_side_effect_free,
    is_speculatable,
)

from xtriton.ir.dense import values
from xtriton.ir.listings import nested_ops, ops_with_regions

LOOPS = frozenset(
    ("affine.for", "affine.parallel", "scf.for", "scf.forall", "scf.parallel", "scf.while")
)

_SIGNED_DIVISIONS = frozenset(
    ("arith.ceildivsi", "arith.divsi", "arith.floordivsi", "arith.remsi", "index.divs")
)
_DIVISIONS = _SIGNED_DIVISIONS | {"arith.ceildivui", "arith.divui", "arith.remui", "index.divu"}


@dataclass(frozen=True)
class LoopInvariantCodeMotionPass(ModulePass):
    """Move what is the same in every iteration of a loop in front of it."""

    name = "loop-invariant-code-motion"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Inner loops first: what leaves them may leave the outer ones too.
        for loop in [o for o in op.walk(region_first=True) if o.name in LOOPS]:
            hoist_invariants(loop)


def hoist_invariants(loop: Operation) -> bool:
    """Move the invariant ops of `loop` in front of it; return whether there were any."""
    block = loop.parent
    assert block is not None
    inside = blocks_in(loop)
    moved: list[Operation] = []
    for region in loop.regions:
        for op in [op for inner in region.blocks for op in inner.ops]:
            if is_invariant(op, inside) and may_run_early(op):
                op.detach()
                block.insert_op_before(op, loop)
                moved.append(op)
    return bool(moved)


def blocks_in(op: Operation) -> set[Block]:
    """Return the blocks inside `op`."""
    return {
        block for each in ops_with_regions(op) for region in each.regions for block in region.blocks
    }


def is_invariant(op: Operation, inside: AbstractSet[Block]) -> bool:
    """Return whether `op` uses nothing of the blocks `inside` a loop, but what is in it itself."""
    if not op.regions:
        return inside.isdisjoint([_block_of(operand) for operand in op._operands])
    varying = inside - blocks_in(op)
    return all(
        varying.isdisjoint([_block_of(operand) for operand in nested._operands])
        for nested in nested_ops(op)
    )


def _block_of(value: SSAValue) -> Block | None:
    return value.op.parent if isinstance(value, OpResult) else value.owner  # pyright: ignore[reportReturnType]


def may_run_early(op: Operation) -> bool:
    """Return whether `op` can run although, as written, it might not have."""
    if op.has_trait(IsTerminator, value_if_unregistered=True) or not is_side_effect_free(op):
        return False
    return _is_speculatable(op)


def _is_speculatable(op: Operation) -> bool:
    """Return what MLIR says; xDSL knows nothing of divisions of tensors."""
    if op.name in _DIVISIONS:
        return _has_safe_divisor(op)
    if op.has_trait(RecursivelySpeculatable):
        return all(
            _is_speculatable(nested)
            for region in op.regions
            for block in region.blocks
            for nested in block.ops
        )
    return is_speculatable(op)


def _has_safe_divisor(op: Operation) -> bool:
    divisor = op.operands[1]
    constant = divisor.op.get_attr_or_prop("value") if isinstance(divisor, OpResult) else None
    match constant:
        case IntegerAttr():
            found: tuple[int, ...] = (constant.value.data,)
        case DenseIntOrFPElementsAttr():
            found = values(constant)
        case _:
            return False
    # The lowest number divided by -1 overflows.
    forbidden = (0, -1) if op.name in _SIGNED_DIVISIONS else (0,)
    return not any(value in forbidden for value in found)
