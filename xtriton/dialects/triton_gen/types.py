"""Types and effects that ops of the `triton_gen` dialect share."""

from dataclasses import dataclass

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind

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


@dataclass(frozen=True)
class PointerEffects(MemoryEffect):
    """Reads or writes memory through the operand named; "" is none."""

    read: str = ""
    write: str = ""

    # xDSL calls `get_effects` on the instance but declares it as a class method.
    def get_effects(self, op: Operation) -> frozenset[EffectInstance]:  # pyright: ignore
        kinds = ((MemoryEffectKind.READ, self.read), (MemoryEffectKind.WRITE, self.write))
        return frozenset(EffectInstance(kind, getattr(op, name)) for kind, name in kinds if name)


def constant_of(value: SSAValue) -> int | None:
    """Return the integer that a constant op makes `value`, or None."""
    owner = value.owner
    if not isinstance(owner, Operation) or not owner.name.endswith("constant"):
        return None
    found = getattr(owner.properties.get("value"), "value", None)
    return getattr(found, "data", None)
