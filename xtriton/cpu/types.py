"""
Scalar types: how MLIR names them, how LLVM holds them in a register and in memory.

Floats narrower than 32 bits live in registers as their bits, in an integer: LLVM turns
arithmetic and conversions on them into calls that a process may lack. `i1` takes a byte.
"""

import math
import struct
from dataclasses import dataclass
from fractions import Fraction
from functools import cache


@dataclass(frozen=True)
class SmallFloat:
    """
    The format of a float narrower than 32 bits.

    `finite` formats have no infinity; of those, `unsigned_zero` ones have their only NaN in
    the place of minus zero, the others where all exponent and mantissa bits are set.
    """

    mantissa: int
    bias: int
    bits: int
    finite: bool = False
    unsigned_zero: bool = False

    @property
    def magnitude_mask(self) -> int:
        return (1 << (self.bits - 1)) - 1

    @property
    def infinity(self) -> int:
        """The bits above those of the largest finite value of an IEEE format."""
        exponent_bits = self.bits - 1 - self.mantissa
        return ((1 << exponent_bits) - 1) << self.mantissa

    @property
    def largest(self) -> int:
        """The bits of the largest finite value."""
        if not self.finite:
            return self.infinity - 1
        return self.magnitude_mask if self.unsigned_zero else self.magnitude_mask - 1

    @property
    def nan(self) -> int:
        if self.unsigned_zero:
            return 1 << (self.bits - 1)
        return self.magnitude_mask if self.finite else self.infinity | 1 << (self.mantissa - 1)

    @property
    def overflow(self) -> int:
        """What a value too large becomes: infinity where there is one, otherwise NaN."""
        return self.nan if self.finite else self.infinity


SMALL_FLOATS = {
    "f16": SmallFloat(10, 15, 16),
    "bf16": SmallFloat(7, 127, 16),
    "f8E5M2": SmallFloat(2, 15, 8),
    "f8E4M3FN": SmallFloat(3, 7, 8, finite=True),
    "f8E4M3FNUZ": SmallFloat(3, 8, 8, finite=True, unsigned_zero=True),
    "f8E5M2FNUZ": SmallFloat(2, 16, 8, finite=True, unsigned_zero=True),
    "f8E4M3B11FNUZ": SmallFloat(3, 11, 8, finite=True, unsigned_zero=True),
}


@dataclass(frozen=True)
class Type:
    """A scalar type: MLIR's name, LLVM's type in a register, and the one in memory."""

    name: str
    register: str
    memory: str
    bytes: int

    @property
    def small(self) -> SmallFloat | None:
        return SMALL_FLOATS.get(self.name)

    @property
    def is_float(self) -> bool:
        return self.register in ("float", "double") or self.small is not None

    @property
    def width(self) -> int:
        """Bits of an integer type."""
        return int(self.register[1:])

    @property
    def zero(self) -> str:
        return _ZEROS.get(self.register, "0")


_ZEROS = {"float": "0.0", "double": "0.0", "ptr": "null"}

INDEX = Type("index", "i64", "i64", 8)
I1 = Type("i1", "i1", "i8", 1)
I8 = Type("i8", "i8", "i8", 1)
I16 = Type("i16", "i16", "i16", 2)
I32 = Type("i32", "i32", "i32", 4)
BF16 = Type("bf16", "i16", "i16", 2)
F32 = Type("f32", "float", "float", 4)
F64 = Type("f64", "double", "double", 8)

_SPECIAL = {"index": INDEX, "i1": I1, "f32": F32, "f64": F64}


@cache
def scalar_type(name: str) -> Type | None:
    """Return the type that MLIR calls `name`, or None if it is no scalar known here."""
    if name in _SPECIAL:
        return _SPECIAL[name]
    if small := SMALL_FLOATS.get(name):
        integer = f"i{small.bits}"
        return Type(name, integer, integer, small.bits // 8)
    if name[:1] == "i" and name[1:].isdigit():
        width = int(name[1:])
        size = 1 << max(0, (width - 1).bit_length() - 3)
        return Type(name, name, f"i{8 * size}", size)
    if name.startswith("!tt.ptr<"):
        return Type(name, "ptr", "ptr", 8)
    return None


def float_constant(value: float, type: Type) -> str:
    """Return `value` as a constant of a float type, exactly."""
    if type.small is not None:
        return str(encode_small_float(value, type.small))
    if type.register == "float":
        value = round_to_f32(value)
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def round_to_f32(value: float) -> float:
    """Return the f32 nearest to `value`, infinite where that overflows."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def encode_small_float(value: float, format: SmallFloat) -> int:
    """Return the bits of `value`, rounded to nearest even, in a small format."""
    if math.isnan(value):
        return format.nan
    sign = 1 << (format.bits - 1) if math.copysign(1.0, value) < 0 else 0
    if math.isinf(value):
        return format.nan if format.unsigned_zero else sign | format.overflow
    exponent = max(math.frexp(value)[1] - 1, 1 - format.bias) if value else 1 - format.bias
    # Counted in units of the last place, the bits of a float are consecutive integers.
    steps = round(Fraction(abs(value)) / Fraction(2) ** (exponent - format.mantissa))
    bits = steps + ((exponent + format.bias - 1) << format.mantissa)
    if bits > format.largest:
        return format.nan if format.unsigned_zero else sign | format.overflow
    if bits == 0 and format.unsigned_zero:
        return 0
    return sign | bits


def parted(vector: str) -> tuple[int, str]:
    """Return the lanes of a type of LLVM's and the type of each; a number is one of itself."""
    lanes, is_vector, element = vector.strip("<>").partition(" x ")
    return (int(lanes), element) if is_vector else (1, vector)


def suffix(type: str) -> str:
    """Return what a type of LLVM's is called in the names of its functions: <8 x float> v8f32."""
    lanes, element = parted(type)
    name = {"float": "f32", "double": "f64"}.get(element, element)
    return f"v{lanes}{name}" if type.startswith("<") else name
