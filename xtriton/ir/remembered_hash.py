"""
Attributes that compute their hash once.

An encoding is an attribute of attributes, and passes look it up in dictionaries thousands of
times; attributes never change, so that one computation is enough.
"""

from __future__ import annotations

from typing import TypeVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

AttributeT = TypeVar("AttributeT", bound=Attribute)

_HASH = "_remembered_hash"


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


remembers_hash(TensorType)
