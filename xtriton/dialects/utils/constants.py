"""Asking whether a value is a constant, and which."""

from xdsl.dialects.builtin import (
    FloatAttr,
    IndexType,
    IntegerAttr,
)
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.traits import ConstantLike

from xtriton.dialects.upstream.arith import ConstantOp
from xtriton.dialects.utils.tensors import is_dense, is_integer, is_tensor
from xtriton.ir import dense
from xtriton.ir.op_facts import is_constant


def constant_attribute(value: SSAValue) -> Attribute | None:
    """Return the attribute of the constant that defines `value`, or None."""
    if not isinstance(value, OpResult) or not is_constant(value.op):
        return None
    owner = value.owner
    found = owner.properties.get("value", owner.attributes.get("value"))
    if found is None:
        found = ConstantLike.get_constant_value(value)
    return found


def splat_value(attribute: Attribute | None) -> int | float | None:
    """Return the number that an integer, a float or a splat of them stands for, or None."""
    if isinstance(attribute, (IntegerAttr, FloatAttr)):
        return attribute.value.data
    if is_dense(attribute) and dense.is_splat(attribute):
        return dense.splat_value(attribute)
    return None


def constant_number(value: SSAValue) -> int | float | None:
    """Return the number that `value`, a scalar or every element of a tensor, is known to be."""
    return splat_value(constant_attribute(value))


def constant_int(value: SSAValue) -> int | None:
    """Return the integer that `value`, a scalar or every element of a tensor, is known to be."""
    number = splat_value(constant_attribute(value))
    return number if isinstance(number, int) else None


def is_constant_int(value: SSAValue, number: int) -> bool:
    """Whether `value`, a scalar or every element of a tensor, is known to be `number`."""
    return constant_int(value) == number


def filled(type: Attribute, value: float) -> Attribute:
    """Return the attribute of a scalar of `type`, or of a tensor full of `value`."""
    if is_tensor(type):
        return dense.splat(type, value)
    if is_integer(type) or isinstance(type, IndexType):
        return IntegerAttr(int(value), type)
    return FloatAttr(float(value), type)  # pyright: ignore[reportArgumentType, reportCallIssue]


def constant_op(type: Attribute, value: float) -> ConstantOp:
    """Return the `arith.constant` that is `value`, or a tensor full of it."""
    return ConstantOp.create(properties={"value": filled(type, value)}, result_types=[type])


def constant_zero(value: SSAValue, target: Attribute) -> Attribute | None:
    """Return the float zero of type `target` with the sign of the zero `value`, or None."""
    number = splat_value(constant_attribute(value))
    if not isinstance(number, float) or number != 0.0:
        return None
    return filled(target, number)


def splat_constant(value: Attribute | None, type: Attribute) -> tuple[Attribute] | None:
    """Return the tensor of `type` full of the scalar or splat `value`, if it is one."""
    number = splat_value(value)
    return None if number is None else (filled(type, number),)


def reshaped_constant(value: Attribute | None, type: Attribute) -> tuple[Attribute] | None:
    """Return the elements of the tensor `value`, if it is one, in the shape of `type`."""
    if not is_dense(value):
        return None
    return (dense.from_bytes(type, value.data.data),)
