"""
Dataclasses without the code that nobody runs.

`dataclasses` looks at each field of a class, writes six methods as text and compiles them, and
asks for the signature of the class to write its docstring. A run of a tool defines hundreds of
classes and compares few of them. Here fields are looked at when somebody asks for them, and methods
compiled when they are first called; what the text would do is done by closures where it is never
on a hot path.
"""

from __future__ import annotations

import abc
import dataclasses
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from types import CodeType, SimpleNamespace
from typing import Any

from xtriton.tools.quick_methods import (
    code_of,
    codes,
    eq_of,
    field_of,
    hash_of,
    init_of,
    is_given,
    repr_of,
)

_module: Any = dataclasses
_KNOWN = sys.version_info < (3, 13)
"""Later releases make one text of all methods, whose code is kept (see `quick_start`)."""

_FIELD = dataclasses.Field
_FIELDS, _PARAMS, _MATCH = "__dataclass_fields__", "__dataclass_params__", "__match_args__"


@contextmanager
def quick_classes(code: Callable[[str], CodeType] = code_of) -> Generator[None]:
    """
    Let classes be made so while this lasts; methods that wait are made later all the same.

    `code` does what `code_of` does.
    """
    codes.append(code)
    replaced: dict[str, Any] = {"inspect": _NoSignatures(_module.inspect)}
    if _KNOWN:
        replaced["_process_class"] = _process_class
    kept = {name: getattr(_module, name) for name in replaced}
    _module.__dict__.update(replaced)
    try:
        yield
    finally:
        codes.remove(code)
        _module.__dict__.update(kept)


class _NoSignatures:
    """The module `inspect`, but for signatures, which take longest and end in a docstring."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def signature(self, cls: type[Any], **_: Any) -> str:
        return "(...)"


_PROCESS: Any = getattr(_module, "_process_class", None)


def _process_class(
    cls: type[Any],
    init: bool,
    repr: bool,
    eq: bool,
    order: bool,
    unsafe_hash: bool,
    frozen: bool,
    match_args: bool,
    kw_only: bool,
    slots: bool,
    weakref_slot: bool,
) -> type[Any]:
    """Do what `dataclasses._process_class` does, as late as possible."""
    options = (init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot)
    late = _LateFields(cls, kw_only)
    if order or unsafe_hash or slots or weakref_slot or not late.is_plain(frozen):
        return _PROCESS(cls, *options)
    late.take_defaults()
    members = vars(cls)
    setattr(cls, _PARAMS, _params(*(options if sys.version_info >= (3, 12) else options[:6])))
    setattr(cls, _FIELDS, late)
    named = members.get("__hash__", late)
    has_own_hash = not (named is late or (named is None and "__eq__" in members))
    if init:
        _add(cls, "__init__", lambda: init_of(cls, getattr(cls, _FIELDS), frozen))
    if repr:
        _add(cls, "__repr__", lambda: repr_of(cls))
    if eq:
        _add(cls, "__eq__", lambda: eq_of(cls))
    if frozen:
        _freeze(cls)
    action = _module._hash_action[False, bool(eq), bool(frozen), has_own_hash]
    if action is _module._hash_add:
        cls.__hash__ = _late(cls, "__hash__", lambda: hash_of(cls))
    elif action is not None:
        cls.__hash__ = action(cls, [], {})
    if not cls.__doc__:
        cls.__doc__ = f"{cls.__name__}(...)"
    if match_args and _MATCH not in members:
        setattr(cls, _MATCH, _LateNames(cls))
    if not _MADE.isdisjoint(getattr(cls, "__abstractmethods__", ())):
        abc.update_abstractmethods(cls)
    return cls


_MADE = frozenset(("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__"))


@cache
def _params(*options: bool) -> Any:
    """Return what tells how a class was made, which classes share: nobody changes it."""
    return _module._DataclassParams(*options)


class _LateFields:
    """Stands for the fields of a class until somebody asks for them."""

    def __init__(self, cls: type[Any], kw_only: bool) -> None:
        self.cls = cls
        self.kw_only = kw_only
        self.annotations: dict[str, Any] = vars(cls).get("__annotations__", {})
        self.defaults: dict[str, Any] = {}
        for name in self.annotations:
            value = getattr(cls, name, self)
            if value is not self:
                self.defaults[name] = value

    def is_plain(self, frozen: bool) -> bool:
        """Whether nothing is in the class that is refused, or that is told by its place."""
        for base in self.cls.__mro__[1:]:
            params = vars(base).get(_PARAMS)
            if params is not None and params.frozen != frozen:
                return False
        for kind in self.annotations.values():
            if kind is dataclasses.KW_ONLY or (kind.__class__ is str and "KW_ONLY" in kind):
                return False
        members = vars(self.cls)
        if _FIELD not in map(type, members.values()):
            return True
        return all(
            name in self.annotations for name, value in members.items() if type(value) is _FIELD
        )

    def take_defaults(self) -> None:
        """Leave in the class what a field has as default, as `dataclasses` does."""
        for name, value in self.defaults.items():
            if value.__class__ is _FIELD:
                if value.default is dataclasses.MISSING:
                    delattr(self.cls, name)
                else:
                    setattr(self.cls, name, value.default)

    def __get__(self, instance: Any, owner: Any = None) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for base in self.cls.__mro__[-1:0:-1]:
            fields |= getattr(base, _FIELDS, {})
        home = SimpleNamespace(__module__=self.cls.__module__)
        vars(home).update(self.defaults)
        for name, kind in self.annotations.items():
            fields[name] = field_of(home, name, kind, self.kw_only)
        setattr(self.cls, _FIELDS, fields)
        return fields


class _LateNames:
    """Stands for `__match_args__`."""

    def __init__(self, cls: type[Any]) -> None:
        self.cls = cls

    def __get__(self, instance: Any, owner: Any = None) -> tuple[str, ...]:
        every = getattr(self.cls, _FIELDS).values()
        names = tuple(f.name for f in every if is_given(f) and f.init and not f.kw_only)
        setattr(self.cls, _MATCH, names)
        return names


def _freeze(cls: type[Any]) -> None:
    def is_frozen(self: Any, name: str) -> bool:
        return type(self) is cls or name in {field.name for field in dataclasses.fields(cls)}

    def __setattr__(self: Any, name: str, value: Any) -> None:
        if is_frozen(self, name):
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if is_frozen(self, name):
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    for method in (__setattr__, __delattr__):
        name = method.__name__
        if name in vars(cls):
            raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}")
        setattr(cls, name, _named(cls, name, method))


def _add(cls: type[Any], name: str, make: Callable[[], Any]) -> None:
    """Add a method that is made when it is first called, where the class has none."""
    if name not in vars(cls):
        setattr(cls, name, _late(cls, name, make))


def _late(cls: type[Any], name: str, make: Callable[[], Any]) -> Any:
    made: list[Any] = []

    def method(self: Any, *values: Any, **named: Any) -> Any:
        if not made:
            made.append(_named(cls, name, make()))
            if vars(cls).get(name) is method:
                setattr(cls, name, made[0])
        return made[0](self, *values, **named)

    return _named(cls, name, method)


def _named(cls: type[Any], name: str, method: Any) -> Any:
    method.__name__ = name
    method.__qualname__ = f"{cls.__qualname__}.{name}"
    return method
