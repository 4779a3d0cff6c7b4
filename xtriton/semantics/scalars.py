"""
What integer ops compute on single numbers, without NumPy.

Most constants that are folded are single integers, and a short run of a tool needs no arrays
otherwise. Numbers are signed, a true `i1` is -1; results are those of `operations` to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Binary = Callable[[int, int], int]

WIDEST = 64
"""Bits of the widest integer that this module and `elements` know."""


def wrapped(value: int, width: int) -> int:
    """Return the signed number that the low `width` bits of `value` spell."""
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def _truncated(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_SIGNED: dict[str, Binary] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "minsi": min,
    "maxsi": max,
}
_UNSIGNED: dict[str, Binary] = {"minui": min, "maxui": max}
_SIGNED_DIVISIONS: dict[str, Binary] = {
    "divsi": _truncated,
    "remsi": lambda a, b: a - b * _truncated(a, b),
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
}
_UNSIGNED_DIVISIONS: dict[str, Binary] = {
    "divui": lambda a, b: a // b,
    "remui": lambda a, b: a % b,
    "ceildivui": lambda a, b: -(-a // b),
}
_SHIFTS: dict[str, Binary] = {"shli": lambda a, b: a << b, "shrsi": lambda a, b: a >> b}
_COMPARISONS: tuple[Callable[[int, int], bool], ...] = (
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
)
"""Equality, and the orders, those of signed numbers in front of those of unsigned ones."""


def integer(
    name: str, values: Sequence[int], widths: Sequence[int], width: int, predicate: int = 0
) -> int | None:
    """
    Return what an op of arith (its name without the dialect) gives for signed numbers.

    `widths` are those of the operands, `width` that of the result, `predicate` is that of
    `cmpi`. None for an op that is not here, and where the op is undefined or poison.
    """
    if name == "select":
        return values[1] if values[0] else values[2]
    if len(values) == 1:
        return _cast(name, values[0], widths[0], width)
    a, b = values
    mask = (1 << widths[0]) - 1
    if name == "cmpi":
        if predicate >= 6:
            a, b, predicate = a & mask, b & mask, predicate - 4
        return -int(_COMPARISONS[predicate](a, b))
    function = _SIGNED.get(name)
    if function is not None:
        return wrapped(function(a, b), width)
    function = _UNSIGNED.get(name)
    if function is not None:
        return wrapped(function(a & mask, b & mask), width)
    return None if width == 1 else _partial(name, a, b, width)


def _partial(name: str, a: int, b: int, width: int) -> int | None:
    """Return what ops give that are not defined for all numbers, of more than one bit."""
    mask = (1 << width) - 1
    if name in _SIGNED_DIVISIONS:
        undefined = b == 0 or (b == -1 and a == -(1 << (width - 1)))
        return None if undefined else wrapped(_SIGNED_DIVISIONS[name](a, b), width)
    if name in _UNSIGNED_DIVISIONS:
        return wrapped(_UNSIGNED_DIVISIONS[name](a & mask, b & mask), width) if b else None
    if not 0 <= b < width:
        return None
    if name in _SHIFTS:
        return wrapped(_SHIFTS[name](a, b), width)
    return wrapped((a & mask) >> b, width) if name == "shrui" else None


def _cast(name: str, a: int, source: int, width: int) -> int | None:
    match name:
        case "extsi" | "trunci" | "index_cast":
            return wrapped(a, width)
        case "extui" | "index_castui":
            return wrapped(a & ((1 << source) - 1), width)
        case _:
            return None
