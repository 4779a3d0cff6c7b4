"""Constants of ops as attributes, as Python numbers and as NumPy arrays, and back."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeGuard

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, OpResult, SSAValue

from xtriton.ir import dense
from xtriton.ir.attributes import float_attr, integer_attr
from xtriton.ir.op_facts import makes_constants
from xtriton.semantics.scalars import wrapped

if TYPE_CHECKING:
    from xtriton.semantics import Element

Constant = IntegerAttr | FloatAttr | DenseIntOrFPElementsAttr


def constant_of(value: SSAValue) -> Constant | None:
    """Return the constant that `value` always is, if it is the result of a constant op."""
    # Values that are none are told apart sooner than by `isinstance`.
    if type(value) is not OpResult:
        return None
    op = value.op
    if not makes_constants(type(op)) or len(op.results) != 1:
        return None
    attribute = op.properties.get("value")
    if attribute is None:
        attribute = op.attributes.get("value")
    if isinstance(attribute, (IntegerAttr, FloatAttr, DenseIntOrFPElementsAttr)):
        return attribute  # pyright: ignore[reportUnknownVariableType]
    return None


def uniform_value(constant: Attribute | None) -> int | float | None:
    """Return the number that a scalar constant, or every element of a splat, is."""
    if constant is None:
        return None
    # Of nearly all constants this is all that there is to ask.
    if type(constant) is IntegerAttr:
        return constant.value.data
    match constant:
        case IntegerAttr():
            return constant.value.data
        case FloatAttr():
            return constant.value.data
        case DenseIntOrFPElementsAttr() if dense.is_splat(constant):
            return dense.splat_value(constant)
        case _:
            return None


def uniform_constant(type: Any, value: float) -> Constant:
    """Return the constant of a scalar or tensor `type` that is `value` throughout."""
    if is_tensor(type):
        return dense.splat(type, value)
    if isinstance(type, IntegerType):
        width = type.bitwidth
        return integer_attr(wrapped(int(value), width), _signless(width))
    if isinstance(type, IndexType):
        return integer_attr(wrapped(int(value), 64), type)
    return float_attr(value, type)


_signless = cache(IntegerType)


def is_tensor(type: object) -> TypeGuard[TensorType[Attribute]]:
    """Return whether `type` is a ranked tensor type, of whatever element type."""
    return isinstance(type, TensorType)


def element_of(type: Any) -> Element | None:
    """Return what the elements of a type are to `semantics`; None if that knows them not."""
    from xtriton.semantics import element  # on NumPy, which takes a while to import

    scalar: Attribute = type.element_type if is_tensor(type) else type
    if not isinstance(scalar, (IntegerType, IndexType, AnyFloat)):
        return None
    try:
        return element(str(scalar))
    except (KeyError, ValueError):
        return None


def carried(constant: Constant) -> Any | None:
    """
    Return the elements of a constant as a 1-D array of its element's carrier.

    A splat or scalar gives one element.
    """
    import numpy as np

    of = element_of(type_of(constant))
    if of is None:
        return None
    if isinstance(constant, DenseIntOrFPElementsAttr):
        data = constant.data.data
        if dense.is_splat(constant):
            data = data[: of.size]
        if len(data) % of.size:
            return None
        return of.decode(np.frombuffer(data, of.storage))
    return np.asarray([of.constant(constant.value.data)], of.carrier)


def from_carried(type: Attribute, array: Any) -> Constant | None:
    """Return the constant of `type` with the elements of a carried array, or one for all."""
    import numpy as np

    of = element_of(type)
    if of is None:
        return None
    array = np.atleast_1d(np.ascontiguousarray(array))
    if not is_tensor(type):
        return uniform_constant(type, array[0].item())
    if of.name == "i1":
        # xDSL keeps a true element as all ones, `semantics` as the number 1.
        return dense.from_bytes(type, (-array.astype(np.int8)).tobytes())
    return dense.from_bytes(type, of.encode(array).tobytes())


def reshaped(constant: DenseIntOrFPElementsAttr, type: Attribute) -> Constant:
    """Return the constant with the same elements in order but another shape."""
    return dense.from_bytes(type, constant.data.data)


def type_of(constant: Constant) -> Attribute:
    """Return the type of a constant."""
    return constant.type
