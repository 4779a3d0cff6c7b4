# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
"""
What endless memory holds before anybody writes to it.

The value of an element is a function of (seed, argument, position), so no shape need be
known and two runs see the same memory. All values are exact in their type.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from xtriton.semantics import Element
from xtriton.semantics.elements import Array

_FLOAT_BITS = {"f8E5M2": 3, "f8E4M3FN": 4, "f8E4M3FNUZ": 4, "f8E5M2FNUZ": 3, "bf16": 8, "f16": 11}
_RARE_FLOATS = (float("nan"), float("inf"), float("-inf"))
_FEW = (0.0, -0.0, 1.0, -1.0)
_PLAIN_FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.0, -2.5, 3.0)


def signs(values: Sequence[Any]) -> tuple[bool, ...]:
    """Return which of some values are floats with a minus, zeros among them."""
    return tuple(isinstance(v, float) and math.copysign(1.0, v) < 0 for v in values)


@dataclass(frozen=True, eq=False)
class Within:
    """Some elements of memory, ascending."""

    places: Array

    def holds(self, index: Array) -> Array:
        """Return which of some indices are among them."""
        if not self.places.size:
            return np.zeros(index.shape, np.bool_)
        found = np.minimum(np.searchsorted(self.places, index), self.places.size - 1)
        return self.places[found] == index


@dataclass(frozen=True)
class Contents:
    """
    A rule for the initial content of memory.

    integers: they lie in 0 .. integers - 1, shifted by `offset`, unless they are `free`.
    positive: floats lie in (0, 1] instead of [-8, 8).
    zero: everything is zero.
    free: no address and no loop depends on it, so that integers of all sizes may be there.
    rare: how many of 256 floats are NaN, infinite, denormal or of extreme size, and how many
    free integers are at the limits of their type.
    near: numbers that values are often equal to or next to.
    few: floats are 0, -0, 1 and -1, so that many are equal.
    small: floats are so many powers of two smaller, as far as their type goes.
    only: values are these, if there are some.
    band: every second stretch of so many elements, a power of two, holds floats that are zero.
    placed: elements that hold certain bits whatever the rest of the rule says, by position.
    within: all elements but these are zero, if it is told.
    """

    seed: int = 0
    integers: int = 4
    offset: int = 0
    positive: bool = False
    zero: bool = False
    free: bool = False
    rare: int = 0
    near: tuple[float, ...] = ()
    few: bool = False
    small: int = 0
    only: tuple[float, ...] = ()
    band: int = 0
    placed: tuple[tuple[int, int], ...] = ()
    within: "Within | None" = None
    signs: tuple[bool, ...] = field(init=False, repr=False)
    """Of the numbers in `only`: what is remembered of 0 is not that of -0, which is equal."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "signs", signs(self.only))

    def steering(self, integers: int, offset: int = 0) -> "Contents":
        """Return the rule for data that addresses or loops depend on."""
        return replace(
            self, free=False, rare=0, near=(), only=(), placed=(), integers=integers, offset=offset
        )

    def tamer(self) -> "Contents":
        """Return the next rule to try where a kernel asserts that data is in bounds."""
        if self.free:
            return replace(self, free=False, rare=0, near=())
        if self.offset < 0:
            return replace(self, offset=0)
        return replace(self, integers=min(self.integers, 4))

    def values(self, salt: int, index: Array, of: Element) -> Array:
        """Return the carried values of the elements with these indices (int64)."""
        value = self._usual(salt, index, of)
        if self.band and of.is_float:
            value = np.where(index & np.int64(self.band), value, of.carrier.type(0))[()]
        for position, bits in self.placed:
            value = np.where(index == position, of.from_bits(bits), value)[()]
        return value

    def _usual(self, salt: int, index: Array, of: Element) -> Array:
        if self.zero:
            return np.zeros(index.shape, of.carrier)
        if self.within is not None:
            value = replace(self, within=None)._usual(salt, index, of)
            return np.where(self.within.holds(index), value, np.zeros((), of.carrier))
        h = mix(index, (self.seed * 0x51ED270B + salt * 0x2545F491) & 0xFFFFFFFF)
        if of.is_float:
            return self._floats(h, of)
        if self.only:
            return np.asarray(self.only, of.carrier)[(h >> np.uint32(8)) % len(self.only)]
        if of.width == 1:
            return (h & np.uint32(1)).astype(np.bool_)
        if self.free:
            return self._free_integers(h, of)
        small = h % np.uint32(min(self.integers, 1 << min(of.width - 1, 31)))
        value = small.astype(np.int64) + self.offset
        # Zero is the bound of what an index may be.
        return np.where((h >> np.uint32(24)) < 24, 0, value).astype(of.carrier)

    def _floats(self, h: Array, of: Element) -> Array:
        bits = _FLOAT_BITS.get(of.name, 24 if of.width >= 32 else 2)
        top = (h >> np.uint32(32 - bits)).astype(of.carrier)
        kind: Any = of.carrier.type
        if self.only:
            return np.asarray(self.only, of.carrier)[(h >> np.uint32(8)) % len(self.only)]
        if self.few:
            return np.asarray(_FEW, of.carrier)[h >> np.uint32(30)]
        if self.small:
            step = max(1 - bits - self.small, _least_exponent(of))
            return (top - kind(2.0 ** (bits - 1))) * kind(2.0**step)
        if self.positive:
            value = (top + kind(1)) * kind(2.0**-bits)
        else:
            value = top * kind(2.0 ** (1 - bits)) - kind(1)
        if not self.free:
            return value
        h = _again(h)
        if not self.positive:
            value = np.where((h & np.uint32(3)) == 0, value * kind(8), value)
        return self._chosen(h, value, of, 24)

    def _free_integers(self, h: Array, of: Element) -> Array:
        wide: Any = h.astype(np.int64)
        if of.width > 32:
            wide = wide | (_again(h ^ np.uint32(0x5BD1E995)).astype(np.int64) << np.int64(32))
        else:
            wide = (wide << np.int64(32)) >> np.int64(32)
        some = of.wrap(wide.astype(of.carrier))
        h = _again(h)
        small = (h >> np.uint32(27)).astype(of.carrier) - of.carrier.type(12)
        value = np.where((h & np.uint32(3)) != 0, small, some)
        return self._chosen(h, of.wrap(value), of, 48)

    def _chosen(self, h: Array, value: Array, of: Element, usual: int) -> Array:
        """Put values of note in the place of some."""
        plain, rare = _of_note(of, self.near, self.positive)
        which = (h >> np.uint32(2)) & np.uint32(255)
        if self.rare:
            value = _with(value, which < self.rare, h, rare)
        use = (which >= self.rare) & (which < self.rare + usual)
        return _with(value, use, h, plain)


def _with(value: Array, where: Array, h: Array, numbers: Array) -> Array:
    """Return values, a new array, with some numbers in places that are few; hashes choose."""
    if not value.ndim:
        return numbers[_place(h) % numbers.size] if where else value
    chosen: Any = value
    chosen[where] = numbers[_place(h[where]) % np.uint32(numbers.size)]
    return value


def _place(h: Array) -> Array:
    return (h >> np.uint32(10)) & np.uint32(0xFFFF)


@lru_cache(maxsize=512)
def _of_note(of: Element, near: tuple[float, ...], positive: bool) -> tuple[Array, Array]:
    """Return numbers of an element type that kernels treat in a special way, and the extremes."""
    if of.is_float:
        plain = [*_PLAIN_FLOATS, *_neighbours(of, near)]
        if positive:
            plain = [abs(x) for x in plain]
        rare = [_distinct(of, _RARE_FLOATS)] * 3
        return _distinct(of, plain), np.concatenate(
            [*rare, rare[0][:1], rare[0][:1], _distinct(of, _extremes(of))]
        )
    half = 1 << (of.width - 1)
    plain = [0, 1, -1, 2, -2, 3, -3, 7, -7, 8, -8, 9, 15, 16, -16, 31]
    for c in near:
        if c == int(c):
            plain += [int(c), int(c) - 1, int(c) + 1, -int(c)]
    powers = [1 << k for k in range(1, of.width - 1)]
    rare = [half - 1, -half, half - 2, 1 - half, *powers, *(p + 1 for p in powers)]
    rare += [*(p - 1 for p in powers), *(-p for p in powers), *(-p - 1 for p in powers)]
    plain = [n for n in plain if -half <= n < half]
    return _distinct(of, plain), _distinct(of, [*rare, half - 1, -half])


@lru_cache(maxsize=64)
def _least_exponent(of: Element) -> int:
    """Return which power of two the least positive number of a type of floats is."""
    return math.frexp(float(of.from_bits(1)))[1] - 1


def _neighbours(of: Element, near: tuple[float, ...]) -> list[float]:
    """Return numbers with those next to them in the type."""
    found: list[float] = []
    for c in near:
        try:
            value = float(of.constant(float(c)))
        except OverflowError:
            continue
        if value != value or abs(value) == float("inf"):
            continue
        step = max(abs(value) * 2.0 ** -_FLOAT_BITS.get(of.name, of.width // 2), 2.0**-24)
        found += [value, -value, value + 2 * step, value - 2 * step]
    return found


def _extremes(of: Element) -> list[float]:
    """Return the largest, the smallest normal and some denormal numbers, of both signs."""
    bits = of.size * 8
    known = [0x01, 0x03, (1 << (bits - 1)) - 2]
    values = [float(of.from_bits(b)) for b in known if b < 1 << (bits - 1)]
    limits = {"f16": (65504.0, 2.0**-14), "f32": (3.4028234663852886e38, 2.0**-126)}
    limits |= {"bf16": (3.3895313892515355e38, 2.0**-126)}
    values += limits.get(of.name, (448.0, 2.0**-6) if of.width == 8 else (1e308, 2.0**-1022))
    values = [v for v in values if v == v and abs(v) != float("inf")]
    return [*values, *(-v for v in values)]


def _distinct(of: Element, values: Sequence[Any]) -> Array:
    found: dict[int, Any] = {}
    for value in values:
        carried = of.constant(value)
        found.setdefault(int(of.to_bits(np.asarray(carried)).reshape(-1)[0]), carried)
    return np.asarray(list(found.values()), of.carrier)


def mix(index: Array, salt: int) -> Array:
    """Hash of 64-bit indices and a salt, 32 bits, after Murmur's finaliser."""
    h = index.astype(np.uint32)
    h *= np.uint32(0x9E3779B1)
    far = index >> np.int64(32)
    if far.any():
        h ^= far.astype(np.uint32) * np.uint32(0x27D4EB2F)
    h += np.uint32(salt)
    return _again(h)


def _again(h: Array) -> Array:
    """Return another hash of hashes."""
    h = h ^ (h >> np.uint32(15))
    h *= np.uint32(0x85EBCA77)
    h ^= h >> np.uint32(13)
    h *= np.uint32(0xC2B2AE3D)
    h ^= h >> np.uint32(16)
    return h
