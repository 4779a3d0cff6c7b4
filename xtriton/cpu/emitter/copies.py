"""Copies of blocks by rows or by squares, which take less time than element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.transposition import squares, turned_order
from xtriton.cpu.emitter.values import View

if TYPE_CHECKING:
    from xtriton.cpu.emitter.core import Emitter

SHORT_ROW = 64
"""Bytes that are copied faster by a loop than by a call."""
LONG_ROW = 512
"""Bytes that LLVM copies without a call if it knows their number."""


def copied(e: Emitter, source: View, destination: View, sizes: Sequence[Operand]) -> bool:
    """Copy more than single elements if both cannot overlap; return whether that is done."""
    own = source.storage.argument is None or destination.storage.argument is None
    if not sizes or not own or source.storage.pointer == destination.storage.pointer:
        return False
    if _copy_rows(e, source, destination, sizes):
        return True
    order = turned_order(source, destination, sizes)
    return order is not None and _copy_turned(e, source, destination, sizes, order)


def _copy_turned(
    e: Emitter, source: View, destination: View, sizes: Sequence[Operand], order: Sequence[int]
) -> bool:
    """Copy what lies in columns; return whether it is better done than in the usual order."""

    def by_squares(whole: Sequence[Operand]) -> Callable[[], Sequence[Operand]] | None:
        return squares(e.builder, e.address, source, destination, whole, order)

    def element(places: list[Operand]) -> None:
        at = dict(zip(order, places, strict=True))
        indices = [at[d] for d in range(len(sizes))]
        e.store(destination, indices, e.element(source, indices))

    def one_by_one() -> Sequence[Operand]:
        e.builder.nest([sizes[d] for d in order], element, parallel=True)
        return ()

    # Blocks are cut only where a tensor ends.
    row = sizes[-1] if isinstance(sizes[-1], int) else destination.storage.row
    copy = by_squares([*sizes[:-1], row])
    if copy is None and destination.storage.argument is not None:
        return False
    with e.builder.fresh_memory():
        is_whole = "false" if copy is None else e.builder.equal(sizes[-1], row)
        e.builder.if_else(is_whole, copy or one_by_one, one_by_one)
    return True


def _copy_rows(e: Emitter, source: View, destination: View, sizes: Sequence[Operand]) -> bool:
    """Copy row by row where both lie in rows; return whether they do."""
    if source.strides[-1] != 1 or destination.strides[-1] != 1:
        return False
    if isinstance(sizes[-1], int) and sizes[-1] * source.type.bytes <= SHORT_ROW:
        return False
    row_length, many = destination.storage.row, len(sizes) > 1
    short = 0 < row_length * source.type.bytes <= LONG_ROW
    whole = row_length if many and short else sizes[-1]

    def copy(count: Operand) -> Sequence[Operand]:
        bytes = e.builder.mul(count, source.type.bytes)

        def row(indices: list[Operand]) -> None:
            places = [e.address(view, [*indices, 0]) for view in (destination, source)]
            e.builder.copy(places[0], places[1], bytes, source.type.bytes)

        e.nest(sizes[:-1], row)
        return ()

    with e.builder.fresh_memory():
        # A call for each short row would take longer than the row.
        is_whole = e.builder.equal(sizes[-1], whole)
        e.builder.if_else(is_whole, lambda: copy(whole), lambda: copy(sizes[-1]))
    return True
