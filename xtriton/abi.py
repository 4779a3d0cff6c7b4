"""
The calling convention of a kernel, said once for lowering, native launcher and interpreter.

A `tt.func` has only the arguments that the user wrote. Lowered to `func.func` it has, after
them, six `i32` arguments, as microsoft/triton-shared has them: the number of programs along
x, y and z, then the id of this program along x, y and z. A pointer to `T` becomes
`memref<*xT>` (or `memref<?xT>`); scalars stay what they are.

`xtriton-add-shape-arguments` puts `i64` arguments between the two: sizes and strides of the
tensors that the pointers belong to, each marked with what it is (`TensorFact`). A launcher fills
them in; the user does not know of them.

The native launcher hands the user's arguments over as a block of 8-byte slots, one per
argument: an address for a pointer, the little-endian value for a scalar.
"""

import operator
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal, Protocol

Axis = Literal[0, 1, 2]

AXES: tuple[Axis, Axis, Axis] = (0, 1, 2)
PROGRAM_ARGUMENT_TYPE = "i32"
PROGRAM_ARGUMENT_NAMES = (
    *(f"num_programs_{axis}" for axis in "xyz"),
    *(f"program_id_{axis}" for axis in "xyz"),
)
PROGRAM_ARGUMENT_COUNT = len(PROGRAM_ARGUMENT_NAMES)
SLOT_BYTES = 8

MOST_PROGRAMS = (1 << 31) - 1
"""Along one axis: program ids are signed numbers of 32 bits."""

Grid = tuple[int, int, int]


def num_programs_argument(argument_count: int, axis: Axis) -> int:
    """Return where, among `argument_count` arguments, the number of programs along `axis` is."""
    return argument_count - PROGRAM_ARGUMENT_COUNT + axis


def program_id_argument(argument_count: int, axis: Axis) -> int:
    """Return where, among `argument_count` arguments, the program id along `axis` is."""
    return argument_count - len(AXES) + axis


def normalize_grid(grid: int | Sequence[int]) -> Grid:
    """
    Return `grid` with its missing axes as 1.

    Raise `ValueError` or `TypeError` for what cannot be a grid.
    """
    if isinstance(grid, str):
        raise TypeError(f"a grid is a number or up to three of them, not the text '{grid}'")
    sizes = [grid] if isinstance(grid, int) else [_size(size) for size in grid]
    if not 1 <= len(sizes) <= len(AXES):
        raise ValueError(f"a grid has one to three axes, not {len(sizes)}")
    if any(size < 0 for size in sizes):
        raise ValueError(f"a grid has no negative axis: {tuple(sizes)}")
    if any(size > MOST_PROGRAMS for size in sizes):
        raise ValueError(f"an axis of a grid has at most {MOST_PROGRAMS} programs: {tuple(sizes)}")
    x, y, z = (*sizes, 1, 1, 1)[:3]
    return x, y, z


def _size(size: object) -> int:
    try:
        return operator.index(size)  # pyright: ignore[reportArgumentType]
    except TypeError:
        raise TypeError(f"an axis of a grid has a whole number of programs, not {size!r}") from None


def program_ids(index: int, grid: Grid) -> Grid:
    """Return the ids of the `index`-th program; x runs fastest."""
    x, rest = index % grid[0], index // grid[0]
    return x, rest % grid[1], rest // grid[1]


class Kind(Enum):
    """How an argument is handed over."""

    POINTER = "pointer"
    SCALAR = "scalar"


@dataclass(frozen=True)
class Argument:
    """One argument of a kernel: its kind, and the MLIR name of its scalar or pointee type."""

    kind: Kind
    type: str

    def __str__(self) -> str:
        return f"*{self.type}" if self.kind is Kind.POINTER else self.type


def argument_of_text(text: str) -> Argument:
    """Return the argument that `str` wrote."""
    kind = Kind.POINTER if text.startswith("*") else Kind.SCALAR
    return Argument(kind, text.removeprefix("*"))


TENSOR_FACT = "xtriton.tensor"
"""The attribute of an argument that a launcher fills in; its text is a `TensorFact`."""


@dataclass(frozen=True)
class TensorFact:
    """
    A size or stride, in elements, of the tensor that is passed as another argument.

    `dim` counts from the last dimension, which is -1; dimensions that the tensor lacks
    have size 1 and stride 0.
    """

    kind: Literal["shape", "stride"]
    argument: int
    dim: int

    def __str__(self) -> str:
        return f"{self.kind} {self.argument} {self.dim}"

    def value(self, shape: Sequence[int], strides: Sequence[int]) -> int:
        """Return the fact of a tensor of this shape and these strides, in elements."""
        if len(shape) < -self.dim:
            return 1 if self.kind == "shape" else 0
        return int((shape if self.kind == "shape" else strides)[self.dim])


def tensor_fact(text: str) -> TensorFact:
    """Return the fact that a text describes; raise `ValueError` for any other text."""
    match = re.fullmatch(r"(shape|stride) (\d+) (-\d+)", text)
    if match is None:
        raise ValueError(f"'{text}' is no fact of a tensor")
    kind = "shape" if match[1] == "shape" else "stride"
    return TensorFact(kind, int(match[2]), int(match[3]))


_POINTER = re.compile(
    r"!tt\.ptr<([^,<>]+)(?:, \d+)?>|memref<\*x([\w.]+)(?:, .*)?>|memref<\?x([\w.]+)(?:, .*)?>"
)


def argument_of_type(text: str) -> Argument:
    """
    Return the argument that a type stands for, as text: `!tt.ptr<f32>`, `memref<*xf32>` or `i32`.

    Raises `ValueError` for a type that no kernel argument has.
    """
    if match := _POINTER.fullmatch(text):
        return Argument(Kind.POINTER, next(group for group in match.groups() if group).strip())
    if re.fullmatch(r"[a-z]\w*", text):
        return Argument(Kind.SCALAR, text)
    raise ValueError(f"'{text}' is not the type of a kernel argument")


class _HasType(Protocol):
    @property
    def type(self) -> object: ...


def arguments_of(values: Sequence[_HasType], *, lowered: bool) -> tuple[Argument, ...]:
    """
    Return the user's arguments among the block arguments of a kernel.

    `lowered` says that the six program arguments follow them.
    """
    if lowered:
        if len(values) < PROGRAM_ARGUMENT_COUNT:
            raise ValueError("the function lacks the six program arguments of a lowered kernel")
        values = values[: len(values) - PROGRAM_ARGUMENT_COUNT]
    return tuple(argument_of_type(str(value.type)) for value in values)


_ADDRESS_OR_INTEGER = "Q"
_SLOT_FORMATS = {"f32": "f4x", "f64": "d", "f16": "e6x"}
_MASK = (1 << 64) - 1
_INFINITE = float("inf")
ROUNDS_TO_INFINITY = {"f16": 65520.0, "f32": (2 - 2**-24) * 2.0**127, "f64": _INFINITE}
"""The smallest number that rounds to infinity, by type."""


def slots_format(arguments: Sequence[Argument]) -> struct.Struct:
    """Return how the values of `arguments` are laid out, for `slot_value` of each."""
    formats = (
        _SLOT_FORMATS.get(a.type, _ADDRESS_OR_INTEGER)
        if a.kind is Kind.SCALAR
        else _ADDRESS_OR_INTEGER
        for a in arguments
    )
    return struct.Struct("<" + "".join(formats))


def slot_value(argument: Argument, value: float) -> float:
    """
    Return what `slots_format` packs for `value`; a pointer is given as its address.

    bf16 scalars are handed over as their bits, in the low two bytes; f16 as well.
    """
    if argument.kind is Kind.SCALAR:
        if argument.type in _SLOT_FORMATS:
            number = float(value)
            # Python refuses to pack what rounds to infinity.
            return number if abs(number) < ROUNDS_TO_INFINITY[argument.type] else number * _INFINITE
        if argument.type == "bf16":
            return _bf16_bits(float(value))
    return int(value) & _MASK


def _bf16_bits(value: float) -> int:
    bits = int.from_bytes(struct.pack("<f", value), "little")
    if value != value:
        return 0x7FC0
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
