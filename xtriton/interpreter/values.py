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

from xtriton.interpreter.partial import Partial, defined, partial
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
    vague = np.zeros(result.shape, np.bool_)
    for which, value in parts:
        result[which] = defined(value)
        if isinstance(value, Partial):
            vague[which] = value.undefined
    return partial(result, vague)


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


class Allocation:
    """What the views of a buffer in shared memory have in common."""

    written: "Retyped | None" = None
    """The view of another type whose values are newer than those of the views under it."""

    def settle(self, view: "Retyped | None") -> None:
        """Bring bytes that were written through other views to where `view` finds them."""
        while self.written is not None and self.written is not view:
            written, self.written = self.written, None
            written.push()
        if view is not None and self.written is not view:
            view.pull()
            self.written = view


@dataclass(eq=False)
class Retyped:
    """
    The bytes of a `source` view as values of another element type.

    `values` [batch, count] are a copy; `pull` brings them from the source, `push` back.
    """

    source: "SharedBuffer"
    values: np.ndarray[Any, Any]
    element: Element

    def pull(self) -> None:
        mine = _bytes_of(self.values, self.element)
        theirs = _bytes_of(self.source.array, self.source.element)
        count = min(mine.shape[1], theirs.shape[1])
        mine[:, :count] = theirs[:, :count]
        self.values[...] = _values_of(mine, self.element, self.values.shape)

    def push(self) -> None:
        target = self.source.array
        theirs = _bytes_of(target, self.source.element)
        mine = _bytes_of(self.values, self.element)
        count = min(mine.shape[1], theirs.shape[1])
        theirs[:, :count] = mine[:, :count]
        target[...] = _values_of(theirs, self.source.element, target.shape)


def _bytes_of(values: Array, of: Element) -> Array:
    """Return a copy of carried values as bytes, [batch, bytes]."""
    stored = np.array(of.encode(values), order="C")
    batch = values.shape[0] if values.ndim else 1
    return stored.reshape(batch, -1).view(np.uint8)


def _values_of(octets: Array, of: Element, shape: tuple[int, ...]) -> Array:
    return of.decode(np.ascontiguousarray(octets).view(of.storage)).reshape(shape)


class SharedBuffer:
    """
    A memory descriptor: a view of a buffer in shared memory.

    `array` holds carried values, with the batch first if `batched`; views share it.
    """

    def __init__(
        self,
        array: np.ndarray[Any, Any],
        element: Element,
        batched: bool,
        allocation: Allocation | None = None,
        retyped: Retyped | None = None,
    ):
        self._array = array
        self.element = element
        self.batched = batched
        self._allocation = allocation or Allocation()
        self._retyped = retyped

    @property
    def array(self) -> np.ndarray[Any, Any]:
        """The values, up to date; what is written there is seen by all views."""
        if self._allocation.written is not self._retyped:
            self._allocation.settle(self._retyped)
        return self._array

    def view(self, array: np.ndarray[Any, Any]) -> "SharedBuffer":
        """Return the view of a part of `array`."""
        return SharedBuffer(array, self.element, self.batched, self._allocation, self._retyped)

    def retyped(self, of: Element, shape: tuple[int, ...]) -> "SharedBuffer":
        """Return the view of the first bytes in row-major order as values of another type."""
        source = self if self.batched else self.view(self._array[None])
        batch = source._array.shape[0]
        values = np.zeros((batch, int(np.prod(shape))), of.carrier)
        view = Retyped(source, values, of)
        front = (batch,) if self.batched else ()
        array = values.reshape(front + shape)
        return SharedBuffer(array, of, self.batched, self._allocation, view)
