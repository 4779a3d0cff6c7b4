"""Reading ops by the names that MLIR gives their properties, whatever class models them."""

from typing import Any, cast

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from xtriton.ir.attributes import attribute, integers

DYNAMIC = -(2**63)
"""MLIR's marker of a size, stride or offset that is an operand."""
BLOCK_STORE = "bufferization.materialize_in_destination"
"""What stores a block to memory."""


def operand_groups(op: Operation) -> list[list[SSAValue]]:
    """Return the operands in the groups that `operandSegmentSizes` tells."""
    sizes = integers(op, "operandSegmentSizes")
    groups: list[list[SSAValue]] = []
    start = 0
    for size in sizes:
        groups.append(list(op.operands[start : start + size]))
        start += size
    return groups


def affine_maps(op: Operation, name: str) -> list[AffineMap]:
    """Return an array of affine maps."""
    array = cast(Any, attribute(op, name))
    return [item.data for item in array.data]


def shape_of(type: Attribute) -> tuple[int, ...]:
    """Return the shape of a tensor or memref type; -1 is a dynamic extent."""
    return tuple(cast(Any, type).get_shape())


def strides_of(type: Attribute) -> tuple[int | None, ...] | None:
    """Return the strides of a memref type, None for dynamic ones; None if it has no strides."""
    strides = cast(Any, type).get_strides()
    return None if strides is None else tuple(strides)


def element_type_of(type: Attribute) -> Attribute:
    return cast(Any, type).element_type


def is_shaped(type: Attribute) -> bool:
    return hasattr(type, "element_type") and hasattr(type, "get_shape")


def terminator(block: Any) -> Operation:
    return cast(Operation, block.last_op)


def single_block(op: Operation, region: int = 0) -> Any:
    return op.regions[region].blocks[0]


def whole_shape(block: SSAValue) -> tuple[int, ...]:
    """Return the shape of a block, or of the one that a mask has cut it out of."""
    op = block.owner
    if isinstance(op, Operation) and op.name == "tensor.extract_slice":
        return whole_shape(op.operands[0])
    return shape_of(block.type)
