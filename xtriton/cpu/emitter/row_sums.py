"""
Sums that a loop keeps for each place of a row, only to add them up behind it.

A reduction over a row that is longer than a block is written with a block of sums:

    sums = zeros([1, N])
    for start in range(0, length, N):
        mask = start + arange(0, N) < length
        sums = where(mask, sums + load(start + arange(0, N), mask), sums)
    total = sum(sums)

For a row of one or two blocks, clearing and adding up so many sums takes as long as all the rest.
Where nobody sees them, each block is added up at once, in a few vectors, and then to one number.
No more additions follow each other than before: N times fewer for each number of a block, and one
for each block.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import is_shaped, shape_of, single_block, terminator
from xtriton.cpu.emitter.arithmetic import binary
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.extents import is_zero_fill, only_user
from xtriton.cpu.emitter.generics import (
    Generic,
    generic_of,
    indexed,
    is_identity,
    is_loop_over_all,
    operand_value,
)
from xtriton.cpu.emitter.guesses import Bounds
from xtriton.cpu.emitter.rows import Rows
from xtriton.cpu.emitter.values import Storage, View
from xtriton.ir.attributes import integers

SHORTEST = 512
"""Elements of a block that takes less time to add up than vectors of sums to load and store."""
NOTHING = "-0.0"
"""What changes no float that it is added to."""


@dataclass
class RowSum:
    """What one step of a loop adds to a sum: an operand of `generic`, where another one holds."""

    place: View
    generic: Generic
    added: int
    chosen: Generic | None = None


def row_sums(e: Emitter, loop: Operation, initial: Sequence[SSAValue]) -> Mapping[int, View]:
    """
    Return where such sums are kept, by the number of the loop's result: one number each.

    The op in the loop that would yield the block of them is noted.
    """
    carried = [n for n, value in enumerate(initial) if is_shaped(value.type)]
    if len(carried) != 1 or e.checked or not is_zero_fill(e, initial[carried[0]].owner):
        return {}
    number = carried[0]
    found = _step_of(single_block(loop).args[1 + number], number)
    if found is None or not _is_added_up(loop.results[number]):
        return {}
    add, chosen = found
    type, rank = e.type(loop.results[number].type), len(shape_of(loop.results[number].type))
    if type.register not in ("float", "double"):
        return {}
    pointer = e.builder.alloca(type.memory, 1, type.bytes)
    e.builder.store(type.memory, "0.0", pointer)
    place = View(Storage(pointer, writable=False), type, 0, (1,) * rank, (1,) * rank)
    sum = RowSum(place, *add, chosen)
    if chosen is not None:
        e.skipped.add(sum.generic.op)
    e.row_sums[sum.generic.op if chosen is None else chosen.op] = sum
    return {number: place}


def add_row(e: Emitter, sum: RowSum) -> View:
    """Add what a step of the loop adds; return where the sum lies."""
    b, type = e.builder, sum.place.type
    (pointer, generic), chosen = (sum.place.storage.pointer, sum.generic), sum.chosen
    added = operand_value(e, generic.inputs[sum.added])
    mask = None if chosen is None else operand_value(e, chosen.inputs[0])
    shape = shape_of(generic.op.results[0].type)
    along = next(d for d, size in enumerate(shape) if size != 1)

    def write(rows: Rows, bounds: Bounds | None) -> None:
        def body(index: Operand, carried: list[str]) -> list[Operand]:
            rows.begin(index)
            point: list[Operand] = [0] * len(shape)
            point[along] = index
            value = indexed(e, added, generic.maps[sum.added], point)
            if chosen is not None and mask is not None:
                holds = indexed(e, mask, chosen.maps[0], point)
                value = b.value(
                    f"select i1 {holds}, {type.register} {value}, {type.register} {NOTHING}"
                )
            with e.reassociating():
                return [binary(e, "arith.addf", type, carried[0], value)]

        low, high = bounds or (0, shape[along])
        (total,) = b.loop(low, high, 1, body, [(type.register, NOTHING)], certain=True)
        before = b.load(type.memory, pointer)
        b.store(type.memory, binary(e, "arith.addf", type, before, total), pointer)

    with b.fresh_memory():
        e.in_rows(shape[along], write)
    return sum.place


# --- finding them -----------------------------------------------------------------------


def _step_of(sums: SSAValue, number: int) -> tuple[tuple[Generic, int], Generic | None] | None:
    """Return the addition to `sums` that a loop yields, and what chooses where it is done."""
    users = {use.operation for use in sums.uses}
    adds = [found for op in users if (found := _addition(op, sums)) is not None]
    if len(adds) != 1:
        return None
    result = adds[0][0].op.results[0]
    # An op may name its operand once more, as what its result is like.
    following = {use.operation for use in result.uses}
    user = following.pop() if len(following) == 1 else None
    if user is None or user.parent_block() is not sums.owner:
        return None
    chosen = _choice(user, result, sums) if len(users) > 1 else None
    if chosen is not None:
        if adds[0][0].op.next_op is not user or users != {user, adds[0][0].op}:
            return None
        result = user.results[0]
        user = only_user(result)
    elif len(users) > 1:
        return None
    last = terminator(sums.owner)
    return (adds[0], chosen) if user is last and last.operands[number] is result else None


def _addition(op: Operation, sums: SSAValue) -> tuple[Generic, int] | None:
    """Return an op that only adds to `sums`, and the number of the operand that it adds."""
    generic = _of_one_op(op, "arith.addf")
    if generic is None or len(generic.inputs) != 2:
        return None
    if [value is sums for value in generic.inputs].count(True) != 1:
        return None
    added = 1 if generic.inputs[0] is sums else 0
    inner = list(generic.block.first_op.operands)
    if not is_identity(generic.maps[1 - added]) or {*inner} != {*generic.block.args[:2]}:
        return None
    return generic, added


def _choice(op: Operation, new: SSAValue, old: SSAValue) -> Generic | None:
    """Return an op that only chooses between `new`, where its first operand holds, and `old`."""
    generic = _of_one_op(op, "arith.select")
    if generic is None or len(generic.inputs) != 3:
        return None
    if list(generic.inputs[1:]) != [new, old] or not all(map(is_identity, generic.maps[1:])):
        return None
    inner = list(generic.block.first_op.operands)
    return generic if inner == list(generic.block.args[:3]) else None


def _of_one_op(op: Operation, name: str) -> Generic | None:
    """Return a loop over all of a block whose body is one op; None for another."""
    if op.name != "linalg.generic":
        return None
    generic = generic_of(op)
    first = generic.block.first_op
    if first.name != name or first.next_op is not terminator(generic.block):
        return None
    return generic if is_loop_over_all(generic) and generic.yielded[0] is first.results[0] else None


def _is_added_up(sums: SSAValue) -> bool:
    """Return whether all that is done with a single long row of sums is to add them up."""
    shape, reduce = shape_of(sums.type), only_user(sums)
    long = [d for d, size in enumerate(shape) if size != 1]
    if len(long) != 1 or prod(shape) < SHORTEST or reduce is None:
        return False
    if reduce.name != "linalg.reduce" or reduce.operands[0] is not sums:
        return False
    return is_plain_sum(reduce) and long[0] in integers(reduce, "dimensions")


def is_plain_sum(reduce: Operation) -> bool:
    """Return whether a `linalg.reduce` adds up the floats of one block."""
    block: Any = single_block(reduce)
    first = block.first_op
    adds = first.name == "arith.addf" and {*first.operands} == {*block.args}
    plain = adds and terminator(block).operands[0] is first.results[0]
    return plain and len(reduce.operands) == 2
