"""
NumPy arrays as arguments of `kernel[grid](...)`.

Triton specialises what has `dtype` and `data_ptr()`. NumPy's arrays have no such method, so the
function that binds the arguments of a kernel for the CPU tries again with arrays that do.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

import numpy as np

from xtriton.interop.cpu_backend.compiler import CpuBackend

Binder = Callable[..., tuple[Any, ...]]


class HostArray:
    """A NumPy array in the words of a tensor."""

    __slots__ = ("array", "dtype")

    def __init__(self, array: "np.ndarray[Any, Any]"):
        self.array = array
        self.dtype = array.dtype

    def data_ptr(self) -> int:
        return self.array.__array_interface__["data"][0]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    def __getattr__(self, name: str) -> object:
        return getattr(self.array, name)


def wrapped(value: object) -> object:
    """Return a value as Triton's binder takes it: an array as a tensor, its number as a number."""
    if isinstance(value, np.ndarray):
        return HostArray(cast(Any, value))
    if isinstance(value, np.generic):
        return cast(Any, value).item()
    if type(value) is tuple:
        return tuple(map(wrapped, cast("tuple[object, ...]", value)))
    return value


def accept_arrays() -> None:
    """Let binders for the CPU that Triton makes from now on take NumPy arrays and numbers."""
    jit: Any = import_module("triton.runtime.jit")
    make: Callable[..., Binder] = jit.create_function_from_signature
    if getattr(make, "takes_arrays", False):
        return

    def create(signature: Any, parameters: Any, backend: Any) -> Binder:
        binder = make(signature, parameters, backend)
        return _with_arrays(binder) if isinstance(backend, CpuBackend) else binder

    create.takes_arrays = True  # pyright: ignore[reportFunctionMemberAccess]
    jit.create_function_from_signature = create


def _with_arrays(binder: Binder) -> Binder:
    def bind(*values: object, **named: object) -> tuple[Any, ...]:
        try:
            return binder(*values, **named)
        except TypeError:
            return binder(*map(wrapped, values), **{k: wrapped(v) for k, v in named.items()})

    return bind
