"""
The blocked layout of a reshaped tensor, where there is one.

Dimensions are merged and split so that every thread keeps its elements. Source:
`inferReshapeOpLegacyEncoding` in Triton's `Dialect.cpp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod

from xtriton.dialects.encodings.blocked import default_encoding
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr

Shape = Sequence[int]
Group = tuple[list[int], list[int]]
"""Dimensions of the source, and those of the target, with the same elements."""


def reshaped_blocked(
    encoding: BlockedEncodingAttr, source: Shape, target: Shape
) -> BlockedEncodingAttr | None:
    """Return the blocked layout of a tensor of shape `source` seen as `target`, or None."""
    if tuple(source) == tuple(target):
        return encoding
    warps, lanes = encoding.num_warps, encoding.num_threads_per_warp
    ctas = encoding.cga.num_ctas
    if encoding == default_encoding(source, warps, lanes, ctas):
        return default_encoding(target, warps, lanes, ctas)
    blocks = (encoding.size_per_thread, encoding.threads_per_warp, encoding.warps_per_cta)
    if ctas != 1 or not all(_divides(block, source) for block in blocks):
        return None
    groups = matching_dims(source, target)
    inverse = [encoding.order.index(d) for d in range(len(source))]
    if not all(_is_merged_in_order(group, inverse) for group in groups):
        return None
    if not all(_covers(group, source, blocks) for group in groups):
        return None
    remaining = list(target)
    size, threads, warps = (_spread(block, groups, remaining) for block in blocks)
    return BlockedEncodingAttr(size, threads, warps, _target_order(groups, inverse, len(target)))


def matching_dims(source: Shape, target: Shape) -> list[Group]:
    """
    Return the finest groups of dimensions whose products agree.

    A reshape from 4x8x2 to 4x16 keeps dimension 0 and merges 1 and 2.
    """
    groups: list[Group] = [([], [])]
    i = j = 0
    a = b = 1
    while i < len(source) or j < len(target):
        if a < b or (i < len(source) and (a == 1 or source[i] == 1)):
            a *= source[i]
            groups[-1][0].append(i)
            i += 1
        elif b < a or (j < len(target) and target[j] == 1):
            b *= target[j]
            groups[-1][1].append(j)
            j += 1
        else:
            groups.append(([], []))
            a = b = 1
    return groups if source else []


def _divides(block: Shape, shape: Shape) -> bool:
    return all(s < b or s % b == 0 for b, s in zip(block, shape, strict=True))


def _is_merged_in_order(group: Group, inverse: Sequence[int]) -> bool:
    """Merged dimensions have to be next to each other in the order, the last one fastest."""
    places = [inverse[d] for d in reversed(group[0])]
    return all(b == a + 1 for a, b in pairwise(places))


def _covers(group: Group, shape: Shape, blocks: Sequence[Shape]) -> bool:
    """Blocks have to fill a faster dimension before they go on in a slower one."""
    dims = group[0]
    remaining = [shape[d] for d in dims]
    for block in blocks:
        for i in reversed(range(len(dims))):
            size = block[dims[i]]
            if size == 1:
                continue
            if any(left != 1 for left in remaining[i + 1 :]):
                return False
            remaining[i] = remaining[i] // size if remaining[i] >= size else 0
            if remaining[i] == 0 and i != 0:
                return False
    return True


def _spread(block: Shape, groups: Sequence[Group], remaining: list[int]) -> list[int]:
    """Return the block of the target; take what it covers from `remaining`."""
    result = [1] * len(remaining)
    for source_dims, target_dims in groups:
        left = prod(block[d] for d in source_dims)
        for d in reversed(target_dims):
            # A dimension that is used up is held in copies from here on.
            result[d] = min(left, remaining[d])
            left //= result[d]
            remaining[d] //= result[d]
        if target_dims:
            result[target_dims[0]] *= left
    return result


def _target_order(groups: Sequence[Group], inverse: Sequence[int], rank: int) -> list[int]:
    ordered = sorted(groups, key=lambda group: inverse[group[0][0]])
    return [d for _, target_dims in ordered for d in reversed(target_dims)][:rank]
