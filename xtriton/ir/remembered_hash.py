"""
Attributes that compute their hash once, and are compared once.

An encoding is an attribute of attributes, and passes look it up in dictionaries thousands of
times; attributes never change, so that one computation is enough. Attributes may also share
their parts, `#b = [#a, #a]` on and on: what looks at each part each time it occurs takes
exponential time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    FunctionType,
    FusedLoc,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NameLoc,
    TensorType,
    TupleType,
)
from xdsl.ir import Attribute

AttributeT = TypeVar("AttributeT", bound=Attribute)
T = TypeVar("T")

_SHARING: set[type[Attribute]] = {
    ArrayAttr,
    CallSiteLoc,
    DictionaryAttr,
    FunctionType,
    FusedLoc,
    MemRefType,
    NameLoc,
    TupleType,
}
"""Attributes of several others, which may be one and the same."""

_HASH = "_remembered_hash"
_SAME = "_remembered_equal"


def remembers_hash(cls: type[AttributeT]) -> type[AttributeT]:
    """Let attributes of `cls` remember their hash; stands above `irdl_attr_definition`."""
    compute = cls.__hash__

    def remembered(self: AttributeT) -> int:
        try:
            return self.__dict__[_HASH]
        except KeyError:
            value = compute(self)
            object.__setattr__(self, _HASH, value)
            return value

    cls.__hash__ = remembered
    return cls


def remembers_equals(cls: type[AttributeT]) -> type[AttributeT]:
    """Let attributes of `cls` remember their hash, and which one they have been equal to."""
    remembers_hash(cls)
    compare = cls.__eq__

    def equal(self: AttributeT, other: object) -> bool:
        if self is other:
            return True
        if other.__class__ is not self.__class__:
            return False
        known, others = self.__dict__, other.__dict__
        first = known.get(_SAME, self)
        if others.get(_SAME, other) is first:
            return True
        # Most have been asked for their hash: two calls less.
        a, b = known.get(_HASH), others.get(_HASH)
        if a is None or b is None:
            a, b = hash(self), hash(other)
        if a != b or not compare(self, other):
            return False
        object.__setattr__(other, _SAME, first)
        return True

    cls.__eq__ = equal
    return cls


def shares_parts(cls: type[Attribute]) -> None:
    """Say that attributes of `cls` have several others, which may be one and the same."""
    _SHARING.add(cls)
    remembers_equals(cls)


def once_per_attribute(find: Callable[[Attribute], T]) -> Callable[[Attribute], T]:
    """Let a function keep with each attribute that shares its parts what it has found in it."""
    key = f"_remembered_{find.__name__}"

    @wraps(find)
    def remembered(attribute: Attribute) -> T:
        if attribute.__class__ not in _SHARING:
            return find(attribute)
        try:
            return attribute.__dict__[key]
        except KeyError:
            found = find(attribute)
            object.__setattr__(attribute, key, found)
            return found

    return remembered


for _class in (*_SHARING, IntegerType, TensorType):
    remembers_equals(_class)

for _class in (DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr):
    remembers_hash(_class)
