"""
The `index` dialect: arithmetic on integers of the target's pointer width.

xDSL has no such dialect; all of it is defined here.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, i1
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Commutative, ConstantLike, NoMemoryEffect, OpTrait, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from xtriton.dialects.upstream.text import TypedAttribute
from xtriton.dialects.upstream.types import INTEGER_OR_INDEX
from xtriton.dialects.utils.contents import dialect_of
from xtriton.ir.syntax import Syntax


class CmpPredicate(StrEnum):
    """Predicates of `index.cmp`."""

    EQ = "eq"
    NE = "ne"
    SLT = "slt"
    SLE = "sle"
    SGT = "sgt"
    SGE = "sge"
    ULT = "ult"
    ULE = "ule"
    UGT = "ugt"
    UGE = "uge"


@irdl_attr_definition
class CmpPredicateAttr(EnumAttribute[CmpPredicate], SpacedOpaqueSyntaxAttribute):
    """`#index<cmp_predicate slt>`."""

    name = "index.cmp_predicate"


class BinaryOp(IRDLOperation):
    """An operation on two index values."""

    lhs = operand_def(IndexType)
    rhs = operand_def(IndexType)
    result = result_def(IndexType)

    SYNTAX: ClassVar = Syntax("$lhs `,` $rhs attr-dict")

    def __init__(self, lhs: Operation | SSAValue, rhs: Operation | SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[IndexType()])


def _binary(
    class_name: str, op_name: str, meaning: str, traits: Sequence[OpTrait]
) -> type[BinaryOp]:
    """Return the class of an op on two index values."""
    example = f"```mlir\n%r = index.{op_name} %a, %b\n```"
    body = {
        "__doc__": f"{meaning}\n\n{example}",
        "__module__": __name__,
        "name": f"index.{op_name}",
        "traits": traits_def(*traits),
    }
    return irdl_op_definition(type(class_name, (BinaryOp,), body))


_PURE = (Pure(),)
_COMMUTES = (Pure(), Commutative())
_PARTIAL = (NoMemoryEffect(),)
"""Divisions: by zero they have no result, and may not be moved to where they would be executed."""

AddOp = _binary("AddOp", "add", "Sum.", _COMMUTES)
SubOp = _binary("SubOp", "sub", "Difference.", _PURE)
MulOp = _binary("MulOp", "mul", "Product.", _COMMUTES)
DivSOp = _binary("DivSOp", "divs", "Quotient of signed numbers, towards zero.", _PARTIAL)
DivUOp = _binary("DivUOp", "divu", "Quotient of unsigned numbers.", _PARTIAL)
CeilDivSOp = _binary("CeilDivSOp", "ceildivs", "Quotient of signed numbers, rounded up.", _PARTIAL)
CeilDivUOp = _binary(
    "CeilDivUOp", "ceildivu", "Quotient of unsigned numbers, rounded up.", _PARTIAL
)
FloorDivSOp = _binary(
    "FloorDivSOp", "floordivs", "Quotient of signed numbers, rounded down.", _PARTIAL
)
RemSOp = _binary(
    "RemSOp", "rems", "Remainder of the division of signed numbers towards zero.", _PARTIAL
)
RemUOp = _binary("RemUOp", "remu", "Remainder of the division of unsigned numbers.", _PARTIAL)
MaxSOp = _binary("MaxSOp", "maxs", "The greater of two signed numbers.", _COMMUTES)
MaxUOp = _binary("MaxUOp", "maxu", "The greater of two unsigned numbers.", _COMMUTES)
MinSOp = _binary("MinSOp", "mins", "The lesser of two signed numbers.", _COMMUTES)
MinUOp = _binary("MinUOp", "minu", "The lesser of two unsigned numbers.", _COMMUTES)
AndOp = _binary("AndOp", "and", "Bits set in both.", _COMMUTES)
OrOp = _binary("OrOp", "or", "Bits set in either.", _COMMUTES)
XOrOp = _binary("XOrOp", "xor", "Bits set in one.", _COMMUTES)
ShlOp = _binary(
    "ShlOp", "shl", "Shifted left; poison for as many bits as there are or more.", _PURE
)
ShrSOp = _binary("ShrSOp", "shrs", "Shifted right, the sign bit repeated.", _PURE)
ShrUOp = _binary("ShrUOp", "shru", "Shifted right, zeros coming in.", _PURE)


class CastOp(IRDLOperation):
    """Between `index` and an integer type."""

    input = operand_def(INTEGER_OR_INDEX)
    output = result_def(INTEGER_OR_INDEX)

    SYNTAX: ClassVar = Syntax("$input attr-dict `:` type($input) `to` type($output)")

    traits = traits_def(Pure())

    def __init__(self, input: Operation | SSAValue, output_type: Attribute):
        super().__init__(operands=[input], result_types=[output_type])

    def verify_(self) -> None:
        kinds = [isinstance(t, IndexType) for t in (self.input.type, self.output.type)]
        if kinds[0] == kinds[1]:
            raise VerifyException(
                f"one of input type {self.input.type} and output type "
                f"{self.output.type} must be index"
            )


@irdl_op_definition
class CastSOp(CastOp):
    """
    Cast that extends the sign where the output is wider.

    ```mlir
    %r = index.casts %n : i32 to index
    ```
    """

    name = "index.casts"


@irdl_op_definition
class CastUOp(CastOp):
    """
    Cast that fills with zeros where the output is wider.

    ```mlir
    %r = index.castu %n : i32 to index
    ```
    """

    name = "index.castu"


@irdl_op_definition
class CmpOp(IRDLOperation):
    """
    Compare two index values.

    ```mlir
    %b = index.cmp slt(%i, %n)
    ```
    """

    name = "index.cmp"

    pred = prop_def(CmpPredicateAttr)
    lhs = operand_def(IndexType)
    rhs = operand_def(IndexType)
    result = result_def(i1)

    SYNTAX: ClassVar = Syntax("$pred `(` $lhs `,` $rhs `)` attr-dict")

    traits = traits_def(Pure())


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """
    A number.

    ```mlir
    %idx4 = index.constant 4
    ```
    """

    name = "index.constant"

    value = prop_def(IntegerAttr[IndexType])
    result = result_def(IndexType)

    SYNTAX: ClassVar = Syntax("attr-dict $value")

    traits = traits_def(ConstantLike(), Pure())


@irdl_op_definition
class BoolConstantOp(IRDLOperation):
    """
    A truth value.

    ```mlir
    %true = index.bool.constant true
    ```
    """

    name = "index.bool.constant"

    value = prop_def(BoolAttr)
    result = result_def(i1)

    SYNTAX: ClassVar = Syntax("attr-dict custom<TypedAttribute>($value)")
    DIRECTIVES: ClassVar = {"TypedAttribute": TypedAttribute("result")}

    traits = traits_def(ConstantLike(), Pure())


@irdl_op_definition
class SizeOfOp(IRDLOperation):
    """
    The width of `index` in bits.

    ```mlir
    %n = index.sizeof
    ```
    """

    name = "index.sizeof"

    result = result_def(IndexType)

    SYNTAX: ClassVar = Syntax("attr-dict")

    traits = traits_def(Pure())


INDEX = dialect_of(globals(), "index")
