"""Attributes and types that lowering needs again and again, made once each."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

_SIZE = 4096


def i64_array(values: Sequence[int]) -> DenseArrayBase:
    """Return `array<i64: ...>`."""
    return _i64_array(tuple(values))


@lru_cache(_SIZE)
def _i64_array(values: tuple[int, ...]) -> DenseArrayBase:
    return DenseArrayBase.from_list(i64, values)


def i32_array(values: Sequence[int]) -> DenseArrayBase:
    """Return `array<i32: ...>`."""
    return _i32_array(tuple(values))


@lru_cache(_SIZE)
def _i32_array(values: tuple[int, ...]) -> DenseArrayBase:
    return DenseArrayBase.from_list(i32, values)


@lru_cache(_SIZE)
def code_attr(code: int) -> Any:
    """Return the number of an enumeration of MLIR's, an i64."""
    return IntegerAttr(code, 64)


@lru_cache(_SIZE)
def index_dimension(d: int) -> dict[str, Attribute]:
    """Return the properties of the `linalg.index` of a dimension."""
    return {"dim": IntegerAttr(d, i64)}


def tensor_type(element: Attribute, shape: Sequence[int]) -> Any:
    """Return a tensor type without encoding."""
    return _tensor_type(element, tuple(shape))


@lru_cache(_SIZE)
def _tensor_type(element: Attribute, shape: tuple[int, ...]) -> Any:
    return TensorType(element, shape)


def memref_type(element: Attribute, shape: Sequence[int]) -> Any:
    """Return a memref type with the identity layout."""
    return _memref_type(element, tuple(shape))


@lru_cache(_SIZE)
def _memref_type(element: Attribute, shape: tuple[int, ...]) -> Any:
    return MemRefType(element, shape)


def strided_type(
    element: Attribute, shape: Sequence[int], strides: Sequence[int], offset: int
) -> Any:
    """Return a strided memref type; `DYNAMIC_INDEX` stands for what is not known."""
    return _strided_type(element, tuple(shape), tuple(strides), offset)


@lru_cache(_SIZE)
def _strided_type(
    element: Attribute, shape: tuple[int, ...], strides: tuple[int, ...], offset: int
) -> Any:
    def known(number: int) -> int | NoneAttr:
        return NoneAttr() if number == DYNAMIC_INDEX else number

    layout = StridedLayoutAttr([known(stride) for stride in strides], known(offset))
    return MemRefType(element, shape, layout)


@lru_cache(_SIZE)
def array_attr(attributes: tuple[Attribute, ...]) -> Any:
    """Return an array of attributes."""
    return ArrayAttr(attributes)


def element_type_of(value: SSAValue) -> Any:
    """Return the element type of a tensor or memref."""
    shaped: Any = value.type
    return shaped.element_type
