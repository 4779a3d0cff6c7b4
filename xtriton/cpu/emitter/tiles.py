"""
Register tiles of matrix products.

The result is cut into tiles of `rows` x `vectors` registers. For each step along K a tile
takes one row of B, in vectors, and one number of A per row, and does one multiply-add per
register. Tile sizes follow from the number of registers; what is left over at the edges is
done by smaller tiles.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import gcd

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.lookahead import LINE, Following, Part
from xtriton.cpu.emitter.unit_words import Dot
from xtriton.cpu.emitter.values import Storage, View
from xtriton.cpu.types import I32, Type

MOST_ROWS = 16
"""Beyond which higher tiles gain nothing, where the registers would do for them."""
STEPS = 2
"""Of K at once, where the depth is a multiple: their addresses differ by constants."""


@dataclass(frozen=True)
class TileShape:
    """How many rows, and how many vectors of how many lanes, a register tile has."""

    rows: int
    vectors: int
    lanes: int


def tile_shape(
    e: Emitter, type: Type, rows: int, columns: int, most_rows: int = MOST_ROWS
) -> TileShape:
    """Return the tile, of at most so many rows, for a result of `rows` x `columns`."""
    lanes = e.target.lanes(type.bytes)
    while lanes > columns and lanes > 1:
        lanes //= 2
    registers = e.target.vector_registers
    vectors = 2 if columns >= 2 * lanes else 1
    # Besides the accumulators a step holds one row of B and one number of A.
    most = min((registers - vectors - 1) // vectors, most_rows)
    # As few tiles as can be, which read B as seldom, and of heights that differ by one row.
    return TileShape(-(-rows // -(-rows // most)), vectors, lanes)


@dataclass(frozen=True)
class Sums:
    """Where a product is added up, [m, n] in rows, and how much of it is."""

    place: View
    into: View | None = None
    """Where the sums go, if that is another place."""
    begun: str = "true"
    """An i1: unless it holds what is in `place` does not count, but as 0."""
    live: tuple[Operand, ...] | None = None
    """How many rows and columns somebody reads, at least 0, if that may not be all."""

    @property
    def extents(self) -> tuple[Operand, ...]:
        """How many rows and columns have to be added up."""
        return self.place.sizes if self.live is None else self.live


def chosen(e: Emitter, condition: str, one: View, other: View) -> View:
    """Return the place of `one` in rows if a condition holds, else that of `other`."""
    b = e.builder
    pointers = [b.element_pointer(v.type.memory, v.storage.pointer, v.offset) for v in (one, other)]
    pointer = b.value(f"select i1 {condition}, ptr {pointers[0]}, ptr {pointers[1]}")
    pitch = b.chosen(condition, one.strides[0], other.strides[0])
    return View(Storage(pointer), one.type, 0, other.sizes, (pitch, 1))


def multiply_tiles(
    e: Emitter,
    a: View,
    b: View,
    sums: Sums,
    depth: Operand,
    multiple: int = 1,
    dot: Dot | None = None,
    following: Sequence[Following] = (),
    most_rows: int = MOST_ROWS,
) -> None:
    """
    Add the product of `a` and `b` over a positive `depth`, a multiple of `multiple`, to `sums`.

    Elements of `a` and `b` are words if there is a `dot` that multiplies them. Tiles below each
    other come one after the other: their part of `b` stays in the cache. Meanwhile what is read
    next, `following`, is asked for.
    """
    rows, columns = sums.place.sizes
    assert isinstance(rows, int)
    assert isinstance(columns, int)
    live_rows, live_columns = sums.extents
    shape = tile_shape(e, sums.place.type, rows, columns, most_rows)
    tiles = -(-rows // shape.rows)
    low = tiles * shape.rows - rows
    unrolled = gcd(depth if isinstance(depth, int) else multiple, STEPS)

    def column(vectors: int, lanes: int, j: Operand) -> None:
        start = 0
        places = [e.builder.add(j, v * lanes) for v in range(vectors)]
        biases = None if dot is None else dot.biases(e, b, places, lanes, depth)
        for count, height in ((tiles - low, shape.rows), (low, shape.rows - 1)):
            tile = TileShape(height, vectors, lanes)
            how = dot, biases, following
            body = partial(_tile, e, tile, (a, b), sums, (depth, unrolled), how, j)
            _along(e, start, count, height, live_rows, body)
            start += count * height

    start = 0
    vectors, lanes = shape.vectors, shape.lanes
    while start < columns:
        width = vectors * lanes
        if (whole := (columns - start) // width) == 0:
            # Less than a tile is left: fewer vectors, then narrower ones.
            vectors, lanes = (vectors // 2, lanes) if vectors > 1 else (1, lanes // 2)
            continue
        _along(e, start, whole, width, live_columns, partial(column, vectors, lanes))
        start += whole * width


def padded(sizes: tuple[int, int], type: Type) -> View:
    """Return rows, of an odd number of cache lines each, that do not fall on each other."""
    columns = sizes[1]
    lines = -(-columns * type.bytes // LINE)
    pitch = (lines + 1 - lines % 2) * LINE // type.bytes
    return View(Storage("", writable=False, row=columns), type, 0, sizes, (pitch, 1))


def _along(
    e: Emitter, start: int, count: int, step: int, live: Operand, body: Callable[[Operand], None]
) -> None:
    """Do `body` at `count` positions `step` apart, as far as they are below `live`."""
    end = start + count * step
    if count == 1 and isinstance(live, int):
        body(start)
    elif count > 0:
        b = e.builder

        def inside(index: Operand, _: list[str]) -> Sequence[Operand]:
            body(index)
            return ()

        b.loop(start, end if isinstance(live, int) else b.least(live, end), step, inside)


def _tile(
    e: Emitter,
    tile: TileShape,
    operands: tuple[View, View],
    sums: Sums,
    depths: tuple[Operand, int],
    how: tuple[Dot | None, Sequence[str] | None, Sequence[Following]],
    j: Operand,
    i: Operand,
) -> None:
    """
    Add to one tile of the result, at row `i` and column `j`, its product over all of K.

    `depths` has the extent of K, and how much of it is done at once; `how` what multiplies words,
    what it needs to have added to each row, and what is read next.
    """
    dot, biases, following = how
    (a, b), c, (depth, unrolled) = operands, sums.place, depths
    builder, element = e.builder, c.type.register
    vector = element if tile.lanes == 1 else f"<{tile.lanes} x {element}>"
    # Words that are multiplied to floats are integers.
    factor = element if dot is None else I32.register
    factors = vector if dot is None else f"<{tile.lanes} x {factor}>"
    rows = [builder.add(i, r) for r in range(tile.rows)]
    columns = [builder.add(j, v * tile.lanes) for v in range(tile.vectors)]
    at = [(row, column) for row in rows for column in columns]
    align = c.type.bytes
    initial = builder.if_else(
        sums.begun,
        lambda: [builder.load(vector, e.address(c, place), align) for place in at],
        lambda: ["zeroinitializer" for _ in at],
        [vector for _ in at],
    )
    if biases is not None:
        initial = [
            builder.value(f"add {vector} {value}, {biases[n % tile.vectors]}")
            for n, value in enumerate(initial)
        ]

    row_of_a = _rows_of(e, a, rows)

    def step(k: Operand, accumulators: Sequence[Operand]) -> list[Operand]:
        row_of_b = [builder.load(factors, e.address(b, (k, column)), align) for column in columns]
        results: list[Operand] = []
        for r in range(tile.rows):
            number = _broadcast(e, builder.load(factor, row_of_a(r, k), align), factors, tile.lanes)
            for v, other in enumerate(row_of_b):
                old = accumulators[r * tile.vectors + v]
                if dot is None:
                    new = _multiply_add(e, vector, tile.lanes, element, number, other, old)
                else:
                    new = dot.multiply_add(e, tile.lanes, number, other, old)
                results.append(new)
        return results

    done = builder.add(builder.mul(j, c.sizes[0]), builder.mul(i, tile.vectors * tile.lanes))
    total = builder.mul(*c.sizes)
    part = Part(done, tile.rows * tile.vectors * tile.lanes, int(total), int(b.sizes[0]))
    asks = [part.ask(e, each, unrolled) for each in following]

    def steps(k: Operand, accumulators: Sequence[Operand]) -> Sequence[Operand]:
        for ask in asks:
            ask(k)
        for n in range(unrolled):
            accumulators = step(builder.add(k, n), accumulators)
        return accumulators

    final = builder.loop(0, depth, unrolled, steps, [(vector, value) for value in initial])
    for value, place in zip(final, at, strict=True):
        builder.store(vector, value, e.address(sums.into or c, place), align)


def _rows_of(e: Emitter, a: View, rows: Sequence[Operand]) -> Callable[[int, Operand], str]:
    """
    Return what finds the element at some k of one of the `rows` of `a`.

    Rows whose distance is known when the code runs have pointers of their own, which LLVM must
    not take for one that walks from row to row: then each load would wait for the one before.
    """
    b = e.builder
    if isinstance(a.strides[0], int) or a.strides[1] != 1:
        return lambda r, k: e.address(a, (rows[r], k))
    starts = [b.value(f'call ptr asm "", "=r,0"(ptr {e.address(a, (row, 0))})') for row in rows]
    return lambda r, k: b.element_pointer(a.type.memory, starts[r], k)


def _broadcast(e: Emitter, value: str, vector: str, lanes: int) -> str:
    if lanes == 1:
        return value
    element = vector.split(" x ")[1].rstrip(">")
    first = e.builder.value(f"insertelement {vector} poison, {element} {value}, i64 0")
    mask = f"<{lanes} x i32> zeroinitializer"
    return e.builder.value(f"shufflevector {vector} {first}, {vector} poison, {mask}")


def _multiply_add(
    e: Emitter, vector: str, lanes: int, element: str, a: str, b: str, c: Operand
) -> str:
    if element.startswith("i"):
        return e.builder.value(f"add {vector} {c}, {e.builder.value(f'mul {vector} {a}, {b}')}")
    suffix = "f32" if element == "float" else "f64"
    name = f"llvm.fmuladd.{suffix}" if lanes == 1 else f"llvm.fmuladd.v{lanes}{suffix}"
    return e.builder.call(vector, name, [(vector, a), (vector, b), (vector, c)])
