"""
Elementwise arithmetic that `arith` and `math` do not have.

Upstream: "Arithmetic Ops" and "Math Ops" of `TritonOps.td`.
"""

from typing import ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from xtriton.dialects.tt.constraints import (
    EnumValue,
    TT_FloatLike,
    TT_IntLike,
    i32_attr,
)
from xtriton.dialects.tt.enums import PropagateNan
from xtriton.dialects.tt.traits import TENSOR_TRAITS, Elementwise
from xtriton.ir.syntax import Syntax, same_type

_TRAITS = (*TENSOR_TRAITS, Pure(), Elementwise())


@irdl_op_definition
class ClampFOp(IRDLOperation):
    """
    `min(max(x, min), max)`, element by element.

    With `propagateNan = all` a NaN in `x` makes the result NaN.
    Upstream `TT_ClampFOp`.

    ```mlir
    %r = tt.clampf %x, %lo, %hi, propagateNan = all : tensor<8xf32>
    ```
    """

    name = "tt.clampf"

    x = operand_def(TT_FloatLike)
    min = operand_def(TT_FloatLike)
    max = operand_def(TT_FloatLike)
    propagateNan = prop_def(EnumValue(PropagateNan))
    result = result_def(TT_FloatLike)

    traits = traits_def(*_TRAITS)
    SYNTAX: ClassVar = Syntax(
        "$x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)"
    )
    TYPES: ClassVar = same_type("result", "x", "min", "max")
    ENUMS: ClassVar = {"propagateNan": PropagateNan}

    def __init__(
        self,
        x: SSAValue | Operation,
        min: SSAValue | Operation,
        max: SSAValue | Operation,
        propagate_nan: PropagateNan = PropagateNan.none,
    ):
        x = SSAValue.get(x)
        super().__init__(
            operands=[x, min, max],
            result_types=[x.type],
            properties={"propagateNan": i32_attr(propagate_nan)},
        )


@irdl_op_definition
class PreciseSqrtOp(IRDLOperation):
    """
    The square root, correctly rounded.

    Upstream `TT_PreciseSqrtOp`.

    ```mlir
    %r = tt.precise_sqrt %x : tensor<8xf32>
    ```
    """

    name = "tt.precise_sqrt"

    x = operand_def(TT_FloatLike)
    result = result_def(TT_FloatLike)

    traits = traits_def(*_TRAITS)
    SYNTAX: ClassVar = Syntax("$x attr-dict `:` type($x)")
    TYPES: ClassVar = same_type("x", "result")


class _Binary(IRDLOperation):
    """What the binary ops below have in common besides their operand types."""

    def __init__(self, x: SSAValue | Operation, y: SSAValue | Operation):
        x = SSAValue.get(x)
        super().__init__(operands=[x, y], result_types=[x.type])


@irdl_op_definition
class PreciseDivFOp(_Binary):
    """
    The quotient, correctly rounded.

    Upstream `TT_PreciseDivFOp`.

    ```mlir
    %r = tt.precise_divf %x, %y : tensor<8xf32>
    ```
    """

    name = "tt.precise_divf"

    x = operand_def(TT_FloatLike)
    y = operand_def(TT_FloatLike)
    result = result_def(TT_FloatLike)

    traits = traits_def(*_TRAITS)
    SYNTAX: ClassVar = Syntax("$x `,` $y attr-dict `:` type($x)")
    TYPES: ClassVar = same_type("x", "y", "result")


@irdl_op_definition
class ApproxDivFOp(_Binary):
    """
    The quotient, approximately: as the hardware divides fastest.

    Upstream `TT_ApproxDivFOp`, since Triton 3.9.

    ```mlir
    %r = tt.approx_divf %x, %y : tensor<8xf32>
    ```
    """

    name = "tt.approx_divf"

    x = operand_def(TT_FloatLike)
    y = operand_def(TT_FloatLike)
    result = result_def(TT_FloatLike)

    traits = traits_def(*_TRAITS)
    SYNTAX: ClassVar = Syntax("$x `,` $y attr-dict `:` type($x)", since=(3, 9))
    TYPES: ClassVar = same_type("x", "y", "result")


@irdl_op_definition
class MulhiUIOp(_Binary):
    """
    The upper half of the product of two unsigned integers.

    Upstream `TT_MulhiUIOp`.

    ```mlir
    %r = tt.mulhiui %x, %y : tensor<8xi32>
    ```
    """

    name = "tt.mulhiui"

    x = operand_def(TT_IntLike)
    y = operand_def(TT_IntLike)
    result = result_def(TT_IntLike)

    traits = traits_def(*_TRAITS)
    SYNTAX: ClassVar = Syntax("$x `,` $y attr-dict `:` type($x)")
    TYPES: ClassVar = same_type("x", "y", "result")
