"""Telling kinds of types apart in a way that type checkers follow."""

from typing_extensions import TypeIs
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, TensorType
from xdsl.ir import Attribute


def is_tensor(type: Attribute) -> TypeIs[TensorType[Attribute]]:
    """Whether `type` is a ranked tensor."""
    return isinstance(type, TensorType)


def is_integer(type: Attribute) -> TypeIs[IntegerType]:
    """Whether `type` is an integer type, of any width and signedness."""
    return isinstance(type, IntegerType)


def is_dense(attribute: Attribute | None) -> TypeIs[DenseIntOrFPElementsAttr]:
    """Whether `attribute` is a constant with elements."""
    return isinstance(attribute, DenseIntOrFPElementsAttr)
