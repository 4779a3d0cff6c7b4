"""
The `ttng` dialect (TritonNvidiaGPU): warp groups, TMA, barriers, tensor memory.

Upstream: `include/triton/Dialect/TritonNvidiaGPU/IR`. `triton_nvidia_gpu` up to Triton 3.2.
"""

from xdsl.ir import Dialect

from xtriton.dialects.ttng.attributes import (
    MutexType,
    NvidiaCachePolicyAttr,
    NvidiaTokenType,
    RedOpAttr,
    TensorDescIm2ColType,
)
from xtriton.dialects.ttng.barriers import (
    ArriveBarrierOp,
    AsyncCopyMbarrierArriveOp,
    AsyncSharedStoreOp,
    BarrierExpectOp,
    InitBarrierOp,
    InvalBarrierOp,
    WaitBarrierOp,
)
from xtriton.dialects.ttng.cluster_barriers import (
    ClusterArriveOp,
    ClusterBarrierOp,
    ClusterWaitOp,
    FenceAsyncSharedOp,
    FenceMBarrierInitReleaseClusterOp,
)
from xtriton.dialects.ttng.clusters import (
    CLCGetProgramIdOp,
    CLCIsCanceledOp,
    CLCLoadResultOp,
    CLCTryCancelOp,
    CLCTryCancelSyncOp,
    PackedArithOp,
)
from xtriton.dialects.ttng.legacy import (
    ConsumerReleaseOp,
    ConsumerWaitOp,
    CreateTokenOp,
    GetAsyncTaskIdOp,
    GetCanonicalWarpIdOp,
    MBarrierArriveOp,
    NamedBarrierArriveOp,
    NamedBarrierWaitOp,
    ProducerAcquireOp,
    ProducerCommitOp,
    RegAllocOp,
    RegDeallocOp,
)
from xtriton.dialects.ttng.mma import TCGen5CommitOp, TCGen5MMAOp, TCGen5MMAScaledOp
from xtriton.dialects.ttng.tensor_memory import (
    TensorMemoryEncodingAttr,
    TensorMemoryScalesEncodingAttr,
    TensorMemorySpaceAttr,
)
from xtriton.dialects.ttng.tensormaps import (
    ReinterpretTensorDescOp,
    TensorDescToTMAPtrOp,
    TensormapCreateOp,
    TensormapFenceproxyAcquireOp,
)
from xtriton.dialects.ttng.tma import (
    AsyncTMACopyGlobalToLocalOp,
    AsyncTMACopyLocalToGlobalOp,
    AsyncTMAGatherOp,
    AsyncTMAReduceOp,
    AsyncTMAScatterOp,
    TMAStoreWaitOp,
)
from xtriton.dialects.ttng.tmem import (
    TMEMAllocOp,
    TMEMCopyOp,
    TMEMLoadOp,
    TMEMStoreOp,
    TMEMSubSliceOp,
    TMEMWaitOp,
)
from xtriton.dialects.ttng.warp_group_dot import (
    DotAsyncOp,
    DotWaitOp,
    WarpGroupDotOp,
    WarpGroupDotWaitOp,
)

OPS = (
    ArriveBarrierOp,
    AsyncCopyMbarrierArriveOp,
    AsyncSharedStoreOp,
    AsyncTMACopyGlobalToLocalOp,
    AsyncTMACopyLocalToGlobalOp,
    AsyncTMAGatherOp,
    AsyncTMAReduceOp,
    AsyncTMAScatterOp,
    BarrierExpectOp,
    CLCGetProgramIdOp,
    CLCIsCanceledOp,
    CLCLoadResultOp,
    CLCTryCancelOp,
    CLCTryCancelSyncOp,
    ClusterArriveOp,
    ClusterBarrierOp,
    ClusterWaitOp,
    ConsumerReleaseOp,
    ConsumerWaitOp,
    CreateTokenOp,
    DotAsyncOp,
    DotWaitOp,
    FenceAsyncSharedOp,
    FenceMBarrierInitReleaseClusterOp,
    GetAsyncTaskIdOp,
    GetCanonicalWarpIdOp,
    InitBarrierOp,
    InvalBarrierOp,
    MBarrierArriveOp,
    NamedBarrierArriveOp,
    NamedBarrierWaitOp,
    PackedArithOp,
    ProducerAcquireOp,
    ProducerCommitOp,
    RegAllocOp,
    RegDeallocOp,
    ReinterpretTensorDescOp,
    TCGen5CommitOp,
    TCGen5MMAOp,
    TCGen5MMAScaledOp,
    TMAStoreWaitOp,
    TMEMAllocOp,
    TMEMCopyOp,
    TMEMLoadOp,
    TMEMStoreOp,
    TMEMSubSliceOp,
    TMEMWaitOp,
    TensorDescToTMAPtrOp,
    TensormapCreateOp,
    TensormapFenceproxyAcquireOp,
    WaitBarrierOp,
    WarpGroupDotOp,
    WarpGroupDotWaitOp,
)

ATTRIBUTES = (
    MutexType,
    NvidiaCachePolicyAttr,
    NvidiaTokenType,
    RedOpAttr,
    TensorDescIm2ColType,
    TensorMemoryEncodingAttr,
    TensorMemoryScalesEncodingAttr,
    TensorMemorySpaceAttr,
)

TTNG = Dialect("ttng", [*OPS], [*ATTRIBUTES])
