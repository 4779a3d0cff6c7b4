"""
Dataclasses without the code that nobody runs.

`dataclasses` looks at each field of a class, writes six methods as text and compiles them, and
asks for the signature of the class to write its docstring. A run of a tool defines hundreds of
classes and compares few of them. Here fields are looked at when somebody asks for them, and methods
compiled when they are first called; what the text would do is done by closures where it is never
on a hot path (see `quick_methods`).
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

from xtriton.annotations import own_annotations
from xtriton.tools.quick_methods import (
    code_of,
    codes,
    delattr_of,
    eq_of,
    field_of,
    hash_of,
    init_of,
    is_given,
    repr_of,
    setattr_of,
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
    replaced: dict[str, Any] = {}
    if hasattr(_module, "inspect"):  # which Python 3.15 imports where it asks for a signature
        replaced["inspect"] = _NoSignatures(_module.inspect)
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
    cls: Any,
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
    members = vars(late.cls)
    if order or unsafe_hash or slots or weakref_slot or not late.is_plain(frozen):
        return _PROCESS(cls, *options)
    late.take_defaults()
    setattr(cls, _PARAMS, _params(*(options if sys.version_info >= (3, 12) else options[:6])))
    setattr(cls, _FIELDS, late)
    named = members.get("__hash__", late)
    has_own_hash = not (named is late or (named is None and "__eq__" in members))
    if init and "__init__" not in members:
        cls.__init__ = _LateMethod(cls, "__init__", _frozen_init if frozen else _init)
    if repr and "__repr__" not in members:
        cls.__repr__ = _LateMethod(cls, "__repr__", repr_of)
    if eq and "__eq__" not in members:
        cls.__eq__ = _LateMethod(cls, "__eq__", eq_of)
    if frozen:
        for name, make in _FREEZING:
            if name in members:
                raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}")
            setattr(cls, name, _LateMethod(cls, name, make))
    action = _module._hash_action[False, bool(eq), bool(frozen), has_own_hash]
    if action is _module._hash_add:
        cls.__hash__ = _LateMethod(cls, "__hash__", hash_of)
    elif action is not None:
        cls.__hash__ = action(cls, [], {})
    if not cls.__doc__:
        cls.__doc__ = f"{cls.__name__}(...)"
    if match_args and _MATCH not in members:
        setattr(cls, _MATCH, _LateNames(cls))
    if not _MADE.isdisjoint(getattr(cls, "__abstractmethods__", ())):
        abc.update_abstractmethods(cls)
    return cls


_FREEZING = (("__setattr__", setattr_of), ("__delattr__", delattr_of))
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
        self.annotations = own_annotations(cls)
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


def _init(cls: type[Any]) -> Any:
    return init_of(cls, getattr(cls, _FIELDS), False)


def _frozen_init(cls: type[Any]) -> Any:
    return init_of(cls, getattr(cls, _FIELDS), True)


class _LateMethod:
    """A method that is made when somebody asks for it."""

    __slots__ = ("cls", "made", "make", "name")

    def __init__(self, cls: type[Any], name: str, make: Callable[[type[Any]], Any]) -> None:
        self.cls = cls
        self.name = name
        self.make = make
        self.made: Any = None

    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        made = self.made
        if made is None:
            cls, name = self.cls, self.name
            made = self.made = self.make(cls)
            made.__name__ = name
            made.__qualname__ = f"{cls.__qualname__}.{name}"
            if vars(cls).get(name) is self:
                setattr(cls, name, made)
        return made.__get__(instance, owner)
