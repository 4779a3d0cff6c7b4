"""
Long lists of numbers in dense constants, read in one go.

A reader of tokens takes microseconds for each number, and constants have millions.
"""

from collections.abc import Sequence
from typing import Any

SHORT = 1 << 12
"""Characters of a list that is not worth the effort."""

_CHARACTERS = b"0123456789 \t\n\r-[],.eE+"


def list_end(text: str, start: int) -> int:
    """Return where what may be a list of plain numbers at `start` ends, 0 if it is a short one."""
    end = text.find(">", start)
    if end - start < SHORT or text[start] != "[":
        return 0
    inside = text[start:end]
    return end if inside.isascii() and not inside.encode().translate(None, _CHARACTERS) else 0


def numbers(text: str, element: Any, shape: Sequence[int]) -> bytes | None:
    """Return what `dense_numbers.numbers` does, which is slow to import."""
    from xtriton.ir.reading.dense_numbers import numbers

    return numbers(text, element, shape)
