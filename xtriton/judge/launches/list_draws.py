"""
Launches of kernels that go through lists of blocks: how many there are, and which, is in memory.

Most numbers there make offsets overflow: all launches have lists with few and small entries. They
differ in floats, which other draws vary alone, and their programs are not the first ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from xtriton.interpreter.arguments import Endless
from xtriton.interpreter.contents import Contents
from xtriton.interpreter.types import info
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.launches.kernel_facts import axes_used

LISTS = ((2, False), (2, True), (1, False), (1, True))
"""How often a loop is said to run; whether entries of lists are their own places there, or 0."""

ENTRIES = 8
"""Of a list that are not zero."""

SCALES = (1.0, 6.0, 0.125)
"""Of floats in memory, in turn."""

BANDED = (2.5, 2.75, 3.0, 2.25, 1.5, 3.5, 0.5)
"""Of floats in every second block, while the others hold zeros: what comes first may count less."""

SEEDS = 2
"""Launches with other floats of one scale there."""

NUMBERS = 127
"""Floats in memory that differ."""

MOST_LISTS = 3
"""Numbers in memory that say how often a loop runs, in launches of their own."""

_AXES = ((1, 3, 5, 7, 2, 9), (1, 2, 3, 4, 5, 6), (1, 0, 1, 2, 1, 0))
"""Places of programs along each axis of the grid: numbers of columns there need more bits."""


def list_draws(launches: Launches, thorough: bool = True) -> Iterator[Draw]:
    """Yield launches with short lists, with floats of one kind or of several."""
    plain, uses = launches.plain(), launches.uses
    # What a loop carries counts as one: where an address is among it, floats seem to steer, too.
    steering = [
        k for k in sorted(uses.indices | uses.counts)
        if isinstance(plain.values[k], Endless) and not _holds_floats(launches, k)
    ]  # fmt: skip
    counts = [k for k in steering if k in uses.counts]
    if not counts:
        return
    block = _block(launches)
    plans = [(scale, 0, 0, LISTS) for scale in SCALES]
    plans = plans if thorough else plans[:1]
    banded = BANDED if thorough else ()
    plans += [(scale, block, n, LISTS[:1]) for scale in banded for n in range(SEEDS)]
    for scale, band, seed, lists in plans:
        base = _far(launches, _with_floats(launches, plain, scale, band, seed))
        for count, (turns, listed) in product(counts[:MOST_LISTS], lists):
            values = list(base.values)
            for k in steering:
                values[k] = Endless(_held(k, count, turns, listed))
            name = f"{launches.known[count].name} is {turns}, far out"
            yield replace(base, name=name, values=tuple(values))


def _held(k: int, count: int, turns: int, listed: bool) -> Contents:
    """Return what an argument's memory holds: how many turns, and nothing or a list elsewhere."""
    if k == count:
        return Contents(only=(float(turns),))
    places = tuple((n, n) for n in range(1, ENTRIES)) if listed else ()
    return Contents(only=(0.0,), placed=places)


def _block(launches: Launches) -> int:
    """Return how many elements the largest load reads at once, a power of two."""
    sizes = [
        info(op.results[0].type).size
        for op in launches.function.walk() if op.name in ("tt.load", "tts.load")
    ]  # fmt: skip
    return 1 << (max(sizes, default=1) - 1).bit_length()


def _with_floats(launches: Launches, base: Draw, scale: float, band: int, seed: int) -> Draw:
    """Return a launch whose memory holds floats of either sign, with few bits."""
    values: list[Any] = list(base.values)
    numbers = np.random.default_rng(seed).standard_normal(NUMBERS)
    some = tuple((np.round(numbers * 64) / 64 * scale).tolist())
    for k in range(len(launches.known)):
        if isinstance(values[k], Endless) and _holds_floats(launches, k):
            values[k] = Endless(Contents(seed=seed, only=some, band=band))
    return replace(base, values=tuple(values))


def _holds_floats(launches: Launches, k: int) -> bool:
    of = launches.known[k].stored
    return of is not None and of.is_float


def _far(launches: Launches, base: Draw) -> Draw:
    """Return a launch of programs that are not the first ones along any axis."""
    used = axes_used(launches.function)
    places = [_AXES[d] if d in used else (0,) for d in range(3)]
    x, y, z = (max(p) + 1 for p in places)
    # No two in the same row along an axis: what they write might meet.
    together = zip(*(p if len(p) > 1 else p * len(_AXES[0]) for p in places), strict=True)
    chosen = sorted({a + x * (b + y * c) for a, b, c in together})
    return replace(base, grid=(x, y, z), programs=tuple(chosen), apart=True)
