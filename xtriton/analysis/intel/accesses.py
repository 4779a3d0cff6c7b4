"""What passes ask about the pointer of an access to memory."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.utils.tensors import is_tensor


def tensor_type(type: Attribute) -> TensorType[Attribute] | None:
    """Return a tensor type, or the one that a block pointer points to; else None."""
    if isinstance(type, PtrType):
        type = type.pointee_type
    return type if is_tensor(type) else None


def is_block_pointer(type: Attribute) -> bool:
    """Return whether `type` is a pointer to a tensor."""
    return isinstance(type, PtrType) and is_tensor(type.pointee_type)
