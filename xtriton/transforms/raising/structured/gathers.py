"""
Gathers along one dimension: blocks of which a vector of offsets gives one dimension.

`tts.make_gather_scatter_tptr` says what `base + index[i] * stride + block of the other
dimensions` is, whatever the index is computed from.
"""

from dataclasses import dataclass
from math import gcd

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Operation, SSAValue

from xtriton.analysis.accesses import Access
from xtriton.analysis.classify import Tier
from xtriton.analysis.indexing import Cond, Expr, Kind, Space
from xtriton.analysis.masks import MaskRegion
from xtriton.analysis.values import Pointer, tensor_type
from xtriton.dialects.tts import MakeGatherScatterTensorPtrOp
from xtriton.transforms.raising.writing.emitter import ExprEmitter
from xtriton.transforms.raising.writing.tensor_emitter import TensorEmitter, has_wide_tensors


@dataclass(frozen=True)
class GatherPlan:
    """
    A block gathered along `dim`: `places`, over position 0, times the stride there.

    `mask` switches off places; True is no mask.
    """

    pointer: Pointer
    sizes: tuple[int, ...]
    strides: tuple[Expr, ...]
    offsets: tuple[Expr, ...]
    dim: int
    places: Expr
    mask: Cond
    region: MaskRegion
    """The mask in the other dimensions, and in this one where it is a prefix."""


def gather_plan(space: Space, access: Access) -> GatherPlan | None:
    """Return the gather that an access is, or None if it is none along one dimension."""
    pointer = access.pointer
    if access.form.tier not in (Tier.GATHER, Tier.AFFINE) or not isinstance(pointer, Pointer):
        return None
    sizes = access.shape
    inside, extra = pointer.offset.split(-1)
    strides = [space.zero] * len(sizes)
    gathered = space.zero
    dims = 0
    for mono, c in inside.terms.items():
        moving = [space.atoms[u] for u in mono if space.atoms[u].dims]
        term = space.make({mono: c})
        if len(moving) == 1 and moving[0].kind is Kind.POSITION:
            rest = space.make({tuple(u for u in mono if u != moving[0].uid): c})
            d = moving[0].key[0]
            strides[d] = strides[d] + rest
        else:
            gathered = gathered + term
            dims |= term.dims
    if dims.bit_count() != 1:
        return None
    dim = dims.bit_length() - 1
    gathered = gathered + strides[dim] * space.position(dim, sizes[dim])
    offsets = [space.zero] * len(sizes)
    others = [d for d in range(len(sizes)) if d != dim and sizes[d] > 1]
    if not others and access.form.tier is Tier.AFFINE:
        # nothing is gained over offsets that are as good where they are
        return None
    if others:
        chosen = max(others, key=lambda d: sizes[d])
        offsets[chosen] = extra
    else:
        gathered = gathered + extra
    stride = common_factor(space, gathered)
    places = gathered.divided(stride)
    masks = split_mask(space, access.region, dim, sizes[dim])
    if places is None or masks is None:
        return None
    strides[dim] = stride
    mask, region = masks
    own = space.leaf_of(space.position(dim, sizes[dim])).uid if sizes[dim] > 1 else -1
    vector = {own: space.position(0, sizes[dim])}
    return GatherPlan(
        pointer,
        sizes,
        tuple(strides),
        tuple(offsets),
        dim,
        space.substitute(places, vector),
        space.substitute_condition(mask, vector),
        region,
    )


def common_factor(space: Space, e: Expr) -> Expr:
    """Return the scalars and the number that every term of `e` has as a factor."""
    common: list[int] | None = None
    number = 0
    for mono, c in e.terms.items():
        number = gcd(number, c)
        scalars = [u for u in mono if not space.atoms[u].dims]
        common = scalars if common is None else [u for u in common if u in scalars]
    return space.make({tuple(common or ()): number or 1})


def split_mask(
    space: Space, region: MaskRegion, dim: int, size: int
) -> tuple[Cond, MaskRegion] | None:
    """
    Return a mask along one dimension, if it is no prefix there, and the rest of the mask.

    None where the rest is no prefix itself.
    """
    if any(condition.dims != 1 << dim for condition in region.rest):
        return None
    if any(bounds for d, bounds in enumerate(region.lower) if d != dim):
        return None
    if not region.rest and not region.lower[dim]:
        return space.true, region
    position = space.position(dim, size)
    own = [*region.rest, *region.guards]
    own += [space.less(position, end) for end in region.upper[dim]]
    own += [space.nonnegative(position - start) for start in region.lower[dim]]
    upper = tuple(() if d == dim else bounds for d, bounds in enumerate(region.upper))
    none = tuple(() for _ in region.lower)
    return space.conjunction(own), MaskRegion(none, upper, (), ())


def make_gather_pointer(
    emitter: ExprEmitter, plan: GatherPlan, base: SSAValue, op: Operation
) -> SSAValue:
    """Return the pointer of a gather, made before `op`."""
    size = plan.sizes[plan.dim]
    low, high = plan.places.interval
    narrow = low >= -(1 << 31) and high < 1 << 31 and not has_wide_tensors(op, emitter.narrow_ops)
    vector = TensorEmitter(emitter, (size,), op, 32 if narrow else 64)
    places = emitter.find_vector(plan.places, size, op)
    if places is None or tensor_type(places.type).element_type not in (i32, i64):
        places = vector.tensor(plan.places)
    mask = None
    if plan.mask is not emitter.space.true:
        mask = vector.mask(plan.mask)
    return emitter.op(
        MakeGatherScatterTensorPtrOp(
            base,
            plan.sizes,
            plan.dim,
            places,
            [emitter.mixed(e, op) for e in plan.strides],
            [emitter.mixed(e, op) for e in plan.offsets],
            mask,
        ),
        op,
    )
