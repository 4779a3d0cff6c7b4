"""
The `ttng` dialect (TritonNvidiaGPU): warp groups, TMA, barriers, tensor memory.

Upstream: `include/triton/Dialect/TritonNvidiaGPU/IR`. `triton_nvidia_gpu` up to Triton 3.2.

A module is imported when one of its names is used, here or by a text that is read.
"""

from typing import TYPE_CHECKING

from xtriton.ir.contexts import Homes, LateDialect, late_member

if TYPE_CHECKING:
    from xtriton.dialects.ttng.attributes import (
        MutexType as MutexType,
        NvidiaCachePolicyAttr as NvidiaCachePolicyAttr,
        NvidiaTokenType as NvidiaTokenType,
        RedOpAttr as RedOpAttr,
        TensorDescIm2ColType as TensorDescIm2ColType,
    )
    from xtriton.dialects.ttng.barriers import (
        ArriveBarrierOp as ArriveBarrierOp,
        AsyncCopyMbarrierArriveOp as AsyncCopyMbarrierArriveOp,
        AsyncSharedStoreOp as AsyncSharedStoreOp,
        BarrierExpectOp as BarrierExpectOp,
        InitBarrierOp as InitBarrierOp,
        InvalBarrierOp as InvalBarrierOp,
        WaitBarrierOp as WaitBarrierOp,
    )
    from xtriton.dialects.ttng.cluster_barriers import (
        ClusterArriveOp as ClusterArriveOp,
        ClusterBarrierOp as ClusterBarrierOp,
        ClusterWaitOp as ClusterWaitOp,
        FenceAsyncSharedOp as FenceAsyncSharedOp,
        FenceMBarrierInitReleaseClusterOp as FenceMBarrierInitReleaseClusterOp,
    )
    from xtriton.dialects.ttng.clusters import (
        CLCGetProgramIdOp as CLCGetProgramIdOp,
        CLCIsCanceledOp as CLCIsCanceledOp,
        CLCLoadResultOp as CLCLoadResultOp,
        CLCTryCancelOp as CLCTryCancelOp,
        CLCTryCancelSyncOp as CLCTryCancelSyncOp,
        PackedArithOp as PackedArithOp,
    )
    from xtriton.dialects.ttng.legacy import (
        ConsumerReleaseOp as ConsumerReleaseOp,
        ConsumerWaitOp as ConsumerWaitOp,
        CreateTokenOp as CreateTokenOp,
        GetAsyncTaskIdOp as GetAsyncTaskIdOp,
        GetCanonicalWarpIdOp as GetCanonicalWarpIdOp,
        MBarrierArriveOp as MBarrierArriveOp,
        NamedBarrierArriveOp as NamedBarrierArriveOp,
        NamedBarrierWaitOp as NamedBarrierWaitOp,
        ProducerAcquireOp as ProducerAcquireOp,
        ProducerCommitOp as ProducerCommitOp,
        RegAllocOp as RegAllocOp,
        RegDeallocOp as RegDeallocOp,
    )
    from xtriton.dialects.ttng.mma import (
        TCGen5CommitOp as TCGen5CommitOp,
        TCGen5MMAOp as TCGen5MMAOp,
        TCGen5MMAScaledOp as TCGen5MMAScaledOp,
    )
    from xtriton.dialects.ttng.tensor_memory import (
        TensorMemoryEncodingAttr as TensorMemoryEncodingAttr,
        TensorMemoryScalesEncodingAttr as TensorMemoryScalesEncodingAttr,
        TensorMemorySpaceAttr as TensorMemorySpaceAttr,
    )
    from xtriton.dialects.ttng.tensormaps import (
        ReinterpretTensorDescOp as ReinterpretTensorDescOp,
        TensorDescToTMAPtrOp as TensorDescToTMAPtrOp,
        TensormapCreateOp as TensormapCreateOp,
        TensormapFenceproxyAcquireOp as TensormapFenceproxyAcquireOp,
    )
    from xtriton.dialects.ttng.tma import (
        AsyncTMACopyGlobalToLocalOp as AsyncTMACopyGlobalToLocalOp,
        AsyncTMACopyLocalToGlobalOp as AsyncTMACopyLocalToGlobalOp,
        AsyncTMAGatherOp as AsyncTMAGatherOp,
        AsyncTMAReduceOp as AsyncTMAReduceOp,
        AsyncTMAScatterOp as AsyncTMAScatterOp,
        TMAStoreWaitOp as TMAStoreWaitOp,
    )
    from xtriton.dialects.ttng.tmem import (
        TMEMAllocOp as TMEMAllocOp,
        TMEMCopyOp as TMEMCopyOp,
        TMEMLoadOp as TMEMLoadOp,
        TMEMStoreOp as TMEMStoreOp,
        TMEMSubSliceOp as TMEMSubSliceOp,
        TMEMWaitOp as TMEMWaitOp,
    )
    from xtriton.dialects.ttng.warp_group_dot import (
        DotAsyncOp as DotAsyncOp,
        DotWaitOp as DotWaitOp,
        WarpGroupDotOp as WarpGroupDotOp,
        WarpGroupDotWaitOp as WarpGroupDotWaitOp,
    )

_HOMES: Homes = {
    "attributes": dict.fromkeys(
        (
            "MutexType",
            "NvidiaCachePolicyAttr",
            "NvidiaTokenType",
            "RedOpAttr",
            "TensorDescIm2ColType",
        )
    ),
    "barriers": {
        "ArriveBarrierOp": "arrive_barrier",
        "AsyncCopyMbarrierArriveOp": "async_copy_mbarrier_arrive",
        "AsyncSharedStoreOp": "async_shared_store",
        "BarrierExpectOp": "barrier_expect",
        "InitBarrierOp": "init_barrier",
        "InvalBarrierOp": "inval_barrier",
        "WaitBarrierOp": "wait_barrier",
    },
    "cluster_barriers": {
        "ClusterArriveOp": "cluster_arrive",
        "ClusterBarrierOp": "cluster_barrier",
        "ClusterWaitOp": "cluster_wait",
        "FenceAsyncSharedOp": "fence_async_shared",
        "FenceMBarrierInitReleaseClusterOp": "fence_mbarrier_init_release_cluster",
    },
    "clusters": {
        "CLCGetProgramIdOp": "clc_get_program_id",
        "CLCIsCanceledOp": "clc_is_canceled",
        "CLCLoadResultOp": "clc_load_result",
        "CLCTryCancelOp": "clc_try_cancel",
        "CLCTryCancelSyncOp": "clc_try_cancel_sync",
        "PackedArithOp": "packed_arith",
    },
    "legacy": {
        "ConsumerReleaseOp": "consumer_release",
        "ConsumerWaitOp": "consumer_wait",
        "CreateTokenOp": "create_token",
        "GetAsyncTaskIdOp": "get_async_task_id",
        "GetCanonicalWarpIdOp": "get_canonical_warp_id",
        "MBarrierArriveOp": "mbarrier_arrive",
        "NamedBarrierArriveOp": "bar_arrive",
        "NamedBarrierWaitOp": "bar_wait",
        "ProducerAcquireOp": "producer_acquire",
        "ProducerCommitOp": "producer_commit",
        "RegAllocOp": "reg_alloc",
        "RegDeallocOp": "reg_dealloc",
    },
    "mma": {
        "TCGen5CommitOp": "tc_gen5_commit",
        "TCGen5MMAOp": "tc_gen5_mma",
        "TCGen5MMAScaledOp": "tc_gen5_mma_scaled",
    },
    "tensor_memory": dict.fromkeys(
        (
            "TensorMemoryEncodingAttr",
            "TensorMemoryScalesEncodingAttr",
            "TensorMemorySpaceAttr",
        )
    ),
    "tensormaps": {
        "ReinterpretTensorDescOp": "reinterpret_tensor_descriptor",
        "TensorDescToTMAPtrOp": "tensor_desc_to_tma_ptr",
        "TensormapCreateOp": "tensormap_create",
        "TensormapFenceproxyAcquireOp": "tensormap_fenceproxy_acquire",
    },
    "tma": {
        "AsyncTMACopyGlobalToLocalOp": "async_tma_copy_global_to_local",
        "AsyncTMACopyLocalToGlobalOp": "async_tma_copy_local_to_global",
        "AsyncTMAGatherOp": "async_tma_gather",
        "AsyncTMAReduceOp": "async_tma_reduce",
        "AsyncTMAScatterOp": "async_tma_scatter",
        "TMAStoreWaitOp": "async_tma_store_wait",
    },
    "tmem": {
        "TMEMAllocOp": "tmem_alloc",
        "TMEMCopyOp": "tmem_copy",
        "TMEMLoadOp": "tmem_load",
        "TMEMStoreOp": "tmem_store",
        "TMEMSubSliceOp": "tmem_subslice",
        "TMEMWaitOp": "tmem_wait",
    },
    "warp_group_dot": {
        "DotAsyncOp": "dot_async",
        "DotWaitOp": "dot_wait",
        "WarpGroupDotOp": "warp_group_dot",
        "WarpGroupDotWaitOp": "warp_group_dot_wait",
    },
}
"""Names by their modules; those of ops with the names that ops have in a text."""

_ATTRIBUTES = (
    "MutexType",
    "NvidiaCachePolicyAttr",
    "NvidiaTokenType",
    "RedOpAttr",
    "TensorDescIm2ColType",
    "TensorMemoryEncodingAttr",
    "TensorMemoryScalesEncodingAttr",
    "TensorMemorySpaceAttr",
)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        return late_member(__name__, _HOMES, name)


TTNG = LateDialect("ttng", __name__, _HOMES, _ATTRIBUTES)
