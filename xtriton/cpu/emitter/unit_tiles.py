"""
Products on a unit that multiplies tiles: Intel's AMX.

It has eight registers of at most 16 rows of 16 words, and LLVM leaves it to us which is used for
what. Up to four hold tiles of the result; along K each step takes one tile of A for each row of
those and one of B for each column. What `units` has packed is read as it lies.

Source: Intel, "64 and IA-32 Architectures Optimization Reference Manual", chapter on Intel AMX.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import View
from xtriton.cpu.types import I32

SIDE = 16
"""The most rows of a tile, and words of a row."""
REGISTERS = 8
ACCUMULATORS = 4
"""Tiles of the result that hide how long a product of two tiles takes."""


@dataclass(frozen=True)
class Layout:
    """
    What the registers hold: tiles of the result, then some of A, then some of B.

    A tile of the result has `height` rows of `width` words, one of A rows of `depth` words.
    """

    down: int
    across: int
    height: int
    width: int
    depth: int

    @property
    def lefts(self) -> int:
        return min(self.down, REGISTERS - ACCUMULATORS - 1)

    @property
    def rights(self) -> int:
        return min(self.across, REGISTERS - ACCUMULATORS - self.lefts)

    def result(self, i: int, j: int) -> int:
        return i * self.across + j

    def left(self, i: int) -> int:
        return ACCUMULATORS + i % self.lefts

    def right(self, j: int) -> int:
        return ACCUMULATORS + self.lefts + j % self.rights

    def configuration(self) -> bytes:
        """Return what the unit has to know: bytes of a row and rows, register by register."""
        result, left, right = (
            (self.height, self.width),
            (self.height, self.depth),
            (self.depth, self.width),
        )
        shapes = [result] * ACCUMULATORS + [left] * self.lefts + [right] * self.rights
        palette, unused = bytes([1, *[0] * 15]), SIDE - len(shapes)
        row_bytes = b"".join((I32.bytes * words).to_bytes(2, "little") for _, words in shapes)
        rows = bytes(rows for rows, _ in shapes)
        return palette + row_bytes + bytes(2 * unused) + rows + bytes(unused)


@dataclass(frozen=True)
class Product:
    """Packed operands, [m, k] and [k/p, n], the result in rows, and the instruction."""

    instruction: str
    per_word: int
    a: View
    b: View
    c: View


@dataclass(frozen=True)
class Strips:
    """`count` strips of `size` tiles of `side` rows or columns, from tile `first` on."""

    first: int
    count: int
    size: int
    side: int

    def places(self, e: Emitter, index: Operand) -> list[Operand]:
        """Return where the tiles of a strip begin."""
        b = e.builder
        start = b.mul(b.add(self.first, b.mul(index, self.size)), self.side)
        return [b.add(start, n * self.side) for n in range(self.size)]


def multiply_on_tiles(e: Emitter, product: Product, words: Operand, granule: int) -> None:
    """
    Add the product over `words` along K, a multiple of `granule`, to the result.

    What is left behind the last whole tile is multiplied in tiles that it fills.
    """
    b = e.builder
    whole = b.mul(b.div(words, SIDE), SIDE)
    if whole != 0:
        _multiply(e, product, (0, whole), SIDE)
    if granule % SIDE == 0:
        return

    def rest() -> Sequence[Operand]:
        _multiply(e, product, (whole, words), gcd(granule, SIDE))
        return ()

    b.if_else(b.value(f"icmp ne i64 {whole}, {words}"), rest)


def _multiply(e: Emitter, product: Product, extent: tuple[Operand, Operand], depth: int) -> None:
    """Add the product over an extent of K, in steps of `depth` words, to the result."""
    rows, columns = (int(size) for size in product.c.sizes)
    height, width = min(rows, SIDE), min(columns, SIDE)
    layout = _layout(rows // height, columns // width, height, width, depth)
    _call(e, "ldtilecfg", ("ptr", _constant(e, layout)))
    # Strips below each other come one after the other: their part of B stays in the cache.
    for across in _strips(columns, width, layout.across):
        for down in _strips(rows, height, layout.down):

            def body(at: list[Operand], down: Strips = down, across: Strips = across) -> None:
                places = down.places(e, at[1]), across.places(e, at[0])
                _strip(e, product, layout, places, extent)

            e.nest((across.count, down.count), body)
    _call(e, "tilerelease")


def _layout(rows: int, columns: int, height: int, width: int, depth: int) -> Layout:
    """Return the layout for a result of so many tiles: square, unless there is a single line."""
    down = min(rows, ACCUMULATORS if columns == 1 else 2)
    return Layout(down, min(columns, ACCUMULATORS // down), height, width, depth)


def _strips(extent: int, side: int, size: int) -> list[Strips]:
    """Cut an extent into strips of `size` tiles and what is left."""
    tiles = extent // side
    count, left = divmod(tiles, size)
    strips = [Strips(0, count, size, side), Strips(tiles - left, 1, left, side)]
    return [each for each in strips if each.count * each.size]


def _strip(
    e: Emitter,
    product: Product,
    layout: Layout,
    places: tuple[list[Operand], list[Operand]],
    extent: tuple[Operand, Operand],
) -> None:
    """Add the product to the tiles of the result in some rows and columns."""
    a, b, c = product.a, product.b, product.c
    rows, columns = (list(enumerate(places)) for places in places)

    def step(k: Operand, _: list[str]) -> Sequence[Operand]:
        for i, row in rows:
            _move(e, "tileloadd64", layout.left(i), a, (row, e.builder.mul(k, product.per_word)))
            for j, column in columns:
                if i == 0:
                    _move(e, "tileloadd64", layout.right(j), b, (k, column))
                registers = (layout.result(i, j), layout.left(i), layout.right(j))
                _call(e, product.instruction, *(("i8", register) for register in registers))
        return ()

    for move in ("tileloadd64", "tilestored64"):
        if move == "tilestored64":
            e.builder.loop(extent[0], extent[1], layout.depth, step)
        for i, row in rows:
            for j, column in columns:
                _move(e, move, layout.result(i, j), c, (row, column))


def _move(e: Emitter, name: str, register: int, view: View, place: Sequence[Operand]) -> None:
    """Load a tile or store it."""
    pitch = e.builder.mul(view.strides[0], view.type.bytes)
    _call(e, name, ("i8", register), ("ptr", e.address(view, place)), ("i64", pitch))


def _call(e: Emitter, name: str, *arguments: tuple[str, Operand]) -> None:
    e.builder.call("void", f"llvm.x86.{name}", arguments)


def _constant(e: Emitter, layout: Layout) -> str:
    """Return where the module has the configuration of a layout."""
    content = layout.configuration()
    name = f"@xt.tiles.{content.hex()}"
    values = ", ".join(f"i8 {byte}" for byte in content)
    e.module.definitions[name] = (
        f"{name} = private unnamed_addr constant [{len(content)} x i8] [{values}], align 64"
    )
    return name
