"""
Values of a kernel's arguments as users write them on a command line.

    n=1000                    a number, by name or position
    0=randn(128,64,f16)       an array made up on the spot
    x=@input.npy              an array from a file
    out=zeros(128,64,f32)     also ones, full(…, value, type), arange(n, type), randint(…)

A shape comes first, then what the function needs, then the element type.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from xtriton.errors import UserError
from xtriton.interpreter.arguments import Parameter
from xtriton.semantics import Element, element

_CALL = re.compile(r"(\w+)\((.*)\)\Z", re.DOTALL)
_SHORT = {"bf16": "bf16", "fp16": "f16", "fp32": "f32", "fp64": "f64", "half": "f16"}
SEED = 0


def split_assignment(text: str) -> tuple[str, str]:
    """Return the key and value of `key=value`; raise `UserError` for anything else."""
    key, equals, value = text.partition("=")
    if not equals or not key or not value:
        raise UserError(f"'{text}' must have the form name=value or position=value")
    return key.strip(), value.strip()


def parameter_named(parameters: Sequence[Parameter], key: str) -> Parameter:
    """Return the parameter with that name or position."""
    for parameter in parameters:
        if key in (parameter.name, str(parameter.index)):
            return parameter
    names = ", ".join(f"{p.index} ({p.name})" for p in parameters)
    raise UserError(f"the kernel has no argument '{key}'", notes=[f"it has: {names}"])


def argument_value(text: str, parameter: Parameter) -> Any:
    """Return a number or an array of stored values; raise `UserError` for what is neither."""
    if text.startswith("@"):
        return _load(text[1:])
    call = _CALL.match(text)
    if call is not None:
        return _made(call[1], [a.strip() for a in call[2].split(",") if a.strip()], parameter)
    number = _number(text)
    if not parameter.is_memory:
        _check_fit(number, parameter)
    return number


def _number(text: str) -> bool | int | float:
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text, 0)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise UserError(
            f"'{text}' is neither a number nor an array such as randn(128,64,f16)"
        ) from None


def _check_fit(number: bool | float, parameter: Parameter) -> None:
    """Raise `UserError` for a number that an integer argument cannot have, signed or not."""
    known = parameter.info
    if known.kind != "scalar" or known.scalar.is_float:
        return
    bits = known.scalar.width
    if isinstance(number, float) or not -(1 << bits - 1) <= number < 1 << bits:
        raise UserError(f"argument '{parameter.name}' is an i{bits}, which cannot be {number}")


def _load(path: str) -> Any:
    try:
        return np.load(path)
    except (OSError, ValueError) as error:
        raise UserError(f"cannot read an array from '{path}': {error}") from None


def _element(names: list[str], parameter: Parameter) -> Element:
    stored = parameter.stored or element("f32")
    if not names or re.fullmatch(r"[-+]?([-+.\de]+|inf|nan)", names[-1]):
        return stored
    name = names.pop()
    try:
        of = element(_SHORT.get(name, name))
    except ValueError:
        raise UserError(f"'{name}' is no element type") from None
    if parameter.stored is not None and of.size != stored.size:
        raise UserError(f"argument '{parameter.name}' points to {stored.name}, not {name}")
    return of


EXTRA = {"full": "the value", "randint": "the least value and the one after the greatest"}
"""What functions want between shape and element type."""


def _made(function: str, arguments: list[str], parameter: Parameter) -> Any:
    call = f"{function}({', '.join(arguments)})"
    of = _element(arguments, parameter)
    rng = np.random.default_rng(SEED + parameter.index)
    extra = {"full": 1, "randint": 2}.get(function, 0)
    if len(arguments) <= extra:
        raise UserError(f"'{call}' needs a shape" + (f" and {EXTRA[function]}" if extra else ""))
    try:
        numbers = [float(a) for a in arguments[len(arguments) - extra :]] if extra else []
        shape = [int(a, 0) for a in arguments[: len(arguments) - extra]]
        values = _values(function, shape, numbers, rng)
        if not of.is_float and not np.isfinite(values).all():
            raise UserError(f"in '{call}': {of.name} holds only finite numbers")
    except (ValueError, OverflowError) as error:
        raise UserError(f"in '{call}': {error}") from None
    carried = of.round(values.astype(np.float64)) if of.is_float else values.astype(of.carrier)
    return np.ascontiguousarray(of.encode(np.asarray(carried)))


def _values(
    function: str, shape: list[int], numbers: list[float], rng: np.random.Generator
) -> np.ndarray[Any, Any]:
    match function:
        case "randn":
            return np.asarray(rng.standard_normal(shape))
        case "rand":
            return np.asarray(rng.random(shape))
        case "randint":
            return np.asarray(rng.integers(int(numbers[0]), int(numbers[1]), shape))
        case "zeros" | "empty":
            return np.zeros(shape)
        case "ones":
            return np.ones(shape)
        case "full":
            return np.full(shape, numbers[0])
        case "arange":
            return np.arange(int(np.prod(shape))).reshape(shape)
        case _:
            raise UserError(
                f"no array is made by '{function}'",
                notes=["known: randn, rand, randint, zeros, empty, ones, full, arange"],
            )


def shown(array: Any, parameter: Parameter) -> str:
    """Return the values of an array of stored values as text."""
    of = parameter.stored
    if of is not None and array.dtype == of.storage:
        array = of.decode(array)
    return np.array2string(array, threshold=64, precision=6)
