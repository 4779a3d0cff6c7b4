# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
Floats in memory on which two kernels store different values, sought among millions.

A last bit, an overflow or a denormal that few numbers show is found by computing what one lane
stores, see `one_lane`, for some places in some launches and thousands of floats at each. Those for
which more differs on the way to what is stored are changed a little and tried again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.arguments import Endless, PerProgram
from xtriton.judge.floats.float_inputs import FloatValues, inputs_of, moving, name_of
from xtriton.judge.floats.float_numbers import KINDS, beside, mixed, rounded
from xtriton.judge.floats.float_places import FloatPlaces
from xtriton.judge.floats.one_lane import OneLane
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.launches.kernel_facts import lock_arguments
from xtriton.judge.samples.graphs import Graph, all_of
from xtriton.judge.samples.samples import Rows
from xtriton.judge.samples.sampling import Pair, pairs_of


@dataclass(frozen=True)
class Effort:
    """
    What a search may cost, in the same units on any machine.

    work: numbers that may be computed; count: floats that are tried together, for each argument;
    hopeless: turns after which no more are tried if nothing has differed, as it does not where a
    rewrite is right.
    """

    work: float
    count: int
    hopeless: int


USUAL = Effort(1e8, 1 << 14, 4)
THOROUGH = Effort(8e8, 1 << 17, 24)

MOST_LAUNCHES = 12
"""That are run."""

EACH = 4
"""Launches for what differs in the same effect."""

ELITES = 512
"""Floats that the next ones are made of."""

SETTLED = 16
"""How often a number is set to what it is compared with, which depends on it."""


class FloatSearch:
    """Seeks floats for one original and what was made of it."""

    def __init__(self, launches: Launches, rewritten: Operation, effort: Effort = THOROUGH):
        self.effort = effort
        first = OneLane(Graph(), launches.function, wanted=True)
        second = OneLane(first.graph, rewritten)
        self.graph = graph = first.graph
        self.fine = list(dict.fromkeys((*first.fine, *first.defined)))
        self.places = FloatPlaces(launches, graph)
        self.rng = self.places.samples.rng
        pairs = [p for p in pairs_of(first.effects, second.effects) if _is_value(p)]
        wanted = {n for pair in pairs for n in pair.nodes()}
        order = graph.needed({*wanted, *self.fine})
        self.inputs = inputs_of(graph, order, launches)
        self.moving = moving(graph, order, self.inputs)
        self.pairs = [pair for pair in pairs if pair.nodes() & self.moving]
        roots = {root for pair in self.pairs for root in pair.roots(graph)}
        self.roots = sorted((a, b) for a, b in roots if {a, b} & self.moving)
        self.order = graph.needed({*self.fine, *(n for pair in self.pairs for n in pair.nodes())})
        self.compared = [
            n for n in self.order if n in self.moving
            and name_of(graph.nodes[n].key) == "arith.cmpf"
        ]  # fmt: skip
        self.differed = False
        """Whether anything differs for floats that were tried."""

    def draws(self) -> Iterator[Draw]:
        """Yield launches whose memory holds floats for which something differs."""
        if not self.inputs or not self.roots:
            return
        rows = self.places.chosen(self.pairs, self.fine, self.order)
        count = len(rows["base",])
        if not count:
            return
        fixed = self.places.values(rows, self.order, self.places.others(rows, self.order))
        values = FloatValues(self.graph, self.order, self.inputs, fixed)
        shape = (count, self.effort.count // count)
        left, each = MOST_LAUNCHES, [EACH] * len(self.pairs)
        best: list[Any] = []
        for turn in range(self._turns()):
            hopeless = turn == self.effort.hopeless and not self.differed
            if hopeless or left <= 0 or not any(each):
                return
            tried = self._candidates(turn, shape, values, best)
            found = values.of(tried)
            for k, row, column in self._told(found, shape):
                if each[k]:
                    each[k] -= 1
                    left -= 1
                    yield self._draw(rows, row, [t[row, column] for t in tried], values)
            best = self._best(tried, found, shape)

    def _turns(self) -> int:
        """Return how often all is computed: no less than tells that nothing differs."""
        moving = sum(n in self.moving for n in self.order)
        return max(int(self.effort.work / (moving * self.effort.count)), self.effort.hopeless)

    def _told(self, values: dict[int, Any], shape: tuple[int, int]) -> Iterator[tuple[int, ...]]:
        """Yield for each pair of effects one choice of floats on which they differ."""
        fine = np.broadcast_to(all_of([values[n] for n in self.fine]), shape)
        for k, pair in enumerate(self.pairs):
            here = np.flatnonzero(pair.rows(values)[1] & fine)
            if here.size:
                chosen = int(here[self.rng.integers(0, here.size)])
                yield (k, *divmod(chosen, shape[1]))

    def _best(self, tried: list[Any], values: dict[int, Any], shape: tuple[int, int]) -> list[Any]:
        """Return the floats for which most differs on the way, for each input."""
        score = self.rng.random(shape)
        for a, b in self.roots:
            x, y = values[a], values[b]
            if x.dtype == y.dtype:
                differ = x != y
                if x.dtype.kind == "f":
                    differ = differ & ~(np.isnan(x) & np.isnan(y))
                score += differ
        self.differed = self.differed or bool((score >= 1.0).any())
        best = np.argpartition(-score.reshape(-1), ELITES)[:ELITES]
        return [t.reshape(-1)[best] for t in tried]

    def _candidates(
        self, turn: int, shape: tuple[int, int], values: FloatValues, best: list[Any]
    ) -> list[Any]:
        """Return floats to try for each input: fresh ones, and changes of those that tell more."""
        rng, count = self.rng, len(values.inputs)
        # All are plain numbers in turn, all alike, and of any kinds.
        kinds = [np.zeros(shape[1], np.int64)] * count
        if turn % 4 == 2:
            kinds = [rng.integers(0, 2, shape[1])] * count
        elif turn % 2:
            kinds = [rng.integers(0, KINDS, shape[1]) for _ in range(count)]
        tried = [
            mixed(i.of, rng, shape, np.broadcast_to(kind, shape))
            for i, kind in zip(values.inputs, kinds, strict=True)
        ]
        if best:
            self._vary(tried, values, best)
            if self.compared and turn % 3 == 2:
                self._settle(tried, values)
        return tried

    def _vary(self, tried: list[Any], values: FloatValues, best: list[Any]) -> None:
        """Put good floats in the place of half of those that are tried, with one or two changed."""
        rng = self.rng
        shape = (len(tried[0]), tried[0].shape[1] // 2)
        chosen = rng.integers(0, len(best[0]), shape)
        one, other = rng.integers(0, len(tried), (2, *shape))
        near = rng.random(shape) < 0.5
        for k, (i, some, good) in enumerate(zip(values.inputs, tried, best, strict=True)):
            old = good[chosen]
            new = np.where(near, beside(i.of, rng, old), some[:, : shape[1]])
            some[:, : shape[1]] = np.where((one == k) | ((other == k) & ~near), new, old)

    def _settle(self, tried: list[Any], values: FloatValues) -> None:
        """Set one number to what something is compared with, and some to its neighbours."""
        rng = self.rng
        k = int(rng.integers(0, len(tried)))
        node = self.graph.nodes[self.compared[int(rng.integers(0, len(self.compared)))]]
        side, of = node.of[int(rng.integers(0, 2))], values.inputs[k].of
        for _ in range(SETTLED):
            value = np.broadcast_to(values.of(tried, [side])[side], tried[k].shape)
            tried[k] = rounded(of, value.astype(np.float64))
        near = rng.random(tried[k].shape) < 0.3
        tried[k] = np.where(near, beside(of, rng, tried[k]), tried[k])

    def _draw(self, rows: Rows, row: int, numbers: list[Any], values: FloatValues) -> Draw:
        """Return a launch whose memory holds what was found."""
        draw = self.places.samples.draw(rows, row)
        found = list(draw.values)
        for i, number in zip(values.inputs, numbers, strict=True):
            if i.place is None:
                found[i.argument] = PerProgram((float(number),))
        for k, element, bits in values.placed(row, numbers):
            held = found[k] if 0 <= k < len(found) else None
            if isinstance(held, Endless):
                placed = {element: bits} | dict(held.contents.placed)
                contents = replace(held.contents, placed=tuple(sorted(placed.items())))
                found[k] = replace(held, contents=contents)
        return replace(draw, name="floats found among many", values=tuple(found))


def _is_value(pair: Pair) -> bool:
    """Whether what is seen is a value that differs in how it is computed."""
    a, b = pair.original, pair.rewritten
    return bool(a.values) and a.kind[0] != "assert" and a.values != b.values


def float_draws(
    launches: Launches, rewritten: Operation, effort: Effort = THOROUGH
) -> Iterator[Draw]:
    """Yield launches whose memory holds floats on which what is stored seems to differ."""
    if lock_arguments(launches.function) or launches.calm:
        return
    with suppress(RecursionError):
        yield from FloatSearch(launches, rewritten, effort).draws()
