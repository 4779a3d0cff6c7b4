"""
Conversions of `fp8e4b15`, which TTIR has no type for: Triton leaves them to each backend.

It has a sign, four bits of exponent with the bias of f16, and three of mantissa; no infinities and
no NaN. As on NVIDIA's GPUs, what does not fit becomes 1.75, and halves are rounded away from zero.
"""

from importlib import import_module
from typing import Any

LARGEST = 0x3F00
"""1.75 in the bits of f16."""


def convert(
    value: Any, target: Any, fp_downcast_rounding: object = None, _semantic: Any = None
) -> Any:
    """Convert a tensor of `fp8e4b15` to the float type `target`, or one of floats to `fp8e4b15`."""
    language: Any = import_module("triton.language")
    if value.type.scalar.is_fp8e4b15():
        half = _to_half(value, language, _semantic)
        return half.to(target.scalar, _semantic=_semantic)
    if not value.type.scalar.is_fp16():
        value = value.to(language.float32, _semantic=_semantic).to(
            language.float16, fp_downcast_rounding="rtz", _semantic=_semantic
        )
    return _from_half(value, language, _semantic)


def _to_half(value: Any, language: Any, semantic: Any) -> Any:
    named = {"_semantic": semantic}
    bits = value.to(language.uint8, bitcast=True, **named).to(language.int32, **named)
    sign = bits.__and__(0x80, **named).__lshift__(8, **named)
    half = bits.__and__(0x7F, **named).__lshift__(7, **named).__or__(sign, **named)
    return half.to(language.uint16, **named).to(language.float16, bitcast=True, **named)


def _from_half(value: Any, language: Any, semantic: Any) -> Any:
    named = {"_semantic": semantic}
    bits = value.to(language.uint16, bitcast=True, **named).to(language.int32, **named)
    size = language.minimum(bits.__and__(0x7FFF, **named), LARGEST, **named)
    rounded = size.__mul__(2, **named).__add__(0x80, **named).__rshift__(8, **named)
    sign = bits.__rshift__(8, **named).__and__(0x80, **named)
    byte = rounded.__or__(sign, **named).to(language.uint8, **named)
    return byte.to(language.float8e4b15, bitcast=True, **named)
