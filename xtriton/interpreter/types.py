# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownMemberType=false
"""
What the interpreter needs to know of a type, and attributes as Python values.

Types are looked at once, when an op is compiled; nothing here runs while a kernel does.
"""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    ShapedType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.errors import UnsupportedOp
from xtriton.semantics import Element, element
from xtriton.semantics.elements import Array


@dataclass(frozen=True, eq=False)
class TypeInfo:
    """
    A type as the interpreter sees it.

    kind: "scalar", "tensor" (also vectors), "block_pointer", "descriptor", "memref",
          "memdesc", or "other" for tokens and the like.
    shape: of a tensor, block, memref or memdesc; -1 stands for a dynamic size.
    element: of the scalar or tensor itself; for a block pointer, descriptor, memref or
             memdesc that of what is stored there.
    pointee: for pointers and tensors of pointers, what they point to.
    """

    kind: str
    shape: tuple[int, ...] = ()
    element: Element | None = None
    pointee: Element | None = None
    type: Any = None

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def scalar(self) -> Element:
        if self.element is None:
            raise UnsupportedOp(f"a value of type '{self.type}' has no elements")
        return self.element

    @property
    def without_layout(self) -> tuple[Any, ...]:
        """What a value of the type can be, whichever lane of a warp holds which part of it."""
        whole = None if self.is_array else self.type
        return self.kind, self.shape, self.element, self.pointee, whole

    @property
    def is_array(self) -> bool:
        """Whether its values are NumPy arrays or scalars."""
        return self.kind in ("scalar", "tensor")


_POINTERS = frozenset({"tt.ptr", "llvm.ptr"})
_known: dict[int, tuple[Attribute, TypeInfo]] = {}


def info(type: Attribute) -> TypeInfo:
    """Return what is known of `type`; answers are kept by identity."""
    entry = _known.get(id(type))
    if entry is not None and entry[0] is type:
        return entry[1]
    if len(_known) > 100_000:
        _known.clear()
    found = _info(type)
    _known[id(type)] = (type, found)
    return found


def same_values(a: Attribute, b: Attribute) -> bool:
    """Whether two types have the same values; their layouts may differ."""
    return a == b or info(a).without_layout == info(b).without_layout


def element_of(type: Any) -> Element | None:
    """Return the element type of a scalar type, or None if it is no scalar."""
    if isinstance(type, IntegerType):
        try:
            return element(f"i{type.width.data}")
        except ValueError as error:
            raise UnsupportedOp(str(error)) from None
    name = getattr(type, "name", "")
    if name in _POINTERS:
        return element("ptr")
    try:
        return element(name)
    except ValueError:
        return None


def _pointee(type: Any) -> Element | None:
    parameters = getattr(type, "parameters", ())
    return element_of(parameters[0]) if parameters else None


def _shape(type: Any) -> tuple[int, ...]:
    return tuple(-1 if n < 0 else n for n in type.get_shape())


def _info(type: Any) -> TypeInfo:
    name = type.name
    if name == "tt.ptr":
        pointee = type.parameters[0]
        if isinstance(pointee, ShapedType):
            block = info(pointee)
            return TypeInfo("block_pointer", block.shape, block.element, type=type)
        return TypeInfo("scalar", (), element("ptr"), element_of(pointee), type)
    if name == "tt.tensordesc":
        return TypeInfo("descriptor", type.get_shape(), element_of(type.element_type), type=type)
    if name == "ttg.memdesc":
        return TypeInfo(
            "memdesc", tuple(type.get_shape()), element_of(type.element_type), type=type
        )
    if name in ("memref", "unranked_memref"):
        shape = _shape(type) if name == "memref" else ()
        return TypeInfo("memref", shape, element_of(type.element_type), type=type)
    if isinstance(type, ShapedType):
        inner: Any = type.element_type  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
        pointee = _pointee(inner) if inner.name in _POINTERS else None
        return TypeInfo("tensor", _shape(type), element_of(inner), pointee, type)
    scalar = element_of(type)
    if scalar is None:
        return TypeInfo("other", type=type)
    return TypeInfo("scalar", (), scalar, None, type)


def operand_info(op: Operation, index: int) -> TypeInfo:
    return info(op.operands[index].type)


def result_info(op: Operation, index: int = 0) -> TypeInfo:
    return info(op.results[index].type)


# --- attributes -------------------------------------------------------------------------


def attribute(op: Operation, name: str) -> Attribute | None:
    """Return a property or, failing that, a discardable attribute."""
    found = op.properties.get(name)
    return op.attributes.get(name) if found is None else found


def plain(value: Attribute | None) -> Any:
    """Return an attribute as a Python value: int, float, bool, str, tuple, or itself."""
    match value:
        case None:
            return None
        case IntegerAttr():
            return value.value.data
        case IntAttr() | StringAttr():
            return value.data
        case FloatAttr():
            return value.value.data
        case UnitAttr():
            return True
        case DenseArrayBase():
            return tuple(value.get_values())  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownVariableType]
        case ArrayAttr():
            return tuple(plain(item) for item in value.data)
        case SymbolRefAttr():
            return value.string_value()
        case DenseIntOrFPElementsAttr():
            return tuple(np.asarray(dense_array(value)).reshape(-1).tolist())
        case _:
            return getattr(value, "data", value)


def integer(op: Operation, name: str, default: int = 0) -> int:
    value = plain(attribute(op, name))
    return default if value is None else int(value)


def integers(op: Operation, name: str) -> tuple[int, ...]:
    value = plain(attribute(op, name))
    return () if value is None else tuple(int(v) for v in value)


def text(op: Operation, name: str, default: str = "") -> str:
    value = plain(attribute(op, name))
    return default if value is None else str(value)


def attributes(op: Operation, *names: str) -> dict[str, Any]:
    """Return those of the named attributes that the op has, as Python values."""
    found = ((name, plain(attribute(op, name))) for name in names)
    return {name: value for name, value in found if value is not None}


def segments(op: Operation) -> tuple[tuple[SSAValue, ...], ...]:
    """Return the operands by segment, as `operandSegmentSizes` divides them."""
    sizes = integers(op, "operandSegmentSizes")
    operands = tuple(op.operands)
    parts: list[tuple[SSAValue, ...]] = []
    start = 0
    for size in sizes:
        parts.append(operands[start : start + size])
        start += size
    return tuple(parts)


def dense_array(value: DenseIntOrFPElementsAttr) -> Array:
    """
    Return a dense constant as a carried array.

    A splat has size 1 in every dimension, as values of the interpreter may.
    """
    type: Any = value.type
    scalar = element_of(type.element_type)
    if scalar is None:
        raise UnsupportedOp(f"constants of type '{type}' have no meaning here")
    shape = tuple(type.get_shape())
    data = value.data.data
    stored = np.frombuffer(data, scalar.storage)
    carried = scalar.decode(stored)
    if carried.size == 1 and prod(shape) != 0:
        return carried.reshape((1,) * len(shape))
    return carried.reshape(shape)
