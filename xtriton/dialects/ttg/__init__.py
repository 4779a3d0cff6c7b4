"""
The `ttg` dialect (TritonGPU): layouts, buffers in shared memory, groups of warps.

Upstream: `include/triton/Dialect/TritonGPU/IR`. `triton_gpu` up to Triton 3.2.
"""

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
from xtriton.dialects.utils.contents import dialect_of

TTG = dialect_of(globals(), "ttg", also=(OldMemDescType,))
