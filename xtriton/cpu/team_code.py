"""
What helpers and launches on several threads do, as LLVM IR.

    void serve(ptr team, ptr box)                       what a helper does, for good
    i32 launch(ptr team, ptr function, ptr job, i64 bytes, ptr jobs, i64 stride, i64 count,
               ptr arena, i64 arena_bytes, i1 is_short) runs a job on `count` threads
    i32 again(...)                                      goes on with it; as `launch` without the
                                                        last two
    void stop(ptr team, ptr jobs, i64 stride, i64 count) gives it up instead
    i1 take(ptr team), void give(ptr team)              keep others from the team meanwhile

A helper looks into its box again and again for a moment; then it goes to sleep until it is woken.
Whoever has posted a job need not wait for a helper that has not begun, and takes the job back.

Where PyTorch is, its own threads are lent to launches instead: those of OpenMP go on looking for
more to do behind each of its ops, on cores that helpers would wait for until the launch is over.
A launch is a parallel region of theirs then, or one for each slice of time.

Of the job of a launch each thread has a copy in `jobs`, which are `stride` apart, with a part of
the programs that is the same for the same launch: what it has in its caches. Who is done with its
own helps the others. In the end `job` says that all are done, and what failed if anything did.
"""

from xtriton.cpu.clocks import clock_of
from xtriton.cpu.job import job_offsets
from xtriton.cpu.module import Module
from xtriton.cpu.target import Target

LINE = 128
"""Bytes that threads write to no other of: a line of a cache and the one that comes with it."""
BOX_BYTES = 2 * LINE
HEADER = {
    **{"taken": 0, "ended": 8, "woken": 16, "lent": 24},
    **{"helpers": 128, "arena_bytes": 136, "launch": 144, "again": 152, "stop": 160},
    **{"sleep": 168, "wake": 176, "yield": 184},
    **{"parallel": 192, "most_threads": 200, "thread_number": 208},
}
"""
Where words of a team are: whether a launch has it, when the last one ended, when a short one last
woke helpers, whether threads are lent to the launch that has it, how many helpers there are with
arenas of at least how many bytes, these functions, those of Python that take and release a lock,
one that lets others have the core, if there is one, and those of OpenMP, if its threads are lent.
"""
BOX = {
    **{"state": 0, "function": 8, "jobs": 16, "stride": 24, "count": 32, "number": 40},
    **{"arena": 128, "bell": 136},
}
"""
Where fields of a box are, which are behind the header: the state of the helper, the launching
function, the jobs, their distance and number, which of them is the helper's own, its memory, and
the lock that it sleeps behind.
"""
HEADER_BYTES = 2 * LINE
MOST_HELPERS = 256
MOST_FOR_SHORT = 8
"""Threads for what is short: posting to a helper, and waiting for it, takes a part of a µs."""
IDLE, POSTED, RUNNING, ASLEEP = range(4)
"""The states of a helper; the first and the last differ in where it waits."""
ENDED, LEFT, ALONE, BUSY = range(4)
"""
What `launch` returns: that the job has ended, that `again` or `stop` is to be called, that the job
is not worth waking helpers, or that another launch has the team or this one needs a larger one.
"""
PATIENCE = 8
"""A helper looks for the next job as long as this part of what a chunk of programs should take."""
PAUSES = 64
"""After so many looks a thread that waits lets others have its core: maybe the one it waits for."""
SELDOM = 64
"""Times as long is between short launches that wake helpers."""
CHUNKS_PER_THREAD = 8
"""A job is handed out in so many chunks per thread, so that all end at about the same time."""

_PAUSES = {"x86_64": "llvm.x86.sse2.pause()", "aarch64": "llvm.aarch64.hint(i32 1)"}
"""What tells a core that it waits."""
_JOB = job_offsets()
_CONTEXT = ("team", "function", "jobs", "own", "stride", "count")
_CONTEXT_TYPE = "%context = type { ptr, ptr, ptr, ptr, i64, i64 }\n"
"""What a region is told: what `launch` was given, and the arena of its thread."""


def _field(name: str) -> str:
    """Return what gets the address of a field of a box."""
    return f"%{name}_at = getelementptr i8, ptr %box, i64 {BOX[name]}"


def _word(name: str, type: str = "i64") -> str:
    """Return what gets the address of a word of the team, and what it holds."""
    return f"""\
%{name}_at = getelementptr i8, ptr %team, i64 {HEADER[name]}
  %{name} = load {type}, ptr %{name}_at"""


def _job_field(name: str, job: str = "job") -> str:
    """Return what gets the address of a field of a job."""
    return f"%{job}_{name}_at = getelementptr i8, ptr %{job}, i64 {_JOB[name]}"


def _wait_or(tired: str) -> str:
    """Return the block `wait`: it goes back to `look`, or to another once that has taken long."""
    return f"""\
wait:
  %looks_next = call i32 @pause(ptr %team, i32 %looks)
  %now = CLOCK
  %spent = sub i64 %now, %began
  %waits = icmp ult i64 %spent, TICKS
  br i1 %waits, label %look, label %{tired}"""


def _of_context(name: str, type: str) -> str:
    """Return what gets a field of the context of a region."""
    return f"""\
%{name}_in = getelementptr %context, ptr %context, i32 0, i32 {_CONTEXT.index(name)}
  %{name} = load {type}, ptr %{name}_in"""


def _to_context(name: str, type: str) -> str:
    """Return what puts a field into the context of a region."""
    return f"""\
%{name}_in = getelementptr %context, ptr %context, i32 0, i32 {_CONTEXT.index(name)}
  store {type} %{name}, ptr %{name}_in"""


_BOX_OF_NUMBER = f"""\
%before_it = sub i64 %number, 1
  %offset = mul i64 %before_it, {BOX_BYTES}
  %behind_header = add i64 %offset, {HEADER_BYTES}
  %box = getelementptr i8, ptr %team, i64 %behind_header"""
_JOB_OF_NUMBER = """\
%job_offset = mul i64 %number, %stride
  %job = getelementptr i8, ptr %jobs, i64 %job_offset"""

_ANY_OF_NUMBER = f"""\
{_JOB_OF_NUMBER}
  {_job_field("next")}
  {_job_field("total")}
  %total = load i64, ptr %job_total_at
  %next = load atomic i64, ptr %job_next_at monotonic, align 8
  %any = icmp slt i64 %next, %total"""

_WORK = f"""\
; Run programs of all jobs, those of the `first` to begin with. The launching function returns
; before a job has ended at times; then this does, with true.
define internal i1 @work(ptr %function, ptr %jobs, i64 %stride, i64 %count, i64 %first,
    ptr %arena) {{
entry:
  br label %each
each:
  %turn = phi i64 [ 0, %entry ], [ %following, %ended ]
  %turned = add i64 %first, %turn
  %number = urem i64 %turned, %count
  {_ANY_OF_NUMBER}
  br i1 %any, label %run, label %ended
run:
  %status = call i32 %function(ptr %job, ptr %arena)
  %now = load atomic i64, ptr %job_next_at monotonic, align 8
  %left = icmp slt i64 %now, %total
  br i1 %left, label %away, label %ended
away:
  ret i1 true
ended:
  %following = add i64 %turn, 1
  %more = icmp slt i64 %following, %count
  br i1 %more, label %each, label %end
end:
  ret i1 false
}}
"""
_PAUSE = f"""\
; Wait for a moment, at times so that another thread may have this core; counts how often.
define internal i32 @pause(ptr %team, i32 %count) {{
entry:
  PAUSE
  %following = add i32 %count, 1
  %since = and i32 %following, {PAUSES - 1}
  %is_long = icmp eq i32 %since, 0
  br i1 %is_long, label %rest, label %end
rest:
  {_word("yield", "ptr")}
  %may = icmp ne ptr %yield, null
  br i1 %may, label %give_way, label %end
give_way:
  %ignored = call i32 %yield()
  br label %end
end:
  ret i32 %following
}}
"""
_SERVE = f"""\
; Do what is posted, and sleep where there has been nothing for a while.
define void @serve(ptr %team, ptr %box) {{
entry:
  {_word("sleep", "ptr")}
  {_field("bell")}
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
; Make so many copies of a job, each with an equal part of its programs, which are those of the
; same copy where a job begins with its last programs.
define internal void @split(ptr %whole, i64 %bytes, ptr %jobs, i64 %stride, i64 %count) {{
entry:
  {_job_field("next", "whole")}
  {_job_field("total", "whole")}
  %begin = load i64, ptr %whole_next_at
  %end = load i64, ptr %whole_total_at
  %left = sub i64 %end, %begin
  %chunks = mul i64 %count, {CHUNKS_PER_THREAD}
  %even_chunk = udiv i64 %left, %chunks
  %chunk = call i64 @llvm.umax.i64(i64 %even_chunk, i64 1)
  {_job_field("back", "whole")}
  %back = load i32, ptr %whole_back_at
  %returns = icmp ne i32 %back, 0
  br label %each
each:
  %turn = phi i64 [ 0, %entry ], [ %following, %each ]
  %next = phi i64 [ %begin, %entry ], [ %total, %each ]
  %following = add i64 %turn, 1
  %from_end = sub i64 %count, %following
  %number = select i1 %returns, i64 %from_end, i64 %turn
  %parts = mul i64 %left, %following
  %part = udiv i64 %parts, %count
  %total = add i64 %begin, %part
  {_JOB_OF_NUMBER}
  call void @llvm.memcpy.p0.p0.i64(ptr %job, ptr %whole, i64 %bytes, i1 false)
  {_job_field("next")}
  store i64 %next, ptr %job_next_at
  {_job_field("total")}
  store i64 %total, ptr %job_total_at
  {_job_field("chunk")}
  store i64 %chunk, ptr %job_chunk_at
  %more = icmp slt i64 %following, %count
  br i1 %more, label %each, label %done
done:
  ret void
}}
"""
_POST = f"""\
; Post the jobs to helpers, and wake those that sleep.
define internal void @post(ptr %team, ptr %function, ptr %jobs, i64 %stride, i64 %count) {{
entry:
  {_word("wake", "ptr")}
  br label %each
each:
  %number = phi i64 [ 1, %entry ], [ %following, %posted ]
  {_BOX_OF_NUMBER}
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
  br i1 %sleeps, label %ring, label %posted
ring:
  {_field("bell")}
  %bell = load ptr, ptr %bell_at
  call void %wake(ptr %bell)
  br label %posted
posted:
  %following = add i64 %number, 1
  %more = icmp slt i64 %following, %count
  br i1 %more, label %each, label %end
end:
  ret void
}}
"""
_JOIN = f"""\
; Take back what helpers have not begun, and wait for the others; return whether that takes long.
define internal i1 @join(ptr %team, i64 %count) {{
entry:
  %began = CLOCK
  br label %each
each:
  %number = phi i64 [ 1, %entry ], [ %following, %ended ]
  {_BOX_OF_NUMBER}
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
  %following = add i64 %number, 1
  %more = icmp slt i64 %following, %count
  br i1 %more, label %each, label %end
end:
  ret i1 false
}}
"""
_LENDS = f"""\
; Return whether threads are lent to a launch on so many.
define internal i1 @lends(ptr %team, i64 %count) {{
entry:
  {_word("most_threads", "ptr")}
  %lends = icmp ne ptr %most_threads, null
  br i1 %lends, label %ask, label %no
ask:
  %number = call i32 %most_threads()
  %most = sext i32 %number to i64
  %suffice = icmp sge i64 %most, %count
  ret i1 %suffice
no:
  ret i1 false
}}
"""
_MEMBER = f"""\
; What a thread that is lent does in a region.
define internal void @member(ptr %context) {{
entry:
  {_of_context("team", "ptr")}
  {_of_context("function", "ptr")}
  {_of_context("jobs", "ptr")}
  {_of_context("stride", "i64")}
  {_of_context("count", "i64")}
  {_of_context("own", "ptr")}
  {_word("thread_number", "ptr")}
  %thread = call i32 %thread_number()
  %number = sext i32 %thread to i64
  %has_part = icmp slt i64 %number, %count
  br i1 %has_part, label %look, label %end
look:
  %is_first = icmp eq i64 %number, 0
  br i1 %is_first, label %run, label %find
find:
  {_BOX_OF_NUMBER}
  {_field("arena")}
  %lent_arena = load ptr, ptr %arena_at
  br label %run
run:
  %arena = phi ptr [ %own, %look ], [ %lent_arena, %find ]
  %left = call i1 @work(ptr %function, ptr %jobs, i64 %stride, i64 %count, i64 %number, ptr %arena)
  br label %end
end:
  ret void
}}
"""
_BORROW = f"""\
; Run programs of all jobs on threads that are lent, for a slice of time; return whether any
; is left.
; All threads are asked for, even if there is a part for few: those left out would end for good.
define internal i1 @borrow(ptr %team, ptr %function, ptr %jobs, i64 %stride, i64 %count,
    ptr %own) {{
entry:
  %context = alloca %context
  {_to_context("team", "ptr")}
  {_to_context("function", "ptr")}
  {_to_context("jobs", "ptr")}
  {_to_context("stride", "i64")}
  {_to_context("count", "i64")}
  {_to_context("own", "ptr")}
  {_word("parallel", "ptr")}
  {_word("most_threads", "ptr")}
  %most = call i32 %most_threads()
  call void %parallel(ptr @member, ptr %context, i32 %most, i32 0)
  br label %each
each:
  %number = phi i64 [ 0, %entry ], [ %following, %ended ]
  {_ANY_OF_NUMBER}
  br i1 %any, label %left, label %ended
left:
  ret i1 true
ended:
  %following = add i64 %number, 1
  %more = icmp slt i64 %following, %count
  br i1 %more, label %each, label %end
end:
  ret i1 false
}}
"""
_TAKE = """\
; Return whether the team is had now, which nobody else had.
define i1 @take(ptr %team) {
  %taken = cmpxchg ptr %team, i32 0, i32 1 acquire monotonic
  %takes = extractvalue { i32, i1 } %taken, 1
  ret i1 %takes
}
"""
_GIVE = f"""\
; Leave the team to others.
define void @give(ptr %team) {{
  %now = CLOCK
  {_word("ended")}
  store i64 %now, ptr %ended_at
  store atomic i32 0, ptr %team release, align 4
  ret void
}}
"""
_GATHER = f"""\
; Say in a job what became of its parts.
define internal void @gather(ptr %whole, ptr %jobs, i64 %stride, i64 %count) {{
entry:
  {_job_field("next", "whole")}
  {_job_field("total", "whole")}
  %end = load i64, ptr %whole_total_at
  store i64 %end, ptr %whole_next_at
  br label %each
each:
  %number = phi i64 [ 0, %entry ], [ %following, %looked ]
  {_JOB_OF_NUMBER}
  {_job_field("status")}
  %status = load i32, ptr %job_status_at
  %fails = icmp ne i32 %status, 0
  br i1 %fails, label %note, label %looked
note:
  {_job_field("status", "whole")}
  store i32 %status, ptr %whole_status_at
  {_job_field("failed")}
  %failed = load i64, ptr %job_failed_at
  {_job_field("failed", "whole")}
  store i64 %failed, ptr %whole_failed_at
  br label %looked
looked:
  %following = add i64 %number, 1
  %more = icmp slt i64 %following, %count
  br i1 %more, label %each, label %done
done:
  ret void
}}
"""
_PARAMETERS = """\
ptr %team, ptr %function, ptr %job, i64 %bytes, ptr %jobs, i64 %stride,
    i64 %count, ptr %arena"""
_AGAIN = f"""\
define i32 @again({_PARAMETERS}) {{
entry:
  {_word("lent")}
  %lends = icmp ne i64 %lent, 0
  br i1 %lends, label %borrow, label %own
borrow:
  %unfinished = call i1 @borrow(ptr %team, ptr %function, ptr %jobs, i64 %stride, i64 %count,
    ptr %arena)
  br i1 %unfinished, label %goes_on, label %end
own:
  %left = call i1 @work(ptr %function, ptr %jobs, i64 %stride, i64 %count, i64 0, ptr %arena)
  br i1 %left, label %goes_on, label %wait
wait:
  %late = call i1 @join(ptr %team, i64 %count)
  br i1 %late, label %goes_on, label %end
goes_on:
  ret i32 {LEFT}
end:
  call void @gather(ptr %job, ptr %jobs, i64 %stride, i64 %count)
  call void @give(ptr %team)
  ret i32 {ENDED}
}}
"""
_LAUNCH = f"""\
; What is short wakes helpers only where launches follow one another, and seldom: once they are
; awake they stay so for the next, unless others have their cores.
define i32 @launch({_PARAMETERS}, i64 %needed_bytes,
    i1 zeroext %is_short) {{
entry:
  %takes = call i1 @take(ptr %team)
  br i1 %takes, label %look, label %busy
look:
  {_word("helpers")}
  {_word("arena_bytes")}
  %are_large = icmp sge i64 %arena_bytes, %needed_bytes
  %others = sub i64 %count, 1
  %suffice = icmp sge i64 %helpers, %others
  %fits = and i1 %suffice, %are_large
  br i1 %fits, label %ask, label %lacks
lacks:
  call void @give(ptr %team)
  br label %busy
busy:
  ret i32 {BUSY}
ask:
  br i1 %is_short, label %judge, label %begin
judge:
  %first_box = getelementptr i8, ptr %team, i64 {HEADER_BYTES}
  %first_state = load atomic i32, ptr %first_box monotonic, align 4
  %sleeps = icmp eq i32 %first_state, {ASLEEP}
  br i1 %sleeps, label %consider, label %begin
consider:
  %now = CLOCK
  {_word("ended")}
  %idle = sub i64 %now, %ended
  %follows = icmp ult i64 %idle, TICKS
  {_word("woken")}
  %since = sub i64 %now, %woken
  %is_rare = icmp ugt i64 %since, REST
  %pays = and i1 %follows, %is_rare
  br i1 %pays, label %wake, label %alone
wake:
  store i64 %now, ptr %woken_at
  br label %begin
alone:
  call void @give(ptr %team)
  ret i32 {ALONE}
begin:
  call void @split(ptr %job, i64 %bytes, ptr %jobs, i64 %stride, i64 %count)
  %suffices = call i1 @lends(ptr %team, i64 %count)
  %is_long = xor i1 %is_short, true
  %lends = and i1 %is_long, %suffices
  %lent = zext i1 %lends to i64
  %lent_at = getelementptr i8, ptr %team, i64 {HEADER["lent"]}
  store i64 %lent, ptr %lent_at
  br i1 %lends, label %run, label %post
post:
  call void @post(ptr %team, ptr %function, ptr %jobs, i64 %stride, i64 %count)
  br label %run
run:
  %state = call i32 @again(ptr %team, ptr %function, ptr %job, i64 %bytes, ptr %jobs,
    i64 %stride, i64 %count, ptr %arena)
  ret i32 %state
}}
"""
_STOP = f"""\
; Begin no more programs, and wait for those that have begun.
define void @stop(ptr %team, ptr %jobs, i64 %stride, i64 %count) {{
entry:
  br label %each
each:
  %number = phi i64 [ 0, %entry ], [ %following, %each ]
  {_JOB_OF_NUMBER}
  {_job_field("total")}
  %total = load i64, ptr %job_total_at
  {_job_field("next")}
  store atomic i64 %total, ptr %job_next_at monotonic, align 8
  %following = add i64 %number, 1
  %more = icmp slt i64 %following, %count
  br i1 %more, label %each, label %wait
wait:
  %late = call i1 @join(ptr %team, i64 %count)
  br i1 %late, label %wait, label %end
end:
  call void @give(ptr %team)
  ret void
}}
"""
EXPORTED = ("serve", "launch", "again", "stop", "take", "give")


def text(target: Target) -> str:
    """Return the LLVM IR of the `EXPORTED`."""
    module = Module()
    clock, ticks = clock_of(module, target)
    pause = _PAUSES.get(target.triple.split("-")[0], "")
    if pause:
        module.declare("void", pause.partition("(")[0], ["i32"] if "i32" in pause else [])
    module.declare("i64", "llvm.umax.i64", ["i64", "i64"])
    module.declare("void", "llvm.memcpy.p0.p0.i64", ["ptr", "ptr", "i64", "i1"])
    parts = (
        _CONTEXT_TYPE,
        _WORK,
        _PAUSE,
        _SERVE,
        _SPLIT,
        _POST,
        _JOIN,
        _LENDS,
        _MEMBER,
        _BORROW,
        _TAKE,
        _GIVE,
        _GATHER,
        _AGAIN,
        _LAUNCH,
        _STOP,
    )
    code = "\n".join(parts).replace("PAUSE", f"call void @{pause}" if pause else "")
    patience = ticks // PATIENCE
    for name, value in (("CLOCK", clock), ("TICKS", patience), ("REST", patience * SELDOM)):
        code = code.replace(name, str(value))
    return code + module.text()
