"""
Totals that a loop keeps for each place of a block, only to add up its rows or columns behind it.

    sums = zeros([M, N])
    for start in range(0, length, N):
        sums += load(block) * load(row)[None, :]
    totals = sum(sums, 1)

Such a block of sums is no longer in registers, so that each vector that is loaded takes two loads
more and a store. Where nobody sees the sums, the loop keeps some vectors of each row, which are in
registers while a block goes into them, or one row where columns are added up. Maxima and minima are
kept in the same way; `row_totals` has blocks of one row.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import is_shaped, shape_of, single_block
from xtriton.cpu.emitter.arithmetic import NUMBER_SELECTIONS, binary
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.extrema import next_number
from xtriton.cpu.emitter.row_steps import Behind, Step, block_reduction_behind, step_of
from xtriton.cpu.emitter.row_totals import first_of, nothing_of, values_taken
from xtriton.cpu.emitter.rows import Rows
from xtriton.cpu.emitter.values import Storage, View
from xtriton.cpu.types import Type

VECTORS = 4
"""Of f32 that a row of a block is taken into at a time."""


@dataclass(frozen=True)
class BlockTotal:
    """
    Rows that the turns of a loop take blocks into, along dimension `axis`; `nothing` changes none.
    """

    place: View
    step: Step
    axis: int
    nothing: Operand

    def take(self, e: Emitter) -> View:
        """Take in what a turn of the loop does; return where the totals lie."""
        shape, lanes = shape_of(self.step.generic.op.results[0].type), _lanes(e, self.place.type)
        with e.nested():
            if self.axis == 1:
                e.builder.loop(0, shape[0], 1, lambda row, _: self._row(e, row, shape[1], lanes))
            else:
                chunks = shape[1] // lanes
                e.builder.loop(0, chunks, 1, lambda n, _: self._columns(e, n, shape[0], lanes))
        return self.place

    def _row(self, e: Emitter, row: Operand, columns: int, lanes: int) -> Sequence[Operand]:
        """Take a row of a block into some vectors."""

        def start_of(number: Operand) -> tuple[Operand, Operand]:
            return row, e.builder.mul(number, lanes)

        self._into(e, (row, 0), columns // lanes, lanes, start_of)
        return ()

    def _columns(self, e: Emitter, number: Operand, rows: int, lanes: int) -> Sequence[Operand]:
        """Take some columns of a block, one row after the other, into as many totals."""
        first = e.builder.mul(number, lanes)
        self._into(e, (0, first), rows, lanes, lambda row: (row, first))
        return ()

    def _into(
        self,
        e: Emitter,
        at: tuple[Operand, Operand],
        turns: int,
        lanes: int,
        start_of: Callable[[Operand], tuple[Operand, Operand]],
    ) -> None:
        """Take so many times as many elements of a row into the totals at `at`."""
        b, step, type = e.builder, self.step, self.place.type
        value_at, partial = values_taken(e, step, self.nothing), e.allocate((lanes,), type)
        row, first = at

        def turn(number: Operand, _: list[str]) -> Sequence[Operand]:
            source, start = start_of(number)

            def write(asked: Rows) -> None:
                def body(lane: list[Operand]) -> None:
                    column = b.add(start, lane[0])
                    with e.asking_of(asked, column):
                        value = value_at([source, column])
                    before = e.load_accumulated(partial, lane)
                    combine = next_number if step.combiner in NUMBER_SELECTIONS else binary
                    e.store(partial, lane, combine(e, step.combiner, type, before, value))

                e.nest([lanes], body, parallel=True, vectors=VECTORS)

            e.write_alike(start, lanes, write)
            return ()

        def load(lane: list[Operand]) -> None:
            e.store(partial, lane, e.load(self.place, [row, b.add(first, lane[0])]))

        def store(lane: list[Operand]) -> None:
            e.store(self.place, [row, b.add(first, lane[0])], e.load(partial, lane))

        e.nest([lanes], load, parallel=True, vectors=VECTORS)
        b.loop(0, turns, 1, turn)
        e.nest([lanes], store, parallel=True, vectors=VECTORS)


def _lanes(e: Emitter, type: Type) -> int:
    """Return how many elements of a row are taken in at a time."""
    return VECTORS * e.target.lanes(type.bytes)


def block_totals(e: Emitter, loop: Operation, initial: Sequence[SSAValue]) -> Mapping[int, View]:
    """
    Return where such totals are kept, by the number of the loop's result.

    The op in the loop that would yield the block of them is noted.
    """
    carried = [n for n, value in enumerate(initial) if is_shaped(value.type)]
    if len(carried) != 1 or e.checked:
        return {}
    number = carried[0]
    shape, type = shape_of(initial[number].type), e.type(initial[number].type)
    if len(shape) != 2 or min(shape) < 2 or type.register not in ("float", "double"):
        return {}
    step = step_of(single_block(loop).args[1 + number], number)
    first = None if step is None else first_of(e, step, initial[number])
    if step is None or first is None or shape in e.in_columns:
        return {}
    behind, lanes = block_reduction_behind(loop.results[number], step.combiner), _lanes(e, type)
    if behind is None or shape[1] % lanes or (behind.axis == 1 and shape[1] == lanes):
        return {}
    # One more in front of each row, with which a reduction may begin.
    sizes = (shape[0], 1 + lanes) if behind.axis == 1 else (1, 1 + shape[1])
    whole = e.allocate(sizes, type, by_rows=True)
    e.nest(whole.sizes, lambda at: e.store(whole, at, first), parallel=True)
    storage = Storage(whole.storage.pointer, writable=False)
    place = View(storage, type, 1, (sizes[0], sizes[1] - 1), whole.strides)
    e.skipped.update((*step.ops[:-1], *behind.slices))
    e.totals[step.ops[-1]] = BlockTotal(place, step, behind.axis, nothing_of(step, first))
    if behind.slices:
        _begin_with_first(e, behind, place)
    return {number: place}


def _begin_with_first(e: Emitter, behind: Behind, place: View) -> None:
    """Have a reduction that takes the first row, or column, and then the others, take totals."""
    reduce, (rows, columns), (pitch, _) = behind.op, place.sizes, place.strides
    if behind.axis == 0:
        e.skipped.add(reduce)
        e.bind(reduce.results[0], replace(place, sizes=(columns,), strides=(1,)))
        return
    rest, first = reduce.operands
    e.bind(rest, place)
    e.bind(first, replace(place, offset=0, sizes=(rows,), strides=(pitch,)))
