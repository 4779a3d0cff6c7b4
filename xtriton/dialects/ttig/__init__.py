"""
The `ttig` dialect (TritonIntelGPU): DPAS layouts, prefetches, 2D block accesses.

Upstream: `third_party/intel/include/Dialect/TritonIntelGPU/IR` of the Intel XPU backend.
`triton_intel_gpu` until May 2025.

A module is imported when one of its names is used, here or by a text that is read.
"""

from typing import TYPE_CHECKING

from xtriton.ir.contexts import Homes, LateDialect, late_member

if TYPE_CHECKING:
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

_HOMES: Homes = {
    "block_io": {
        "BlockIOMode": None,
        "DescriptorGatherOp": "descriptor_gather",
        "DescriptorPrefetchOp": "descriptor_prefetch",
        "DescriptorScatterOp": "descriptor_scatter",
        "ExtractDescOp": "extract_desc",
        "Subgroup2DBlockLoadFromPtrOp": "2d_block_load_from_ptr",
        "Subgroup2DBlockLoadOp": "2d_block_load",
    },
    "encodings": dict.fromkeys(
        (
            "DpasEncodingAttr",
            "Subgroup2DBlockEncodingAttr",
            "WarpEncodingAttr",
        )
    ),
    "ops": {
        "AllocOp": "alloc",
        "BroadcastOp": "broadcast",
        "ExtractOp": "extract",
        "GlueOp": "glue",
        "PrefetchOp": "prefetch",
        "SubGroupTransposeOp": "sub_group_transpose",
    },
}
"""Names by their modules; those of ops with the names that ops have in a text."""

_ATTRIBUTES = (
    "DpasEncodingAttr",
    "Subgroup2DBlockEncodingAttr",
    "WarpEncodingAttr",
)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        return late_member(__name__, _HOMES, name)


TTIG = LateDialect("ttig", __name__, _HOMES, _ATTRIBUTES)
