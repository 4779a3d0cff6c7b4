"""Lengths of vectors of two to four numbers, and one over them."""

from __future__ import annotations

from collections.abc import Sequence

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.libdevice.rules import Doubles, families, of_f64

_EXPONENT = 0x7FF << 52


def _length(e: Doubles, *xs: str) -> str:
    largest, scale, back = _scales(e, xs)
    length, rest = _root_of_squares(e, [e.mul(x, scale) for x in xs])
    found = e.mul(e.add(length, rest), back)
    return _special(e, xs, largest, (0.0, float("inf")), found)


def _one_over_length(e: Doubles, *xs: str) -> str:
    largest, scale, _ = _scales(e, xs)
    length, rest = _root_of_squares(e, [e.mul(x, scale) for x in xs])
    inverse = e.div(1.0, length)
    error = e.sub(e.fma(e.negative(length), inverse, 1.0), e.mul(inverse, rest))
    found = e.mul(e.fma(inverse, error, inverse), scale)
    return _special(e, xs, largest, (float("inf"), 0.0), found)


def _scales(e: Doubles, xs: Sequence[str]) -> tuple[str, str, str]:
    """Return the largest size, and the powers of two that bring it to about 1, and back."""
    b = e.builder
    largest = e.intrinsic("fabs", xs[0])
    for x in xs[1:]:
        largest = e.intrinsic("maxnum", largest, e.intrinsic("fabs", x))
    exponent = b.value(f"and i64 {e.bits(largest)}, {_EXPONENT}")
    # 2^k and 2^-k, k not so far out that one of them is no normal number.
    limits = [("umax", 1 << 52), ("umin", 2045 << 52)]
    for name, limit in limits:
        arguments: list[tuple[str, Operand]] = [("i64", exponent), ("i64", limit)]
        exponent = b.call("i64", f"llvm.{name}.i64", arguments)
    inverse = b.value(f"sub i64 {2046 << 52}, {exponent}")
    return largest, e.from_bits(inverse), e.from_bits(exponent)


def _root_of_squares(e: Doubles, xs: Sequence[str]) -> tuple[str, str]:
    """Return the root of the sum of squares as the nearest double and what is left."""
    total = e.mul(xs[0], xs[0])
    rest = e.fma(xs[0], xs[0], e.negative(total))
    for x in xs[1:]:
        square = e.mul(x, x)
        rest = e.add(rest, e.fma(x, x, e.negative(square)))
        both = e.add(total, square)
        # What the sum lost, whichever of the two is larger.
        part = e.sub(both, total)
        lost = e.add(e.sub(total, e.sub(both, part)), e.sub(square, part))
        total, rest = both, e.add(rest, lost)
    root = e.intrinsic("sqrt", total)
    left = e.add(e.fma(e.negative(root), root, total), rest)
    return root, e.div(left, e.add(root, root))


def _special(
    e: Doubles, xs: Sequence[str], largest: str, ends: tuple[float, float], found: str
) -> str:
    """Return `ends` where all is 0, and where something is infinite, NaN or not."""
    found = e.select(e.compare("oeq", largest, 0.0), ends[0], found)
    for x in xs:
        nan = e.compare("uno", x, x)
        found = e.select(nan, x, found)
    for x in xs:
        infinite = e.compare("oeq", e.intrinsic("fabs", x), float("inf"))
        found = e.select(infinite, ends[1], found)
    return found


FAMILIES = families(
    (r"norm[34]df?", of_f64("norm", _length)),
    (r"rnorm[34]df?|rhypotf?", of_f64("rnorm", _one_over_length)),
)
