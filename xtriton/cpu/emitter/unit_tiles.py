"""
Products on a unit that multiplies tiles: Intel's AMX.

It has eight registers of at most 16 rows of 16 words, and LLVM leaves it to us which is used for
what. Up to four hold tiles of the result; along K each step takes one tile of A for each row of
those and one of B for each column. The operands lie in strips of so many tiles, in the order in
which they are read, so that caches fetch ahead; see `Layout`.

Source: Intel, "64 and IA-32 Architectures Optimization Reference Manual", chapter on Intel AMX.
"""

from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.tiles import chosen
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
    How the tiles of a product of (m, n) lie in memory and in registers.

    Of the result, `down` x `across` tiles are in registers at a time. Its tiles have `height` rows
    of `width` words. In memory A is [m / rows, k, rows, 16], where k counts tiles, and B is
    [n / columns, k, columns], where k counts words.
    """

    down: int
    across: int
    height: int
    width: int

    @property
    def rows(self) -> int:
        """Rows of a strip of A."""
        return self.down * self.height

    @property
    def columns(self) -> int:
        """Columns of a strip of B."""
        return self.across * self.width

    @property
    def lefts(self) -> int:
        """Registers of A; they take turns if there are more tiles."""
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

    def configuration(self, depth: int) -> bytes:
        """Return what the unit has to know for `depth` words along K: the sizes of registers."""
        result, left, right = (self.height, self.width), (self.height, depth), (depth, self.width)
        shapes = [result] * ACCUMULATORS + [left] * self.lefts + [right] * self.rights
        palette, unused = bytes([1, *[0] * 15]), SIDE - len(shapes)
        row_bytes = b"".join((I32.bytes * words).to_bytes(2, "little") for _, words in shapes)
        rows = bytes(rows for rows, _ in shapes)
        return palette + row_bytes + bytes(2 * unused) + rows + bytes(unused)


def layout_for(rows: int, columns: int) -> Layout | None:
    """Return the layout for a result of so many rows and columns; None if tiles do not fit it."""
    height, width = min(rows, SIDE), min(columns, SIDE)
    if rows % height or columns % width:
        return None
    tiles_down, tiles_across = rows // height, columns // width
    down = next(n for n in ((4, 2, 1) if tiles_across % 2 else (2, 1)) if tiles_down % n == 0)
    most = ACCUMULATORS // down
    across = next(n for n in (4, 2, 1) if n <= most and tiles_across % n == 0)
    return Layout(down, across, height, width)


@dataclass(frozen=True)
class Product:
    """Operands that lie in strips, the result in rows, and the instruction."""

    instruction: str
    layout: Layout
    a: View
    b: View
    c: View
    into: View
    """Where the result goes once it is complete."""

    def add(self, e: Emitter, words: Operand, granule: int, begun: str) -> None:
        """
        Add the product over `words` along K, a multiple of `granule`, to the result.

        What is left behind the last whole tile is multiplied in tiles of a granule. The result
        counts as 0 unless `begun` holds.
        """
        b = e.builder
        if granule % SIDE == 0:
            self._add(e, (0, words), SIDE, begun, self.into)
            return
        whole = b.mul(b.div(words, SIDE), SIDE)
        complete = b.equal(whole, words)
        if whole != 0:
            self._add(e, (0, whole), SIDE, begun, chosen(e, complete, self.into, self.c))

        def rest() -> Sequence[Operand]:
            self._add(e, (whole, words), granule, "true" if whole != 0 else begun, self.into)
            return ()

        b.if_else(b.value(f"xor i1 {complete}, true"), rest)

    def _add(
        self, e: Emitter, extent: tuple[Operand, Operand], depth: int, begun: str, into: View
    ) -> None:
        """Add the product over an extent of K, in steps of `depth` words, and put it there."""
        with _configured(e, _constant(e, self.layout.configuration(depth))):
            # Strips below each other come one after the other: their part of B stays in the cache.
            strips = (self.b.sizes[0], self.a.sizes[0])
            e.nest(strips, lambda at: self._strip(e, (at[1], at[0]), extent, depth, begun, into))

    def _strip(
        self,
        e: Emitter,
        at: tuple[Operand, Operand],
        extent: tuple[Operand, Operand],
        depth: int,
        begun: str,
        into: View,
    ) -> None:
        """Add the product of a strip of A and one of B."""
        b, layout = e.builder, self.layout
        first_row, first_column = b.mul(at[0], layout.rows), b.mul(at[1], layout.columns)
        results = [
            (
                layout.result(i, j),
                (b.add(first_row, i * layout.height), b.add(first_column, j * layout.width)),
            )
            for i in range(layout.down)
            for j in range(layout.across)
        ]

        def step(k: Operand, _: list[str]) -> Sequence[Operand]:
            inside = 0 if depth == SIDE else b.rem(k, SIDE)
            for i in range(layout.down):
                place = (at[0], b.div(k, SIDE), i * layout.height, inside)
                # Past the first cache, where the strip of B is to stay.
                _move(e, "tileloaddt164", layout.left(i), self.a, place)
                for j in range(layout.across):
                    if i == 0:
                        place = (at[1], k, j * layout.width)
                        _move(e, "tileloadd64", layout.right(j), self.b, place)
                    registers = (layout.result(i, j), layout.left(i), layout.right(j))
                    _call(e, self.instruction, *(("i8", register) for register in registers))
            return ()

        def load() -> Sequence[Operand]:
            for register, place in results:
                _move(e, "tileloadd64", register, self.c, place)
            return ()

        def clear() -> Sequence[Operand]:
            for register, _ in results:
                _call(e, "tilezero", ("i8", register))
            return ()

        b.if_else(begun, load, clear)
        b.loop(extent[0], extent[1], depth, step)
        for register, place in results:
            _move(e, "tilestored64", register, into, place)


def _move(e: Emitter, name: str, register: int, view: View, place: Sequence[Operand]) -> None:
    """Load a tile or store it."""
    pitch = e.builder.mul(view.strides[-2], view.type.bytes)
    _call(e, name, ("i8", register), ("ptr", e.address(view, place)), ("i64", pitch))


@contextmanager
def _configured(e: Emitter, configuration: str):
    """
    Let the unit have a configuration meanwhile.

    That takes as long as some products of tiles. So it has that of a kernel's first product from
    the begin of a launch on, and for others only as long as they take.
    """
    e.configuration = e.configuration or configuration
    if configuration == e.configuration:
        yield
        return
    _call(e, "ldtilecfg", ("ptr", configuration))
    yield
    _call(e, "ldtilecfg", ("ptr", e.configuration))


def _call(e: Emitter, name: str, *arguments: tuple[str, Operand]) -> None:
    e.builder.call("void", f"llvm.x86.{name}", arguments)


def _constant(e: Emitter, content: bytes) -> str:
    """Return where the module has a configuration."""
    name = f"@xt.tiles.{content.hex()}"
    values = ", ".join(f"i8 {byte}" for byte in content)
    e.module.definitions[name] = (
        f"{name} = private unnamed_addr constant [{len(content)} x i8] [{values}], align 64"
    )
    return name
