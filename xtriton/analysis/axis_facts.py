"""What rules of axis information read from ops: properties, predicates, sizes of elements."""

from __future__ import annotations

from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import Attribute

from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.utils.tensors import is_tensor

# Predicates of arith.cmpi, by number.
LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL = (2, 6), (3, 7), (4, 8), (5, 9)


def compare(predicate: int, a: int, b: int) -> bool:
    """Return what arith.cmpi with `predicate` says about two numbers of 64 bits."""
    if predicate >= 6:
        a, b = a & (1 << 64) - 1, b & (1 << 64) - 1
        predicate -= 4
    return (a == b, a != b, a < b, a <= b, a > b, a >= b)[predicate]


def element_bits(type: Attribute) -> int:
    """Return how many bits what a pointer, or a tensor of pointers, points to has."""
    while is_tensor(type) or isinstance(type, PtrType):
        type = type.element_type if is_tensor(type) else type.pointee_type
    return type.bitwidth if isinstance(type, FixedBitwidthType) else 64


def element_bytes(type: Attribute) -> int:
    """Return how many bytes, at least 1, what a pointer points to has."""
    if is_tensor(type):
        type = type.element_type
    pointee = type.pointee_type if isinstance(type, PtrType) else type
    if isinstance(pointee, PtrType):
        return 8
    return max(1, element_bits(pointee) // 8)
