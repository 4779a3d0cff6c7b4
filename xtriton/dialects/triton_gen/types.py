"""Types and effects that ops of the `triton_gen` dialect share."""

from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.dialects.tt.constraints import TypeClass
from xtriton.dialects.utils.tensors import is_integer, is_vector

_BLOCK_WIDTHS = (8, 16, 32, 64)


def is_pointer(type: Attribute) -> bool:
    """Whether `type` is LLVM's pointer; told by name, so as not to load that dialect."""
    return type.name == "llvm.ptr"


def _is_block(type: Attribute) -> bool:
    if is_vector(type):
        lanes, type = type.get_shape(), type.element_type
        if len(lanes) != 1 or lanes[0] not in (1, 2, 4, 8, 16):
            return False
    return is_integer(type) and type.width.data in _BLOCK_WIDTHS


Pointer = TypeClass("LLVM pointer type", is_pointer)
BlockData = TypeClass("Valid sub-group block memory access type", _is_block)


def constant_of(value: SSAValue) -> int | None:
    """Return the integer that a constant op makes `value`, or None."""
    owner = value.owner
    if not isinstance(owner, Operation) or not owner.name.endswith("constant"):
        return None
    found = getattr(owner.properties.get("value"), "value", None)
    return getattr(found, "data", None)
