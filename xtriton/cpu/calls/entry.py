"""
The code between Python and the function that launches a kernel, as LLVM IR.

It is a function of `METH_FASTCALL`: its self is a tuple of `ITEMS`, its arguments are `LEADING` and
those of the kernel. It reads them as the plan says, whose words are `WORDS` and the kind of each
argument of the kernel, and makes a job (`emitter.job`) on its own stack.
"""

from xtriton import abi
from xtriton.cpu.calls import arguments, sharing
from xtriton.cpu.calls.names import (
    ITEMS,
    LEADING,
    OFFSETS,
    WORDS,
    argument,
    item,
    limit,
    put,
    split,
    word,
)
from xtriton.cpu.calls.sharing import STOPPED
from xtriton.cpu.job import JOB_BYTES
from xtriton.cpu.team_code.places import ALONE, ENDED

ENTRY = "xtriton_launch"

WHOLE, REST = ITEMS.index("whole"), ITEMS.index("rest")


def _axis(axis: str, following: str) -> str:
    return f"""\
{axis}_axis:
  {argument(axis)}
  %{axis}_fits = call i1 @axis(ptr %{axis}, ptr %{axis}_size_at)
  br i1 %{axis}_fits, label %{following}, label %failed
"""


_LAUNCH = f"""\
@turn = internal global i32 0

define ptr @{ENTRY}(ptr %self, ptr %arguments, i64 %count) {{
entry:
  %x_size_at = alloca i64
  %y_size_at = alloca i64
  %z_size_at = alloca i64
  %code_at = alloca i64
  {item("plan")}
  {item("general")}
  {item("none")}
  %words = call ptr @PyBytes_AsString(ptr %plan)
  {word("arguments")}
  %are_all = icmp eq i64 %count, %plan_arguments
  br i1 %are_all, label %hooks, label %general_way
hooks:
  {argument("enter")}
  {argument("leave")}
  %no_enter = call i1 @silent(ptr %self, ptr %enter)
  br i1 %no_enter, label %leaving, label %failed
leaving:
  %no_leave = call i1 @silent(ptr %self, ptr %leave)
  br i1 %no_leave, label %x_axis, label %failed
{_axis("x", "y_axis")}{_axis("y", "z_axis")}{_axis("z", "product")}product:
  %x_size = load i64, ptr %x_size_at
  %y_size = load i64, ptr %y_size_at
  %z_size = load i64, ptr %z_size_at
  %plane = mul i64 %x_size, %y_size
  %plane_fits = icmp ule i64 %plane, {abi.MOST_PROGRAMS}
  %total = mul i64 %plane, %z_size
  %total_fits = icmp ule i64 %total, {abi.MOST_PROGRAMS}
  %fits = and i1 %plane_fits, %total_fits
  br i1 %fits, label %find, label %general_way
find:
  {argument("function")}
  {item("address")}
  %code_object = call ptr @PyObject_GetAttr(ptr %function, ptr %address)
  %is_code = call i1 @new_integer(ptr %code_object, ptr %code_at)
  br i1 %is_code, label %make, label %failed
make:
  {word("bytes")}
  {word("aliases")}
  {word("arena_bytes")}
  {word("arena_of_main")}
  {word("lender")}
  {word("limits")}
  {word("cores")}
  {word("team")}
  {word("split")}
  {split("bands")}
  %is_split = icmp ugt i64 %split_bands, 1
  %split_aliases = zext i1 %is_split to i64
  %asked_aliases = or i64 %plan_aliases, %split_aliases
  %job = alloca i8, i64 %plan_bytes, align 16
  call void @llvm.memset.p0.i64(ptr %job, i8 0, i64 %plan_bytes, i1 false)
  {put("i64", "total", "total")}
  {put("i64", "total", "chunk")}
  %x_programs = trunc i64 %x_size to i32
  %y_programs = trunc i64 %y_size to i32
  %z_programs = trunc i64 %z_size to i32
  {put("i32", "x_programs", "size0")}
  {put("i32", "y_programs", "size1")}
  {put("i32", "z_programs", "size2")}
  %overlap_at = getelementptr i8, ptr %job, i64 {OFFSETS["overlap"]}
  %slots = getelementptr i8, ptr %job, i64 {JOB_BYTES}
  %objects = getelementptr ptr, ptr %arguments, i64 {len(LEADING)}
  %own = sub i64 %count, {len(LEADING)}
  %kinds = getelementptr i64, ptr %words, i64 {len(WORDS)}
  %filled = call i1 @fill(ptr %self, ptr %objects, i64 %own, i64 %asked_aliases,
    i64 %plan_lender, ptr %kinds, ptr %slots, ptr %overlap_at)
  br i1 %filled, label %look_split, label %failed
look_split:
  %overlap = load i32, ptr %overlap_at
  br i1 %is_split, label %ask_split, label %choose
ask_split:
  %split_most = call i64 @threads(ptr %self, i64 %plan_cores, i64 %plan_team)
  %split_total = mul i64 %total, %split_bands
  %split_fits = icmp ule i64 %split_total, %split_most
  %is_apart = icmp eq i32 %overlap, 0
  %takes_split = and i1 %split_fits, %is_apart
  br i1 %takes_split, label %take_split, label %choose
take_split:
  {split("code")}
  {split("arena_bytes")}
  {split("limits")}
  store i64 %split_code, ptr %code_at
  store i64 %split_total, ptr %job_total_at
  store i64 %split_total, ptr %job_chunk_at
  %split_x_size = mul i64 %x_size, %split_bands
  %split_x_programs = trunc i64 %split_x_size to i32
  store i32 %split_x_programs, ptr %job_size0_at
  br label %choose
choose:
  %programs = phi i64 [ %total, %look_split ], [ %total, %ask_split ], [ %split_total, %take_split ]
  %arena_bytes = phi i64 [ %plan_arena_bytes, %look_split ], [ %plan_arena_bytes, %ask_split ],
    [ %split_arena_bytes, %take_split ]
  %limits = phi i64 [ %plan_limits, %look_split ], [ %plan_limits, %ask_split ],
    [ %split_limits, %take_split ]
  {item("watching")}
  %watchers = call i64 @PyList_Size(ptr %watching)
  %is_watched = icmp ne i64 %watchers, 0
  br i1 %is_watched, label %in_python, label %turn_around
turn_around:
  {word("returning_from")}
  {word("returning_sizes")}
  %beyond_least = sub i64 %programs, %plan_returning_from
  %may_return = icmp ult i64 %beyond_least, %plan_returning_sizes
  %turn = load i32, ptr @turn
  %odd = and i32 %turn, 1
  %is_turn = icmp ugt i32 %odd, %overlap
  %returns = and i1 %is_turn, %may_return
  %back = sext i1 %returns to i32
  {put("i32", "back", "back")}
  %turns = zext i1 %may_return to i32
  %turn_next = add i32 %turn, %turns
  store i32 %turn_next, ptr @turn
  br label %measure
measure:
  {limit("per_thread")}
  %shares = udiv i64 %programs, %per_thread
  %is_short = icmp ult i64 %shares, 2
  br i1 %is_short, label %find_arena, label %ask
ask:
  %most = call i64 @threads(ptr %self, i64 %plan_cores, i64 %plan_team)
  %sharing = call i64 @llvm.umin.i64(i64 %most, i64 %shares)
  %is_single = icmp ule i64 %most, 1
  br i1 %is_single, label %find_arena, label %trust
trust:
  {limit("trusted")}
  %is_trusted = icmp sgt i64 %trusted, 0
  br i1 %is_trusted, label %count_down, label %in_python
count_down:
  %trusted_next = sub i64 %trusted, 1
  store i64 %trusted_next, ptr %trusted_at
  br label %find_arena
find_arena:
  %threads = phi i64 [ 1, %measure ], [ 1, %ask ], [ %sharing, %count_down ]
  %needs_arena = icmp ne i64 %arena_bytes, 0
  br i1 %needs_arena, label %look_near, label %run
look_near:
  %owner_at = inttoptr i64 %plan_arena_of_main to ptr
  %owner = load i64, ptr %owner_at
  %near_bytes_at = getelementptr i64, ptr %owner_at, i64 1
  %near_bytes = load i64, ptr %near_bytes_at
  %near_at = getelementptr i64, ptr %owner_at, i64 2
  %near = load ptr, ptr %near_at
  %own_identity = call i64 @PyThread_get_thread_ident()
  %is_owner = icmp eq i64 %own_identity, %owner
  %is_large = icmp uge i64 %near_bytes, %arena_bytes
  %is_near = and i1 %is_owner, %is_large
  br i1 %is_near, label %run, label %get_arena
get_arena:
  {item("arena")}
  %arena_size = call ptr @PyLong_FromLongLong(i64 %arena_bytes)
  %arena_object = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(
    ptr %arena, ptr %arena_size, ptr null)
  call void @Py_DecRef(ptr %arena_size)
  %no_arena = icmp eq ptr %arena_object, null
  br i1 %no_arena, label %raised, label %has_arena
has_arena:
  %arena_address = call ptr @PyLong_AsVoidPtr(ptr %arena_object)
  call void @Py_DecRef(ptr %arena_object)
  br label %run
run:
  %memory = phi ptr [ null, %find_arena ], [ %near, %look_near ], [ %arena_address, %has_arena ]
  %code_address = load i64, ptr %code_at
  %code = inttoptr i64 %code_address to ptr
  %is_shared = icmp ugt i64 %threads, 1
  br i1 %is_shared, label %share, label %look_kept
look_kept:
  {word("kept")}
  %is_kept = icmp ule i64 %programs, %plan_kept
  %has_place = icmp eq i32 %overlap, 0
  %may_step = and i1 %may_return, %has_place
  %steps = and i1 %may_step, %is_kept
  br i1 %steps, label %step_back, label %alone
step_back:
  {word("step")}
  %wide_turn = zext i32 %turn to i64
  %all_steps = mul i64 %wide_turn, %plan_step
  %last_wide = urem i64 %all_steps, %programs
  %last = trunc i64 %last_wide to i32
  store i32 %last, ptr %job_back_at
  br label %alone
share:
  {limit("most_asleep")}
  %wakes_nobody = icmp ule i64 %programs, %most_asleep
  %state = call i32 @share(ptr %code, ptr %job, i64 %plan_bytes, i64 %threads, ptr %memory,
    i64 %arena_bytes, i1 %wakes_nobody, i64 %plan_team)
  switch i32 %state, label %in_python [
    i32 {ENDED}, label %gathered
    i32 {ALONE}, label %alone
    i32 {STOPPED}, label %raised
  ]
gathered:
  %gathered_status_at = getelementptr i8, ptr %job, i64 {OFFSETS["status"]}
  %gathered_status = load i32, ptr %gathered_status_at
  %has_failed = icmp ne i32 %gathered_status, 0
  br i1 %has_failed, label %in_python, label %done
alone:
  %thread = call ptr @PyEval_SaveThread()
  %returned_status = call i32 %code(ptr %job, ptr %memory)
  call void @PyEval_RestoreThread(ptr %thread)
  %has_ended = icmp eq i32 %returned_status, 0
  br i1 %has_ended, label %done, label %reconsider
reconsider:
  %is_through = call i1 @is_through(ptr %job)
  br i1 %is_through, label %look_why, label %in_python
look_why:
  br i1 %is_shared, label %done, label %ask_again
ask_again:
  %allowed = call i64 @threads(ptr %self, i64 %plan_cores, i64 %plan_team)
  %most_now = call i64 @llvm.umin.i64(i64 %allowed, i64 %programs)
  %is_single_now = icmp ule i64 %most_now, 1
  br i1 %is_single_now, label %look_undecided, label %in_python
look_undecided:
  %is_undecided = icmp eq i64 %split_bands, 0
  %has_others = icmp ugt i64 %allowed, 1
  %considers = and i1 %is_undecided, %has_others
  br i1 %considers, label %in_python, label %done
done:
  call void @Py_IncRef(ptr %none)
  ret ptr %none
in_python:
  %which = phi i64 [ {WHOLE}, %choose ], [ {WHOLE}, %trust ], [ {WHOLE}, %share ],
    [ {REST}, %gathered ], [ {REST}, %reconsider ], [ {REST}, %ask_again ],
    [ {REST}, %look_undecided ]
  %called = call ptr @PyTuple_GetItem(ptr %self, i64 %which)
  %block = call ptr @PyBytes_FromStringAndSize(ptr %job, i64 %plan_bytes)
  %no_block = icmp eq ptr %block, null
  br i1 %no_block, label %raised, label %call
call:
  %returned = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(
    ptr %called, ptr %function, ptr %block, ptr %x, ptr %y, ptr %z, ptr null)
  call void @Py_DecRef(ptr %block)
  ret ptr %returned
failed:
  %error = call ptr @PyErr_Occurred()
  %is_error = icmp ne ptr %error, null
  br i1 %is_error, label %look, label %general_way
look:
  %ordinary = load ptr, ptr @PyExc_Exception
  %matches = call i32 @PyErr_ExceptionMatches(ptr %ordinary)
  %is_ordinary = icmp ne i32 %matches, 0
  br i1 %is_ordinary, label %forget, label %raised
forget:
  call void @PyErr_Clear()
  br label %general_way
general_way:
  %result = call ptr @PyObject_Vectorcall(ptr %general, ptr %arguments, i64 %count, ptr null)
  ret ptr %result
raised:
  ret ptr null
}}
"""

TEXT = "\n".join([arguments.TEXT, sharing.TEXT, _LAUNCH])
