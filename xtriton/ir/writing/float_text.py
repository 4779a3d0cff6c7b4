"""
Floats as MLIR writes them.

MLIR prints a float with six digits after the leading one if that reads back as the same
value, else with as many digits as its type may need, else (and for infinities and NaNs)
as the hexadecimal bit pattern. The digits are those of LLVM's `APFloat::toString`
(significand as an exact decimal integer, cut, then rounded half up), which differ from
C's and Python's shortest forms: 0.01 of `f32` is `0.00999999977`.
"""

import math

from xdsl.dialects.builtin import AnyFloat

_PRECISION = {
    "f64": 53,
    "f32": 24,
    "f16": 11,
    "tf32": 11,
    "bf16": 8,
    "f8E5M2": 3,
    "f8E5M2FNUZ": 3,
    "f8E4M3": 4,
    "f8E4M3FN": 4,
    "f8E4M3FNUZ": 4,
    "f8E4M3B11FNUZ": 4,
    "f8E3M4": 5,
    "f8E8M0FNU": 1,
    "f6E2M3FN": 4,
    "f6E3M2FN": 3,
    "f4E2M1FN": 2,
}
"""Bits of the significand, the implicit one included."""

_EXPONENTIAL_DIGITS = 6
_MAX_PADDING = 3
"""Zeros that APFloat pads with before it changes to an exponent."""

_memo: dict[tuple[str, bytes], str] = {}


def float_text(value: float, type: AnyFloat) -> str:
    """Return `value` of `type` as MLIR writes it."""
    return float_text_of_bytes(type.pack((value,)), type)


def float_text_of_bytes(data: bytes, type: AnyFloat) -> str:
    """Return the float whose bit pattern is `data`, little endian, as MLIR writes it."""
    key = (type.name, data)
    text = _memo.get(key)
    if text is None:
        if len(_memo) > 100_000:
            _memo.clear()
        text = _memo[key] = _text(data, type)
    return text


def _text(data: bytes, type: AnyFloat) -> str:
    (value,) = type.unpack(data, 1)
    if math.isfinite(value):
        exponential = _exponential(value)
        if type.pack((float(exponential),)) == data:
            return exponential
        text = _round_trip(value, _PRECISION.get(type.name, 53))
        if "." in text:
            return text
    return f"0x{int.from_bytes(data, 'little'):X}"


def _exponential(value: float) -> str:
    """Return `value` with an exponent and six digits after the leading one."""
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if value == 0.0:
        return f"{sign}0.000000e+00"
    digits, exponent = _decimal(value, _EXPONENTIAL_DIGITS)
    exponent += len(digits) - 1
    mantissa = digits[1:].ljust(_EXPONENTIAL_DIGITS, "0")
    return f"{sign}{digits[0]}.{mantissa}e{'-' if exponent < 0 else '+'}{abs(exponent):02}"


def _round_trip(value: float, precision: int) -> str:
    """Return `value` with all the digits that a significand of `precision` bits may need."""
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if value == 0.0:
        return f"{sign}0"
    limit = 2 + precision * 59 // 196
    digits, exponent = _decimal(value, limit)
    leading = exponent + len(digits) - 1
    if exponent >= 0:
        scientific = exponent > _MAX_PADDING or len(digits) + exponent > limit
    else:
        scientific = leading < 0 and -leading > _MAX_PADDING
    if scientific:
        return f"{sign}{digits[0]}.{digits[1:] or '0'}E{'-' if leading < 0 else '+'}{abs(leading)}"
    if exponent >= 0:
        return sign + digits + "0" * exponent
    if leading >= 0:
        return f"{sign}{digits[: leading + 1]}.{digits[leading + 1 :]}"
    return f"{sign}0.{'0' * (-leading - 1)}{digits}"


def _decimal(value: float, limit: int) -> tuple[str, int]:
    """Return at most `limit` digits and the power of ten that they count."""
    significand, denominator = abs(value).as_integer_ratio()
    exponent = 1 - denominator.bit_length()
    significand *= 5**-exponent
    # First cut what cannot matter, as APFloat does: the bits beyond `limit` digits.
    required = (limit * 196 + 58) // 59
    removable = max(significand.bit_length() - required, 0) * 59 // 196
    exponent += removable
    all_digits = str(significand // 10**removable)
    digits = all_digits.rstrip("0")
    exponent += len(all_digits) - len(digits)
    excess = len(digits) - limit
    if excess <= 0:
        return digits, exponent
    kept = int(digits[:limit]) + (digits[limit] >= "5")
    rounded = str(kept).rstrip("0")
    return rounded, exponent + excess + len(str(kept)) - len(rounded)
