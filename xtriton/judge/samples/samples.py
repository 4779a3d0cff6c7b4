# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
Thousands of launches at once: numbers for the leaves of a graph, and what its nodes are for them.

Sizes are small or have any length, are near constants of the kernel and near powers of two, or are
what other sizes make together; programs are anywhere in a grid.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from xtriton.interpreter.arguments import FIRST_REGION, Endless, PerProgram
from xtriton.interpreter.memory import region_base
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.samples.graphs import LANES, TURNS, Graph, computed
from xtriton.judge.samples.sample_memory import APART, MAGNITUDES, PLAIN, Memory, held_by
from xtriton.semantics import Element

MOST_PROGRAMS = ((1 << 31) - 1, 65535, 65535)
"""Along each axis of a grid."""

LAST = 1.0 - 2.0**-30
"""Where the last lane of a dimension is."""

SEED = 3
"""What is drawn at random is the same each time."""

MORE = 8
"""Programs that run where sums decide: few of them tell something."""

_LONGEST = 40
"""Bits of numbers of 64 bits."""

_TELLING = ("below", "not below", "strided", "arith.cmpi")
"""Keys of nodes that compare numbers, or that numbers are counted in."""

Rows = dict[Any, Any]
"""The numbers of launches by leaves, one in each place."""


class Samples:
    """
    Makes launches of one kernel.

    graph: whose leaves get numbers; bases: launches whose memory they have; count: so many at once.
    """

    def __init__(self, launches: Launches, graph: Graph, bases: list[Draw], count: int):
        self.launches, self.graph, self.bases, self.count = launches, graph, bases, count
        self.known = launches.known
        self.rng = np.random.default_rng(SEED)
        self.other_floats = 0 if launches.calm else len(MAGNITUDES) + APART
        self.memory = [held_by(draw, launches.known) for draw in bases]
        constants = {abs(int(c)) for c in launches.near if c == int(c) and abs(c) < 1 << 40}
        self.near = np.array(sorted({*constants, launches.extent, 1, 16}), np.int64)

    def values(self, rows: Rows, wanted: Any) -> dict[int, Any]:
        """Return the values of nodes."""
        return computed(self.graph, wanted, self.leaves(rows))

    def leaves(self, rows: Rows) -> dict[int, Any]:
        """Return the values of the graph's leaves."""
        return {n: self._leaf(key, rows) for key, n in self.graph.leaves.items()}

    def _leaf(self, key: Any, rows: Rows) -> Any:
        match key:
            case ("memory",):
                return Memory(self.memory, rows["base",])
            case ("row",):
                return rows["row",]
            case _:
                return rows[key]

    def some(self, count: int) -> Rows:
        """Return launches at random."""
        rows: Rows = {("row",): self.rng.integers(0, 1 << 20, count)}
        for key in (("base",), *self.graph.leaves):
            if key not in rows and key != ("memory",):
                rows[key] = self._some(key, count, rows)
        return self.kept(rows)

    def elsewhere(self, rows: Rows, axis: Any) -> Rows:
        """Return launches with another program along an axis, every second one at another lane."""
        other = dict(rows)
        fresh = self.some(self.count)
        near = np.clip(rows[axis] + self.rng.integers(-4, 5, self.count), 0, None)
        far = self.rng.random(self.count) < 0.5
        other[axis] = np.where(far, fresh[axis], near.astype(np.int32))
        moved = self.rng.random(self.count) < 0.5
        for key in rows:
            if key[0] in (LANES, TURNS):
                other[key] = np.where(moved, fresh[key], rows[key])
        sizes = ("tt.get_num_programs", axis[1])
        if sizes in rows:
            rows[sizes] = other[sizes] = np.maximum(rows[sizes], other[axis] + np.int32(1))
        return other

    def kept(self, rows: Rows) -> Rows:
        """Return launches whose grids hold the programs."""
        for axis in range(3):
            key, place = ("tt.get_num_programs", axis), ("tt.get_program_id", axis)
            if key in rows and place in rows:
                rows[key] = np.maximum(rows[key], rows[place] + np.int32(1))
        return rows

    def _some(self, key: Any, count: int, rows: Rows) -> Any:
        rng = self.rng
        match key:
            case ("argument", k):
                return self._number(k, count, rows)
            case ("base",):
                # The last ones only have other floats.
                some = rng.integers(0, len(self.bases) - self.other_floats, count)
                return np.where(
                    rng.random(count) < 0.6, some, rng.integers(0, len(self.bases), count)
                )
            case ("lane", _):
                ends = np.array([0.0, LAST])[rng.integers(0, 2, count)]
                return np.where(rng.random(count) < 0.4, ends, rng.random(count))
            case ("turn", _):
                far = rng.integers(0, 64, count)
                return np.where(rng.random(count) < 0.7, far % 4, far)
            case ("tt.get_program_id", axis):
                return self._place(axis, count)
            case ("tt.get_num_programs", _):
                return rng.integers(1, 64, count).astype(np.int32)
            case _:
                raise LookupError(key)

    def _place(self, axis: int, count: int) -> Any:
        """Return places along an axis of the grid: the first ones, any, and near powers of two."""
        rng, most = self.rng, MOST_PROGRAMS[axis] - 1
        constants = self.near[rng.integers(0, len(self.near), count)] + rng.integers(-1, 2, count)
        place = self._mixed(
            (0.5, rng.integers(0, 12, count)),
            (0.25, self._any_length(most.bit_length(), count)),
            (0.15, self._power(most.bit_length(), count)),
            (0.1, constants),
        )
        return np.clip(place, 0, most).astype(np.int32)

    def _mixed(self, *choices: tuple[float, Any]) -> Any:
        """Return each of some choices where chance has it, with weights."""
        count = len(choices[0][1])
        ends = np.cumsum([weight for weight, _ in choices])
        which = np.searchsorted(ends, self.rng.random(count) * ends[-1], side="right")
        made = np.array(choices[0][1])
        for n, (_, choice) in enumerate(choices[1:], 1):
            here = which == n
            made[here] = choice[here]
        return made

    def _any_length(self, bits: int, count: int) -> Any:
        """Return numbers with so many bits at most, each length as likely as the others."""
        length = self.rng.integers(1, bits + 1, count)
        return self.rng.integers(0, 1 << bits, count) & ((np.int64(1) << length) - 1)

    def _power(self, bits: int, count: int) -> Any:
        """Return powers of two and their neighbours."""
        power = np.int64(1) << self.rng.integers(0, bits, count)
        return power + self.rng.integers(-1, 2, count)

    def _number(self, k: int, count: int, rows: Rows) -> Any:
        """Return numbers for an argument: sizes of all kinds."""
        parameter = self.known[k]
        if parameter.is_memory:
            return np.full(count, region_base(FIRST_REGION + k), np.int64)
        of, rng = parameter.info.scalar, self.rng
        held = [draw.values[k] for draw in self.bases]
        if k in self.launches.given:
            return np.full(count, of.constant(held[0]))
        if of.is_float:
            pool = [x for h in held for x in (h.numbers if isinstance(h, PerProgram) else (h,))]
            table = np.array(pool, of.carrier)
            return table[rng.integers(0, len(table), count)]
        if of.width == 1:
            return rng.random(count) < 0.5
        return self._promised(k, self._sizes(of, held, count, rows))

    def _sizes(self, of: Element, held: list[Any], count: int, rows: Rows) -> Any:
        rng = self.rng
        usual = np.array([h if isinstance(h, int) else 1 for h in held], np.int64)
        constants = self.near[rng.integers(0, len(self.near), count)] * rng.integers(1, 5, count)
        choices = [
            (2.0, rng.integers(-2, 21, count)),
            (2.0, self._any_length(min(of.width - 1, _LONGEST), count)),
            (1.0, constants + rng.integers(-2, 3, count)),
            (1.0, self._power(min(of.width - 1, 62), count)),
            (1.0, usual[rng.integers(0, len(usual), count)]),
            (1.0, -rng.integers(1, 1 << 11, count)),
        ]
        others = [v.astype(np.int64) for key, v in rows.items() if self._is_size(key)]
        if others and len(others[0]) == count:
            # Sizes often are what others make together.
            a, b = (others[i] for i in rng.integers(0, len(others), 2))
            choices += [(1.0, a * b), (0.5, a * rng.integers(1, 4, count)), (0.5, a)]
        half = 1 << (of.width - 1)
        return np.clip(self._mixed(*choices), -half, half - 1)

    def _is_size(self, key: Any) -> bool:
        if key[0] != "argument" or self.known[key[1]].is_memory:
            return False
        of = self.known[key[1]].info.scalar
        return not of.is_float and of.width >= 32

    def _promised(self, k: int, value: Any) -> Any:
        """Return numbers that keep what is promised of an argument's divisibility."""
        divisor = int(self.known[k].attributes.get("tt.divisibility") or 1)
        value = value - value % divisor
        return value.astype(self.known[k].info.scalar.carrier)

    def changed(self, rows: Rows, best: Any, values: dict[int, Any]) -> Rows:
        """Return the best launches, and those with one to three leaves changed."""
        rng = self.rng
        chosen = best[rng.integers(0, len(best), self.count)]
        chosen[: len(best)] = best
        made = {key: v[chosen] for key, v in rows.items()}
        like = self._compared(values, chosen)
        keys = [k for k in made if k != ("row",) and not self._is_memory(k)]
        for _ in range(3):
            which = rng.integers(0, len(keys) + 1, self.count)
            which[: len(best)] = -1
            for n, key in enumerate(keys):
                here = np.flatnonzero(which == n)
                made[key][here] = self._near(key, made[key][here], like[here], made, here)
        return self.kept(made)

    def _is_memory(self, key: Any) -> bool:
        return key[0] == "argument" and self.known[key[1]].is_memory

    def _compared(self, values: dict[int, Any], chosen: Any) -> Any:
        """Return numbers of launches that something is compared with, or divided by."""
        found: list[Any] = []
        for node in (self.graph.nodes[n] for n in values):
            key: Any = node.key
            name = key[0] if isinstance(key, tuple) else key
            if name in _TELLING:
                found += [values[o] for o in node.of if values[o].dtype.kind == "i"]
        if not found:
            return np.zeros(self.count, np.int64)
        which = self.rng.integers(0, len(found), self.count)
        like = self.rng.integers(-1, 2, self.count)
        for n, x in enumerate(found):
            here = np.flatnonzero(which == n)
            like[here] += np.broadcast_to(x, self.count)[chosen[here]]
        return like

    def _near(self, key: Any, old: Any, like: Any, made: Rows, here: Any) -> Any:
        """Return other choices: any, or a multiple or neighbour of the old one."""
        if not old.size:
            return old
        inside = {k: v[here] for k, v in made.items() if self._is_size(k) and k != key}
        new = self._some(key, old.size, inside)
        if not self._is_size(key) and not (key[0] == "turn" or key[0].startswith("tt.get")):
            return new
        if key[0] == "argument" and key[1] in self.launches.given:
            return old
        wide = old.astype(np.int64)
        value = self._mixed(
            (2.0, new.astype(np.int64)),
            (1.0, wide << 1),
            (1.0, wide >> 1),
            (1.0, wide + self.rng.integers(-2, 3, old.size)),
            (0.5, -wide),
            (1.0, like),
            (0.5, like // self.launches.extent),
        )
        if key[0] == "argument":
            half = 1 << (old.dtype.itemsize * 8 - 1)
            return self._promised(key[1], np.clip(value, -half, half - 1))
        most = MOST_PROGRAMS[key[1]] - 1 if key[0].startswith("tt.get") else 1 << 20
        return np.clip(value, 0, most).astype(old.dtype)

    def size(self, rows: Rows) -> Any:
        """Return how many bits the numbers of each launch have together."""
        # Plain memory tells more, unless it is its numbers that tell something.
        total = np.where(rows["base",] < PLAIN, 0.0, 16.0)
        for key, value in rows.items():
            if value.dtype.kind == "i" and key not in (("row",), ("base",)):
                total += np.log2(1.0 + np.abs(value.astype(np.float64)))
                total += 2.0 * (value < 0)
        return total

    def is_like(self, rows: Rows, row: int) -> Any:
        """Return which launches have the numbers of one of them."""
        same = np.ones(self.count, np.bool_)
        for key, value in rows.items():
            if key[0] == "argument":
                same &= value == value[row]
        return same

    def program(self, rows: Rows, row: int) -> tuple[list[int], list[int]]:
        """Return where the program of a launch is in its grid, and the grid's sizes."""
        found = [[int(rows[name, d][row]) if (name, d) in rows else 0 for d in range(3)]
                 for name in ("tt.get_program_id", "tt.get_num_programs")]  # fmt: skip
        return found[0], [max(n, p + 1) for p, n in zip(*found, strict=True)]

    def draw(self, rows: Rows, row: int, other: Rows | None = None, seed: int = 0) -> Draw:
        """
        Return one of the launches, with the program that `other` has in that row too.

        `seed`, if it is not 0, chooses other numbers in memory, and more programs.
        """
        base = self.bases[int(rows["base",][row])]
        values = list(base.values)
        for key, of in rows.items():
            if key[0] == "argument" and not self.known[key[1]].is_memory:
                values[key[1]] = of[row].item()
        place, sizes = self.program(rows, row)
        places = [place]
        if other is not None:
            second, more = self.program(other, row)
            places.append(second)
            sizes = [max(*n) for n in zip(sizes, more, strict=True)]
        if seed:
            values = [_seeded(v, seed) for v in values]
            if ("tt.get_program_id", 0) in rows:
                places += [[place[0] + n, *place[1:]] for n in range(1, MORE)]
            sizes[0] = max(sizes[0], place[0] + MORE)
        x, y, _ = sizes
        programs = sorted({a + x * (b + y * c) for a, b, c in places})
        return replace(
            base, name="found among many", values=tuple(values), grid=tuple(sizes),
            programs=tuple(programs), smaller=(), apart=len(programs) > 2,
        )  # fmt: skip


def _seeded(value: Any, seed: int) -> Any:
    """Return memory with other numbers."""
    if not isinstance(value, Endless):
        return value
    return replace(value, contents=replace(value.contents, seed=value.contents.seed + seed))
