"""Threads of OpenMP that are lent to launches, in parallel regions."""

from xtriton.cpu.team_code.places import ANY_OF_NUMBER, BOX_OF_NUMBER, field, word

_CONTEXT = ("team", "function", "jobs", "own", "stride", "count")
CONTEXT_TYPE = "%context = type { ptr, ptr, ptr, ptr, i64, i64 }\n"
"""What a region is told: what `launch` was given, and the arena of its thread."""


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


LENDS = f"""\
; Return whether threads are lent to a launch on so many.
define internal i1 @lends(ptr %team, i64 %count) {{
entry:
  {word("most_threads", "ptr")}
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
MEMBER = f"""\
; What a thread that is lent does in a region.
define internal void @member(ptr %context) {{
entry:
  {_of_context("team", "ptr")}
  {_of_context("function", "ptr")}
  {_of_context("jobs", "ptr")}
  {_of_context("stride", "i64")}
  {_of_context("count", "i64")}
  {_of_context("own", "ptr")}
  {word("thread_number", "ptr")}
  %thread = call i32 %thread_number()
  %number = sext i32 %thread to i64
  %has_part = icmp slt i64 %number, %count
  br i1 %has_part, label %look, label %end
look:
  %is_first = icmp eq i64 %number, 0
  br i1 %is_first, label %run, label %find
find:
  {BOX_OF_NUMBER}
  {field("arena")}
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
BORROW = f"""\
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
  {word("parallel", "ptr")}
  {word("most_threads", "ptr")}
  %most = call i32 %most_threads()
  call void %parallel(ptr @member, ptr %context, i32 %most, i32 0)
  br label %each
each:
  %number = phi i64 [ 0, %entry ], [ %following, %ended ]
  {ANY_OF_NUMBER}
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
