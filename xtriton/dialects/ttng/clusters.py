"""
Launch control of clusters and packed arithmetic.

Upstream: `TritonNvidiaGPUOps.td`.
"""

from typing import ClassVar

from xdsl.dialects.builtin import IntegerType, i1, i32
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import EnumValue, TT_Tensor
from xtriton.dialects.tt.enums import ProgramIDDim
from xtriton.dialects.ttg.async_copy import AnyEffects
from xtriton.dialects.ttg.constraints import GPU_TRAITS, SharedEffects
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.ttng.attributes import PackedArithOpKind
from xtriton.dialects.ttng.barriers import verify_barrier
from xtriton.dialects.ttng.cluster_checks import verify_clc_result, verify_completion_barrier
from xtriton.dialects.ttng.packed_arithmetic import verify_packed
from xtriton.ir.syntax import Syntax

i128 = IntegerType(128)


@irdl_op_definition
class CLCTryCancelOp(IRDLOperation):
    """
    Ask for a cluster that has not been launched yet, to do its work instead.

    The response goes into `result`, whose arrival `mbarrier` hears of.
    Upstream `TTNG_CLCTryCancelOp`.

    ```mlir
    ttng.clc_try_cancel %r, %bar : !ttg.memdesc<2xi64, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ```
    """

    name = "ttng.clc_try_cancel"

    result = operand_def(MemDescType)
    mbarrier = operand_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        "$result `,` $mbarrier attr-dict `:` qualified(type($result)) `,` "
        "qualified(type($mbarrier))",
        since=(3, 8),
    )

    def verify_(self) -> None:
        assert isinstance(self.result.type, MemDescType)
        verify_clc_result(self.result.type)
        verify_barrier(self, "mbarrier")
        verify_completion_barrier(self, self.mbarrier)


@irdl_op_definition
class CLCTryCancelSyncOp(IRDLOperation):
    """
    Ask for a cluster that has not been launched yet, and wait for the response.

    Upstream `TTNG_CLCTryCancelSyncOp`.

    ```mlir
    %r = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked>
    ```
    """

    name = "ttng.clc_try_cancel_sync"

    response = result_def(TT_Tensor)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax("attr-dict `:` type($response)", since=(3, 9))


@irdl_op_definition
class CLCLoadResultOp(IRDLOperation):
    """
    Load the response of `ttng.clc_try_cancel`. Upstream `TTNG_CLCLoadResultOp`.

    ```mlir
    %r = ttng.clc_load_result %m : !ttg.memdesc<2xi64, #shared, #smem, mutable> -> i128
    ```
    """

    name = "ttng.clc_load_result"

    src = operand_def(MemDescType)
    clcResult = result_def(i128)

    traits = traits_def(*GPU_TRAITS, SharedEffects(read="src"))

    SYNTAX: ClassVar = Syntax(
        "$src attr-dict `:` qualified(type($src)) `->` type($clcResult)", since=(3, 8)
    )

    def verify_(self) -> None:
        assert isinstance(self.src.type, MemDescType)
        verify_clc_result(self.src.type)


@irdl_op_definition
class CLCIsCanceledOp(IRDLOperation):
    """
    Whether a response brought a cluster. Upstream `TTNG_CLCIsCanceledOp`.

    ```mlir
    %p = ttng.clc_is_canceled %r : i128 -> i1
    ```
    """

    name = "ttng.clc_is_canceled"

    clcResult = operand_def(i128)
    is_canceled = result_def(i1)

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax(
        "$clcResult attr-dict `:` type($clcResult) `->` type($is_canceled)", since=(3, 8)
    )


@irdl_op_definition
class CLCGetProgramIdOp(IRDLOperation):
    """
    The program id, along one axis, of the cluster that a response brought.

    Upstream `TTNG_CLCGetProgramIdOp`.

    ```mlir
    %pid = ttng.clc_get_program_id %r, x : i128 -> i32
    ```
    """

    name = "ttng.clc_get_program_id"

    clcResult = operand_def(i128)
    dim = prop_def(EnumValue(ProgramIDDim))
    result = result_def(i32)

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax(
        "$clcResult `,` $dim attr-dict `:` type($clcResult) `->` type($result)", since=(3, 8)
    )
    ENUMS: ClassVar = {"dim": ProgramIDDim}


@irdl_op_definition
class PackedArithOp(IRDLOperation):
    """
    Elementwise arithmetic by an instruction that does several elements at once.

    Upstream `TTNG_PackedArithOp`.

    ```mlir
    %r = ttng.packed_arith fma %a, %b, %c : (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked>
    ```

    Shapes: all operands and the result have the same, packed 4-bit floats half of it.
    """

    name = "ttng.packed_arith"

    op_kind = prop_def(EnumValue(PackedArithOpKind))
    args = var_operand_def(AnyAttr())
    result = result_def(AnyAttr())

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax(
        "$op_kind $args attr-dict `:` functional-type($args, $result)", since=(3, 8)
    )
    ENUMS: ClassVar = {"op_kind": PackedArithOpKind}

    def verify_(self) -> None:
        kind = PackedArithOpKind(self.op_kind.value.data)
        expected = 3 if kind is PackedArithOpKind.fma else 2
        if len(self.args) != expected:
            raise VerifyException(
                f"{kind.keyword} expects {expected} operands but got {len(self.args)}"
            )
        verify_packed(kind.keyword, [arg.type for arg in self.args], self.result.type)
