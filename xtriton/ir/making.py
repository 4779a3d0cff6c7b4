"""
Making, inserting and replacing ops quickly.

Raising and lowering make two ops for each that they read. xDSL's constructor and insertion check
what these passes take care of themselves (that an op has no parent, that it does not contain
the block) and go through properties, which costs more than the op; hence its fields.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue, Use
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
    uses: list[Use] = []
    for index, operand in enumerate(operands):
        use = Use(op, index)
        first = operand.first_use
        use._next_use = first
        if first is not None:
            first._prev_use = use
        operand.first_use = use
        uses.append(use)
    op._operand_uses = tuple(uses)
    op.results = SSAValues([OpResult(kind, op, n) for n, kind in enumerate(result_types)])
    op.properties = {**_defaults(cls), **properties}
    op.attributes = {}
    op.location = _UNKNOWN if location is None else location
    op.regions = tuple(regions)
    for region in regions:
        region.parent = op
    return op


def block_with(arg_types: Sequence[Attribute]) -> Block:
    """Return an empty block whose arguments have these types."""
    block = Block.__new__(Block)
    arguments = [BlockArgument(kind, block, n, _UNKNOWN) for n, kind in enumerate(arg_types)]
    block._args = tuple(arguments)
    block._first_op = block._last_op = None
    return block


def region_of(block: Block) -> Region:
    """Return a region of one new block."""
    region = Region.__new__(Region)
    region._first_block = region._last_block = block
    block.parent = region
    return region


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


def replace(op: Operation, values: Sequence[SSAValue]) -> None:
    """Put `values` in the place of the results of `op` and erase it."""
    for result, value in zip(op.results, values, strict=True):
        replace_uses(result, value)
    erase(op)


def replace_uses(old: SSAValue, new: SSAValue) -> None:
    """Use `new` wherever `old` is used; the list of uses changes hands as it is."""
    first = old.first_use
    if new is old:
        return
    if new._name is None:
        new._name = old._name
    if first is None:
        return
    use = last = first
    while use is not None:
        last, user = use, use._operation
        operands = list(user._operands)
        operands[use._index] = new
        user._operands = SSAValues(operands)
        use = use._next_use
    following = new.first_use
    last._next_use = following
    if following is not None:
        following._prev_use = last
    new.first_use = first
    old.first_use = None


def erase(op: Operation) -> None:
    """Take an op whose results nobody uses out of its block and drop what it refers to."""
    if any(result.first_use is not None for result in op.results):
        raise ValueError(f"a result of {op.name} is still used")
    block, previous, following = op.parent, op._prev_op, op._next_op
    assert block is not None
    if previous is None:
        block._first_op = following
    else:
        previous._next_op = following
    if following is None:
        block._last_op = previous
    else:
        following._prev_op = previous
    op._prev_op = op._next_op = None
    op.drop_all_references()
