"""
Changing types in place: what passes on encodings do most.

xDSL fixes the type of a value when it is made; these functions change it, which is sound as
long as the op stays valid, and cheaper than making the op anew.
"""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, NoneAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.noted_edits import set_value_type


def set_type(value: SSAValue, type: Attribute) -> None:
    """Change the type of a value; a constant's attribute changes with it."""
    set_value_type(value, type)
    op = value.owner
    if isinstance(op, Operation) and op.name == "arith.constant":
        constant = op.properties["value"]
        if isinstance(constant, DenseIntOrFPElementsAttr) and constant.type != type:  # pyright: ignore[reportUnknownMemberType]
            op.properties["value"] = DenseIntOrFPElementsAttr(type, constant.data)  # pyright: ignore[reportArgumentType]


def encoding_of(type: Attribute) -> Attribute | None:
    """Return the encoding of a tensor, or of what a block pointer points to; else None."""
    tensor = tensor_of(type)
    if tensor is None:
        return None
    encoding = tensor.encoding
    return None if isinstance(encoding, NoneAttr) else encoding


def tensor_of(type: Attribute) -> TensorType[Attribute] | None:
    """Return a tensor type, or the one that a block pointer points to; else None."""
    if isinstance(type, PtrType):
        type = type.pointee_type
    # Asked for each value by each step of moving layouts: a call of `is_tensor` would be a third.
    return type if isinstance(type, TensorType) else None  # pyright: ignore[reportUnknownVariableType]


@lru_cache(maxsize=8192)
def with_encoding(type: Attribute, encoding: Attribute) -> Attribute:
    """Return the tensor, or block pointer, with another encoding; other types as they are."""
    if is_tensor(type):
        return TensorType(type.element_type, type.shape, encoding)
    if isinstance(type, PtrType) and is_tensor(type.pointee_type):
        pointee = with_encoding(type.pointee_type, encoding)
        return PtrType(pointee, type.address_space)
    return type


def is_tensor_pointer(type: Attribute) -> bool:
    """Return whether `type` is a block pointer."""
    return isinstance(type, PtrType) and is_tensor(type.pointee_type)


def set_encoding(value: SSAValue, encoding: Attribute) -> None:
    """Change the encoding of a tensor or block pointer."""
    set_type(value, with_encoding(value.type, encoding))


def layout_of_value(value: SSAValue) -> Attribute:
    """Return the encoding of a tensor."""
    assert is_tensor(value.type)
    return value.type.encoding
