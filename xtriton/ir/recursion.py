"""Room for deep recursion: text, attributes and regions nest."""

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
