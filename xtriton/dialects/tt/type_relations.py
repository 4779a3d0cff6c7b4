"""
Functions from types to types, from which ops infer and check their operands.

Each keeps the shape and the encoding of a tensor and maps its element type. They raise
`VerifyException` for a type that does not fit.
"""

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.types import GLOBAL_ADDRESS_SPACE, PtrType
from xtriton.dialects.utils.tensors import is_tensor


def element_type(type: Attribute) -> Attribute:
    """Return the element type of a tensor, and any other type as it is."""
    return type.element_type if is_tensor(type) else type


def shape_of(type: Attribute) -> tuple[int, ...]:
    """Return the shape of a tensor or of the block that a pointer points to, else ()."""
    if isinstance(type, PtrType):
        type = type.pointee_type
    return type.get_shape() if is_tensor(type) else ()


def with_element_type(type: Attribute, element: Attribute) -> Attribute:
    """Return the type of the shape and encoding of `type` whose elements are `element`."""
    if is_tensor(type):
        return TensorType(element, type.shape.data, type.encoding)
    return element


def pointee_type(type: Attribute) -> Attribute:
    """Return what a load through a value of `type` yields."""
    pointer = element_type(type)
    if not isinstance(pointer, PtrType):
        raise VerifyException(f"expected a pointer or a tensor of pointers, got '{type}'")
    if is_tensor(type):
        return with_element_type(type, pointer.pointee_type)
    return pointer.pointee_type


def pointer_to(type: Attribute) -> Attribute:
    """Return pointers into global memory, one for each element of `type`."""
    return with_element_type(type, PtrType(element_type(type), GLOBAL_ADDRESS_SPACE))


def i1_like(type: Attribute) -> Attribute:
    """Return the type of a mask for `type`: `i1`, or a tensor of them."""
    return with_element_type(type, i1)


def mask_type(type: Attribute) -> Attribute:
    """Return the type of the mask of a load or store through a value of `type`."""
    return i1_like(pointee_type(type))


def block_pointer_base_type(type: Attribute) -> Attribute:
    """Return the pointer to a block's elements for the type of a block pointer."""
    if not (isinstance(type, PtrType) and is_tensor(type.pointee_type)):
        raise VerifyException(f"expected a pointer to a block, got '{type}'")
    return PtrType(type.pointee_type.element_type, type.address_space)
