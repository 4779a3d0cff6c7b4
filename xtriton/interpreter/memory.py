# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownVariableType=false
"""
The memory of a run: an address space of regions, one for each pointer argument.

An address is an int64 whose high bits name the region, so that pointers are plain arrays
of integers and may be compared, selected, stored and loaded like them. A region is either
endless, with initial content that is a function of the address, or an array of the
caller's with bounds.
"""

import math
import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from xtriton.errors import UserError
from xtriton.interpreter.contents import Contents, mix
from xtriton.interpreter.recent import recent
from xtriton.semantics import Element, element
from xtriton.semantics.elements import Array

REGION_BITS = 52
_HALF = np.int64(1 << (REGION_BITS - 1))
_SHIFT = np.int64(REGION_BITS)

SEGMENT_BITS = 26
"""Written parts of endless memory live in segments of this size, which the system commits
page by page as they are touched."""


class MemoryFault(UserError):
    """An access that the program must not make: out of bounds, misaligned, unknown pointer."""


class _SeveralRegions(Exception):
    """Addresses lie in more than one region."""


def region_base(number: int) -> int:
    """Return the address of the first element of a region; offsets of both signs fit."""
    return (number << REGION_BITS) + int(_HALF)


def _shift(element: Element) -> np.int64:
    return np.int64(element.size.bit_length() - 1)


_UNSIGNED = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}


class Region:
    """Memory behind one pointer. Offsets are in bytes from the region's base."""

    def load(self, offset: Array, mask: Array | None, of: Element) -> Array:
        """Return carried values; what masked-off lanes get is anything."""
        raise NotImplementedError

    def store(self, offset: Array, value: Array, of: Element) -> None:
        """Write carried values; where offsets repeat, the last in row-major order stays."""
        raise NotImplementedError


@dataclass
class _Segment:
    """A stretch of written memory: bytes, and for each byte 255 if it was written."""

    data: np.ndarray[Any, Any]
    written: np.ndarray[Any, Any]

    @classmethod
    def make(cls) -> "_Segment":
        return cls(_lazy_bytes(), _lazy_bytes())


def _lazy_bytes() -> np.ndarray[Any, Any]:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    return np.frombuffer(mmap.mmap(-1, 1 << SEGMENT_BITS, flags=flags), np.uint8)


class ByteSet:
    """A set of bytes anywhere in the address space, to which and in which many are looked up."""

    def __init__(self) -> None:
        self.segments: dict[int, np.ndarray[Any, Any]] = {}

    def _by_segment(self, address: Array) -> Iterator[tuple[int, Array, Array | None]]:
        if not address.size:
            return
        low, high = int(address.min()) >> SEGMENT_BITS, int(address.max()) >> SEGMENT_BITS
        within = address & np.int64((1 << SEGMENT_BITS) - 1)
        if low == high:
            yield low, within, None
            return
        number = address >> np.int64(SEGMENT_BITS)
        for key in sorted_unique(number).tolist():
            here = number == key
            yield key, within[here], here

    def add(self, address: Array, size: int) -> None:
        """Add `size` bytes from each address on."""
        if size > 1 and (address & np.int64(size - 1)).any():
            address, size = (address[:, np.newaxis] + np.arange(size)).reshape(-1), 1
        for key, within, _ in self._by_segment(address):
            segment = self.segments.get(key)
            if segment is None:
                segment = self.segments[key] = _lazy_bytes()
            segment.view(_UNSIGNED[size])[within // size] = (1 << 8 * size) - 1

    def discard(self, address: Array, size: int) -> None:
        """Take `size` bytes from each address on away."""
        octets = (address.reshape(-1, 1) + np.arange(size)).reshape(-1)
        for key, within, _ in self._by_segment(octets):
            if key in self.segments:
                self.segments[key][within] = 0

    def touches(self, address: Array, size: int) -> Array:
        """Return for each address whether one of `size` bytes from it on is in the set."""
        found = np.zeros(address.shape, np.bool_)
        for step in range(size):
            octets = (address + np.int64(step)).reshape(-1)
            for key, within, here in self._by_segment(octets):
                if key in self.segments:
                    place = slice(None) if here is None else here
                    found.reshape(-1)[place] |= self.segments[key].take(within) != 0
        return found


def sorted_unique(x: Array) -> Array:
    """Return the values of an array, ascending, each once (`np.unique` hashes, slowly)."""
    x = np.sort(x, axis=None)
    return x[np.concatenate([[True], x[1:] != x[:-1]])] if x.size else x


def widened(x: Array, shape: tuple[int, ...]) -> Array:
    """Return `x` broadcast to a shape (NumPy's own function takes its time if it has it)."""
    return x if x.shape == shape else np.broadcast_to(x, shape)


def _common_shape(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    return a if a == b else np.broadcast_shapes(a, b)


def _is_misaligned(offset: Array, of: Element) -> bool:
    return of.size > 1 and bool((offset & np.int64(of.size - 1)).any())


def _octets(offset: Array, of: Element) -> Array:
    """Return the byte offsets of elements, in a last dimension."""
    return offset[..., np.newaxis] + np.arange(of.size, dtype=np.int64)


def _as_octets(stored: Array) -> Array:
    """Return stored values as carried values of i8, in a last dimension."""
    octets = np.ascontiguousarray(stored).view(np.int8)
    return octets.reshape(*stored.shape, stored.dtype.itemsize)


class EndlessRegion(Region):
    """
    A region without bounds.

    `element` is the type that its content is made in; an access of another type sees the
    same bytes.
    """

    def __init__(self, salt: int, element: Element, contents: Contents):
        self.salt = salt
        self.element = element
        self.contents = contents
        self.segments: dict[int, _Segment] = {}
        self.stores: list[tuple[Array, Array]] = []
        """Byte offsets of all stores in order, and the stored bits as unsigned numbers."""
        self._settled = 0
        """How many of them are in `segments`: loads need that, others do not."""

    def load(self, offset: Array, mask: Array | None, of: Element) -> Array:
        value = recent().get(self._key(of), (offset,), lambda: self.initial(offset, of))
        if not self.stores:
            return value
        self._settle()
        return self._overlay(offset, value, of)

    def _key(self, of: Element) -> tuple[Any, ...]:
        return (self.contents, self.salt, self.element.name, of.name)

    def as_made(self, address: Array, of: Element) -> Array:
        """
        Return the content at addresses before anybody writes there.

        Raise `_SeveralRegions` where not all lie in this region.
        """

        def compute() -> Array:
            low, high = int(address.min()), int(address.max())
            if low >> REGION_BITS != high >> REGION_BITS:
                raise _SeveralRegions
            return self.initial(address - np.int64(region_base(low >> REGION_BITS)), of)

        return recent().get((*self._key(of), "address"), (address,), compute)

    def initial(self, offset: Array, of: Element) -> Array:
        own = self.element
        aligned = of.size == own.size and not (
            of.size > 1 and (offset & np.int64(of.size - 1)).any()
        )
        if aligned and of is own:
            if of.size > 1:
                offset = offset >> _shift(of)
            return self.contents.values(self.salt, offset, of)
        if aligned:
            carried = self.contents.values(self.salt, offset >> _shift(own), own)
            return of.decode(own.to_bits(carried).view(of.storage))
        lanes = offset[..., np.newaxis] + np.arange(of.size, dtype=np.int64)
        carried = self.contents.values(self.salt, lanes >> _shift(own), own)
        bits = own.to_bits(carried)
        within = ((lanes & np.int64(own.size - 1)) * 8).astype(bits.dtype)
        octets = np.ascontiguousarray((bits >> within).astype(np.uint8))
        return of.decode(octets.view(of.storage)[..., 0])

    def _overlay(self, offset: Array, value: Array, of: Element) -> Array:
        if _is_misaligned(offset, of):
            old = np.broadcast_to(of.to_bits(value), offset.shape)
            octets = self._overlay(_octets(offset, of), _as_octets(old), element("i8"))
            found = np.ascontiguousarray(octets.astype(np.int8))
            return of.decode(found.view(of.storage)[..., 0])
        low, high = int(offset.min()), int(offset.max())
        if low >> SEGMENT_BITS == high >> SEGMENT_BITS:
            segment = self.segments.get(low >> SEGMENT_BITS)
            return value if segment is None else self._read(segment, offset, value, of)
        value = np.array(np.broadcast_to(value, offset.shape))
        number = offset >> np.int64(SEGMENT_BITS)
        for key, segment in self.segments.items():
            here = number == key
            if here.any():
                value[here] = self._read(segment, offset[here], value[here], of)
        return value

    def _read(self, segment: _Segment, offset: Array, value: Array, of: Element) -> Array:
        size = of.size
        within = offset & np.int64((1 << SEGMENT_BITS) - 1)
        index = within >> _shift(of) if size > 1 else within
        written = segment.written.view(_UNSIGNED[size]).take(index)
        full = written == written.dtype.type((1 << 8 * size) - 1)
        if full.all():
            return of.decode(segment.data.view(of.storage).take(index))
        if (full != (written != 0)).any():
            return self._read_bytes(segment, within, value, of)
        if not full.any():
            return value
        return np.where(full, of.decode(segment.data.view(of.storage).take(index)), value)

    def _read_bytes(self, segment: _Segment, within: Array, value: Array, of: Element) -> Array:
        lanes = within[..., np.newaxis] + np.arange(of.size, dtype=np.int64)
        value = np.broadcast_to(value, within.shape)
        old = np.ascontiguousarray(of.to_bits(value))[..., np.newaxis].view(np.uint8)
        octets = np.where(segment.written.take(lanes) != 0, segment.data.take(lanes), old)
        return of.decode(np.ascontiguousarray(octets).view(of.storage)[..., 0])

    def store(self, offset: Array, value: Array, of: Element) -> None:
        if offset.size == 0:
            return
        if _is_misaligned(offset, of):
            stored = np.broadcast_to(of.encode(value), offset.shape)
            self.store(_octets(offset, of), _as_octets(stored), element("i8"))
            return
        # The array may be that of a buffer, which changes later.
        stored = np.array(widened(of.encode(value), offset.shape))
        self.stores.append((offset, stored.view(_UNSIGNED[of.size])))

    def _settle(self) -> None:
        """Put all stores into segments, the last one last."""
        for offset, stored in self.stores[self._settled :]:
            low, high = int(offset.min()), int(offset.max())
            if low >> SEGMENT_BITS == high >> SEGMENT_BITS:
                self._write(low >> SEGMENT_BITS, offset, stored)
                continue
            number = offset >> np.int64(SEGMENT_BITS)
            for key in sorted_unique(number).tolist():
                here = number == key
                self._write(key, offset[here], stored[here])
        self._settled = len(self.stores)

    def _write(self, key: int, offset: Array, stored: Array) -> None:
        segment = self.segments.get(key)
        if segment is None:
            segment = self.segments[key] = _Segment.make()
        size = stored.dtype.itemsize
        index = (offset & np.int64((1 << SEGMENT_BITS) - 1)) // size
        segment.data.view(stored.dtype)[index] = stored
        segment.written.view(stored.dtype)[index] = (1 << 8 * size) - 1

    def forget(self) -> None:
        """Be as if nobody had written anything."""
        self.stores.clear()
        self.segments.clear()
        self._settled = 0

    def written(self) -> tuple[Array, Array]:
        """Return the byte offsets that were written, ascending, and the bytes there now."""
        if not self.stores:
            return np.empty(0, np.int64), np.empty(0, np.uint8)
        by_size: dict[int, list[tuple[Array, Array]]] = {}
        for offset, stored in self.stores:
            by_size.setdefault(stored.dtype.itemsize, []).append((offset, stored))
        parts = [_last_of_each(stores) for stores in by_size.values()]
        if len(parts) == 1:
            return parts[0]
        self._settle()
        offsets = sorted_unique(np.concatenate([o for o, _ in parts]))
        values = np.zeros(offsets.size, np.uint8)
        number = offsets >> np.int64(SEGMENT_BITS)
        within = offsets & np.int64((1 << SEGMENT_BITS) - 1)
        for key, segment in self.segments.items():
            here = number == key
            values[here] = segment.data.take(within[here])
        return offsets, values


def _last_of_each(stores: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Return what stores of one size leave: byte offsets, ascending, and the bytes there."""
    starts = np.concatenate([offset.reshape(-1) for offset, _ in stores])
    values = np.concatenate([stored.reshape(-1) for _, stored in stores])
    if (starts[1:] <= starts[:-1]).any():
        order = np.argsort(starts, kind="stable")
        starts, values = starts[order], values[order]
        last = np.append(starts[1:] != starts[:-1], True)
        starts, values = starts[last], values[last]
    size = values.dtype.itemsize
    return (starts[:, np.newaxis] + np.arange(size)).reshape(-1), values.view(np.uint8)


class ArrayRegion(Region):
    """
    Memory that is an array of the caller's; every access must lie within it.

    `data` is its bytes, flat; `name` says in messages which argument it is.
    """

    def __init__(self, data: np.ndarray[Any, Any], name: str):
        self.data = data
        self.name = name
        self.views: dict[Any, np.ndarray[Any, Any]] = {}

    def view(self, of: Element) -> np.ndarray[Any, Any]:
        found = self.views.get(of.storage)
        if found is None:
            whole = self.data.size - self.data.size % of.size
            found = self.views[of.storage] = self.data[:whole].view(of.storage)
        return found

    def load(self, offset: Array, mask: Array | None, of: Element) -> Array:
        if offset.size == 0:
            return np.zeros(offset.shape, of.carrier)
        offset = self._checked(offset, mask, of, "load")
        if of.size == 1:
            return of.decode(self.view(of).take(offset))
        if (offset & np.int64(of.size - 1)).any():
            lanes = offset[..., np.newaxis] + np.arange(of.size, dtype=np.int64)
            return of.decode(self.data.take(lanes).view(of.storage)[..., 0])
        return of.decode(self.view(of).take(offset >> _shift(of)))

    def store(self, offset: Array, value: Array, of: Element) -> None:
        if offset.size == 0:
            return
        offset = self._checked(offset, None, of, "store")
        stored = of.encode(value)
        if of.size > 1 and (offset & np.int64(of.size - 1)).any():
            lanes = offset[..., np.newaxis] + np.arange(of.size, dtype=np.int64)
            stored = np.ascontiguousarray(np.broadcast_to(stored, offset.shape))
            self.data[lanes] = stored[..., np.newaxis].view(np.uint8)
            return
        self.view(of)[offset >> _shift(of) if of.size > 1 else offset] = stored

    def _checked(self, offset: Array, mask: Array | None, of: Element, what: str) -> Array:
        last = self.data.size - of.size
        if int(offset.min()) >= 0 and int(offset.max()) <= last:
            return offset
        if mask is None:
            bad = (offset < 0) | (offset > last)
        else:
            bad = ((offset < 0) | (offset > last)) & mask
            if not bad.any():
                return np.clip(offset, 0, last) & ~np.int64(of.size - 1)
        where = int(np.broadcast_to(offset, bad.shape)[bad].flat[0])
        raise MemoryFault(
            f"{what} out of bounds of {self.name}: byte offset {where} "
            f"(element {where // of.size} of {self.data.size // of.size} of type {of.name})"
        )


NAN_POISON = 2
"""What `Memory` is given for undefined floats that are NaN and integers that are no index."""


@lru_cache(64)
def _undefined(of: Element, shape: tuple[int, ...], salt: int, no_index: bool) -> Array:
    """Return what stands for undefined values; the runs of a launch ask for the same ones."""
    lane = np.arange(math.prod(shape), dtype=np.int64).reshape(shape)
    mixed = mix(lane, salt)
    if of.is_float:
        found = of.round((mixed >> np.uint32(20)).astype(np.float64) / 512 + 0.375)
    elif of.width == 1:
        found = of.constant(True) if not shape else mixed % np.uint32(4) != 0
    else:
        small = (mixed % np.uint32(113)).astype(np.int64) + 5
        if no_index:
            small -= np.int64(1) << np.int64(of.width - 1)
        found = of.wrap(small.astype(of.carrier))
    if isinstance(found, np.ndarray):
        found.flags.writeable = False
    return found


class Memory:
    """
    The address space of a run.

    `poison` is what masked-off lanes without `other`, and memory that nobody initialised,
    hold: a number that two runs choose differently to see what depends on it.
    """

    follows_undefined = False
    """Whether it remembers which of its bytes are undefined."""
    places_only = False
    """Whether it hears of what is written but does not hold it."""

    def __init__(self, poison: int = 0):
        self.regions: dict[int, Region] = {}
        self.poison = poison
        self.anonymous: Contents | None = None
        """Content of regions that only a made-up pointer leads to; None forbids them."""
        self.scratch_contents = Contents(zero=True)
        self._poisoned = 0
        self.poison_used = False
        """Whether anything was poisoned so far."""

    def add(self, number: int, region: Region) -> int:
        """Put a region at its number and return its base address."""
        self.regions[number] = region
        return region_base(number)

    def forget(self) -> None:
        """Forget what was written to endless memory."""
        for region in self.regions.values():
            if isinstance(region, EndlessRegion):
                region.forget()

    def poison_value(self, of: Element, shape: tuple[int, ...] = ()) -> Array:
        """
        Return the value that stands for poison in this run, of a lane or of a whole `shape`.

        In all runs but the first each lane has another one, so that two undefined values are
        not equal by accident. With `NAN_POISON`, floats are NaN: to multiply with zero hides
        nothing of them; and integers are the least ones, which are no index.
        """
        self.poison_used = True
        if self.poison == 0:
            return of.constant(0)
        if self.poison == NAN_POISON and of.is_float:
            return np.full(shape, of.constant(float("nan")))
        self._poisoned += 1
        salt = self._poisoned + 1000 * self.poison
        return _undefined(of, shape, salt, no_index=self.poison == NAN_POISON)

    def _region(self, number: int, of: Element) -> Region:
        region = self.regions.get(number)
        if region is None:
            if self.anonymous is None:
                raise MemoryFault(
                    f"a pointer leads to no argument (address {number << REGION_BITS:#x} …)"
                )
            region = self.regions[number] = EndlessRegion(number, of, self.anonymous)
        return region

    def split(
        self, address: Array, mask: Array | None, of: Element
    ) -> Iterator[tuple[Region, Array, Array | None]]:
        """
        Yield each region that active lanes lead to, with byte offsets and the lanes' mask.

        In all usual cases there is one, the offsets have the address' shape and the mask
        is the one given.
        """
        if address.size == 0:
            return
        low, high = int(address.min()), int(address.max())
        if low >> REGION_BITS == high >> REGION_BITS:
            number = low >> REGION_BITS
            if number not in self.regions and mask is not None and not mask.any():
                return
            region = self._region(number, of)
            yield region, address - np.int64(region_base(number)), mask
            return
        if mask is not None:
            address, mask = np.broadcast_arrays(address, mask)
        number = address >> _SHIFT
        for key in sorted_unique(number if mask is None else number[mask]).tolist():
            here = number == key
            if mask is not None:
                here = here & mask
            offset = np.where(here, address - np.int64(region_base(key)), 0)
            yield self._region(key, of), offset, here

    def _as_made(self, address: Array, of: Element) -> Array | None:
        """Return what lies at addresses in one endless region that nobody has written to."""
        if not address.size:
            return None
        number = address.item(0) >> REGION_BITS
        region = self.regions.get(number)
        if not isinstance(region, EndlessRegion) or region.stores:
            return None
        try:
            return region.as_made(address, of)
        except _SeveralRegions:
            return None

    def load(self, address: Array, mask: Array | None, other: Array | None, of: Element) -> Array:
        """
        Return what lies at `address` where `mask` holds, and `other` or poison elsewhere.

        All broadcast against each other; the result is carried.
        """
        if mask is not None and mask.all():
            mask = None  # nothing is undefined, nor need anything be chosen
        made = self._as_made(address, of)
        if mask is None and made is not None:
            return made
        parts = [] if made is not None else list(self.split(address, mask, of))
        if mask is None and len(parts) == 1:
            region, offset, _ = parts[0]
            return region.load(offset, None, of)
        full = address.shape if mask is None else _common_shape(address.shape, mask.shape)
        fill = self.poison_value(of, full) if other is None else other
        if made is not None:
            return np.where(mask, made, fill)  # pyright: ignore[reportArgumentType, reportCallIssue]
        if len(parts) == 1:
            region, offset, _ = parts[0]
            value = region.load(offset, mask, of)
            return np.where(mask, value, fill)  # pyright: ignore[reportArgumentType, reportCallIssue]
        value = np.broadcast_to(fill, np.broadcast_shapes(full, np.shape(fill)))
        for region, offset, here in parts:
            value = np.where(here, region.load(offset, here, of), value)  # pyright: ignore[reportArgumentType, reportCallIssue]
        return value

    def store(self, address: Array, value: Array, mask: Array | None, of: Element) -> None:
        """Write carried values where `mask` holds; all three broadcast."""
        if mask is None:
            shape = _common_shape(address.shape, value.shape)
            address = widened(address, shape)
        else:
            shape = _common_shape(_common_shape(address.shape, value.shape), mask.shape)
            if mask.all():
                address = widened(address, shape)
            else:
                mask = widened(mask, shape)
                address, value = widened(address, shape)[mask], widened(value, shape)[mask]
        for region, offset, here in self.split(address, None, of):
            if here is None:
                region.store(offset, value, of)
            else:
                region.store(offset[here], np.broadcast_to(value, here.shape)[here], of)
