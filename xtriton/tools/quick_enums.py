"""
Enums of plain numbers and texts, made with fewer questions.

For each member `enum` asks what else the member could be: an alias, a flag, a tuple of arguments,
a descriptor, something that is computed. Members that are a number or a text and nothing else are
put in place at once here; what else an enum has goes the usual way.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

_KNOWN = sys.version_info < (3, 12)
"""Whether members are known to be made so; later releases ask and keep other things."""

_module: Any = enum
_vars: Any = vars
_super: Any = super
_set_as_dict: Any = vars(dict)["__setitem__"]
_MAKERS: dict[Any, Any] = {int: int.__new__, str: str.__new__, object: object.__new__}
_HEADER = frozenset(("__module__", "__qualname__", "__doc__"))
_PLAIN = frozenset((int, str))
_METHODS = frozenset((FunctionType, property, classmethod, staticmethod))

if _KNOWN:
    _careful_set_name: Any = _module._proto_member.__set_name__
    _careful_set_item: Any = _module._EnumDict.__setitem__


@contextmanager
def quick_enums() -> Generator[None]:
    """Let enums be made so while this lasts."""
    if not _KNOWN:
        yield
        return
    _module._proto_member.__set_name__ = _set_name
    _module._EnumDict.__setitem__ = _set_item
    try:
        yield
    finally:
        _module._proto_member.__set_name__ = _careful_set_name
        _module._EnumDict.__setitem__ = _careful_set_item


def _set_item(names: Any, key: str, value: Any) -> None:
    """Do what `_EnumDict.__setitem__` does."""
    kind = value.__class__
    if key not in _HEADER:
        if key[:1] == "_" or key in names or key in names._ignore:
            _careful_set_item(names, key, value)
            return
        if kind in _PLAIN:
            names._member_names[key] = None
            names._last_values.append(value)
        elif kind not in _METHODS:
            _careful_set_item(names, key, value)
            return
    _set_as_dict(names, key, value)


def _set_name(proto: Any, cls: Any, name: str) -> None:
    """Do what `_proto_member.__set_name__` does."""
    value = proto.value
    members = _vars(cls)
    kind = members["_member_type_"]
    if not _is_plain(cls, kind, value) or hasattr(_super(cls, cls), name):
        _careful_set_name(proto, cls, name)
        return
    member = object.__new__(cls) if kind is object else kind.__new__(cls, value)
    _vars(member).update(
        _value_=value,
        _name_=name,
        __objclass__=cls,
        _sort_order_=len(members["_member_names_"]),
    )
    first = members["_value2member_map_"].setdefault(value, member)
    if first is member:
        members["_member_names_"].append(name)
    members["_member_map_"][name] = first
    type.__setattr__(cls, name, first)


def _is_plain(cls: Any, kind: Any, value: Any) -> bool:
    """Whether a member is its value and has nothing of its own."""
    return (
        value.__class__ in _PLAIN
        and (kind is object or kind is value.__class__)
        and vars(cls)["_new_member_"] is _MAKERS[kind]
        and cls.__init__ is enum.Enum.__init__
        and not issubclass(cls, enum.Flag)
    )
