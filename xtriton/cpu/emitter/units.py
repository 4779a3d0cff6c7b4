"""
Products of narrow numbers on the units that a CPU has for them.

Such a unit adds up two products of 16-bit numbers or four of i8 at a time: it reads words of 32
bits that hold so many elements next to each other along K. Both operands are packed into words.
Units of vectors read them in rows:

    A, [m, k]    [m, k in words]
    B, [k, n]    [k in words, n]

Units of tiles read strips of some rows of A and of some columns of B:

    A, [m, k]    [m / rows, k / 16 words, rows, 16 words]
    B, [k, n]    [n / columns, k in words, columns]

`unit_tiles` and `unit_words` multiply what has been packed.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.lookahead import Following
from xtriton.cpu.emitter.memory import permuted
from xtriton.cpu.emitter.narrowing import store_rounded
from xtriton.cpu.emitter.tiles import STEPS, Sums, multiply_tiles, padded
from xtriton.cpu.emitter.unit_tiles import SIDE, Layout, Product, layout_for
from xtriton.cpu.emitter.unit_words import LEAST_LANES, MOVED, Dot
from xtriton.cpu.emitter.values import Lazy, Storage, Tensor, View, row_major_strides
from xtriton.cpu.types import BF16, F32, I8, I16, I32, Type


@dataclass(frozen=True)
class Unit:
    """A unit that multiplies elements of `type` and adds them up in `result`."""

    feature: str
    """LLVM's name of it."""
    type: Type
    result: Type
    packed: Type
    """What elements are widened to."""
    instruction: str

    @property
    def per_word(self) -> int:
        """How many elements a word holds."""
        return I32.bytes // self.packed.bytes


@dataclass(frozen=True)
class UnitProduct(ABC):
    """A product of (m, n, k) on a unit, k elements at a time."""

    unit: Unit
    sizes: tuple[int, int, int]

    @property
    def words(self) -> int:
        """How many words hold k elements."""
        return self.sizes[2] // self.unit.per_word

    @abstractmethod
    def left(self, words: int) -> View:
        """Return how A lies, with so many words along K, wherever that may be."""

    @abstractmethod
    def right(self, words: int) -> View:
        """Return how B lies, with so many words along K, wherever that may be."""

    @abstractmethod
    def pack_left(self, e: Emitter, tensor: Tensor, place: View) -> None:
        """Write A, [m, k], to `place`."""

    @abstractmethod
    def pack_right(self, e: Emitter, tensor: Tensor, place: View) -> None:
        """Write B, [k, n], to `place`."""

    @abstractmethod
    def multiply_packed(
        self,
        e: Emitter,
        operands: tuple[View, View],
        sums: Sums,
        words: Operand | None = None,
        following: Sequence[Following] = (),
    ) -> None:
        """
        Add the product of packed operands to `sums`, over k elements or so many words along K.

        A unit of tiles takes multiples of k elements. What is read next, `following`, is asked for
        meanwhile, but by units of tiles.
        """

    def packed(self, e: Emitter, number: int, tensor: Tensor) -> View:
        """Return operand `number`, A, [m, k], or B, [k, n], in new memory as the unit reads it."""
        view = (self.left, self.right)[number](self.words)
        place = e.allocate(view.sizes, I32)
        (self.pack_left, self.pack_right)[number](e, tensor, place)
        return place

    def elements_of(self, e: Emitter, words: View) -> View:
        """Return packed elements, which are contiguous along K, in the place of words."""
        per_word = self.unit.per_word
        strides = tuple(e.builder.mul(stride, per_word) for stride in words.strides[:-1])
        sizes = (*words.sizes[:-1], int(words.sizes[-1]) * per_word)
        offset = e.builder.mul(words.offset, per_word)
        return View(words.storage, self.unit.packed, offset, sizes, (*strides, 1))

    def widened(self, e: Emitter, tensor: Tensor) -> Tensor:
        """Return a tensor as the elements that are packed."""
        source, target = self.unit.type.register, self.unit.packed.register
        if source == target:
            return tensor
        return _mapped(e, tensor, self.unit.packed, f"sext {source} {{}} to {target}")

    def woven(self, e: Emitter, tensor: Tensor) -> Tensor:
        """Return B, [k, n], in words, each of elements that lie below each other."""
        if isinstance(tensor, View) and tensor.strides[0] == 1 != tensor.strides[1]:
            return self._words(e, tensor)
        b, per_word, packed = e.builder, self.unit.per_word, self.unit.packed
        tensor = self.widened(e, tensor)

        def compute(indices: Sequence[Operand]) -> Operand:
            first = b.mul(indices[0], per_word)
            word: Operand = 0
            for n in range(per_word):
                element = e.element(tensor, (b.add(first, n), indices[1]))
                part = b.value(f"zext {packed.memory} {element} to i32")
                part = part if n == 0 else b.value(f"shl i32 {part}, {8 * packed.bytes * n}")
                word = part if n == 0 else b.value(f"or i32 {word}, {part}")
            return word

        sizes = (self.words, self.sizes[1])
        return Lazy(I32, sizes, compute, e.reads_of(tensor, aligned=False))

    def _words(self, e: Emitter, columns: View) -> View:
        """Return columns of elements as columns of words."""
        per_word = self.unit.per_word
        rows = self.widened(e, permuted(columns, (1, 0)))
        if not isinstance(rows, View) or not _is_whole((rows.offset, rows.strides[0]), per_word):
            rows = e.materialized(rows)
        offset, pitch = (int(x) // per_word for x in (rows.offset, rows.strides[0]))
        return View(rows.storage, I32, offset, (self.words, self.sizes[1]), (1, pitch))


@dataclass(frozen=True)
class TileProduct(UnitProduct):
    """A product on a unit of tiles."""

    layout: Layout

    def left(self, words: int) -> View:
        depth = min(words, SIDE)
        rows = self.layout.rows
        return _somewhere((self.sizes[0] // rows, words // depth, rows, depth))

    def right(self, words: int) -> View:
        columns = self.layout.columns
        return _somewhere((self.sizes[1] // columns, words, columns))

    def pack_left(self, e: Emitter, tensor: Tensor, place: View) -> None:
        elements = self.elements_of(e, place)
        sizes = elements.sizes
        parts = ((0, self.layout.rows), (1, int(sizes[-1])), (0, 1), (1, 1))
        if (rounded := _rounded_to(tensor, elements)) is not None:
            store_rounded(e, _split_view(e, rounded, sizes, parts), elements)
        else:
            e.write(_split(e, tensor, sizes, parts), elements)

    def pack_right(self, e: Emitter, tensor: Tensor, place: View) -> None:
        parts = ((1, self.layout.columns), (0, 1), (1, 1))
        e.write(_split(e, self.woven(e, tensor), place.sizes, parts), place)

    def multiply_packed(
        self,
        e: Emitter,
        operands: tuple[View, View],
        sums: Sums,
        words: Operand | None = None,
        following: Sequence[Following] = (),
    ) -> None:
        into = sums.into or sums.place
        product = Product(self.unit.instruction, self.layout, *operands, sums.place, into)
        product.add(e, self.words if words is None else words, self.words, sums.begun)


@dataclass(frozen=True)
class WordProduct(UnitProduct):
    """A product by an instruction on vectors of words."""

    @property
    def dot(self) -> Dot:
        return Dot(self.unit.instruction, self.unit.result)

    def left(self, words: int) -> View:
        return padded((self.sizes[0], words), I32)

    def right(self, words: int) -> View:
        return padded((words, self.sizes[1]), I32)

    def pack_left(self, e: Emitter, tensor: Tensor, place: View) -> None:
        elements = self.elements_of(e, place)
        if (rounded := _rounded_to(tensor, elements)) is not None:
            store_rounded(e, rounded, elements)
            return
        if isinstance(tensor, View) and tensor.strides[1] != 1:
            tensor = e.materialized(tensor)
        tensor = self.widened(e, tensor)
        if self.dot.moves:
            tensor = _mapped(e, tensor, I8, f"xor i8 {{}}, {MOVED - (1 << 8)}")
        e.write(tensor, elements)

    def pack_right(self, e: Emitter, tensor: Tensor, place: View) -> None:
        e.write(self.woven(e, tensor), place)

    def multiply_packed(
        self,
        e: Emitter,
        operands: tuple[View, View],
        sums: Sums,
        words: Operand | None = None,
        following: Sequence[Following] = (),
    ) -> None:
        words = self.words if words is None else words
        multiply_tiles(e, *operands, sums, words, gcd(self.words, STEPS), self.dot, following)


UNITS = (
    Unit("amx-bf16", BF16, F32, BF16, "tdpbf16ps"),
    Unit("amx-int8", I8, I32, I8, "tdpbssd"),
    Unit("avx512bf16", BF16, F32, BF16, "vdpbf16ps"),
    Unit("avx512vnni", I8, I32, I8, "vpdpbusd"),
    Unit("avxvnni", I8, I32, I8, "vpdpbusd"),
    Unit("avx512bw", I8, I32, I16, "pmaddwd"),
    Unit("avx2", I8, I32, I16, "pmaddwd"),
)
"""The best first."""


def unit_product(
    e: Emitter, operands: Sequence[Type], result: Type, sizes: tuple[int, int, int]
) -> UnitProduct | None:
    """Return a product of (m, n, k) on a unit; None if there is none for it."""
    for unit in UNITS:
        fits = all(type == unit.type for type in operands) and result == unit.result
        if fits and unit.feature in e.target.units and sizes[2] % unit.per_word == 0:
            of_tiles = unit.instruction.startswith("tdp")
            product = _on_tiles(unit, sizes) if of_tiles else _on_words(unit, sizes)
            if product is not None:
                return product
    return None


def _on_tiles(unit: Unit, sizes: tuple[int, int, int]) -> TileProduct | None:
    words, layout = sizes[2] // unit.per_word, layout_for(*sizes[:2])
    fits = words % SIDE == 0 or SIDE % words == 0
    return TileProduct(unit, sizes, layout) if layout is not None and fits else None


def _on_words(unit: Unit, sizes: tuple[int, int, int]) -> WordProduct | None:
    return WordProduct(unit, sizes) if sizes[1] % LEAST_LANES == 0 else None


def _rounded_to(tensor: Tensor, elements: View) -> View | None:
    """Return the f32 of which a tensor is the rounded ones, if it goes to bf16."""
    return tensor.rounded if isinstance(tensor, Lazy) and elements.type == BF16 else None


def _is_whole(extents: Sequence[Operand], per_word: int) -> bool:
    """Return whether extents are known to be of whole words."""
    return all(isinstance(extent, int) and extent % per_word == 0 for extent in extents)


def _mapped(e: Emitter, tensor: Tensor, type: Type, instruction: str) -> Lazy:
    """Return what an instruction makes of each element."""

    def compute(indices: Sequence[Operand]) -> Operand:
        return e.builder.value(instruction.format(e.element(tensor, indices)))

    return Lazy(type, tensor.sizes, compute, e.reads_of(tensor))


def _somewhere(sizes: tuple[int, ...]) -> View:
    return View(Storage("", writable=False), I32, 0, sizes, row_major_strides(sizes))


def _split(
    e: Emitter, matrix: Tensor, sizes: Sequence[Operand], parts: Sequence[tuple[int, int]]
) -> Tensor:
    """Return a matrix in more dimensions, each of which counts some elements of one of its own."""
    b, sizes = e.builder, tuple(sizes)
    if isinstance(matrix, View):
        return _split_view(e, matrix, sizes, parts)

    def compute(indices: Sequence[Operand]) -> Operand:
        at: list[Operand] = [0, 0]
        for index, (dimension, step) in zip(indices, parts, strict=True):
            at[dimension] = b.add(at[dimension], b.mul(index, step))
        return e.element(matrix, at)

    return Lazy(matrix.type, sizes, compute, e.reads_of(matrix, aligned=False), matrix.cost)


def _split_view(
    e: Emitter, matrix: View, sizes: Sequence[Operand], parts: Sequence[tuple[int, int]]
) -> View:
    strides = tuple(e.builder.mul(matrix.strides[dimension], step) for dimension, step in parts)
    return View(matrix.storage, matrix.type, matrix.offset, tuple(sizes), strides)
