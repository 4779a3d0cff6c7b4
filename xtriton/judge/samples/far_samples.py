# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
Launches far out, thousands at once: sizes that need most of their bits, and what those lead to.

Some sizes are near powers of two up to the limits of their types, or what makes such a power of
others; others are small. All data that feeds addresses, or is asserted to be in bounds, may be one
number: the negative of a size, or its predecessor, which are the first and the last from the end.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from xtriton.interpreter.arguments import FIRST_REGION, Endless
from xtriton.interpreter.memory import REGION_BITS
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.launches.kernel_facts import edges_of_blocks
from xtriton.judge.samples.graphs import Graph, all_of
from xtriton.judge.samples.sample_memory import Memory
from xtriton.judge.samples.samples import MOST_PROGRAMS, Rows, Samples
from xtriton.semantics import Element

BITS = {32: (27, 32), 64: (27, 36), 65: (56, 63)}
"""How many bits large sizes have, of 32 bits, and of 64 at one place or the other."""

MOST_SIZE = (1 << 62) + (1 << 33)
"""What a pass adds to a size is to fit."""

UNEQUAL = 32.0
"""Bits that a launch whose indices are not all equal seems to have more."""

_INDEX, _INDEXED = ("index",), ("indexed",)
"""Keys of the number that all indices of a launch are equal to, and of whether they are."""


class IndexedMemory(Memory):
    """Memory of launches in some of which all indices are one number."""

    def __init__(self, plain: Memory, regions: set[int], which: Any, number: Any):
        self.rows, self.shape = plain.rows, plain.shape
        self.regions, self.which, self.number = regions, which, number

    def load(self, place: Any, of: Element, otherwise: Any, masks: tuple[Any, ...]) -> Any:
        """Return what lies at addresses, and something else where a mask is off."""
        value = super().load(place, of, otherwise, masks)
        if of.is_float or of.width < 8:
            return value
        region = np.broadcast_to(place, self.shape) >> np.int64(REGION_BITS)
        here = np.isin(region, list(self.regions)) & self.which & all_of(masks)
        return np.where(here, of.wrap(self.number.astype(of.carrier)), value)


class FarSamples(Samples):
    """Makes launches of one kernel with large sizes."""

    def __init__(self, launches: Launches, graph: Graph, bases: list[Draw], count: int):
        super().__init__(launches, graph, bases, count)
        self.edges = edges_of_blocks(launches.function)
        uses = launches.uses
        chosen = (uses.indices | uses.asserted) - uses.counts
        self.indices = {
            k for k in chosen
            if isinstance(bases[0].values[k], Endless) and (of := self.known[k].stored) is not None
            and not of.is_float and of.width >= 8
        }  # fmt: skip

    def some(self, count: int) -> Rows:
        """Return launches at random."""
        rows = super().some(count)
        for key in (_INDEX, _INDEXED) if self.indices else ():
            rows[key] = self._some(key, count, rows)
        return rows

    def _leaf(self, key: Any, rows: Rows) -> Any:
        found = super()._leaf(key, rows)
        if key != ("memory",) or not self.indices:
            return found
        regions = {FIRST_REGION + k for k in self.indices}
        return IndexedMemory(found, regions, rows[_INDEXED], rows[_INDEX])

    def _some(self, key: Any, count: int, rows: Rows) -> Any:
        match key:
            case ("index",):
                return self._indices(count, rows)
            case ("indexed",):
                return self.rng.random(count) < 0.6
            case ("lane", _):
                return self._mixed((0.5, super()._some(key, count, rows)), (0.5, self._last(count)))
            case _:
                return super()._some(key, count, rows)

    def _indices(self, count: int, rows: Rows) -> Any:
        """Return numbers for all indices of a launch: those at the ends of what a size bounds."""
        rng = self.rng
        sizes = [v.astype(np.int64) for key, v in rows.items() if self._is_size(key)]
        constants = self.near[rng.integers(0, len(self.near), count)]
        bounds = [v for v in sizes if len(v) == count] or [constants]
        bound = np.stack(bounds)[rng.integers(0, len(bounds), count), np.arange(count)]
        return self._mixed(
            (2.0, -bound),
            (1.0, bound - 1),
            (1.0, rng.integers(-2, 4, count)),
            (0.5, -constants),
            (0.5, constants - 1),
            (0.5, bound // 2 + rng.integers(-1, 2, count)),
        )

    def _last(self, count: int) -> Any:
        """Return the last lanes of dimensions, one of some before them, or the first one."""
        length = self.launches.extent >> self.rng.integers(0, 4, count)
        back = np.minimum(self.rng.integers(1, 9, count), length)
        return 1.0 - back / np.maximum(length, 1)

    def _place(self, axis: int, count: int) -> Any:
        """Return places along an axis of the grid: far out, and up to where blocks end."""
        most = MOST_PROGRAMS[axis] - 1
        usual = super()._place(axis, count)
        begins = (np.int64(1) << self.rng.integers(28, 32, count)) // self.launches.extent
        far = np.clip(begins - self.rng.integers(0, 3, count), 0, most).astype(np.int32)
        ends = self.edges.get(axis) or [0]
        inside = self.rng.integers(0, ends[-1] + 1, count).astype(np.int32)
        weight = 0.4 if ends[-1] else 0.0
        return self._mixed((0.6, usual), (0.4, far), (weight, inside))

    def _sizes(self, of: Element, held: list[Any], count: int, rows: Rows) -> Any:
        rng = self.rng
        usual = super()._sizes(of, held, count, rows)
        most = min((1 << (of.width - 1)) - 1, MOST_SIZE)
        choices = [
            (1.0, usual),
            (1.0, rng.integers(1, 13, count)),
            (0.5, rng.integers(1, 4, count)),
            (1.5, self._large(of, count)),
            (0.5, most - rng.integers(0, 2, count)),
        ]
        others = [v.astype(np.int64) for key, v in rows.items() if self._is_size(key)]
        if others and len(others[0]) == count:
            other = others[int(rng.integers(0, len(others)))]
            factor = np.maximum(np.abs(other), 1) * rng.integers(1, 4, count) ** 2
            choices.append((0.5, self._large(of, count) // factor + rng.integers(-1, 2, count)))
        return np.clip(self._mixed(*choices), -most - 1, most)

    def _large(self, of: Element, count: int) -> Any:
        """Return numbers near large powers of two."""
        ranges = [low_high for width, low_high in BITS.items() if width >> 5 == of.width >> 5]
        low, high = ranges[int(self.rng.integers(0, len(ranges)))] if ranges else (3, of.width)
        high = min(high, of.width - 1)
        power = np.int64(1) << self.rng.integers(min(low, high - 1), high, count)
        return power + self.rng.integers(-2, 3, count)

    def size(self, rows: Rows) -> Any:
        """Return how many bits the numbers of each launch have together."""
        total = super().size(rows)
        # Of indices that are not all equal, some lane's may be out of bounds.
        return total + np.where(rows[_INDEXED], 0.0, UNEQUAL) if self.indices else total

    def draw(self, rows: Rows, row: int, other: Rows | None = None, seed: int = 0) -> Draw:
        """Return one of the launches."""
        found = super().draw(rows, row, other, seed)
        values = list(found.values)
        for k in self.indices if self.indices and rows[_INDEXED][row] else ():
            of = self.known[k].stored
            assert of is not None
            number = of.wrap(np.asarray(int(rows[_INDEX][row])).astype(of.carrier)).item()
            values[k] = replace(
                values[k], contents=replace(values[k].contents, only=(number,), near=())
            )
        return replace(found, name="found far out", values=tuple(values))
