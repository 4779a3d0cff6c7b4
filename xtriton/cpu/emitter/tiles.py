"""
Register tiles of matrix products.

The result is cut into tiles of `rows` x `vectors` registers. For each step along K a tile
takes one row of B, in vectors, and one number of A per row, and does one multiply-add per
register. Tile sizes follow from the number of registers; what is left over at the edges is
done by smaller tiles.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import gcd

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter import lookahead
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.lookahead import LINE, Ask, Following, Part
from xtriton.cpu.emitter.narrowing import store_one_by_one, store_tile_rounded
from xtriton.cpu.emitter.pointed import Pointed
from xtriton.cpu.emitter.unit_words import Dot
from xtriton.cpu.emitter.values import Storage, View
from xtriton.cpu.types import I32, Type, parted, suffix

MOST_ROWS = 16
"""Beyond which higher tiles gain nothing, where the registers would do for them."""
STEPS = 2
"""Of K at once, where the depth is a multiple: their addresses differ by constants."""
MANY_STEPS = 4
"""The same of tiles that ask for memory, where registers are few."""
STRETCH = 32
"""Steps for which these ask at once, as it would take a large part of each turn."""
FEW_ROWS = 4
"""Of the tiles that do the last rows: as many as the latency of a multiply-add."""
LOW_ROWS = 6
"""Of tiles that such are no slower than, of which there are at most `MOST_FEW` then."""
MOST_FEW = 2
NARROW_ROWS = 8
"""Of those that do the last columns: twice as many, as narrow vectors may come in twos."""

Place = Callable[[int, int], str]
"""Finds the place so many rows and columns behind one."""


@dataclass(frozen=True)
class TileShape:
    """How many rows, and how many vectors of how many lanes, a register tile has."""

    rows: int
    vectors: int
    lanes: int

    @property
    def columns(self) -> int:
        return self.vectors * self.lanes

    def vector(self, type: Type) -> str:
        """Return the LLVM type of a register."""
        return type.register if self.lanes == 1 else f"<{self.lanes} x {type.register}>"


def tile_shape(
    e: Emitter, type: Type, rows: int, columns: int, most_rows: int = MOST_ROWS
) -> TileShape:
    """Return the tile, of at most so many rows, for a result of `rows` x `columns`."""
    lanes = e.target.lanes(type.bytes)
    while lanes > columns and lanes > 1:
        lanes //= 2
    registers = e.target.vector_registers
    vectors = e.target.tile_vectors
    while vectors * lanes > columns and vectors > 1:
        vectors //= 2
    # Besides the accumulators a step holds one row of B and one number of A.
    most = min((registers - vectors - 1) // vectors, most_rows)
    # As few tiles as can be, which read B as seldom, and of heights that differ by one row.
    return TileShape(-(-rows // -(-rows // most)), vectors, lanes)


def steps_that_ask(e: Emitter) -> int:
    """Return `STEPS` of tiles that ask for memory."""
    return MANY_STEPS if e.target.has_few_registers else STEPS


@dataclass(frozen=True)
class Rounded:
    """Where sums of f32 go as bf16 if `whether` holds, an i1; in rows of pairs of vectors."""

    whether: str
    place: View


@dataclass(frozen=True)
class Sums:
    """Where a product is added up, [m, n] in rows, and how much of it is."""

    place: View
    into: View | None = None
    """Where the sums go, if that is another place."""
    begun: str = "true"
    """An i1: unless it holds what is in `place` does not count, but as 0."""
    rounded: Rounded | None = None
    """Where the sums go instead, rounded, if they may."""
    live: tuple[Operand, ...] | None = None
    """How many rows and columns somebody reads, at least 0, if that may not be all."""
    ends: bool = False
    """Whether no more than that may be stored."""
    behind: str = "false"
    """An i1: whether 0 is added behind all products, which makes 0 of -0."""
    factor: str = ""
    """What sums are multiplied by behind that, if anything."""
    asked: bool = False
    """Whether a tile asks for where its sums go while it adds them up: they may be far."""

    @property
    def extents(self) -> tuple[Operand, ...]:
        """How many rows and columns have to be added up."""
        return self.place.sizes if self.live is None else self.live


@dataclass(frozen=True)
class Ends:
    """How many rows of A and columns of B there are, if no more may be read."""

    rows: Operand | None = None
    columns: Operand | None = None


NO_ENDS = Ends()


def chosen(e: Emitter, condition: str, one: View, other: View) -> View:
    """Return the place of `one` in rows if a condition holds, else that of `other`."""
    b = e.builder
    pointers = [b.element_pointer(v.type.memory, v.storage.pointer, v.offset) for v in (one, other)]
    pointer = b.value(f"select i1 {condition}, ptr {pointers[0]}, ptr {pointers[1]}")
    outer = zip(one.strides[:-1], other.strides[:-1], strict=True)
    pitches = [b.chosen(condition, *strides) for strides in outer]
    return View(Storage(pointer), one.type, 0, other.sizes, (*pitches, 1))


def multiply_tiles(
    e: Emitter,
    a: View | Pointed,
    b: View,
    sums: Sums,
    depth: Operand,
    multiple: int = 1,
    dot: Dot | None = None,
    following: Sequence[Following] = (),
    most_rows: int = MOST_ROWS,
    exact: bool = False,
    ends: Ends = NO_ENDS,
) -> None:
    """
    Add the product of `a` and `b` over a positive `depth`, a multiple of `multiple`, to `sums`.

    So many steps along K are done at once, unless the depth is known, which says that itself.
    Elements of `a` and `b` are words if there is a `dot` that multiplies them. Tiles below each
    other come one after the other: their part of `b` stays in the cache. Meanwhile what is read
    next, `following`, is asked for. Where less than all counts, `exact` has smaller tiles for the
    last rows of that, so that little else is multiplied, and leaves the last columns to
    `last_columns`.
    """
    unrolled = multiple
    if isinstance(depth, int):
        unrolled = gcd(depth, steps_that_ask(e) if following or sums.asked else STEPS)
    tiles = Tiles(e, a, b, sums, depth, unrolled, dot, following, exact, ends)
    (rows, columns), live = tiles.sizes, sums.extents[1]
    shape = tile_shape(e, sums.place.type, rows, columns, most_rows)
    if exact and tiles.has_last_columns(shape):
        live = tiles.before_last_columns(shape)
    start = 0
    while start < columns:
        if (whole := (columns - start) // shape.columns) == 0:
            # Less than a tile is left: fewer vectors, then narrower ones.
            vectors, lanes = shape.vectors, shape.lanes
            vectors, lanes = (vectors // 2, lanes) if vectors > 1 else (1, lanes // 2)
            shape = TileShape(shape.rows, vectors, lanes)
            continue
        _along(e, start, whole, shape.columns, live, partial(tiles.column, shape))
        start += whole * shape.columns


def can_mask(place: View) -> bool:
    """Return whether tiles of a result can keep from reading what columns of B there are not."""
    columns = int(place.sizes[1])
    return columns & (columns - 1) == 0 and columns > 1 and place.type.register[0] in "fd"


def padded(sizes: tuple[int, int], type: Type) -> View:
    """Return rows, of an odd number of cache lines each, that do not fall on each other."""
    columns = sizes[1]
    lines = -(-columns * type.bytes // LINE)
    pitch = (lines + 1 - lines % 2) * LINE // type.bytes
    return View(Storage("", writable=False, row=columns), type, 0, sizes, (pitch, 1))


def heights(rows: int, most: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """
    Return how many tiles of which height do so many rows, and how many of which lower one.

    The first have `most` rows, which is what `tile_shape` says of them. The others do with those
    that the last rows take anyway, where that comes out even, and have one row less otherwise.
    """
    for few in range(MOST_FEW + 1 if most <= LOW_ROWS else 0):
        tiles, left = divmod(rows - few * FEW_ROWS, most)
        if tiles >= 0 and left == 0:
            return (tiles, most), (few, FEW_ROWS)
    tiles = -(-rows // most)
    low = tiles * most - rows
    return (tiles - low, most), (low, most - 1)


def _along(
    e: Emitter,
    start: int,
    count: int,
    step: int,
    live: Operand,
    body: Callable[[Operand], None],
    left: int = 0,
    behind: Operand = 0,
) -> Operand:
    """
    Do `body` at `count` positions `step` apart, where more than `left` below `live` are to be done.

    Return the position behind, which is `behind` if there is none.
    """
    end = start + count * step
    if count == 0:
        return behind
    if count == 1 and isinstance(live, int):
        body(start)
        return end
    if isinstance(live, int):
        in_steps(e, start, end, step, body, end)
        return end
    return in_steps(e, start, e.builder.least(e.builder.sub(live, left), end), step, body, behind)


def in_steps(
    e: Emitter,
    start: Operand,
    end: Operand,
    step: int,
    body: Callable[[Operand], None],
    behind: Operand,
) -> Operand:
    """Do `body` at positions from `start` to below `end`; return the one behind, or `behind`."""

    def inside(index: Operand, _: list[str]) -> Sequence[Operand]:
        body(index)
        return (e.builder.add(index, step),)

    return e.builder.loop(start, end, step, inside, [("i64", behind)])[0]


@dataclass(frozen=True)
class Tiles:
    """What the tiles of a product have in common; see `multiply_tiles`."""

    e: Emitter
    a: View | Pointed
    b: View
    sums: Sums
    depth: Operand
    unrolled: int
    """How much of K is done at once."""
    dot: Dot | None
    following: Sequence[Following]
    exact: bool
    ends: Ends
    masked: bool = False
    """Whether tiles load what there is of the columns of B, where that may not be all."""

    @property
    def sizes(self) -> tuple[int, int]:
        rows, columns = self.sums.place.sizes
        assert isinstance(rows, int)
        assert isinstance(columns, int)
        return rows, columns

    def has_last_columns(self, shape: TileShape) -> bool:
        """Return whether columns may be left that are less than a tile."""
        whole = self.sizes[1] % shape.columns == 0
        return whole and not isinstance(self.sums.extents[1], int)

    def before_last_columns(self, shape: TileShape) -> Operand:
        """Return where the columns begin that narrower tiles than this shape do."""
        b, width = self.e.builder, shape.columns
        left = sum(tile.columns for tile in self.narrower(shape))
        if self.ends.columns is not None:
            left = width - 1
        return b.mul(b.div(b.add(self.sums.extents[1], width - 1 - left), width), width)

    def narrower(self, shape: TileShape) -> list[TileShape]:
        """Return the tiles that do what is left of the columns."""
        e, type = self.e, self.sums.place.type
        found: list[TileShape] = []
        width = shape.columns // 2
        while width * type.bytes * 8 >= e.target.least_bits:
            found.append(tile_shape(e, type, self.sizes[0], width, NARROW_ROWS))
            width //= 2
        # Tiles that may not read beyond an end leave less than one of them.
        return found if found or self.ends.columns is None else [shape]

    @property
    def _last(self) -> "Tiles":
        """The tiles at the edges, too small to ask for anything."""
        return replace(self, following=())

    def column(self, shape: TileShape, j: Operand) -> None:
        """Do the tiles below each other at column `j`."""
        e, (rows, _), live = self.e, self.sizes, self.sums.extents[0]
        places = [e.builder.add(j, v * shape.lanes) for v in range(shape.vectors)]
        dot = self.dot
        biases = None if dot is None else dot.biases(e, self.b, places, shape.lanes, self.depth)

        def body(tiles: Tiles, height: int) -> Callable[[Operand], None]:
            return partial(tiles.tile, replace(shape, rows=height), biases, j)

        (tiles, height), (others, low) = heights(rows, shape.rows)
        few = max(height - 2, 0) // FEW_ROWS * FEW_ROWS
        left = few if self.exact and not isinstance(live, int) else 0
        if left and low == height - 1 and tiles and others:
            self._rows_evenly(live, body, (tiles, height), left)
            return
        i = _along(e, 0, tiles, height, live, body(self, height), left)
        if left and low == FEW_ROWS:
            in_steps(e, i, live, FEW_ROWS, body(self, FEW_ROWS), i)
            return
        i = _along(e, tiles * height, others, low, live, body(self, low), left, i)
        if left:
            in_steps(e, i, live, FEW_ROWS, body(self._last, FEW_ROWS), i)

    def _rows_evenly(
        self,
        live: Operand,
        body: Callable[["Tiles", int], Callable[[Operand], None]],
        most: tuple[int, int],
        left: int,
    ) -> None:
        """
        Do rows up to `live` by as few tiles as can be, of two heights, where that comes out even.

        Else less than a tile is `left` to lower ones, as few as can be. At `most` there are so many
        tiles of the greater height.
        """
        e, b, (tiles, height) = self.e, self.e.builder, most
        n = b.div(b.add(live, height - 1), height)
        lower = b.sub(b.mul(n, height), live)
        even = b.less(lower, b.add(n, 1))
        before = b.sub(live, left)
        first = b.chosen(even, b.mul(b.sub(n, lower), height), b.least(before, tiles * height))
        i = in_steps(e, 0, first, height, body(self, height), 0)
        i = in_steps(e, i, b.chosen(even, live, before), height - 1, body(self, height - 1), i)
        in_steps(e, i, live, FEW_ROWS, body(self._last, FEW_ROWS), i)

    def tile(self, tile: TileShape, biases: Sequence[str] | None, j: Operand, i: Operand) -> None:
        """
        Add to one tile of the result, at row `i` and column `j`, its product over all of K.

        `biases` are what words need to have added to each row.
        """
        e, c, builder = self.e, self.sums.place, self.e.builder
        vector = tile.vector(c.type)
        initial = self._begun(tile, j, i)
        if biases is not None:
            initial = [
                builder.value(f"add {vector} {value}, {biases[n % tile.vectors]}")
                for n, value in enumerate(initial)
            ]
        asks = self._asks(tile, j, i)
        if self.sums.asked:
            asks.append(self._ask_for_sums(tile, self.sums.into or c, j, i))
        if isinstance(self.a, Pointed):
            final = self._block_by_block(self.a, tile, asks, initial, j, i)
        else:
            of_a = rows_of(e, self.a, i, tile.rows, self.ends.rows)
            final = self._along_k(tile, of_a, (0, self.depth), asks, initial, j)
        self._store(tile, self._finished(vector, final), j, i)

    def add_parts(self, tile: TileShape, parts: Sequence[str], j: Operand, i: Operand) -> None:
        """Add vectors to the sums of a tile, and store these where they go."""
        vector, before = tile.vector(self.sums.place.type), self._begun(tile, j, i)
        sums = [
            self.e.builder.value(f"fadd {vector} {old}, {part}")
            for old, part in zip(before, parts, strict=True)
        ]
        self._store(tile, self._finished(vector, sums), j, i)

    def _begun(self, tile: TileShape, j: Operand, i: Operand) -> Sequence[Operand]:
        """Return what a tile has been added up to so far."""
        e, c = self.e, self.sums.place
        vector = tile.vector(c.type)
        at = [(r, v * tile.lanes) for r in range(tile.rows) for v in range(tile.vectors)]

        def begun() -> Sequence[Operand]:
            place = around(e, c, i, j)
            return [e.builder.load(vector, place(*each), c.type.bytes) for each in at]

        zeros = ["zeroinitializer" for _ in at]
        return e.builder.if_else(self.sums.begun, begun, lambda: zeros, [vector for _ in at])

    def _finished(self, vector: str, sums: Sequence[Operand]) -> Sequence[Operand]:
        """Return sums to which 0 is added, if it is to be, and that are multiplied by a factor."""
        b = self.e.builder

        def added() -> Sequence[Operand]:
            return [b.value(f"fadd {vector} {value}, zeroinitializer") for value in sums]

        sums = b.if_else(self.sums.behind, added, lambda: sums, [vector for _ in sums])
        if not self.sums.factor:
            return sums
        factor = b.broadcast(vector, self.sums.factor)
        return [b.value(f"fmul {vector} {value}, {factor}") for value in sums]

    def _along_k(
        self,
        tile: TileShape,
        of_a: Callable[[Operand], Place],
        part: tuple[Operand, Operand],
        asks: Sequence[Ask],
        sums: Sequence[Operand],
        j: Operand,
    ) -> Sequence[Operand]:
        """Return the sums behind a part of K, its start and extent, where rows of A begin."""
        builder, (first, extent), stretch = self.e.builder, part, self._stretch
        masks, vector = self._masks(tile, j), tile.vector(self.sums.place.type)
        nested = bool(asks) and stretch > self.unrolled

        def ask(k: Operand) -> None:
            for each in asks:
                each(builder.add(first, k))

        def turn(k: Operand, sums: Sequence[Operand]) -> Sequence[Operand]:
            if not nested:
                ask(k)
            a, b = of_a(k), around(self.e, self.b, builder.add(first, k), j)
            for n in range(self.unrolled):
                sums = self._step(tile, n, a, b, masks, sums)
            return sums

        def asking(k: Operand, sums: Sequence[Operand]) -> Sequence[Operand]:
            ask(k)
            end = builder.add(k, stretch)
            if not isinstance(extent, int) or extent % stretch:
                end = builder.least(end, extent)
            carried = [(vector, each) for each in sums]
            return builder.loop(k, end, self.unrolled, turn, carried, certain=True)

        step, body = (stretch, asking) if nested else (self.unrolled, turn)
        return builder.loop(0, extent, step, body, [(vector, each) for each in sums])

    @property
    def _stretch(self) -> int:
        """For how many steps along K tiles ask at once."""
        return STRETCH if self.e.target.has_few_registers else self.unrolled

    def _masks(self, tile: TileShape, j: Operand) -> list[str]:
        """Return which lanes of the vectors at column `j` of B there are; nothing if all are."""
        b, end = self.e.builder, self.ends.columns
        if not self.masked or end is None:
            return []
        starts = range(0, tile.columns, tile.lanes)
        return [b.first_lanes(b.sub(end, b.add(j, start)), tile.lanes) for start in starts]

    def _block_by_block(
        self,
        a: Pointed,
        tile: TileShape,
        asks: Sequence[Ask],
        sums: Sequence[Operand],
        j: Operand,
        i: Operand,
    ) -> Sequence[Operand]:
        """Return the sums behind all blocks along K, each of which has rows elsewhere."""
        e, type = self.e, self.sums.place.type
        rows = [e.builder.add(i, r) for r in range(tile.rows)]

        def block(number: Operand, sums: Sequence[Operand]) -> Sequence[Operand]:
            of_a = a.rows_of(e, number, rows, type.memory)
            part = e.builder.mul(number, a.block), a.block
            return self._along_k(tile, of_a, part, asks, sums, j)

        carried = [(tile.vector(type), value) for value in sums]
        return e.builder.loop(0, e.builder.div(self.depth, a.block), 1, block, carried)

    def _store(self, tile: TileShape, values: Sequence[Operand], j: Operand, i: Operand) -> None:
        """Store the sums of a tile where they go."""
        e, c, rounded = self.e, self.sums.place, self.sums.rounded

        def whole(target: View) -> Sequence[Operand]:
            vector, place = tile.vector(c.type), around(e, target, i, j)
            for n, value in enumerate(values):
                at = place(n // tile.vectors, n % tile.vectors * tile.lanes)
                e.builder.store(vector, value, at, c.type.bytes)
            return ()

        if rounded is None:
            into = self.sums.into or c
            e.builder.if_else(
                self._is_beyond(tile, j, i),
                lambda: self._store_part(tile, values, into, j, i),
                lambda: whole(into),
            )
            return

        def one_by_one() -> Sequence[Operand]:
            whole(c)
            store_one_by_one(e, c, rounded.place, (i, j), (tile.rows, tile.columns))
            return ()

        def pairs() -> Sequence[Operand]:
            sums, b = [str(value) for value in values], e.builder
            found: list[tuple[list[str], tuple[Operand, Operand]]] = []
            for n in range(0, len(sums), 2):
                row, vector = divmod(n, tile.vectors)
                at = b.add(i, row), b.add(j, vector * tile.lanes)
                found.append((sums[n : n + 2], at))
            store_tile_rounded(e, found, rounded.place, one_by_one)
            return ()

        e.builder.if_else(rounded.whether, pairs, lambda: whole(c))

    def _is_beyond(self, tile: TileShape, j: Operand, i: Operand) -> str:
        """Return, as an i1, whether a tile has rows or columns that may not be stored."""
        if not self.sums.ends:
            return "false"
        b, (rows, columns) = self.e.builder, self.sums.extents
        ends = b.add(i, tile.rows), b.add(j, tile.columns)
        return b.either(b.less(rows, ends[0]), b.less(columns, ends[1]))

    def _store_part(
        self, tile: TileShape, values: Sequence[Operand], into: View, j: Operand, i: Operand
    ) -> Sequence[Operand]:
        """Store what counts of a tile; rows that do not go to where products are added up."""
        e, b, c, (rows, columns) = self.e, self.e.builder, self.sums.place, self.sums.extents
        vector, lanes = tile.vector(c.type), tile.lanes
        starts = [v * lanes for v in range(tile.vectors)]
        masks = [b.first_lanes(b.sub(columns, b.add(j, start)), lanes) for start in starts]
        there, spare = around(e, into, i, j), around(e, c, i, j)
        for r in range(tile.rows):
            counts = b.less(b.add(i, r), rows)
            for v, (start, mask) in enumerate(zip(starts, masks, strict=True)):
                pointers = f"ptr {there(r, start)}, ptr {spare(r, start)}"
                place = b.value(f"select i1 {counts}, {pointers}")
                b.store_part(vector, str(values[r * tile.vectors + v]), place, mask, c.type.bytes)
        return ()

    def _asks(self, tile: TileShape, j: Operand, i: Operand) -> list[Ask]:
        """Return what asks for the parts of what follows that belong to a tile."""
        if not self.following:
            return []
        builder, sizes = self.e.builder, self.sizes
        done = builder.add(builder.mul(j, sizes[0]), builder.mul(i, tile.columns))
        depth = int(self.b.sizes[0])
        part = Part(done, tile.rows * tile.columns, sizes[0] * sizes[1], depth)
        stretch, most = self._stretch, LINE // self.unrolled
        return [part.ask(self.e, each, stretch, most) for each in self.following]

    def _ask_for_sums(self, tile: TileShape, place: View, j: Operand, i: Operand) -> Ask:
        """Return what asks for where a tile goes, few vectors at a time, as all at once wait."""
        e, b, corner = self.e, self.e.builder, self.e.address(place, (i, j))
        vectors = tile.rows * tile.vectors
        count = min(-(-vectors * self._stretch // int(self.b.sizes[0])), vectors)

        def ask(k: Operand) -> None:
            first = b.mul(b.div(k, self._stretch), count)
            for n in range(count):
                vector = b.least(b.add(first, n), vectors - 1)
                row = b.mul(b.div(vector, tile.vectors), place.strides[0])
                column = b.mul(b.rem(vector, tile.vectors), tile.lanes)
                at = b.element_pointer(place.type.memory, corner, b.add(row, column))
                lookahead.bring(e, at, to_store=True)

        return ask

    def _step(
        self,
        tile: TileShape,
        n: int,
        a: Place,
        b: Place,
        masks: Sequence[str],
        sums: Sequence[Operand],
    ) -> list[Operand]:
        """
        Return the sums behind the product of column `n` of `a` and row `n` of `b`.

        `masks` tell which lanes of that there are, unless there are none.
        """
        e, type = self.e, self.sums.place.type
        # Words that are multiplied to floats are integers.
        factor = type if self.dot is None else I32
        vector, factors = tile.vector(type), tile.vector(factor)
        load = partial(e.builder.load, align=type.bytes)
        places = [b(n, v * tile.lanes) for v in range(tile.vectors)]
        if masks:
            pairs = zip(places, masks, strict=True)
            row_of_b = [e.builder.load_part(vector, *pair, type.bytes) for pair in pairs]
        else:
            row_of_b = [load(factors, place) for place in places]
        results: list[Operand] = []
        for r in range(tile.rows):
            number = e.builder.broadcast(factors, load(factor.register, a(r, n)))
            for v, other in enumerate(row_of_b):
                old = sums[r * tile.vectors + v]
                if self.dot is None:
                    new = multiply_add(e, vector, number, other, old)
                else:
                    new = self.dot.multiply_add(e, tile.lanes, number, other, old)
                results.append(new)
        return results


def around(e: Emitter, view: View, i: Operand, j: Operand) -> Place:
    """Return what finds places behind row `i` and column `j`."""
    b, corner = e.builder, e.address(view, (i, j))

    def place(rows: int, columns: int) -> str:
        offset = b.add(b.mul(rows, view.strides[0]), b.mul(columns, view.strides[1]))
        return b.element_pointer(view.type.memory, corner, offset)

    return place


def rows_of(
    e: Emitter, a: View, i: Operand, rows: int, end: Operand | None
) -> Callable[[Operand], Place]:
    """
    Return what finds places of `a` behind row `i` and a column.

    The last row before `end` takes the place of those behind it. Rows whose distance is known when
    the code runs have pointers of their own, which LLVM must not take for one that walks from row
    to row: then each load would wait for the one before.
    """
    if isinstance(a.strides[0], int) or a.strides[1] != 1:
        return lambda k: around(e, a, i, k)
    b = e.builder
    numbers = [b.add(i, r) for r in range(rows)]
    if end is not None:
        last = b.sub(end, 1)
        numbers = [b.least(number, last) for number in numbers]
    firsts = [e.address(a, (number, 0)) for number in numbers]
    starts = [b.value(f'call ptr asm "", "=r,0"(ptr {first})') for first in firsts]

    def behind(k: Operand) -> Place:
        return lambda r, n: b.element_pointer(a.type.memory, starts[r], b.add(k, n))

    return behind


def multiply_add(e: Emitter, vector: str, a: str, b: str, c: Operand) -> str:
    if parted(vector)[1].startswith("i"):
        return e.builder.value(f"add {vector} {c}, {e.builder.value(f'mul {vector} {a}, {b}')}")
    operands = [(vector, a), (vector, b), (vector, c)]
    return e.builder.call(vector, f"llvm.fmuladd.{suffix(vector)}", operands)
