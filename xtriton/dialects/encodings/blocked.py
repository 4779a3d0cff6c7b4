"""Choosing blocked layouts: how lanes and warps are spread over a shape."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xtriton.dialects.ttg.cga import CGAEncodingAttr
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr
from xtriton.layouts.shaping import shape_per_cta


def _clamp(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))


def blocked_encoding(
    shape: Sequence[int],
    size_per_thread: Sequence[int],
    order: Sequence[int],
    num_warps: int,
    threads_per_warp: int,
    cga: CGAEncodingAttr,
) -> BlockedEncodingAttr:
    """
    Spread lanes, then warps, over `shape`, the fastest dimension of `order` first.

    Source: the builder of `BlockedEncodingAttr` in Triton's `TritonGPUAttrDefs.td`.
    """
    key = tuple(shape), tuple(size_per_thread), tuple(order), num_warps, threads_per_warp, cga
    return _blocked_encoding(*key)


@lru_cache(maxsize=1024)
def _blocked_encoding(
    shape: tuple[int, ...],
    size_per_thread: tuple[int, ...],
    order: tuple[int, ...],
    num_warps: int,
    threads_per_warp: int,
    cga: CGAEncodingAttr,
) -> BlockedEncodingAttr:
    rank = len(order)
    part = shape_per_cta(cga.block_bases, shape)
    lanes, warps = [1] * rank, [1] * rank
    lanes_left, warps_left = threads_per_warp, num_warps
    threads_left = num_warps * threads_per_warp
    lanes_used = warps_used = 1
    for dim in order[:-1]:
        threads = _clamp(threads_left, 1, max(1, part[dim] // size_per_thread[dim]))
        lanes[dim] = _clamp(threads, 1, lanes_left)
        warps[dim] = _clamp(threads // lanes[dim], 1, warps_left)
        warps_left //= warps[dim]
        lanes_left //= lanes[dim]
        threads_left //= threads
        lanes_used *= lanes[dim]
        warps_used *= warps[dim]
    lanes[order[-1]] = threads_per_warp // lanes_used
    warps[order[-1]] = num_warps // warps_used
    return BlockedEncodingAttr(size_per_thread, lanes, warps, order, cga)


def cluster_encoding(
    shape: Sequence[int], size_per_thread: Sequence[int], order: Sequence[int], num_ctas: int
) -> CGAEncodingAttr:
    """Spread the CTAs of a cluster over `shape`, the slowest dimension of `order` first."""
    return _cluster_encoding(tuple(shape), tuple(size_per_thread), tuple(order), num_ctas)


@lru_cache(maxsize=1024)
def _cluster_encoding(
    shape: tuple[int, ...], size_per_thread: tuple[int, ...], order: tuple[int, ...], num_ctas: int
) -> CGAEncodingAttr:
    ctas = [1] * len(order)
    left = num_ctas
    for dim in reversed(order):
        ctas[dim] = _clamp(left, 1, max(1, shape[dim] // size_per_thread[dim]))
        left //= ctas[dim]
    split = tuple(ctas)
    ctas[-1] *= left
    return CGAEncodingAttr.from_split(ctas, split, order)


def default_encoding(
    shape: Sequence[int],
    num_warps: int,
    threads_per_warp: int,
    num_ctas: int = 1,
    size_per_thread: Sequence[int] | None = None,
) -> BlockedEncodingAttr:
    """Return the row-major layout with one element a thread, or `size_per_thread`."""
    order = tuple(reversed(range(len(shape))))
    sizes = size_per_thread or (1,) * len(shape)
    cga = cluster_encoding(shape, sizes, order, num_ctas)
    return blocked_encoding(shape, sizes, order, num_warps, threads_per_warp, cga)
