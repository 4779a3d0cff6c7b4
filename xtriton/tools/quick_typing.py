"""
What xDSL asks of `typing_extensions` while it is imported, in few lines; generic classes quicker.

The module itself defines all that later versions of `typing` have. `quick_modules` gives it these
members while it waits; what has them says nothing else while it runs, but that xDSL's deprecated
functions do not warn of themselves.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable, Generator
from contextlib import contextmanager
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


_OWN = frozenset(
    (
        *("_inst", "_name", "_nparams", "_paramspec_tvars", "_typevar_types"),
        *("__args__", "__doc__", "__module__", "__origin__", "__parameters__", "__slots__"),
    )
)
"""Attributes of generic aliases themselves; others are those of the class behind one."""

_alias: Any = vars(typing)["_BaseGenericAlias"]
_careful_setattr: Any = _alias.__setattr__


@contextmanager
def quick_aliases() -> Generator[None]:
    """Let what is made of generic classes set its attributes without asking what each is."""
    _alias.__setattr__ = _setattr
    try:
        yield
    finally:
        _alias.__setattr__ = _careful_setattr


def _setattr(self: Any, name: str, value: Any) -> None:
    if name in _OWN:
        object.__setattr__(self, name, value)
    else:
        _careful_setattr(self, name, value)
