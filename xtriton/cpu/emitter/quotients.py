"""
Quotients of what a loop's index is added to, by constants.

Indices have 64 bits, in which no vector is divided. But a sum of an index below `extent` and of
what is the same in the whole loop is divided once, in front of it, and what the index adds to the
rest has 32 bits: with b = q·c + r and 0 ≤ r < c,

    floor((b + i) / c) = q + (r + i) / c
"""

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import affine_maps, shape_of
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import is_identity
from xtriton.cpu.types import INDEX
from xtriton.ir.attributes import integer

MOST = 1 << 31


def quotient_in_loop(e: Emitter, op: Operation) -> Operand | None:
    """Return the result of an `arith.floordivsi` of such a sum; None for any other."""
    divisor = e.scalar(op.operands[1])
    total = op.operands[0].owner
    if not isinstance(divisor, int) or divisor <= 0 or not isinstance(total, Operation):
        return None
    if total.name != "arith.addi" or e.type(op.results[0].type) != INDEX:
        return None
    if e.rows is not None:
        known = e.rows.quotient(e.scalar(op.operands[0]), divisor, floors=True)
        if known is not None:
            return known
    for index, base in (total.operands, reversed(total.operands)):
        extent = _extent(index)
        if 0 < extent <= MOST - divisor and _is_outside(base, op):
            return _quotient(e, e.scalar(base), e.scalar(index), divisor)
    return None


def _extent(value: SSAValue) -> int:
    """Return what an index of a loop stays below; 0 for what is none, or of an unknown extent."""
    op = value.owner
    if not isinstance(op, Operation) or op.name != "linalg.index":
        return 0
    loop = op.parent_op()
    if loop is None or loop.name != "linalg.generic" or not loop.results:
        return 0
    if not is_identity(affine_maps(loop, "indexing_maps")[-1]):
        return 0
    return shape_of(loop.results[-1].type)[integer(op, "dim")]


def _is_outside(value: SSAValue, op: Operation) -> bool:
    """Return whether a value is made before the loop that `op` is in."""
    owner = value.owner
    block = owner.parent_block() if isinstance(owner, Operation) else owner
    inner = op.parent_block()
    while inner is not None and inner is not block:
        parent = inner.parent_op()
        if parent is not None and parent.name == "linalg.generic":
            return True
        inner = None if parent is None else parent.parent_block()
    return False


def _quotient(e: Emitter, base: Operand, index: Operand, divisor: int) -> Operand:
    b = e.builder
    if isinstance(base, int):
        before: Operand = base // divisor
    else:
        towards_zero = b.value(f"sdiv i64 {base}, {divisor}")
        below = b.value(f"icmp slt i64 {b.sub(base, b.mul(towards_zero, divisor))}, 0")
        before = b.sub(towards_zero, b.value(f"zext i1 {below} to i64"))
    rest = b.add(b.sub(base, b.mul(before, divisor)), index)
    if isinstance(rest, int):
        return b.add(before, rest // divisor)
    small = b.value(f"trunc i64 {rest} to i32")
    return b.add(before, b.value(f"zext i32 {b.value(f'udiv i32 {small}, {divisor}')} to i64"))
