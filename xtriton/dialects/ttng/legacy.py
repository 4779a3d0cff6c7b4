"""
The first warp specialization: producers, consumers and named barriers (Triton 3.2, 3.3).

Upstream: `TritonNvidiaGPUOps.td` of those releases.
"""

from typing import ClassVar

from xdsl.dialects.builtin import i32
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from xtriton.dialects.tt.constraints import BoolValue, I32Value, TT_Bool, TypeClass, i32_attr
from xtriton.dialects.ttg.async_copy import AnyEffects
from xtriton.dialects.ttg.constraints import GPU_TRAITS
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.ttng.attributes import NvidiaTokenType
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version

FIRST: Version = (3, 2)
LAST: Version = (3, 3)

Tokens = TypeClass(
    "tensor of tokens",
    lambda t: is_tensor(t) and isinstance(t.element_type, NvidiaTokenType),
)


def _syntax(format: str) -> Syntax:
    return Syntax(format, since=FIRST, until=LAST)


@irdl_op_definition
class CreateTokenOp(IRDLOperation):
    """
    Make `num` tokens for a queue between producers and consumers.

    ```mlir
    %t = triton_nvidia_gpu.create_token {num = 3 : i32} : tensor<3x!triton_nvidia_gpu.token>
    ```
    """

    name = "ttng.create_token"

    num = prop_def(I32Value)
    result = result_def(Tokens)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = _syntax("attr-dict `:` type($result)")


class _OnToken(IRDLOperation):
    """What is done with one slot of a queue."""

    token = operand_def(Tokens)
    idx = operand_def(i32)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = _syntax("$token `,` $idx attr-dict `:` type(operands)")


@irdl_op_definition
class ProducerAcquireOp(_OnToken):
    """
    Wait until slot `idx` of the queue is free.

    ```mlir
    triton_nvidia_gpu.producer_acquire %t, %i : tensor<3x!triton_nvidia_gpu.token>, i32
    ```
    """

    name = "ttng.producer_acquire"


@irdl_op_definition
class ProducerCommitOp(_OnToken):
    """
    Say that slot `idx` of the queue is filled.

    ```mlir
    triton_nvidia_gpu.producer_commit %t, %i : tensor<3x!triton_nvidia_gpu.token>, i32
    ```
    """

    name = "ttng.producer_commit"


@irdl_op_definition
class ConsumerWaitOp(_OnToken):
    """
    Wait until slot `idx` of the queue is filled.

    ```mlir
    triton_nvidia_gpu.consumer_wait %t, %i : tensor<3x!triton_nvidia_gpu.token>, i32
    ```
    """

    name = "ttng.consumer_wait"


@irdl_op_definition
class ConsumerReleaseOp(_OnToken):
    """
    Say that slot `idx` of the queue is free again.

    ```mlir
    triton_nvidia_gpu.consumer_release %t, %i : tensor<3x!triton_nvidia_gpu.token>, i32
    ```
    """

    name = "ttng.consumer_release"


class _OnBarrier(IRDLOperation):
    """What threads do at a barrier of the hardware."""

    bar = operand_def(i32)
    numThreads = operand_def(i32)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = _syntax("$bar `,` $numThreads attr-dict `:` type(operands)")


@irdl_op_definition
class NamedBarrierArriveOp(_OnBarrier):
    """
    Arrive at a barrier of the hardware without waiting.

    ```mlir
    triton_nvidia_gpu.bar_arrive %bar, %n : i32, i32
    ```
    """

    name = "ttng.bar_arrive"


@irdl_op_definition
class NamedBarrierWaitOp(_OnBarrier):
    """
    Wait at a barrier of the hardware for `numThreads` threads.

    ```mlir
    triton_nvidia_gpu.bar_wait %bar, %n : i32, i32
    ```
    """

    name = "ttng.bar_wait"


@irdl_op_definition
class MBarrierArriveOp(IRDLOperation):
    """
    Arrive at a barrier, on this or another CTA.

    ```mlir
    triton_nvidia_gpu.mbarrier_arrive %b {operandSegmentSizes = array<i32: 1, 0, 0>, trackAsyncOp = false} : !tt.memdesc<1xi64, #shared, #smem, mutable>
    ```
    """

    name = "ttng.mbarrier_arrive"

    mbarrier = operand_def(MemDescType)
    pred = opt_operand_def(TT_Bool)
    remoteCtaId = opt_operand_def(i32)
    trackAsyncOp = prop_def(BoolValue)
    txCount = prop_def(I32Value, default_value=i32_attr(0))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = _syntax("operands attr-dict `:` type(operands)")


class _Number(IRDLOperation):
    """A number that a warp has."""

    result = result_def(i32)

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = _syntax("attr-dict `:` type($result)")


@irdl_op_definition
class GetAsyncTaskIdOp(_Number):
    """
    The number of the task that these warps run.

    ```mlir
    %t = triton_nvidia_gpu.get_async_task_id : i32
    ```
    """

    name = "ttng.get_async_task_id"


@irdl_op_definition
class GetCanonicalWarpIdOp(_Number):
    """
    The number of this warp, the same in all its threads.

    ```mlir
    %w = triton_nvidia_gpu.get_canonical_warp_id : i32
    ```
    """

    name = "ttng.get_canonical_warp_id"


class _Registers(IRDLOperation):
    """A change of the number of registers of a thread."""

    regCount = prop_def(I32Value)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = _syntax("$regCount attr-dict")


@irdl_op_definition
class RegAllocOp(_Registers):
    """
    Raise the number of registers of a thread to `regCount`.

    ```mlir
    triton_nvidia_gpu.reg_alloc 240
    ```
    """

    name = "ttng.reg_alloc"


@irdl_op_definition
class RegDeallocOp(_Registers):
    """
    Lower the number of registers of a thread to `regCount`.

    ```mlir
    triton_nvidia_gpu.reg_dealloc 40
    ```
    """

    name = "ttng.reg_dealloc"
