# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
What the memory of many launches holds: that of a few, some of which are made for floats.

Those have numbers of a magnitude of their own for each argument, or at the limits of their type.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from xtriton.interpreter.arguments import FIRST_REGION, Endless, Parameter, PerProgram
from xtriton.interpreter.memory import REGION_BITS, EndlessRegion, region_base
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.samples.graphs import all_of
from xtriton.semantics import Element

PLAIN = 4
"""Launches with the usual numbers in memory."""

INDICES = (0, 1, 4, 8, -1, 3)
"""What all data that feeds addresses is equal to, in launches."""

MAGNITUDES = ((-8, 12), (-149, 127), (61, 65), (-76, -61))
"""Exponents of floats in launches: plain ones, any, and those whose squares are at the limits."""

APART = 6
"""Launches in which each argument has floats of a magnitude of its own."""

NUMBERS = 509
"""That are in the memory of one argument there."""


class Memory:
    """What the memory of some launches holds: each is like one of a few."""

    def __init__(self, drawn: list[dict[int, EndlessRegion]], which: Any):
        self.rows = [(held, np.flatnonzero(which == n)) for n, held in enumerate(drawn)]
        self.shape = which.shape

    def load(self, place: Any, of: Element, otherwise: Any, masks: tuple[Any, ...]) -> Any:
        """Return what lies at addresses, and something else where a mask is off."""
        place = np.broadcast_to(place, self.shape)
        value = np.array(np.broadcast_to(otherwise, self.shape))
        on = np.broadcast_to(all_of(masks), self.shape)
        for held, rows in self.rows:
            chosen = rows[on[rows]]
            if not chosen.size:
                continue
            there = place[chosen]
            for number in _distinct(there >> np.int64(REGION_BITS)):
                here = chosen[there >> np.int64(REGION_BITS) == number]
                if number in held:
                    offset = place[here] - np.int64(region_base(number))
                    value[here] = held[number].initial(offset, of)
        return value


def _distinct(numbers: Any) -> list[int]:
    low, high = int(numbers.min()), int(numbers.max())
    return [low] if low == high else np.unique(numbers).tolist()


def held_by(draw: Draw, known: list[Parameter]) -> dict[int, EndlessRegion]:
    """Return the memory of a launch, by the numbers of regions."""
    found: dict[int, EndlessRegion] = {}
    for parameter, value in zip(known, draw.values, strict=False):
        of = parameter.stored
        if isinstance(value, Endless) and of is not None:
            number = FIRST_REGION + parameter.index
            found[number] = EndlessRegion(number, of, value.contents)
    return found


def bases(launches: Launches) -> list[Draw]:
    """Return launches whose memory, and whose other floats, the sampled ones have."""
    plain = launches.plain()
    found = [plain, *islice(launches.usual(), PLAIN - 1)]
    memory = launches.uses.indices - launches.uses.counts
    chosen = [k for k in sorted(memory) if isinstance(plain.values[k], Endless)]
    for index in INDICES if chosen else ():
        values = list(plain.values)
        for k in chosen:
            values[k] = Endless(replace(values[k].contents, only=(float(index),)))
        found.append(replace(plain, values=tuple(values)))
    found.append(_with_wide(launches, plain))
    if launches.calm:
        return found
    rng = np.random.default_rng(4)
    for low, high in MAGNITUDES:
        found.append(_with_floats(launches, plain, rng, [(low, high)] * len(plain.values)))
    for _ in range(APART):
        middle = rng.integers(-126, 127, len(plain.values))
        found.append(_with_floats(launches, plain, rng, [(m - 2, m + 2) for m in middle.tolist()]))
    return found


def _with_wide(launches: Launches, base: Draw) -> Draw:
    """Return a launch with integers of which the lower half of the bits are small numbers."""
    values = list(base.values)
    steering = launches.uses.indices | launches.uses.counts
    for k, parameter in enumerate(launches.known):
        of, held = parameter.stored, values[k]
        if isinstance(held, Endless) and of is not None and not of.is_float and k not in steering:
            tops = (0, 0, 1 << of.width // 2, -(1 << of.width // 2), 1 << max(of.width - 2, 0))
            some = tuple(float(top + n) for top in tops for n in range(-2, 9))
            if of.width > 8:
                values[k] = replace(held, contents=replace(held.contents, only=some, near=()))
    return replace(base, values=tuple(values))


def _with_floats(launches: Launches, base: Draw, rng: Any, within: list[tuple[int, int]]) -> Draw:
    """Return a launch with floats whose exponents lie within limits, for each argument."""
    values = list(base.values)
    for k, parameter in enumerate(launches.known):
        of = parameter.stored if parameter.is_memory else parameter.info.scalar
        if of is None or not of.is_float or k in launches.given or of.width > 64:
            continue
        most = {"f16": 15, "f64": 1023}.get(of.name, 127 if of.width > 8 else 6)
        low, high = (min(max(n, -most - 10), most) for n in within[k])
        exponents = rng.integers(low, high + 1, NUMBERS).astype(np.float64)
        numbers = (1 + rng.random(NUMBERS)) * np.exp2(exponents) * rng.choice((-1, 1), NUMBERS)
        numbers[:8] = (0.0, -0.0, 1.0, -1.0, 2.0**low, -(2.0**low), 2.0**high, 1.5)
        with np.errstate(over="ignore"):
            some = tuple(of.round(numbers).tolist())
        held = values[k]
        if isinstance(held, Endless):
            values[k] = replace(held, contents=replace(held.contents, only=some, near=()))
        elif not parameter.is_memory:
            values[k] = PerProgram(some[:31])
    return replace(base, values=tuple(values))
