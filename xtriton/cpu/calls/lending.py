"""
Tensors that their library lends to machine code, without a method of Python for each fact.

A type of tensors may say by DLPack's `__dlpack_c_exchange_api__` what fills a `DLTensor` with the
place, shape and strides of one; PyTorch's has it from 2.10 on. A tensor of any other type, or one
that is not lent, is asked by its methods.

Source: `dlpack.h` of DLPack 1.3, `DLPackExchangeAPI` and `DLTensor`.
"""

import ctypes
from typing import Any

from xtriton.cpu.calls.names import item

VIEW_BYTES = 48
"""The size of a `DLTensor`."""
_FIELDS = {"data": 0, "device": 8, "dimensions": 16, "type": 20, "shape": 24, "strides": 32}
_FIELDS["byte_offset"] = 40
_CPU = 1
"""`kDLCPU`."""
_MAJOR = 1
"""The version of the interface that is known here."""
_CAPSULE = b"dlpack_exchange_api"


class _Interface(ctypes.Structure):
    """`DLPackExchangeAPI`."""

    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("older", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("managed_from", ctypes.c_void_p),
        ("managed_to", ctypes.c_void_p),
        ("tensor_from", ctypes.c_void_p),
        ("stream", ctypes.c_void_p),
    )


def lender(type: type | None) -> int:
    """Return the address of what lends tensors of exactly this type, 0 if there is nothing."""
    capsule = getattr(type, "__dlpack_c_exchange_api__", None)
    if capsule is None or ctypes.sizeof(ctypes.c_void_p) != 8:
        return 0
    try:
        pointer: Any = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        found = _Interface.from_address(pointer(capsule, _CAPSULE))
    except (AttributeError, ValueError):  # another Python, or another capsule
        return 0
    return (found.tensor_from or 0) if found.major == _MAJOR else 0


def _field(name: str, type: str) -> str:
    return f"""\
%{name}_at = getelementptr i8, ptr %view, i64 {_FIELDS[name]}
  %{name} = load {type}, ptr %{name}_at"""


TEXT = f"""\
; Where a tensor on the CPU begins and ends that its library lends.
define internal i1 @lent(ptr %self, i64 %lender, ptr %tensor, ptr %begin_at, ptr %end_at) {{
entry:
  %view = alloca [{VIEW_BYTES} x i8], align 8
  %may_be = icmp ne i64 %lender, 0
  br i1 %may_be, label %ask_type, label %no
ask_type:
  {item("lent_type")}
  %is_known = call i1 @is_of(ptr %tensor, ptr %lent_type)
  br i1 %is_known, label %ask, label %no
ask:
  %lend = inttoptr i64 %lender to ptr
  %refusal = call i32 %lend(ptr %tensor, ptr %view)
  %refuses = icmp ne i32 %refusal, 0
  br i1 %refuses, label %forget, label %look
forget:
  call void @PyErr_Clear()
  br label %no
look:
  {_field("device", "i32")}
  {_field("strides", "ptr")}
  {_field("dimensions", "i32")}
  %is_here = icmp eq i32 %device, {_CPU}
  %has_strides = icmp ne ptr %strides, null
  %is_number = icmp eq i32 %dimensions, 0
  %has_layout = or i1 %has_strides, %is_number
  %is_clear = and i1 %is_here, %has_layout
  br i1 %is_clear, label %measure, label %no
measure:
  {_field("data", "i64")}
  {_field("byte_offset", "i64")}
  {_field("type", "i32")}
  {_field("shape", "ptr")}
  %begin = add i64 %data, %byte_offset
  store i64 %begin, ptr %begin_at
  %shifted = lshr i32 %type, 8
  %bits = and i32 %shifted, 255
  %lanes = lshr i32 %type, 16
  %all_bits = mul i32 %bits, %lanes
  %padded_bits = add i32 %all_bits, 7
  %item_bytes = lshr i32 %padded_bits, 3
  %bytes = zext i32 %item_bytes to i64
  %count = zext i32 %dimensions to i64
  br label %head
head:
  %axis = phi i64 [ 0, %measure ], [ %axis_next, %body ]
  %last = phi i64 [ 0, %measure ], [ %last_next, %body ]
  %any = phi i1 [ true, %measure ], [ %any_next, %body ]
  %more = icmp ult i64 %axis, %count
  br i1 %more, label %body, label %ended
body:
  %extent_at = getelementptr i64, ptr %shape, i64 %axis
  %extent = load i64, ptr %extent_at
  %stride_at = getelementptr i64, ptr %strides, i64 %axis
  %stride = load i64, ptr %stride_at
  %steps = sub i64 %extent, 1
  %reached = mul i64 %steps, %stride
  %last_next = add i64 %last, %reached
  %is_some = icmp sgt i64 %extent, 0
  %any_next = and i1 %any, %is_some
  %axis_next = add i64 %axis, 1
  br label %head
ended:
  %elements = add i64 %last, 1
  %size = mul i64 %elements, %bytes
  %reach = select i1 %any, i64 %size, i64 0
  %end = add i64 %begin, %reach
  store i64 %end, ptr %end_at
  ret i1 true
no:
  ret i1 false
}}
"""
