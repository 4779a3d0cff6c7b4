"""
Memory references: strided views of arguments and of local buffers.

A `MemRef` addresses elements, not bytes. Its buffer is either a flat NumPy array of stored
values or a region of the run's memory that has no bounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from xtriton.interpreter.memory import Memory, MemoryFault
from xtriton.interpreter.values import Uniform
from xtriton.semantics import Element
from xtriton.semantics.elements import Array

UNBOUNDED = 1 << 40
"""The size of a dimension that covers all of an endless argument."""

MOST_ELEMENTS = 1 << 26
"""Of a view whose elements are listed, which takes 8 bytes for each."""


@dataclass(eq=False)
class Buffer:
    """
    What a memref points into.

    array: stored values, flat; None for endless memory.
    address: where element 0 is in the address space; None for a local buffer.
    name: for messages.
    """

    element: Element
    array: np.ndarray[Any, Any] | None
    memory: Memory
    address: int | None
    name: str


@dataclass(eq=False)
class MemRef(Uniform):
    """A view: element [i, j, …] is element offset + i·strides[0] + j·strides[1] + … of `buffer`."""

    buffer: Buffer
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def element(self) -> Element:
        return self.buffer.element

    def view(self, offset: int, sizes: Sequence[int], strides: Sequence[int]) -> "MemRef":
        return MemRef(self.buffer, offset, tuple(sizes), tuple(strides))

    def subview(
        self, offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]
    ) -> "MemRef":
        """Return the view `[offsets][sizes][strides]` of this one."""
        if any(n < 0 for n in sizes):
            raise MemoryFault(f"a view of {self.buffer.name} has a negative size: {list(sizes)}")
        start = self.offset + sum(o * s for o, s in zip(offsets, self.strides, strict=True))
        steps = [a * b for a, b in zip(self.strides, strides, strict=True)]
        return self.view(start, sizes, steps)

    @property
    def is_unbounded(self) -> bool:
        """Whether it stands for all of an endless argument, too large to be read."""
        return self.buffer.array is None and UNBOUNDED in self.sizes

    def indices(self) -> Array:
        """Return the element numbers of the whole view, in its shape; raise for too many."""
        if prod(self.sizes) > MOST_ELEMENTS:
            raise MemoryFault(
                f"a view of {self.buffer.name} has {prod(self.sizes)} elements, more than can be"
                f" listed: {list(self.sizes)}"
            )
        index: Any = np.int64(self.offset)
        rank = len(self.sizes)
        for d, (n, s) in enumerate(zip(self.sizes, self.strides, strict=True)):
            lanes = np.arange(n, dtype=np.int64) * s
            index = index + lanes.reshape((-1,) + (1,) * (rank - 1 - d))
        return index

    def byte_addresses(self, indices: Array) -> Array | None:
        """Return addresses of elements in the run's memory; None for a local buffer."""
        if self.buffer.address is None:
            return None
        return indices * np.int64(self.element.size) + np.int64(self.buffer.address)

    def _strided(self) -> Any:
        """Return the view as a strided array over the buffer, bounds checked."""
        buffer, sizes = self.buffer, self.sizes
        array: Any = buffer.array
        low = high = self.offset
        for n, s in zip(sizes, self.strides, strict=True):
            if n <= 0:
                return np.empty(sizes, array.dtype)
            if s >= 0:
                high += (n - 1) * s
            else:
                low += (n - 1) * s
        if low < 0 or high >= array.size:
            raise MemoryFault(
                f"access out of bounds of {buffer.name}: elements {low} to {high} of {array.size}"
            )
        size = array.itemsize
        return as_strided(array[self.offset :], sizes, [s * size for s in self.strides])

    def read(self) -> Array:
        """Return the elements as a carried array of its own."""
        of = self.element
        if self.buffer.array is not None:
            view = self._strided()
            decoded = of.decode(view)
            return view.copy() if decoded is view else decoded
        address = self.byte_addresses(self.indices())
        if address is None or address.size == 0:
            return np.empty(self.sizes, of.carrier)
        return self.buffer.memory.load(address, None, None, of)

    def write(self, value: Array) -> None:
        """Store carried values; they broadcast to the view's shape."""
        of = self.element
        if self.buffer.array is not None:
            self._strided()[...] = of.encode(value)
            return
        address = self.byte_addresses(self.indices())
        if address is not None and address.size:
            self.buffer.memory.store(address, value, None, of)

    def at(self, indices: Sequence[Array]) -> Array:
        """Return the element numbers at indices, which may be arrays."""
        index: Any = np.int64(self.offset)
        for i, s in zip(indices, self.strides, strict=True):
            index = index + i * np.int64(s)
        return index

    def gather(self, index: Array) -> Array:
        """Return the carried elements with these numbers."""
        of = self.element
        if self.buffer.array is not None:
            self._check(index)
            return of.decode(self.buffer.array[index])
        address = self.byte_addresses(index)
        return self.buffer.memory.load(address, None, None, of)

    def scatter(self, index: Array, value: Array) -> None:
        """Store carried values at the elements with these numbers."""
        of = self.element
        if self.buffer.array is not None:
            self._check(index)
            self.buffer.array[index] = of.encode(value)
            return
        address = self.byte_addresses(index)
        self.buffer.memory.store(address, value, None, of)

    def _check(self, index: Array) -> None:
        array: Any = self.buffer.array
        low, high = (index, index) if index.ndim == 0 else (index.min(), index.max())
        if low < 0 or high >= array.size:
            raise MemoryFault(
                f"access out of bounds of {self.buffer.name}: "
                f"element {int(low if low < 0 else high)} of {array.size}"
            )


def row_major(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the strides of a contiguous array."""
    strides: list[int] = []
    step = 1
    for n in reversed(sizes):
        strides.append(step)
        step *= n
    return tuple(reversed(strides))


def local_buffer(sizes: Sequence[int], of: Element, memory: Memory) -> MemRef:
    """Return a fresh buffer that holds poison."""
    count = int(np.prod(sizes, dtype=np.int64)) if sizes else 1
    poison = of.encode(np.full(count, memory.poison_value(of), of.carrier))
    buffer = Buffer(of, np.array(poison), memory, None, "a local buffer")
    return MemRef(buffer, 0, tuple(sizes), row_major(sizes))
