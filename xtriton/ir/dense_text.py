"""
Long lists of numbers in dense constants, read in one go.

A reader of tokens takes microseconds for each number, and constants have millions. What is
unusual (hexadecimal numbers, values that do not fit, lists that do not have the shape) is left
to the careful reader, which knows what is wrong with it.
"""

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from xdsl.dialects.builtin import Float16Type, Float32Type, Float64Type, IntegerType

SHORT = 1 << 12
"""Characters of a list that is not worth the effort."""

_FLOAT = r"-?\d++\.\d*+(?:[eE][-+]?\d++)?+"
_INTEGER = r"-?\d++"


def _list_of(number: str) -> re.Pattern[str]:
    return re.compile(rf"\[[\[\s]*+{number}(?:[\]\s]*+,[\[\s]*+{number})*+[\]\s]*+")


_FLOATS, _INTEGERS = _list_of(_FLOAT), _list_of(_INTEGER)
_ALL_BUT_STRUCTURE = bytes(set(range(256)) - set(b"[],"))
_BRACKETS = str.maketrans("[]", "  ")
_FLOAT_TYPES: dict[type[Any], str] = {Float16Type: "<f2", Float32Type: "<f4", Float64Type: "<f8"}
_INTEGER_WIDTHS = (8, 16, 32, 64)


def list_end(text: str, start: int) -> int:
    """Return where the list of plain numbers at `start` ends, 0 if it is none or a short one."""
    end = text.find(">", start)
    if end - start < SHORT or text[start] != "[":
        return 0
    match = _FLOATS.match(text, start, end) or _INTEGERS.match(text, start, end)
    return end if match is not None and match.end() == end else 0


def numbers(text: str, element: Any, shape: Sequence[int]) -> bytes | None:
    """
    Return the bytes of the elements that a list (see `list_end`) has, in row-major order.

    None where they are not surely right: the careful reader has to look.
    """
    structure = text.encode().translate(None, _ALL_BUT_STRUCTURE)
    if 0 in shape or structure != _structure(shape):
        return None
    import numpy as np  # only long constants need it, and it is slow to import

    flat = text.translate(_BRACKETS)
    kind = next((kind for cls, kind in _FLOAT_TYPES.items() if isinstance(element, cls)), None)
    if kind is not None:
        if text.count(".") != structure.count(b",") + 1:
            return None
        values = np.fromstring(flat, np.float64, sep=",")
        with np.errstate(over="ignore"):
            found = values.astype(kind)
        return found.tobytes() if np.isfinite(found).all() else None
    width = element.bitwidth if isinstance(element, IntegerType) else 0
    if width not in _INTEGER_WIDTHS or "." in text:
        return None
    whole = np.fromstring(flat, np.int64, sep=",")
    half = 1 << (width - 1)
    if whole.min() <= -half or whole.max() >= half - 1:
        return None
    return whole.astype(f"<i{width // 8}").tobytes()


def _structure(shape: Sequence[int]) -> bytes:
    """Return the brackets and commas of a list of some shape."""
    *_, found = accumulate(
        reversed(shape), lambda inner, n: b"[" + b",".join([inner] * n) + b"]", initial=b""
    )
    return found
