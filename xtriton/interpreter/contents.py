"""
What endless memory holds before anybody writes to it.

The value of an element is a function of (seed, argument, position), so no shape need be
known and two runs see the same memory. Floats lie in [-1, 1) and are exact in their type;
integers are small, because kernels use them as indices.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from xtriton.semantics import Element
from xtriton.semantics.elements import Array

_FLOAT_BITS = {"f8E5M2": 3, "f8E4M3FN": 4, "f8E4M3FNUZ": 4, "f8E5M2FNUZ": 3, "bf16": 8, "f16": 11}


@dataclass(frozen=True)
class Contents:
    """
    A rule for the initial content of memory.

    integers: they lie in 0 .. integers - 1, shifted by `offset`.
    positive: floats lie in (0, 1] instead.
    zero: everything is zero.
    """

    seed: int = 0
    integers: int = 4
    offset: int = 0
    positive: bool = False
    zero: bool = False

    def values(self, salt: int, index: Array, of: Element) -> Array:
        """Return the carried values of the elements with these indices (int64)."""
        if self.zero:
            return np.zeros(index.shape, of.carrier)
        h = mix(index, (self.seed * 0x51ED270B + salt * 0x2545F491) & 0xFFFFFFFF)
        if of.is_float:
            return self._floats(h, of)
        if of.width == 1:
            return (h & np.uint32(1)).astype(np.bool_)
        small = h % np.uint32(min(self.integers, 1 << min(of.width - 1, 31)))
        return (small.astype(np.int64) + self.offset).astype(of.carrier)

    def _floats(self, h: Array, of: Element) -> Array:
        bits = _FLOAT_BITS.get(of.name, 24 if of.width >= 32 else 2)
        top = (h >> np.uint32(32 - bits)).astype(of.carrier)
        kind: Any = of.carrier.type
        if self.positive:
            return (top + kind(1)) * kind(2.0**-bits)
        return top * kind(2.0 ** (1 - bits)) - kind(1)


def mix(index: Array, salt: int) -> Array:
    """Hash of 64-bit indices and a salt, 32 bits, after Murmur's finaliser."""
    low = index.astype(np.uint32)
    h = low * np.uint32(0x9E3779B1)
    h += np.uint32(salt)
    h ^= h >> np.uint32(15)
    h *= np.uint32(0x85EBCA77)
    h ^= h >> np.uint32(13)
    h *= np.uint32(0xC2B2AE3D)
    h ^= h >> np.uint32(16)
    return h
