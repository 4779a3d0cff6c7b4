"""
Dense constants, with splats kept as splats.

As in MLIR, a splat stores one element whatever its type's shape: `dense<0.0>` of a
1024x1024 tensor is four bytes here, four megabytes in xDSL's own constructors. The class
is xDSL's; make and read its values through these functions, which take both forms.
"""

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, IntegerType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

_SPLAT = "_remembered_splat"


def splat(type: Attribute, value: float) -> DenseIntOrFPElementsAttr:
    """Return the constant of `type` (ranked tensor, vector or memref) with `value` everywhere."""
    return dense(type, (value,))


def dense(type: Any, values: Sequence[int | float]) -> DenseIntOrFPElementsAttr:
    """
    Return the constant with these `values` in row-major order.

    One value, or equal values throughout, make a splat.
    """
    element: Any = type.element_type
    if isinstance(element, IntegerType):
        numbers = [element.get_normalized_value(int(value)) for value in values]
        return from_bytes(type, element.pack(numbers))
    return from_bytes(type, element.pack(values))


def from_bytes(type: Any, data: bytes) -> DenseIntOrFPElementsAttr:
    """Return the constant whose elements have the bit patterns `data`, little endian."""
    size = size_of(type.element_type)
    count = prod(type.get_shape())
    if len(data) != size and len(data) != size * count:
        raise VerifyException(f"expected {count} elements of {size} bytes, got {len(data)} bytes")
    if count > 1 and data == data[:size] * (len(data) // size):
        data = data[:size]
    return DenseIntOrFPElementsAttr(type, BytesAttr(data))


def is_splat(attribute: Attribute) -> bool:
    """Return whether `attribute` is a dense constant with one value throughout."""
    if not isinstance(attribute, DenseIntOrFPElementsAttr):
        return False
    data = attribute.data.data
    size = size_of(cast(Any, attribute).type.element_type)
    return len(data) == size or data == data[:size] * (len(data) // size)


@cache
def size_of(element: Any) -> int:
    """Return the bytes that an element of a type takes."""
    return element.compile_time_size


def splat_value(attribute: Attribute) -> Any:
    """Return the value of a splat (see `is_splat`)."""
    held = vars(attribute)
    if _SPLAT not in held:
        splat: Any = attribute
        element: Any = splat.type.element_type
        data = splat.data.data[: size_of(element)]
        # An attribute does not change, and folds ask for its value time and again.
        held[_SPLAT] = element.unpack(data, 1)[0]
    return held[_SPLAT]


def values(attribute: DenseIntOrFPElementsAttr) -> tuple[Any, ...]:
    """Return every element in row-major order, a splat repeated as its shape says."""
    found = tuple(attribute.type.element_type.iter_unpack(attribute.data.data))
    count = prod(attribute.type.get_shape())
    return found * count if len(found) == 1 and count != 1 else found
