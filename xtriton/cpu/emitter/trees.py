"""
Reductions whose result depends on the order: by halves, as Triton's tests expect.

A combiner of several ops need not be associative: that of `tl.argmax` is not where an
element is NaN. Element i meets element i + n/2, then i + n/4, and so on, which is the order
of the interpreter too; each step is elementwise, so that it vectorises.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import Generic, loop_sizes, run_body
from xtriton.cpu.emitter.values import View


def is_tree(generic: Generic, sizes: Sequence[Operand]) -> bool:
    """True if one dimension is reduced, whose halves are of one size down to the last."""
    reduced = [size for size, reduces in zip(sizes, generic.reductions, strict=True) if reduces]
    if len(reduced) != 1 or not isinstance(reduced[0], int):
        return False
    return reduced[0] > 1 and reduced[0] & (reduced[0] - 1) == 0


def reduce_by_halves(e: Emitter, generic: Generic) -> list[View]:
    """Reduce whole inputs, a power of two of them; return where the results lie."""
    return _Tree(e, generic).run()


class _Tree:
    def __init__(self, e: Emitter, generic: Generic):
        self.e = e
        self.generic = generic
        self.sizes = loop_sizes(e, generic)
        self.axis = generic.reductions.index(True)
        extent = self.sizes[self.axis]
        assert isinstance(extent, int)
        self.half = extent // 2
        self.inputs = [e.tensor(value) for value in generic.inputs]
        self.types = [e.type(value.type) for value in generic.outputs]
        inner = self.sizes[self.axis + 1 :]
        self.rows = all(size == 1 for size in inner)
        """Whether one row after the other is reduced, in memory for half of one."""
        self.kept = [
            1 if self.rows and d != self.axis else size for d, size in enumerate(self.sizes)
        ]

    def run(self) -> list[View]:
        e, op = self.e, self.generic.op
        outer = [size for d, size in enumerate(self.sizes) if d != self.axis]
        places = [
            e.view(value) if isinstance(value.type, MemRefType) else e.allocate(outer, type, op)
            for value, type in zip(self.generic.outputs, self.types, strict=True)
        ]
        shape = [self.half if d == self.axis else size for d, size in enumerate(self.kept)]
        self.partial = [e.allocate(shape, type, op) for type in self.types]

        def row(indices: list[Operand]) -> None:
            self._levels(indices)
            self._take(places, indices)

        with e.builder.fresh_memory():
            if self.rows:
                e.nest(outer, row)
            else:
                self._levels([0] * len(outer))
                e.nest(outer, lambda indices: self._take(places, indices), parallel=True)
        return places

    def _take(self, places: Sequence[View], indices: list[Operand]) -> None:
        first = [*indices[: self.axis], 0, *indices[self.axis :]]
        at = [0] * len(first) if self.rows else first
        for place, partial in zip(places, self.partial, strict=True):
            self.e.store(place, indices, self.e.load(partial, at))

    def _levels(self, row: Sequence[Operand]) -> None:
        """Combine until one is left; `row` are the indices of the other dimensions."""
        e = self.e
        start = [*row[: self.axis], 0, *row[self.axis :]]

        def first(indices: list[Operand]) -> None:
            here = [e.builder.add(a, b) for a, b in zip(start, indices, strict=True)]
            there = self._moved(here, self.half)
            left = [e.element(tensor, here) for tensor in self.inputs]
            self._meet(left, [e.element(tensor, there) for tensor in self.inputs], indices)

        e.nest(self._shape(self.half), first, parallel=True)

        def level(number: Operand, _: list[str]) -> Sequence[Operand]:
            half = e.builder.value(f"lshr i64 {self.half}, {number}")

            def meet(indices: list[Operand]) -> None:
                there = self._moved(indices, half)
                left = [e.load_accumulated(partial, indices) for partial in self.partial]
                self._meet(left, [e.load(partial, there) for partial in self.partial], indices)

            e.nest(self._shape(half), meet, parallel=True)
            return ()

        e.builder.loop(1, self.half.bit_length(), 1, level)

    def _shape(self, half: Operand) -> list[Operand]:
        return [half if d == self.axis else size for d, size in enumerate(self.kept)]

    def _moved(self, indices: Sequence[Operand], by: Operand) -> list[Operand]:
        return [
            self.e.builder.add(index, by) if d == self.axis else index
            for d, index in enumerate(indices)
        ]

    def _meet(
        self, left: Sequence[Operand], right: Sequence[Operand], indices: Sequence[Operand]
    ) -> None:
        # The body takes new elements first, what there is so far second.
        for argument, value in zip(self.generic.block.args, (*right, *left), strict=True):
            self.e.environment[argument] = value
        values = run_body(self.e, self.generic, [])
        for partial, value in zip(self.partial, values, strict=True):
            self.e.store(partial, indices, value)
