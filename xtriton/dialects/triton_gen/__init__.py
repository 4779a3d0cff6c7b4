"""
The `triton_gen` dialect (TritonGEN): instructions of Intel GPUs.

Upstream: `third_party/intel/include/Dialect/TritonGEN/IR` of the Intel XPU backend. Ops of
single work items and sub-groups; they have no meaning above the lane.
"""

from xtriton.dialects.triton_gen.attributes import (
    DecorationCacheControlAttr as DecorationCacheControlAttr,
    LoadCacheControlAttr as LoadCacheControlAttr,
    StoreCacheControlAttr as StoreCacheControlAttr,
)
from xtriton.dialects.triton_gen.barriers import (
    BarrierOp as BarrierOp,
    SplitBarrierArriveOp as SplitBarrierArriveOp,
    SplitBarrierSignalOp as SplitBarrierSignalOp,
    SplitBarrierWaitOp as SplitBarrierWaitOp,
)
from xtriton.dialects.triton_gen.block_2d import (
    Matrix2DBlockLoadOp as Matrix2DBlockLoadOp,
    Matrix2DBlockPrefetchOp as Matrix2DBlockPrefetchOp,
    Matrix2DBlockStoreOp as Matrix2DBlockStoreOp,
)
from xtriton.dialects.triton_gen.dpas import (
    MatrixBlockScaleDPASOp as MatrixBlockScaleDPASOp,
    MatrixDPASOp as MatrixDPASOp,
)
from xtriton.dialects.triton_gen.subgroup import (
    FToTf32Op as FToTf32Op,
    SubGroupBitcastShuffleOp as SubGroupBitcastShuffleOp,
    SubgroupIdOp as SubgroupIdOp,
    SubgroupLocalIdOp as SubgroupLocalIdOp,
    SubGroupReduceOp as SubGroupReduceOp,
    SubGroupScanOp as SubGroupScanOp,
)
from xtriton.dialects.triton_gen.subgroup_memory import (
    PredicatedLoadOp as PredicatedLoadOp,
    PredicatedStoreOp as PredicatedStoreOp,
    SIMDBlockReadOp as SIMDBlockReadOp,
    SIMDBlockWriteOp as SIMDBlockWriteOp,
    SubGroupBlockReadOp as SubGroupBlockReadOp,
    SubGroupBlockWriteOp as SubGroupBlockWriteOp,
    SubGroupGatherLoadOp as SubGroupGatherLoadOp,
)
from xtriton.dialects.utils.contents import dialect_of

TRITON_GEN = dialect_of(globals(), "triton_gen")
