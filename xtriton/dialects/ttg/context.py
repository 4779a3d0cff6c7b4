"""
How many warps, threads and CTAs the code around an op has.

Upstream: `lookupNumWarps`, `lookupNumCTAs` and `getThreadsPerWarp` of `Dialect.cpp`. A
module says so by its attributes, a function may have its own number of warps, and a
partition of `ttg.warp_specialize` has the one that is given for it.
"""

from dataclasses import dataclass

from xdsl.ir import Operation, Region

from xtriton.ir.attributes import integer, integers

NUM_WARPS = "ttg.num-warps"
NUM_CTAS = "ttg.num-ctas"
THREADS_PER_WARP = "ttg.threads-per-warp"
TARGET = "ttg.target"
"""The device: `cuda:90`, `hip:gfx942` or the triple of an Intel GPU."""

MAX_REGISTERS = "ttg.maxnreg"

_MODULE = "builtin.module"
_DEFAULT_THREADS_PER_WARP = 32


@dataclass(frozen=True)
class LaunchContext:
    """What the code around an op says; None where it says nothing."""

    num_warps: int | None
    threads_per_warp: int | None
    num_ctas: int | None


def launch_context(op: Operation) -> LaunchContext:
    """Return the context of `op`."""
    current = op
    while (parent := current.parent_op()) is not None:
        current = parent
        if parent.name == _MODULE:
            break
    threads, ctas = (integer(current, name, None) for name in (THREADS_PER_WARP, NUM_CTAS))
    return LaunchContext(_warps_around(op), threads, ctas)


def register_limit(op: Operation, most: int) -> int:
    """
    Return how many registers a thread of the code around `op` has; at most `most`.

    The nearest region of `ttg.warp_specialize` that says so decides, or else the module, whose
    number is a limit for all. Upstream: `getContextualMaxNReg` of `TensorMemoryUtils.cpp`.
    """
    found: int | None = None
    current, region = op, op.parent_region()
    while region is not None and (parent := region.parent) is not None:
        if found is None:
            found = _partition_registers(parent, region)
        current, region = parent, parent.parent_region()
        if parent.name == _MODULE:
            break
    limits = (most, found, integer(current, MAX_REGISTERS, None))
    return min(limit for limit in limits if limit is not None)


def module_of(op: Operation) -> Operation:
    """Return `op` or the nearest module around it, or the outermost op where there is none."""
    while op.name != _MODULE and (parent := op.parent_op()) is not None:
        op = parent
    return op


def num_warps(op: Operation) -> int | None:
    """Return how many warps run `op`, or what is inside it; None where nothing says."""
    return integer(op, NUM_WARPS, None) or _warps_around(op)


def threads_per_warp(op: Operation) -> int:
    """Return how many threads a warp has."""
    return integer(module_of(op), THREADS_PER_WARP, _DEFAULT_THREADS_PER_WARP)


def _partition_registers(op: Operation, region: Region) -> int | None:
    if op.name == "ttg.warp_specialize":
        return _item(op, "actualRegisters", 0)
    outer = op.parent_op()
    if op.name != "ttg.warp_specialize.partitions" or outer is None:
        return None
    index = op.regions.index(region)
    given = _item(outer, "actualRegisters", 1 + index)
    return _item(outer, "requestedRegisters", index) if given is None else given


def _warps_around(op: Operation) -> int | None:
    region = op.parent_region()
    while region is not None and (parent := region.parent) is not None:
        found = integer(parent, NUM_WARPS, 0) or _partition_warps(parent, region)
        if found is not None or parent.name == _MODULE:
            return found
        region = parent.parent_region()
    return None


def _partition_warps(op: Operation, region: Region) -> int | None:
    outer = op.parent_op()
    if op.name != "ttg.warp_specialize.partitions" or outer is None:
        return None
    return _item(outer, "partitionNumWarps", op.regions.index(region))


def _item(op: Operation, name: str, index: int) -> int | None:
    values = integers(op, name)
    return values[index] if index < len(values) else None
