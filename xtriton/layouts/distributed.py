"""
Layouts of tensors in registers that every GPU has: blocked, slices, dot operands, linear.

Source: `toLinearLayout` of these encodings in Triton's `LinearLayoutConversions.cpp`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xtriton.layouts.linear import LinearLayout, product
from xtriton.layouts.shaping import (
    CGA,
    LANE,
    REGISTER,
    WARP,
    dims,
    fit,
    identity_nd,
    not_larger,
    not_smaller,
    register_order,
    remove_dim,
)


def blocked(
    shape: Sequence[int],
    size_per_thread: Sequence[int],
    threads_per_warp: Sequence[int],
    warps_per_cta: Sequence[int],
    order: Sequence[int],
    cga: CGA = (),
) -> LinearLayout:
    """Return the layout in which a thread has a block, a warp a block of those, and so on."""
    cta = (
        identity_nd(REGISTER, size_per_thread, order)
        * identity_nd(LANE, threads_per_warp, order)
        * identity_nd(WARP, warps_per_cta, order)
    )
    return fit(cta, cga, shape)


def slice_of(parent: LinearLayout, dim: int) -> LinearLayout:
    """
    Return the layout of a tensor that `parent` has reduced along `dim`.

    `parent` is the layout of the shape with size 1 at `dim`.
    """
    return remove_dim(parent, dim).remove_zero_bases(REGISTER)


def linear(layout: LinearLayout, shape: Sequence[int]) -> LinearLayout:
    """Return a given layout repeated, or cut, to `shape`; registers of copies are dropped."""
    names = dims(len(shape))
    sizes = dict(zip(names, shape, strict=True))
    order = [names[d] for d in register_order(layout)]
    fitted = not_smaller(layout.transpose_outs(order), sizes)
    return not_larger(fitted, sizes, broadcast_registers=False).transpose_outs(names)


def broadcast_over_k(
    name: str, shape: Sequence[int], order: Sequence[int], k_dim: int
) -> LinearLayout:
    """Return `identity_nd` with dimension `k_dim` mapped to 0: all along k share operands."""
    return product(
        (LinearLayout.zeros if d == k_dim else LinearLayout.identity)(shape[d], name, f"dim{d}")
        for d in order
    )


def fma_operand(
    shape: Sequence[int],
    operand: int,
    size_per_thread: Sequence[int],
    threads_per_warp: Sequence[int],
    warps_per_cta: Sequence[int],
    order: Sequence[int],
    cga: CGA = (),
) -> LinearLayout:
    """
    Return the layout of a dot's operand whose result is blocked.

    A thread has all of k for its rows (operand 0) or columns (operand 1).
    """
    rank = len(shape)
    k_dim = rank - 1 if operand == 0 else rank - 2
    size = list(size_per_thread)
    size[k_dim] = shape[k_dim]
    names = [f"dim{d}" for d in order]
    cta = (
        identity_nd(REGISTER, size, order).transpose_outs(names)
        * broadcast_over_k(LANE, threads_per_warp, order, k_dim).transpose_outs(names)
        * broadcast_over_k(WARP, warps_per_cta, order, k_dim).transpose_outs(names)
    )
    return fit(cta, operand_cga(cga, k_dim), shape)


def operand_cga(cga: CGA, k_dim: int) -> CGA:
    """Return which part of a dot's operand each CTA has: all along k share it."""
    return [[0 if d == k_dim else v for d, v in enumerate(basis)] for basis in cga]
