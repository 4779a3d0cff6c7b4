# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownVariableType=false
"""
What functions of arrays returned lately.

The runs of a launch, of a kernel and of what passes make of it, compute many values again: what
costs more than to compare its operands with earlier ones is worked out once.
"""

import threading
from collections.abc import Callable, Hashable

import numpy as np

from xtriton.semantics.elements import Array

Key = tuple[Hashable, ...]

_MOST_BYTES = 1 << 25


class Recent:
    """Results by what was computed, and of which bits; they are shared, so read-only."""

    def __init__(self, most: int):
        self._known: dict[Key, tuple[tuple[Array, ...], Array]] = {}
        self._left = most
        """Bytes that may still be kept."""

    def get(self, key: Key, operands: tuple[Array, ...], compute: Callable[[], Array]) -> Array:
        """Return `compute()`, a function of `key` and `operands`, or what it returned before."""
        if not all(x.size for x in operands):
            return compute()
        bits = tuple(x.view(f"u{x.dtype.itemsize}") for x in operands)
        ends = ((x.dtype.char, b.shape, b.item(0), b.item(-1)) for x, b in zip(operands, bits))  # noqa: B905
        full = (*key, *ends)
        found = self._known.get(full)
        if found is not None:
            if all(map(np.array_equal, found[0], bits)):
                return found[1]
            self._left += _bytes(*self._known.pop(full))
        value = compute()
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        self._known[full] = (bits, value)
        self._left -= _bytes(bits, value)
        while self._left < 0 and self._known:
            self._left += _bytes(*self._known.pop(next(iter(self._known))))
        return value


def _bytes(operands: tuple[Array, ...], value: Array) -> int:
    return sum(x.nbytes for x in operands) + value.nbytes + 512


_of_thread = threading.local()


def recent() -> Recent:
    """Return what the thread at hand computed lately."""
    found: Recent | None = getattr(_of_thread, "recent", None)
    if found is None:
        found = _of_thread.recent = Recent(_MOST_BYTES)
    return found
