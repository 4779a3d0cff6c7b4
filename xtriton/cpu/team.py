"""
Threads that help with launches, and are there at once for one that follows another.

A helper is a thread of Python that waits in machine code, without the interpreter. For a moment it
looks into its mailbox again and again; then it goes to sleep until it is woken. Whoever has posted
a job need not wait for a helper that has not begun, and takes the job back.
"""

import ctypes
import mmap
import os
import struct
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from xtriton.cpu import jit
from xtriton.cpu.emitter.job import clock_of
from xtriton.cpu.job import job_offsets
from xtriton.cpu.module import Module
from xtriton.cpu.target import Target, host

BOX_BYTES = 64
"""A cache line for each helper: its state, whether to wake it, launching function, job, arena."""
_WOKEN, _ARENA = 4, 24
MOST_HELPERS = 256
IDLE, POSTED, RUNNING, ASLEEP = range(4)
"""The states of a mailbox; the first and the last differ in where its helper waits."""
ENDED, LEFT, WAKE = range(3)
"""What `share` returns: whether it is to be called again, and whether helpers are woken first."""
PATIENCE = 8
"""A helper looks for the next job as long as this part of what a chunk of programs should take."""

_PAUSES = {"x86_64": "llvm.x86.sse2.pause()", "aarch64": "llvm.aarch64.hint(i32 1)"}
"""What tells a core that it waits."""

_WORK = f"""\
; Run programs of a job; return whether any are left, as the launching function returns at times.
define internal i1 @work(ptr %function, ptr %job, ptr %arena) {{
  %status = call i32 %function(ptr %job, ptr %arena)
  %next_at = getelementptr i8, ptr %job, i64 {job_offsets()["next"]}
  %total_at = getelementptr i8, ptr %job, i64 {job_offsets()["total"]}
  %next = load atomic i64, ptr %next_at monotonic, align 8
  %total = load i64, ptr %total_at
  %left = icmp slt i64 %next, %total
  ret i1 %left
}}
"""
_SERVE = f"""\
; Do what is posted, until there has been nothing for a while.
define void @serve(ptr %box) {{
entry:
  br label %idle
idle:
  %began = CLOCK
  br label %look
look:
  %state = load atomic i32, ptr %box monotonic, align 4
  %is_posted = icmp eq i32 %state, {POSTED}
  br i1 %is_posted, label %take, label %wait
wait:
  PAUSE
  %now = CLOCK
  %spent = sub i64 %now, %began
  %waits = icmp ult i64 %spent, TICKS
  br i1 %waits, label %look, label %tire
tire:
  %tired = cmpxchg ptr %box, i32 {IDLE}, i32 {ASLEEP} acq_rel monotonic
  %sleeps = extractvalue {{ i32, i1 }} %tired, 1
  br i1 %sleeps, label %sleep, label %look
sleep:
  ret void
take:
  %taken = cmpxchg ptr %box, i32 {POSTED}, i32 {RUNNING} acq_rel monotonic
  %takes = extractvalue {{ i32, i1 }} %taken, 1
  br i1 %takes, label %begin, label %look
begin:
  %places = getelementptr i8, ptr %box, i64 8
  %function = load ptr, ptr %places
  %job_at = getelementptr i8, ptr %box, i64 16
  %job = load ptr, ptr %job_at
  %arena_at = getelementptr i8, ptr %box, i64 {_ARENA}
  %arena = load ptr, ptr %arena_at
  br label %run
run:
  %again = call i1 @work(ptr %function, ptr %job, ptr %arena)
  br i1 %again, label %run, label %done
done:
  store atomic i32 {IDLE}, ptr %box release, align 4
  br label %idle
}}
"""
_POST = f"""\
; Post a job to each box; return whether there are helpers to wake.
define internal i1 @post(ptr %boxes, i64 %count, ptr %function, ptr %job) {{
entry:
  br label %each
each:
  %number = phi i64 [ 0, %entry ], [ %following, %each ]
  %any = phi i1 [ false, %entry ], [ %some, %each ]
  %offset = mul i64 %number, {BOX_BYTES}
  %box = getelementptr i8, ptr %boxes, i64 %offset
  %function_at = getelementptr i8, ptr %box, i64 8
  store ptr %function, ptr %function_at
  %job_at = getelementptr i8, ptr %box, i64 16
  store ptr %job, ptr %job_at
  %before = atomicrmw xchg ptr %box, i32 {POSTED} acq_rel
  %sleeps = icmp eq i32 %before, {ASLEEP}
  %woken = zext i1 %sleeps to i32
  %woken_at = getelementptr i8, ptr %box, i64 {_WOKEN}
  store i32 %woken, ptr %woken_at
  %some = or i1 %any, %sleeps
  %following = add i64 %number, 1
  %more = icmp slt i64 %following, %count
  br i1 %more, label %each, label %end
end:
  ret i1 %some
}}
"""
_JOIN = f"""\
; Take back what nobody has begun, and wait for the others; return whether that takes long.
define i1 @join(ptr %boxes, i64 %count) {{
entry:
  %began = CLOCK
  br label %each
each:
  %number = phi i64 [ 0, %entry ], [ %following, %ended ]
  %offset = mul i64 %number, {BOX_BYTES}
  %box = getelementptr i8, ptr %boxes, i64 %offset
  %back = cmpxchg ptr %box, i32 {POSTED}, i32 {IDLE} acq_rel monotonic
  br label %look
look:
  %state = load atomic i32, ptr %box acquire, align 4
  %runs = icmp eq i32 %state, {RUNNING}
  br i1 %runs, label %wait, label %ended
wait:
  PAUSE
  %now = CLOCK
  %spent = sub i64 %now, %began
  %waits = icmp ult i64 %spent, TICKS
  br i1 %waits, label %look, label %late
late:
  ret i1 true
ended:
  %following = add i64 %number, 1
  %more = icmp slt i64 %following, %count
  br i1 %more, label %each, label %end
end:
  ret i1 false
}}
"""
_SHARE = f"""\
; Run programs of a job, which is posted first if it `is_new`, beside the helpers.
define i32 @share(ptr %boxes, i64 %count, ptr %function, ptr %job, ptr %arena, i1 %is_new) {{
  br i1 %is_new, label %new, label %begun
new:
  %sleep = call i1 @post(ptr %boxes, i64 %count, ptr %function, ptr %job)
  br i1 %sleep, label %wake, label %begun
wake:
  ret i32 {WAKE}
begun:
  %left = call i1 @work(ptr %function, ptr %job, ptr %arena)
  br i1 %left, label %again, label %wait
wait:
  %late = call i1 @join(ptr %boxes, i64 %count)
  br i1 %late, label %again, label %end
again:
  ret i32 {LEFT}
end:
  ret i32 {ENDED}
}}
"""


def text(target: Target) -> str:
    """Return the LLVM IR of `serve`, `share` and `join`."""
    module = Module()
    clock, ticks = clock_of(module, target)
    pause = _PAUSES.get(target.triple.split("-")[0], "")
    if pause:
        module.declare("void", pause.partition("(")[0], ["i32"] if "i32" in pause else [])
    parts = "\n".join((_WORK, _SERVE, _POST, _JOIN, _SHARE))
    parts = parts.replace("PAUSE", f"call void @{pause}" if pause else "").replace("CLOCK", clock)
    return parts.replace("TICKS", str(ticks // PATIENCE)) + module.text()


@cache
def _functions() -> tuple[Any, Any, Any]:
    library = jit.load(text(host()), ["serve", "share", "join"])
    # Helpers run this code even as the interpreter ends.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(library))
    word, address = ctypes.c_int64, ctypes.c_void_p
    serve = ctypes.CFUNCTYPE(None, address)
    share = ctypes.CFUNCTYPE(ctypes.c_int, address, word, address, address, address, ctypes.c_bool)
    join = ctypes.CFUNCTYPE(ctypes.c_bool, address, word)
    places = library.addresses
    return serve(places["serve"]), share(places["share"]), join(places["join"])


class _Helper:
    """A thread, what wakes it, and its memory."""

    def __init__(self, box: int):
        self.sleeping = threading.Semaphore(0)
        self.memory: object = None
        self.size = 0
        thread = threading.Thread(target=self._serve, args=(box,), name="xtriton", daemon=True)
        thread.start()

    def _serve(self, box: int) -> None:
        serve = _functions()[0]
        while True:
            serve(box)
            self.sleeping.acquire()


class Team:
    """The helpers of a process. One launch has them at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._memory = mmap.mmap(-1, MOST_HELPERS * BOX_BYTES)
        self._boxes = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._helpers: list[_Helper] = []

    def run(
        self,
        function: Any,
        job: Any,
        others: int,
        arena_bytes: int,
        own: int | None,
        pages: Callable[[int], mmap.mmap],
    ) -> bool:
        """
        Run what is left of a job on this thread and `others`; return whether there is a team.

        There is none while another launch has it. `own` is the arena of this thread, `pages` makes
        those of others, which take `arena_bytes`.
        """
        if not self._lock.acquire(blocking=False):
            return False
        try:
            count = min(others, MOST_HELPERS)
            self._prepare(count, arena_bytes, pages)
            self._share(ctypes.cast(function, ctypes.c_void_p), job, count, own)
        finally:
            self._lock.release()
        return True

    def _prepare(self, count: int, arena_bytes: int, pages: Callable[[int], mmap.mmap]) -> None:
        """Let there be so many helpers with arenas of such a size."""
        for number in range(count):
            box = self._boxes + number * BOX_BYTES
            if number == len(self._helpers):
                self._helpers.append(_Helper(box))
            helper = self._helpers[number]
            if helper.size < arena_bytes:
                memory = pages(arena_bytes)
                address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
                struct.pack_into("Q", self._memory, number * BOX_BYTES + _ARENA, address)
                helper.memory, helper.size = memory, arena_bytes

    def _share(self, function: Any, job: Any, count: int, own: int | None) -> None:
        _, share, join = _functions()
        is_new = True
        try:
            while (state := share(self._boxes, count, function, job, own, is_new)) != ENDED:
                if is_new and state == WAKE:
                    self._wake(count)
                is_new = False
        except BaseException:
            # What has begun still uses the job and the user's memory.
            total = struct.unpack_from("q", job, job_offsets()["total"])[0]
            struct.pack_into("q", job, job_offsets()["next"], total)
            while join(self._boxes, count):
                time.sleep(0)
            raise

    def _wake(self, count: int) -> None:
        for number, helper in enumerate(self._helpers[:count]):
            if struct.unpack_from("i", self._memory, number * BOX_BYTES + _WOKEN)[0]:
                helper.sleeping.release()


@cache
def _team_of(process: int) -> Team:
    # Threads do not survive a fork, so each process has a team of its own.
    return Team()


def team() -> Team:
    """Return the helpers of this process."""
    return _team_of(os.getpid())
