"""
The `triton_gen` dialect (TritonGEN): instructions of Intel GPUs.

Upstream: `third_party/intel/include/Dialect/TritonGEN/IR` of the Intel XPU backend. Ops of
single work items and sub-groups; they have no meaning above the lane.

A module is imported when one of its names is used, here or by a text that is read.
"""

from typing import TYPE_CHECKING

from xtriton.ir.contexts import Homes, LateDialect, late_member

if TYPE_CHECKING:
    from xtriton.dialects.triton_gen.attributes import (
        DecorationCacheControlAttr as DecorationCacheControlAttr,
        LoadCacheControlAttr as LoadCacheControlAttr,
        MemScope as MemScope,
        StoreCacheControlAttr as StoreCacheControlAttr,
    )
    from xtriton.dialects.triton_gen.barriers import (
        BarrierOp as BarrierOp,
        SplitBarrierArriveOp as SplitBarrierArriveOp,
        SplitBarrierSignalOp as SplitBarrierSignalOp,
        SplitBarrierWaitOp as SplitBarrierWaitOp,
        local_pointer as local_pointer,
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

_HOMES: Homes = {
    "attributes": dict.fromkeys(
        (
            "DecorationCacheControlAttr",
            "LoadCacheControlAttr",
            "MemScope",
            "StoreCacheControlAttr",
        )
    ),
    "barriers": {
        "BarrierOp": "barrier",
        "SplitBarrierArriveOp": "split_barrier_arrive",
        "SplitBarrierSignalOp": "split_barrier_signal",
        "SplitBarrierWaitOp": "split_barrier_wait",
        "local_pointer": None,
    },
    "block_2d": {
        "Matrix2DBlockLoadOp": "2Dblockload",
        "Matrix2DBlockPrefetchOp": "2Dblockprefetch",
        "Matrix2DBlockStoreOp": "2Dblockstore",
    },
    "dpas": {
        "MatrixBlockScaleDPASOp": "bdpas",
        "MatrixDPASOp": "dpas",
    },
    "subgroup": {
        "FToTf32Op": "f_to_tf32",
        "SubGroupBitcastShuffleOp": "sub_group_bitcast_shuffle",
        "SubgroupIdOp": "subgroup.id",
        "SubgroupLocalIdOp": "subgroup.local.id",
        "SubGroupReduceOp": "sub_group_reduce",
        "SubGroupScanOp": "sub_group_scan",
    },
    "subgroup_memory": {
        "PredicatedLoadOp": "predicated_load",
        "PredicatedStoreOp": "predicated_store",
        "SIMDBlockReadOp": "simdblockread",
        "SIMDBlockWriteOp": "simdblockwrite",
        "SubGroupBlockReadOp": "sub_group_block_read",
        "SubGroupBlockWriteOp": "sub_group_block_write",
        "SubGroupGatherLoadOp": "sub_group_gather_load",
    },
}
"""Names by their modules; those of ops with the names that ops have in a text."""

_ATTRIBUTES = (
    "DecorationCacheControlAttr",
    "LoadCacheControlAttr",
    "StoreCacheControlAttr",
)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        return late_member(__name__, _HOMES, name)


TRITON_GEN = LateDialect("triton_gen", __name__, _HOMES, _ATTRIBUTES)
