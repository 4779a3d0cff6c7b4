"""
What integer ops make of intervals: two's complement of any width, wrapping included.

An interval holds the least and the greatest of the signed numbers that a value can be, both
included. Rules are exact about wrapping: where a sum may leave the width, it may be anything.
What MLIR leaves undefined is what the interpreter makes of it (`semantics.integers`): a
quotient or remainder by zero is 0, a shift by the width or more leaves 0, or the sign.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Interval = tuple[int, int]
"""Least and greatest signed value, both included."""

Rule = Callable[[Sequence[Interval], int], Interval]
"""From the intervals of the operands and the width of the result; may leave the width."""

FITS_32_BITS = range(-(1 << 31), 1 << 31)
"""The numbers that 32 bits hold, with their sign."""


def full(width: int) -> Interval:
    """Return all signed numbers of a width."""
    return -(1 << (width - 1)), (1 << (width - 1)) - 1


def hull(*intervals: Interval) -> Interval:
    """Return the least interval around others."""
    return min(low for low, _ in intervals), max(high for _, high in intervals)


def meet(a: Interval, b: Interval) -> Interval | None:
    """Return what two intervals have in common, or None."""
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else None


def unsigned(interval: Interval, width: int) -> Interval:
    """Return the numbers of an interval read as unsigned ones."""
    low, high = interval
    if low >= 0:
        return interval
    size = 1 << width
    return (low + size, high + size) if high < 0 else (0, size - 1)


def signed(interval: Interval, width: int) -> Interval:
    """Return an interval of unsigned numbers read as signed ones."""
    low, high = interval
    half = 1 << (width - 1)
    if high < half:
        return interval
    return (low - 2 * half, high - 2 * half) if low >= half else full(width)


def decided(predicate: int, a: Interval, b: Interval, width: int) -> bool | None:
    """Return what `arith.cmpi` says of all numbers of two intervals; None if it depends."""
    if predicate >= 6:
        a, b = unsigned(a, width), unsigned(b, width)
        predicate -= 4
    equal = False if meet(a, b) is None else True if a[0] == a[1] == b[0] == b[1] else None
    if predicate < 2 or equal is True:
        answers = (equal, None if equal is None else not equal, False, True, False, True)
        return answers[predicate]
    if predicate >= 4:
        a, b = b, a
        predicate -= 2
    # Now it is a < b, or a <= b.
    slack = predicate - 2
    if a[1] < b[0] + slack:
        return True
    return False if a[0] >= b[1] + slack else None


def _corners(function: Callable[[int, int], int], a: Interval, b: Interval) -> Interval:
    found = [function(x, y) for x in a for y in b]
    return min(found), max(found)


def _add(operands: Sequence[Interval], width: int) -> Interval:
    (a, b), (c, d) = operands
    return a + c, b + d


def _subtract(operands: Sequence[Interval], width: int) -> Interval:
    (a, b), (c, d) = operands
    return a - d, b - c


def _multiply(operands: Sequence[Interval], width: int) -> Interval:
    return _corners(lambda x, y: x * y, *operands)


def _truncated(x: int, y: int) -> int:
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _quotient(function: Callable[[int, int], int]) -> Rule:
    def rule(operands: Sequence[Interval], width: int) -> Interval:
        dividend, divisor = operands
        # On each side of zero a quotient is monotonous in both operands.
        parts = [meet(divisor, side) for side in ((-(1 << width), -1), (1, 1 << width))]
        found = [_corners(function, dividend, part) for part in parts if part is not None]
        return hull(*found, *[(0, 0)] * (divisor[0] <= 0 <= divisor[1]))

    return rule


def _remainder(operands: Sequence[Interval], width: int) -> Interval:
    (a, b), (c, d) = operands
    most = max(abs(c), abs(d)) - 1
    if c <= 0 <= d:
        most = max(most, 0)
    elif a >= 0 and b < min(abs(c), abs(d)):
        return a, b
    return (-min(-a, most) if a < 0 else 0), (min(b, most) if b > 0 else 0)


def _on_unsigned(rule: Rule) -> Rule:
    def apply(operands: Sequence[Interval], width: int) -> Interval:
        return signed(rule([unsigned(i, width) for i in operands], width), width)

    return apply


def _minimum(operands: Sequence[Interval], width: int) -> Interval:
    (a, b), (c, d) = operands
    return min(a, c), min(b, d)


def _maximum(operands: Sequence[Interval], width: int) -> Interval:
    (a, b), (c, d) = operands
    return max(a, c), max(b, d)


def _ones(*numbers: int) -> int:
    """Return the least number of the form 2^k - 1 that none of some numbers is beyond."""
    return (1 << max(numbers).bit_length()) - 1


def _and(operands: Sequence[Interval], width: int) -> Interval:
    (a, b), (c, d) = operands
    tops = [high for low, high in operands if low >= 0]
    if tops:
        return 0, min(tops)
    # The sign is that of both; a result is no greater than a negative operand lets it be.
    return -_ones(~a, ~c) - 1, max(b, d)


def _or(operands: Sequence[Interval], width: int) -> Interval:
    low, high = _and([(~high, ~low) for low, high in operands], width)
    return ~high, ~low


def _xor(operands: Sequence[Interval], width: int) -> Interval:
    (a, b), (c, d) = operands
    most = _ones(*(max(x, ~x) for x in (a, b, c, d)))
    same = (a >= 0 and c >= 0) or (b < 0 and d < 0)
    differ = (a >= 0 and d < 0) or (b < 0 and c >= 0)
    return (0 if same else -most - 1), (-1 if differ else most)


def _shift_left(operands: Sequence[Interval], width: int) -> Interval:
    value, amount = operands[0], unsigned(operands[1], width)
    if amount[0] >= width:
        return 0, 0
    found = _corners(lambda x, y: x << y, value, (amount[0], min(amount[1], width - 1)))
    return hull(found, (0, 0)) if amount[1] >= width else found


def _shift_right(operands: Sequence[Interval], width: int) -> Interval:
    value, amount = operands[0], unsigned(operands[1], width)
    # Beyond the width nothing but the sign is left, as for a shift by the width.
    return _corners(lambda x, y: x >> y, value, (min(amount[0], width), min(amount[1], width)))


def _shift_right_unsigned(operands: Sequence[Interval], width: int) -> Interval:
    value, amount = (unsigned(i, width) for i in operands)
    within = (min(amount[0], width), min(amount[1], width))
    return signed(_corners(lambda x, y: x >> y, value, within), width)


_floor = _quotient(lambda x, y: x // y)
_ceil = _quotient(lambda x, y: -(-x // y))

RULES: dict[str, Rule] = {
    "arith.addi": _add,
    "arith.andi": _and,
    "arith.ceildivsi": _ceil,
    "arith.ceildivui": _on_unsigned(_ceil),
    "arith.divsi": _quotient(_truncated),
    "arith.divui": _on_unsigned(_floor),
    "arith.floordivsi": _floor,
    "arith.maxsi": _maximum,
    "arith.maxui": _on_unsigned(_maximum),
    "arith.minsi": _minimum,
    "arith.minui": _on_unsigned(_minimum),
    "arith.muli": _multiply,
    "arith.ori": _or,
    "arith.remsi": _remainder,
    "arith.remui": _on_unsigned(_remainder),
    "arith.shli": _shift_left,
    "arith.shrsi": _shift_right,
    "arith.shrui": _shift_right_unsigned,
    "arith.subi": _subtract,
    "arith.xori": _xor,
}
"""Of ops with two operands and a result of one type."""

OVERFLOWING = frozenset(("arith.addi", "arith.muli", "arith.subi"))
"""Ops that may be taken not to overflow as signed numbers."""
