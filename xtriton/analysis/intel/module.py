"""What the attributes of a module say about the device."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

BLOCK_IO = "ttig.block_io"
ROW_MAJOR, COLUMN_MAJOR = "row_major", "column_major"
"""What `ttig.block_io` says of a block: which neighbours lie beside each other in memory."""

BLOCK_IO_STRIDE = "ttig.block_io_stride"
"""On an access whose one dimension is accessed as a block of two: elements between its rows."""

ONE_MATRIX_PER_LOAD = "ttig.one_matrix_per_load"
MIN_SUBGROUP_SIZE = "ttig.min_sg_size"
SUPPORTS_2D_BLOCK_IO = "ttig.support_2d_block_io"
_NAMES_OF_2D_BLOCK_IO = (
    SUPPORTS_2D_BLOCK_IO,
    # Until May 2025.
    "ttig.support_sg_2d_block",
    "triton_intel_gpu.support_sg_2d_block",
)
SUPPORTS_DPAS = "ttig.support_subgroup_matrix_multiply_accumulate"
SUPPORTS_DPAS_BF8 = "ttig.support_subgroup_matrix_multiply_accumulate_bf8"
SUPPORTS_SCALED_DPAS = "ttig.support_subgroup_scaled_matrix_multiply_accumulate"
PREFETCHES_256_BYTES = "ttig.support_prefetch_256b"


def supports_2d_block_io(module: ModuleOp) -> bool:
    """Return whether the device has 2D block loads and stores."""
    return any(name in module.attributes for name in _NAMES_OF_2D_BLOCK_IO)
