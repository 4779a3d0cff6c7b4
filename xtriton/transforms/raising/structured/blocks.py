"""Blocks in memory as `tts.make_tptr` says them, in index expressions."""

from xtriton.analysis.accesses import Access
from xtriton.analysis.classify import Dimension, Tier
from xtriton.analysis.indexing import MACHINE, Expr, Space
from xtriton.analysis.values import Pointer, TensorBlock, Unknown
from xtriton.records import record


@record
class BlockPlan:
    """
    A block in memory, as `tts.make_tptr` says it, in index expressions.

    `bounds` are where dimensions wrap around: None for those that do not.
    """

    pointer: Pointer
    sizes: tuple[int, ...]
    strides: tuple[Expr, ...]
    offsets: tuple[Expr, ...]
    bounds: tuple[Expr | None, ...]
    extra: Expr


def block_plan(space: Space, access: Access) -> BlockPlan | None:
    """Return the block that an access touches; None where `tts.make_tptr` cannot say it."""
    form, pointer = access.form, access.pointer
    if form.tier not in (Tier.BLOCK, Tier.WRAPPED_BLOCK) or isinstance(pointer, Unknown):
        return None
    if isinstance(pointer, TensorBlock):
        pointer = Pointer(pointer.base, space.zero, pointer.pointee)
    assert form.extra is not None
    if form.parts and access.kind == "atomic":
        return None
    if any(not expressible(dim) for dim in form.dims):
        return None
    offsets = [dim.start * dim.stride for dim in form.dims]
    extra = form.extra
    free = [d for d, dim in enumerate(form.dims) if dim.modulus is None]
    if free and extra.terms:
        # any dimension that does not wrap around may take what belongs to none
        chosen = max(free, key=lambda d: form.dims[d].size)
        offsets[chosen] = offsets[chosen] + extra
        extra = space.zero
    return BlockPlan(
        pointer,
        tuple(dim.size for dim in form.dims),
        tuple(dim.stride for dim in form.dims),
        tuple(offsets),
        tuple(_bound(space, dim) for dim in form.dims),
        extra,
    )


def _bound(space: Space, dim: Dimension) -> Expr | None:
    """
    Return where a dimension wraps around, in elements.

    The program multiplies a remainder with the stride, not what it divides by, which may be too
    large for that; a bound beyond all memory is as good as any other.
    """
    if dim.modulus is None:
        return None
    bound, stride = dim.stride * dim.modulus, dim.stride.constant
    low, high = bound.interval
    if not stride or (MACHINE[0] <= low and high <= MACHINE[1]):
        return bound
    modulus, most = dim.modulus, space.const(MACHINE[1] // abs(stride))
    if modulus.interval[1] > most.interval[1]:
        modulus = space.minimum(modulus, most)
    if modulus.interval[0] < -most.interval[1]:
        modulus = space.maximum(modulus, -most)
    return dim.stride * modulus


def expressible(dim: Dimension) -> bool:
    """
    Tell whether the wrap-around bound of `tts.make_tptr` means this dimension's modulus.

    Its remainder has the sign of the dividend, as `arith.remsi` has it, and lowerings
    count in positions, so offset and bound must be multiples of the stride.
    """
    if dim.modulus is None:
        return True
    if dim.step != 1:
        return False
    if dim.truncated:
        return True
    if all(c < 0 for c in dim.modulus.terms.values()):
        return False  # counts down from 0: -i % 3 is 0, 2, 1
    last = dim.start + dim.step * (dim.size - 1)
    return dim.start.interval[0] >= 0 and last.interval[0] >= 0
