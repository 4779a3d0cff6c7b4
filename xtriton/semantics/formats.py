# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Rounding into the floating-point formats narrower than float32, bit for bit."""

from functools import cache
from typing import Any

import numpy as np

from xtriton.semantics.float_formats import FloatFormat, Rounding


def round_bfloat16(x: Any) -> Any:
    """Round float32 to bfloat16 values, ties to even; NaNs stay quiet NaNs."""
    u = x.view(np.uint32)
    r = (u >> np.uint32(16)) & np.uint32(1)
    r = (r + u + np.uint32(0x7FFF)) & np.uint32(0xFFFF0000)
    r = r.view(np.float32)
    nan = x != x
    if nan.any():
        quiet = ((u | np.uint32(0x400000)) & np.uint32(0xFFFF0000)).view(np.float32)
        r = np.where(nan, quiet, r)
    return r


def round_float16(x: Any) -> Any:
    """Round float32 to float16 values, ties to even."""
    return x.astype(np.float16).astype(np.float32)


def round_tf32(x: Any) -> Any:
    """Round float32 to 10 mantissa bits, ties away from zero (`cvt.rna.tf32.f32` of PTX)."""
    u = x.view(np.uint32)
    r = ((u + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(np.float32)
    special = ~np.isfinite(x)
    return np.where(special, x, r) if special.any() else r


def round_to_format(
    x: Any, format: FloatFormat, rounding: Rounding = "rtne", saturate: bool = False
) -> Any:
    """
    Return float64 values of `format` nearest to the float32 or float64 `x`.

    With "rtne" ties go to even; "rtz" truncates. What lies beyond the largest value
    becomes an infinity, or NaN where the format has none, or the largest value of its sign
    when `saturate` is set, the format knows neither, or truncation asks for it.
    """
    x = np.asarray(x, np.float64)
    if format.special == "e8m0":
        return _round_e8m0(x)
    _, exponent = np.frexp(x)
    quantum = np.maximum(exponent - 1, format.smallest_exponent) - format.mantissa
    scaled = np.ldexp(x, -quantum)
    whole = np.rint(scaled) if rounding == "rtne" else np.trunc(scaled)
    result = np.ldexp(whole, quantum)
    result = np.where(np.isfinite(x), result, x)
    over = np.abs(result) > format.largest
    if over.any():
        result = np.where(over, np.copysign(_overflow(format, rounding, saturate, x), x), result)
    if format.special == "fnuz":
        result = result + 0.0
    return result


def _overflow(format: FloatFormat, rounding: Rounding, saturate: bool, x: Any) -> Any:
    """What magnitudes above the largest finite value become, before the sign."""
    if format.special == "finite" or saturate:
        return format.largest
    lost = np.inf if format.special == "ieee" else np.nan
    if rounding == "rtz":
        return np.where(np.isfinite(x), format.largest, lost)
    return lost


def _round_e8m0(x: Any) -> Any:
    mantissa, exponent = np.frexp(np.abs(x))
    exponent = exponent - 1 + (mantissa > 0.75)
    result = np.ldexp(1.0, np.clip(exponent, -127, 127))
    return np.where(np.isfinite(x), result, np.nan)


@cache
def decode_table(format: FloatFormat) -> Any:
    """Return the float32 value of every code of a format of at most eight bits, read-only."""
    values = np.array([_decode(code, format) for code in range(256)], np.float32)
    values.flags.writeable = False
    return values


def _decode(code: int, format: FloatFormat) -> float:
    code &= (1 << format.width) - 1
    if format.special == "e8m0":
        return float("nan") if code == 255 else 2.0 ** (code - 127)
    sign = -1.0 if code >> (format.width - 1) else 1.0
    exponent = (code >> format.mantissa) & ((1 << format.exponent) - 1)
    mantissa = code & ((1 << format.mantissa) - 1)
    top = (1 << format.exponent) - 1
    if format.special == "ieee" and exponent == top:
        return float("nan") if mantissa else sign * float("inf")
    if format.special == "fn" and exponent == top and mantissa == (1 << format.mantissa) - 1:
        return float("nan")
    if format.special == "fnuz" and code == 1 << (format.width - 1):
        return float("nan")
    if exponent == 0:
        return sign * mantissa * 2.0 ** (format.smallest_exponent - format.mantissa)
    return sign * (1 + mantissa * 2.0**-format.mantissa) * 2.0 ** (exponent - format.bias)


@cache
def _codes_by_value(format: FloatFormat) -> tuple[Any, Any]:
    """Return the non-negative finite values of a format, ascending, and their codes."""
    table = decode_table(format)[: 1 << format.width]
    codes = np.flatnonzero(np.isfinite(table) & ~np.signbit(table))
    order = np.argsort(table[codes], kind="stable")
    return table[codes][order], codes[order].astype(np.uint8)


def encode_bits(x: Any, format: FloatFormat) -> Any:
    """
    Return the codes, as uint8, of float32 values that `format` can represent.

    Values that it cannot represent (an infinity where there is none) become its NaN.
    """
    x = np.asarray(x)
    if format.name == "tf32":
        return x
    values, codes = _codes_by_value(format)
    magnitude = np.abs(x)
    place = np.minimum(np.searchsorted(values, magnitude), len(values) - 1)
    code = codes[place]
    if format.special != "e8m0":
        sign_bit = np.uint8(1 << (format.width - 1))
        negative = np.signbit(x)
        if format.special == "fnuz":
            negative = negative & (magnitude != 0)
        code = np.where(negative, code | sign_bit, code)
    unusual = ~np.isfinite(x)
    if unusual.any():
        code = np.where(unusual, _unusual_codes(x, format), code)
    return code.astype(np.uint8)


def _unusual_codes(x: Any, format: FloatFormat) -> Any:
    """Codes of infinities and NaNs."""
    sign_bit = np.uint8((1 << (format.width - 1)) & 0xFF)
    sign = np.where(np.signbit(x), sign_bit, np.uint8(0))
    match format.special:
        case "ieee":
            infinity = np.uint8(((1 << format.exponent) - 1) << format.mantissa)
            nan = np.uint8(infinity | (1 << format.mantissa) - 1)
            return np.where(np.isnan(x), nan, infinity) | sign
        case "fn":
            return np.uint8((1 << (format.width - 1)) - 1) | sign
        case "fnuz":
            return np.broadcast_to(sign_bit, np.shape(x))
        case "e8m0":
            return np.broadcast_to(np.uint8(255), np.shape(x))
        case "finite":
            return np.uint8((1 << (format.width - 1)) - 1) | sign
