# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
What values are at run time.

A scalar or tensor is a NumPy array (or NumPy scalar) in its element's carrier. Two
liberties keep it small:

- a dimension may have size 1 where the type says n: the value is the same along it;
- one dimension may come first that the type does not have: the programs of a batch. A value
  without it is the same for all of them.

So `ndim` is the type's rank or one more, elementwise ops need no code for either, and ops on
shapes count dimensions from the last. Everything else is one of the classes below; their
fields are such arrays in turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from xtriton.semantics import Element
from xtriton.semantics.elements import Array


class NeedsSequential(Exception):
    """Raised where programs of a batch cannot go on together; they are then run one by one."""


def spread(x: Array, shape: tuple[int, ...]) -> Array:
    """Return `x` with every dimension of its type's `shape` as large as that says."""
    if x.shape[x.ndim - len(shape) :] == shape:
        return x
    return np.broadcast_to(x, x.shape[: x.ndim - len(shape)] + shape)


def lead(x: Array, rank: int) -> tuple[int, ...]:
    """Return the size of the batch dimension as a tuple of one or none."""
    return x.shape[: x.ndim - rank]


def uniform_int(x: Array) -> int:
    """Return a scalar as a Python int; raise `NeedsSequential` if it differs between programs."""
    if x.ndim == 0:
        return int(x)
    first = x.flat[0]
    if (x != first).any():
        raise NeedsSequential
    return int(first)


def as_row(x: Array, rank: int) -> Array:
    """Return a scalar, or one per program, shaped to broadcast against tensors of `rank`."""
    return x.reshape(x.shape + (1,) * rank)


def select(value: Any, which: Array, rank: int) -> Any:
    """Return the part of a value that belongs to the programs with these positions."""
    if isinstance(value, np.ndarray):
        return value[which] if value.ndim > rank else value
    if isinstance(value, np.generic) or value is None:
        return value
    if isinstance(value, Batched):
        return value.select(which)
    if isinstance(value, Uniform):
        return value
    raise NeedsSequential


class Uniform:
    """A value that is one for all programs that run together."""


def merge(parts: Sequence[tuple[Array, Any]], count: int, rank: int) -> Any:
    """
    Return one value for `count` programs from the values of groups of them.

    `parts` pairs the positions of each group's programs with its value.
    """
    values = [value for _, value in parts]
    first = values[0]
    if all(value is first for value in values):
        return first
    if isinstance(first, Batched):
        return first.merge(parts, count)
    if not isinstance(first, (np.ndarray, np.generic)):
        raise NeedsSequential
    bodies = [v.shape[1:] if v.ndim > rank else v.shape for v in values]
    shape = np.broadcast_shapes(*bodies)
    result = np.empty((count, *shape), first.dtype)
    for which, value in parts:
        result[which] = value
    return result


class Batched:
    """A value whose fields are scalars that may differ between the programs of a batch."""

    def scalars(self) -> list[Array]:
        raise NotImplementedError

    def with_scalars(self, scalars: list[Array]) -> "Batched":
        raise NotImplementedError

    def select(self, which: Array) -> "Batched":
        return self.with_scalars([select(s, which, 0) for s in self.scalars()])

    def merge(self, parts: Sequence[tuple[Array, Any]], count: int) -> "Batched":
        columns = zip(*(value.scalars() for _, value in parts), strict=True)
        groups = [which for which, _ in parts]
        merged = [merge(list(zip(groups, column, strict=True)), count, 0) for column in columns]
        return self.with_scalars(merged)


@dataclass(frozen=True, eq=False)
class BlockPointer(Batched):
    """
    What `tt.make_tensor_ptr` and `tt.make_tensor_descriptor` return.

    `base` is an address, the rest are int64 scalars, one for each dimension. A descriptor
    has no offsets of its own; `padding` says what it reads beyond its shape.
    """

    base: Array
    shape: tuple[Array, ...]
    strides: tuple[Array, ...]
    offsets: tuple[Array, ...] = ()
    padding: int = 0

    def scalars(self) -> list[Array]:
        return [self.base, *self.shape, *self.strides, *self.offsets]

    def with_scalars(self, scalars: list[Array]) -> "BlockPointer":
        n = len(self.shape)
        return BlockPointer(
            scalars[0],
            tuple(scalars[1 : 1 + n]),
            tuple(scalars[1 + n : 1 + 2 * n]),
            tuple(scalars[1 + 2 * n :]),
            self.padding,
        )


@dataclass(eq=False)
class SharedBuffer:
    """
    A memory descriptor: a view of a buffer in shared memory.

    `array` holds carried values, with the batch first if `batched`; views share it.
    """

    array: np.ndarray[Any, Any]
    element: Element
    batched: bool

    def view(self, array: np.ndarray[Any, Any]) -> "SharedBuffer":
        return SharedBuffer(array, self.element, self.batched)
