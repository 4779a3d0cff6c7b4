"""
Launches with atomic ops, and those among them that can do without:

    i32 xtriton_enter(ptr job, i32 asks)
    void xtriton_leave(i32 alone)

An atomic addition takes a CPU ten times as long as another, and nothing that is next to it can be
added together with it. Where all of a launch runs on one thread, only launches of other threads
of this process could come between. So whoever has atomic ops enters before and leaves behind, and
is told whether it is alone: then no other launch enters until it leaves, and its own atomic ops
need not be atomic. (Triton's scopes end at the device, which is this process; ops of the scope
`sys` stay atomic.)

Only what never waits for another launch may ask to be alone, and only a launch that is whole is,
and only if nobody is there: nobody waits for the others to leave. So all go on in the end, also
those that wait for each other inside.
"""

import ctypes
import os

from xtriton.cpu.job import read_fields

ENTER, LEAVE = "xtriton_enter", "xtriton_leave"
_FORGET = "xtriton_forget"
FUNCTIONS = (ENTER, LEAVE, _FORGET)

_ALONE = -1

_READ = "\n".join(read_fields("total", "chunk", "size0", "size1", "size2", places=()))
TEXT = f"""\
; How many have entered, or {_ALONE} for one that is alone.
@inside = internal global i32 0

declare i32 @sched_yield()

define i32 @{ENTER}(ptr %job, i32 %asks) {{
entry:
{_READ}
  %x_size = zext i32 %size0 to i64
  %y_size = zext i32 %size1 to i64
  %z_size = zext i32 %size2 to i64
  %plane = mul i64 %x_size, %y_size
  %grid = mul i64 %plane, %z_size
  %has_all = icmp eq i64 %total, %grid
  %is_one = icmp eq i64 %chunk, %total
  %is_whole = and i1 %has_all, %is_one
  %may_be_alone = icmp ne i32 %asks, 0
  %tries = and i1 %is_whole, %may_be_alone
  br i1 %tries, label %try, label %look
try:
  %pair = cmpxchg ptr @inside, i32 0, i32 {_ALONE} acquire monotonic
  %is_alone = extractvalue {{ i32, i1 }} %pair, 1
  br i1 %is_alone, label %alone, label %look
alone:
  ret i32 1
look:
  %now = load atomic i32, ptr @inside monotonic, align 4
  %is_free = icmp ne i32 %now, {_ALONE}
  br i1 %is_free, label %join, label %wait
wait:
  %yielded = call i32 @sched_yield()
  br label %look
join:
  %more = add i32 %now, 1
  %joined = cmpxchg ptr @inside, i32 %now, i32 %more acquire monotonic
  %has_joined = extractvalue {{ i32, i1 }} %joined, 1
  br i1 %has_joined, label %among, label %look
among:
  ret i32 0
}}

define void @{LEAVE}(i32 %alone) {{
entry:
  %was_alone = icmp ne i32 %alone, 0
  br i1 %was_alone, label %last, label %one
last:
  store atomic i32 0, ptr @inside release, align 4
  ret void
one:
  %before = atomicrmw sub ptr @inside, i32 1 release
  ret void
}}

; In a child of a process none of the others is there.
define void @{_FORGET}() {{
  store atomic i32 0, ptr @inside release, align 4
  ret void
}}
"""


def forget_in_children(addresses: dict[str, int]) -> None:
    """Have nobody inside in a process that is forked while launches run."""
    if hasattr(os, "register_at_fork"):
        forget = ctypes.CFUNCTYPE(None)(addresses[_FORGET])
        os.register_at_fork(after_in_child=forget)
