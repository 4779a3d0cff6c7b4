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

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import View
from xtriton.cpu.types import Type

ENOUGH = 10
"""Accumulators that hide how long a multiply-add takes, on two units of four steps."""
MOST_ROWS = 12


@dataclass(frozen=True)
class TileShape:
    """How many rows, and how many vectors of how many lanes, a register tile has."""

    rows: int
    vectors: int
    lanes: int


def tile_shape(e: Emitter, type: Type, rows: int, columns: int) -> TileShape:
    """Return the tile for a result of `rows` x `columns`."""
    lanes = e.target.lanes(type.bytes)
    while lanes > columns and lanes > 1:
        lanes //= 2
    registers = e.target.vector_registers
    vectors = 2 if columns >= 2 * lanes else 1
    # Besides the accumulators a step holds one row of B and one number of A.
    limit = (registers - vectors - 1) // vectors
    divisors = [n for n in (16, 12, 8, 6, 4) if n <= limit and rows % n == 0]
    if divisors and divisors[0] * vectors >= ENOUGH:
        return TileShape(divisors[0], vectors, lanes)
    # Else tiles that differ by one row at most: the higher ones fill the registers.
    return TileShape(-(-rows // -(-rows // min(limit, MOST_ROWS))), vectors, lanes)


def multiply_tiles(e: Emitter, a: View, b: View, c: View, depth: Operand) -> None:
    """
    Add the product of `a` and `b` over a positive `depth` to `c`.

    Tiles below each other come one after the other: their part of `b` stays in the cache.
    """
    rows, columns = c.sizes
    assert isinstance(rows, int)
    assert isinstance(columns, int)
    shape = tile_shape(e, c.type, rows, columns)
    tiles = -(-rows // shape.rows)
    low = tiles * shape.rows - rows

    def column(vectors: int, lanes: int, j: Operand) -> None:
        start = 0
        for count, height in ((tiles - low, shape.rows), (low, shape.rows - 1)):
            tile = TileShape(height, vectors, lanes)
            body = partial(_tile, e, tile, a, b, c, depth, j)
            _along(e, start, count, height, body)
            start += count * height

    start = 0
    vectors, lanes = shape.vectors, shape.lanes
    while start < columns:
        width = vectors * lanes
        if (whole := (columns - start) // width) == 0:
            # Less than a tile is left: fewer vectors, then narrower ones.
            vectors, lanes = (vectors // 2, lanes) if vectors > 1 else (1, lanes // 2)
            continue
        _along(e, start, whole, width, partial(column, vectors, lanes))
        start += whole * width


def _along(e: Emitter, start: int, count: int, step: int, body: Callable[[Operand], None]) -> None:
    """Do `body` at `count` positions `step` apart."""
    if count == 1:
        body(start)
    elif count > 1:

        def inside(index: Operand, _: list[str]) -> Sequence[Operand]:
            body(index)
            return ()

        e.builder.loop(start, start + count * step, step, inside)


def _tile(
    e: Emitter, tile: TileShape, a: View, b: View, c: View, depth: Operand, j: Operand, i: Operand
) -> None:
    """Add to one tile of the result, at row `i` and column `j`, its product over all of K."""
    builder, element = e.builder, c.type.register
    vector = element if tile.lanes == 1 else f"<{tile.lanes} x {element}>"
    rows = [builder.add(i, r) for r in range(tile.rows)]
    columns = [builder.add(j, v * tile.lanes) for v in range(tile.vectors)]
    places = [e.address(c, (row, column)) for row in rows for column in columns]
    align = c.type.bytes
    initial = [builder.load(vector, place, align) for place in places]

    def step(k: Operand, accumulators: list[str]) -> list[Operand]:
        _prefetch(e, tile, a, i, k)
        row_of_b = [builder.load(vector, e.address(b, (k, column)), align) for column in columns]
        results: list[Operand] = []
        for r, row in enumerate(rows):
            number = _broadcast(
                e, builder.load(element, e.address(a, (row, k)), align), vector, tile.lanes
            )
            for v, factor in enumerate(row_of_b):
                old = accumulators[r * tile.vectors + v]
                results.append(_multiply_add(e, vector, tile.lanes, element, number, factor, old))
        return results

    final = builder.loop(0, depth, 1, step, [(vector, value) for value in initial])
    for value, place in zip(final, places, strict=True):
        builder.store(vector, value, place, align)


def _prefetch(e: Emitter, tile: TileShape, a: View, i: Operand, k: Operand) -> None:
    """Ask for a part of what the tile below reads of `a`, in the course of the loop for all."""
    b = e.builder
    below = b.add(i, tile.rows)
    if a.strides[1] == 1:
        below = b.add(below, b.value(f"and i64 {k}, 7"))
        k = b.value(f"and i64 {k}, -8")
    name = "llvm.prefetch.p0"
    b.module.declare("void", name, ["ptr", "i32", "i32", "i32"])
    b.emit(f"call void @{name}(ptr {e.address(a, (below, k))}, i32 0, i32 2, i32 1)")


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
