"""
Launching functions as Python's own kind of function, which cost half of what ctypes takes a call.

The code in between is generated as kernels are; it uses the stable part of CPython's interface.
"""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from xtriton.cpu import jit

_ENTRY = "xtriton_call"
_TEXT = f"""\
declare ptr @PyLong_AsVoidPtr(ptr)
declare ptr @PyBytes_AsString(ptr)
declare ptr @PyLong_FromLong(i64)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)

define ptr @{_ENTRY}(ptr %self, ptr %arguments, i64 %count) {{
  %job_object = load ptr, ptr %arguments
  %job = call ptr @PyBytes_AsString(ptr %job_object)
  %is_wrong = icmp eq ptr %job, null
  br i1 %is_wrong, label %wrong, label %right
wrong:
  ret ptr null
right:
  %function = call ptr @PyLong_AsVoidPtr(ptr %self)
  %arena_at = getelementptr ptr, ptr %arguments, i64 1
  %arena_object = load ptr, ptr %arena_at
  %arena = call ptr @PyLong_AsVoidPtr(ptr %arena_object)
  %thread = call ptr @PyEval_SaveThread()
  %returned = call i32 %function(ptr %job, ptr %arena)
  call void @PyEval_RestoreThread(ptr %thread)
  %wide = sext i32 %returned to i64
  %result = call ptr @PyLong_FromLong(i64 %wide)
  ret ptr %result
}}
"""
_FASTCALL = 0x80
"""`METH_FASTCALL`: arguments come as an array."""


class _Definition(ctypes.Structure):
    """`PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("code", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("documentation", ctypes.c_char_p),
    )


def quick(function: Any, address: int) -> Callable[[bytes, int], int]:
    """
    Return what calls the launching function at `address` with a job and an arena, 0 for none.

    It does not keep the code alive. Where it cannot be made, this is `function` itself, as ctypes
    calls it.
    """
    make = _maker()
    return function if make is None else make(address)


@cache
def _maker() -> Callable[[int], Any] | None:
    try:
        code = jit.load(_TEXT, [_ENTRY])
        new: Any = ctypes.pythonapi.PyCFunction_NewEx
    except (AttributeError, RuntimeError):  # another Python, or one that hides its interface
        return None
    new.restype, new.argtypes = (
        ctypes.py_object,
        (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p),
    )
    definition = _Definition(_ENTRY.encode(), code.addresses[_ENTRY], _FASTCALL, None)
    # The functions look into it even as they go, which may be after this module.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object((code, definition)))
    place = ctypes.addressof(definition)
    return lambda address: new(place, address, None)
