"""Threads of OpenMP that are lent to launches, in parallel regions."""

from xtriton.cpu.team_code.places import (
    ANY_OF_NUMBER,
    BOX_OF_NUMBER,
    field,
    next_number_or,
    numbers_from,
    word,
)

_CONTEXT = {
    **{"team": "ptr", "function": "ptr", "jobs": "ptr"},
    **{"stride": "i64", "count": "i64", "own": "ptr"},
}
"""What a region is told: what `launch` was given, and the arena of its thread."""
CONTEXT_TYPE = f"%context = type {{ {', '.join(_CONTEXT.values())} }}\n"


def _fields(access: str) -> str:
    """Return what gets the addresses of all fields of a context, and does something with each."""
    lines: list[str] = []
    for number, (name, type) in enumerate(_CONTEXT.items()):
        address = f"getelementptr %context, ptr %context, i32 0, i32 {number}"
        lines += [f"%{name}_in = {address}", access.format(name=name, type=type)]
    return "\n  ".join(lines)


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
  {_fields("%{name} = load {type}, ptr %{name}_in")}
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
  {_fields("store {type} %{name}, ptr %{name}_in")}
  {word("parallel", "ptr")}
  {word("most_threads", "ptr")}
  %most = call i32 %most_threads()
  call void %parallel(ptr @member, ptr %context, i32 %most, i32 0)
  br label %each
each:
  {numbers_from(0, "ended")}
  {ANY_OF_NUMBER}
  br i1 %any, label %left, label %ended
left:
  ret i1 true
ended:
  {next_number_or("end")}
end:
  ret i1 false
}}
"""
