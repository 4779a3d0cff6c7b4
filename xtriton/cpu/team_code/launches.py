"""Launches: who has the team, and on whose threads one runs."""

from xtriton.cpu.team_code.places import (
    ALONE,
    ASLEEP,
    BUSY,
    ENDED,
    HEADER,
    HEADER_BYTES,
    JOB_OF_NUMBER,
    LEFT,
    job_field,
    next_number_or,
    numbers_from,
    word,
)

TAKE = """\
; Return whether the team is had now, which nobody else had.
define i1 @take(ptr %team) {
  %taken = cmpxchg ptr %team, i32 0, i32 1 acquire monotonic
  %takes = extractvalue { i32, i1 } %taken, 1
  ret i1 %takes
}
"""
GIVE = f"""\
; Leave the team to others.
define void @give(ptr %team) {{
  %now = CLOCK
  {word("ended")}
  store i64 %now, ptr %ended_at
  store atomic i32 0, ptr %team release, align 4
  ret void
}}
"""
_PARAMETERS = """\
ptr %team, ptr %function, ptr %job, i64 %bytes, ptr %jobs, i64 %stride,
    i64 %count, ptr %arena"""
AGAIN = f"""\
define i32 @again({_PARAMETERS}) {{
entry:
  {word("lent")}
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
LAUNCH = f"""\
; What is short wakes helpers only where launches follow one another, and seldom: once they are
; awake they stay so for the next, unless others have their cores.
define i32 @launch({_PARAMETERS}, i64 %needed_bytes,
    i1 zeroext %is_short) {{
entry:
  %takes = call i1 @take(ptr %team)
  br i1 %takes, label %look, label %busy
look:
  {word("helpers")}
  {word("arena_bytes")}
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
  {word("ended")}
  %idle = sub i64 %now, %ended
  %follows = icmp ult i64 %idle, TICKS
  {word("woken")}
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
STOP = f"""\
; Begin no more programs, and wait for those that have begun.
define void @stop(ptr %team, ptr %jobs, i64 %stride, i64 %count) {{
entry:
  br label %each
each:
  {numbers_from(0, "each")}
  {JOB_OF_NUMBER}
  {job_field("total")}
  %total = load i64, ptr %job_total_at
  {job_field("next")}
  store atomic i64 %total, ptr %job_next_at monotonic, align 8
  {next_number_or("wait")}
wait:
  %late = call i1 @join(ptr %team, i64 %count)
  br i1 %late, label %wait, label %end
end:
  call void @give(ptr %team)
  ret void
}}
"""
