"""What work grows by: calls of functions, which are the same on each machine and in each run."""

import cProfile
import pstats
from collections.abc import Callable
from typing import Any


def calls_in(work: Callable[[], object]) -> int:
    """Return how many functions are called while `work` runs, those written in C included."""
    profile = cProfile.Profile()
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
    totals: Any = pstats.Stats(profile)
    return totals.total_calls
