"""
Descriptors in memory (tensormaps): made, passed on, published.

Upstream: `TritonNvidiaGPUOps.td`.
"""

from typing import ClassVar

from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from xtriton.dialects.tt.legacy import TENSORMAP_FORMAT, TensormapCreate
from xtriton.dialects.tt.traits import GlobalEffects
from xtriton.dialects.tt.types import PtrType, TensorDescType
from xtriton.dialects.ttg.constraints import GPU_TRAITS
from xtriton.ir.syntax import Syntax


@irdl_op_definition
class ReinterpretTensorDescOp(IRDLOperation):
    """
    A pointer to a descriptor in memory as a descriptor.

    Upstream `TTNG_ReinterpretTensorDescOp`.

    ```mlir
    %desc = ttng.reinterpret_tensor_descriptor %p : !tt.ptr<i8, 0> to !tt.tensordesc<64x32xf16, #shared>
    ```
    """

    name = "ttng.reinterpret_tensor_descriptor"

    rawDesc = operand_def(PtrType)
    result = result_def(TensorDescType)

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax(
        "$rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))",
        since=(3, 4),
    )


@irdl_op_definition
class TensorDescToTMAPtrOp(IRDLOperation):
    """
    A descriptor as the pointer that TMA wants (Triton 3.3).

    Upstream `TTNG_TensorDescToTMAPtrOp`.

    ```mlir
    %p = ttng.tensor_desc_to_tma_ptr %desc : !tt.tensordesc<tensor<64x32xf16, #shared>> to !tt.ptr<i8>
    ```
    """

    name = "ttng.tensor_desc_to_tma_ptr"

    desc = operand_def(TensorDescType)
    ptr = result_def(PtrType)

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax(
        "$desc attr-dict `:` qualified(type($desc)) `to` qualified(type($ptr))",
        since=(3, 3),
        until=(3, 3),
    )


@irdl_op_definition
class TensormapCreateOp(TensormapCreate):
    """
    Write a TMA descriptor to `desc_ptr`. Upstream `TTNG_TensormapCreateOp`.

    `elem_type`, `interleave_layout`, `swizzle_mode` and `fill_mode` are CUDA's numbers.

    ```mlir
    ttng.tensormap_create %p, %base, [%b0, %b1], [%d0, %d1], [%s0], [%e0, %e1] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ```
    """

    name = "ttng.tensormap_create"

    traits = traits_def(*GPU_TRAITS, GlobalEffects(read="", write=""))

    SYNTAX: ClassVar = Syntax(TENSORMAP_FORMAT, since=(3, 4))


@irdl_op_definition
class TensormapFenceproxyAcquireOp(IRDLOperation):
    """
    Let TMA see a descriptor that was written to memory.

    Upstream `TTNG_TensormapFenceproxyAcquireOp`.

    ```mlir
    ttng.tensormap_fenceproxy_acquire %p : !tt.ptr<i8>
    ```
    """

    name = "ttng.tensormap_fenceproxy_acquire"

    desc_ptr = operand_def(PtrType)

    traits = traits_def(*GPU_TRAITS, GlobalEffects(write=""))

    SYNTAX: ClassVar = Syntax("$desc_ptr attr-dict `:` qualified(type($desc_ptr))", since=(3, 4))
