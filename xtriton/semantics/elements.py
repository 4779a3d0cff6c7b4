"""
Element types of MLIR as NumPy sees them.

Every element type has a *carrier*, the NumPy type that values are computed in, and a
*storage*, the NumPy type whose bytes are what memory holds. Integers are signless two's
complement and carried signed; an `i1` is carried as a bool and stored as one byte, 0 or 1;
widths that NumPy lacks are carried in the next wider type, sign-extended. Floats narrower
than 32 bits are carried as float32 values that the narrow type can represent, so that an
operation is one NumPy call and one rounding: for +, -, *, / and the square root that gives
the correctly rounded result, since 24 bits are at least twice 11 plus two.

A pointer is an address in 64 bits.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from xtriton.semantics.float_formats import FORMATS, FloatFormat
from xtriton.semantics.formats import (
    decode_table,
    encode_bits,
    round_bfloat16,
    round_float16,
    round_tf32,
    round_to_format,
)

Array = Any
"""A NumPy array or NumPy scalar; both have the operations used here."""


@dataclass(frozen=True, eq=False)
class Element:
    """
    An element type: its MLIR name, kind, width in bits and NumPy representations.

    `kind` is "int" (also `index` and pointers) or "float". `size` is what one element
    takes in memory, in bytes.
    """

    name: str
    kind: str
    width: int
    carrier: np.dtype[Any]
    storage: np.dtype[Any]
    format: FloatFormat | None = None

    @property
    def size(self) -> int:
        return self.storage.itemsize

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def largest(self) -> float:
        """The largest finite number of a float type."""
        return self.format.largest if self.format else float(np.finfo(self.carrier).max)

    @property
    def is_exact(self) -> bool:
        """Whether NumPy's own arithmetic on the carrier gives results of this type."""
        return self.format is None and self.width in (1, 8, 16, 32, 64)

    def wrap(self, x: Array) -> Array:
        """Reduce the carried integer `x` to this width; identity where NumPy wraps itself."""
        if self.is_exact:
            return x
        spare = self.carrier.itemsize * 8 - self.width
        shift = self.carrier.type(spare)
        return np.right_shift(np.left_shift(x, shift), shift)

    def round(self, x: Array) -> Array:
        """Round the float32 or float64 `x` to this type, to nearest, ties to even."""
        if self.format is None:
            return x.astype(self.carrier, copy=False)
        if x.dtype == np.float32:
            if self.name == "bf16":
                return round_bfloat16(x)
            if self.name == "f16":
                return round_float16(x)
            if self.name == "tf32":
                return round_tf32(x)
        elif self.name == "f16":
            return x.astype(np.float16).astype(np.float32)
        return round_to_format(x, self.format).astype(np.float32)

    def encode(self, x: Array) -> Array:
        """Return the stored form of carried values."""
        if self.carrier == self.storage:
            return x
        if self.name == "i1":
            return x.view(np.uint8)
        if self.name == "f16":
            return x.astype(np.float16)
        if self.name == "bf16":
            return (x.view(np.uint32) >> np.uint32(16)).astype(np.uint16)
        if self.format is not None:
            return encode_bits(x, self.format)
        return x.astype(self.storage)

    def decode(self, bits: Array) -> Array:
        """Return the carried values of stored ones; any nonzero byte is a true `i1`."""
        if self.carrier == self.storage:
            return bits
        if self.name == "i1":
            return bits != 0
        if self.name == "f16":
            return bits.astype(np.float32)
        if self.name == "bf16":
            return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)
        if self.format is not None:
            return decode_table(self.format)[bits]
        return bits.astype(self.carrier)

    def constant(self, value: float | bool) -> Array:
        """Return a Python number as a carried scalar, wrapped or rounded to this type."""
        if self.kind == "float":
            if self.format is None:
                return self.carrier.type(value)
            return self.round(np.float64(value))
        if self.name == "i1":
            return np.bool_(value & 1) if isinstance(value, int) else np.bool_(value)
        mask = (1 << self.width) - 1
        low = int(value) & mask
        if low >> (self.width - 1):
            low -= 1 << self.width
        return self.carrier.type(low)

    def from_bits(self, bits: int) -> Array:
        """Return the carried scalar whose stored form is the integer `bits`."""
        if self.kind == "int":
            return self.constant(bits)
        unsigned = np.dtype(f"u{self.size}").type(bits)
        return self.decode(unsigned.view(self.storage))

    def to_bits(self, x: Array) -> Array:
        """Return the stored form of `x` as unsigned integers of the storage's size."""
        stored = np.asarray(self.encode(x))
        return stored.view(np.dtype(f"u{self.size}"))


def _integer(width: int, name: str) -> Element:
    if width == 1:
        return Element(name, "int", 1, np.dtype(np.bool_), np.dtype(np.uint8))
    carried = next((w for w in (8, 16, 32, 64) if w >= width), None)
    if carried is None:
        raise ValueError(f"integers of {width} bits are not supported")
    dtype = np.dtype(f"i{carried // 8}")
    return Element(name, "int", width, dtype, dtype)


@cache
def element(name: str) -> Element:
    """
    Return the element type of an MLIR name: "i32", "index", "bf16", "f8E4M3FN", "ptr".

    Raise `ValueError` for a name that is no element type.
    """
    if name in ("index", "ptr"):
        return _integer(64, name)
    if name in ("f32", "f64"):
        dtype = np.dtype(f"f{int(name[1:]) // 8}")
        return Element(name, "float", int(name[1:]), dtype, dtype)
    if name in FORMATS:
        format = FORMATS[name]
        storage = {"f16": np.float16, "bf16": np.uint16, "tf32": np.float32}.get(name, np.uint8)
        return Element(name, "float", format.width, np.dtype(np.float32), np.dtype(storage), format)
    digits = name.removeprefix("si").removeprefix("ui").removeprefix("i")
    if digits.isdigit():
        return _integer(int(digits), f"i{digits}")
    raise ValueError(f"'{name}' is no element type")


Unary = Callable[[Array], Array]
