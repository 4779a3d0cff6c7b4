"""What MLIR refuses of its builtin types, beyond what xDSL does: limits, shapes and elements."""

from collections.abc import Iterable
from typing import Any

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    FunctionType,
    IndexType,
    IntAttr,
    IntegerType,
    MemRefType,
    NoneType,
    StridedLayoutAttr,
    TensorType,
    TupleType,
    UnrankedMemRefType,
    UnrankedTensorType,
    UnregisteredAttr,
    VectorType,
)
from xdsl.ir import Attribute

MAX_INTEGER_BITS = (1 << 24) - 1

_MAX_EXTENT = (1 << 63) - 1
_MAX_ADDRESS_SPACE = (1 << 32) - 1

_POINTER = "llvm.ptr"

_NUMBERS = (IntegerType, IndexType, AnyFloat)
_NOT_IN_TENSORS = (
    FunctionType,
    MemRefType,
    NoneType,
    TensorType,
    TupleType,
    UnrankedMemRefType,
    UnrankedTensorType,
)
_NOT_IN_MEMREFS = (
    FunctionType,
    NoneType,
    TensorType,
    TupleType,
    UnrankedTensorType,
    UnregisteredAttr,
)


def fault_of_type(type: Attribute) -> str | None:
    """Return why MLIR refuses `type`, whose parts it takes; None if it does not."""
    match type:
        case IntegerType():
            if type.width.data > MAX_INTEGER_BITS:
                return f"integer bitwidth is limited to {MAX_INTEGER_BITS} bits"
        case TensorType() | UnrankedTensorType():
            if isinstance(type.element_type, _NOT_IN_TENSORS):
                return "invalid tensor element type"
            if isinstance(type, TensorType):
                return _fault_of_shape(type.get_shape())
        case VectorType():
            return _fault_of_vector(type)
        case MemRefType() | UnrankedMemRefType():
            if isinstance(type.element_type, _NOT_IN_MEMREFS):
                return "invalid memref element type"
            if isinstance(type, MemRefType):
                return _fault_of_shape(type.get_shape()) or _fault_of_layout(type)
        case _ if type.name == _POINTER:
            return _fault_of_pointer(type)
        case _:
            pass
    return None


def _fault_of_pointer(type: Any) -> str | None:
    space = getattr(type.addr_space, "data", 0)
    return "integer value too large" if space > _MAX_ADDRESS_SPACE else None


def _fault_of_shape(shape: Iterable[int]) -> str | None:
    return "invalid dimension" if any(extent > _MAX_EXTENT for extent in shape) else None


def _fault_of_vector(type: VectorType[Any]) -> str | None:
    element: Attribute = type.element_type
    if not isinstance(element, _NUMBERS) and element.name != _POINTER:
        return "vector elements must be int/index/float type"
    if 0 in type.get_shape():
        return "vector types must have positive constant sizes but got 0"
    return _fault_of_shape(type.get_shape())


def _fault_of_layout(type: MemRefType[Any]) -> str | None:
    rank, layout = len(type.get_shape()), type.layout
    if isinstance(layout, AffineMapAttr) and layout.data.num_dims != rank:
        dims = layout.data.num_dims
        return f"memref layout mismatch between rank and affine map: {rank} != {dims}"
    if isinstance(layout, StridedLayoutAttr):
        if len(layout.strides.data) != rank:
            return "expected the number of strides to match the rank"
        numbers = (*layout.strides.data, layout.offset)
        if any(isinstance(n, IntAttr) and abs(n.data) > _MAX_EXTENT for n in numbers):
            return "expected a 64-bit signed integer or '?'"
    return None
