"""
Totals that a loop keeps for each place of a row, only to make one of them behind it.

A reduction over a row that is longer than a block is written with a block of sums:

    sums = zeros([1, N])
    for start in range(0, length, N):
        mask = start + arange(0, N) < length
        sums = where(mask, sums + load(start + arange(0, N), mask), sums)
    total = sum(sums)

For a row of one or two blocks, clearing and adding up so many sums takes as long as all the rest.
Where nobody sees them, each block is added up at once, in a few vectors, and then to one number.
No more additions follow each other than before: N times fewer for each number of a block, and one
for each block. Maxima and minima are kept in the same way.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import is_shaped, shape_of, single_block
from xtriton.cpu.emitter.arithmetic import FLOAT_INTRINSICS, NUMBER_SELECTIONS, binary
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.extents import is_zero_fill
from xtriton.cpu.emitter.generics import indexed, operand_value
from xtriton.cpu.emitter.guesses import Bounds
from xtriton.cpu.emitter.part_loads import note_part_loads
from xtriton.cpu.emitter.row_steps import Step, reduction_behind, step_of
from xtriton.cpu.emitter.rows import Rows
from xtriton.cpu.emitter.values import Storage, View
from xtriton.cpu.types import Type, suffix
from xtriton.dialects.utils.constants import constant_number
from xtriton.ir.attributes import integers

NO_SUM = "-0.0"
"""What changes no float that it is added to."""
_LIKE = {"arith.maxnumf": "arith.maximumf", "arith.minnumf": "arith.minimumf"}
"""What is the same of numbers, and what LLVM vectorises."""


@dataclass
class RowTotal:
    """One number that the turns of a loop take rows into; `nothing` changes no other."""

    place: View
    step: Step
    nothing: Operand

    def take(self, e: Emitter) -> View:
        """Take in what a turn of the loop does; return where the total lies."""
        _take_row(e, self)
        return self.place


def row_totals(e: Emitter, loop: Operation, initial: Sequence[SSAValue]) -> Mapping[int, View]:
    """
    Return where such totals are kept, by the number of the loop's result: one number each.

    The op in the loop that would yield the block of them is noted.
    """
    carried = [n for n, value in enumerate(initial) if is_shaped(value.type)]
    if len(carried) != 1 or e.checked:
        return {}
    number = carried[0]
    step = step_of(single_block(loop).args[1 + number], number)
    first = None if step is None else first_of(e, step, initial[number])
    if step is None or first is None:
        return {}
    totals = loop.results[number]
    type, rank = e.type(totals.type), len(shape_of(totals.type))
    reduce = reduction_behind(totals, step.combiner)
    if reduce is None or type.register not in ("float", "double"):
        return {}
    pointer = e.builder.alloca(type.memory, 1, type.bytes)
    e.builder.store(type.memory, first, pointer)
    place = View(Storage(pointer, writable=False), type, 0, (1,) * rank, (1,) * rank)
    e.skipped.update(step.ops[:-1])
    e.totals[step.ops[-1]] = RowTotal(place, step, nothing_of(step, first))
    note_part_loads(e, step.generic.inputs[step.taken], step.ops)
    _take_total(e, totals, reduce, place)
    return {number: place}


def first_of(e: Emitter, step: Step, block: SSAValue) -> Operand | None:
    """Return the number that all of a block of totals begins with, if it is one."""
    fill = block.owner
    if not isinstance(fill, Operation) or fill.name != "linalg.fill":
        return None
    if step.combiner == "arith.addf":
        return "0.0" if is_zero_fill(e, fill) else None
    if step.combiner in NUMBER_SELECTIONS and not _is_number(fill.operands[0]):
        return None
    return e.scalar(fill.operands[0])


def _is_number(value: SSAValue) -> bool:
    """Return whether a value is a constant, and not NaN."""
    number = constant_number(value)
    return number is not None and number == number


def _take_total(e: Emitter, totals: SSAValue, reduce: Operation, place: View) -> None:
    """Have what begins with the first of a row, and takes in the others, be the total."""
    slices = [use.operation for use in totals.uses if use.operation is not reduce]
    if not slices:
        return
    e.skipped.update((*slices, reduce))
    left = len(place.sizes) - len(integers(reduce, "dimensions"))
    e.bind(reduce.results[0], View(place.storage, place.type, 0, (1,) * left, (1,) * left))


def _take_row(e: Emitter, total: RowTotal) -> None:
    """Take in what a turn of the loop does."""
    b, type, step = e.builder, total.place.type, total.step
    pointer, value_at = total.place.storage.pointer, values_taken(e, step, total.nothing)
    shape = shape_of(step.generic.op.results[0].type)
    along = next(d for d, size in enumerate(shape) if size != 1)

    def write(rows: Rows, bounds: Bounds | None) -> None:
        def body(index: Operand, carried: list[str]) -> list[Operand]:
            rows.begin(index)
            point: list[Operand] = [0] * len(shape)
            point[along] = index
            value = value_at(point)
            if step.combiner in NUMBER_SELECTIONS:
                value = _number(e, type, value, total.nothing)
            with e.reassociating():
                return [_combined(e, step.combiner, type, carried[0], value)]

        low, high = bounds or (0, shape[along])
        carried = [(type.register, total.nothing)]
        (found,) = b.loop(low, high, 1, body, carried, certain=True)
        before = b.load(type.memory, pointer)
        b.store(type.memory, _combined(e, step.combiner, type, before, found), pointer)

    with b.fresh_memory():
        e.in_rows(shape[along], write)


def nothing_of(step: Step, first: Operand) -> Operand:
    """Return what changes no total that begins with `first`."""
    return NO_SUM if step.combiner == "arith.addf" else first


def values_taken(
    e: Emitter, step: Step, nothing: Operand
) -> Callable[[Sequence[Operand]], Operand]:
    """Return what finds what a turn takes in at a point: `nothing` where a mask does not hold."""
    generic, chosen = step.generic, step.chosen
    taken = operand_value(e, generic.inputs[step.taken])
    mask = None if chosen is None else operand_value(e, chosen.inputs[0])
    type = e.type(generic.inputs[step.taken].type)

    def value_at(point: Sequence[Operand]) -> Operand:
        value = indexed(e, taken, generic.maps[step.taken], point)
        if chosen is not None and mask is not None:
            holds = indexed(e, mask, chosen.maps[0], point)
            either = f"{type.register} {value}, {type.register} {nothing}"
            value = e.builder.value(f"select i1 {holds}, {either}")
        return value

    return value_at


def _number(e: Emitter, type: Type, value: Operand, nothing: Operand) -> str:
    """Return a float, or what changes no extremum instead of NaN."""
    t = type.register
    unordered = e.builder.value(f"fcmp uno {t} {value}, {value}")
    return e.builder.value(f"select i1 {unordered}, {t} {nothing}, {t} {value}")


def _combined(e: Emitter, combiner: str, type: Type, a: Operand, b: Operand) -> Operand:
    """Combine two, of numbers where NaN does not count; which of two zeros is greater is free."""
    if combiner == "arith.addf":
        return binary(e, combiner, type, a, b)
    numbers = combiner in NUMBER_SELECTIONS
    name = FLOAT_INTRINSICS[_LIKE.get(combiner, combiner)]
    t, flags = type.register, "nnan nsz" if numbers else "nsz"
    return e.builder.call(t, f"llvm.{name}.{suffix(t)}", [(t, a), (t, b)], flags=flags)
