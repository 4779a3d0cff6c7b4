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
from xtriton.dialects.triton_gen.block_2d import (
    Matrix2DBlockLoadOp,
    Matrix2DBlockPrefetchOp,
    Matrix2DBlockStoreOp,
)
from xtriton.dialects.triton_gen.dpas import MatrixBlockScaleDPASOp, MatrixDPASOp
from xtriton.dialects.triton_gen.subgroup import (
    FToTf32Op,
    SubGroupBitcastShuffleOp,
    SubgroupIdOp,
    SubgroupLocalIdOp,
    SubGroupReduceOp,
    SubGroupScanOp,
)
from xtriton.dialects.triton_gen.subgroup_memory import (
    PredicatedLoadOp,
    PredicatedStoreOp,
    SIMDBlockReadOp,
    SIMDBlockWriteOp,
    SubGroupBlockReadOp,
    SubGroupBlockWriteOp,
    SubGroupGatherLoadOp,
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
