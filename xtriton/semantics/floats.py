# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
"""
Floating-point arithmetic and comparison on carried arrays.

Narrow types compute in float32 and round once; float32 and float64 are NumPy's own.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from xtriton.semantics.elements import Array, Element


def _order_zeros(r: Array, a: Array, b: Array, combine: Any) -> Array:
    """Make minimum and maximum see -0 as less than +0, which NumPy does not."""
    zero = r == 0
    if zero.any():
        both = zero & (a == 0) & (b == 0)
        if both.any():
            return np.where(both, combine(a, b), r)
    return r


def _negative_if_either(a: Array, b: Array) -> Array:
    return np.copysign(np.zeros_like(a + b), np.where(np.signbit(a), a, b))


def maximum(a: Array, b: Array) -> Array:
    """The greater operand; NaN if either is (`arith.maximumf`)."""
    return _order_zeros(np.maximum(a, b), a, b, np.add)


def minimum(a: Array, b: Array) -> Array:
    """The lesser operand; NaN if either is (`arith.minimumf`)."""
    return _order_zeros(np.minimum(a, b), a, b, _negative_if_either)


def maximum_number(a: Array, b: Array) -> Array:
    """The greater operand that is a number (`arith.maxnumf`)."""
    return _order_zeros(np.fmax(a, b), a, b, np.add)


def minimum_number(a: Array, b: Array) -> Array:
    """The lesser operand that is a number (`arith.minnumf`)."""
    return _order_zeros(np.fmin(a, b), a, b, _negative_if_either)


_BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "addf": np.add,
    "subf": np.subtract,
    "mulf": np.multiply,
    "divf": np.divide,
    "remf": np.fmod,
}

_CHOOSING: dict[str, Callable[[Array, Array], Array]] = {
    "maximumf": maximum,
    "minimumf": minimum,
    "maxnumf": maximum_number,
    "minnumf": minimum_number,
}

FLOAT_OPERATIONS = (*_BINARY, *_CHOOSING)


def float_function(name: str, of: Element) -> Callable[[Array, Array], Array]:
    """Return the function of two carried arrays for a name of `FLOAT_OPERATIONS`."""
    chosen = _CHOOSING.get(name)
    if chosen is not None:
        return chosen
    function = _BINARY[name]
    if of.format is None:
        return function
    return lambda a, b: of.round(function(a, b))


def fused_multiply_add(a: Array, b: Array, c: Array, of: Element) -> Array:
    """a * b + c with one rounding."""
    if of.width < 32:
        return of.round(_fma_float32(a, b, c, exact=True))
    if of.name == "f64":
        return _fma_float64(a, b, c)
    return _fma_float32(a, b, c, exact=False)


def _fma_float32(a: Array, b: Array, c: Array, exact: bool) -> Array:
    """
    Fused multiply-add of float32 by rounding the float64 sum to odd.

    The product is exact in float64; a sum rounded to odd keeps what the second rounding
    needs (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
    `exact` leaves the odd-rounded float64 for a further rounding.
    """
    product = a.astype(np.float64) * b.astype(np.float64)
    total = _add_round_to_odd(product, c.astype(np.float64))
    return total if exact else total.astype(np.float32)


def _add_round_to_odd(x: Array, y: Array) -> Array:
    total = x + y
    back = total - x
    error = (x - (total - back)) + (y - back)
    even = (np.asarray(total).view(np.int64) & 1) == 0
    fix = (error != 0) & even & np.isfinite(total)
    if fix.any():
        towards = np.where(error > 0, np.inf, -np.inf)
        total = np.where(fix, np.nextafter(total, towards), total)
    return total


def _fma_float64(a: Array, b: Array, c: Array) -> Array:
    """Fused multiply-add of float64: the exact value, rounded once, where a sum is not exact."""
    a, b, c = np.broadcast_arrays(a, b, c)
    factors = np.isfinite(a) & np.isfinite(b)
    # An infinite summand wins, also where the product is rounded to an infinity.
    total = np.array(np.where(factors & np.isinf(c), c, a * b + c))
    for place in map(tuple, np.argwhere(factors & np.isfinite(c) & (a != 0) & (b != 0))):
        exact = Fraction(float(a[place])) * Fraction(float(b[place])) + Fraction(float(c[place]))
        # Where factors cancel exactly the sum has the right sign of zero already.
        if exact:
            total[place] = _nearest(exact) if exact > 0 else -_nearest(-exact)
    return total


def _nearest(exact: Fraction) -> float:
    """Return the float64 nearest to a positive number."""
    try:
        return float(exact)
    except OverflowError:
        return math.inf


CMPF_PREDICATES = (
    "false",
    "oeq",
    "ogt",
    "oge",
    "olt",
    "ole",
    "one",
    "ord",
    "ueq",
    "ugt",
    "uge",
    "ult",
    "ule",
    "une",
    "uno",
    "true",
)
"""Predicates of `arith.cmpf` in the order of their integer codes."""

_ORDERED = {
    "eq": np.equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "lt": np.less,
    "le": np.less_equal,
}
_NEGATED = {"eq": "ne", "gt": "le", "ge": "lt", "lt": "ge", "le": "gt"}


def _unordered(a: Array, b: Array) -> Array:
    return (a != a) | (b != b)


def float_comparison(predicate: int) -> Callable[[Array, Array], Array]:
    """Return the function of `arith.cmpf` with the predicate of that code."""
    name = CMPF_PREDICATES[predicate]
    match name:
        case "false":
            return lambda a, b: np.zeros(np.broadcast(a, b).shape, np.bool_)
        case "true":
            return lambda a, b: np.ones(np.broadcast(a, b).shape, np.bool_)
        case "ord":
            return lambda a, b: ~_unordered(a, b)
        case "uno":
            return _unordered
        case "une":
            return np.not_equal
        case "one":
            return lambda a, b: (a < b) | (a > b)
        case "ueq":
            return lambda a, b: ~((a < b) | (a > b))
        case _:
            if name[0] == "o":
                return _ORDERED[name[1:]]
            opposite = _ORDERED[_NEGATED[name[1:]]]
            return lambda a, b: ~opposite(a, b)
