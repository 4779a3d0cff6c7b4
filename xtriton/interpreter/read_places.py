# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
"""
Where a program has read, for the question whether others read elsewhere.

Places may lie far apart, and few are asked for that are not among them: they are kept as sorted
addresses, which take as much memory as there are places, however far apart.
"""

from functools import cached_property

import numpy as np

from xtriton.interpreter.memory import SEGMENT_BITS, sorted_unique
from xtriton.semantics.elements import Array


class ReadPlaces:
    """A set of bytes: all are added first, and looked up then."""

    def __init__(self) -> None:
        self._added: dict[int, list[Array]] = {}
        """Addresses by the bytes read from each on."""
        self._sorted: dict[int, Array] = {}

    def add(self, address: Array, size: int) -> None:
        """Add `size` bytes from each address on."""
        self._added.setdefault(size, []).append(address.reshape(-1))

    def missing(self, address: Array, size: int) -> Array:
        """
        Return those of the addresses from which on not all of `size` bytes are in the set.

        Where some are not multiples of the size, addresses of bytes that are not.
        """
        if size in self._added:
            if size not in self._sorted:
                self._sorted[size] = sorted_unique(np.concatenate(self._added[size]))
            if not (lost := address[~_are_in(address, self._sorted[size])]).size:
                return lost
        misaligned = size > 1 and bool((address & np.int64(size - 1)).any())
        octets = address[:, np.newaxis] + np.arange(size)
        if misaligned:
            address, octets = octets.reshape(-1), octets.reshape(-1, 1)
        lost = address[~_are_in(octets, self._octets).all(axis=-1)]
        return lost[np.argsort(lost >> np.int64(SEGMENT_BITS), kind="stable")]

    @cached_property
    def _octets(self) -> Array:
        """All bytes, ascending."""
        parts = [
            (sorted_unique(np.concatenate(added))[:, np.newaxis] + np.arange(size)).reshape(-1)
            for size, added in self._added.items()
        ]
        return sorted_unique(np.concatenate(parts)) if parts else np.empty(0, np.int64)


def _are_in(address: Array, known: Array) -> Array:
    """Return which addresses are among some that ascend."""
    if not known.size:
        return np.zeros(address.shape, np.bool_)
    place = np.searchsorted(known, address)
    return known[np.minimum(place, known.size - 1)] == address
