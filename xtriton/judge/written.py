"""What two runs wrote, byte by byte and element by element: is it the same?"""

import numpy as np

from xtriton.semantics import Element
from xtriton.semantics.elements import Array


def varies(data: Array, of: Element) -> bool:
    """Return whether stored bytes hold at least two finite values."""
    if data.size % of.size:
        return bool((data != data[0]).any())
    values = of.decode(np.ascontiguousarray(data).view(of.storage))
    if of.is_float:
        values = values[np.isfinite(values)]
    return values.size > 0 and bool((values != values[0]).any())


def compare_bytes(
    mine: tuple[Array, Array] | None,
    free: tuple[Array, Array] | None,
    theirs: tuple[Array, Array] | None,
    of: Element,
    tolerance: float,
) -> tuple[int, str] | None:
    """
    Return the byte offset of the first difference and what it is, or None.

    Each is (offsets, bytes) of what one run wrote. `free` is the original's run with other
    poison: where it differs from `mine`, anything goes.
    """
    nothing = (np.empty(0, np.int64), np.empty(0, np.uint8))
    mine, free, theirs = mine or nothing, free or nothing, theirs or nothing
    if np.array_equal(mine[1], theirs[1]) and np.array_equal(mine[0], theirs[0]):
        return None
    if not np.array_equal(mine[0], theirs[0]):
        missing = np.setdiff1d(mine[0], theirs[0], assume_unique=True)
        extra = np.setdiff1d(theirs[0], mine[0], assume_unique=True)
        sure = np.intersect1d(mine[0], free[0], assume_unique=True)
        missing = np.intersect1d(missing, sure, assume_unique=True)
        if missing.size:
            return int(missing[0]), f"not written by the rewritten kernel ({missing.size} bytes)"
        extra = np.setdiff1d(extra, free[0], assume_unique=True)
        if extra.size:
            return int(extra[0]), f"written by the rewritten kernel only ({extra.size} bytes)"
        common = np.intersect1d(mine[0], theirs[0], assume_unique=True)
        mine, theirs = _at(mine, common), _at(theirs, common)
    defined = np.ones(mine[0].size, np.bool_)
    if free is not mine:
        there = np.minimum(np.searchsorted(free[0], mine[0]), max(free[0].size - 1, 0))  # pyright: ignore[reportUnknownArgumentType]
        defined &= bool(free[0].size)
        if free[0].size:
            defined = (free[0][there] == mine[0]) & (free[1][there] == mine[1])
    differs = mine[1] != theirs[1]
    if not (differs & defined).any():
        return None
    return _first_unequal(mine, theirs, differs, defined, of, tolerance)


def steady(
    mine: tuple[Array, Array], other: tuple[Array, Array] | None, of: Element, tolerance: float
) -> tuple[Array, Array]:
    """Return what a run wrote without the floats that are more than rounded in another run."""
    offsets, data = mine
    if other is None or not of.is_float or not _is_whole(offsets, of.size):
        return mine
    if not np.isin(offsets, other[0]).all():
        return mine
    there = _at(other, offsets)[1]
    x, y = (of.decode(np.ascontiguousarray(d).view(of.storage)) for d in (data, there))
    kept = np.repeat(_close(x, y, tolerance) | (x == y) | (np.isnan(x) & np.isnan(y)), of.size)
    return offsets[kept], data[kept]


def _close(x: Array, y: Array, tolerance: float) -> Array:
    """Return which finite floats are as close as a tolerance says, beside the largest of them."""
    finite = np.abs(x[np.isfinite(x)])
    scale = float(finite.max()) if finite.size else 0.0
    with np.errstate(all="ignore"):
        return (np.abs(x - y) <= tolerance * np.maximum(np.abs(x), scale)) & np.isfinite(x)


def _is_whole(offsets: Array, size: int) -> bool:
    """Whether bytes are those of elements of some size."""
    return offsets.size % size == 0 and bool(
        (offsets[::size] % size == 0).all()
        and (offsets[size - 1 :: size] - offsets[::size] == size - 1).all()
    )


def _at(written: tuple[Array, Array], offsets: Array) -> tuple[Array, Array]:
    place = np.searchsorted(written[0], offsets)  # pyright: ignore[reportUnknownVariableType]
    return offsets, written[1][place]


def _first_unequal(
    mine: tuple[Array, Array],
    theirs: tuple[Array, Array],
    differs: Array,
    defined: Array,
    of: Element,
    tolerance: float,
) -> tuple[int, str] | None:
    """
    Look at elements where bytes differ: NaNs are equal, floats may have a tolerance.

    An element of which a byte is not defined is not: two values of poison may share bytes.
    """
    offsets = mine[0]
    size = of.size
    if not _is_whole(offsets, size):
        place = int(np.flatnonzero(differs & defined)[0])
        return int(offsets[place]), f"byte {mine[1][place]:#04x}, rewritten {theirs[1][place]:#04x}"
    x = of.decode(np.ascontiguousarray(mine[1]).view(of.storage))
    y = of.decode(np.ascontiguousarray(theirs[1]).view(of.storage))
    bad = differs.reshape(-1, size).any(axis=1) & defined.reshape(-1, size).all(axis=1)
    if of.is_float:
        bad &= ~(np.isnan(x) & np.isnan(y))
        if tolerance:
            bad &= ~_close(x, y, tolerance)
    if not bad.any():
        return None
    place = int(np.flatnonzero(bad)[0])
    count = int(bad.sum())
    return (
        int(offsets[place * size]),
        f"original {x[place]!s}, rewritten {y[place]!s} ({count} of {x.size} elements differ)",
    )
