"""
What xDSL asks of `inspect` while it is imported and while it defines ops, in few lines.

The module itself brings Python's parser and disassembler. `quick_modules` gives these functions to
it while it waits; they end with it, whenever somebody asks for another member.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FunctionType, MethodType
from typing import Any

from xtriton.annotations import own_annotations

_VARIADIC, _KEYWORDS, _COROUTINE = 0x04, 0x08, 0x80
"""Flags of code: `CO_VARARGS`, `CO_VARKEYWORDS`, `CO_COROUTINE`."""


def isclass(found: object) -> bool:
    """Do what `inspect.isclass` does."""
    return isinstance(found, type)


def ismethod(found: object) -> bool:
    """Do what `inspect.ismethod` does."""
    return isinstance(found, MethodType)


def get_annotations(found: Any, **keywords: Any) -> dict[str, Any]:
    """
    Do what `inspect.get_annotations` does, itself for classes, as they are or with `eval_str`.

    Then those of class variables stay texts: that they are, is all that xDSL asks of them.
    """
    if isinstance(found, type) and not keywords:
        return dict(own_annotations(found))
    if not isinstance(found, type) or keywords != {"eval_str": True}:
        return _whole("get_annotations")(found, **keywords)
    names = vars(sys.modules[found.__module__]) if found.__module__ in sys.modules else {}
    return {
        name: _evaluated(value, names, found)
        if isinstance(value, str) and not value.startswith("ClassVar")
        else value
        for name, value in own_annotations(found).items()
    }


def signature(found: Any, **keywords: Any) -> Any:
    """Do what `inspect.signature` does; of a plain function, only the names are known."""
    plain = isinstance(found, FunctionType) and not keywords and not vars(found)
    return _Names(found.__code__) if plain else _whole("signature")(found, **keywords)


def getfullargspec(found: Any) -> Any:
    """Do what `inspect.getfullargspec` does; of a plain function, only `args` is known."""
    plain = isinstance(found, FunctionType) and not vars(found)
    return _Positional(found.__code__) if plain else _whole("getfullargspec")(found)


def iscoroutinefunction(found: Any) -> bool:
    """Do what `inspect.iscoroutinefunction` does."""
    if not isinstance(found, FunctionType):
        return _whole("iscoroutinefunction")(found)
    return bool(found.__code__.co_flags & _COROUTINE)


def unwrap(found: Any, **keywords: Any) -> Any:
    """Do what `inspect.unwrap` does; a circle, which that refuses, ends."""
    if keywords:
        return _whole("unwrap")(found, **keywords)
    seen: set[int] = set()
    while hasattr(found, "__wrapped__") and id(found) not in seen:
        seen.add(id(found))
        found = found.__wrapped__
    return found


def _evaluated(text: str, names: dict[str, Any], cls: type[Any]) -> Any:
    # Most are names that the class does not have.
    if text in names and text not in vars(cls):
        return names[text]
    return eval(text, names, dict(vars(cls)))


class _Names:
    """A signature of which only the names of parameters are asked for."""

    def __init__(self, code: CodeType) -> None:
        variadic = bool(code.co_flags & _VARIADIC) + bool(code.co_flags & _KEYWORDS)
        count = code.co_argcount + code.co_kwonlyargcount + variadic
        self.parameters = code.co_varnames[:count]


class _Positional:
    """A full specification of which only the positional parameters are asked for."""

    def __init__(self, code: CodeType) -> None:
        self.args = [*code.co_varnames[: code.co_argcount]]


def _whole(name: str) -> Callable[..., Any]:
    import inspect

    # A member that does not stand here brings the module itself.
    _ = inspect.Parameter
    return getattr(inspect, name)


MEMBERS: dict[str, Any] = {
    function.__name__: function
    for function in (
        *(isclass, ismethod, iscoroutinefunction),
        *(get_annotations, signature, getfullargspec, unwrap),
    )
}
