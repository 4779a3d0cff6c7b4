"""
What SSA values become during code generation.

A scalar is a register or constant. A memref is a `View` of a `Storage`. A tensor is a `View`
too, once it lies in memory, or a `Lazy`: a rule that computes any element when a consumer's
loop asks for it, so that chains of elementwise ops become one loop.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.types import Type

UNKNOWN_SIZE = "poison"
"""The size of a view whose extent nobody told, such as a kernel argument."""


ANY_ARGUMENT = -1
"""The `argument` of memory that is known only at run time, such as what a loop carries."""


@dataclass(eq=False)
class Storage:
    """
    A piece of memory: where it starts, and which SSA values have their content there.

    `argument` is the number of the kernel argument that it belongs to, `ANY_ARGUMENT` if that
    is not known, None for memory of our own. `writable` says that a tensor op may overwrite it
    once its values are dead; the elements that are known are then those of another value,
    which `len(values)` tells.
    """

    pointer: str
    argument: int | None = None
    writable: bool = True
    row: int = 0
    """How many elements a whole row of a buffer has, if it is one."""
    rows: str | None = None
    """Where it is written down where each row begins, if rows may lie elsewhere; see `pointed`."""
    values: list[SSAValue] = field(default_factory=list[SSAValue])


@dataclass(frozen=True)
class View:
    """A strided window of a storage; offset and strides count elements."""

    storage: Storage
    type: Type
    offset: Operand
    sizes: tuple[Operand, ...]
    strides: tuple[Operand, ...]

    @property
    def is_contiguous(self) -> bool:
        """True if the elements are known to lie one after the other in row-major order."""
        expected = 1
        for size, stride in zip(reversed(self.sizes), reversed(self.strides), strict=True):
            if size == 1:
                continue
            if stride != expected or not isinstance(size, int):
                return False
            expected *= size
        return True

    @property
    def is_in_columns(self) -> bool:
        """True if elements lie one after the other along the first of two dimensions only."""
        return len(self.strides) == 2 and self.strides[0] == 1 and self.strides[1] != 1

    @property
    def dense(self) -> int | None:
        """The only dimension along which elements follow each other; None if there is none."""
        return dense_dimension(self.strides, self.sizes)

    @property
    def is_whole(self) -> bool:
        """True if the elements are known to fill a piece of memory, by rows or by columns."""
        if not self.is_in_columns:
            return self.is_contiguous
        return self.strides[1] == self.sizes[0] and isinstance(self.sizes[1], int)

    @property
    def bytes(self) -> int:
        """The bytes of what is known to be so large, the ends of its rows included."""
        extents = zip(self.sizes, self.strides, strict=True)
        return max(int(size) * int(stride) for size, stride in extents) * self.type.bytes

    def turned(self) -> "View":
        """Return a view of two dimensions with the one in place of the other."""
        return View(self.storage, self.type, self.offset, self.sizes[::-1], self.strides[::-1])

    def same_place(self, other: "View") -> bool:
        """True if both are known to hold the same elements in the same order."""
        return (
            self.storage.pointer == other.storage.pointer
            and self.offset == other.offset
            and self.strides == other.strides
        )


def dense_dimension(strides: Sequence[Operand], sizes: Sequence[Operand]) -> int | None:
    """Return the only dimension along which elements follow each other; None if there is none."""
    dense = [d for d, stride in enumerate(strides) if stride == 1 and sizes[d] != 1]
    return dense[0] if len(dense) == 1 else None


@dataclass(frozen=True)
class Read:
    """
    A storage that computing a lazy tensor reads; `aligned`: element i of it for element i.

    What is read `late` is memory of the user's, which stores may change. Elements lie one after the
    other along dimension `dense` of what is read, if that is known.
    """

    storage: Storage
    aligned: bool
    late: bool = False
    dense: int | None = None


@dataclass(frozen=True)
class Pieces:
    """What a block consists of: a number at indices below `end`, and another one from there on."""

    end: Operand
    first: Operand
    second: Operand

    @property
    def is_uniform(self) -> bool:
        return self.first == self.second


@dataclass(frozen=True, eq=False)
class Lazy:
    """
    A tensor not in memory: its element at given indices is computed on demand.

    `cost` counts the operations of one element, loads included. A tensor is `undefined` where
    any element will do, so that nobody has to write it. `pieces` tells of few different numbers,
    if it is known that there are no more. `rounded` is the f32 block in memory of which it has
    the elements, rounded to its type, where somebody has looked for that. A tensor that is loaded
    `by_rows` has no elements but is written to a place as a whole; see `row_loads`.
    """

    type: Type
    sizes: tuple[Operand, ...]
    compute: Callable[[Sequence[Operand]], Operand]
    reads: tuple[Read, ...] = ()
    cost: int = 0
    undefined: bool = False
    pieces: Pieces | None = None
    rounded: View | None = None
    by_rows: Callable[[View], None] | None = None


Tensor = View | Lazy
Value = Operand | View | Lazy


def row_major_strides(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the strides of a contiguous buffer."""
    strides: list[int] = []
    stride = 1
    for size in reversed(sizes):
        strides.append(stride)
        stride *= size
    return tuple(reversed(strides))


def known_sizes(*candidates: Sequence[Operand]) -> list[Operand]:
    """Return, for each dimension, a constant extent if one of the shapes has it."""
    result: list[Operand] = []
    for sizes in zip(*candidates, strict=True):
        static = [size for size in sizes if isinstance(size, int)]
        result.append(static[0] if static else sizes[0])
    return result


def condition_text(value: Operand) -> str:
    """Return an i1 as LLVM writes it."""
    if isinstance(value, int):
        return "true" if value & 1 else "false"
    return value
