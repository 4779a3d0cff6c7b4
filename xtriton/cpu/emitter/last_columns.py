"""
The last columns of a product, which are less than a register tile.

Tiles of narrower vectors do them, which load a number of A for each vector of a row of B. Where
four columns are left, or less, and rows of A lie along K, they are dot products instead, which load
as many numbers at once as a vector holds:

    columns = the last ones of B, each in a row, with zeros behind
    for four rows of A at a time:
        for k in vectors along K:
            sums[row, column] += a[row, k] * columns[column, k]
        c[rows, columns] += the lanes of each sum, added up
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.pointed import Pointed
from xtriton.cpu.emitter.tiles import (
    NARROW_ROWS,
    Ends,
    Sums,
    Tiles,
    TileShape,
    around,
    in_steps,
    multiply_add,
    rows_of,
    tile_shape,
)
from xtriton.cpu.emitter.transposition import turned_square
from xtriton.cpu.emitter.values import View
from xtriton.cpu.types import F32

FEW = 4
"""Columns that are dot products, and rows of which these are computed at a time."""
LANES = FEW * FEW
"""Of the vectors of which that many sums come out one behind the other."""
VECTOR, PART = f"<{LANES} x float>", f"<{FEW} x float>"


def _in_fours(*lanes: int) -> list[int]:
    return [start + lane for start in range(0, LANES, FEW) for lane in lanes]


TREE: Sequence[tuple[Sequence[int], Sequence[int]]] = (
    (_in_fours(0, 16, 1, 17), _in_fours(2, 18, 3, 19)),
    (_in_fours(0, 1, 16, 17), _in_fours(2, 3, 18, 19)),
    ((*range(8), *range(16, 24)), (*range(8, 16), *range(24, 32))),
    ([n for n in range(2 * LANES) if n % 8 < 4], [n for n in range(2 * LANES) if n % 8 >= 4]),
)
"""
Which lanes of two vectors are added to which others on each level, in the order of the results.

Those of a vector stay within four lanes as long as they can, which takes CPUs the least time.
"""


def multiply_last_columns(
    e: Emitter,
    a: View | Pointed,
    b: View,
    sums: Sums,
    depth: Operand,
    multiple: int,
    ends: Ends,
) -> None:
    """
    Do the columns that `exact` tiles leave.

    They are few: one code serves operands in panels and in place, at `a` and `b`.
    """
    tiles = Tiles(e, a, b, sums, depth, multiple, None, (), True, ends, masked=True)
    shape = tile_shape(e, sums.place.type, *tiles.sizes, NARROW_ROWS)
    if not tiles.has_last_columns(shape):
        return
    live, j = sums.extents[1], tiles.before_last_columns(shape)
    narrower = tiles.narrower(shape)
    may_be_dots = _may_be_dots(tiles, narrower[-1])
    left = sum(tile.columns for tile in narrower) + (FEW if may_be_dots else 0)
    for tile in narrower:
        left -= tile.columns
        j = in_steps(e, j, e.builder.sub(live, left), tile.columns, partial(tiles.column, tile), j)
    if may_be_dots:
        assert isinstance(a, View)
        _Dots(tiles, a, j).add()


def _may_be_dots(tiles: Tiles, last: TileShape) -> bool:
    """Return whether four columns are quicker as dot products than in a narrow tile."""
    e, a = tiles.e, tiles.a
    if tiles.sums.place.type != F32 or e.target.lanes(F32.bytes) != LANES or last.columns <= FEW:
        return False
    return isinstance(a, View) and a.strides[1] == 1 and tiles.sizes[0] % FEW == 0


@dataclass(frozen=True)
class _Dots:
    """The products of all rows of `a` and the last columns, from `j` on."""

    tiles: Tiles
    a: View
    j: Operand

    def add(self) -> None:
        """Add them to the sums, if there are any columns."""
        e, sums = self.tiles.e, self.tiles.sums

        def run() -> Sequence[Operand]:
            columns = self._columns()
            in_steps(e, 0, sums.extents[0], FEW, partial(self._rows, columns), 0)
            return ()

        e.builder.if_else(e.builder.less(self.j, sums.extents[1]), run)

    def _columns(self) -> View:
        """Return the columns of B, each in a row, with zeros behind up to a whole vector."""
        tiles, e, b = self.tiles, self.tiles.e, self.tiles.e.builder
        most = -(-int(tiles.b.sizes[0]) // LANES) * LANES
        rows = e.allocate((FEW, most), F32, by_rows=True)
        end = tiles.ends.columns
        there = b.first_lanes(FEW if end is None else b.sub(end, self.j), FEW)

        def turn(k: Operand, masks: Sequence[str]) -> Sequence[Operand]:
            place = around(e, tiles.b, k, self.j)
            pairs = enumerate(masks)
            parts = [b.load_part(PART, place(n, 0), mask, F32.bytes) for n, mask in pairs]
            for column, part in enumerate(turned_square(b, PART, parts)):
                b.store(PART, part, e.address(rows, (column, k)), F32.bytes)
            return ()

        def last(k: Operand, _: list[str]) -> Sequence[Operand]:
            lanes = f"<{FEW} x i1>"
            inside = [b.less(b.add(k, n), tiles.depth) for n in range(FEW)]
            either = f"{lanes} {there}, {lanes} zeroinitializer"
            return turn(k, [b.value(f"select i1 {whether}, {either}") for whether in inside])

        whole = b.mul(b.div(tiles.depth, FEW), FEW)
        b.loop(0, whole, FEW, lambda k, _: turn(k, [there] * FEW))
        b.loop(whole, b.mul(b.div(b.add(tiles.depth, LANES - 1), LANES), LANES), FEW, last)
        return rows

    def _rows(self, columns: View, i: Operand) -> None:
        """Add the products of four rows, from row `i` on, to the sums."""
        tiles, e, b = self.tiles, self.tiles.e, self.tiles.e.builder
        of_a = rows_of(e, self.a, i, FEW, tiles.ends.rows)

        def add(k: Operand, sums: Sequence[Operand], mask: str = "") -> Sequence[Operand]:
            a, place = of_a(k), around(e, columns, 0, k)
            numbers = [self._loaded(a(r, 0), mask) for r in range(FEW)]
            others = [b.load(VECTOR, place(c, 0), F32.bytes) for c in range(FEW)]
            pairs = [(number, other) for number in numbers for other in others]
            return [
                multiply_add(e, VECTOR, *pair, old) for pair, old in zip(pairs, sums, strict=True)
            ]

        whole = b.mul(b.div(tiles.depth, LANES), LANES)
        sums = b.loop(0, whole, LANES, add, [(VECTOR, "zeroinitializer")] * LANES)
        rest = b.sub(tiles.depth, whole)
        sums = b.if_else(
            b.less(0, rest),
            lambda: add(whole, sums, b.first_lanes(rest, LANES)),
            lambda: sums,
            [VECTOR] * LANES,
        )
        total = self._added_up([str(value) for value in sums])
        parts = [
            b.shuffled(VECTOR, total, "poison", range(FEW * r, FEW * r + FEW)) for r in range(FEW)
        ]
        tiles.add_parts(TileShape(FEW, 1, FEW), parts, self.j, i)

    def _loaded(self, pointer: str, mask: str) -> str:
        b = self.tiles.e.builder
        if mask:
            return b.load_part(VECTOR, pointer, mask, F32.bytes)
        return b.load(VECTOR, pointer, F32.bytes)

    def _added_up(self, sums: Sequence[str]) -> str:
        """Return a vector of what the lanes of each of so many vectors add up to."""
        b = self.tiles.e.builder
        for orders in TREE:
            pairs = zip(sums[::2], sums[1::2], strict=True)
            halves = [[b.shuffled(VECTOR, *pair, order) for order in orders] for pair in pairs]
            sums = [b.value(f"fadd {VECTOR} {one}, {other}") for one, other in halves]
        return sums[0]
