"""
How many bytes the values take that a block of code needs from outside.

Source: `Liveness.cpp` of MLIR, of which the values that live into the body of a loop are
what is used in it, or in the regions inside, and defined elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from xdsl.dialects.builtin import AnyFloat, IntegerType, TensorType
from xdsl.ir import Attribute, Block, SSAValue

from xtriton.dialects.encodings.linear_layouts import elements_per_thread
from xtriton.dialects.utils.tensors import is_tensor


def live_into(block: Block) -> list[SSAValue]:
    """Return the values that the only block of a region uses from outside, each once."""
    own: set[SSAValue] = set(block.args)
    used: dict[SSAValue, None] = {}
    for op in block.walk():
        own.update(op.results)
        for region in op.regions:
            for inner in region.blocks:
                own.update(inner.args)
        used.update(dict.fromkeys(op.operands))
    return [value for value in used if value not in own]


def live_bytes(block: Block, size: Callable[[TensorType[Attribute]], int]) -> int:
    """Return how many bytes live into a block; `size` tells what a tensor takes."""
    return sum(_bytes(value.type, size) for value in live_into(block))


def _bytes(type: Attribute, size: Callable[[TensorType[Attribute]], int]) -> int:
    return size(type) if is_tensor(type) else element_bytes(type)


def element_bytes(type: Attribute) -> int:
    """Return the bytes of a number; 0 for pointers, indices and what is less than a byte."""
    return type.bitwidth // 8 if isinstance(type, IntegerType | AnyFloat) else 0


def bytes_of_tensor(type: TensorType[Attribute]) -> int:
    """Return the bytes of all elements of a tensor of numbers."""
    return prod(type.get_shape()) * element_bytes(type.element_type)


def bytes_per_thread(type: TensorType[Attribute]) -> int:
    """
    Return the bytes that a thread has of a tensor of numbers, copies included.

    Raises `NoLinearLayout` for a tensor without a layout.
    """
    return elements_per_thread(type.encoding, type.get_shape()) * element_bytes(type.element_type)
