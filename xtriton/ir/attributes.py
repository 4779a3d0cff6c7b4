"""
What the attributes of an op say, as plain Python values.

An attribute is found whether the op keeps it as a property or as a discardable attribute.

    integer(op, "axis")            # KeyError where the op has none: a bug
    integer(op, "factor", 1)       # 1 where the op has none
    integers(op, "order")
"""

from functools import lru_cache
from typing import Any, Final, TypeVar, overload

from typing_extensions import TypeIs
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation

T = TypeVar("T")

_MOST = 4096
"""Of how many numbers the attributes are kept: kernels have few, and each takes 20 µs to make."""

_MISSING: Final = object()


def attribute(op: Operation, name: str) -> Attribute | None:
    """Return a property or, failing that, a discardable attribute; None without either."""
    found = op.properties.get(name)
    return op.attributes.get(name) if found is None else found


def integer_of(value: Attribute | None) -> int:
    """Return the number that an integer attribute is; anything else is a TypeError."""
    if isinstance(value, IntegerAttr):
        return value.value.data
    raise TypeError(f"expected an integer attribute, got {value}")


def integers_of(value: Attribute | None) -> tuple[int, ...]:
    """Return the numbers of a dense array, or of an array of integers; of None, none."""
    if value is None:
        return ()
    if _is_dense_array(value):
        return tuple(int(number) for number in value.iter_values())
    if _is_array(value):
        return tuple(map(integer_of, value.data))
    raise TypeError(f"expected an array of integers, got {value}")


@overload
def integer(op: Operation, name: str) -> int: ...
@overload
def integer(op: Operation, name: str, default: T) -> int | T: ...
def integer(op: Operation, name: str, default: Any = _MISSING) -> Any:
    """
    Return an integer of an op.

    Without such an attribute, or with one that is no integer: `default`, or a KeyError
    where none is given.
    """
    value = attribute(op, name)
    if isinstance(value, IntegerAttr):
        return value.value.data
    if default is _MISSING:
        raise KeyError(f"{op.name} has no integer '{name}'")
    return default


def integers(op: Operation, name: str) -> tuple[int, ...]:
    """Return an array of integers of an op; empty where it has none."""
    return integers_of(attribute(op, name))


def flag(op: Operation, name: str) -> bool:
    """Return whether an op has an integer of this name that is not 0."""
    return integer(op, name, 0) != 0


def string(op: Operation, name: str, default: str = "") -> str:
    """Return a string of an op, or the dotted name of a symbol; `default` where it has none."""
    value = attribute(op, name)
    if isinstance(value, StringAttr):
        return value.data
    return value.string_value() if isinstance(value, SymbolRefAttr) else default


def _is_dense_array(value: Attribute) -> TypeIs[DenseArrayBase[Any]]:
    return isinstance(value, DenseArrayBase)


def _is_array(value: Attribute) -> TypeIs[ArrayAttr[Attribute]]:
    return isinstance(value, ArrayAttr)


@lru_cache(_MOST)
def integer_attr(value: int, type: Any) -> Any:
    """Return an integer constant's attribute; equal ones are one."""
    return IntegerAttr(value, type)


def float_attr(value: float, type: Any) -> Any:
    """Return a float constant's attribute; equal ones are one, but for those that are no number."""
    value = float(value)
    # 0 and -0 are equal as numbers, and what is no number has a sign and more that `hex` drops.
    return FloatAttr(value, type) if value != value else _float_attr(value.hex(), type)


@lru_cache(_MOST)
def _float_attr(digits: str, type: Any) -> Any:
    return FloatAttr(float.fromhex(digits), type)
