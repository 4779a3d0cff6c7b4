"""
NumPy arrays as arguments of `kernel[grid](...)`.

Triton specialises what has `dtype` and `data_ptr()`. NumPy's arrays have no such method, so the
function that binds the arguments of a kernel for the CPU tries again with arrays that do.
"""

import ast
from collections.abc import Callable
from importlib import import_module
from types import FunctionType
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
    make: Any = jit.create_function_from_signature
    if getattr(make, "takes_arrays", False):
        return
    # Triton writes the text of a binder and executes it. Here the text is executed with one more
    # statement, as a function around the binder would take half a microsecond of each launch.
    tolerant: Any = FunctionType(
        make.__code__, {**make.__globals__, "exec": _execute}, make.__name__, make.__defaults__
    )

    def create(signature: Any, parameters: Any, backend: Any) -> Binder:
        return (tolerant if isinstance(backend, CpuBackend) else make)(
            signature, parameters, backend
        )

    create.takes_arrays = True  # pyright: ignore[reportFunctionMemberAccess]
    jit.create_function_from_signature = create


def _execute(text: str, names: dict[str, Any]) -> None:
    """Execute the text of functions, which then try again with arrays as tensors."""
    exec(text, names)
    tree = ast.parse(text)
    for function in tree.body:
        assert isinstance(function, ast.FunctionDef)
        names[f"{function.name}_again"] = _again(names[function.name])
        function.body = [
            ast.Try(function.body, [_handler(f"{function.name}_again", function.args)], [], [])
        ]
    exec(compile(ast.fix_missing_locations(tree), "<binder>", "exec"), names)


def _again(binder: Binder) -> Binder:
    def bind(*values: object, **named: object) -> tuple[Any, ...]:
        return binder(*map(wrapped, values), **{k: wrapped(v) for k, v in named.items()})

    return bind


def _handler(name: str, given: ast.arguments) -> ast.ExceptHandler:
    """Return what calls a function with all arguments of another if that raised `TypeError`."""
    values: list[str] = [argument.arg for argument in given.args]
    values += [f"*{given.vararg.arg}"] if given.vararg else []
    values += [f"{argument.arg}={argument.arg}" for argument in given.kwonlyargs]
    values += [f"**{given.kwarg.arg}"] if given.kwarg else []
    call = ast.parse(f"{name}({', '.join(values)})", mode="eval").body
    return ast.ExceptHandler(ast.Name("TypeError", ast.Load()), None, [ast.Return(call)])
