"""
Copies from columns to rows.

A block whose elements lie one after the other along another dimension than they are wanted is
turned in squares: a few vectors along the one dimension are loaded, turned in registers, and
stored along the other. Element by element each would touch a cache line of its own.

Source: J. O. Eklundh, "A Fast Computer Method for Matrix Transposing" (1972).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.values import View

Address = Callable[[View, Sequence[Operand]], str]
"""Returns the address of an element of a view."""

MOST_BYTES = 32
"""Of a vector of one side of a square."""


def turned_order(
    source: View, destination: View, sizes: Sequence[Operand]
) -> tuple[int, ...] | None:
    """
    Return in which order to loop over the dimensions of a block that lies in columns.

    The last one is that along which the source is dense, so that each of its cache lines is read
    once; the one before that along which the destination is. None is returned for other blocks.
    """
    a, b = _dense_dimension(source, sizes), _dense_dimension(destination, sizes)
    if a is None or b is None or a == b:
        return None
    return (*(d for d in range(len(sizes)) if d not in (a, b)), b, a)


def squares(
    builder: IRBuilder,
    address: Address,
    source: View,
    destination: View,
    sizes: Sequence[Operand],
    order: Sequence[int],
) -> Callable[[], Sequence[Operand]] | None:
    """
    Return what copies in squares, in `turned_order`, if the block consists of them.

    The two must not overlap.
    """
    b, a = order[-2:]
    lanes = _lanes(source.type.bytes, sizes[a], sizes[b])
    if lanes == 1:
        return None
    counts = [_squares(sizes[d], lanes) if d in (a, b) else sizes[d] for d in order]
    align = source.type.bytes
    vector = f"<{lanes} x i{8 * align}>"

    def square(places: list[Operand]) -> None:
        at = dict(zip(order, places, strict=True))
        at |= {d: builder.mul(at[d], lanes) for d in (a, b)}

        def row(view: View, dimension: int, k: int) -> str:
            moved = at | {dimension: builder.add(at[dimension], k)}
            return address(view, [moved[d] for d in range(len(sizes))])

        rows = [builder.load(vector, row(source, b, k), align) for k in range(lanes)]
        for k, turned in enumerate(_turned(builder, vector, rows)):
            builder.store(vector, turned, row(destination, a, k), align)

    def copy() -> Sequence[Operand]:
        builder.nest(counts, square)
        return ()

    return copy


def _dense_dimension(view: View, sizes: Sequence[Operand]) -> int | None:
    """Return the dimension along which elements follow each other."""
    dense = [d for d, stride in enumerate(view.strides) if stride == 1 and sizes[d] != 1]
    return dense[0] if len(dense) == 1 else None


def _lanes(bytes: int, *sizes: Operand) -> int:
    """Return the side of the largest square that fills a block; 1 if none does."""
    for lanes in (16, 8, 4):
        if lanes * bytes <= MOST_BYTES and all(
            isinstance(size, int) and size and size % lanes == 0 for size in sizes
        ):
            return lanes
    return 1


def _squares(size: Operand, lanes: int) -> int:
    assert isinstance(size, int)
    return size // lanes


def _turned(builder: IRBuilder, vector: str, rows: list[str]) -> list[str]:
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
                turned[r] = _shuffled(builder, vector, pair, upper)
                turned[r + step] = _shuffled(builder, vector, pair, lower)
        rows = turned
        step *= 2
    return rows


def _shuffled(builder: IRBuilder, vector: str, pair: tuple[str, str], order: list[int]) -> str:
    mask = ", ".join(f"i32 {place}" for place in order)
    return builder.value(
        f"shufflevector {vector} {pair[0]}, {vector} {pair[1]}, <{len(order)} x i32> <{mask}>"
    )
