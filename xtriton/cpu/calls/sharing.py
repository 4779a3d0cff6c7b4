"""Launches on several threads, as LLVM IR: what is between `entry` and the helpers of a process."""

from xtriton.cpu.calls.names import OFFSETS, item
from xtriton.cpu.team_code.places import BUSY, HEADER, LEFT, LINE, MOST_FOR_SHORT, MOST_HELPERS

STOPPED = -1
"""What `share` returns where a signal stopped a launch; an exception is set."""

_SHARED = """\
ptr %team, ptr %code, ptr %job, i64 %bytes, ptr %jobs, i64 %stride, i64 %count,
    ptr %arena"""


def _function(name: str) -> str:
    """Return what gets a function of the team."""
    return f"""\
%{name}_at = getelementptr i8, ptr %team, i64 {HEADER[name]}
  %{name} = load ptr, ptr %{name}_at"""


TEXT = f"""\
declare i32 @PyContextVar_Get(ptr, ptr, ptr)
declare i32 @PyErr_CheckSignals()
declare i64 @llvm.umin.i64(i64, i64)

; On how many threads a launch may run: where nobody says a number on all cores, or on as many as
; OpenMP has if its threads are lent to the team of this process.
define internal i64 @threads(ptr %self, i64 %cores, i64 %team_at) {{
entry:
  %limit_at = alloca ptr
  {item("threads")}
  {item("none")}
  %missing = call i32 @PyContextVar_Get(ptr %threads, ptr null, ptr %limit_at)
  %fails = icmp ne i32 %missing, 0
  br i1 %fails, label %forget, label %found
found:
  %limit = load ptr, ptr %limit_at
  %is_unset = icmp eq ptr %limit, null
  br i1 %is_unset, label %all, label %look
look:
  %number = call i64 @number_of(ptr %limit, ptr %none)
  call void @Py_DecRef(ptr %limit)
  %is_one = icmp sgt i64 %number, 0
  br i1 %is_one, label %some, label %forget
some:
  ret i64 %number
forget:
  call void @PyErr_Clear()
  br label %all
all:
  %place = inttoptr i64 %team_at to ptr
  %team = load ptr, ptr %place
  %is_none = icmp eq ptr %team, null
  br i1 %is_none, label %whole, label %look_lent
look_lent:
  {_function("most_threads")}
  %lends = icmp ne ptr %most_threads, null
  br i1 %lends, label %count, label %whole
count:
  %lent = call i32 %most_threads()
  %lent_number = zext i32 %lent to i64
  %most = call i64 @llvm.umin.i64(i64 %cores, i64 %lent_number)
  ret i64 %most
whole:
  ret i64 %cores
}}

define internal i64 @number_of(ptr %object, ptr %none) {{
  %is_none = icmp eq ptr %object, %none
  br i1 %is_none, label %no, label %yes
yes:
  %number = call i64 @PyLong_AsLongLong(ptr %object)
  ret i64 %number
no:
  ret i64 0
}}

; Run a job on so many threads; return what the team's `launch` does in the end, or {STOPPED}.
define internal i32 @share(ptr %code, ptr %job, i64 %bytes, i64 %threads, ptr %arena,
    i64 %arena_bytes, i1 %is_short, i64 %team_at) {{
entry:
  %most = select i1 %is_short, i64 {MOST_FOR_SHORT}, i64 {MOST_HELPERS + 1}
  %count = call i64 @llvm.umin.i64(i64 %threads, i64 %most)
  %above = add i64 %bytes, {LINE - 1}
  %stride = and i64 %above, {-LINE}
  %size = mul i64 %stride, %count
  %jobs = alloca i8, i64 %size, align {LINE}
  %place = inttoptr i64 %team_at to ptr
  %team = load ptr, ptr %place
  %is_none = icmp eq ptr %team, null
  br i1 %is_none, label %none, label %begin
none:
  ret i32 {BUSY}
begin:
  {_function("launch")}
  {_function("again")}
  {_function("stop")}
  %first_thread = call ptr @PyEval_SaveThread()
  %first = call i32 %launch({_SHARED}, i64 %arena_bytes, i1 zeroext %is_short)
  call void @PyEval_RestoreThread(ptr %first_thread)
  br label %look
look:
  %state = phi i32 [ %first, %begin ], [ %next, %go_on ]
  %is_left = icmp eq i32 %state, {LEFT}
  br i1 %is_left, label %ask, label %end
ask:
  %signal = call i32 @PyErr_CheckSignals()
  %goes_on = icmp eq i32 %signal, 0
  br i1 %goes_on, label %go_on, label %give_up
go_on:
  %thread = call ptr @PyEval_SaveThread()
  %next = call i32 %again({_SHARED})
  call void @PyEval_RestoreThread(ptr %thread)
  br label %look
give_up:
  %last_thread = call ptr @PyEval_SaveThread()
  call void %stop(ptr %team, ptr %jobs, i64 %stride, i64 %count)
  call void @PyEval_RestoreThread(ptr %last_thread)
  ret i32 {STOPPED}
end:
  ret i32 %state
}}

; Whether all programs of a job have ended, and none failed.
define internal i1 @is_through(ptr %job) {{
  %next_at = getelementptr i8, ptr %job, i64 {OFFSETS["next"]}
  %next = load i64, ptr %next_at
  %total_at = getelementptr i8, ptr %job, i64 {OFFSETS["total"]}
  %total = load i64, ptr %total_at
  %is_done = icmp sge i64 %next, %total
  %status_at = getelementptr i8, ptr %job, i64 {OFFSETS["status"]}
  %status = load i32, ptr %status_at
  %is_well = icmp eq i32 %status, 0
  %is_through = and i1 %is_done, %is_well
  ret i1 %is_through
}}
"""
