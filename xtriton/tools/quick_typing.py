"""
What xDSL asks of `typing_extensions` while it is imported, in few lines.

The module itself defines all that later versions of `typing` have. `quick_modules` gives it these
members while it waits; what has them says nothing else while it runs, but that xDSL's deprecated
functions do not warn of themselves.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")

_VARIABLE: Any = TypeVar


class _Kind(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _VARIABLE)


class Variable(metaclass=_Kind):
    """Stand for `typing_extensions.TypeVar` before Python 3.13: one may have a default."""

    def __new__(cls, name: str, *constraints: Any, **keywords: Any) -> Any:
        has_default = "default" in keywords
        default = keywords.pop("default", None)
        variable = _VARIABLE(name, *constraints, **keywords)
        variable.has_default = lambda: has_default
        if has_default:
            variable.__default__ = default
            variable.__typing_prepare_subst__ = partial(_with_default, variable)
        # Where it is defined, as for pickling.
        variable.__module__ = sys._getframe(1).f_globals["__name__"]
        return variable


def _with_default(variable: Any, generic: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arguments of a generic class, with the default where `variable` has none."""
    if generic.__parameters__.index(variable) == len(arguments):
        return (*arguments, variable.__default__)
    return arguments


def override(method: T) -> T:
    """Do what `typing_extensions.override` does for checkers of types: nothing."""
    return method


def deprecated(message: str, /, **keywords: Any) -> Callable[[T], T]:
    """Stand for `typing_extensions.deprecated`, without its warning."""
    return override


class Sentinel:
    """Stand for `typing_extensions.Sentinel`: a value of its own, with a name."""

    def __init__(self, name: str, /) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"<{self._name}>"


MEMBERS: dict[str, Any] = {
    "Sentinel": Sentinel,
    "TypeVar": Variable if sys.version_info < (3, 13) else TypeVar,
    "TypeForm": type,
    "TypeIs": typing.TypeGuard,
    "assert_never": typing.assert_never,
    "dataclass_transform": typing.dataclass_transform,
    "deprecated": deprecated,
    "override": override,
}
