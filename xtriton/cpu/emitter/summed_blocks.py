"""
Blocks that are put into memory by the loop that adds them up.

    weights = exp(x - greatest)
    total = sum(weights)
    result = weights / total

A block that is used more than once is computed in a loop of its own, and the sum would be another
one that does nothing but load what that has just stored. Where the sum is the first to use a long
row, each element is stored on its way into it.
"""

from collections.abc import Sequence
from math import prod

from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import shape_of
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import Generic
from xtriton.cpu.emitter.late_stores import plan_late_store
from xtriton.cpu.emitter.row_steps import is_plain_sum
from xtriton.cpu.emitter.values import Lazy, View
from xtriton.ir.attributes import integers

SHORTEST = 512
"""Elements of a row that is worth it."""
FAR = 8
"""Operations between a block and its sum that are looked at."""
QUIET = (
    "arith.",
    "bufferization.alloc_tensor",
    "tensor.empty",
    "tensor.from_elements",
    "tensor.insert",
    "tensor.splat",
)
"""What stores nothing that a block may be made of."""


def sum_behind(e: Emitter, generic: Generic) -> Operation | None:
    """Return what adds up the one row that a loop computes, if nothing uses it before."""
    if e.checked or len(generic.op.results) != 1:
        return None
    row = generic.op.results[0]
    shape = shape_of(row.type)
    if shape in e.in_columns or prod(shape) != shape[-1] or shape[-1] < SHORTEST:
        return None
    op = generic.op.next_op
    for _ in range(FAR):
        if op is None or row in op.operands or not op.name.startswith(QUIET):
            break
        op = op.next_op
    if op is None or op.name != "linalg.reduce" or op.operands[0] is not row:
        return None
    along = integers(op, "dimensions") == (len(shape) - 1,)
    return op if along and is_plain_sum(op) else None


def leave_to_sum(e: Emitter, sum: Operation, block: Lazy, place: View) -> None:
    """Have a block put into `place`, or where it may wait, by the op that adds it up."""
    row = sum.operands[0]
    place = plan_late_store(e, sum, place.type) or place

    def compute(indices: Sequence[Operand]) -> Operand:
        value = e.element(block, indices)
        e.store(place, indices, value)
        return value

    e.bind(row, Lazy(block.type, block.sizes, compute, block.reads, block.cost))
    e.left_to_sums[sum] = place
