"""
What reading, checking and printing ask of Python.

Text, attributes and regions nest, so there must be room for deep recursion; and millions of
small objects are made of which none is dropped, so the garbage collector is held still.
"""

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager

_FRAMES = 20_000
"""Python frames that reading, checking or printing may take: some thousand regions."""


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
    """Hold the garbage collector still."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
