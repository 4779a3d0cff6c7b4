"""Making ops where MLIR's `OpBuilder` would: after definitions, folded, found before made."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, LocationAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from xtriton.dialects.upstream.arith import AddiOp, ConstantOp
from xtriton.dialects.utils.constants import constant_int, constant_op


def insert_after_definition(op: Operation, value: SSAValue) -> None:
    """Insert `op` right behind what defines `value`, with its location."""
    if isinstance(value, OpResult):
        block = value.op.parent
        assert block is not None
        op.location = value.op.location
        block.insert_op_after(op, value.op)
        return
    block = value.owner
    assert isinstance(block, Block)
    if value.location is not None:  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        op.location = value.location  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    first = block.first_op
    if first is None:
        block.add_op(op)
    else:
        block.insert_op_before(op, first)


def insert_before(op: Operation, place: Operation, location: LocationAttr) -> SSAValue:
    """Insert `op` in front of `place`; return its result."""
    op.location = location
    assert place.parent is not None
    place.parent.insert_op_before(op, place)
    return op.results[0]


def constant(value: int, type: Attribute, place: Operation, location: LocationAttr) -> SSAValue:
    """Return a constant made in front of `place`."""
    return insert_before(
        constant_op(type, value),
        place,
        location,
    )


def add_folded(a: SSAValue, b: SSAValue, place: Operation, location: LocationAttr) -> SSAValue:
    """Return `a + b`, simplified where an operand is zero or both are constants."""
    x, y = constant_int(a), constant_int(b)
    if y == 0:
        return a
    if x == 0:
        return b
    if x is not None and y is not None:
        return constant(x + y, a.type, place, location)
    return insert_before(AddiOp(a, b), place, location)


def find_or_create_constant(value: int, type: Attribute, place: Operation) -> SSAValue:
    """Return a constant that stands in front of `place` in its block, made if there is none."""
    block = place.parent
    assert block is not None
    for op in block.ops:
        if op is place:
            break
        if isinstance(op, ConstantOp) and op.properties["value"] == IntegerAttr(value, type):  # pyright: ignore[reportArgumentType, reportCallIssue]
            return op.results[0]
    return constant(value, type, place, place.location)


def erase_unused(ops: dict[Operation, None]) -> None:
    """Erase the ops of `ops` that nobody uses, and then those that these used."""
    pending = list(ops)
    while pending:
        op = pending.pop()
        if op not in ops or any(result.first_use is not None for result in op.results):
            continue
        del ops[op]
        if op.parent is None:
            continue
        # Erased ops may leave others of them without a use.
        pending += [o.owner for o in op.operands if isinstance(o.owner, Operation)]
        op.detach()
        op.erase()
