"""The parts of a job: made, run and gathered."""

from xtriton.cpu.team_code.places import (
    ANY_OF_NUMBER,
    JOB_OF_NUMBER,
    job_field,
    next_number_or,
    numbers_from,
)

CHUNKS_PER_THREAD = 8
"""A job is handed out in so many chunks per thread, so that all end at about the same time."""

WORK = f"""\
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
  {ANY_OF_NUMBER}
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
SPLIT = f"""\
; Make so many copies of a job, each with an equal part of its programs, which are those of the
; same copy where a job begins with its last programs.
define internal void @split(ptr %whole, i64 %bytes, ptr %jobs, i64 %stride, i64 %count) {{
entry:
  {job_field("next", "whole")}
  {job_field("total", "whole")}
  %begin = load i64, ptr %whole_next_at
  %end = load i64, ptr %whole_total_at
  %left = sub i64 %end, %begin
  %chunks = mul i64 %count, {CHUNKS_PER_THREAD}
  %even_chunk = udiv i64 %left, %chunks
  %chunk = call i64 @llvm.umax.i64(i64 %even_chunk, i64 1)
  {job_field("back", "whole")}
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
  {JOB_OF_NUMBER}
  call void @llvm.memcpy.p0.p0.i64(ptr %job, ptr %whole, i64 %bytes, i1 false)
  {job_field("next")}
  store i64 %next, ptr %job_next_at
  {job_field("total")}
  store i64 %total, ptr %job_total_at
  {job_field("chunk")}
  store i64 %chunk, ptr %job_chunk_at
  %more = icmp slt i64 %following, %count
  br i1 %more, label %each, label %done
done:
  ret void
}}
"""
GATHER = f"""\
; Say in a job what became of its parts.
define internal void @gather(ptr %whole, ptr %jobs, i64 %stride, i64 %count) {{
entry:
  {job_field("next", "whole")}
  {job_field("total", "whole")}
  %end = load i64, ptr %whole_total_at
  store i64 %end, ptr %whole_next_at
  br label %each
each:
  {numbers_from(0, "looked")}
  {JOB_OF_NUMBER}
  {job_field("status")}
  %status = load i32, ptr %job_status_at
  %fails = icmp ne i32 %status, 0
  br i1 %fails, label %note, label %looked
note:
  {job_field("status", "whole")}
  store i32 %status, ptr %whole_status_at
  {job_field("failed")}
  %failed = load i64, ptr %job_failed_at
  {job_field("failed", "whole")}
  store i64 %failed, ptr %whole_failed_at
  br label %looked
looked:
  {next_number_or("done")}
done:
  ret void
}}
"""
