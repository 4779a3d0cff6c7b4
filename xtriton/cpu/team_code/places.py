"""Where words of a team, of its boxes and of jobs are, and what gets them."""

from xtriton.cpu.job import job_offsets

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

_JOB = job_offsets()


def field(name: str) -> str:
    """Return what gets the address of a field of a box."""
    return f"%{name}_at = getelementptr i8, ptr %box, i64 {BOX[name]}"


def word(name: str, type: str = "i64") -> str:
    """Return what gets the address of a word of the team, and what it holds."""
    return f"""\
%{name}_at = getelementptr i8, ptr %team, i64 {HEADER[name]}
  %{name} = load {type}, ptr %{name}_at"""


def job_field(name: str, job: str = "job") -> str:
    """Return what gets the address of a field of a job."""
    return f"%{job}_{name}_at = getelementptr i8, ptr %{job}, i64 {_JOB[name]}"


def numbers_from(first: int, last: str) -> str:
    """Return what begins the block `each` of a loop over jobs or boxes that `last` ends."""
    return f"%number = phi i64 [ {first}, %entry ], [ %following, %{last} ]"


def next_number_or(behind: str) -> str:
    """Return what ends such a loop: it goes on with the next number, and `behind` the last one."""
    return f"""\
%following = add i64 %number, 1
  %more = icmp slt i64 %following, %count
  br i1 %more, label %each, label %{behind}"""


BOX_OF_NUMBER = f"""\
%before_it = sub i64 %number, 1
  %offset = mul i64 %before_it, {BOX_BYTES}
  %behind_header = add i64 %offset, {HEADER_BYTES}
  %box = getelementptr i8, ptr %team, i64 %behind_header"""
JOB_OF_NUMBER = """\
%job_offset = mul i64 %number, %stride
  %job = getelementptr i8, ptr %jobs, i64 %job_offset"""

ANY_OF_NUMBER = f"""\
{JOB_OF_NUMBER}
  {job_field("next")}
  {job_field("total")}
  %total = load i64, ptr %job_total_at
  %next = load atomic i64, ptr %job_next_at monotonic, align 8
  %any = icmp slt i64 %next, %total"""
