"""
What reading, checking and printing ask of Python.

Text, attributes and regions nest, so there must be room for deep recursion; and millions of
small objects are made of which few are dropped, so the garbage collector is held still.
"""

import gc
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager

_FRAMES = 20_000
"""Python frames that reading, checking or printing may take: some thousand regions."""
_MANY = 250_000
"""Objects that are made before garbage among those that count as old is looked for."""
_REST = 10
"""How many times as long as that took there is none at least, as there may be many others."""


@contextmanager
def deep_recursion() -> Generator[None]:
    """Let functions call themselves `_FRAMES` deep; beyond that is a `RecursionError`."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@contextmanager
def without_garbage_collection() -> Generator[None]:
    """
    Hold the garbage collector still.

    It would look through all that was made as soon as it may go on. Most of that stays, so it
    counts as old instead, and is looked through with everything else, now and then.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        _let_new_be_old()
        gc.enable()


_made = 0
"""Objects that have been let be old since garbage was last looked for."""
_not_before = 0.0
"""When to look for it again, as `time.perf_counter` tells."""


def _let_new_be_old() -> None:
    global _made, _not_before
    # What others have frozen would be let go of.
    if gc.get_freeze_count():
        return
    _made += gc.get_count()[0]
    gc.freeze()
    gc.unfreeze()
    start = time.perf_counter()
    if _made > _MANY and start > _not_before:
        gc.collect()
        end = time.perf_counter()
        _made, _not_before = 0, end + _REST * (end - start)
