"""
What reading, checking and printing ask of Python.

Text, attributes and regions nest, so there must be room for deep recursion; and millions of
small objects are made of which few are dropped, so the garbage collector is held still.
"""

import gc
import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

_FRAMES = 20_000
"""Python frames that reading, checking or printing may take: some thousand regions."""
_MANY = 500_000
"""Objects that are made before garbage among those that count as old is looked for."""
_REST = 10
"""How many times as long as that took there is none at least, as there may be many others."""
_GROWN = 1.25, 1 << 28
"""How many times and how many bytes more memory than then has one look for it sooner."""
_MEMORY = "/proc/self/statm"
"""Tells how many pages there are, and how many of them are in use; with Linux."""


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
        _old.take_new()
        gc.enable()


@dataclass
class _Old:
    """What has come to count as old since garbage among all was last looked for."""

    made: int = 0
    not_before: float = 0.0
    """When to look for it again, as `time.perf_counter` tells, if not for the memory in use."""
    most_bytes: float | None = None
    """How much may be in use until then."""

    def take_new(self) -> None:
        """Let what is young be old."""
        bytes = _bytes_in_use()
        # What others have frozen would be let go of.
        if bytes is None or gc.get_freeze_count():
            return
        self.made += gc.get_count()[0]
        gc.freeze()
        gc.unfreeze()
        start = time.perf_counter()
        if self.most_bytes is None:
            self.most_bytes = _grown(bytes)
        if bytes > self.most_bytes or (self.made > _MANY and start > self.not_before):
            gc.collect()
            end = time.perf_counter()
            self.made, self.not_before = 0, end + _REST * (end - start)
            self.most_bytes = _grown(_bytes_in_use() or bytes)


_old = _Old()


def _grown(bytes: int) -> float:
    times, more = _GROWN
    return max(bytes * times, bytes + more)


def _bytes_in_use() -> int | None:
    """Return how much memory the process uses; None where the system does not tell."""
    try:
        with open(_MEMORY) as file:
            pages = int(file.read().split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
