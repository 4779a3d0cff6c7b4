"""What attributes say about the machine: warps, threads of a warp, features."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp
from xdsl.ir import Operation

NUM_WARPS = "ttg.num-warps"
THREADS_PER_WARP = "ttg.threads-per-warp"
NUM_CTAS = "ttg.num-ctas"
TARGET = "ttg.target"
"""The device: `cuda:90`, `hip:gfx942` or the triple of an Intel GPU."""

_DEFAULT_THREADS_PER_WARP = 32


def integer(op: Operation, name: str) -> int | None:
    """Return an integer attribute of an op, or None."""
    value = op.attributes.get(name)
    return value.value.data if isinstance(value, IntegerAttr) else None


def module_of(op: Operation) -> Operation:
    """Return the outermost op around `op`."""
    while (parent := op.parent_op()) is not None:
        if isinstance(op, ModuleOp):
            break
        op = parent
    return op


def threads_per_warp(op: Operation) -> int:
    """Return how many threads a warp has."""
    return integer(module_of(op), THREADS_PER_WARP) or _DEFAULT_THREADS_PER_WARP


def num_warps(op: Operation) -> int | None:
    """Return how many warps run `op`; a partition of `ttg.warp_specialize` has its own."""
    current: Operation | None = op
    while current is not None:
        parent = current.parent_op()
        if parent is not None and parent.name == "ttg.warp_specialize.partitions":
            region = current.parent_region()
            counts = _partition_warps(parent)
            if region is not None and counts is not None:
                return counts[parent.regions.index(region)]
        found = integer(current, NUM_WARPS)
        if found is not None:
            return found
        current = parent
    return None


def _partition_warps(partitions: Operation) -> tuple[int, ...] | None:
    owner = partitions.parent_op()
    counts = None if owner is None else owner.get_attr_or_prop("partitionNumWarps")
    if not isinstance(counts, DenseArrayBase):
        return None
    return tuple(int(count) for count in counts.iter_values())
