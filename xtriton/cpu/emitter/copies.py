"""Copies of blocks by rows or by squares, which take less time than element by element."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.apart_rows import BYTES, MOST as MOST_APART, ApartRow
from xtriton.cpu.emitter.transposition import MOST_BYTES, Address, Squares, turned_order
from xtriton.cpu.emitter.values import View

SHORT_ROW = 64
"""Bytes that are copied faster by a loop than by a call."""
FEW_ROWS = 8
"""Such rows that are worth no loop: LLVM may take the copy for what it is a copy of."""
LONG_ROW = 512
"""Bytes that LLVM copies without a call if it knows their number."""
FAR_ROW = 2048
"""Bytes beyond which a call copies faster from far memory, with instructions for strings."""


@dataclass(frozen=True)
class Copy:
    """
    A copy from one place to another of `sizes`.

    `address` finds elements, and `move` copies the one at some indices. Squares have sides of
    `most_bytes` at most.
    """

    builder: IRBuilder
    address: Address
    move: Callable[[Sequence[Operand]], None]
    source: View
    destination: View
    sizes: Sequence[Operand]
    most_bytes: int = MOST_BYTES
    in_part: int = 0
    """Bytes of vectors that are loaded and stored in part at no cost, if there are any."""

    def done(self) -> bool:
        """Copy more than single elements if both cannot overlap; return whether that is done."""
        source, destination = self.source, self.destination
        own = source.storage.argument is None or destination.storage.argument is None
        if not self.sizes or not own or source.storage.pointer == destination.storage.pointer:
            return False
        in_columns = len(self.sizes) == 2 and source.strides[0] == 1 == destination.strides[0]
        return (self._of_turned() if in_columns else self)._by_rows_or_squares()

    def _of_turned(self) -> "Copy":
        """Return the same copy with the rows in the place of the columns."""

        def move(indices: Sequence[Operand]) -> None:
            self.move(indices[::-1])

        source, destination = self.source.turned(), self.destination.turned()
        return replace(
            self, move=move, source=source, destination=destination, sizes=self.sizes[::-1]
        )

    def _by_rows_or_squares(self) -> bool:
        if self._by_rows() or self._by_apart_rows():
            return True
        order = turned_order(self.source, self.destination, self.sizes)
        return order is not None and self._in_order(order)

    def _in_order(self, order: Sequence[int]) -> bool:
        """Copy what lies in columns; return whether it is better done than in the usual order."""
        b, sizes = self.builder, self.sizes

        def element(places: list[Operand]) -> None:
            at = dict(zip(order, places, strict=True))
            self.move([at[d] for d in range(len(sizes))])

        views = self.source, self.destination
        by_squares = Squares(b, self.address, element, *views, sizes, order, self.most_bytes)
        if by_squares.lanes == 1 and self.destination.storage.argument is not None:
            return False
        with b.fresh_memory():
            if by_squares.lanes > 1:
                by_squares.copy()
            else:
                b.nest([sizes[d] for d in order], element, parallel=True)
        return True

    def _by_apart_rows(self) -> bool:
        """Copy short rows of elements some apart; return whether they are that."""
        b, (*outer, length), type = self.builder, self.sizes, self.source.type
        factor, row = self.source.strides[-1], self.destination.storage.row
        lanes = self.in_part // type.bytes if type.memory in BYTES else 0
        if not lanes or not isinstance(factor, int) or not 1 < factor <= MOST_APART:
            return False
        if not 0 < row * type.bytes <= LONG_ROW or self.destination.strides[-1] != 1:
            return False
        rows = ApartRow(b, type.memory, factor, lanes)

        def row_of(indices: list[Operand]) -> None:
            views = self.destination, self.source
            target, source = (self.address(view, [*indices, 0]) for view in views)
            rows.copy(target, source, length)

        with b.fresh_memory():
            b.nest(outer, row_of)
        return True

    def _few_rows(self, bytes: int) -> bool:
        """Copy few short rows one after the other, as of a window; return whether they are few."""
        b, outer = self.builder, [size for size in self.sizes[:-1] if size != 1]
        if len(outer) != 1 or not isinstance(outer[0], int) or outer[0] > FEW_ROWS:
            return False
        with b.fresh_memory():
            for row in range(outer[0]):
                at = [0 if size == 1 else row for size in self.sizes[:-1]]
                places = [self.address(view, [*at, 0]) for view in (self.destination, self.source)]
                b.copy(places[0], places[1], bytes, self.source.type.bytes)
        return True

    def _by_rows(self) -> bool:
        """Copy row by row where both lie in rows; return whether they do."""
        b, sizes, element_bytes = self.builder, self.sizes, self.source.type.bytes
        if self.source.strides[-1] != 1 or self.destination.strides[-1] != 1:
            return False
        if isinstance(sizes[-1], int) and sizes[-1] * element_bytes <= SHORT_ROW:
            return self._few_rows(sizes[-1] * element_bytes)
        row_length = self.destination.storage.row or self.source.storage.row
        many = len(sizes) > 1
        short = 0 < row_length * element_bytes <= LONG_ROW
        whole = row_length if many and short else sizes[-1]

        def copy(count: Operand) -> Sequence[Operand]:
            bytes = b.mul(count, element_bytes)

            def move() -> Sequence[Operand]:
                b.nest([*sizes[:-1], count], self.move, parallel=True)
                return ()

            def row(indices: list[Operand]) -> None:
                views = self.destination, self.source
                places = [self.address(view, [*indices, 0]) for view in views]
                b.copy(places[0], places[1], bytes, element_bytes)

            def row_by_row() -> Sequence[Operand]:
                b.nest(sizes[:-1], row)
                return ()

            b.if_else(calls(bytes), row_by_row, move)
            return ()

        def calls(bytes: Operand) -> str:
            """Return, as an i1, whether a row is better copied by a call."""
            at_most = row_length * element_bytes
            if isinstance(bytes, int) and bytes <= LONG_ROW:
                return "true"
            if 0 < at_most <= FAR_ROW:
                return "false"
            # What a mask leaves of a block is mostly more than half of it.
            return "true" if at_most >= 2 * FAR_ROW else b.less(FAR_ROW, bytes)

        with b.fresh_memory():
            # A call for each short row would take longer than the row.
            is_whole = b.equal(sizes[-1], whole)
            b.if_else(is_whole, lambda: copy(whole), lambda: copy(sizes[-1]))
        return True
