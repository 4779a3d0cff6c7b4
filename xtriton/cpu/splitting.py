"""
Launches that leave threads idle: their few programs in bands, a thread for each, if that pays.

What stores a part of what a program stores is code of its own, with a grid of `bands` times as
many programs along x. It is made for a kernel of which a number of such launches has taken long,
and used where arguments share no memory that is written. What such a launch reads it does not
write, so that it may run again: thus it is found out what a program and a band take.
"""

import ctypes
import struct
from collections.abc import Callable
from typing import Any

from xtriton.cpu.job import job_offsets
from xtriton.cpu.threads import (
    LAUNCHES_PER_PROBE,
    WORTH_WAKING,
    Failure,
    Runner,
    threads_of_launch,
)

LAUNCHES_BEFORE = 16
"""So many launches that take long and leave threads idle are worth compiling for."""
MOST_BANDS = 16
PAYS = 0.75
"""What a band may take of what its program takes."""
TURNS = 3
"""So often both are timed."""

_TOTAL, _CHUNK, _SIZE = (job_offsets()[name] for name in ("total", "chunk", "size0"))
_WIDE, _NARROW = struct.Struct("<q"), struct.Struct("<i")

Compile = Callable[[int], tuple[Any, int] | None]
"""
Returns the launching function of a kernel in so many bands and the bytes of its arena; None where
the kernel cannot be split.
"""


class Split(ctypes.Structure):
    """
    What machine code knows of a kernel in bands.

    `bands` is 0 as long as that is undecided, 1 where there will be none. `code` and `limits` are
    addresses, of the launching function and of its `Limits`.
    """

    _fields_ = (
        ("bands", ctypes.c_int64),
        ("code", ctypes.c_int64),
        ("arena_bytes", ctypes.c_int64),
        ("limits", ctypes.c_int64),
    )


class Bands:
    """Runs jobs of one kernel, of whole programs or bands, and decides when they are of bands."""

    def __init__(self, runner: Runner, compile: Compile | None):
        self.runner = runner
        """Runs whole programs."""
        self.compile = compile
        self.function: Any = None
        self.own = Runner(0)
        """Runs bands."""
        self.launches = 0
        self.split = Split(0 if compile else 1, 0, 0, self.own.limits_at)

    @property
    def split_at(self) -> int:
        """Where machine code finds the `Split`, as long as this object lives."""
        return ctypes.addressof(self.split)

    def whole(self, function: Any, block: bytes, programs: int) -> Failure | None:
        """
        Run a job that has not begun; return what failed, if anything did.

        `function` runs whole programs, of which there are so many. The job is of more where these
        are bands; then no memory that is written is shared.
        """
        total = _total(block)
        if total == programs:
            failed = self.runner(function, block, programs)
            if self.runner.nanoseconds < float("inf"):
                self._count(programs, LAUNCHES_PER_PROBE)
            return failed
        if self.function is None:
            self._decide(function, block, programs)
        if self.function is None:
            return self.runner(function, _of_programs(block, programs), programs)
        return self.own(self.function, block, total)

    def rest(self, function: Any, block: bytes, programs: int) -> Failure | None:
        """Do what is left of a job that machine code left; see `Runner.go_on`."""
        total = _total(block)
        if total != programs:
            return self.own.go_on(self.function, block, total)
        failed = self.runner.go_on(function, block, programs)
        self._count(programs, 1)
        return failed

    def _count(self, programs: int, launches: int) -> None:
        """Count launches of so many programs that took long; behind some the next one decides."""
        bands = _bands_for(programs)
        if self.split.bands == 0 and bands > 1:
            self.launches += launches
            if self.launches >= LAUNCHES_BEFORE:
                self.split.bands = bands

    def _decide(self, function: Any, block: bytes, programs: int) -> None:
        """Compile the kernel in bands, and keep that if it pays."""
        bands = _total(block) // programs
        # What fails below does so once; and nobody takes the code before all is known of it.
        self.split.bands = 1
        job = _of_programs(block, programs)
        whole = self.runner.least(function, job, programs)
        made = self.compile(bands) if self.compile and whole >= WORTH_WAKING else None
        if made is None:
            return
        banded, arena_bytes = made
        own, band = Runner(arena_bytes), float("inf")
        # The compiler has had the caches: both are timed behind it, in turns.
        for _ in range(TURNS):
            whole = min(whole, self.runner.least(function, job, programs))
            band = min(band, own.least(banded, block, _total(block)))
        if band <= PAYS * whole:
            self.function, self.own = banded, own
            self.split.code, self.split.arena_bytes = banded.address, arena_bytes
            self.split.limits, self.split.bands = own.limits_at, bands


def _bands_for(programs: int) -> int:
    """Return in how many bands programs keep all threads busy, or most of them: a power of 2."""
    each = min(threads_of_launch() // programs, MOST_BANDS)
    return 1 << max(each.bit_length() - 1, 0)


def _total(block: bytes) -> int:
    return _WIDE.unpack_from(block, _TOTAL)[0]


def _of_programs(block: bytes, programs: int) -> bytes:
    """Return a job of bands as one of whole programs."""
    job = bytearray(block)
    bands = _total(block) // programs
    for place in (_TOTAL, _CHUNK):
        _WIDE.pack_into(job, place, programs)
    _NARROW.pack_into(job, _SIZE, _NARROW.unpack_from(block, _SIZE)[0] // bands)
    return bytes(job)
