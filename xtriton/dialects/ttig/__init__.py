"""
The `ttig` dialect (TritonIntelGPU): DPAS layouts, prefetches, 2D block accesses.

Upstream: `third_party/intel/include/Dialect/TritonIntelGPU/IR` of the Intel XPU backend.
`triton_intel_gpu` until May 2025.
"""

from xtriton.dialects.ttig.block_io import (
    BlockIOMode as BlockIOMode,
    DescriptorGatherOp as DescriptorGatherOp,
    DescriptorPrefetchOp as DescriptorPrefetchOp,
    DescriptorScatterOp as DescriptorScatterOp,
    ExtractDescOp as ExtractDescOp,
    Subgroup2DBlockLoadFromPtrOp as Subgroup2DBlockLoadFromPtrOp,
    Subgroup2DBlockLoadOp as Subgroup2DBlockLoadOp,
)
from xtriton.dialects.ttig.encodings import (
    DpasEncodingAttr as DpasEncodingAttr,
    Subgroup2DBlockEncodingAttr as Subgroup2DBlockEncodingAttr,
    WarpEncodingAttr as WarpEncodingAttr,
)
from xtriton.dialects.ttig.ops import (
    AllocOp as AllocOp,
    BroadcastOp as BroadcastOp,
    ExtractOp as ExtractOp,
    GlueOp as GlueOp,
    PrefetchOp as PrefetchOp,
    SubGroupTransposeOp as SubGroupTransposeOp,
)
from xtriton.dialects.utils.contents import dialect_of

TTIG = dialect_of(globals(), "ttig")
