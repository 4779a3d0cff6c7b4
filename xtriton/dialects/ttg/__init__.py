"""
The `ttg` dialect (TritonGPU): layouts, buffers in shared memory, groups of warps.

Upstream: `include/triton/Dialect/TritonGPU/IR`. `triton_gpu` up to Triton 3.2.
"""

from xdsl.ir import Dialect

from xtriton.dialects.ttg.amd_mfma import AMDMfmaEncodingAttr
from xtriton.dialects.ttg.amd_wmma import AMDWmmaEncodingAttr
from xtriton.dialects.ttg.async_copy import (
    AsyncCommitGroupOp,
    AsyncCopyGlobalToLocalOp,
    AsyncWaitOp,
)
from xtriton.dialects.ttg.barrier import BarrierOp, LocalBarrierOp
from xtriton.dialects.ttg.cga import CGAEncodingAttr
from xtriton.dialects.ttg.distributed import (
    BlockedEncodingAttr,
    DotOperandEncodingAttr,
    SliceEncodingAttr,
)
from xtriton.dialects.ttg.enums import AddrSpace
from xtriton.dialects.ttg.indexed_memory import (
    LocalAtomicScatterRMWOp,
    LocalGatherOp,
    LocalScatterOp,
)
from xtriton.dialects.ttg.interfaces import (
    DistributedEncoding,
    LayoutEncoding,
    MmaEncoding,
    SharedEncoding,
)
from xtriton.dialects.ttg.layout_ops import (
    ConvertLayoutOp,
    Fp4ToFpOp,
    GlobalScratchAllocOp,
    InlineAsmOp,
    UpcastMXFPOp,
    WarpIdOp,
)
from xtriton.dialects.ttg.linear import GenericLinearEncodingAttr, LinearEncodingAttr
from xtriton.dialects.ttg.linear_shared import PaddedSharedEncodingAttr, SharedLinearEncodingAttr
from xtriton.dialects.ttg.memdesc_parts import MemDescIndexOp, MemDescSubsliceOp, MemDescSubviewOp
from xtriton.dialects.ttg.memdesc_views import (
    MemDescReinterpretOp,
    MemDescReshapeOp,
    MemDescTransOp,
)
from xtriton.dialects.ttg.memory import LocalAllocOp, LocalDeallocOp, LocalLoadOp, LocalStoreOp
from xtriton.dialects.ttg.mma import NvidiaMmaEncodingAttr
from xtriton.dialects.ttg.partitioned_shared import PartitionedSharedEncodingAttr
from xtriton.dialects.ttg.pipelining import MaskOp, MaskReturnOp, PredicateStageOp
from xtriton.dialects.ttg.shared import (
    AMDRotatingSharedEncodingAttr,
    NVMMASharedEncodingAttr,
    SharedEncodingAttr,
    SharedMemorySpaceAttr,
    SwizzledSharedEncodingAttr,
)
from xtriton.dialects.ttg.types import AsyncTokenType, MemDescType, OldMemDescType, TokenType
from xtriton.dialects.ttg.warp_specialize import (
    WarpReturnOp,
    WarpSpecializeOp,
    WarpSpecializePartitionsOp,
    WarpYieldOp,
)

OPS = (
    AsyncCommitGroupOp,
    AsyncCopyGlobalToLocalOp,
    AsyncWaitOp,
    BarrierOp,
    ConvertLayoutOp,
    Fp4ToFpOp,
    GlobalScratchAllocOp,
    InlineAsmOp,
    LocalAllocOp,
    LocalAtomicScatterRMWOp,
    LocalBarrierOp,
    LocalDeallocOp,
    LocalGatherOp,
    LocalLoadOp,
    LocalScatterOp,
    LocalStoreOp,
    MaskOp,
    MaskReturnOp,
    MemDescIndexOp,
    MemDescReinterpretOp,
    MemDescReshapeOp,
    MemDescSubsliceOp,
    MemDescSubviewOp,
    MemDescTransOp,
    PredicateStageOp,
    UpcastMXFPOp,
    WarpIdOp,
    WarpReturnOp,
    WarpSpecializeOp,
    WarpSpecializePartitionsOp,
    WarpYieldOp,
)

ATTRIBUTES = (
    AMDMfmaEncodingAttr,
    AMDRotatingSharedEncodingAttr,
    AMDWmmaEncodingAttr,
    AsyncTokenType,
    BlockedEncodingAttr,
    CGAEncodingAttr,
    DotOperandEncodingAttr,
    GenericLinearEncodingAttr,
    LinearEncodingAttr,
    MemDescType,
    NVMMASharedEncodingAttr,
    NvidiaMmaEncodingAttr,
    OldMemDescType,
    PaddedSharedEncodingAttr,
    PartitionedSharedEncodingAttr,
    SharedEncodingAttr,
    SharedLinearEncodingAttr,
    SharedMemorySpaceAttr,
    SliceEncodingAttr,
    SwizzledSharedEncodingAttr,
    TokenType,
)

TTG = Dialect("ttg", [*OPS], [*ATTRIBUTES])

__all__ = [
    "TTG",
    "AMDMfmaEncodingAttr",
    "AMDRotatingSharedEncodingAttr",
    "AMDWmmaEncodingAttr",
    "AddrSpace",
    "AsyncCommitGroupOp",
    "AsyncCopyGlobalToLocalOp",
    "AsyncTokenType",
    "AsyncWaitOp",
    "BarrierOp",
    "BlockedEncodingAttr",
    "CGAEncodingAttr",
    "ConvertLayoutOp",
    "DistributedEncoding",
    "DotOperandEncodingAttr",
    "Fp4ToFpOp",
    "GenericLinearEncodingAttr",
    "GlobalScratchAllocOp",
    "InlineAsmOp",
    "LayoutEncoding",
    "LinearEncodingAttr",
    "LocalAllocOp",
    "LocalAtomicScatterRMWOp",
    "LocalBarrierOp",
    "LocalDeallocOp",
    "LocalGatherOp",
    "LocalLoadOp",
    "LocalScatterOp",
    "LocalStoreOp",
    "MaskOp",
    "MaskReturnOp",
    "MemDescIndexOp",
    "MemDescReinterpretOp",
    "MemDescReshapeOp",
    "MemDescSubsliceOp",
    "MemDescSubviewOp",
    "MemDescTransOp",
    "MemDescType",
    "MmaEncoding",
    "NVMMASharedEncodingAttr",
    "NvidiaMmaEncodingAttr",
    "OldMemDescType",
    "PaddedSharedEncodingAttr",
    "PartitionedSharedEncodingAttr",
    "PredicateStageOp",
    "SharedEncoding",
    "SharedEncodingAttr",
    "SharedLinearEncodingAttr",
    "SharedMemorySpaceAttr",
    "SliceEncodingAttr",
    "SwizzledSharedEncodingAttr",
    "TokenType",
    "UpcastMXFPOp",
    "WarpIdOp",
    "WarpReturnOp",
    "WarpSpecializeOp",
    "WarpSpecializePartitionsOp",
    "WarpYieldOp",
]
