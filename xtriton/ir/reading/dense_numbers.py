"""
The numbers of long lists in dense constants, on NumPy; imported where there are any.

What is unusual (hexadecimal numbers, values that do not fit, lists that do not have the shape)
is left to the careful reader, which knows what is wrong with it.
"""

import warnings
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import Float16Type, Float32Type, Float64Type, IntegerType

_DIGITS, _BLANKS = b"0123456789", b" \t\n\r"
_OF_INTEGERS = _DIGITS + _BLANKS + b"-[],"
_ALL_BUT_STRUCTURE = bytes(set(range(256)) - set(b"[],"))
_WITHOUT_BRACKETS = bytes.maketrans(b"[]", b"  ")
_FLOAT_TYPES: dict[type[Any], str] = {Float16Type: "<f2", Float32Type: "<f4", Float64Type: "<f8"}
_INTEGER_WIDTHS = (8, 16, 32, 64)


def numbers(text: str, element: Any, shape: Sequence[int]) -> bytes | None:
    """
    Return the bytes of the elements that a list (see `list_end`) has, in row-major order.

    None where they are not surely right: the careful reader has to look.
    """
    data = text.encode()
    if 0 in shape or data.translate(None, _ALL_BUT_STRUCTURE) != _structure(shape):
        return None
    if not _is_list(data):
        return None
    count = data.count(b",") + 1
    kind = next((kind for cls, kind in _FLOAT_TYPES.items() if isinstance(element, cls)), None)
    if kind is not None:
        values = _parsed(data, np.dtype(np.float64), count)
        if values is None or data.count(b".") != count:
            return None
        with np.errstate(over="ignore"):
            found = values.astype(kind)
        return found.tobytes() if np.isfinite(found).all() else None
    width = element.bitwidth if isinstance(element, IntegerType) else 0
    if width not in _INTEGER_WIDTHS or data.translate(None, _OF_INTEGERS):
        return None
    whole = _parsed(data, np.dtype(np.int64), count)
    half = 1 << (width - 1)
    if whole is None or whole.min() <= -half or whole.max() >= half - 1:
        return None
    return whole.astype(f"<i{width // 8}").tobytes()


def _parsed(data: bytes, type: np.dtype[Any], count: int) -> NDArray[Any] | None:
    """Return the numbers between commas, None where anything else is there."""
    with warnings.catch_warnings():
        # What does not read to the end is told in this way, and by an error in later releases.
        warnings.simplefilter("error")
        try:
            found = np.fromstring(data.translate(_WITHOUT_BRACKETS), type, sep=",")
        except (DeprecationWarning, ValueError):
            return None
    return found if len(found) == count else None


def _is_list(data: bytes) -> bool:
    """Return whether each character may follow the one before it, blanks left out."""
    dense = np.frombuffer(data.translate(None, _BLANKS), np.uint8)
    pairs = dense[:-1].astype(np.uint16)
    pairs <<= 8
    pairs |= dense[1:]
    return bool(dense[0] == ord("[") and dense[-1] == ord("]") and _MAY_FOLLOW[pairs].all())


def _may_follow() -> NDArray[np.bool_]:
    """Return for each pair of characters, the first times 256, whether lists have it."""
    after = {
        _DIGITS: _DIGITS + b".eE,]",
        b".": _DIGITS + b"eE,]",
        b"eE": _DIGITS + b"+-",
        b"+-": _DIGITS,
        b",[": _DIGITS + b"-[",
        b"]": b",]",
    }
    table = np.zeros((256, 256), bool)
    for firsts, seconds in after.items():
        table[np.ix_(list(firsts), list(seconds))] = True
    return table.ravel()


_MAY_FOLLOW = _may_follow()


def _structure(shape: Sequence[int]) -> bytes:
    """Return the brackets and commas of a list of some shape."""
    *_, found = accumulate(
        reversed(shape),
        lambda inner, n: b"[" + (inner + b",") * (n - 1) + inner + b"]",
        initial=b"",
    )
    return found
