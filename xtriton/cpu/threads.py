"""
Running the programs of a launch: on the calling thread, or on all cores where that pays.

What a program takes is measured as a kernel runs. A launch that would be over before another
thread has begun stays on the calling thread. One that takes long runs on other threads alone,
while the main thread waits in Python, where Ctrl-C reaches it.
"""

import ctypes
import os
import struct
import threading
import time
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from xtriton.cpu.emitter.function import JOB_BYTES, JOB_FIELDS

CHUNKS_PER_THREAD = 8
"""A job is handed out in so many chunks per thread, so that all end at about the same time."""
WORTH_A_THREAD = 30_000
"""Nanoseconds below which a launch stays on the calling thread: what waking another takes."""
LONG = 100_000_000
"""Nanoseconds above which a launch can be interrupted, and that a chunk stays well below."""
LAUNCHES_PER_PROBE = 64
"""After so many launches on several threads a program is timed alone again."""

_FIELDS_FORMAT = "<" + "".join("q" if type == "i64" else "i" for _, type in JOB_FIELDS)
JOB_FORMAT = f"{_FIELDS_FORMAT}{JOB_BYTES - struct.calcsize(_FIELDS_FORMAT)}x"
_OFFSETS = {
    name: struct.calcsize(_FIELDS_FORMAT[: 1 + place]) for place, (name, _) in enumerate(JOB_FIELDS)
}
_WHOLE, _STATUS = struct.Struct("<q"), struct.Struct("<i")

prototype = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)
"""The type of a launching function: job and slots, arena."""

_limit: ContextVar[int | None] = ContextVar("xtriton_threads", default=None)


@contextmanager
def limited_threads(count: int | None) -> Generator[None]:
    """Let launches inside use at most `count` threads; None for as many as there are cores."""
    token = _limit.set(count)
    try:
        yield
    finally:
        _limit.reset(token)


_watching: list[list[tuple[Any, bytes]]] = []


@contextmanager
def watched_launches() -> Generator[list[tuple[Any, bytes]]]:
    """Collect the code and the job, arguments included, of each launch inside."""
    seen: list[tuple[Any, bytes]] = []
    _watching.append(seen)
    try:
        yield seen
    finally:
        _watching.remove(seen)


@cache
def available_threads() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _executor(threads: int, process: int) -> ThreadPoolExecutor:
    # Threads do not survive a fork, so each process has an executor of its own.
    return ThreadPoolExecutor(threads, thread_name_prefix="xtriton")


class Runner:
    """Runs jobs of one kernel, and remembers how long its programs take."""

    __slots__ = ("arena_bytes", "launches", "nanoseconds")

    def __init__(self, arena_bytes: int):
        self.arena_bytes = arena_bytes
        self.nanoseconds = float("inf")
        """What one program takes, as last measured."""
        self.launches = 0

    def __call__(self, function: Any, block: bytes, total: int, threads: int | None = None) -> int:
        """
        Run all `total` programs of a job; return the number of a failed assertion, or 0.

        `block` is the job, none of which has been handed out, and the slots of the arguments.
        """
        if _watching:
            # The bytes are counted in later on.
            _watching[-1].append((function, bytes(bytearray(block))))
        if total * self.nanoseconds < WORTH_A_THREAD or total == 1:
            # Nobody else has seen these bytes, so that the code may count in them.
            start = time.perf_counter_ns()
            function(block, _arena(self.arena_bytes))
            self.nanoseconds = (time.perf_counter_ns() - start) / total
            return _STATUS.unpack_from(block, _OFFSETS["status"])[0]
        return self._on_many(function, block, total, threads)

    def _on_many(self, function: Any, block: bytes, total: int, threads: int | None) -> int:
        job = ctypes.create_string_buffer(block, len(block))
        if self.launches % LAUNCHES_PER_PROBE == 0 or self.nanoseconds == float("inf"):
            self._probe(function, job)
        self.launches += 1
        threads = min(threads or _limit.get() or available_threads(), total)
        expected = total * self.nanoseconds
        _WHOLE.pack_into(job, _OFFSETS["total"], total)
        if expected < WORTH_A_THREAD:
            threads = 1
        alone = threading.current_thread() is threading.main_thread()
        interruptible = alone and expected / threads > LONG
        chunk = max(1, total // (threads * CHUNKS_PER_THREAD)) if threads > 1 else total
        if interruptible:
            chunk = min(chunk, max(1, int(LONG / 4 / self.nanoseconds)))
        _WHOLE.pack_into(job, _OFFSETS["chunk"], chunk)
        start = time.perf_counter_ns()
        self._share(function, job, total, threads, interruptible)
        spent = (time.perf_counter_ns() - start) * threads / total
        self.nanoseconds = min(self.nanoseconds, spent) if threads > 1 else spent
        return _STATUS.unpack_from(job, _OFFSETS["status"])[0]

    def _probe(self, function: Any, job: Any) -> None:
        """Run the first program alone, for the time it takes."""
        _WHOLE.pack_into(job, _OFFSETS["total"], 1)
        _WHOLE.pack_into(job, _OFFSETS["chunk"], 1)
        start = time.perf_counter_ns()
        function(job, _arena(self.arena_bytes))
        self.nanoseconds = time.perf_counter_ns() - start
        _WHOLE.pack_into(job, _OFFSETS["next"], 1)

    def _share(
        self, function: Any, job: Any, total: int, threads: int, interruptible: bool
    ) -> None:
        def work() -> None:
            function(job, _arena(self.arena_bytes))

        others = threads if interruptible else threads - 1
        executor = _executor(max(threads, available_threads()), os.getpid()) if others else None
        helpers: list[Future[None]] = [executor.submit(work) for _ in range(others) if executor]
        try:
            if not interruptible:
                work()
            for helper in helpers:
                # All programs are taken by now: a helper that has not begun need not.
                if interruptible or not helper.cancel():
                    helper.result()
        except BaseException:
            # What has begun still uses the job and the user's memory.
            _WHOLE.pack_into(job, _OFFSETS["next"], total)
            for helper in helpers:
                if not helper.cancel():
                    helper.result()
            raise


_arenas = threading.local()


def _arena(size: int) -> int | None:
    """Return memory for the large buffers of this thread, aligned to 64 bytes."""
    if size == 0:
        return None
    # The largest arena so far is kept: fresh memory costs a page fault every 4096 bytes.
    memory: ctypes.Array[ctypes.c_char] | None = getattr(_arenas, "memory", None)
    if memory is None or len(memory) < size + 64:
        memory = _arenas.memory = ctypes.create_string_buffer(size + 64)
    address = ctypes.addressof(memory)
    return address + -address % 64
