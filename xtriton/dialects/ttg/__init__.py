"""
The `ttg` dialect (TritonGPU): layouts, buffers in shared memory, groups of warps.

Upstream: `include/triton/Dialect/TritonGPU/IR`. `triton_gpu` up to Triton 3.2.

A module is imported when one of its names is used, here or by a text that is read.
"""

from typing import TYPE_CHECKING

from xtriton.ir.contexts import Homes, LateDialect, late_member

if TYPE_CHECKING:
    from xtriton.dialects.ttg.amd_mfma import (
        AMDMfmaEncodingAttr as AMDMfmaEncodingAttr,
    )
    from xtriton.dialects.ttg.amd_wmma import (
        AMDWmmaEncodingAttr as AMDWmmaEncodingAttr,
    )
    from xtriton.dialects.ttg.async_copy import (
        AsyncCommitGroupOp as AsyncCommitGroupOp,
        AsyncCopyGlobalToLocalOp as AsyncCopyGlobalToLocalOp,
        AsyncWaitOp as AsyncWaitOp,
    )
    from xtriton.dialects.ttg.barrier import (
        BarrierOp as BarrierOp,
        LocalBarrierOp as LocalBarrierOp,
    )
    from xtriton.dialects.ttg.cga import (
        CGAEncodingAttr as CGAEncodingAttr,
    )
    from xtriton.dialects.ttg.distributed import (
        BlockedEncodingAttr as BlockedEncodingAttr,
        DotOperandEncodingAttr as DotOperandEncodingAttr,
        SliceEncodingAttr as SliceEncodingAttr,
    )
    from xtriton.dialects.ttg.enums import (
        AddrSpace as AddrSpace,
    )
    from xtriton.dialects.ttg.indexed_memory import (
        LocalAtomicScatterRMWOp as LocalAtomicScatterRMWOp,
        LocalGatherOp as LocalGatherOp,
        LocalScatterOp as LocalScatterOp,
    )
    from xtriton.dialects.ttg.interfaces import (
        DistributedEncoding as DistributedEncoding,
        LayoutEncoding as LayoutEncoding,
        MmaEncoding as MmaEncoding,
        SharedEncoding as SharedEncoding,
    )
    from xtriton.dialects.ttg.layout_ops import (
        ConvertLayoutOp as ConvertLayoutOp,
        Fp4ToFpOp as Fp4ToFpOp,
        GlobalScratchAllocOp as GlobalScratchAllocOp,
        InlineAsmOp as InlineAsmOp,
        UpcastMXFPOp as UpcastMXFPOp,
        WarpIdOp as WarpIdOp,
    )
    from xtriton.dialects.ttg.linear import (
        GenericLinearEncodingAttr as GenericLinearEncodingAttr,
        LinearEncodingAttr as LinearEncodingAttr,
    )
    from xtriton.dialects.ttg.linear_shared import (
        PaddedSharedEncodingAttr as PaddedSharedEncodingAttr,
        SharedLinearEncodingAttr as SharedLinearEncodingAttr,
    )
    from xtriton.dialects.ttg.memdesc_parts import (
        MemDescIndexOp as MemDescIndexOp,
        MemDescSubsliceOp as MemDescSubsliceOp,
        MemDescSubviewOp as MemDescSubviewOp,
    )
    from xtriton.dialects.ttg.memdesc_views import (
        MemDescReinterpretOp as MemDescReinterpretOp,
        MemDescReshapeOp as MemDescReshapeOp,
        MemDescTransOp as MemDescTransOp,
    )
    from xtriton.dialects.ttg.memory import (
        LocalAllocOp as LocalAllocOp,
        LocalDeallocOp as LocalDeallocOp,
        LocalLoadOp as LocalLoadOp,
        LocalStoreOp as LocalStoreOp,
    )
    from xtriton.dialects.ttg.mma import (
        NvidiaMmaEncodingAttr as NvidiaMmaEncodingAttr,
    )
    from xtriton.dialects.ttg.partitioned_shared import (
        PartitionedSharedEncodingAttr as PartitionedSharedEncodingAttr,
    )
    from xtriton.dialects.ttg.pipelining import (
        MaskOp as MaskOp,
        MaskReturnOp as MaskReturnOp,
        PredicateStageOp as PredicateStageOp,
    )
    from xtriton.dialects.ttg.shared import (
        AMDRotatingSharedEncodingAttr as AMDRotatingSharedEncodingAttr,
        NVMMASharedEncodingAttr as NVMMASharedEncodingAttr,
        SharedEncodingAttr as SharedEncodingAttr,
        SharedMemorySpaceAttr as SharedMemorySpaceAttr,
        SwizzledSharedEncodingAttr as SwizzledSharedEncodingAttr,
    )
    from xtriton.dialects.ttg.types import (
        AsyncTokenType as AsyncTokenType,
        MemDescType as MemDescType,
        OldMemDescType as OldMemDescType,
        TokenType as TokenType,
    )
    from xtriton.dialects.ttg.warp_specialize import (
        WarpReturnOp as WarpReturnOp,
        WarpSpecializeOp as WarpSpecializeOp,
        WarpSpecializePartitionsOp as WarpSpecializePartitionsOp,
        WarpYieldOp as WarpYieldOp,
    )

_HOMES: Homes = {
    "amd_mfma": dict.fromkeys(("AMDMfmaEncodingAttr",)),
    "amd_wmma": dict.fromkeys(("AMDWmmaEncodingAttr",)),
    "async_copy": {
        "AsyncCommitGroupOp": "async_commit_group",
        "AsyncCopyGlobalToLocalOp": "async_copy_global_to_local",
        "AsyncWaitOp": "async_wait",
    },
    "barrier": {
        "BarrierOp": "barrier",
        "LocalBarrierOp": "local_barrier",
    },
    "cga": dict.fromkeys(("CGAEncodingAttr",)),
    "distributed": dict.fromkeys(
        (
            "BlockedEncodingAttr",
            "DotOperandEncodingAttr",
            "SliceEncodingAttr",
        )
    ),
    "enums": dict.fromkeys(("AddrSpace",)),
    "indexed_memory": {
        "LocalAtomicScatterRMWOp": "local_atomic_scatter_rmw",
        "LocalGatherOp": "local_gather",
        "LocalScatterOp": "local_scatter",
    },
    "interfaces": dict.fromkeys(
        (
            "DistributedEncoding",
            "LayoutEncoding",
            "MmaEncoding",
            "SharedEncoding",
        )
    ),
    "layout_ops": {
        "ConvertLayoutOp": "convert_layout",
        "Fp4ToFpOp": "fp4_to_fp",
        "GlobalScratchAllocOp": "global_scratch_alloc",
        "InlineAsmOp": "inline_asm",
        "UpcastMXFPOp": "upcast_mxfp",
        "WarpIdOp": "warp_id",
    },
    "linear": dict.fromkeys(
        (
            "GenericLinearEncodingAttr",
            "LinearEncodingAttr",
        )
    ),
    "linear_shared": dict.fromkeys(
        (
            "PaddedSharedEncodingAttr",
            "SharedLinearEncodingAttr",
        )
    ),
    "memdesc_parts": {
        "MemDescIndexOp": "memdesc_index",
        "MemDescSubsliceOp": "memdesc_subslice",
        "MemDescSubviewOp": "memdesc_subview",
    },
    "memdesc_views": {
        "MemDescReinterpretOp": "memdesc_reinterpret",
        "MemDescReshapeOp": "memdesc_reshape",
        "MemDescTransOp": "memdesc_trans",
    },
    "memory": {
        "LocalAllocOp": "local_alloc",
        "LocalDeallocOp": "local_dealloc",
        "LocalLoadOp": "local_load",
        "LocalStoreOp": "local_store",
    },
    "mma": dict.fromkeys(("NvidiaMmaEncodingAttr",)),
    "partitioned_shared": dict.fromkeys(("PartitionedSharedEncodingAttr",)),
    "pipelining": {
        "MaskOp": "mask",
        "MaskReturnOp": "mask.return",
        "PredicateStageOp": "predicate_stage",
    },
    "shared": dict.fromkeys(
        (
            "AMDRotatingSharedEncodingAttr",
            "NVMMASharedEncodingAttr",
            "SharedEncodingAttr",
            "SharedMemorySpaceAttr",
            "SwizzledSharedEncodingAttr",
        )
    ),
    "types": dict.fromkeys(
        (
            "AsyncTokenType",
            "MemDescType",
            "OldMemDescType",
            "TokenType",
        )
    ),
    "warp_specialize": {
        "WarpReturnOp": "warp_return",
        "WarpSpecializeOp": "warp_specialize",
        "WarpSpecializePartitionsOp": "warp_specialize.partitions",
        "WarpYieldOp": "warp_yield",
    },
}
"""Names by their modules; those of ops with the names that ops have in a text."""

_ATTRIBUTES = (
    "AMDMfmaEncodingAttr",
    "AMDWmmaEncodingAttr",
    "CGAEncodingAttr",
    "BlockedEncodingAttr",
    "DotOperandEncodingAttr",
    "SliceEncodingAttr",
    "GenericLinearEncodingAttr",
    "LinearEncodingAttr",
    "PaddedSharedEncodingAttr",
    "SharedLinearEncodingAttr",
    "NvidiaMmaEncodingAttr",
    "PartitionedSharedEncodingAttr",
    "AMDRotatingSharedEncodingAttr",
    "NVMMASharedEncodingAttr",
    "SharedEncodingAttr",
    "SharedMemorySpaceAttr",
    "SwizzledSharedEncodingAttr",
    "AsyncTokenType",
    "MemDescType",
    "TokenType",
    "OldMemDescType",
)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        return late_member(__name__, _HOMES, name)


TTG = LateDialect("ttg", __name__, _HOMES, _ATTRIBUTES)
