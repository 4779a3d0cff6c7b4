"""
Integer arithmetic on carried arrays: two's complement, wrapping, signedness by operation.

Where MLIR leaves the result undefined, Triton's own interpreter and NumPy agree on one:
division and remainder by zero give 0, a shift by the width or more gives 0 (or the sign,
for an arithmetic right shift).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from xtriton.semantics.elements import Array, Element

UNSIGNED = {
    np.dtype(np.int8): np.dtype(np.uint8),
    np.dtype(np.int16): np.dtype(np.uint16),
    np.dtype(np.int32): np.dtype(np.uint32),
    np.dtype(np.int64): np.dtype(np.uint64),
}

Binary = Callable[[Array, Array], Array]


def unsigned(x: Array, width: int) -> Array:
    """Return the carried `x` as the unsigned integer that its low `width` bits spell."""
    if x.dtype == np.bool_:
        return x.view(np.uint8)
    u = x.view(UNSIGNED[x.dtype])
    if width < x.dtype.itemsize * 8:
        u = u & u.dtype.type((1 << width) - 1)
    return u


def signed_division(a: Array, b: Array) -> Array:
    """Quotient truncated towards zero."""
    q = np.floor_divide(a, b)
    inexact = (np.multiply(q, b) != a) & ((a < 0) != (b < 0)) & (b != 0)
    return (q + inexact).astype(q.dtype, copy=False)


def ceil_division(a: Array, b: Array) -> Array:
    """Signed quotient rounded up."""
    q = np.floor_divide(a, b)
    return (q + ((np.multiply(q, b) != a) & (b != 0))).astype(q.dtype, copy=False)


def multiply_high_unsigned(a: Array, b: Array) -> Array:
    """Upper half of the unsigned product."""
    return _high(a, b, signed=False)


def multiply_high_signed(a: Array, b: Array) -> Array:
    """Upper half of the signed product."""
    return _high(a, b, signed=True)


def _high(a: Array, b: Array, signed: bool) -> Array:
    width = a.dtype.itemsize * 8
    if width < 64:
        wide = np.int64 if signed else np.uint64
        if not signed:
            a, b = unsigned(a, width), unsigned(b, width)
        high = (a.astype(wide) * b.astype(wide)) >> wide(width)
        return high.astype(np.dtype(f"i{width // 8}"))
    high = _high64(a.view(np.uint64), b.view(np.uint64)).view(np.int64)
    if signed:
        high = high - np.where(a < 0, b, 0) - np.where(b < 0, a, 0)
    return high


def _high64(a: Array, b: Array) -> Array:
    """Upper 64 bits of an unsigned product, by halves."""
    low32, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    al, ah, bl, bh = a & low32, a >> half, b & low32, b >> half
    middle = ah * bl + (al * bl >> half)
    other = al * bh + (middle & low32)
    return ah * bh + (middle >> half) + (other >> half)


def _on_unsigned(function: Any) -> Binary:
    def apply(a: Array, b: Array) -> Array:
        kind = UNSIGNED[a.dtype]
        return function(a.view(kind), b.view(kind)).view(a.dtype)

    return apply


_EXACT: dict[str, Binary] = {
    "addi": np.add,
    "subi": np.subtract,
    "muli": np.multiply,
    "andi": np.bitwise_and,
    "ori": np.bitwise_or,
    "xori": np.bitwise_xor,
    "divsi": signed_division,
    "remsi": np.fmod,
    "floordivsi": np.floor_divide,
    "ceildivsi": ceil_division,
    "divui": _on_unsigned(np.floor_divide),
    "remui": _on_unsigned(np.remainder),
    "ceildivui": _on_unsigned(lambda a, b: np.floor_divide(a, b) + (np.remainder(a, b) != 0)),  # pyright: ignore[reportUnknownArgumentType, reportUnknownLambdaType]
    "minsi": np.minimum,
    "maxsi": np.maximum,
    "minui": _on_unsigned(np.minimum),
    "maxui": _on_unsigned(np.maximum),
    "shli": np.left_shift,
    "shrsi": np.right_shift,
    "shrui": _on_unsigned(np.right_shift),
    "mulhiui": multiply_high_unsigned,
    "mulhisi": multiply_high_signed,
}

_ON_BOOLEANS: dict[str, Binary] = {
    "addi": np.bitwise_xor,
    "subi": np.bitwise_xor,
    "muli": np.bitwise_and,
    "andi": np.bitwise_and,
    "ori": np.bitwise_or,
    "xori": np.bitwise_xor,
    "minsi": np.bitwise_or,
    "maxsi": np.bitwise_and,
    "minui": np.bitwise_and,
    "maxui": np.bitwise_or,
    "divsi": np.bitwise_and,
    "divui": np.bitwise_and,
    "remsi": lambda a, b: np.bitwise_and(a, False),
    "remui": lambda a, b: np.bitwise_and(a, False),
    "shli": lambda a, b: a & ~b,
    "shrui": lambda a, b: a & ~b,
    "shrsi": lambda a, b: a | (b & False),
}

_UNSIGNED_NAMES = frozenset({"divui", "remui", "ceildivui", "minui", "maxui", "shrui"})

INTEGER_OPERATIONS = tuple(_EXACT)


def integer_function(name: str, of: Element) -> Binary:
    """
    Return the function of two carried arrays for an operation name of `INTEGER_OPERATIONS`.

    The name is arith's without its dialect; all operands and the result are `of`.
    """
    if of.name == "i1":
        return _ON_BOOLEANS[name]
    exact = _EXACT[name]
    if of.is_exact:
        return exact
    return _odd_width(name, exact, of)


def _odd_width(name: str, exact: Binary, of: Element) -> Binary:
    """Arithmetic of a width that NumPy lacks, in the next wider type."""
    mask = of.carrier.type((1 << of.width) - 1)
    width = of.carrier.type(of.width)

    def apply(a: Array, b: Array) -> Array:
        if name in ("shli", "shrui", "shrsi"):
            b = b & mask
            past = b >= width
            if name == "shrui":
                a = a & mask
            fill = np.where(a < 0, -1, 0) if name == "shrsi" else 0
            return of.wrap(np.where(past, fill, exact(a, b)).astype(of.carrier))
        if name in ("mulhiui", "mulhisi"):
            if name == "mulhiui":
                a, b = a & mask, b & mask
            product = a.astype(np.int64) * b.astype(np.int64) >> np.int64(of.width)
            return of.wrap(product.astype(of.carrier))
        if name in _UNSIGNED_NAMES:
            a, b = a & mask, b & mask
        return of.wrap(exact(a, b))

    return apply


def extended_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """Wrapped sum and the carry out of it (`arith.addui_extended`)."""
    if a.dtype == np.bool_:
        return a ^ b, a & b
    kind = UNSIGNED[a.dtype]
    total = a + b
    return total, total.view(kind) < a.view(kind)


def extended_difference(a: Array, b: Array) -> tuple[Array, Array]:
    """Wrapped difference and whether it borrowed (`arith.subui_extended`)."""
    if a.dtype == np.bool_:
        return a ^ b, ~a & b
    kind = UNSIGNED[a.dtype]
    return a - b, a.view(kind) < b.view(kind)


_SIGNED_COMPARISONS = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}

CMPI_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""Predicates of `arith.cmpi` in the order of their integer codes."""


def comparison(predicate: int, of: Element) -> Binary:
    """Return the function of `arith.cmpi` with the predicate of that code."""
    name = CMPI_PREDICATES[predicate]
    function = _SIGNED_COMPARISONS[name if predicate < 2 else name[1:]]
    if predicate < 2:
        return function
    is_unsigned = name[0] == "u"
    if of.name == "i1":
        if is_unsigned:
            return function
        return lambda a, b: function(b, a)
    if is_unsigned:
        return lambda a, b: function(unsigned(a, of.width), unsigned(b, of.width))
    return function


def population_count(x: Array, of: Element) -> Array:
    """Number of set bits (`math.ctpop`)."""
    return np.bitwise_count(unsigned(x, of.width)).astype(of.carrier)


def leading_zeros(x: Array, of: Element) -> Array:
    """Number of zero bits above the highest set one; the width for zero."""
    u = unsigned(x, of.width).astype(np.uint64)
    for shift in (1, 2, 4, 8, 16, 32):
        u = u | (u >> np.uint64(shift))
    return (of.width - np.bitwise_count(u).astype(np.int64)).astype(of.carrier)


def trailing_zeros(x: Array, of: Element) -> Array:
    """Number of zero bits below the lowest set one; the width for zero."""
    u = unsigned(x, of.width).astype(np.uint64)
    below = (u & (~u + np.uint64(1))) - np.uint64(1)
    count = np.bitwise_count(below).astype(np.int64)
    return np.minimum(count, of.width).astype(of.carrier)
