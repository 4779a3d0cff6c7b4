"""
Barriers of a cluster of CTAs, and fences.

Upstream: `TritonNvidiaGPUOps.td`.
"""

from typing import ClassVar

from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    traits_def,
)

from xtriton.dialects.tt.constraints import FALSE, BoolValue
from xtriton.dialects.ttg.async_copy import AnyEffects
from xtriton.dialects.ttg.constraints import GPU_TRAITS
from xtriton.dialects.ttng.cluster_checks import (
    verify_kernel,
    verify_multiple_ctas,
)
from xtriton.ir.syntax import Syntax


@irdl_op_definition
class FenceAsyncSharedOp(IRDLOperation):
    """
    Make ordinary accesses to shared memory visible to asynchronous units.

    `bCluster`: for the cluster, not the CTA alone. Upstream `TTNG_FenceAsyncSharedOp`.

    ```mlir
    ttng.fence_async_shared {bCluster = false}
    ```
    """

    name = "ttng.fence_async_shared"

    bCluster = prop_def(BoolValue)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax("attr-dict")


@irdl_op_definition
class FenceMBarrierInitReleaseClusterOp(IRDLOperation):
    """
    Make initialized barriers visible to the cluster.

    Upstream `TTNG_FenceMBarrierInitReleaseClusterOp`.

    ```mlir
    ttng.fence_mbarrier_init_release_cluster
    ```
    """

    name = "ttng.fence_mbarrier_init_release_cluster"

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax("attr-dict", since=(3, 7))

    def verify_(self) -> None:
        verify_multiple_ctas(self)


@irdl_op_definition
class ClusterArriveOp(IRDLOperation):
    """
    Arrive at the barrier of the cluster (up to Triton 3.8). Upstream `TTNG_ClusterArriveOp`.

    ```mlir
    ttng.cluster_arrive {relaxed = true}
    ```
    """

    name = "ttng.cluster_arrive"

    relaxed = prop_def(BoolValue)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax("attr-dict", until=(3, 8))

    def verify_(self) -> None:
        verify_multiple_ctas(self)


@irdl_op_definition
class ClusterWaitOp(IRDLOperation):
    """
    Wait for the other CTAs of the cluster (up to Triton 3.8). Upstream `TTNG_ClusterWaitOp`.

    ```mlir
    ttng.cluster_wait
    ```
    """

    name = "ttng.cluster_wait"

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax("attr-dict", until=(3, 8))

    def verify_(self) -> None:
        verify_multiple_ctas(self)


@irdl_op_definition
class ClusterBarrierOp(IRDLOperation):
    """
    Wait for all CTAs of the cluster; `relaxed` orders no memory.

    Upstream `TTNG_ClusterBarrierOp`.

    ```mlir
    ttng.cluster_barrier {relaxed = true}
    ```
    """

    name = "ttng.cluster_barrier"
    VERIFY_EACH: ClassVar[bool] = True

    relaxed = prop_def(BoolValue, default_value=FALSE)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax("attr-dict", since=(3, 8))

    def verify_(self) -> None:
        verify_multiple_ctas(self)
        verify_kernel(self)
