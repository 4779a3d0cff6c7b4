"""
Concatenating, joining and splitting tensors.

Upstream: `TritonOps.td`.
"""

from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    TT_Tensor,
)
from xtriton.dialects.tt.shape_inference import (
    copies_do_not_count,
    joined_type,
    split_type,
    tensor_type,
    verify_join_encoding,
)
from xtriton.dialects.tt.shapes import check_inferred_encoding
from xtriton.dialects.tt.traits import (
    TENSOR_TRAITS,
    SameOperandsAndResultElementType,
)
from xtriton.ir.syntax import Syntax, same_type
from xtriton.ir.versions import Version, release


@irdl_op_definition
class CatOp(IRDLOperation):
    """
    Concatenate two tensors; the order of the elements is unspecified.

    Upstream `TT_CatOp`.

    ```mlir
    %r = tt.cat %a, %b : tensor<8xf32> -> tensor<16xf32>
    ```
    """

    name = "tt.cat"

    lhs = operand_def(TT_Tensor)
    rhs = operand_def(TT_Tensor)
    result = result_def(TT_Tensor)

    # Not pure, since it may reorder elements.
    traits = traits_def(
        *TENSOR_TRAITS,
        NoMemoryEffect(),
        SameOperandsAndResultElementType(),
    )
    SYNTAX: ClassVar = Syntax("$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)")
    TYPES: ClassVar = same_type("lhs", "rhs")

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation):
        lhs = SSAValue.get(lhs)
        source = tensor_type(lhs.type)
        first, *rest = source.get_shape()
        super().__init__(
            operands=[lhs, rhs],
            result_types=[TensorType(source.element_type, [2 * first, *rest], source.encoding)],
        )


_JOIN_INFERS_UNTIL: Version = (3, 2)
"""Up to here the encoding of the result follows from that of the operands."""


@irdl_op_definition
class JoinOp(IRDLOperation):
    """
    Join two tensors along a new, last dimension.

    Upstream `TT_JoinOp`.

    ```mlir
    %r = tt.join %a, %b : tensor<4x8xf32> -> tensor<4x8x2xf32>
    ```
    """

    name = "tt.join"

    lhs = operand_def(TT_Tensor)
    rhs = operand_def(TT_Tensor)
    result = result_def(TT_Tensor)

    traits = traits_def(*TENSOR_TRAITS, Pure())
    SYNTAX: ClassVar = Syntax("$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)")
    TYPES: ClassVar = same_type("lhs", "rhs")

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation):
        lhs = SSAValue.get(lhs)
        super().__init__(operands=[lhs, rhs], result_types=[joined_type(lhs.type)])

    def verify_(self) -> None:
        source, target = tensor_type(self.lhs.type), tensor_type(self.result.type)
        if release() <= _JOIN_INFERS_UNTIL:
            inferred = joined_type(source)
            if inferred.get_shape() != target.get_shape():
                raise VerifyException(
                    f"inferred type(s) '{inferred}' are incompatible with return type(s) of "
                    f"operation '{target}'"
                )
            check_inferred_encoding(target, inferred)
            return
        shape = (*source.get_shape(), 2)
        if target.get_shape() != shape:
            raise VerifyException(
                f"result shape must be ({', '.join(map(str, shape))}), "
                f"but got {', '.join(map(str, target.get_shape()))}"
            )
        if source.element_type != target.element_type:
            raise VerifyException("result element type must match the input element type")
        verify_join_encoding(source, target)


@irdl_op_definition
class SplitOp(IRDLOperation):
    """
    Split a tensor into two along its last dimension, which has size 2.

    Upstream `TT_SplitOp`.

    ```mlir
    %a, %b = tt.split %t : tensor<4x8x2xf32> -> tensor<4x8xf32>
    ```
    """

    name = "tt.split"

    src = operand_def(TT_Tensor)
    outLHS = result_def(TT_Tensor)
    outRHS = result_def(TT_Tensor)

    traits = traits_def(*TENSOR_TRAITS, Pure())
    SYNTAX: ClassVar = Syntax("$src attr-dict `:` type($src) `->` type($outLHS)")
    RESULT_NAMES: ClassVar = ("outLHS", "outRHS")
    TYPES: ClassVar = same_type("outLHS", "outRHS")

    def __init__(self, src: SSAValue | Operation):
        src = SSAValue.get(src)
        half = split_type(src.type)
        super().__init__(operands=[src], result_types=[half, half])

    def verify_(self) -> None:
        inferred, actual = split_type(self.src.type), tensor_type(self.outLHS.type)
        if (
            inferred.get_shape() != actual.get_shape()
            or inferred.element_type != actual.element_type
        ):
            raise VerifyException(
                f"inferred type(s) '{inferred}' are incompatible with return type(s) of "
                f"operation '{actual}'"
            )
        check_inferred_encoding(actual, inferred, copies_do_not_count())
