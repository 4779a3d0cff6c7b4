"""Vectors of the operands and results of `triton_gen` ops."""

from math import prod

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, IntegerType, VectorType
from xdsl.ir import Attribute, SSAValue

from xtriton.dialects.tt.constraints import TypeClass, bit_width
from xtriton.dialects.utils.tensors import is_vector

AnyVector = TypeClass("vector", lambda t: is_vector(t))

_MATRIX_ELEMENTS = (IntegerType, Float32Type, Float16Type, BFloat16Type)

MatrixVector = TypeClass(
    "vector of integers or floats",
    lambda t: is_vector(t) and isinstance(t.element_type, _MATRIX_ELEMENTS),
)


def vector_of(value: SSAValue) -> VectorType:
    """Return the type of a value that is a vector."""
    assert is_vector(value.type)
    return value.type


def count_of(type: VectorType) -> int:
    """Return how many elements a vector has."""
    return prod(type.get_shape())


def bits_of(type: Attribute) -> int:
    """Return how many bits a vector has."""
    assert is_vector(type)
    return count_of(type) * bit_width(type.element_type)
