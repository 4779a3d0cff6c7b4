"""
How much of a block counts.

Blocks at the edge of a matrix are cut by masks. Of a sum that a loop adds up only the first rows
and columns are stored, and along K the last blocks of the operands end in zeros:

    a = load(..., mask=k < left, other=0)
    b = load(..., mask=k < left, other=0)
    c += a @ b
    ...
    store(..., c, mask=(m < rows) & (n < columns))

Products leave the rest out.
"""

from collections.abc import Sequence
from math import copysign

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import DYNAMIC, is_shaped, operand_groups, shape_of
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.hazards import is_memref
from xtriton.dialects.utils.constants import constant_number
from xtriton.ir.attributes import integers

_VIEWS = ("memref.subview", "memref.reinterpret_cast", "memref.cast")
_ARITHMETIC = ("arith.", "affine.apply", "affine.min", "affine.max")
ZEROS = (0, "0", "0.0", "0x0000000000000000")
"""Numbers of which all bits are 0."""


def is_zero_fill(e: Emitter, op: object) -> bool:
    """Return whether an op fills a block with 0, and not with -0."""
    if not isinstance(op, Operation) or op.name != "linalg.fill":
        return False
    value = op.operands[0]
    return e.environment.get(value) in ZEROS or _is_zero(value)


def _is_zero(value: SSAValue) -> bool:
    """Return whether a value that there is no code of yet is the constant 0."""
    number = constant_number(value)
    return number is not None and number == 0 and copysign(1, number) > 0


def only_user(value: SSAValue) -> Operation | None:
    """Return the op with the only use of a value."""
    uses = list(value.uses)
    return uses[0].operation if len(uses) == 1 else None


def takes_first(slice: Operation) -> bool:
    """Return whether a slice takes the first elements along each dimension, and keeps them all."""
    first = all(offset == 0 for offset in integers(slice, "static_offsets"))
    dense = all(stride == 1 for stride in integers(slice, "static_strides"))
    same = len(shape_of(slice.results[0].type)) == len(integers(slice, "static_sizes"))
    return first and dense and same


def extents_taken(e: Emitter, loop: Operation, result: SSAValue) -> tuple[Operand, ...] | None:
    """
    Return how many rows and columns of a result of `loop` are read; None if it may be all.

    The code that finds it out runs before the loop.
    """
    slice = only_user(result)
    if slice is None or slice.name != "tensor.extract_slice" or not takes_first(slice):
        return None
    sizes = integers(slice, "static_sizes")
    dynamic = operand_groups(slice)[2]
    if not dynamic or not run_before(e, loop, slice, dynamic):
        return None
    registers = iter(e.scalars(dynamic))
    return tuple(next(registers) if size == DYNAMIC else size for size in sizes)


def extent_loaded(
    e: Emitter, ops: Sequence[Operation], known: Sequence[SSAValue], buffer: SSAValue, axis: int
) -> SSAValue | None:
    """
    Return how far `ops` load a buffer along an axis, if they fill the rest with zeros.

    That is one of the values `known` to them.
    """
    inner = [each for op in ops for each in op.walk()]
    fills = [op for op in inner if op.name == "linalg.fill"]
    if len(fills) != 1 or fills[0].operands[1] is not buffer or not is_zero_fill(e, fills[0]):
        return None
    extents = [_extent(op.operands[1], buffer, axis) for op in inner if op.name == "memref.copy"]
    found = extents[0] if extents else None
    alike = all(extent is found for extent in extents)
    return found if alike and any(found is value for value in known) else None


def _extent(destination: SSAValue, buffer: SSAValue, axis: int) -> SSAValue | None:
    """Return how far a window of a buffer reaches along an axis, if that is known at run time."""
    window = destination.owner
    if not isinstance(window, Operation) or window.name != "memref.subview":
        return None
    sizes = integers(window, "static_sizes")
    starts = integers(window, "static_offsets")[axis], integers(window, "static_strides")[axis]
    if window.operands[0] is not buffer or sizes[axis] != DYNAMIC or starts != (0, 1):
        return None
    return operand_groups(window)[2][[*sizes[:axis]].count(DYNAMIC)]


def run_before(e: Emitter, loop: Operation, last: Operation, values: Sequence[SSAValue]) -> bool:
    """Run the ops between a loop and a later op that `values` follow from, if it is so simple."""
    before = _needed_before(loop, last, values)
    for op in before or ():
        e.run(op)
        e.skipped.add(op)
    return before is not None


def _needed_before(
    loop: Operation, last: Operation, values: Sequence[SSAValue]
) -> list[Operation] | None:
    """Return the ops behind a loop that `values` follow from; None if that takes more."""
    if last.parent_block() is not loop.parent_block():
        return None
    between = _between(loop, last)
    needed: set[Operation] = set()
    pending = list(values)
    while pending:
        op = pending.pop().owner
        if op is loop:
            return None
        if isinstance(op, Operation) and op in between and op not in needed:
            if not _is_index_arithmetic(op):
                return None
            needed.add(op)
            pending += op.operands
    return [op for op in between if op in needed]


def _between(first: Operation, last: Operation) -> dict[Operation, None]:
    """Return the ops of a block behind `first` and before `last`, in order."""
    found: dict[Operation, None] = {}
    op = first.next_op
    while op is not None and op is not last:
        found[op] = None
        op = op.next_op
    return found


def _is_index_arithmetic(op: Operation) -> bool:
    """Return whether an op has to do with numbers and views alone."""
    if op.regions or not (op.name in _VIEWS or op.name.startswith(_ARITHMETIC)):
        return False
    return all(is_memref(v) or not is_shaped(v.type) for v in (*op.operands, *op.results))
