"""Helpers: what they do, and how jobs come to them and back."""

from xtriton.cpu.team_code.places import (
    ASLEEP,
    BOX_OF_NUMBER,
    IDLE,
    POSTED,
    RUNNING,
    field,
    next_number_or,
    numbers_from,
    word,
)

PAUSES = 64
"""After so many looks a thread that waits lets others have its core: maybe the one it waits for."""


def _wait_or(tired: str) -> str:
    """Return the block `wait`: it goes back to `look`, or to another once that has taken long."""
    return f"""\
wait:
  %looks_next = call i32 @pause(ptr %team, i32 %looks)
  %now = CLOCK
  %spent = sub i64 %now, %began
  %waits = icmp ult i64 %spent, TICKS
  br i1 %waits, label %look, label %{tired}"""


PAUSE = f"""\
; Wait for a moment, at times so that another thread may have this core; counts how often.
define internal i32 @pause(ptr %team, i32 %count) {{
entry:
  PAUSE
  %following = add i32 %count, 1
  %since = and i32 %following, {PAUSES - 1}
  %is_long = icmp eq i32 %since, 0
  br i1 %is_long, label %rest, label %end
rest:
  {word("yield", "ptr")}
  %may = icmp ne ptr %yield, null
  br i1 %may, label %give_way, label %end
give_way:
  %ignored = call i32 %yield()
  br label %end
end:
  ret i32 %following
}}
"""
SERVE = f"""\
; Do what is posted, and sleep where there has been nothing for a while.
define void @serve(ptr %team, ptr %box) {{
entry:
  {word("sleep", "ptr")}
  {field("bell")}
  %bell = load ptr, ptr %bell_at
  br label %idle
idle:
  %began = CLOCK
  br label %look
look:
  %looks = phi i32 [ 0, %idle ], [ %looks_next, %wait ], [ %looks, %tire ], [ %looks, %take ]
  %state = load atomic i32, ptr %box monotonic, align 4
  %is_posted = icmp eq i32 %state, {POSTED}
  br i1 %is_posted, label %take, label %wait
{_wait_or("tire")}
tire:
  %tired = cmpxchg ptr %box, i32 {IDLE}, i32 {ASLEEP} acq_rel monotonic
  %sleeps = extractvalue {{ i32, i1 }} %tired, 1
  br i1 %sleeps, label %rest, label %look
rest:
  %rung = call i32 %sleep(ptr %bell, i32 1)
  br label %idle
take:
  %taken = cmpxchg ptr %box, i32 {POSTED}, i32 {RUNNING} acq_rel monotonic
  %takes = extractvalue {{ i32, i1 }} %taken, 1
  br i1 %takes, label %begin, label %look
begin:
  {field("function")}
  %function = load ptr, ptr %function_at
  {field("jobs")}
  %jobs = load ptr, ptr %jobs_at
  {field("stride")}
  %stride = load i64, ptr %stride_at
  {field("count")}
  %count = load i64, ptr %count_at
  {field("number")}
  %number = load i64, ptr %number_at
  {field("arena")}
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
POST = f"""\
; Post the jobs to helpers, and wake those that sleep.
define internal void @post(ptr %team, ptr %function, ptr %jobs, i64 %stride, i64 %count) {{
entry:
  {word("wake", "ptr")}
  br label %each
each:
  {numbers_from(1, "posted")}
  {BOX_OF_NUMBER}
  {field("function")}
  store ptr %function, ptr %function_at
  {field("jobs")}
  store ptr %jobs, ptr %jobs_at
  {field("stride")}
  store i64 %stride, ptr %stride_at
  {field("count")}
  store i64 %count, ptr %count_at
  {field("number")}
  store i64 %number, ptr %number_at
  %before = atomicrmw xchg ptr %box, i32 {POSTED} acq_rel
  %sleeps = icmp eq i32 %before, {ASLEEP}
  br i1 %sleeps, label %ring, label %posted
ring:
  {field("bell")}
  %bell = load ptr, ptr %bell_at
  call void %wake(ptr %bell)
  br label %posted
posted:
  {next_number_or("end")}
end:
  ret void
}}
"""
JOIN = f"""\
; Take back what helpers have not begun, and wait for the others; return whether that takes long.
define internal i1 @join(ptr %team, i64 %count) {{
entry:
  %began = CLOCK
  br label %each
each:
  {numbers_from(1, "ended")}
  {BOX_OF_NUMBER}
  %back = cmpxchg ptr %box, i32 {POSTED}, i32 {IDLE} acq_rel monotonic
  br label %look
look:
  %looks = phi i32 [ 0, %each ], [ %looks_next, %wait ]
  %state = load atomic i32, ptr %box acquire, align 4
  %runs = icmp eq i32 %state, {RUNNING}
  br i1 %runs, label %wait, label %ended
{_wait_or("late")}
late:
  ret i1 true
ended:
  {next_number_or("end")}
end:
  ret i1 false
}}
"""
