"""
Rows that are reduced to one number each, as many at a time as a vector has lanes.

A row leaves a vector of partial results. To combine these by halves takes as long as a short row
does by itself. Vectors of several rows are combined two by two instead, each half with the other
one of the same row, so that a step does two rows and leaves one vector of both:

    a0 a1 a2 a3   a0+a2 a1+a3 b0+b2 b1+b3
    b0 b1 b2 b3                             a b c d
    c0 c1 c2 c3   c0+c2 c1+c3 d0+d2 d1+d3
    d0 d1 d2 d3

The numbers of a row are combined in the same order as by themselves.
"""

from collections.abc import Callable, Sequence

from xtriton.cpu.builder import IRBuilder, Operand

PART = 16
"""Bytes of a vector within which CPUs move lanes at once."""
LEAST_ROWS = 4
"""Of a block that are reduced together."""

Combine = Callable[[int, Operand, Operand], Operand]
"""Combines two vectors of so many lanes."""


def rows_together(size: int, lanes: int) -> int:
    """Return how many rows of so many are reduced at a time in vectors of `lanes`; 1 if each is."""
    count = lanes
    while count > 1 and size % count:
        count //= 2
    return count if count >= LEAST_ROWS else 1


def fold_rows(
    b: IRBuilder, element: str, bytes: int, lanes: int, rows: Sequence[Operand], combine: Combine
) -> Operand:
    """
    Return a vector of what the numbers of each of some `rows` make, in their order.

    They are vectors of so many `lanes`, of `bytes` of the LLVM type `element`, and a power of two,
    but no more than lanes.
    """

    def halved(lanes: int, left: int, low: Sequence[int], one: Operand, other: Operand) -> Operand:
        """Combine what lies in lanes from `low` on with the other halves of what is `left`."""
        vector, high = f"<{lanes} x {element}>", [lane + left // 2 for lane in low]
        upper, lower = (b.shuffled(vector, one, other, order) for order in (high, low))
        return combine(len(low), upper, lower)

    while lanes > len(rows):
        rows = [halved(lanes, lanes, range(lanes // 2), row, "poison") for row in rows]
        lanes //= 2
    part = max(PART // bytes, 1)
    vectors: list[Operand] = [""] * len(rows)
    for place, row in zip(_places(lanes, part), rows, strict=True):
        vectors[place] = row
    left = lanes
    while left > 1:
        low = [start + lane for start in _order(lanes, left, part) for lane in range(left // 2)]
        pairs = zip(vectors[::2], vectors[1::2], strict=True)
        vectors = [halved(lanes, left, low, *pair) for pair in pairs]
        left //= 2
    return vectors[0]


def _order(lanes: int, left: int, part: int) -> list[int]:
    """
    Return where the numbers of each row begin in two vectors, in the order in which they go on.

    Rows stay in their part of a vector once that holds several.
    """
    group = min(part, lanes) if left <= part else lanes
    starts = [range(start, start + group, left) for start in range(0, lanes, group)]
    return [start + second for each in starts for second in (0, lanes) for start in each]


def _places(lanes: int, part: int) -> list[int]:
    """Return where rows have to be among vectors so that their results are in order."""
    rows, left = [[number] for number in range(lanes)], lanes
    while left > 1:
        order = _order(lanes, left, part)
        pairs = [one + other for one, other in zip(rows[::2], rows[1::2], strict=True)]
        rows = [[pair[start // left] for start in order] for pair in pairs]
        left //= 2
    return rows[0]
