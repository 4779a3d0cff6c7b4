"""
Fields and methods of dataclasses, with the behaviour that `dataclasses` gives them.

It writes a function for each class that makes the method, with names for types and defaults. Here
the text of a method tells nothing but the names of fields, so that most classes share theirs, and
what is kept between starts is the code of the method itself.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from types import CellType, CodeType, FunctionType
from typing import Any

_module: Any = dataclasses
_FIELD = dataclasses.Field
_MISSING = dataclasses.MISSING
_MARKERS = ("ClassVar", "InitVar", "KW_ONLY")
_SET = "__dataclass_set__"
_CELL = CellType(object.__setattr__)


def code_of(text: str) -> CodeType:
    """Return the code of the innermost function that a text defines."""
    code = compile(text, "<string>", "exec")
    while inner := [found for found in code.co_consts if isinstance(found, CodeType)]:
        (code,) = inner
    return code


codes: list[Callable[[str], CodeType]] = [code_of]
"""The last one says what the code of a text is; a tool knows many (see `quick_start`)."""


def field_of(home: Any, name: str, kind: Any, kw_only: bool) -> Any:
    """Return the field that an annotation and the default in `home` say."""
    default = getattr(home, name, _MISSING)
    plain = kind.__class__ is type or (
        kind.__class__ is str and not any(marker in kind for marker in _MARKERS)
    )
    if not plain or kw_only or default.__class__ is _FIELD or default.__class__.__hash__ is None:
        return _module._get_field(home, name, kind, kw_only)
    field: Any = dataclasses.field(default=default)
    field.name, field.type, field.kw_only = name, kind, False
    field._field_type = _module._FIELD
    return field


def is_given(field: Any) -> bool:
    """Whether a field may be a parameter of `__init__`."""
    return field._field_type in (_module._FIELD, _module._FIELD_INITVAR)


def init_of(cls: type[Any], fields: dict[str, Any], frozen: bool) -> Any:
    """Return `__init__`."""
    given = [field for field in fields.values() if is_given(field)]
    has_post_init = hasattr(cls, "__post_init__")
    if "self" in fields or not _are_plain(given):
        return _module._init_fn(
            given,
            *_module._fields_in_init_order(given),
            frozen,
            has_post_init,
            "__dataclass_self__" if "self" in fields else "self",
            _globals(cls),
            False,
        )
    names = [field.name for field in given]
    first = sum(field.default is _MISSING for field in given)
    heads = (*names[:first], *(f"{name}=0" for name in names[first:]))
    store = f"{_SET}(self,{{0!r}},{{0}})" if frozen else "self.{0}={0}"
    lines = [store.format(name) for name in names]
    if has_post_init:
        lines.append("self.__post_init__()")
    body = "\n  ".join(lines) or "pass"
    method = _made(
        cls, f"def make({_SET}):\n def __init__({','.join(('self', *heads))}):\n  {body}"
    )
    method.__defaults__ = tuple(field.default for field in given[first:])
    method.__annotations__ = {field.name: field.type for field in given} | {"return": None}
    return method


def _are_plain(given: Sequence[Any]) -> bool:
    """Whether all are parameters in this order, those without default first."""
    behind = False
    for field in given:
        if field._field_type is not _module._FIELD or not field.init or field.kw_only:
            return False
        if field.default_factory is not _MISSING or (behind and field.default is _MISSING):
            return False
        behind = field.default is not _MISSING
    return True


def eq_of(cls: type[Any]) -> Any:
    """Return `__eq__`."""
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    ours, others = _values("self", names), _values("other", names)
    return _made(
        cls,
        "def __eq__(self,other):\n if other.__class__ is self.__class__:\n"
        f"  return {ours}=={others}\n return NotImplemented",
    )


def hash_of(cls: type[Any]) -> Any:
    """Return `__hash__`."""
    names = [
        field.name
        for field in dataclasses.fields(cls)
        if (field.compare if field.hash is None else field.hash)
    ]
    return _made(cls, f"def __hash__(self):\n return hash({_values('self', names)})")


def _values(whose: str, names: Sequence[str]) -> str:
    return f"({','.join([f'{whose}.{name}' for name in names])}{',' * bool(names)})"


def repr_of(cls: type[Any]) -> Any:
    """Return `__repr__`."""

    def __repr__(self: Any) -> str:
        names = [field.name for field in dataclasses.fields(cls) if field.repr]
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({values})"

    return _module._recursive_repr(__repr__)


def setattr_of(cls: type[Any]) -> Any:
    """Return `__setattr__` of a frozen class."""

    def __setattr__(self: Any, name: str, value: Any) -> None:
        if _is_frozen(cls, self, name):
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    return __setattr__


def delattr_of(cls: type[Any]) -> Any:
    """Return `__delattr__` of a frozen class."""

    def __delattr__(self: Any, name: str) -> None:
        if _is_frozen(cls, self, name):
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __delattr__


def _is_frozen(cls: type[Any], instance: Any, name: str) -> bool:
    return type(instance) is cls or name in {field.name for field in dataclasses.fields(cls)}


def _made(cls: type[Any], text: str) -> FunctionType:
    code = codes[-1](text)
    closure = (_CELL,) if code.co_freevars else None
    return FunctionType(code, _globals(cls), code.co_name, None, closure)


def _globals(cls: type[Any]) -> dict[str, Any]:
    return vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
