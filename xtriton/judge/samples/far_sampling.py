# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
Launches far out that tell two kernels apart by the places that they access, see `sampling`.

Sizes are near the limits of their types there. Only places, masks and assertions are looked at,
which are quickly computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.launches.kernel_facts import lock_arguments
from xtriton.judge.samples.far_samples import FarSamples
from xtriton.judge.samples.graphs import LANES, TURNS, Graph, all_of
from xtriton.judge.samples.lanes import Effect, Lanes
from xtriton.judge.samples.samples import Rows
from xtriton.judge.samples.sampling import AT_ONCE, EACH, ROUNDS, Origin, Sampling, pairs_of

THOROUGH = 4
"""How many times as many are computed at once for a thorough check."""

FEW_ROUNDS = 4
"""For any other."""


class FarLanes(Lanes):
    """A kernel of which sizes may need all bits but one: that of a size and a place fits yet."""

    most_number = np.int64((1 << 62) + (1 << 40))


class FarSampling(Sampling):
    """Seeks launches with large sizes."""

    def __init__(self, launches: Launches, origin: Origin, rewritten: Lanes, turns: int = 1):
        super().__init__(launches, origin, rewritten)
        self.count = AT_ONCE * (THOROUGH if turns > 1 else 1)
        self.rounds = ROUNDS if turns > 1 else FEW_ROUNDS
        self.samples = FarSamples(launches, self.graph, origin.bases, self.count)
        mine, theirs = (list(map(placed, x.effects)) for x in (self.origin, rewritten))
        self.late: list[Draw] = []
        """Launches in which the rewritten kernel reads what the original reads elsewhere."""
        self.choose([p for p in pairs_of(mine, theirs) if _is_seen(p.original)])

    def draws(self) -> Iterator[Draw]:
        """Yield launches that differ in something, as far as one lane tells."""
        yield from super().draws()
        yield from self.late

    def telling(self, rows: Rows, fine: Any, counts: Any) -> Iterator[Draw]:
        """Yield the plainest launches that tell something; keep those that may not for later."""
        if not (fine & counts.any(axis=0)).any():
            return
        again = self.read_first(rows)
        yield from super().telling(rows, fine, counts & ~again)
        if not self.late:
            before = self.left.copy(), self.launches_left
            self.late = list(islice(super().telling(rows, fine, counts & again), EACH))
            self.left, self.launches_left = before

    def read_first(self, rows: Rows) -> Any:
        """Return where pairs of loads read what the original reads in the first lane and turn."""
        found = np.zeros((len(self.pairs), self.count), np.bool_)
        reads = [(e.place, (*e.mask, *e.path)) for e in self.reads() if e.place is not None]
        first = rows | {k: np.zeros_like(v) for k, v in rows.items() if k[0] in (LANES, TURNS)}
        there = self.samples.values(first, {n for place, on in reads for n in (place, *on)})
        for k, pair in enumerate(self.pairs):
            place = pair.rewritten.place
            if pair.original.kind[0] != "load" or place is None:
                continue
            here = self.samples.values(rows, [place])[place]
            for other, on in reads:
                found[k] |= all_of([there[n] for n in on]) & (there[other] == here)
        return found


def _is_seen(effect: Effect) -> bool:
    return effect.place is not None or effect.kind[0] == "assert"


def placed(effect: Effect) -> Effect:
    """Return an access without the values that it stores."""
    return effect if effect.place is None else replace(effect, values=())


def far_sampled(
    launches: Launches, origin: Origin, rewritten: Operation, turns: int = 1
) -> Iterator[Draw]:
    """Yield launches with large sizes in which accesses or assertions differ."""
    if lock_arguments(launches.function):
        return
    with suppress(RecursionError):
        other = Lanes(Graph(origin.lanes.graph), rewritten)
        yield from FarSampling(launches, origin, other, turns).draws()
