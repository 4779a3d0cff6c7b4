"""
Conversions between element types, bit for bit.

What MLIR leaves undefined is what PTX does: a float outside the range of the integer asked
for becomes the nearest integer of that range, NaN becomes 0.
"""

from collections.abc import Callable

import numpy as np

from xtriton.semantics.elements import Array, Element
from xtriton.semantics.float_formats import Rounding
from xtriton.semantics.formats import round_to_format
from xtriton.semantics.integers import unsigned

Cast = Callable[[Array], Array]

_LOST_BITS = 64 - 53
"""Bits of the largest integers that float64 has no room for."""


def extend_signed(source: Element, target: Element) -> Cast:
    """`arith.extsi`; true, an `i1` of all ones, becomes -1."""
    if source.name == "i1":
        return lambda x: -(x.astype(target.carrier))
    return lambda x: x.astype(target.carrier)


def extend_unsigned(source: Element, target: Element) -> Cast:
    """`arith.extui`."""
    return lambda x: unsigned(x, source.width).astype(target.carrier)


def truncate(source: Element, target: Element) -> Cast:
    """`arith.trunci`: the low bits."""
    if target.name == "i1":
        return lambda x: (x & x.dtype.type(1)) != 0
    return lambda x: target.wrap(x.astype(target.carrier))


def index_cast(source: Element, target: Element) -> Cast:
    """`arith.index_cast`: sign-extends or truncates."""
    if source.width < target.width:
        return extend_signed(source, target)
    return truncate(source, target)


def index_cast_unsigned(source: Element, target: Element) -> Cast:
    """`arith.index_castui`: zero-extends or truncates."""
    if source.width < target.width:
        return extend_unsigned(source, target)
    return truncate(source, target)


def signed_to_float(source: Element, target: Element) -> Cast:
    """`arith.sitofp`, to nearest, ties to even."""
    if source.name == "i1":
        # Not negated: that makes -0 of false.
        return lambda x: 0 - x.astype(target.carrier)
    if target.format is None:
        return lambda x: x.astype(target.carrier)
    return lambda x: target.round(_as_float64(x))


def unsigned_to_float(source: Element, target: Element) -> Cast:
    """`arith.uitofp`, to nearest, ties to even."""
    if target.format is None:
        return lambda x: unsigned(x, source.width).astype(target.carrier)
    return lambda x: target.round(_as_float64(unsigned(x, source.width)))


def _as_float64(x: Array) -> Array:
    """
    Return float64 numbers that round to narrower formats as the integers `x` do.

    Integers beyond 2**53 lose their low bits in float64; of the two numbers around such a
    one the odd one is taken, so that the second rounding sees which side it is on (Boldo
    and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
    """
    if x.dtype.itemsize < 8:
        return x.astype(np.float64)
    number = x.dtype.type
    limit, lost = number(1 << 53), number((1 << _LOST_BITS) - 1)
    inexact = (x & lost) != 0
    odd = (x & ~lost) | (inexact.astype(x.dtype) << number(_LOST_BITS))
    large = x > limit
    if x.dtype.kind == "i":
        large |= x < -limit
    return np.asarray(np.where(large, odd, x), np.float64)


def float_to_signed(source: Element, target: Element) -> Cast:
    """`arith.fptosi`: towards zero, saturating, NaN to 0."""
    if target.name == "i1":
        return lambda x: np.trunc(x) < 0
    low, high = -(1 << (target.width - 1)), (1 << (target.width - 1)) - 1

    def cast(x: Array) -> Array:
        wide = x.astype(np.float64)
        result = np.asarray(wide.astype(np.int64)) if target.width > 32 else wide
        if target.width <= 32:
            return np.nan_to_num(np.clip(np.trunc(wide), low, high)).astype(target.carrier)
        result = np.where(wide >= 2.0**63, high, np.where(wide <= -(2.0**63), low, result))
        return np.where(np.isnan(wide), 0, result).astype(target.carrier)

    return cast


def float_to_unsigned(source: Element, target: Element) -> Cast:
    """`arith.fptoui`: towards zero, saturating, NaN to 0."""
    if target.name == "i1":
        return lambda x: np.trunc(x) > 0

    def cast(x: Array) -> Array:
        wide = np.trunc(x.astype(np.float64))
        wide = np.where(wide > 0, wide, 0.0)
        top = 2.0**target.width
        result = np.where(wide < top, wide, 0.0).astype(np.uint64)
        result = np.where(wide >= top, np.uint64((1 << target.width) - 1), result)
        return target.wrap(result.astype(np.int64).astype(target.carrier))

    return cast


def float_to_float(
    source: Element, target: Element, rounding: Rounding = "rtne", saturate: bool = False
) -> Cast:
    """
    `arith.extf`, `arith.truncf`, `tt.fp_to_fp`: rounded once in the given mode.

    `saturate` turns what overflows into the largest finite value of its sign, as the
    conversions to 8-bit floats of GPUs do (`cvt.satfinite`).
    """
    if target.name == "f64":
        return lambda x: x.astype(np.float64)
    if target.name == "f32":
        if source.name != "f64":
            return lambda x: x
        return _to_float32(rounding)
    format = target.format
    if format is None:
        raise ValueError(f"'{target.name}' is no float")
    if rounding == "rtne" and not saturate:
        if _includes(source, target):
            return lambda x: x
        return target.round

    def cast(x: Array) -> Array:
        return round_to_format(x, format, rounding, saturate).astype(np.float32)

    return cast


def _includes(narrow: Element, wide: Element) -> bool:
    """Whether both have a format, and every value of `narrow` is one of `wide`."""
    a, b = narrow.format, wide.format
    return a is not None and b is not None and b.includes(a)


def _to_float32(rounding: Rounding) -> Cast:
    if rounding == "rtne":
        return lambda x: x.astype(np.float32)

    def cast(x: Array) -> Array:
        near = x.astype(np.float32)
        outward = np.abs(near.astype(np.float64)) > np.abs(x)
        return np.where(outward & np.isfinite(x), np.nextafter(near, np.float32(0)), near)  # pyright: ignore[reportUnknownVariableType]

    return cast


def bitcast(source: Element, target: Element) -> Cast:
    """`arith.bitcast`, `tt.bitcast`: the same stored bits read as another type."""
    if source is target:
        return lambda x: x
    same_bits = source.storage == target.storage and source.carrier == target.carrier
    if same_bits and source.format is target.format:
        return lambda x: x

    def cast(x: Array) -> Array:
        stored = np.asarray(source.encode(x))
        if stored.dtype != target.storage:
            stored = stored.view(target.storage)
        return target.decode(stored)

    return cast
