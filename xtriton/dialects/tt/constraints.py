"""
Type constraints of the `tt` dialect, with upstream's names and descriptions.

Upstream: `TritonTypes.td`. `TT_Float` is the union of the floating-point types that Triton
computes with in any era, `TT_Int` of the integer types, `TT_Type` of everything.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import EnumMeta
from functools import cache
from typing import Any

from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseArrayBase,
    Float8E4M3B11FNUZType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    Signedness,
    TensorType,
    i1,
    i32,
)
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, VerificationContext, eq
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.utils.tensors import is_integer, is_tensor

FLOAT_TYPES = (
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E4M3B11FNUZType,
    Float8E5M2Type,
    Float8E5M2FNUZType,
    Float16Type,
    BFloat16Type,
    Float32Type,
    Float64Type,
)
INT_WIDTHS = frozenset((1, 4, 8, 16, 32, 64))


def is_float(type: Attribute) -> bool:
    """Whether `type` is a floating-point type that Triton knows."""
    return isinstance(type, FLOAT_TYPES)


def is_int(type: Attribute) -> bool:
    """Whether `type` is a signless integer of 1, 4, 8, 16, 32 or 64 bits."""
    return (
        is_integer(type)
        and type.width.data in INT_WIDTHS
        and type.signedness.data is Signedness.SIGNLESS
    )


def bit_width(type: Attribute) -> int:
    """Return the width of an integer or float type in bits."""
    if is_integer(type):
        return type.width.data
    number: Any = type
    return number.bitwidth


def is_int_of(*widths: int) -> Callable[[Attribute], bool]:
    """Return the test for a signless integer of one of these widths."""

    def test(type: Attribute) -> bool:
        return is_int(type) and type.width.data in widths  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

    return test


def is_ptr(type: Attribute) -> bool:
    """Whether `type` is a pointer, to an element or to a block."""
    return isinstance(type, PtrType)


def is_block_pointer(type: Attribute) -> bool:
    """Whether `type` points to a block."""
    return isinstance(type, PtrType) and is_tensor(type.pointee_type)


def _any_of(*tests: Callable[[Attribute], bool]) -> Callable[[Attribute], bool]:
    def test(type: Attribute) -> bool:
        return any(accepts(type) for accepts in tests)

    return test


def _tensor_of(accepts: Callable[[Attribute], bool]) -> Callable[[Attribute], bool]:
    def test(type: Attribute) -> bool:
        return is_tensor(type) and accepts(type.element_type)

    return test


@dataclass(frozen=True)
class TypeClass(AttrConstraint[Attribute]):
    """A set of types, given by a test and named by a description for error messages."""

    description: str
    accepts: Callable[[Attribute], bool]
    bases: frozenset[type[Attribute]] | None = None
    """The classes of these types, where there are only so many."""

    def get_bases(self) -> set[type[Attribute]] | None:
        return None if self.bases is None else set(self.bases)

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not self.accepts(attr):
            raise VerifyException(f"must be {self.description}, but got '{attr}'")

    def mapping_type_vars(self, type_var_mapping: object) -> "TypeClass":
        return self

    @property
    def tensor(self) -> "TypeClass":
        """Ranked tensors of these types."""
        return TypeClass(
            f"ranked tensor of {self.description} values",
            _tensor_of(self.accepts),
            frozenset((TensorType,)),
        )

    @property
    def like(self) -> "TypeClass":
        """These types and ranked tensors of them."""
        return TypeClass(
            f"{self.description} or ranked tensor of {self.description} values",
            _any_of(self.accepts, _tensor_of(self.accepts)),
        )


TT_Float = TypeClass("floating-point", is_float)
TT_Int = TypeClass("integer", is_int)
TT_Ptr = TypeClass("ptr", is_ptr)
TT_Bool = TypeClass("1-bit signless integer", is_int_of(1))
TT_I32 = TypeClass("32-bit signless integer", is_int_of(32))
TT_I64 = TypeClass("64-bit signless integer", is_int_of(64))
TT_I16OrI32 = TypeClass("16-bit signless integer or 32-bit signless integer", is_int_of(16, 32))

TT_FloatTensor = TT_Float.tensor
TT_FloatLike = TT_Float.like
TT_IntTensor = TT_Int.tensor
TT_IntLike = TT_Int.like
TT_BoolLike = TT_Bool.like
TT_I64Like = TT_I64.like
TT_FpInt = TypeClass("floating-point or integer", _any_of(is_float, is_int))
TT_FpIntTensor = TT_FpInt.tensor
TT_FloatOrI8Tensor = TypeClass(
    "floating-point or 8-bit signless integer", _any_of(is_float, is_int_of(8))
).tensor
TT_PtrLike = TypeClass(
    "ptr or ranked tensor of ptr values",
    _any_of(
        lambda t: isinstance(t, PtrType) and not is_block_pointer(t),
        _tensor_of(is_ptr),
    ),
)
TT_TensorPtr = TypeClass("ptr to a block", is_block_pointer)
TT_AnyPtr = TypeClass("ptr or ranked tensor of ptr values", _any_of(is_ptr, _tensor_of(is_ptr)))
TT_Scalar = TypeClass("floating-point or integer or ptr", _any_of(is_float, is_int, is_ptr))
TT_Tensor = TT_Scalar.tensor
TT_Type = TT_Scalar.like
TT_IndexLike = TypeClass("index", lambda t: isinstance(t, IndexType))


@dataclass(frozen=True)
class EnumValue(AttrConstraint[IntegerAttr[IntegerType]]):
    """An `i32` attribute whose value is a member of an enum."""

    enum: EnumMeta

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not I32Value.verifies(attr):
            raise VerifyException(f"expected a 32-bit integer attribute, got {attr}")
        if attr.value.data not in self.enum._value2member_map_:
            raise VerifyException(f"{attr.value.data} is no value of {self.enum.__name__}")

    def mapping_type_vars(self, type_var_mapping: object) -> "EnumValue":
        return self


@cache
def i32_attr(value: int) -> IntegerAttr[IntegerType]:
    """Return the `i32` attribute of a number or of the member of an enum."""
    return IntegerAttr(int(value), i32)


def bool_attr(value: bool) -> IntegerAttr[IntegerType]:
    """Return the `i1` attribute that the generic form writes `true` or `false`."""
    return TRUE if value else FALSE


TRUE = IntegerAttr(1, i1)
FALSE = IntegerAttr(0, i1)

BoolValue = IntegerAttr.constr(type=eq(i1))
I32Value = IntegerAttr.constr(type=eq(i32))
I32Array = DenseArrayBase.constr(i32)
