"""The functions by which launches with atomic ops enter and leave, for tests; see `exclusion`."""

import ctypes
import struct
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from xtriton.cpu import claims, exclusion
from xtriton.cpu.job import JOB_BYTES
from xtriton.cpu.threads import JOB_FORMAT


class Door:
    """The functions of `exclusion`."""

    def __init__(self) -> None:
        places = claims.symbols()
        number = ctypes.c_int
        enter = ctypes.CFUNCTYPE(number, ctypes.c_char_p, number)(places[exclusion.ENTER])
        leave = ctypes.CFUNCTYPE(None, number)(places[exclusion.LEAVE])
        self._enter: Any = enter
        self.leave: Any = leave

    def enter(self, *, asks: bool = True, total: int = 6, chunk: int = 6) -> int:
        """Enter with a job of a grid of 6 programs."""
        job = struct.pack(JOB_FORMAT, total, chunk, 1, 2, 3, 0)
        assert len(job) == JOB_BYTES
        return self._enter(job, int(asks))


@contextmanager
def another_launch() -> Generator[None]:
    """Have another launch with atomic ops inside, so that nobody is alone."""
    door = Door()
    assert door.enter(asks=False) == 0
    try:
        yield
    finally:
        door.leave(0)
