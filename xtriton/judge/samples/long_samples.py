# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
Launches whose loops run for millions of turns, and differ in the last ones: sought among thousands.

See `long_launches` for what is done with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.long_loops import END, FEWEST
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.launches.kernel_facts import lock_arguments
from xtriton.judge.samples.far_samples import FarSamples
from xtriton.judge.samples.far_sampling import FEW_ROUNDS, THOROUGH, FarLanes, placed
from xtriton.judge.samples.graphs import TURNS, Graph, NoGraph, all_of, computed
from xtriton.judge.samples.lanes import Lanes
from xtriton.judge.samples.samples import Rows
from xtriton.judge.samples.sampling import AT_ONCE, ROUNDS, Origin, Pair, Sampling, pairs_of

ROOM = 1 << 16
"""So much less than it can be is a number of 32 bits: a pass may add a few blocks to a bound."""


class LongLanes(FarLanes):
    """A kernel whose loops may have any number of turns."""

    most_turns = 1 << 40

    def __init__(self, graph: Graph, function: Operation, wanted: bool = False):
        super().__init__(graph, function, wanted)
        self.lengths: dict[int, int] = {}
        """The nodes that say how many turns loops have, by the numbers of the loops."""
        for op in function.walk():
            if op.name == "scf.for":
                with suppress(NoGraph):
                    self.lengths[self.ordinals[op]] = self.turns(op)


class LongSamples(FarSamples):
    """Makes launches with large bounds of loops; a loop's turn is counted from its end."""

    lengths: dict[int, int]

    def _leaf(self, key: Any, rows: Rows) -> Any:
        if key[0] != TURNS:
            return super()._leaf(key, rows)
        length = self.length(key[1], rows)
        return rows[key] if length is None else np.maximum(length - 1 - rows[key], 0)

    def length(self, loop: Any, rows: Rows) -> Any:
        """Return how many turns a loop has, or None if that is not the same in all turns."""
        node = self.lengths.get(loop)
        if node is None:
            return None
        keys: dict[int, Any] = {n: key for key, n in self.graph.leaves.items()}
        needed = [n for n in self.graph.needed([node]) if n in keys]
        if any(keys[n][0] in (TURNS, "memory") for n in needed):
            return None
        leaves = {n: super(LongSamples, self)._leaf(keys[n], rows) for n in needed}
        return np.broadcast_to(computed(self.graph, [node], leaves)[node], self.count)

    def _some(self, key: Any, count: int, rows: Rows) -> Any:
        if key[0] == TURNS:
            return self.rng.integers(0, END, count)
        return super()._some(key, count, rows)

    def _number(self, k: int, count: int, rows: Rows) -> Any:
        value = super()._number(k, count, rows)
        if k not in self.launches.uses.loops or k in self.launches.given:
            return value
        of = self.known[k].info.scalar
        power = np.int64(1) << self.rng.integers(22, 32, count)
        large = power + self.rng.integers(-3, 1 << 12, count)
        return self._promised(k, np.where(self.rng.random(count) < 0.7, large, value)).astype(
            of.carrier
        )

    def _promised(self, k: int, value: Any) -> Any:
        if self.known[k].info.scalar.width == 32:
            value = np.clip(value, -(1 << 31), (1 << 31) - ROOM)
        return super()._promised(k, value)

    def draw(self, rows: Rows, row: int, other: Rows | None = None, seed: int = 0) -> Draw:
        """Return one of the launches."""
        found = super().draw(rows, row, other, seed)
        return replace(found, name="loops of millions of turns", long=True)


class _LatePair(Pair):
    """Accesses that are to be the same: what is not read may have counted."""

    def rows(self, values: dict[int, Any]) -> tuple[Any, Any]:
        """Return where something differs, twice."""
        a, b = self.original, self.rewritten
        on_a, on_b = (all_of([values[n] for n in (*x.path, *x.mask)]) for x in (a, b))
        unlike = on_a != on_b
        if a.place is not None and b.place is not None and a.place != b.place:
            unlike = unlike | (on_a & on_b & (values[a.place] != values[b.place]))
        return unlike, unlike


class LongSampling(Sampling):
    """Seeks launches with long loops."""

    def __init__(self, launches: Launches, origin: Origin, rewritten: Lanes, turns: int = 1):
        super().__init__(launches, origin, rewritten)
        self.count = AT_ONCE * (THOROUGH if turns > 1 else 1)
        self.rounds = ROUNDS if turns > 1 else FEW_ROUNDS
        self.samples = LongSamples(launches, self.graph, origin.bases[:1], self.count)
        self.samples.other_floats = 0
        lanes = self.origin
        self.samples.lengths = lanes.lengths if isinstance(lanes, LongLanes) else {}
        mine, theirs = (list(map(placed, x.effects)) for x in (lanes, rewritten))
        pairs = [p for p in pairs_of(mine, theirs) if p.original.place is not None]
        self.choose([_LatePair(p.original, p.rewritten) for p in pairs])

    def read_anyway(self, values: dict[int, Any]) -> Any:
        """Return where reads do not count: nowhere."""
        return np.zeros((len(self.pairs), self.count), np.bool_)

    def telling(self, rows: Rows, fine: Any, counts: Any) -> Iterator[Draw]:
        """Yield launches that tell something and have a long loop."""
        lengths = [self.samples.length(loop, rows) for loop in self.samples.lengths]
        long = [length >= FEWEST for length in lengths if length is not None]
        yield from super().telling(rows, fine & np.any(long, axis=0), counts) if long else ()


def long_sampled(
    launches: Launches, origin: Origin, rewritten: Operation, turns: int = 1
) -> Iterator[Draw]:
    """Yield launches with loops of millions of turns in which accesses differ."""
    if lock_arguments(launches.function):
        return
    with suppress(RecursionError):
        other = Lanes(Graph(origin.lanes.graph), rewritten)
        yield from LongSampling(launches, origin, other, turns).draws()
