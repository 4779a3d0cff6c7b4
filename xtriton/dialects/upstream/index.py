"""
The `index` dialect: arithmetic on integers of the target's pointer width.

xDSL has no such dialect; all of it is defined here.
"""

from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, i1
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Dialect, Operation, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Commutative, ConstantLike, NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from xtriton.dialects.upstream.text import TypedAttribute
from xtriton.dialects.upstream.types import INTEGER_OR_INDEX
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


@irdl_op_definition
class AddOp(BinaryOp):
    """
    Sum.

    ```mlir
    %r = index.add %a, %b
    ```
    """

    name = "index.add"

    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class SubOp(BinaryOp):
    """
    Difference.

    ```mlir
    %r = index.sub %a, %b
    ```
    """

    name = "index.sub"

    traits = traits_def(Pure())


@irdl_op_definition
class MulOp(BinaryOp):
    """
    Product.

    ```mlir
    %r = index.mul %a, %b
    ```
    """

    name = "index.mul"

    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class DivSOp(BinaryOp):
    """
    Quotient of signed numbers, towards zero.

    ```mlir
    %r = index.divs %a, %b
    ```
    """

    name = "index.divs"

    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class DivUOp(BinaryOp):
    """
    Quotient of unsigned numbers.

    ```mlir
    %r = index.divu %a, %b
    ```
    """

    name = "index.divu"

    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class CeilDivSOp(BinaryOp):
    """
    Quotient of signed numbers, rounded up.

    ```mlir
    %r = index.ceildivs %a, %b
    ```
    """

    name = "index.ceildivs"

    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class CeilDivUOp(BinaryOp):
    """
    Quotient of unsigned numbers, rounded up.

    ```mlir
    %r = index.ceildivu %a, %b
    ```
    """

    name = "index.ceildivu"

    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class FloorDivSOp(BinaryOp):
    """
    Quotient of signed numbers, rounded down.

    ```mlir
    %r = index.floordivs %a, %b
    ```
    """

    name = "index.floordivs"

    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class RemSOp(BinaryOp):
    """
    Remainder of the division of signed numbers towards zero.

    ```mlir
    %r = index.rems %a, %b
    ```
    """

    name = "index.rems"

    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class RemUOp(BinaryOp):
    """
    Remainder of the division of unsigned numbers.

    ```mlir
    %r = index.remu %a, %b
    ```
    """

    name = "index.remu"

    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class MaxSOp(BinaryOp):
    """
    The greater of two signed numbers.

    ```mlir
    %r = index.maxs %a, %b
    ```
    """

    name = "index.maxs"

    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class MaxUOp(BinaryOp):
    """
    The greater of two unsigned numbers.

    ```mlir
    %r = index.maxu %a, %b
    ```
    """

    name = "index.maxu"

    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class MinSOp(BinaryOp):
    """
    The lesser of two signed numbers.

    ```mlir
    %r = index.mins %a, %b
    ```
    """

    name = "index.mins"

    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class MinUOp(BinaryOp):
    """
    The lesser of two unsigned numbers.

    ```mlir
    %r = index.minu %a, %b
    ```
    """

    name = "index.minu"

    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class AndOp(BinaryOp):
    """
    Bits set in both.

    ```mlir
    %r = index.and %a, %b
    ```
    """

    name = "index.and"

    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class OrOp(BinaryOp):
    """
    Bits set in either.

    ```mlir
    %r = index.or %a, %b
    ```
    """

    name = "index.or"

    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class XOrOp(BinaryOp):
    """
    Bits set in one.

    ```mlir
    %r = index.xor %a, %b
    ```
    """

    name = "index.xor"

    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class ShlOp(BinaryOp):
    """
    Shifted left; poison for as many bits as there are or more.

    ```mlir
    %r = index.shl %a, %b
    ```
    """

    name = "index.shl"

    traits = traits_def(Pure())


@irdl_op_definition
class ShrSOp(BinaryOp):
    """
    Shifted right, the sign bit repeated.

    ```mlir
    %r = index.shrs %a, %b
    ```
    """

    name = "index.shrs"

    traits = traits_def(Pure())


@irdl_op_definition
class ShrUOp(BinaryOp):
    """
    Shifted right, zeros coming in.

    ```mlir
    %r = index.shru %a, %b
    ```
    """

    name = "index.shru"

    traits = traits_def(Pure())


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


INDEX = Dialect(
    "index",
    [
        AddOp,
        AndOp,
        BoolConstantOp,
        CastSOp,
        CastUOp,
        CeilDivSOp,
        CeilDivUOp,
        CmpOp,
        ConstantOp,
        DivSOp,
        DivUOp,
        FloorDivSOp,
        MaxSOp,
        MaxUOp,
        MinSOp,
        MinUOp,
        MulOp,
        OrOp,
        RemSOp,
        RemUOp,
        ShlOp,
        ShrSOp,
        ShrUOp,
        SizeOfOp,
        SubOp,
        XOrOp,
    ],
    [CmpPredicateAttr],
)

__all__ = [
    "INDEX",
    "AddOp",
    "AndOp",
    "BoolConstantOp",
    "CastSOp",
    "CastUOp",
    "CeilDivSOp",
    "CeilDivUOp",
    "CmpOp",
    "CmpPredicateAttr",
    "ConstantOp",
    "DivSOp",
    "DivUOp",
    "FloorDivSOp",
    "MaxSOp",
    "MaxUOp",
    "MinSOp",
    "MinUOp",
    "MulOp",
    "OrOp",
    "RemSOp",
    "RemUOp",
    "ShlOp",
    "ShrSOp",
    "ShrUOp",
    "SizeOfOp",
    "SubOp",
    "XOrOp",
]
