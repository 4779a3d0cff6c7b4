"""Numbers as they are written, and what MLIR makes of them for a type."""

import math
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import AnyFloat, IndexType, Signedness

_INDEX_BITS = 64


@dataclass(frozen=True)
class Literal:
    """A number, and how it is written: with a minus, and with hexadecimal digits."""

    value: Any
    negative: bool
    hexadecimal: bool


def is_in_range(literal: Literal, type: Any) -> bool:
    """
    Return whether MLIR reads an integer's literal as a constant of `type`.

    `type` is an `IntegerType` or `IndexType`. Types without a sign take what fits with or
    without one; `index` has a sign. A minus in front of 0 is refused.
    """
    value = literal.value
    if literal.negative and value == 0:
        return False
    if isinstance(type, IndexType):
        width, signedness = _INDEX_BITS, Signedness.SIGNED
    else:
        width, signedness = type.width.data, type.signedness.data
    # `i0` has 0 alone.
    low = 0 if signedness is Signedness.UNSIGNED or width == 0 else -(1 << width - 1)
    high = (1 << width) if signedness is not Signedness.SIGNED else 1 << max(width - 1, 0)
    return low <= value < high


def float_of(literal: Literal, type: AnyFloat) -> float:
    """
    Return the value of a float's literal: infinite where it is beyond what `type` holds.

    Hexadecimal digits are the bits. Raises `ValueError` for decimal integers, for bits with a
    minus or too many, and for types whose constants are not supported.
    """
    value = literal.value
    if isinstance(value, bool) or (isinstance(value, int) and not literal.hexadecimal):
        raise ValueError("unexpected decimal integer literal for a floating point value")
    try:
        if isinstance(value, float):
            return _within(value, type)
        if literal.negative:
            raise ValueError("hexadecimal float literal should not have a leading minus")
        data: bytes = value.to_bytes(type.compile_time_size, "little")
        return next(iter(type.iter_unpack(data)))
    except OverflowError:
        raise ValueError("hexadecimal float constant out of range for type") from None
    except NotImplementedError:
        raise ValueError(f"constants of type {type.name} are not supported") from None


def _within(value: float, type: AnyFloat) -> float:
    try:
        type.pack((value,))
    except OverflowError:
        return math.copysign(math.inf, value)
    return value
