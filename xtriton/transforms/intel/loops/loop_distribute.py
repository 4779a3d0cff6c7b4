"""
Give each of two products in a loop a loop of its own.

Before:

    %r:2 = scf.for %k = ... iter_args(%a = %zero, %b = %zero) {
      %x = tt.descriptor_load %p[%i, %k]
      %v = tt.descriptor_load %q[%k, %j]
      %w = tt.descriptor_load %s[%k, %j]
      %c = tt.dot %x, %v, %a
      %d = tt.dot %x, %w, %b
      scf.yield %c, %d
    }

After, with half of the accumulators at a time, for which what both need is loaded twice:

    %r:2 = scf.for %k = ... iter_args(%a = %zero, %b = %zero) {
      %x = tt.descriptor_load %p[%i, %k]
      %v = tt.descriptor_load %q[%k, %j]
      %c = tt.dot %x, %v, %a
      scf.yield %c, %b
    }
    %s:2 = scf.for %k = ... iter_args(%a = %zero, %b = %zero) {
      %x = tt.descriptor_load %p[%i, %k]
      %w = tt.descriptor_load %s[%k, %j]
      %d = tt.dot %x, %w, %b
      scf.yield %a, %d
    }

A loop of exactly two products qualifies if each accumulates what the loop carries, neither
needs the other or its accumulator, the loop does nothing but read, and each op serves a product
or what else the loop carries, which both loops carry then.
Source: `LoopDistribute.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects.tt.dot import DotOp
from xtriton.dialects.upstream.scf import ForOp, YieldOp
from xtriton.ir.listings import ops_of
from xtriton.transforms.intel.loops.versioning import copied, erase
from xtriton.transforms.triton.licm import reads_only


@dataclass(frozen=True)
class LoopDistributePass(ModulePass):
    """Split loops with two independent products into two loops."""

    name = "tritonintelgpu-loop-distribute"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Inner loops first: outer ones take copies of what they have become.
        for loop in ops_of(op, ForOp, region_first=True):
            products = _independent_products(loop)
            if products is not None:
                _distribute(loop, *products)


@dataclass(frozen=True)
class _Product:
    """A product in a loop: what it carries it in, and all ops of the loop that it needs."""

    index: int
    needs: frozenset[Operation]


def _independent_products(loop: ForOp) -> tuple[_Product, _Product] | None:
    """Return the two products of a loop that can be split, else None."""
    block = loop.body.block
    end = block.last_op
    dots = [op for op in block.ops if isinstance(op, DotOp)]
    if len(dots) != 2 or not isinstance(end, YieldOp):
        return None
    indices = [_accumulator(dot, loop, end) for dot in dots]
    first, second = indices
    if first is None or second is None or first == second:
        return None
    rest = [v for i, v in enumerate(end.operands) if i not in indices]
    carried = _slice(rest, loop)
    needs = [_slice(dot.operands[:2], loop) for dot in dots]
    accumulators = [loop.body.block.args[1 + i] for i in (first, second)]
    for values, ops, foreign in (
        ((*dots[0].operands[:2],), needs[0], (1,)),
        ((*dots[1].operands[:2],), needs[1], (0,)),
        (rest, carried, (0, 1)),
    ):
        if any(dots[i] in ops for i in foreign) or _uses(
            values, ops, [accumulators[i] for i in foreign]
        ):
            return None
    known = {*dots, end, *carried, *needs[0], *needs[1]}
    if any(op not in known for op in block.ops) or not all(map(reads_only, known - {end})):
        return None
    a, b = (
        _Product(index, frozenset((dot, *ops, *carried)))
        for index, dot, ops in zip((first, second), dots, needs, strict=True)
    )
    return a, b


def _accumulator(dot: DotOp, loop: ForOp, end: YieldOp) -> int | None:
    """Return which of the carried values a product adds to, and is in the next iteration."""
    value = dot.c
    if not isinstance(value, BlockArgument) or value.block is not loop.body.block:
        return None
    index = value.index - 1
    return index if end.operands[index] is dot.d else None


def _slice(values: Iterable[SSAValue], loop: ForOp) -> dict[Operation, None]:
    """Return the ops right in a loop that values need, in regions too."""
    found: dict[Operation, None] = {}
    pending = list(values)
    while pending:
        op = _op_in_body(pending.pop(), loop)
        if op is not None and op not in found:
            found[op] = None
            pending += [operand for nested in op.walk() for operand in nested.operands]
    return found


def _op_in_body(value: SSAValue, loop: ForOp) -> Operation | None:
    """Return the op right in a loop that makes a value; None for what comes from elsewhere."""
    op = value.owner
    # What is made in a region of an op of the slice needs no other.
    return op if isinstance(op, Operation) and op.parent is loop.body.block else None


def _uses(
    values: Iterable[SSAValue], ops: Iterable[Operation], arguments: list[BlockArgument]
) -> bool:
    """Return whether values are, or ops with all inside them use, some block arguments."""
    nested = (operand for op in ops for inner in op.walk() for operand in inner.operands)
    forbidden = set(arguments)
    return any(value in forbidden for value in (*values, *nested))


def _distribute(loop: ForOp, *products: _Product) -> None:
    copies = [_loop_for(product, loop) for product in products]
    place = {product.index: copy for product, copy in zip(products, copies, strict=True)}
    for i, result in enumerate(loop.results):
        new = place.get(i, copies[0]).results[i]
        new.name_hint = result.name_hint
        result.replace_all_uses_with(new)
    erase(loop)


def _loop_for(product: _Product, loop: ForOp) -> ForOp:
    """Return a copy of a loop, in front of it, that has one of the products."""
    copy = copied(loop)
    assert loop.parent is not None
    loop.parent.insert_op_before(copy, loop)
    end = copy.body.block.last_op
    assert end is not None
    pairs = list(zip(loop.body.block.ops, copy.body.block.ops, strict=True))
    gone = {new: None for old, new in pairs if old not in product.needs and new is not end}
    for i, operand in enumerate(end.operands):
        if operand.owner in gone:
            # The product of the other loop.
            end.operands[i] = copy.body.block.args[1 + i]
    for op in reversed(gone):
        op.detach()
        op.erase()
    return copy
