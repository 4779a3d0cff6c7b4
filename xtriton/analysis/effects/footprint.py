# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
"""
The bytes that a launch touches: byte offsets and masks on numbers.

Small launches are enumerated, every lane of every program; of larger ones bounds are given,
in which a mask bounds what it speaks of.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd, prod
from typing import Any

import numpy as np

from xtriton import abi
from xtriton.analysis.effects.bounds import Interval, apart, bounds
from xtriton.analysis.effects.record import AccessEffect, ArgumentEffects, KernelRecord, Scalars
from xtriton.analysis.effects.trees import Open, Tree, evaluate, lanes_in, loops_in

ENUMERATED = 1 << 21
"""Launches with more lanes than that get bounds."""

Ranges = tuple[tuple[int, int], ...]
"""Byte ranges, ascending and apart; the end does not belong to them."""


@dataclass(frozen=True)
class Footprint:
    """
    Bytes from an argument's address that a launch may read and write; None: not bounded.

    `exact`: it surely touches all of them, and no others.
    """

    reads: Ranges | None
    writes: Ranges | None
    exact: bool


@dataclass(frozen=True)
class Overlap:
    """
    Arguments that share bytes of a storage, and what a launch does to it.

    `reads` and `writes` are byte ranges from the lowest address of `paths`. `conflicts` are
    pairs of different arguments of which one may write what the other reads or writes.
    """

    paths: tuple[str, ...]
    reads: Ranges
    writes: Ranges
    conflicts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Launch:
    """A grid and the integer arguments, by position."""

    grid: tuple[int, int, int]
    scalars: dict[int, int]


def launch_of(record: KernelRecord, grid: int | Sequence[int], scalars: Scalars) -> Launch:
    names = record.scalars
    known = {
        names[k] if isinstance(k, str) else k: int(v)
        for k, v in scalars.items()
        if not isinstance(k, str) or k in names
    }
    return Launch(abi.normalize_grid(grid), known)


def footprints(
    record: KernelRecord, grid: int | Sequence[int], scalars: Scalars
) -> dict[str, Footprint]:
    """See `kernel.KernelEffects.at`."""
    launch = launch_of(record, grid, scalars)
    if prod(launch.grid) == 0:
        return {a.path: Footprint((), (), True) for a in record.arguments}
    return {a.path: _footprint(a, launch) for a in record.arguments}


def _footprint(argument: ArgumentEffects, launch: Launch) -> Footprint:
    parts: dict[str, list[Ranges] | None] = {"reads": [], "writes": []}
    exact = True
    for access in argument.accesses:
        ranges, precise = access_ranges(access, launch)
        exact &= precise
        for what, does in (("reads", access.reads), ("writes", access.writes)):
            known = parts[what]
            if does and known is not None:
                if ranges is None:
                    parts[what] = None
                else:
                    known.append(ranges)
    reads, writes = (None if p is None else merged(r for x in p for r in x) for p in parts.values())
    return Footprint(reads, writes, exact)


def access_ranges(access: AccessEffect, launch: Launch) -> tuple[Ranges | None, bool]:
    """Return the bytes that an access may touch, and whether it surely touches them all."""
    if access.offset is None:
        return None, False
    try:
        found = enumerate_access(access, launch)
    except Open:
        return None, False
    if found is not None:
        starts, _, closed = found
        return starts_to_ranges(starts, access.size), closed and access.is_exact
    interval = access_bounds(access, launch)
    if interval is None:
        return None, False
    return ((interval[0], interval[1] + access.size),), False


def enumerate_access(
    access: AccessEffect, launch: Launch
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], bool] | None:
    """
    Return byte offset and program of every element that an access touches.

    The third is False where parts of the mask had to be left out. None: too many. Raises
    `Open` where the offset is not a matter of grid and scalars.
    """
    space = _Enumeration(access, launch)
    if space.count > ENUMERATED:
        return None
    offset = evaluate(access.offset, space.leaf)
    mask, closed = space.mask(access.mask)
    shape = space.shape
    offset = np.broadcast_to(np.asarray(offset, np.int64), shape)
    programs = np.broadcast_to(space.program(), shape)
    if mask is True:
        return offset.reshape(-1), programs.reshape(-1), closed
    mask = np.broadcast_to(mask, shape)
    return offset[mask], programs[mask], closed


class _Enumeration:
    """The axes of a launch as NumPy axes: programs, loops, lanes."""

    def __init__(self, access: AccessEffect, launch: Launch):
        self.launch = launch
        trees = [access.offset, access.mask, *access.loops]
        self.lanes = {d: n for t in trees for d, n in lanes_in(t).items()}
        self.loops = sorted(set[int]().union(*(loops_in(t) for t in trees)))
        self.every_loop = access.loops
        self.axes: list[tuple[Any, int]] = [(("pid", k), n) for k, n in enumerate(launch.grid)]
        self.axes += [(("lane", d), n) for d, n in sorted(self.lanes.items())]
        self.trips: dict[int, Any] = {}
        self.values = self._place()
        for n, trips in enumerate(access.loops):
            if n not in self.loops:
                continue
            if trips is None:
                raise Open
            if self.count > ENUMERATED:
                return
            most = int(np.max(evaluate(trips, self.leaf), initial=0))
            self.axes.append((("loop", n), most))
            self.values = self._place()
        if self.count > ENUMERATED:
            return
        for n, trips in enumerate(access.loops):  # only now does every axis have its place
            if trips is not None:
                self.trips[n] = evaluate(trips, self.leaf)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(n for _, n in self.axes)

    @property
    def count(self) -> int:
        return prod(self.shape)

    def _place(self) -> dict[Any, Any]:
        rank = len(self.axes)
        values: dict[Any, Any] = {}
        for k, (key, size) in enumerate(self.axes):
            if size <= ENUMERATED:
                shape = [1] * rank
                shape[k] = size
                values[key] = np.arange(size, dtype=np.int64).reshape(shape)
        return values

    def program(self) -> Any:
        x, y, z = (self.values["pid", k] for k in range(3))
        return x + self.launch.grid[0] * (y + self.launch.grid[1] * z)

    def leaf(self, leaf: list[Any]) -> Any:
        match leaf:
            case ["programs", axis]:
                return self.launch.grid[axis]
            case ["arg", index]:
                if index not in self.launch.scalars:
                    raise Open
                return self.launch.scalars[index]
            case [kind, number, *_]:
                if (kind, number) not in self.values:
                    raise Open
                return self.values[kind, number]
            case _:
                raise Open

    def mask(self, tree: Tree) -> tuple[Any, bool]:
        """Return where an access happens; parts that only the run knows count as true."""
        parts: list[Tree] = list(tree)[1:] if _is_and(tree) else [tree]
        result: Any = True
        closed = True
        for part in parts:
            try:
                value = evaluate(part, self.leaf)
            except Open:
                closed = False
                continue
            if value is not True:
                result = value if result is True else np.logical_and(result, value)
        for n, trips in self.trips.items():
            here = self.values[("loop", n)] < trips if n in self.loops else np.greater(trips, 0)
            result = here if result is True else np.logical_and(result, here)
        if any(t is None for t in self.every_loop):
            closed = False
        return result, closed


def _is_and(tree: Tree) -> bool:
    return isinstance(tree, list) and tree[0] == "and"


def access_bounds(access: AccessEffect, launch: Launch) -> Interval | None:
    """Return the least and the greatest byte offset of an access, None if they are not known."""
    limits: dict[tuple[str, int], Interval] = {}
    for axis, size in enumerate(launch.grid):
        limits["pid", axis] = 0, size - 1
        limits["programs", axis] = size, size
    for index, value in launch.scalars.items():
        limits["arg", index] = value, value
    for n, trips in enumerate(access.loops):
        found = bounds(trips, limits) if trips is not None else None
        if found is not None:
            limits["loop", n] = 0, max(0, found[1] - 1)
    return bounds(access.offset, limits, access.mask)


def starts_to_ranges(starts: np.ndarray[Any, Any], size: int) -> Ranges:
    """Return the bytes of elements of `size` bytes at `starts`."""
    if starts.size == 0:
        return ()
    ordered = np.unique(starts)
    gaps = np.nonzero(np.diff(ordered) > size)[0]
    firsts = ordered[np.concatenate(([0], gaps + 1))]
    lasts = ordered[np.concatenate((gaps, [ordered.size - 1]))]
    return tuple((int(a), int(b) + size) for a, b in zip(firsts, lasts, strict=True))


def merged(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return ranges, ascending and apart."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if low >= high:
            continue
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return tuple(found)


# --- programs -------------------------------------------------------------------------


def disjoint(
    record: KernelRecord,
    path: str | None,
    grid: int | Sequence[int] | None,
    scalars: Scalars,
) -> bool | None:
    """See `kernel.KernelEffects.disjoint_over_programs`."""
    if path is None and record.unknown_write != "none":
        return None
    chosen = [record[path]] if path is not None else record.arguments
    answers = [_disjoint(a, record, grid, scalars) for a in chosen if a.write != "none"]
    if any(a is False for a in answers):
        return False
    return None if any(a is None for a in answers) else True


def _disjoint(
    argument: ArgumentEffects,
    record: KernelRecord,
    grid: int | Sequence[int] | None,
    scalars: Scalars,
) -> bool | None:
    if grid is None:
        return apart(argument.accesses, record.axes)
    launch = launch_of(record, grid, scalars)
    if prod(launch.grid) <= 1:
        return True
    found: list[Any] = []
    precise = True
    for access in argument.accesses:
        try:
            part = enumerate_access(access, launch) if access.offset is not None else None
        except Open:
            part = None
        if part is None:
            return None
        precise &= part[2]
        found.append((part[0], part[1], access))
    numbers = [int(np.gcd.reduce(starts)) for starts, _, _ in found if starts.size]
    unit = gcd(*(access.size for _, _, access in found), *numbers)
    writes = _units([f for f in found if f[2].writes], unit)
    shared = len(np.unique(writes[:, 0])) < len(writes)
    if not shared:
        both = np.unique(np.concatenate((writes, _units(found, unit))), axis=0)
        touched = both[np.isin(both[:, 0], writes[:, 0])]
        shared = len(touched) > len(writes)
    if not shared:
        return True
    return False if precise else None


def _units(found: list[Any], unit: int) -> np.ndarray[Any, Any]:
    """Return the pairs of unit of memory and program, each once."""
    parts: list[np.ndarray[Any, Any]] = []
    for starts, programs, access in found:
        count = access.size // unit
        units = (starts // unit)[:, None] + np.arange(count)
        owners = np.repeat(programs[:, None], count, 1)
        parts.append(np.stack((units, owners), -1).reshape(-1, 2))
    return np.unique(np.concatenate(parts), axis=0) if parts else np.empty((0, 2), np.int64)


# --- storages -------------------------------------------------------------------------


def overlaps(
    record: KernelRecord,
    tensors: Mapping[str, Any],
    grid: int | Sequence[int] | None,
    scalars: Scalars,
) -> list[Overlap]:
    """See `kernel.KernelEffects.on`."""
    touched = footprints(record, grid, scalars) if grid is not None else {}
    extents = {
        a.path: extent_of(tensors[key])
        for a in record.arguments
        if (key := a.path if a.path in tensors else a.name) in tensors
    }
    used: dict[str, tuple[Ranges, Ranges]] = {}
    for path, (low, high, pointer) in extents.items():
        argument, known = record[path], touched.get(path)
        whole = ((low, high),)
        reads = _placed(known.reads if known else None, pointer, whole)
        writes = _placed(known.writes if known else None, pointer, whole)
        used[path] = (
            reads if argument.read != "none" else (),
            writes if argument.write != "none" else (),
        )
    groups: list[list[str]] = []
    for path in sorted(extents, key=lambda p: extents[p][:2]):
        low = extents[path][0]
        if groups and low < max(extents[p][1] for p in groups[-1]):
            groups[-1].append(path)
        else:
            groups.append([path])
    return [_overlap(group, extents, used) for group in groups]


def _overlap(
    group: list[str],
    extents: Mapping[str, tuple[int, int, int]],
    used: Mapping[str, tuple[Ranges, Ranges]],
) -> Overlap:
    base = min(extents[p][0] for p in group)
    conflicts = [
        (p, q)
        for p in group
        for q in group
        if p != q
        and (intersect(used[p][1], used[q][0]) or (p < q and intersect(used[p][1], used[q][1])))
    ]
    reads, writes = (
        tuple((a - base, b - base) for a, b in merged(r for p in group for r in used[p][k]))
        for k in (0, 1)
    )
    return Overlap(tuple(group), reads, writes, tuple(conflicts))


def _placed(ranges: Ranges | None, pointer: int, whole: Ranges) -> Ranges:
    return whole if ranges is None else tuple((pointer + a, pointer + b) for a, b in ranges)


def intersect(a: Ranges, b: Ranges) -> bool:
    """Tell whether two sets of ranges share a byte."""
    return any(x < v and u < y for x, y in a for u, v in b)


def extent_of(tensor: Any) -> tuple[int, int, int]:
    """Return the lowest address of a tensor's elements, the end, and that of its first one."""
    if hasattr(tensor, "data_ptr"):
        size = int(tensor.element_size())
        pointer = int(tensor.data_ptr())
        strides = [s * size for s in tensor.stride()]
    else:
        size = int(tensor.dtype.itemsize)
        pointer = int(tensor.__array_interface__["data"][0])
        strides = list(tensor.strides)
    steps = [(n - 1) * s for n, s in zip(tensor.shape, strides, strict=True)]
    if 0 in tuple(tensor.shape):
        return pointer, pointer, pointer
    low = pointer + sum(min(s, 0) for s in steps)
    return low, pointer + sum(max(s, 0) for s in steps) + size, pointer
