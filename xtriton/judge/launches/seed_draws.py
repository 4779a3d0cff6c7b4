"""
Launches for kernels that make random numbers of seeds in memory.

Where a random number is part of an address, so is the seed, and what feeds addresses is small
otherwise; and few launches have sizes that all random numbers are below, as assertions demand.
"""

from collections.abc import Iterator
from dataclasses import replace

from xtriton.judge.launches.bounded_draws import holding, roomy
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.launches.last_draws import further_on

SEEDS = (1 << 62, -(1 << 62) - (1 << 20), 1 << 31, (1 << 63) - (1 << 10), 1 << 32, -1)
"""In turn, two of them by default; floats can be any of them."""

_HASHES = ("tt.mulhiui", "arith.mului_extended")


def seed_draws(launches: Launches, turns: int = 1) -> Iterator[Draw]:
    """Yield launches in which data that feeds addresses is a seed, and sizes are large."""
    uses = launches.uses
    if not any(op.name in _HASHES for op in launches.function.walk()):
        return
    base = roomy(launches, further_on(launches, launches.plain()))
    chosen = sorted(uses.indices - uses.counts - launches.given.keys())
    for seed in SEEDS[: 2 * turns] if chosen else ():
        held = holding(launches, base, chosen, (seed,))
        if held.values != base.values:
            yield replace(held, name=f"a seed of {seed}")
