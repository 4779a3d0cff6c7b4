"""
The `ttig` dialect (TritonIntelGPU): DPAS layouts, prefetches, 2D block accesses.

Upstream: `third_party/intel/include/Dialect/TritonIntelGPU/IR` of the Intel XPU backend.
`triton_intel_gpu` until May 2025.
"""

from xdsl.ir import Dialect

from xtriton.dialects.ttig.block_io import (
    BlockIOMode,
    DescriptorGatherOp,
    DescriptorPrefetchOp,
    DescriptorScatterOp,
    ExtractDescOp,
    Subgroup2DBlockLoadFromPtrOp,
    Subgroup2DBlockLoadOp,
)
from xtriton.dialects.ttig.encodings import (
    DpasEncodingAttr,
    Subgroup2DBlockEncodingAttr,
    WarpEncodingAttr,
)
from xtriton.dialects.ttig.ops import (
    AllocOp,
    BroadcastOp,
    ExtractOp,
    GlueOp,
    PrefetchOp,
    SubGroupTransposeOp,
)

OPS = (
    AllocOp,
    BroadcastOp,
    DescriptorGatherOp,
    DescriptorPrefetchOp,
    DescriptorScatterOp,
    ExtractDescOp,
    ExtractOp,
    GlueOp,
    PrefetchOp,
    SubGroupTransposeOp,
    Subgroup2DBlockLoadFromPtrOp,
    Subgroup2DBlockLoadOp,
)

ATTRIBUTES = (DpasEncodingAttr, Subgroup2DBlockEncodingAttr, WarpEncodingAttr)

TTIG = Dialect("ttig", [*OPS], [*ATTRIBUTES])

__all__ = [
    "TTIG",
    "AllocOp",
    "BlockIOMode",
    "BroadcastOp",
    "DescriptorGatherOp",
    "DescriptorPrefetchOp",
    "DescriptorScatterOp",
    "DpasEncodingAttr",
    "ExtractDescOp",
    "ExtractOp",
    "GlueOp",
    "PrefetchOp",
    "SubGroupTransposeOp",
    "Subgroup2DBlockEncodingAttr",
    "Subgroup2DBlockLoadFromPtrOp",
    "Subgroup2DBlockLoadOp",
    "WarpEncodingAttr",
]
