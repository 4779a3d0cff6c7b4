"""
What barriers and their users demand of the cluster around them.

Upstream: the verifiers of barriers in `TritonNvidiaGPU/IR/Ops.cpp`. How a tensor is shared
out to CTAs is told by bases: where CTA 1, 2, 4, ... begin.
"""

from typing import Any

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttg.context import launch_context, module_of
from xtriton.dialects.ttg.distributed import SliceEncodingAttr
from xtriton.dialects.ttg.parameters import bases_text
from xtriton.dialects.ttg.types import MemDescType
from xtriton.ir.versions import Version, release

Bases = tuple[tuple[int, ...], ...]

_FIRST_RELEASE_OF_CLUSTERS: Version = (3, 8)
_TWO_CTAS = "ttng.two-ctas"


def cluster_rules() -> bool:
    """Return whether the rules of releases with clusters hold."""
    return release() >= _FIRST_RELEASE_OF_CLUSTERS


def num_ctas(op: Operation) -> int:
    """Return how many CTAs the cluster of `op` has."""
    return launch_context(op).num_ctas or 1


def cga_bases(encoding: Attribute) -> Bases:
    """Return which part of a tensor CTA 1, 2, 4, ... have."""
    cga = getattr(encoding, "cga", None)
    return () if cga is None else cga.block_bases


def is_split_over_rows(memdesc: Attribute, indices: Attribute) -> bool:
    """Return whether CTAs share out rows of a buffer as they do a vector of row numbers."""
    rows = tuple(basis[:1] for basis in cga_bases(memdesc))
    return rows == _bases_of_distributed(indices)


def _bases_of_distributed(encoding: Attribute) -> Bases:
    if isinstance(encoding, SliceEncodingAttr):
        dim = encoding.dim
        parent = _bases_of_distributed(encoding.parent)
        return tuple(basis[:dim] + basis[dim + 1 :] for basis in parent)
    return cga_bases(encoding)


def one_part_each(count: int) -> Bases:
    """Return the bases with which each of `count` CTAs has its own element."""
    return tuple((1 << bit,) for bit in range(count.bit_length() - 1))


def verify_barrier_bases(barrier: SSAValue, expected: Bases, what: str) -> None:
    """Check that a barrier is shared out as `expected`."""
    assert isinstance(barrier.type, MemDescType)
    actual = cga_bases(barrier.type.encoding)
    if actual != expected:
        raise VerifyException(
            f"{what} cga_layout must be {bases_text(expected)}, got {bases_text(actual)}"
        )


def verify_completion_barrier(op: Operation, barrier: SSAValue) -> None:
    """Check that each CTA has a barrier of its own, which hears of the end."""
    if cluster_rules():
        verify_barrier_bases(barrier, one_part_each(num_ctas(op)), "completion barrier")


def verify_tma_barrier(op: Operation, barrier: SSAValue) -> None:
    """Check the barrier of a TMA load, once the module says how CTAs pair up."""
    pairs = module_of(op).attributes.get(_TWO_CTAS)
    if not isinstance(pairs, IntegerAttr):
        return
    assert isinstance(barrier.type, MemDescType)
    actual = cga_bases(barrier.type.encoding)
    allowed = [one_part_each(num_ctas(op))]
    if pairs.value.data:
        allowed.append(((0,), *one_part_each(num_ctas(op) // 2)))
    if actual not in allowed:
        listed = " or ".join(map(bases_text, allowed))
        raise VerifyException(f"TMA barrier cga_layout must be {listed}, got {bases_text(actual)}")


def verify_multiple_ctas(op: Operation) -> None:
    """Check that the cluster has more than one CTA."""
    if release() > (3, 4) and num_ctas(op) <= 1:
        raise VerifyException("requires ttg.num-ctas > 1")


def verify_broadcast_order(encoding: Attribute) -> None:
    """Check that the parts of a barrier which some CTAs share are in order."""
    bases = cga_bases(encoding)
    parts = tuple(basis for basis in bases if any(basis))
    if any(not any(basis) for basis in bases) and parts != one_part_each(1 << len(parts)):
        raise VerifyException(
            "broadcasted cluster barriers require bases to be the sequence [1], [2], [4], ..."
        )


def verify_from_cta(op: Any) -> None:
    """Check `fromCTA` of an op with a barrier."""
    if op.fromCTA is None:
        return
    count = num_ctas(op)
    if not 0 <= op.fromCTA.value.data < count:
        raise VerifyException("fromCTA must be in the range [0, num_ctas - 1]")
    type = op.alloc.type
    if type.get_shape() != (count,) or cga_bases(type.encoding) != one_part_each(count):
        raise VerifyException(
            "fromCTA requires a 1D barrier with one element per CTA and canonical CGA layout"
        )


def verify_multicast_arrive(op: Any) -> None:
    """Check `multicastCTA` of `ttng.arrive_barrier`."""
    multicast = op.multicastCTA
    if multicast is None or multicast.value.data == 0:
        return
    count = num_ctas(op)
    if count <= 1:
        raise VerifyException("multicast arrive requires num_ctas > 1")
    if not 0 < multicast.value.data < count:
        raise VerifyException("multicastCTA exceeds numCTAs - 1")
    verify_barrier_bases(op.alloc, one_part_each(count), "multicast barrier")


def verify_clc_result(type: MemDescType) -> None:
    """Check the buffer for the answer to a request for another cluster."""
    if type.element_type != i64:
        raise VerifyException(
            f"Expected CLC result buffer to have type int64, but got{type.element_type}"
        )
    if type.get_shape() != (2,):
        raise VerifyException(
            "Expected CLC result buffer to have rank 1 and a single dimension equal to 2, "
            f"but got {', '.join(map(str, type.get_shape()))}."
        )
    bases = cga_bases(type.encoding)
    if any(any(basis) for basis in bases):
        raise VerifyException(
            f"Expected CLC result buffer cga_layout bases to be all zeros. Got {bases_text(bases)}"
        )


def verify_kernel(op: Operation) -> None:
    """Check that `op` is in a kernel, or in a function that will be part of one."""
    function: Any = op.parent_op()
    while function is not None and function.name not in ("tt.func", "llvm.func", "func.func"):
        function = function.parent_op()
    if function is not None:
        attributes = {**function.properties, **function.attributes}
        visibility = attributes.get("sym_visibility")
        if visibility is None or visibility.data == "public":
            return
        noinline = attributes.get("noinline")
        if function.name == "tt.func" and not (
            isinstance(noinline, IntegerAttr) and noinline.value.data
        ):
            return
    raise VerifyException("must be inside a kernel function")
