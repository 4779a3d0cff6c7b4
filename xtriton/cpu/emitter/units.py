"""
Products of narrow numbers on the units that a CPU has for them.

Such a unit adds up two products of bf16 or four of i8 at a time: it reads words of 32 bits that
hold so many elements next to each other along K. Operands are packed that way:

    A, [m, k]      rows as they are, contiguous along K
    B, [k/p, n]    words: element (w, j) holds b[p*w, j], b[p*w + 1, j], ... from its low bits up

`unit_tiles` multiplies what has been packed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.memory import permuted
from xtriton.cpu.emitter.unit_tiles import SIDE, Product, multiply_on_tiles
from xtriton.cpu.emitter.values import Lazy, Tensor, View
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

    def packed_left(self, e: Emitter, tensor: Tensor) -> View:
        """Return A as the unit reads it."""
        if isinstance(tensor, View) and _is_own_rows(tensor):
            return tensor
        return e.materialized(tensor)

    def pack_left(self, e: Emitter, tensor: Tensor, place: View) -> None:
        """Write A, [m, k], to `place` as the unit reads it, unless it lies there."""
        e.write(tensor, place)

    def packed_right(self, e: Emitter, tensor: Tensor) -> View:
        """Return B, [k, n], as the unit reads it."""
        depth, columns = tensor.sizes
        place = e.allocate((e.builder.div(depth, self.per_word), columns), I32)
        self.pack_right(e, tensor, place)
        return place

    def pack_right(self, e: Emitter, tensor: Tensor, place: View) -> None:
        """Write B, [k, n], to `place` as the unit reads it, unless it lies there."""
        if isinstance(tensor, View) and tensor.same_place(place):
            return
        if isinstance(tensor, View) and tensor.strides[0] == 1 != tensor.strides[1]:
            rows = permuted(tensor, (1, 0))
            rows = rows if self._is_of_words(rows) else e.materialized(rows)
            e.write(permuted(self._words(rows), (1, 0)), place)
            return
        e.write(self._woven(e, tensor, place.sizes), place)

    def multiply(self, e: Emitter, a: View, b: View, c: View, depth: Operand, granule: int) -> None:
        """
        Add the product of packed operands to `c`, whose rows are contiguous.

        It goes over `depth` elements along K, a multiple of `granule`.
        """
        words = e.builder.div(depth, self.per_word)
        product = Product(self.instruction, self.per_word, a, b, c)
        multiply_on_tiles(e, product, words, granule // self.per_word)

    def _is_of_words(self, view: View) -> bool:
        """Return whether rows of elements are known to consist of whole words."""
        extents = (view.offset, view.strides[0])
        return all(isinstance(x, int) and x % self.per_word == 0 for x in extents)

    def _words(self, rows: View) -> View:
        """Return rows of elements as rows of words."""
        offset, pitch, columns = (
            int(x) // self.per_word for x in (rows.offset, rows.strides[0], rows.sizes[1])
        )
        return View(rows.storage, I32, offset, (rows.sizes[0], columns), (pitch, 1))

    def _woven(self, e: Emitter, tensor: Tensor, sizes: tuple[Operand, ...]) -> Lazy:
        """Return the words of elements that lie below each other."""
        b, memory = e.builder, self.type.memory

        def compute(indices: Sequence[Operand]) -> Operand:
            first = b.mul(indices[0], self.per_word)
            word: Operand = 0
            for n in range(self.per_word):
                element = e.element(tensor, (b.add(first, n), indices[1]))
                part = b.value(f"zext {memory} {element} to i32")
                if n:
                    part = b.value(f"shl i32 {part}, {8 * self.type.bytes * n}")
                word = part if n == 0 else b.value(f"or i32 {word}, {part}")
            return word

        return Lazy(I32, sizes, compute, e.reads_of(tensor, aligned=False))


UNITS = (
    Unit("amx-bf16", BF16, F32, "tdpbf16ps"),
    Unit("amx-int8", I8, I32, "tdpbssd"),
)


def unit_for(
    e: Emitter, operands: Sequence[Type], result: Type, sizes: tuple[int, int, int]
) -> Unit | None:
    """Return the unit for a product of (m, n, k) that is added up in `result`, if there is one."""
    *sides, depth = sizes
    if not all(side < SIDE or side % SIDE == 0 for side in sides):
        return None
    for unit in UNITS:
        fits = all(type == unit.type for type in operands) and result == unit.result
        if fits and unit.feature in e.target.units and depth % unit.per_word == 0:
            return unit
    return None


def _is_own_rows(view: View) -> bool:
    """Return whether a view is of rows in memory of ours, where they are aligned."""
    return view.strides[1] == 1 and view.storage.argument is None
