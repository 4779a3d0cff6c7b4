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
from xtriton.cpu.clocks import clock_of
from xtriton.cpu.job import job_offsets
from xtriton.cpu.module import Module
from xtriton.cpu.target import Target, host

BOX_BYTES = 64
"""A cache line for each helper, whose fields are `_FIELDS`."""
_FIELDS = {
    "state": 0,
    "woken": 4,
    "function": 8,
    "jobs": 16,
    "stride": 24,
    "count": 32,
    "number": 40,
    "arena": 48,
}
"""
Where each begins: the state of the helper, whether it is to be woken, the launching function, the
jobs, their size and number, which of them is the helper's own, and its memory.
"""
MOST_HELPERS = 256
IDLE, POSTED, RUNNING, ASLEEP = range(4)
"""The states of a helper; the first and the last differ in where it waits."""
ENDED, LEFT, WAKE = range(3)
"""What `share` returns: whether it is to be called again, and whether helpers are woken first."""
PATIENCE = 8
"""A helper looks for the next job as long as this part of what a chunk of programs should take."""

_PAUSES = {"x86_64": "llvm.x86.sse2.pause()", "aarch64": "llvm.aarch64.hint(i32 1)"}
"""What tells a core that it waits."""
_NEXT, _TOTAL = job_offsets()["next"], job_offsets()["total"]


def _field(name: str, box: str = "box") -> str:
    """Return the address of a field as LLVM IR."""
    return f"%{name}_at = getelementptr i8, ptr %{box}, i64 {_FIELDS[name]}"


_WORK = f"""\
; Run programs of all jobs, those of the `first` to begin with. The launching function returns
; before a job has ended at times; then this does, with true.
define internal i1 @work(ptr %function, ptr %jobs, i64 %stride, i64 %count, i64 %first,
    ptr %arena) {{
entry:
  br label %each
each:
  %number = phi i64 [ 0, %entry ], [ %following, %ended ]
  %turned = add i64 %first, %number
  %which = urem i64 %turned, %count
  %offset = mul i64 %which, %stride
  %job = getelementptr i8, ptr %jobs, i64 %offset
  %next_at = getelementptr i8, ptr %job, i64 {_NEXT}
  %total_at = getelementptr i8, ptr %job, i64 {_TOTAL}
  %total = load i64, ptr %total_at
  %next = load atomic i64, ptr %next_at monotonic, align 8
  %any = icmp slt i64 %next, %total
  br i1 %any, label %run, label %ended
run:
  %status = call i32 %function(ptr %job, ptr %arena)
  %now = load atomic i64, ptr %next_at monotonic, align 8
  %left = icmp slt i64 %now, %total
  br i1 %left, label %away, label %ended
away:
  ret i1 true
ended:
  %following = add i64 %number, 1
  %more = icmp slt i64 %following, %count
  br i1 %more, label %each, label %end
end:
  ret i1 false
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
  {_field("function")}
  %function = load ptr, ptr %function_at
  {_field("jobs")}
  %jobs = load ptr, ptr %jobs_at
  {_field("stride")}
  %stride = load i64, ptr %stride_at
  {_field("count")}
  %count = load i64, ptr %count_at
  {_field("number")}
  %number = load i64, ptr %number_at
  {_field("arena")}
  %arena = load ptr, ptr %arena_at
  br label %run
run:
  %again = call i1 @work(ptr %function, ptr %jobs, i64 %stride, i64 %count, i64 %number, ptr %arena)
  br i1 %again, label %run, label %done
done:
  store atomic i32 {IDLE}, ptr %box release, align 4
  br label %idle
}}
"""
_SPLIT = f"""\
; Give each of the jobs, which are copies of one, an equal part of its programs.
define internal void @split(ptr %jobs, i64 %stride, i64 %count) {{
entry:
  %whole_next_at = getelementptr i8, ptr %jobs, i64 {_NEXT}
  %whole_total_at = getelementptr i8, ptr %jobs, i64 {_TOTAL}
  %begin = load i64, ptr %whole_next_at
  %end = load i64, ptr %whole_total_at
  %left = sub i64 %end, %begin
  br label %each
each:
  %number = phi i64 [ 0, %entry ], [ %following, %each ]
  %next = phi i64 [ %begin, %entry ], [ %total, %each ]
  %following = add i64 %number, 1
  %parts = mul i64 %left, %following
  %part = udiv i64 %parts, %count
  %total = add i64 %begin, %part
  %offset = mul i64 %number, %stride
  %job = getelementptr i8, ptr %jobs, i64 %offset
  %next_at = getelementptr i8, ptr %job, i64 {_NEXT}
  store i64 %next, ptr %next_at
  %total_at = getelementptr i8, ptr %job, i64 {_TOTAL}
  store i64 %total, ptr %total_at
  %more = icmp slt i64 %following, %count
  br i1 %more, label %each, label %done
done:
  ret void
}}
"""
_POST = f"""\
; Post the jobs to all helpers; return whether there are some to wake.
define internal i1 @post(ptr %boxes, ptr %function, ptr %jobs, i64 %stride, i64 %count) {{
entry:
  br label %each
each:
  %number = phi i64 [ 1, %entry ], [ %following, %each ]
  %any = phi i1 [ false, %entry ], [ %some, %each ]
  %before_it = sub i64 %number, 1
  %offset = mul i64 %before_it, {BOX_BYTES}
  %box = getelementptr i8, ptr %boxes, i64 %offset
  {_field("function")}
  store ptr %function, ptr %function_at
  {_field("jobs")}
  store ptr %jobs, ptr %jobs_at
  {_field("stride")}
  store i64 %stride, ptr %stride_at
  {_field("count")}
  store i64 %count, ptr %count_at
  {_field("number")}
  store i64 %number, ptr %number_at
  %before = atomicrmw xchg ptr %box, i32 {POSTED} acq_rel
  %sleeps = icmp eq i32 %before, {ASLEEP}
  %woken = zext i1 %sleeps to i32
  {_field("woken")}
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
; Take back what helpers have not begun, and wait for the others; return whether that takes long.
define i1 @join(ptr %boxes, i64 %count) {{
entry:
  %began = CLOCK
  br label %each
each:
  %number = phi i64 [ 1, %entry ], [ %following, %ended ]
  %before_it = sub i64 %number, 1
  %offset = mul i64 %before_it, {BOX_BYTES}
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
_SHARE = (
    """\
; Run programs of jobs beside the helpers, after posting them if they are new.
define i32 @share(ptr %boxes, ptr %function, ptr %jobs, i64 %stride, i64 %count, ptr %arena,
    i1 %are_new) {
  br i1 %are_new, label %new, label %begun
new:
  call void @split(ptr %jobs, i64 %stride, i64 %count)
  %sleep = call i1 @post(ptr %boxes, ptr %function, ptr %jobs, i64 %stride, i64 %count)
  br i1 %sleep, label %wake, label %begun
wake:
  ret i32 WAKE
begun:
  %left = call i1 @work(ptr %function, ptr %jobs, i64 %stride, i64 %count, i64 0, ptr %arena)
  br i1 %left, label %again, label %wait
wait:
  %late = call i1 @join(ptr %boxes, i64 %count)
  br i1 %late, label %again, label %end
again:
  ret i32 LEFT
end:
  ret i32 ENDED
}
""".replace("WAKE", str(WAKE))
    .replace("LEFT", str(LEFT))
    .replace("ENDED", str(ENDED))
)


def text(target: Target) -> str:
    """Return the LLVM IR of `serve`, `share` and `join`."""
    module = Module()
    clock, ticks = clock_of(module, target)
    pause = _PAUSES.get(target.triple.split("-")[0], "")
    if pause:
        module.declare("void", pause.partition("(")[0], ["i32"] if "i32" in pause else [])
    parts = "\n".join((_WORK, _SERVE, _SPLIT, _POST, _JOIN, _SHARE))
    parts = parts.replace("PAUSE", f"call void @{pause}" if pause else "").replace("CLOCK", clock)
    return parts.replace("TICKS", str(ticks // PATIENCE)) + module.text()


@cache
def _functions() -> tuple[Any, Any, Any]:
    library = jit.load(text(host()), ["serve", "share", "join"])
    # Helpers run this code even as the interpreter ends.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(library))
    word, address = ctypes.c_int64, ctypes.c_void_p
    serve = ctypes.CFUNCTYPE(None, address)
    share = ctypes.CFUNCTYPE(
        ctypes.c_int, address, address, address, word, word, address, ctypes.c_bool
    )
    join = ctypes.CFUNCTYPE(ctypes.c_bool, address, word)
    places = library.addresses
    return serve(places["serve"]), share(places["share"]), join(places["join"])


class _Helper:
    """A thread, what wakes it, and its memory; `boxes` is where its box is, and lives as long."""

    def __init__(self, box: int, boxes: mmap.mmap):
        self.sleeping = threading.Semaphore(0)
        self.boxes = boxes
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
        job: bytes,
        others: int,
        arena_bytes: int,
        own: int | None,
        pages: Callable[[int], mmap.mmap],
    ) -> list[bytes] | None:
        """
        Run what is left of a job on this thread and `others`; return what became of it, in parts.

        Each thread begins with a part of its own, which is the same for the same launch: what it
        has in its caches. None while another launch has the team. `own` is the arena of this
        thread, `pages` makes those of others, which take `arena_bytes`.
        """
        if not self._lock.acquire(blocking=False):
            return None
        try:
            count = min(others, MOST_HELPERS) + 1
            self._prepare(count - 1, arena_bytes, pages)
            jobs = ctypes.create_string_buffer(job * count, len(job) * count)
            # Functions that have been loaded say where they are.
            code = getattr(function, "address", None) or ctypes.cast(function, ctypes.c_void_p)
            self._share(code, jobs, len(job), count, own)
        finally:
            self._lock.release()
        ended = jobs.raw
        return [ended[i : i + len(job)] for i in range(0, len(ended), len(job))]

    def _prepare(self, count: int, arena_bytes: int, pages: Callable[[int], mmap.mmap]) -> None:
        """Let there be so many helpers with arenas of such a size."""
        for number in range(count):
            box = number * BOX_BYTES
            if number == len(self._helpers):
                self._helpers.append(_Helper(self._boxes + box, self._memory))
            helper = self._helpers[number]
            if helper.size < arena_bytes:
                memory = pages(arena_bytes)
                address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
                struct.pack_into("Q", self._memory, box + _FIELDS["arena"], address)
                helper.memory, helper.size = memory, arena_bytes

    def _share(self, function: Any, jobs: Any, stride: int, count: int, own: int | None) -> None:
        _, share, join = _functions()
        are_new = True
        try:
            while (
                state := share(self._boxes, function, jobs, stride, count, own, are_new)
            ) != ENDED:
                if are_new and state == WAKE:
                    self._wake(count - 1)
                are_new = False
        except BaseException:
            # What has begun still uses the jobs and the user's memory.
            for job in range(0, stride * count, stride):
                total = struct.unpack_from("q", jobs, job + _TOTAL)[0]
                struct.pack_into("q", jobs, job + _NEXT, total)
            while join(self._boxes, count):
                time.sleep(0)
            raise

    def _wake(self, count: int) -> None:
        for number, helper in enumerate(self._helpers[:count]):
            if struct.unpack_from("i", self._memory, number * BOX_BYTES + _FIELDS["woken"])[0]:
                helper.sleeping.release()


@cache
def _team_of(process: int) -> Team:
    # Threads do not survive a fork, so each process has a team of its own.
    return Team()


def team() -> Team:
    """Return the helpers of this process."""
    return _team_of(os.getpid())
