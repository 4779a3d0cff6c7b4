# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""Lanes of programs of launches, chosen to try floats at: memory holds no others there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from xtriton.interpreter.arguments import Endless
from xtriton.judge.floats.float_inputs import name_of
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.samples.graphs import LANES, TURNS, Graph, all_of
from xtriton.judge.samples.sample_memory import bases
from xtriton.judge.samples.samples import LAST, Rows, Samples
from xtriton.judge.samples.sampling import Pair

PLACES = 32
"""That are chosen."""

AMONG = 8192
"""Of which they are chosen."""

MOST_LANES = 1 << 11
"""Of a sum of which all lanes are computed."""

MEMORIES = 4
"""Launches of which the places have the integers in memory."""


class FloatPlaces:
    """Chooses places for floats in launches of a kernel: there some pair of effects is seen."""

    def __init__(self, launches: Launches, graph: Graph):
        self.graph = graph
        self.samples = Samples(launches, graph, _without_floats(launches), AMONG)
        self.samples.other_floats = 0

    def chosen(self, pairs: Sequence[Pair], fine: Sequence[int], order: Sequence[int]) -> Rows:
        """Return launches with a lane each where something is stored; none, if there are none."""
        samples, rng = self.samples, self.samples.rng
        rows = samples.some(AMONG)
        some = rng.random(AMONG) < 0.7
        for key in rows:
            if key[0] == TURNS:
                rows[key] = np.where(some, 0, rows[key])
            elif key[0] == LANES:
                # The first ones: most sizes leave the others out.
                rows[key] = np.where(some, rng.random(AMONG) ** 4, rows[key])
        values = self.values(rows, order)
        stores = [pair for pair in pairs if pair.original.place is not None]
        fits = np.zeros(AMONG, np.bool_)
        for pair in stores or pairs:
            fits = fits | pair.is_made(values)
        chosen = np.flatnonzero(fits & all_of([values[n] for n in fine]))
        rows = {key: v[chosen] for key, v in rows.items()}
        fits = self.fits_elsewhere(rows, fine)
        # The plainest, more or less.
        size = samples.size(rows) + 24.0 * rng.random(chosen.size)
        chosen = np.argsort(np.where(fits, size, np.inf))[: min(PLACES, np.count_nonzero(fits))]
        return {key: v[chosen] for key, v in rows.items()}

    def fits_elsewhere(self, rows: Rows, fine: Sequence[int]) -> Any:
        """Return whether what has to hold does so in the first and in the last lane too."""
        count = len(rows["base",])
        fits = np.ones(count, np.bool_)
        for part in (0.0, LAST):
            moved = {k: np.full(count, part) if k[0] == LANES else v for k, v in rows.items()}
            values = self.values(moved, fine)
            fits &= all_of([values[n] for n in fine])
        return fits

    def values(self, rows: Rows, wanted: Sequence[int], known: dict[int, Any] | None = None) -> Any:
        """Return the values of nodes where floats in memory are zeros."""
        found = self.samples.leaves(rows) | (known or {})
        with np.errstate(all="ignore"):
            for number in self.graph.needed(wanted):
                node = self.graph.nodes[number]
                if number not in found and node.compute is not None:
                    found[number] = node.compute(*(found[o] for o in node.of))
        return found

    def others(self, rows: Rows, order: Sequence[int]) -> dict[int, Any]:
        """Return what the other lanes of sums add, by the nodes that stand for it."""
        found: dict[int, Any] = {}
        count = len(rows["base",])
        for number in order:
            key: Any = self.graph.nodes[number].key
            if name_of(key) != "rest" or key[3] > MOST_LANES:
                continue
            _, here, lane, size, axis, kind, combine = key
            if (LANES, axis) not in self.graph.leaves:
                continue
            every = {k: np.repeat(v, size) for k, v in rows.items()}
            every[LANES, axis] = np.tile((np.arange(size) + 0.5) / size, count)
            known = {k: np.repeat(v, size) for k, v in found.items()}
            values = self.values(every, [here], known)[here]
            values = np.broadcast_to(values, count * size).reshape(count, size)
            mine = np.broadcast_to(self.values(rows, [lane])[lane], count)[:, np.newaxis]
            lanes = np.arange(size)[np.newaxis]
            off = (lanes == 0) | (lanes == mine) | ((kind == "tt.scan") & (lanes > mine))
            found[number] = _together(values, off, combine)
        return found


def _together(values: Any, off: Any, combine: str) -> Any:
    """Return what the lanes that are not off make in each row."""
    if combine in ("arith.addf", "arith.addi"):
        return np.where(off, values.dtype.type(0), values).sum(axis=1, dtype=values.dtype)
    largest = "max" in combine
    limits: Any = np.finfo(values.dtype) if values.dtype.kind == "f" else np.iinfo(values.dtype)
    none = limits.min if largest else limits.max
    masked = np.where(off, values.dtype.type(none), values)
    return masked.max(axis=1) if largest else masked.min(axis=1)


def _without_floats(launches: Launches) -> list[Draw]:
    """Return launches whose memory holds no float but zero."""
    found: list[Draw] = []
    for draw in bases(launches)[:MEMORIES]:
        values = list(draw.values)
        for k, parameter in enumerate(launches.known):
            of, held = parameter.stored, values[k]
            if isinstance(held, Endless) and of is not None and of.is_float:
                values[k] = replace(held, contents=replace(held.contents, only=(0.0,), near=()))
        found.append(replace(draw, values=tuple(values)))
    return found
