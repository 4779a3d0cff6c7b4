"""
Reductions: `linalg.reduce` and generics with reduction loops.

Along the innermost dimension a reduction keeps as many partial results as several vectors
hold, so that its loop is elementwise and vectorises whatever the combiner is; they are
combined at the end. A reduction's order is free: Triton promises none. Sums of f16 and bf16
are kept in f32.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import terminator
from xtriton.cpu.emitter.affine import evaluate
from xtriton.cpu.emitter.arithmetic import binary
from xtriton.cpu.emitter.columns import reduces_columns, turned
from xtriton.cpu.emitter.combiners import (
    ELEMENTWISE,
    LEAST_PARTIAL_BYTES,
    PARTIAL_VECTORS,
    keeps_an_extremum,
    lanes_for,
    peels,
    simple_combiner,
    whole_inputs,
)
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.emitter.elementwise import FUNCTION_COST, cost_of
from xtriton.cpu.emitter.extrema import NAN, extremum, first_number, keeps_numbers, next_number
from xtriton.cpu.emitter.folded_rows import fold_rows, rows_together
from xtriton.cpu.emitter.generics import (
    Generic,
    generic_of_reduce,
    indexed,
    loop_sizes,
    operand_value,
    run_body,
)
from xtriton.cpu.emitter.late_stores import LeftRow, left_row, make_left, store_left
from xtriton.cpu.emitter.next_programs import Row, ask, next_rows_of
from xtriton.cpu.emitter.rows import Rows
from xtriton.cpu.emitter.streaming import likely_goes_around
from xtriton.cpu.emitter.trees import is_tree, reduce_by_halves
from xtriton.cpu.emitter.values import Lazy, View
from xtriton.cpu.types import Type

ROWS = 4
"""Of a block whose columns are reduced: each accumulator is loaded and stored once for so many."""
LIGHT = 8
"""Operations for each element, loads included, of which so many rows are done at a time."""


@rule("linalg.reduce")
def _reduce(e: Emitter, op: Operation) -> None:
    generic = generic_of_reduce(op)
    if reduces_columns(generic, e.in_columns):
        reduce_generic(e, turned(generic), same_kind=True)
        return
    whole = whole_inputs(generic)
    if whole is not None and simple_combiner(generic) is None and not keeps_an_extremum(generic):
        by_halves = replace(generic, inputs=whole)
        if is_tree(by_halves, loop_sizes(e, by_halves)):
            for result, place in zip(op.results, reduce_by_halves(e, by_halves), strict=True):
                e.bind(result, place)
            return
    if whole is not None and peels(generic, whole):
        generic.inputs = whole
    else:
        whole = None
    reduce_generic(e, generic, same_kind=True, peeled=whole is not None)
    if (stored := e.left_to_sums.get(op)) is not None:
        e.bind(op.operands[0], stored)


def reduce_generic(
    e: Emitter, generic: Generic, *, same_kind: bool = False, peeled: bool = False
) -> None:
    """
    Bind the results of a structured op with reduction loops.

    `same_kind` says that inputs and accumulators are interchangeable: the body combines two
    of a kind; `peeled` that the initial value is the first of the inputs, to count once.
    """
    reduction = Reduction(e, generic, same_kind, peeled)
    places = reduction.run()
    for result, place in zip(generic.op.results, places, strict=True):
        e.bind(result, place)


class Reduction:
    """One reduction while its code is generated."""

    def __init__(self, e: Emitter, generic: Generic, same_kind: bool, peeled: bool):
        self.e = e
        self.generic = generic
        self.sizes = loop_sizes(e, generic)
        self.operands = [operand_value(e, value) for value in generic.inputs]
        self.initial = [e.tensor(value) for value in generic.outputs]
        self.types = [e.type(value.type) for value in generic.outputs]
        self.combiner = simple_combiner(generic)
        self.same_kind = same_kind
        self.peeled = peeled
        if self.combiner in ("arith.addf", "arith.mulf"):
            self.accumulators = [e.computing_type(type) for type in self.types]
        else:
            self.accumulators = self.types
        self._numbers = keeps_numbers(self.combiner, self.accumulators[0])

    def run(self) -> list[View]:
        real = [d for d, size in enumerate(self.sizes) if size != 1]
        last = real[-1] if real else None
        self.places = [self._place(number) for number in range(len(self.types))]
        with self.e.builder.fresh_memory():
            if last is None or self.generic.reductions[last]:
                self._in_registers()
            else:
                self._in_memory()
        return self.places

    def _place(self, number: int) -> View:
        value = self.generic.outputs[number]
        if isinstance(value.type, MemRefType):
            return self.e.view(value)
        tensor = self.initial[number]
        op = self.generic.op
        others = [v for n, v in enumerate(op.operands) if n != len(self.generic.inputs) + number]
        if isinstance(tensor, View) and self.e.may_take_over(tensor, op, others):
            return tensor
        return self.e.allocate(tensor.sizes, self.types[number], self.generic.op)

    # --- the innermost loop is parallel: accumulate in memory ----------------------------

    def _in_memory(self) -> None:
        e = self.e
        for tensor, place in zip(self.initial, self.places, strict=True):
            e.write(tensor, place)

        rows, count = self._rows_at_once()
        size = self.sizes[rows]
        rest = 0 if count == 1 else int(size) % count
        self._take_rows(rows, 0, e.builder.sub(size, rest), count)
        if rest:
            self._take_rows(rows, int(size) - rest, rest, rest)

    def _take_rows(self, rows: int, begin: int, size: Operand, count: int) -> None:
        """Take in `size` rows along a dimension from one on, each accumulator with `count`."""
        e = self.e

        def body(indices: list[Operand]) -> None:
            where = [self._out_indices(number, indices) for number in range(len(self.places))]
            values: list[Operand] = [
                e.load_accumulated(place, at) for place, at in zip(self.places, where, strict=True)
            ]
            first = e.builder.add(e.builder.mul(indices[rows], count), begin)
            for number in range(count):
                point = list(indices)
                point[rows] = e.builder.add(first, number)
                values = self.step(point, values)
            for place, at, value in zip(self.places, where, values, strict=True):
                e.store(place, at, value)

        sizes = list(self.sizes)
        sizes[rows] = e.builder.div(size, count)
        e.nest(sizes, body, parallel=True, innermost=True)

    def _rows_at_once(self) -> tuple[int, int]:
        """
        Return along which dimension rows follow each other, and how many are taken in at a time.

        Accumulators of a short row LLVM keeps in registers, and a function takes longer than they.
        """
        reductions, sizes = self.generic.reductions, self.sizes
        real = [d for d, size in enumerate(sizes) if size != 1]
        row = sizes[real[-1]]
        rows, *others = [d for d in real if reductions[d]] or [real[-1]]
        size = sizes[rows]
        most = PARTIAL_VECTORS * self.e.target.lanes(max(type.bytes for type in self.types))
        is_long = isinstance(row, int) and row > most and rows != real[-1]
        costs = [cost_of(operand) for operand in self.operands if not isinstance(operand, Operand)]
        is_light = sum(costs) + len(self.generic.block.ops) <= LIGHT
        are_known = isinstance(size, int) and size >= ROWS and not others
        return rows, ROWS if is_long and is_light and are_known else 1

    def _out_indices(self, number: int, indices: Sequence[Operand]) -> list[Operand]:
        return [evaluate(self.e, r, indices) for r in self.generic.output_maps[number].results]

    def step(self, indices: Sequence[Operand], old: Sequence[Operand]) -> list[Operand]:
        """Return the accumulators after taking in one point."""
        e, generic = self.e, self.generic
        for argument, operand, map in zip(
            generic.block.args, self.operands, generic.maps, strict=False
        ):
            e.environment[argument] = indexed(e, operand, map, indices)
        for argument, value in zip(generic.output_arguments, old, strict=True):
            e.environment[argument] = value
        return run_body(e, generic, indices)

    # --- the innermost loop reduces: accumulate in registers -----------------------------

    def _in_registers(self) -> None:
        reductions = self.generic.reductions
        parallel = [d for d, reduces in enumerate(reductions) if not reduces]
        reducing = [d for d, reduces in enumerate(reductions) if reduces]
        lanes = self._lanes(self.sizes[reducing[-1]]) if reducing else 0
        rows, count = self._rows_together(parallel, lanes)
        if count > 1:
            self._by_rows(rows, count, reducing, lanes)
            return

        def outer(outer_indices: list[Operand]) -> None:
            indices: list[Operand] = [0] * len(self.sizes)
            for dimension, index in zip(parallel, outer_indices, strict=True):
                indices[dimension] = index

            def reduced(initial: list[Operand]) -> list[Operand]:
                if not lanes:
                    return self._one_by_one(indices, reducing, initial)
                totals = self._fold(self._partial_results(indices, reducing, lanes), lanes)
                return self._finished(indices, reducing, totals, initial)

            self._put(indices, reduced)

        self.e.nest([self.sizes[d] for d in parallel], outer)

    def _put(
        self, indices: list[Operand], reduced: Callable[[list[Operand]], list[Operand]]
    ) -> None:
        """Store what the initial values at a point are `reduced` to."""
        where = [self._out_indices(n, indices) for n in range(len(self.places))]
        initial = [
            "poison" if self.peeled else self.e.element(tensor, at)
            for tensor, at in zip(self.initial, where, strict=True)
        ]
        for place, at, value in zip(self.places, where, reduced(initial), strict=True):
            self.e.store(place, at, value)

    def _rows_together(self, parallel: Sequence[int], lanes: int) -> tuple[int, int]:
        """
        Return along which dimension rows are reduced together, and how many are at a time.

        They are rows of one block that leave vectors of partial results.
        """
        real = [d for d in parallel if self.sizes[d] != 1]
        size = self.sizes[real[0]] if len(real) == 1 else None
        if not lanes or not isinstance(size, int) or not self._is_by_vectors:
            return 0, 1
        return real[0], rows_together(size, self._width(lanes))

    def _by_rows(self, rows: int, count: int, reducing: list[int], lanes: int) -> None:
        """Reduce so many rows along a dimension at a time; see `folded_rows`."""
        e, b, type, width = self.e, self.e.builder, self.accumulators[0], self._width(lanes)
        vectors, totals = e.allocate((count * width,), type), e.allocate((count,), type)
        indices: list[Operand] = [0] * len(self.sizes)

        def combined(lanes: int, one: Operand, other: Operand) -> Operand:
            return self._partial(one, other, _vector(type, lanes))[0]

        def group(numbers: list[Operand]) -> None:
            first = b.mul(numbers[0], count)

            def row(number: list[Operand]) -> None:
                indices[rows] = b.add(first, number[0])
                (partial,) = self._partial_results(indices, reducing, lanes)
                place = e.address(vectors, [b.mul(number[0], width)])
                vector = self._one_vector(partial, lanes)
                b.store(_vector(type, width).register, vector, place, type.bytes)

            def finish(number: list[Operand]) -> None:
                indices[rows] = b.add(first, number[0])
                total = [e.load(totals, number)]
                self._put(indices, lambda old: self._finished(indices, reducing, total, old))

            e.nest([count], row)
            places = [e.address(vectors, [number * width]) for number in range(count)]
            found = [b.load(_vector(type, width).register, place, type.bytes) for place in places]
            total = fold_rows(b, type.register, type.bytes, width, found, combined)
            b.store(_vector(type, count).register, total, e.address(totals, [0]), type.bytes)
            e.nest([count], finish, parallel=not self._numbers)

        e.nest([b.div(self.sizes[rows], count)], group)

    def _lanes(self, extent: Operand) -> int:
        """
        How many partial results to keep side by side; 0 for one.

        With AVX2 a loop of two turns of fewer vectors goes through memory.
        """
        if not isinstance(extent, int) or not (self.combiner or self.same_kind):
            return 0
        element_bytes = max(type.bytes for type in self.accumulators)
        at_once = self.e.target.has_few_registers
        return lanes_for(extent, element_bytes, self._partial_bytes(), at_once=at_once)

    def _partial_bytes(self) -> int:
        """
        Return how many bytes of partial results to keep.

        Where a function is computed of each element no addition is waited for: partial results of
        more vectors than such a loop computes at a time would lie in memory.
        """
        target = self.e.target
        vectors = target.chains if self._is_dear else PARTIAL_VECTORS
        return max(vectors * target.vector_bits // 8, LEAST_PARTIAL_BYTES)

    def _vectors(self, lanes: int) -> int:
        """
        Return how many vectors partial results are to be computed at a time; 0 if LLVM may choose.

        A loop of functions it does not take apart, and what is done of fewer is over soon.
        """
        whole = PARTIAL_VECTORS * self.e.target.lanes(max(type.bytes for type in self.accumulators))
        return PARTIAL_VECTORS if lanes == whole and not self._is_dear else 0

    @property
    def _is_dear(self) -> bool:
        """Return whether a function is computed of each element."""
        costs = [cost_of(operand) for operand in self.operands if isinstance(operand, Lazy)]
        return max(costs, default=0) >= FUNCTION_COST

    def _one_by_one(
        self, indices: list[Operand], reducing: list[int], initial: Sequence[Operand]
    ) -> list[Operand]:
        """Loops that carry the accumulators in registers."""
        if not reducing:
            return self.step(indices, initial)
        dimension, *inner = reducing

        def body(index: Operand, carried: list[str]) -> list[Operand]:
            return self._one_by_one(
                [*indices[:dimension], index, *indices[dimension + 1 :]], inner, carried
            )

        if self.sizes[dimension] == 1:
            return self._one_by_one(indices, inner, initial)
        # LLVM may still find a way to vectorise, if it is free to reorder.
        pairs = [(type.register, value) for type, value in zip(self.types, initial, strict=True)]
        with self.e.reassociating():
            return list(self.e.builder.loop(0, self.sizes[dimension], 1, body, pairs))

    # --- side by side --------------------------------------------------------------------

    def _partial_results(
        self, indices: list[Operand], reducing: list[int], lanes: int
    ) -> list[View]:
        """Return so many partial results of what is reduced at a point."""
        e = self.e
        last = reducing[-1]
        partial = [e.allocate((lanes,), type) for type in self.accumulators]
        outer = reducing[:-1]
        extent = self.sizes[last]
        assert isinstance(extent, int)
        chunks, rest = divmod(extent, lanes)
        vectors = self._vectors(lanes)
        left = left_row(e, self.generic.op, lanes)
        following: list[Row] = []
        if self._is_dear:
            # A row that has been left takes as much of the first cache as this program's own.
            halved, near = _in_halves(left), left is None or e.target.holds_two_rows_near
            following = next_rows_of(e, self.generic.op, self.sizes, halved, near=near)

        def take(
            chunk_indices: list[Operand], chunk: Operand, first: bool, count: int = lanes
        ) -> None:
            start = e.builder.mul(chunk, lanes)
            ask(e, following, start, count)
            make_left(e, left, start)

            def write(asked: Rows) -> None:
                def body(lane: list[Operand]) -> None:
                    point = list(chunk_indices)
                    point[last] = e.builder.add(e.builder.mul(chunk, lanes), lane[0])
                    with e.asking_of(asked, point[last]):
                        if first:
                            values = self._first(point)
                        else:
                            old = [e.load_accumulated(place, lane) for place in partial]
                            values = self._combined(point, old)
                    for place, value in zip(partial, values, strict=True):
                        e.store(place, lane, value)

                e.nest([count], body, parallel=True, vectors=vectors if count == lanes else 0)

            e.write_alike(start, count, write)
            store_left(e, left, start)

        # The first chunk of all initialises; the others follow in any order.
        take(indices, 0, True)

        def rest_of_row(row: list[Operand], start: int) -> None:
            def body(chunk: Operand, _: list[str]) -> Sequence[Operand]:
                take(row, chunk, False)
                return ()

            if start < chunks:
                e.builder.loop(start, chunks, 1, body)
            if rest:
                take(row, chunks, False, rest)

        rest_of_row(indices, 1)
        self._other_rows(indices, outer, rest_of_row)
        return partial

    def _finished(
        self,
        indices: list[Operand],
        reducing: list[int],
        totals: list[Operand],
        initial: list[Operand],
    ) -> list[Operand]:
        """Return what all that is reduced at a point makes, which is `totals` of numbers."""
        if self._numbers:

            def carefully() -> Operand:
                return self._one_by_one(indices, reducing, [NAN])[0]

            assert self.combiner is not None
            totals = [extremum(self.e, self.combiner, self.types[0], totals[0], carefully)]
        return self._with_initial(totals, initial)

    def _other_rows(
        self,
        indices: list[Operand],
        outer: list[int],
        row: Callable[[list[Operand], int], None],
    ) -> None:
        """Visit all points of the outer reduction loops but the very first."""
        real = [d for d in outer if self.sizes[d] != 1]
        if not real:
            return
        total = self.e.builder.product([self.sizes[d] for d in real])

        def body(number: Operand, _: list[str]) -> Sequence[Operand]:
            point = list(indices)
            rest = number
            for d in reversed(real):
                size = self.sizes[d]
                if not isinstance(size, int):
                    self.e.unsupported(
                        self.generic.op, "a reduction over several dynamic dimensions"
                    )
                    return ()
                point[d] = self.e.builder.rem(rest, size)
                rest = self.e.builder.div(rest, size)
            row(point, 0)
            return ()

        self.e.builder.loop(1, total, 1, body)

    def _first(self, point: list[Operand]) -> list[Operand]:
        """Return the partial results of a single point."""
        if self.combiner is None:
            return [
                indexed(self.e, operand, map, point)
                for operand, map in zip(self.operands, self.generic.input_maps, strict=True)
            ]
        value = self._contribution(point)
        if self._numbers:
            value = first_number(self.e, self.combiner, self.types[0], value)
        return [value]

    def _contribution(self, point: list[Operand]) -> Operand:
        """Return what a simple combiner adds at a point, in the accumulator's type."""
        e, generic = self.e, self.generic
        for argument, operand, map in zip(
            generic.block.args, self.operands, generic.maps, strict=False
        ):
            e.environment[argument] = indexed(e, operand, map, point)
        combining = terminator(generic.block).operands[0].owner
        accumulator = generic.output_arguments[0]
        value: SSAValue | None = None
        for op in generic.block.ops:
            if op is combining:
                value = next(v for v in op.operands if v is not accumulator)
            elif op.next_op is not None:
                self._run_inner(op, point)
        assert value is not None
        return e.widen(self.types[0], e.scalar(value)) if self._widened else e.scalar(value)

    @property
    def _widened(self) -> bool:
        return self.accumulators != self.types

    def _run_inner(self, op: Operation, point: list[Operand]) -> None:
        from xtriton.ir.attributes import integer

        if op.name == "linalg.index":
            self.e.bind(op.results[0], point[integer(op, "dim")])
        else:
            self.e.run(op)

    def _combined(self, point: list[Operand], old: list[Operand]) -> list[Operand]:
        if self.combiner is None:
            return self.step(point, old)
        return self._partial(old[0], self._contribution(point))

    def _partial(self, old: Operand, value: Operand, type: Type | None = None) -> list[Operand]:
        """
        Combine a partial result of a simple combiner with a value or another one.

        Of `type`, if they are vectors.
        """
        assert self.combiner is not None
        if self._numbers:
            return [next_number(self.e, self.combiner, type or self.types[0], old, value)]
        return [binary(self.e, self.combiner, type or self.accumulators[0], old, value)]

    def _merge(self, a: list[Operand], b: list[Operand]) -> list[Operand]:
        """Combine two sets of results."""
        if self.combiner is not None:
            return [binary(self.e, self.combiner, self.accumulators[0], a[0], b[0])]
        block = self.generic.block
        for argument, value in zip(block.args, (*a, *b), strict=True):
            self.e.environment[argument] = value
        return run_body(self.e, self.generic, [])

    def _fold(self, partial: list[View], lanes: int) -> list[Operand]:
        """Combine all partial results."""
        e = self.e
        if self._is_by_vectors:
            return [self._fold_vector(partial[0], lanes)]
        half = lanes // 2
        while half >= 1:

            def body(lane: list[Operand], half: int = half) -> None:
                other: list[Operand] = [e.builder.add(lane[0], half)]
                a = [e.load_accumulated(place, lane) for place in partial]
                b = [e.load(place, other) for place in partial]
                merged = self._merge(b, a) if self.combiner is None else self._partial(b[0], a[0])
                for place, value in zip(partial, merged, strict=True):
                    e.store(place, lane, value)

            e.nest([half], body, parallel=True)
            half //= 2
        return [e.load(place, [0]) for place in partial]

    @property
    def _is_by_vectors(self) -> bool:
        """Return whether partial results are combined as vectors."""
        return self._numbers or self.combiner in ELEMENTWISE

    def _width(self, lanes: int) -> int:
        """Return how many of so many partial results a vector holds."""
        return min(self.e.target.lanes(self.accumulators[0].bytes), lanes)

    def _one_vector(self, partial: View, lanes: int) -> Operand:
        """Combine partial results to as many as a vector holds."""
        e, b, type, width = self.e, self.e.builder, partial.type, self._width(lanes)
        vector = _vector(type, width)
        whole: list[Operand] = [
            b.load(vector.register, e.address(partial, [start]), type.bytes)
            for start in range(0, lanes, width)
        ]
        while len(whole) > 1:
            half = len(whole) // 2
            pairs = zip(whole[half:], whole[:half], strict=True)
            whole = [self._partial(high, low, vector)[0] for high, low in pairs]
        return whole[0]

    def _fold_vector(self, partial: View, lanes: int) -> Operand:
        """Combine partial results by halves in registers: LLVM takes short loops apart."""
        b, type, width = self.e.builder, partial.type, self._width(lanes)
        last = self._one_vector(partial, lanes)
        while width > 1:
            register, width = _vector(type, width).register, width // 2
            low, high = (
                b.shuffled(register, last, "poison", range(start, start + width))
                for start in (0, width)
            )
            last = self._partial(high, low, _vector(type, width))[0]
        return b.value(f"extractelement {_vector(type, width).register} {last}, i64 0")

    def _with_initial(self, totals: list[Operand], initial: list[Operand]) -> list[Operand]:
        e = self.e
        if self.peeled:
            return [e.narrow(self.types[0], totals[0])] if self._widened else totals
        if not self._widened:
            return self._merge(totals, initial)
        wide = [e.widen(self.types[0], initial[0])]
        return [e.narrow(self.types[0], self._merge(totals, wide)[0])]


def _vector(type: Type, lanes: int) -> Type:
    return replace(type, register=f"<{lanes} x {type.register}>")


def _in_halves(left: LeftRow | None) -> Callable[[Emitter, int], str]:
    """Return what says whether half of a row is asked for as this program's own is stored."""

    def in_halves(e: Emitter, length: int) -> str:
        goes_around, b = likely_goes_around(e, length), e.builder
        return (
            goes_around
            if left is None
            else b.both(goes_around, b.value(f"xor i1 {left.leaves}, true"))
        )

    return in_halves
