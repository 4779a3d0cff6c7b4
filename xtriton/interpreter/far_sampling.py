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

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.draws import Draw, Launches
from xtriton.interpreter.far_samples import FarSamples
from xtriton.interpreter.graphs import Graph
from xtriton.interpreter.kernel_facts import lock_arguments
from xtriton.interpreter.lanes import Effect, Lanes
from xtriton.interpreter.sampling import AT_ONCE, ROUNDS, Origin, Sampling, pairs_of

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
        self.choose([p for p in pairs_of(mine, theirs) if _is_seen(p.original)])


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
