"""
The addresses that memory may hold: an abstract store, keyed by root and byte offset.

What a program surely stored last at a place is in the *cells* of its state. Everything that
any program of the launch ever stores is in the *log*, which only grows; a load finds there
what it can find neither in a cell nor before the launch.
"""

from dataclasses import dataclass, field

from xtriton.analysis.effects.values import (
    NOTHING,
    MemoryLocation,
    Root,
    Value,
    address,
    content_of,
    limited,
    mangled,
)

Cells = dict[tuple[Root, int], tuple[int, Value]]
"""By root and offset: the size in bytes and the value that a program stored there."""


@dataclass
class Log:
    """All stores of addresses, in no order."""

    stores: dict[Root, dict[tuple[int | None, int], Value]] = field(
        default_factory=dict[Root, dict[tuple[int | None, int], Value]]
    )
    grew: bool = False
    coarse: bool = False
    """Whether to forget offsets, so that the log soon has nothing new."""

    def add(self, place: MemoryLocation, size: int, value: Value) -> None:
        if not value:
            return
        if self.coarse:
            place, size, value = MemoryLocation(place.root, None), 1, mangled(value)
        known = self.stores.setdefault(place.root, {})
        old = known.get((place.offset, size), NOTHING)
        new = limited(old | value)
        if new != old:
            known[place.offset, size] = new
            self.grew = True

    def find(self, place: MemoryLocation, size: int) -> Value:
        """Return what may have been stored over the bytes at a place."""
        found: Value = NOTHING
        for (offset, stored_size), value in self.stores.get(place.root, {}).items():
            if (
                offset is None
                or place.offset is None
                or overlap(offset, stored_size, place.offset, size)
            ):
                whole = offset == place.offset or offset is None or place.offset is None
                found |= value if whole and stored_size == size else value | mangled(value)
        return limited(found)


def overlap(a: int, size_a: int, b: int, size_b: int) -> bool:
    """Tell whether two ranges of bytes share one."""
    return a < b + size_b and b < a + size_a


def store(
    cells: Cells,
    log: Log,
    where: frozenset[MemoryLocation],
    size: int,
    value: Value,
    *,
    strong: bool,
) -> None:
    """Store a value at one of several places; only a `strong` one at a known place replaces."""
    for place in where:
        log.add(place, size, value)
    only = next(iter(where)) if strong and len(where) == 1 else None
    for place in where:
        for key, (old_size, old) in list(cells.items()):
            if key[0] != place.root:
                continue
            if place.offset is None or overlap(key[1], old_size, place.offset, size):
                at = place.offset if place is only else None
                if at is not None and at <= key[1] and key[1] + old_size <= at + size:
                    del cells[key]
                    continue
                cells[key] = old_size, limited(old | value | mangled(value))
    if only is not None and only.offset is not None:
        cells[only.root, only.offset] = size, value


def load(cells: Cells, log: Log, where: frozenset[MemoryLocation], size: int) -> Value:
    """Return the addresses that may lie at one of several places."""
    found: Value = NOTHING
    for place in where:
        if place.offset is not None:
            cell = cells.get((place.root, place.offset))
            if cell is not None and cell[0] == size:
                found |= cell[1]
                continue
            parts = [
                value
                for (root, offset), (old_size, value) in cells.items()
                if root == place.root and overlap(offset, old_size, place.offset, size)
            ]
            found |= mangled(*parts)
        found |= log.find(place, size)
        if place.root.kind not in ("scratch", "constant"):
            found |= address(content_of(place))
    return limited(found)


def joined(a: Cells, b: Cells) -> Cells:
    """Return the cells after two ways meet: those that both know."""
    if a == b:
        return dict(a)
    return {
        key: (size, limited(value | b[key][1]))
        for key, (size, value) in a.items()
        if key in b and b[key][0] == size
    }
