"""
Making and inserting ops quickly.

Lowering makes two ops for each that it reads. xDSL's constructor and insertion check what a
lowering takes care of itself (that an op has no parent, that it does not contain the block)
and go through properties, which costs more than the op; hence its fields.
"""

# pyright: reportPrivateUsage=false

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue, Use
from xdsl.ir.core import SSAValues
from xdsl.irdl import IRDLOperation

_UNKNOWN = UnknownLoc()


@cache
def _defaults(cls: type[Operation]) -> Mapping[str, Attribute]:
    """Return the default values of the properties of an op."""
    if not issubclass(cls, IRDLOperation):
        return {}
    known = cls.get_irdl_definition().properties
    values = {name: getattr(of, "default_value", None) for name, of in known.items()}
    return {name: value for name, value in values.items() if value is not None}


def create(
    cls: type[Operation],
    operands: Sequence[SSAValue],
    result_types: Sequence[Attribute],
    properties: Mapping[str, Attribute],
    regions: Sequence[Region] = (),
    location: Any = None,
) -> Any:
    """Return an op of `cls` made without its constructor, as `cls.create` makes it."""
    op = cls.__new__(cls)
    op._operands = SSAValues(operands)
    uses = [Use(op, index) for index in range(len(operands))]
    for use, operand in zip(uses, operands, strict=True):
        first = operand.first_use
        use._next_use = first
        if first is not None:
            first._prev_use = use
        operand.first_use = use
    op._operand_uses = tuple(uses)
    op.results = SSAValues(OpResult(kind, op, n) for n, kind in enumerate(result_types))
    op.properties = {**_defaults(cls), **properties}
    op.attributes = {}
    op.location = _UNKNOWN if location is None else location
    op.regions = tuple(regions)
    for region in regions:
        region.parent = op
    return op


def insert_before(op: Operation, anchor: Operation) -> None:
    """Put a new op before another."""
    block, previous = anchor.parent, anchor._prev_op
    assert block is not None
    op.parent = block
    op._prev_op, op._next_op = previous, anchor
    anchor._prev_op = op
    if previous is None:
        block._first_op = op
    else:
        previous._next_op = op


def append(op: Operation, block: Block) -> None:
    """Put a new op at the end of a block."""
    last = block._last_op
    op.parent = block
    op._prev_op = last
    block._last_op = op
    if last is None:
        block._first_op = op
    else:
        last._next_op = op
