"""
Arguments from Python to the slots of a job, as LLVM IR.

It asks nothing but the stable part of CPython's interface.
"""

from xtriton import abi
from xtriton.cpu.calls import lending
from xtriton.cpu.calls.names import F32, F64, INTEGER, NOTHING, READ, WRITTEN, item

_DECLARED = """\
declare ptr @PyTuple_GetItem(ptr, i64)
declare i64 @PyList_Size(ptr)
declare ptr @PyBytes_AsString(ptr)
declare ptr @PyBytes_FromStringAndSize(ptr, i64)
declare i64 @PyLong_AsLongLong(ptr)
declare ptr @PyLong_AsVoidPtr(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare double @PyFloat_AsDouble(ptr)
declare i32 @PyObject_IsTrue(ptr)
declare ptr @PyObject_Type(ptr)
declare ptr @PyObject_GetAttr(ptr, ptr)
declare ptr @PyObject_CallFunctionObjArgs(ptr, ...)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyObject_VectorcallMethod(ptr, ptr, i64, ptr)
declare ptr @PyErr_Occurred()
declare i32 @PyErr_ExceptionMatches(ptr)
declare void @PyErr_Clear()
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare i64 @PyThread_get_thread_ident()
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.umax.i64(i64, i64)
@PyExc_Exception = external global ptr
"""


def _number(name: str, convert: str, equal: str, odd: str) -> str:
    """Return a function that converts an object to a number; `odd` may stand for an exception."""
    kind = convert.partition(" ")[0]
    return f"""\
define internal i1 @{name}(ptr %object, ptr %to) {{
  %value = call {convert}(ptr %object)
  store {kind} %value, ptr %to
  %odd = {equal} %value, {odd}
  br i1 %odd, label %ask, label %stored
ask:
  %error = call ptr @PyErr_Occurred()
  %right = icmp eq ptr %error, null
  ret i1 %right
stored:
  ret i1 true
}}"""


_READING = f"""\
; Each returns whether it stored the value; where it did not, an exception may be set.
{_number("integer", "i64 @PyLong_AsLongLong", "icmp eq i64", "-1")}

{_number("real", "double @PyFloat_AsDouble", "fcmp oeq double", "-1.0")}

; These two take what a call returned, and give it back to Python.
define internal i1 @new_integer(ptr %object, ptr %to) {{
  %missing = icmp eq ptr %object, null
  br i1 %missing, label %failed, label %found
found:
  %stored = call i1 @integer(ptr %object, ptr %to)
  call void @Py_DecRef(ptr %object)
  ret i1 %stored
failed:
  ret i1 false
}}

define internal i1 @new_truth(ptr %object) {{
  %missing = icmp eq ptr %object, null
  br i1 %missing, label %failed, label %found
found:
  %truth = call i32 @PyObject_IsTrue(ptr %object)
  call void @Py_DecRef(ptr %object)
  %true = icmp sgt i32 %truth, 0
  ret i1 %true
failed:
  ret i1 false
}}

; An axis of a grid: from 1 on, and below 2^31.
define internal i1 @axis(ptr %object, ptr %to) {{
  %stored = call i1 @integer(ptr %object, ptr %to)
  br i1 %stored, label %check, label %failed
check:
  %size = load i64, ptr %to
  %below = sub i64 %size, 1
  %fits = icmp ult i64 %below, {abi.MOST_PROGRAMS}
  ret i1 %fits
failed:
  ret i1 false
}}
"""

_HOOKS = f"""\
; Whether an object is of exactly this type, which somebody else holds.
define internal i1 @is_of(ptr %object, ptr %wanted) {{
  %type = call ptr @PyObject_Type(ptr %object)
  call void @Py_DecRef(ptr %type)
  %is = icmp eq ptr %type, %wanted
  ret i1 %is
}}

; Whether a hook is none, or a chain of no hooks.
define internal i1 @silent(ptr %self, ptr %hook) {{
  {item("none")}
  %is_none = icmp eq ptr %hook, %none
  br i1 %is_none, label %yes, label %ask_type
yes:
  ret i1 true
ask_type:
  {item("chain")}
  %is_chain = call i1 @is_of(ptr %hook, ptr %chain)
  br i1 %is_chain, label %count, label %no
count:
  {item("calls")}
  %list = call ptr @PyObject_GetAttr(ptr %hook, ptr %calls)
  %missing = icmp eq ptr %list, null
  br i1 %missing, label %no, label %found
found:
  %size = call i64 @PyList_Size(ptr %list)
  call void @Py_DecRef(ptr %list)
  %is_empty = icmp eq i64 %size, 0
  ret i1 %is_empty
no:
  ret i1 false
}}
"""

_MEMORY = f"""\
; The address of a tensor on the CPU, and of its end or 0 if that is not known.
define internal i1 @address(ptr %self, i64 %lender, ptr %tensor_at, ptr %to, ptr %end_to) {{
  %tensor = load ptr, ptr %tensor_at
  %is_lent = call i1 @lent(ptr %self, i64 %lender, ptr %tensor, ptr %to, ptr %end_to)
  br i1 %is_lent, label %lent, label %asked
lent:
  ret i1 true
asked:
  store i64 0, ptr %end_to
  {item("is_cpu")}
  %is_object = call ptr @PyObject_GetAttr(ptr %tensor, ptr %is_cpu)
  %is = call i1 @new_truth(ptr %is_object)
  br i1 %is, label %here, label %failed
here:
  {item("data_ptr")}
  %number = call ptr @PyObject_VectorcallMethod(ptr %data_ptr, ptr %tensor_at, i64 1, ptr null)
  %stored = call i1 @new_integer(ptr %number, ptr %to)
  ret i1 %stored
failed:
  ret i1 false
}}

; Adds whether a tensor at %lower reaches beyond %upper, to %known_end if that is not 0. Where a
; view with gaps ends is not told else.
define internal i1 @reaches(
  ptr %self, ptr %tensor_at, i64 %lower, i64 %known_end, i64 %upper, ptr %to
) {{
  %bytes_at = alloca i64
  %is_known = icmp ne i64 %known_end, 0
  br i1 %is_known, label %compare, label %ask
ask:
  {item("is_contiguous")}
  %is_object = call ptr @PyObject_VectorcallMethod(
    ptr %is_contiguous, ptr %tensor_at, i64 1, ptr null)
  %is = call i1 @new_truth(ptr %is_object)
  br i1 %is, label %dense, label %failed
dense:
  {item("nbytes")}
  %tensor = load ptr, ptr %tensor_at
  %number = call ptr @PyObject_GetAttr(ptr %tensor, ptr %nbytes)
  %stored = call i1 @new_integer(ptr %number, ptr %bytes_at)
  br i1 %stored, label %told, label %failed
told:
  %bytes = load i64, ptr %bytes_at
  %told_end = add i64 %lower, %bytes
  br label %compare
compare:
  %end = phi i64 [ %known_end, %0 ], [ %told_end, %told ]
  %beyond = icmp ugt i64 %end, %upper
  %flag = zext i1 %beyond to i32
  %before = load i32, ptr %to
  %after = or i32 %before, %flag
  store i32 %after, ptr %to
  ret i1 true
failed:
  ret i1 false
}}

; Adds whether argument %number may be the memory of one before it, one of the two being written.
define internal i1 @shares(
  ptr %self, ptr %kinds, ptr %objects, ptr %addresses, ptr %ends, i64 %number, ptr %to
) {{
entry:
  %kind_at = getelementptr i64, ptr %kinds, i64 %number
  %kind = load i64, ptr %kind_at
  %object_at = getelementptr ptr, ptr %objects, i64 %number
  %address_at = getelementptr i64, ptr %addresses, i64 %number
  %address = load i64, ptr %address_at
  br label %head
head:
  %other = phi i64 [ 0, %entry ], [ %other_next, %next ]
  %more = icmp ult i64 %other, %number
  br i1 %more, label %body, label %ended
body:
  %other_kind_at = getelementptr i64, ptr %kinds, i64 %other
  %other_kind = load i64, ptr %other_kind_at
  %is_memory = icmp uge i64 %other_kind, {READ}
  %larger = call i64 @llvm.umax.i64(i64 %kind, i64 %other_kind)
  %is_written = icmp eq i64 %larger, {WRITTEN}
  %counts = and i1 %is_memory, %is_written
  br i1 %counts, label %compare, label %next
compare:
  %other_object_at = getelementptr ptr, ptr %objects, i64 %other
  %other_address_at = getelementptr i64, ptr %addresses, i64 %other
  %other_address = load i64, ptr %other_address_at
  %first = icmp ult i64 %address, %other_address
  %lower_at = select i1 %first, ptr %object_at, ptr %other_object_at
  %lower = select i1 %first, i64 %address, i64 %other_address
  %upper = select i1 %first, i64 %other_address, i64 %address
  %lower_number = select i1 %first, i64 %number, i64 %other
  %end_at = getelementptr i64, ptr %ends, i64 %lower_number
  %end = load i64, ptr %end_at
  %told = call i1 @reaches(ptr %self, ptr %lower_at, i64 %lower, i64 %end, i64 %upper, ptr %to)
  br i1 %told, label %next, label %failed
next:
  %other_next = add i64 %other, 1
  br label %head
ended:
  ret i1 true
failed:
  ret i1 false
}}
"""

_SLOTS = f"""\
; Fills the slots behind the job, and tells in %overlap if memory that is written is shared.
define internal i1 @fill(
  ptr %self, ptr %objects, i64 %count, i64 %aliases, i64 %lender, ptr %kinds, ptr %slots,
  ptr %overlap
) {{
entry:
  %addresses = alloca i64, i64 %count
  %ends = alloca i64, i64 %count
  %double_at = alloca double
  %asks = icmp ne i64 %aliases, 0
  br label %head
head:
  %number = phi i64 [ 0, %entry ], [ %number_next, %next ]
  %slot = phi ptr [ %slots, %entry ], [ %slot_next, %next ]
  %more = icmp ult i64 %number, %count
  br i1 %more, label %body, label %ended
body:
  %kind_at = getelementptr i64, ptr %kinds, i64 %number
  %kind = load i64, ptr %kind_at
  %object_at = getelementptr ptr, ptr %objects, i64 %number
  %object = load ptr, ptr %object_at
  switch i64 %kind, label %memory [
    i64 {NOTHING}, label %next
    i64 {INTEGER}, label %whole
    i64 {F32}, label %real
    i64 {F64}, label %real
  ]
whole:
  %is_whole = call i1 @integer(ptr %object, ptr %slot)
  br i1 %is_whole, label %next, label %failed
real:
  %is_real = call i1 @real(ptr %object, ptr %double_at)
  br i1 %is_real, label %rounded, label %failed
rounded:
  %double = load double, ptr %double_at
  %single = fptrunc double %double to float
  %is_double = icmp eq i64 %kind, {F64}
  br i1 %is_double, label %put_double, label %put_single
put_double:
  store double %double, ptr %slot
  br label %next
put_single:
  store float %single, ptr %slot
  br label %next
memory:
  %address_at = getelementptr i64, ptr %addresses, i64 %number
  %end_at = getelementptr i64, ptr %ends, i64 %number
  %is_here = call i1 @address(
    ptr %self, i64 %lender, ptr %object_at, ptr %address_at, ptr %end_at)
  br i1 %is_here, label %put_address, label %failed
put_address:
  %address = load i64, ptr %address_at
  store i64 %address, ptr %slot
  br i1 %asks, label %compare, label %next
compare:
  %told = call i1 @shares(
    ptr %self, ptr %kinds, ptr %objects, ptr %addresses, ptr %ends, i64 %number, ptr %overlap)
  br i1 %told, label %next, label %failed
next:
  %number_next = add i64 %number, 1
  %is_present = icmp ne i64 %kind, {NOTHING}
  %step = zext i1 %is_present to i64
  %slot_next = getelementptr i64, ptr %slot, i64 %step
  br label %head
ended:
  ret i1 true
failed:
  ret i1 false
}}
"""

TEXT = "\n".join([_DECLARED, _READING, _HOOKS, lending.TEXT, _MEMORY, _SLOTS])
