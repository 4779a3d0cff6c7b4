"""Telling kinds of types apart in a way that type checkers follow."""

from typing_extensions import TypeIs
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute


def is_tensor(type: Attribute) -> TypeIs[TensorType[Attribute]]:
    """Whether `type` is a ranked tensor."""
    return isinstance(type, TensorType)


def is_vector(type: Attribute) -> TypeIs[VectorType[Attribute]]:
    """Whether `type` is a vector."""
    return isinstance(type, VectorType)


def is_integer(type: Attribute) -> TypeIs[IntegerType]:
    """Whether `type` is an integer type, of any width and signedness."""
    return isinstance(type, IntegerType)


def is_dense(attribute: Attribute | None) -> TypeIs[DenseIntOrFPElementsAttr]:
    """Whether `attribute` is a constant with elements."""
    return isinstance(attribute, DenseIntOrFPElementsAttr)


def is_array(attribute: Attribute | None) -> TypeIs[ArrayAttr[Attribute]]:
    """Whether `attribute` is a list of attributes."""
    return isinstance(attribute, ArrayAttr)


def is_int_attr(attribute: Attribute | None) -> TypeIs[IntAttr[int]]:
    """Whether `attribute` is a plain number."""
    return isinstance(attribute, IntAttr)


def is_integer_attr(
    attribute: Attribute | None,
) -> TypeIs[IntegerAttr[IntegerType | IndexType]]:
    """Whether `attribute` is an integer with its type."""
    return isinstance(attribute, IntegerAttr)
