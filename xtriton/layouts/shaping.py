"""
Fitting layouts to shapes: what all encodings share.

Dimensions of tensors are called dim0, dim1, ...; an order names dimensions, the fastest
first. Source: Triton's `lib/Tools/LayoutUtils.cpp` and `combineCtaCgaWithShape`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xtriton.layouts.linear import Basis, LinearLayout, product

REGISTER, LANE, WARP, BLOCK, OFFSET = "register", "lane", "warp", "block", "offset"

CGA = Sequence[Sequence[int]]
"""Where CTA 1, 2, 4, ... of a cluster begin; empty if there is one CTA."""


def dims(rank: int) -> tuple[str, ...]:
    """Return the names of the dimensions of a tensor: dim0, dim1, ..."""
    return tuple(f"dim{i}" for i in range(rank))


def matrix_order(rank: int, row_major: bool) -> tuple[int, ...]:
    """Return the order of a batch of matrices, the last two dimensions being a matrix."""
    order = list(reversed(range(rank)))
    if rank >= 2 and not row_major:
        order[0], order[1] = order[1], order[0]
    return tuple(order)


def dot_operand_order(operand: int, rank: int, k_fastest: bool) -> tuple[int, ...]:
    """Return the order of a dot's operand (0: [..., m, k]; 1: [..., k, n])."""
    return matrix_order(rank, (operand == 1) != k_fastest)


def identity_nd(name: str, shape: Sequence[int], order: Sequence[int]) -> LinearLayout:
    """Return the map from `name` to all indices of `shape`, those of `order[0]` fastest."""
    return product(LinearLayout.identity(shape[d], name, f"dim{d}") for d in order)


def not_larger(
    layout: LinearLayout, shape: Mapping[str, int], broadcast_registers: bool = True
) -> LinearLayout:
    """
    Cut a layout to `shape`: what leads beyond it along a dimension stays at 0 there.

    Bits that so come to change nothing are copies; without `broadcast_registers` those of
    registers are dropped.
    """
    sizes = tuple((name, min(size, shape[name])) for name, size in layout.out_dims)
    bases: list[tuple[str, tuple[Basis, ...]]] = []
    for name, images in layout.bases:
        cut = [_cut(basis, sizes) for basis in images]
        if name == REGISTER and not broadcast_registers:
            pairs = zip(cut, images, strict=True)
            cut = [new for new, old in pairs if any(new) or not any(old)]
        bases.append((name, tuple(cut)))
    return LinearLayout(tuple(bases), sizes)


def _cut(basis: Basis, sizes: Sequence[tuple[str, int]]) -> Basis:
    pairs = zip(basis, sizes, strict=True)
    return tuple(value if value < size else 0 for value, (_, size) in pairs)


def not_smaller(layout: LinearLayout, shape: Mapping[str, int]) -> LinearLayout:
    """Repeat a layout until it covers `shape`, by bits of its first input dimension."""
    name = layout.in_names[0]
    result = layout
    for out, size in layout.out_dims:
        result *= LinearLayout.identity(shape[out] // size, name, out)
    return result


def cga_layout(cga: CGA, rank: int) -> LinearLayout:
    """Return the map from the number of a CTA to the indices where its part begins."""
    return LinearLayout.of({BLOCK: cga}, dims(rank))


def fit(cta: LinearLayout, cga: CGA, shape: Sequence[int]) -> LinearLayout:
    """
    Extend what one CTA has to a tensor of `shape` that a cluster shares.

    The outputs of `cta` say in which order it is repeated along dimensions; those of the
    result are dim0, dim1, ...
    """
    names = dims(len(shape))
    labeled = dict(zip(names, shape, strict=True))
    clusters = not_larger(cga_layout(cga, len(shape)), labeled).transpose_outs(cta.out_names)
    part = {n: max(1, labeled[n] // clusters.out_size(n)) for n in cta.out_names}
    cta = not_larger(not_smaller(cta, part), part)
    return (cta * clusters).transpose_outs(names)


def shape_per_cta(cga: CGA, shape: Sequence[int]) -> tuple[int, ...]:
    """Return the shape of the part of a tensor that one CTA has."""
    split = [1] * len(shape)
    for basis in cga:
        # Leading dimensions of a pipelined buffer are not split.
        offset = len(shape) - len(basis)
        for d, value in enumerate(basis):
            if value and d + offset >= 0:
                split[d + offset] *= 2
    return tuple(size // min(size, s) for size, s in zip(shape, split, strict=True))


def remove_dim(layout: LinearLayout, dim: int) -> LinearLayout:
    """Return the layout of what is left when one dimension is not looked at."""
    names = layout.out_names
    kept = layout.sublayout(layout.in_names, [n for i, n in enumerate(names) if i != dim])
    return kept.rename_outs(dims(len(names) - 1))


def reshape(layout: LinearLayout, shape: Sequence[int]) -> LinearLayout:
    """Return the layout of the same elements, in row-major order, seen as `shape`."""
    names = dims(len(shape))
    flat = layout.transpose_outs(tuple(reversed(layout.out_names)))
    pairs = tuple(zip(reversed(names), reversed(shape), strict=True))
    return flat.reshape_outs(pairs).transpose_outs(names)


def transpose(layout: LinearLayout, order: Sequence[int]) -> LinearLayout:
    """Return the layout of the transpose, whose dimension `i` is `order[i]` of this one."""
    names = layout.out_names
    return layout.transpose_outs([names[d] for d in order]).rename_outs(names)


# --- what a layout says about threads ----------------------------------------------------


def bases_per_dim(
    images: Iterable[Basis], rank: int, skip_broadcast: bool = True
) -> tuple[int, ...]:
    """Return how many positions along each dimension `images` take."""
    counts = [1] * rank
    last = 0
    for basis in images:
        moving = next((i for i, value in enumerate(basis) if value), None)
        if moving is not None:
            last = moving
            counts[moving] *= 2
        elif not skip_broadcast:
            counts[last] *= 2
    return tuple(counts)


def order_of(layout: LinearLayout, name: str, default: Sequence[int]) -> tuple[int, ...]:
    """Return the dimensions in the order in which `name` moves along them, then `default`."""
    found: list[int] = []
    for basis in layout.bases_of[name]:
        moving = next((i for i, value in enumerate(basis) if value), None)
        if moving is not None and moving not in found:
            found.append(moving)
    found += [d for d in default if d not in found]
    return tuple(found)


def register_order(layout: LinearLayout) -> tuple[int, ...]:
    """Return the order in which the registers of a thread move along dimensions."""
    rank = len(layout.out_dims)
    return order_of(layout, REGISTER, tuple(reversed(range(rank))))


def lane_order(layout: LinearLayout) -> tuple[int, ...]:
    """Return the order in which the lanes of a warp move along dimensions."""
    return order_of(layout, LANE, register_order(layout))


def warp_order(layout: LinearLayout) -> tuple[int, ...]:
    """Return the order in which the warps of a CTA move along dimensions."""
    return order_of(layout, WARP, register_order(layout))


def order_for_memory(layout: LinearLayout) -> tuple[int, ...]:
    """Return the order in which the elements should lie in memory."""
    order, lanes = register_order(layout), lane_order(layout)
    if order != lanes and elements_per_thread(layout)[lanes[0]] == 1:
        return lanes
    return order


def elements_per_thread(layout: LinearLayout) -> tuple[int, ...]:
    """Return how many elements a thread has along each dimension, copies included."""
    return bases_per_dim(layout.bases_of[REGISTER], len(layout.out_dims), skip_broadcast=False)


def total_elements_per_thread(layout: LinearLayout) -> int:
    """Return how many elements a thread has, copies included."""
    return layout.in_size(REGISTER)


def contiguity_per_thread(layout: LinearLayout) -> tuple[int, ...]:
    """Return how many neighbours along each dimension a thread has in its first registers."""
    rank = len(layout.out_dims)
    contiguity = [1] * rank
    images = list(layout.bases_of[REGISTER])
    for dim in register_order(layout):
        while images:
            wanted = tuple(contiguity[dim] if d == dim else 0 for d in range(rank))
            if images[0] != wanted:
                break
            contiguity[dim] *= 2
            images.pop(0)
    return tuple(contiguity)


def threads_per_warp(layout: LinearLayout) -> tuple[int, ...]:
    """Return how many positions along each dimension the lanes of a warp take."""
    return bases_per_dim(layout.bases_of[LANE], len(layout.out_dims))


def warps_per_cta(layout: LinearLayout) -> tuple[int, ...]:
    """Return how many positions along each dimension the warps of a CTA take."""
    return bases_per_dim(layout.bases_of[WARP], len(layout.out_dims))
