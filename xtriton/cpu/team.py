"""
Threads that help with launches, and are there at once for one that follows another.

A helper is a thread of Python that is in machine code for good, without the interpreter; see
`team_code`. So are launches that several threads share, from the first to the last program.
"""

import ctypes
import mmap
import os
import struct
import sys
import threading
from functools import cache
from typing import Any

from xtriton.cpu import jit
from xtriton.cpu.arenas import Pages
from xtriton.cpu.target import host
from xtriton.cpu.team_code import EXPORTED, text
from xtriton.cpu.team_code.places import (
    ALONE,
    BOX,
    BOX_BYTES,
    BUSY,
    HEADER,
    HEADER_BYTES,
    LEFT,
    LINE,
    MOST_FOR_SHORT,
    MOST_HELPERS,
)

_WORD = struct.Struct("=Q")


class _Code:
    """The functions of `team_code`."""

    def __init__(self) -> None:
        library = jit.load(text(host()), EXPORTED)
        # Helpers run this code even as the interpreter ends.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(library))
        self.addresses = library.addresses
        word, address = ctypes.c_int64, ctypes.c_void_p
        launch = (address, address, address, word, address, word, word, address)
        self.serve = self._function("serve", None, address, address)
        self.launch = self._function("launch", ctypes.c_int, *launch, word, ctypes.c_bool)
        self.again = self._function("again", ctypes.c_int, *launch)
        self.stop = self._function("stop", None, address, address, word, word)
        self.take = self._function("take", ctypes.c_bool, address)
        self.give = self._function("give", None, address)

    def _function(self, name: str, result: Any, *kinds: Any) -> Any:
        return ctypes.CFUNCTYPE(result, *kinds)(self.addresses[name])


@cache
def _code() -> _Code:
    return _Code()


def _lock_function(name: str, result: Any = ctypes.c_int, *kinds: Any) -> Any:
    """Return a function of Python's own locks, which need no interpreter."""
    function: Any = ctypes.pythonapi[f"PyThread_{name}_lock"]
    function.restype, function.argtypes = result, kinds
    return function


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _new_bell() -> int:
    """Return the address of a lock that is taken; it is there for good, as its helper is."""
    bell = _lock_function("allocate", ctypes.c_void_p)()
    if bell is None:
        raise MemoryError
    _lock_function("acquire", ctypes.c_int, ctypes.c_void_p, ctypes.c_int)(bell, 1)
    return bell


OPENMP = {
    **{"parallel": "GOMP_parallel", "most_threads": "omp_get_max_threads"},
    **{"thread_number": "omp_get_thread_num"},
}
"""Functions of the OpenMP runtime that PyTorch brings, by their words in the header of a team."""


def _openmp() -> dict[str, int]:
    """Return the addresses of these functions if PyTorch is there; none if any is missing."""
    return _openmp_of_torch() if "torch" in sys.modules else {}


@cache
def _openmp_of_torch() -> dict[str, int]:
    if not sys.platform.startswith("linux"):
        return {}
    # PyTorch loads it so that all libraries find it.
    everywhere = ctypes.CDLL(None)
    found = {word: _address(getattr(everywhere, name, None)) for word, name in OPENMP.items()}
    return found if all(found.values()) else {}


def lent_threads() -> int:
    """Return how many threads PyTorch lends to launches of this thread; 0 if it lends none."""
    ask = {} if _forked else _openmp()
    return ctypes.CFUNCTYPE(ctypes.c_int)(ask["most_threads"])() if ask else 0


class Team:
    """
    The helpers of a process. One launch has them at a time.

    Launches of a team that `borrows` run on the threads of PyTorch if it is there.
    """

    def __init__(self, borrows: bool = False) -> None:
        self._may_borrow = borrows
        self._memory = mmap.mmap(-1, HEADER_BYTES + MOST_HELPERS * BOX_BYTES)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._arenas: list[Pages] = []
        self._arena_bytes = 0
        words = dict(_code().addresses)
        for name, lock in (("sleep", "acquire"), ("wake", "release")):
            words[name] = _address(_lock_function(lock))
        words["yield"] = _address(getattr(ctypes.pythonapi, "sched_yield", None))
        for name in words.keys() & HEADER.keys():
            self._put(HEADER[name], words[name])

    def _put(self, offset: int, value: int) -> None:
        _WORD.pack_into(self._memory, offset, value)

    def ready(self, threads: int, arena_bytes: int) -> None:
        """
        Let there be helpers for so many threads, with arenas of so many bytes at least.

        Nothing happens while a launch has the team.
        """
        missing = min(threads - 1, MOST_HELPERS) - len(self._arenas)
        lent = _openmp() if self._may_borrow else {}
        suffice = missing <= 0 and arena_bytes <= self._arena_bytes and not lent
        if suffice or not _code().take(self.address):
            return
        try:
            self._borrow(lent)
            count = len(self._arenas) + max(missing, 0)
            self._give_arenas(count, max(arena_bytes, self._arena_bytes))
        finally:
            _code().give(self.address)

    def _borrow(self, functions: dict[str, int]) -> None:
        """Let launches run on the threads that these functions are of, if any."""
        for word, address in functions.items():
            self._put(HEADER[word], address)
        self._may_borrow = self._may_borrow and not functions

    def _give_arenas(self, count: int, size: int) -> None:
        """Let there be so many helpers, with arenas of such a size."""
        known = len(self._arenas)
        kept = known if size == self._arena_bytes else 0
        self._arenas[kept:] = [Pages(max(size, 1)) for _ in range(count - kept)]
        for number, arena in enumerate(self._arenas):
            box = HEADER_BYTES + number * BOX_BYTES
            self._put(box + BOX["arena"], arena.address)
            if number >= known:
                self._put(box + BOX["bell"], _new_bell())
                self._begin(self.address + box)
        self._arena_bytes = size
        self._put(HEADER["helpers"], count)
        self._put(HEADER["arena_bytes"], size)

    def _begin(self, box: int) -> None:
        """Begin a helper, which lives as long as the process, and keeps what is here."""

        def serve() -> None:
            _code().serve(self.address, box)

        threading.Thread(target=serve, name="xtriton", daemon=True).start()

    def run(
        self,
        function: Any,
        job: Any,
        threads: int,
        arena_bytes: int,
        own: int | None,
        *,
        is_short: bool = False,
    ) -> bool:
        """
        Run what is left of a job on this thread and others; return whether that could be.

        Each thread begins with a part of its own, which is the same for the same launch: what it
        has in its caches. It cannot be while another launch has the team, or for more threads or
        larger arenas than it is `ready` for, nor is it where a job `is_short` and helpers sleep.
        `own` is the arena of this thread.
        """
        count = min(threads, MOST_FOR_SHORT if is_short else MOST_HELPERS + 1)
        stride = -(-len(job) // LINE) * LINE
        jobs = ctypes.create_string_buffer(stride * count + LINE)
        place = -(-ctypes.addressof(jobs) // LINE) * LINE
        # Functions that have been loaded say where they are.
        entry = getattr(function, "address", None) or ctypes.cast(function, ctypes.c_void_p)
        code, shared = _code(), (self.address, entry, job, len(job), place, stride, count, own)
        state = code.launch(*shared, arena_bytes, is_short)
        try:
            while state == LEFT:
                state = code.again(*shared)
        except BaseException:
            # What has begun still uses the jobs and the user's memory.
            code.stop(self.address, place, stride, count)
            raise
        return state not in (ALONE, BUSY)


_team_at = ctypes.c_uint64(0)
_teams: list[Team] = []
_forked: list[bool] = []


def team_at() -> int:
    """Return where machine code finds the address of this process's team, 0 if it has none yet."""
    return ctypes.addressof(_team_at)


def team() -> Team:
    """Return the helpers of this process."""
    if not _teams:
        # OpenMP's threads are gone in a child, and its runtime does not know.
        _teams.append(Team(borrows=not _forked))
        _team_at.value = _teams[0].address
    return _teams[0]


def _forget() -> None:
    """Have a team of its own in a child: threads do not survive a fork."""
    _teams.clear()
    _forked[:] = [True]
    _team_at.value = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
