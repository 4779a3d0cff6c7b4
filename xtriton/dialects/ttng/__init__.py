"""
The `ttng` dialect (TritonNvidiaGPU): warp groups, TMA, barriers, tensor memory.

Upstream: `include/triton/Dialect/TritonNvidiaGPU/IR`. `triton_nvidia_gpu` up to Triton 3.2.
"""

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
from xtriton.dialects.utils.contents import dialect_of

TTNG = dialect_of(globals(), "ttng")
