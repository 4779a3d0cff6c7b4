"""
Ops that software pipelining leaves behind. Upstream: `TritonGPUOps.td`.
"""

from typing import ClassVar

from xdsl.dialects.builtin import i1
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import HasParent, IsTerminator, Pure, RecursiveMemoryEffect, ReturnLike

from xtriton.dialects.tt.constraints import I32Value
from xtriton.dialects.ttg.constraints import GPU_TRAITS, SignlessIntegerOrIndex
from xtriton.ir.syntax import Syntax, same_type


@irdl_op_definition
class PredicateStageOp(IRDLOperation):
    """
    Whether stage `stage` of `maxStage` runs in the iteration of a pipelined loop at `iv`.

    Upstream `TTG_PredicateStageOp`.

    ```mlir
    %p = ttg.predicate_stage %iv, %ub, %step maxStage 2 stage 0 : i32 -> i1
    ```
    """

    name = "ttg.predicate_stage"

    iv = operand_def(SignlessIntegerOrIndex)
    ub = operand_def(SignlessIntegerOrIndex)
    step = operand_def(SignlessIntegerOrIndex)
    maxStage = prop_def(I32Value)
    stage = prop_def(I32Value)
    result = result_def(i1)

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax(
        "$iv `,` $ub `,` $step `maxStage` $maxStage `stage` $stage attr-dict `:` type($iv) "
        "`->` type($result)",
        since=(3, 4),
    )
    TYPES: ClassVar = same_type("iv", "ub", "step")


@irdl_op_definition
class MaskOp(IRDLOperation):
    """
    Run a region if `pred` holds; otherwise the results are undefined.

    Upstream `TTG_MaskOp`, which has no syntax of its own.

    ```mlir
    %r = "ttg.mask"(%pred) ({
      %x = tt.load %p : tensor<64x!tt.ptr<f32>, #blocked>
      ttg.mask.return %x : tensor<64xf32, #blocked>
    }) : (i1) -> tensor<64xf32, #blocked>
    ```
    """

    name = "ttg.mask"

    pred = operand_def(i1)
    result = var_result_def(AnyAttr())
    region = region_def("single_block")

    traits = traits_def(*GPU_TRAITS, RecursiveMemoryEffect())


@irdl_op_definition
class MaskReturnOp(IRDLOperation):
    """
    End the region of `ttg.mask` with its results. Upstream `TTG_MaskReturnOp`.

    ```mlir
    ttg.mask.return %x : tensor<64xf32, #blocked>
    ```
    """

    name = "ttg.mask.return"

    result = var_operand_def(AnyAttr())

    traits = traits_def(*GPU_TRAITS, Pure(), IsTerminator(), ReturnLike(), HasParent(MaskOp))

    SYNTAX: ClassVar = Syntax("$result attr-dict `:` type($result)", since=(3, 4))
