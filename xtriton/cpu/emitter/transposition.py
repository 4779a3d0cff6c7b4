"""
Copies from columns to rows.

A block whose elements lie one after the other along another dimension than they are wanted is
turned in squares: a few vectors along the one dimension are loaded, turned in registers, and
stored along the other. Element by element each would touch a cache line of its own.

Source: J. O. Eklundh, "A Fast Computer Method for Matrix Transposing" (1972).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.values import View, dense_dimension

Address = Callable[[View, Sequence[Operand]], str]
"""Returns the address of an element of a view."""

MOST_BYTES = 32
"""Of a vector of one side of a square, unless vectors that hold more are as quick."""


def turned_order(
    source: View, destination: View, sizes: Sequence[Operand]
) -> tuple[int, ...] | None:
    """
    Return in which order to loop over the dimensions of a block that lies in columns.

    The last one is that along which the source is dense, so that each of its cache lines is read
    once; the one before that along which the destination is. None is returned for other blocks.
    """
    a, b = (dense_dimension(view.strides, sizes) for view in (source, destination))
    if a is None or b is None or a == b:
        return None
    return (*(d for d in range(len(sizes)) if d not in (a, b)), b, a)


@dataclass(frozen=True)
class Squares:
    """
    A copy in squares of `lanes` elements a side, in `turned_order`.

    The two places must not overlap. `move` copies the element at some places, in that order: those
    of the rows and columns that fill no square. Sides have `most_bytes` at most.
    """

    builder: IRBuilder
    address: Address
    move: Callable[[list[Operand]], None]
    source: View
    destination: View
    sizes: Sequence[Operand]
    order: Sequence[int]
    most_bytes: int = MOST_BYTES

    @property
    def lanes(self) -> int:
        """
        How many elements of one size a side has; 1 if squares gain nothing.

        The largest that divides the sizes that are known, or else that they hold at all.
        """
        sides = [self.sizes[d] for d in self.order[-2:]]
        known = [size for size in sides if isinstance(size, int)]
        fitting = [n for n in (16, 8, 4) if n * self.source.type.bytes <= self.most_bytes]
        whole = [n for n in fitting if not any(size % n for size in known)]
        partial = [n for n in fitting if all(size >= n for size in known)]
        return (whole or partial or [1])[0]

    def copy(self) -> None:
        b, lanes = self.builder, self.lanes
        *outer, rows, columns = [self.sizes[d] for d in self.order]
        counts = [b.div(size, lanes) for size in (rows, columns)]
        done = [b.mul(count, lanes) for count in counts]
        # What has been computed is near: lines of where it goes had better be filled at once.
        is_near = (
            self.source.storage.argument is None and self.destination.storage.argument is not None
        )
        if is_near:
            n = len(outer)
            turned = [*outer, *reversed(counts)]
            b.nest(turned, lambda at: self._square([*at[:n], at[n + 1], at[n]]))
        else:
            b.nest([*outer, *counts], self._square)
        self._elements([*outer, b.sub(rows, done[0]), columns], (done[0], 0))
        self._elements([*outer, done[0], b.sub(columns, done[1])], (0, done[1]))

    def _square(self, places: list[Operand]) -> None:
        """Copy one square: its number along each side is where `places` ends."""
        builder, lanes, align = self.builder, self.lanes, self.source.type.bytes
        vector = f"<{lanes} x i{8 * align}>"
        row_dimension, column_dimension = self.order[-2:]
        at = dict(zip(self.order, places, strict=True))
        at |= {d: builder.mul(at[d], lanes) for d in self.order[-2:]}

        def row(view: View, dimension: int, k: int) -> str:
            moved = at | {dimension: builder.add(at[dimension], k)}
            return self.address(view, [moved[d] for d in range(len(self.sizes))])

        rows = [
            builder.load(vector, row(self.source, row_dimension, k), align) for k in range(lanes)
        ]
        for k, turned in enumerate(turned_square(builder, vector, rows)):
            builder.store(vector, turned, row(self.destination, column_dimension, k), align)

    def _elements(self, sizes: Sequence[Operand], starts: Sequence[Operand]) -> None:
        """Copy what begins at `starts` of the two sides, element by element."""
        if 0 in sizes:
            return

        def element(places: list[Operand]) -> None:
            *outer, row, column = places
            at = [self.builder.add(*pair) for pair in zip(starts, (row, column), strict=True)]
            self.move([*outer, *at])

        self.builder.nest(sizes, element, parallel=True)


def turned_square(builder: IRBuilder, vector: str, rows: list[str]) -> list[str]:
    """
    Exchange rows and columns of a square.

    For each power of two, half of each row is exchanged with the other half of the row that far
    below: what stands there in the number of the one is then in that of the other.
    """
    lanes = len(rows)
    step = 1
    while step < lanes:
        upper = [c if not c & step else lanes + c - step for c in range(lanes)]
        lower = [c + step if not c & step else lanes + c for c in range(lanes)]
        turned = list(rows)
        for r in range(lanes):
            if not r & step:
                pair = rows[r], rows[r + step]
                turned[r] = builder.shuffled(vector, *pair, upper)
                turned[r + step] = builder.shuffled(vector, *pair, lower)
        rows = turned
        step *= 2
    return rows
