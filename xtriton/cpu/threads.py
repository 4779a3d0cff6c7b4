"""
Running the programs of a launch: on the calling thread, or on all cores where that pays.

A launch that would be over before another thread has begun stays on the calling thread. Machine
code says itself if it took longer; then what a program takes is measured, and machine code decides
by that for a while (`Limits`). It looks for signals from time to time, whatever was measured
before, so that Ctrl-C reaches a launch that takes long.
"""

import ctypes
import os
import struct
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from math import ceil
from typing import Any

from xtriton.cpu.arenas import arena
from xtriton.cpu.job import JOB_BYTES, JOB_FIELDS, job_offsets
from xtriton.cpu.team import lent_threads, team

WORTH_A_HELPER = 1_000
"""Nanoseconds of work for each thread that are worth handing to one that is awake."""
WORTH_WAKING = 50_000
"""Nanoseconds below which a launch wakes nobody by itself: twice what that takes."""
WORTH_TIMING = 10_000
"""Nanoseconds beside which it does not matter what calling the code takes."""
MOST_TOGETHER = 1024
"""Programs of a launch that all run at the same time, each on a thread of its own."""
SURELY_LONG = 20_000_000
"""Nanoseconds that programs take themselves: others get a core for less than that at a time."""
RUNS = 3
"""Runs of programs that are shorter, of which the least counts."""
LAUNCHES_PER_PROBE = 256
"""Of so many launches on several threads one times its first programs alone again."""

_BEGIN_AT_ZERO = ("next", "failed", "status", "back", "alone")
_LETTERS = {"i64": "q", "i32": "i"}
_FIELDS_FORMAT = "<" + "".join(
    f"{int(type[1:]) // 8}x" if name in _BEGIN_AT_ZERO else _LETTERS[type]
    for name, type in JOB_FIELDS
)
JOB_FORMAT = f"{_FIELDS_FORMAT}{JOB_BYTES - struct.calcsize(_FIELDS_FORMAT)}x"
"""A new job: total, chunk, the grid, overlap."""
_OFFSETS = job_offsets()
_WHOLE, _STATUS = struct.Struct("<q"), struct.Struct("<i")

prototype = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
"""The type of a launching function: job and slots, arena; see `emitter.job`."""

Failure = tuple[int, int]
"""The number of an assertion or a check that failed, and of the program of the grid."""

thread_limit: ContextVar[int | None] = ContextVar("xtriton_threads", default=None)
"""On how many threads a launch may run that asks for no number; None for `threads_of_launch`."""


@contextmanager
def limited_threads(count: int | None) -> Generator[None]:
    """Let launches inside use at most `count` threads; None for those that PyTorch has, or all."""
    token = thread_limit.set(count)
    try:
        yield
    finally:
        thread_limit.reset(token)


watching: list[list[tuple[Any, bytes]]] = []
"""What collects launches, inside `watched_launches`; others may only look if anything does."""


@contextmanager
def watched_launches() -> Generator[list[tuple[Any, bytes]]]:
    """Collect the code and the job, arguments included, of each launch inside."""
    seen: list[tuple[Any, bytes]] = []
    watching.append(seen)
    try:
        yield seen
    finally:
        watching.remove(seen)


@cache
def available_threads() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads_of_launch(threads: int | None = None) -> int:
    """
    Return how many threads a launch may have that asks for so many, or for none.

    It has all cores then, or as many as PyTorch's ops have, whose threads are lent to it.
    """
    cores = available_threads()
    return threads or thread_limit.get() or min(lent_threads() or cores, cores)


class Limits(ctypes.Structure):
    """
    What machine code decides by where a launch runs.

    One is handed to no more threads than have `per_thread` programs each; of at most `most_asleep`
    it is not worth waking others for by itself; and `trusted` launches go by this.
    """

    _fields_ = (
        ("per_thread", ctypes.c_int64),
        ("most_asleep", ctypes.c_int64),
        ("trusted", ctypes.c_int64),
    )


class Runner:
    """Runs jobs of one kernel, and remembers how long its programs take."""

    __slots__ = ("arena_bytes", "limits", "nanoseconds")

    def __init__(self, arena_bytes: int):
        self.arena_bytes = arena_bytes
        self.nanoseconds = float("inf")
        """What one program takes, as last measured; infinite where that is to be measured."""
        self.limits = Limits()
        self._measured(self.nanoseconds)

    @property
    def most_alone(self) -> int:
        """A launch of at most so many programs stays on the calling thread."""
        return 2 * self.limits.per_thread - 1

    @property
    def limits_at(self) -> int:
        """Where machine code finds the `Limits`, as long as this object lives."""
        return ctypes.addressof(self.limits)

    def _measured(self, nanoseconds: float) -> None:
        self.nanoseconds = nanoseconds
        each = max(nanoseconds, 0.01)
        self.limits.per_thread = max(1, ceil(WORTH_A_HELPER / each))
        self.limits.most_asleep = max(1, int(WORTH_WAKING / each))

    def __call__(
        self, function: Any, block: bytes, total: int, threads: int | None = None
    ) -> Failure | None:
        """
        Run all `total` programs of a job; return what failed, if anything did.

        `block` is the job, none of which has been handed out, and the slots of the arguments.
        """
        if watching:
            # The bytes are counted in later on.
            watching[-1].append((function, bytes(bytearray(block))))
        if total <= self.most_alone or threads_of_launch(threads) == 1:
            # Nobody else has seen these bytes, so that the code may count in them.
            if not function(block, arena(self.arena_bytes)):
                return None
            return self.go_on(function, block, total, threads)
        job = ctypes.create_string_buffer(block, len(block))
        if self.limits.trusted > 0 and self.nanoseconds < float("inf"):
            self.limits.trusted -= 1
            return self._on_many(function, job, 0, total, threads)
        done = self._probe(function, job, total)
        self.limits.trusted = LAUNCHES_PER_PROBE - 1
        return self._rest(function, job, done, total, threads)

    def least(self, function: Any, block: bytes, total: int) -> float:
        """
        Return the nanoseconds that a program takes on this thread alone, the least of some runs.

        The job has to be one that may run again.
        """
        least = float("inf")
        for _ in range(RUNS):
            self._probe(function, ctypes.create_string_buffer(block, len(block)), total)
            least = min(least, self.nanoseconds)
            if least >= SURELY_LONG:
                break
        self._measured(least)
        return least

    def together(self, function: Any, block: bytes, total: int) -> Failure | None:
        """Run all programs at the same time, as they may wait for each other: a thread for each."""
        job = ctypes.create_string_buffer(block, len(block))
        _WHOLE.pack_into(job, _OFFSETS["chunk"], 1)
        with ThreadPoolExecutor(total, thread_name_prefix="xtriton") as executor:
            calls = [executor.submit(self._until, function, job, total) for _ in range(total)]
        for call in calls:
            call.result()
        return _failure(job)

    def go_on(
        self, function: Any, block: bytes, total: int, threads: int | None = None
    ) -> Failure | None:
        """Do what is left of a job behind a call of `function` that returned anything but 0."""
        if threads_of_launch(threads) > 1:
            self._measured(float("inf"))
            self.limits.trusted = 0
        done = _WHOLE.unpack_from(block, _OFFSETS["next"])[0]
        if done >= total:
            return _failure(block)
        job = ctypes.create_string_buffer(block, len(block))
        return self._rest(function, job, done, total, threads)

    def _rest(
        self, function: Any, job: Any, done: int, total: int, threads: int | None
    ) -> Failure | None:
        if done < total:
            return self._on_many(function, job, done, total, threads)
        return _failure(job)

    def _probe(self, function: Any, job: Any, total: int) -> int:
        """
        Run the first programs alone, as many as can be timed; return how many.

        What takes long is timed twice, as it may be that others had the core meanwhile; of what is
        short a call without programs is taken off, or most of it if that took as long.
        """
        done, count, doubtful, calling = 0, 1, True, 0
        self.nanoseconds = float("inf")
        while True:
            before = done
            done, spent = self._timed(function, job, done, min(done + count, total))
            if not calling and spent < WORTH_TIMING:
                calling = min(self._timed(function, job, done, done)[1] for _ in range(2))
            spent -= min(calling, spent * 3 // 4)
            self._measured(min(self.nanoseconds, spent / max(done - before, 1)))
            enough = spent >= (WORTH_TIMING if not doubtful else SURELY_LONG)
            if enough or done == total:
                return done
            if spent >= WORTH_TIMING:
                doubtful = False
            else:
                count *= 4

    def _timed(self, function: Any, job: Any, first: int, end: int) -> tuple[int, int]:
        """Run programs alone; return the number of the next one, and the nanoseconds."""
        _WHOLE.pack_into(job, _OFFSETS["next"], first)
        _WHOLE.pack_into(job, _OFFSETS["total"], end)
        start = time.perf_counter_ns()
        function(job, arena(self.arena_bytes))
        spent = time.perf_counter_ns() - start
        done = min(_WHOLE.unpack_from(job, _OFFSETS["next"])[0], end)
        _WHOLE.pack_into(job, _OFFSETS["next"], done)
        return done, spent

    def _on_many(
        self, function: Any, job: Any, done: int, total: int, threads: int | None
    ) -> Failure | None:
        """Run the programs from `done` on, on as many threads as that is worth."""
        left = total - done
        threads = max(1, min(threads_of_launch(threads), left // self.limits.per_thread))
        if done:
            _WHOLE.pack_into(job, _OFFSETS["total"], total)
        start = time.perf_counter_ns()
        failed = self._share(function, job, total, threads)
        spent = (time.perf_counter_ns() - start) * threads / left
        self._measured(min(self.nanoseconds, spent))
        return failed

    def _until(self, function: Any, job: Any, total: int) -> None:
        """Run programs on this thread until none is left."""
        while function(job, arena(self.arena_bytes)):
            if _WHOLE.unpack_from(job, _OFFSETS["next"])[0] >= total:
                break

    def _share(self, function: Any, job: Any, total: int, threads: int) -> Failure | None:
        """Run what is left of a job; return what failed."""
        if threads > 1:
            own, helpers = arena(self.arena_bytes), team()
            helpers.ready(threads, self.arena_bytes)
            is_short = total <= self.limits.most_asleep
            if helpers.run(function, job, threads, self.arena_bytes, own, is_short=is_short):
                return _failure(job)
        self._until(function, job, total)
        return _failure(job)


def _failure(job: Any) -> Failure | None:
    status = _STATUS.unpack_from(job, _OFFSETS["status"])[0]
    return (status, _WHOLE.unpack_from(job, _OFFSETS["failed"])[0]) if status else None
