"""
Products of narrow numbers on the units that a CPU has for them.

Such a unit adds up two products of bf16 or four of i8 at a time: it reads words of 32 bits that
hold so many elements next to each other along K. Both operands are packed into words, in strips
of some rows of A and of some columns of B:

    A, [m, k]    [m / rows, k / 16 words, rows, 16 words]
    B, [k, n]    [n / columns, k in words, columns]

`unit_tiles` multiplies what has been packed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.memory import permuted
from xtriton.cpu.emitter.unit_tiles import SIDE, Layout, Product, layout_for
from xtriton.cpu.emitter.values import Lazy, Storage, Tensor, View, row_major_strides
from xtriton.cpu.types import BF16, F32, I8, I32, Type


@dataclass(frozen=True)
class Unit:
    """A unit that multiplies elements of `type` and adds them up in `result`."""

    feature: str
    """LLVM's name of it."""
    type: Type
    result: Type
    instruction: str

    @property
    def per_word(self) -> int:
        """How many elements a word holds."""
        return I32.bytes // self.type.bytes


@dataclass(frozen=True)
class UnitProduct:
    """A product of (m, n, k) on a unit, k elements at a time."""

    unit: Unit
    layout: Layout
    sizes: tuple[int, int, int]

    @property
    def words(self) -> int:
        """How many words hold k elements."""
        return self.sizes[2] // self.unit.per_word

    def left(self, words: int) -> View:
        """Return how A lies, with so many words along K, wherever that may be."""
        depth = min(words, SIDE)
        rows = self.layout.rows
        return _somewhere((self.sizes[0] // rows, words // depth, rows, depth))

    def right(self, words: int) -> View:
        """Return how B lies, with so many words along K, wherever that may be."""
        columns = self.layout.columns
        return _somewhere((self.sizes[1] // columns, words, columns))

    def multiply(self, e: Emitter, left: Tensor, right: Tensor, c: View) -> None:
        """Add the product of `left`, [m, k], and `right`, [k, n], to `c` in rows."""
        a, b = (
            e.allocate(view.sizes, I32) for view in (self.left(self.words), self.right(self.words))
        )
        self.pack_left(e, left, a)
        self.pack_right(e, right, b)
        self.multiply_packed(e, a, b, c)

    def multiply_packed(
        self, e: Emitter, a: View, b: View, c: View, times: Operand = 1, begun: str = "true"
    ) -> None:
        """
        Add the product of packed operands, over `times` k elements, to `c` in rows.

        What is in `c` does not count, but as 0, unless `begun` holds.
        """
        product = Product(self.unit.instruction, self.layout, a, b, c)
        product.add(e, e.builder.mul(times, self.words), self.words, begun)

    def pack_left(self, e: Emitter, tensor: Tensor, place: View) -> None:
        """Write A, [m, k], to `place`."""
        per_word, rows = self.unit.per_word, self.layout.rows
        strides = tuple(e.builder.mul(stride, per_word) for stride in place.strides[:-1])
        sizes = (*place.sizes[:-1], int(place.sizes[-1]) * per_word)
        offset = e.builder.mul(place.offset, per_word)
        elements = View(place.storage, self.unit.type, offset, sizes, (*strides, 1))
        e.write(_split(e, tensor, sizes, ((0, rows), (1, sizes[-1]), (0, 1), (1, 1))), elements)

    def pack_right(self, e: Emitter, tensor: Tensor, place: View) -> None:
        """Write B, [k, n], to `place`."""
        columns = self.layout.columns
        words = self._woven(e, tensor)
        e.write(_split(e, words, place.sizes, ((1, columns), (0, 1), (1, 1))), place)

    def _woven(self, e: Emitter, tensor: Tensor) -> Tensor:
        """Return the words of elements that lie below each other."""
        if isinstance(tensor, View) and tensor.strides[0] == 1 != tensor.strides[1]:
            return self._words(e, tensor)
        b, per_word, bits = e.builder, self.unit.per_word, 8 * self.unit.type.bytes

        def compute(indices: Sequence[Operand]) -> Operand:
            first = b.mul(indices[0], per_word)
            word: Operand = 0
            for n in range(per_word):
                element = e.element(tensor, (b.add(first, n), indices[1]))
                part = b.value(f"zext {self.unit.type.memory} {element} to i32")
                part = part if n == 0 else b.value(f"shl i32 {part}, {bits * n}")
                word = part if n == 0 else b.value(f"or i32 {word}, {part}")
            return word

        sizes = (self.words, self.sizes[1])
        return Lazy(I32, sizes, compute, e.reads_of(tensor, aligned=False))

    def _words(self, e: Emitter, columns: View) -> View:
        """Return columns of elements as columns of words."""
        per_word = self.unit.per_word
        whole = (columns.offset, columns.strides[1])
        if not all(isinstance(x, int) and x % per_word == 0 for x in whole):
            columns = permuted(e.materialized(permuted(columns, (1, 0))), (1, 0))
        offset, pitch = (int(x) // per_word for x in (columns.offset, columns.strides[1]))
        return View(columns.storage, I32, offset, (self.words, self.sizes[1]), (1, pitch))


UNITS = (
    Unit("amx-bf16", BF16, F32, "tdpbf16ps"),
    Unit("amx-int8", I8, I32, "tdpbssd"),
)


def unit_product(
    e: Emitter, operands: Sequence[Type], result: Type, sizes: tuple[int, int, int]
) -> UnitProduct | None:
    """Return a product of (m, n, k) on a unit; None if there is none for it."""
    rows, columns, depth = sizes
    for unit in UNITS:
        fits = all(type == unit.type for type in operands) and result == unit.result
        if not fits or unit.feature not in e.target.units or depth % unit.per_word:
            continue
        words, layout = depth // unit.per_word, layout_for(rows, columns)
        if layout is not None and (words % SIDE == 0 or SIDE % words == 0):
            return UnitProduct(unit, layout, sizes)
    return None


def _somewhere(sizes: tuple[int, ...]) -> View:
    return View(Storage("", writable=False), I32, 0, sizes, row_major_strides(sizes))


def _split(
    e: Emitter, matrix: Tensor, sizes: Sequence[Operand], parts: Sequence[tuple[int, int]]
) -> Tensor:
    """Return a matrix in more dimensions, each of which counts some elements of one of its own."""
    b, sizes = e.builder, tuple(sizes)
    if isinstance(matrix, View):
        strides = tuple(b.mul(matrix.strides[dimension], step) for dimension, step in parts)
        return View(matrix.storage, matrix.type, matrix.offset, sizes, strides)

    def compute(indices: Sequence[Operand]) -> Operand:
        at: list[Operand] = [0, 0]
        for index, (dimension, step) in zip(indices, parts, strict=True):
            at[dimension] = b.add(at[dimension], b.mul(index, step))
        return e.element(matrix, at)

    return Lazy(matrix.type, sizes, compute, e.reads_of(matrix, aligned=False), matrix.cost)
