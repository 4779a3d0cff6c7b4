"""What the attributes of a module say about the device."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Operation

BLOCK_IO = "ttig.block_io"
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
THREADS_PER_WARP = "ttg.threads-per-warp"
NUM_WARPS = "ttg.num-warps"


def module_of(op: Operation) -> ModuleOp:
    """Return the module around an op, or the op if it is one."""
    current: Operation | None = op
    while current is not None and not isinstance(current, ModuleOp):
        current = current.parent_op()
    assert current is not None
    return current


def integer(op: Operation, name: str, default: int) -> int:
    """Return an integer attribute of an op."""
    value = op.attributes.get(name)
    return value.value.data if isinstance(value, IntegerAttr) else default


def num_warps(op: Operation) -> int:
    """Return how many warps run what is around `op`: the nearest op that says so counts."""
    current: Operation | None = op
    while current is not None:
        found = current.attributes.get(NUM_WARPS)
        if isinstance(found, IntegerAttr):
            return found.value.data
        current = current.parent_op()
    return 4


def threads_per_warp(op: Operation) -> int:
    """Return how many threads a warp has."""
    return integer(module_of(op), THREADS_PER_WARP, 32)


def supports_2d_block_io(module: ModuleOp) -> bool:
    """Return whether the device has 2D block loads and stores."""
    return any(name in module.attributes for name in _NAMES_OF_2D_BLOCK_IO)
