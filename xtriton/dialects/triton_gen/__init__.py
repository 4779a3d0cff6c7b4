"""
The `triton_gen` dialect (TritonGEN): instructions of Intel GPUs.

Upstream: `third_party/intel/include/Dialect/TritonGEN/IR` of the Intel XPU backend. Ops of
single work items and sub-groups; they have no meaning above the lane.
"""

from xdsl.ir import Dialect

from xtriton.dialects.triton_gen.attributes import (
    DecorationCacheControlAttr,
    LoadCacheControlAttr,
    StoreCacheControlAttr,
)
from xtriton.dialects.triton_gen.barriers import (
    BarrierOp,
    SplitBarrierArriveOp,
    SplitBarrierSignalOp,
    SplitBarrierWaitOp,
)
from xtriton.dialects.triton_gen.matrix import (
    Matrix2DBlockLoadOp,
    Matrix2DBlockPrefetchOp,
    Matrix2DBlockStoreOp,
    MatrixBlockScaleDPASOp,
    MatrixDPASOp,
)
from xtriton.dialects.triton_gen.subgroup import (
    FToTf32Op,
    PredicatedLoadOp,
    PredicatedStoreOp,
    SIMDBlockReadOp,
    SIMDBlockWriteOp,
    SubGroupBitcastShuffleOp,
    SubGroupBlockReadOp,
    SubGroupBlockWriteOp,
    SubGroupGatherLoadOp,
    SubgroupIdOp,
    SubgroupLocalIdOp,
    SubGroupReduceOp,
    SubGroupScanOp,
)

OPS = (
    BarrierOp,
    FToTf32Op,
    Matrix2DBlockLoadOp,
    Matrix2DBlockPrefetchOp,
    Matrix2DBlockStoreOp,
    MatrixBlockScaleDPASOp,
    MatrixDPASOp,
    PredicatedLoadOp,
    PredicatedStoreOp,
    SIMDBlockReadOp,
    SIMDBlockWriteOp,
    SplitBarrierArriveOp,
    SplitBarrierSignalOp,
    SplitBarrierWaitOp,
    SubGroupBitcastShuffleOp,
    SubGroupBlockReadOp,
    SubGroupBlockWriteOp,
    SubGroupGatherLoadOp,
    SubGroupReduceOp,
    SubGroupScanOp,
    SubgroupIdOp,
    SubgroupLocalIdOp,
)

ATTRIBUTES = (DecorationCacheControlAttr, LoadCacheControlAttr, StoreCacheControlAttr)

TRITON_GEN = Dialect("triton_gen", [*OPS], [*ATTRIBUTES])
