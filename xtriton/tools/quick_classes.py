"""
Dataclasses without the code that nobody runs.

`dataclasses` writes six methods for a class as text and compiles them, and asks for the signature
of the class to write its docstring. A run of a tool defines hundreds of classes and compares few
of them. Here what the text would do is done by closures where it is never on a hot path, and
compiled when it is first called where it may be.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import Any

_module: Any = dataclasses
_KNOWN = sys.version_info < (3, 13)
"""Later releases make one text of all methods, whose code is kept (see `quick_start`)."""


@contextmanager
def quick_classes() -> Generator[None]:
    """Let classes be made so while this lasts; methods that wait are made later all the same."""
    replaced: dict[str, Any] = {"inspect": _NoSignatures(_module.inspect)}
    if _KNOWN:
        replaced |= {
            "_cmp_fn": _late(_module._cmp_fn, None),
            "_hash_fn": _late(_module._hash_fn, "__hash__"),
            "_init_fn": _late(_module._init_fn, "__init__"),
            "_repr_fn": _repr_fn,
            "_frozen_get_del_attr": _frozen_methods,
        }
    kept = {name: getattr(_module, name) for name in replaced}
    _module.__dict__.update(replaced)
    try:
        yield
    finally:
        _module.__dict__.update(kept)


class _NoSignatures:
    """The module `inspect`, but for signatures, which take longest and end in a docstring."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def signature(self, cls: type[Any], **_: Any) -> str:
        return "(...)"


def _late(make: Callable[..., Any], called: str | None) -> Callable[..., Any]:
    """
    Return what makes a method like `make` does, but when it is first called.

    Its name is `called`, or else the first argument of `make`.
    """

    def make_late(*arguments: Any, **keywords: Any) -> Any:
        name: str = called or arguments[0]
        made: list[Any] = []

        def method(self: Any, *values: Any, **named: Any) -> Any:
            if not made:
                made.append(make(*arguments, **keywords))
                made[0].__qualname__ = method.__qualname__
                for cls in type(self).__mro__:
                    if vars(cls).get(name) is method:
                        setattr(cls, name, made[0])
            return made[0](self, *values, **named)

        method.__name__ = name
        return method

    return make_late


def _repr_fn(fields: Sequence[Any], _: Any) -> Any:
    names = [field.name for field in fields]

    def __repr__(self: Any) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({values})"

    return _module._recursive_repr(__repr__)


def _frozen_methods(cls: type[Any], fields: Sequence[Any], _: Any) -> tuple[FunctionType, ...]:
    names = frozenset(field.name for field in fields)

    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __setattr__, __delattr__
