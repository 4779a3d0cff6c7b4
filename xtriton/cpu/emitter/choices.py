"""
Branches that only compute blocks, by a few operations, become choices element by element.

A branch leaves its blocks in memory, for whatever comes after it to read. Where both sides are a
few operations on elements it takes less time to do them all and to choose, in the loop of the
consumer: so Inductor's kernels begin a variance, at each of their blocks.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import is_shaped, single_block, terminator
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.elementwise import cost_of, op_cost
from xtriton.cpu.emitter.generics import generic_of, is_identity
from xtriton.cpu.emitter.values import Lazy, Tensor

MOST = 16
"""Operations on an element that take no longer than a branch with its blocks in memory."""
PURE = ("tensor.empty", "linalg.fill", "scf.yield", "linalg.yield", "linalg.index")


def choose_by_element(e: Emitter, op: Operation, condition: str) -> bool:
    """Bind the results of an `scf.if` to choices; return whether that is worth it."""
    sides = [single_block(op, number) for number in range(2) if op.regions[number].blocks]
    if len(sides) != 2 or not op.results or not all(is_shaped(r.type) for r in op.results):
        return False
    if not all(map(_is_elementwise, sides)) or sum(map(_cost, sides)) > MOST:
        return False
    pairs = zip(*(_tensors(e, block) for block in sides), strict=True)
    for result, (left, right) in zip(op.results, pairs, strict=True):
        e.bind(result, _choice(e, condition, left, right))
    return True


def _is_elementwise(block: Block) -> bool:
    """Return whether a block computes nothing but elements from elements at the same place."""
    return all(
        inner.name in PURE
        or inner.name.startswith(("arith.", "math."))
        or (inner.name == "linalg.generic" and _is_in_step(inner))
        for inner in block.walk()
    )


def _is_in_step(op: Operation) -> bool:
    generic = generic_of(op)
    return not any(generic.reductions) and all(map(is_identity, generic.output_maps))


def _cost(block: Block) -> int:
    return sum(op_cost(op) for op in block.walk() if op.name not in (*PURE, "linalg.generic"))


def _tensors(e: Emitter, block: Block) -> list[Tensor]:
    """Run a block without putting any of its blocks into memory; return what it yields."""
    before, e.delaying = e.delaying, True
    e.run_block(block)
    e.delaying = before
    return [e.tensor(value) for value in terminator(block).operands]


def _choice(e: Emitter, condition: str, left: Tensor, right: Tensor) -> Lazy:
    type = left.type.register

    def compute(indices: Sequence[Operand]) -> Operand:
        known = "" if e.rows is None else e.rows.choice(condition)
        if known:
            return e.element(left if known == "true" else right, indices)
        values = [e.element(side, indices) for side in (left, right)]
        return e.builder.value(f"select i1 {condition}, {type} {values[0]}, {type} {values[1]}")

    reads = (*e.reads_of(left), *e.reads_of(right))
    return Lazy(left.type, left.sizes, compute, reads, 1 + cost_of(left) + cost_of(right))
