"""
Layouts of NVIDIA's tensor cores: results and operands of `mma.sync` and `wgmma`.

Source: `nvidiaMmaTile`, `NvidiaMmaEncodingAttr::toLinearLayout` and
`nvidiaDotToLinearLayout` in Triton's `LinearLayoutConversions.cpp`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xtriton.layouts.distributed import broadcast_over_k, operand_cga
from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import (
    CGA,
    LANE,
    REGISTER,
    WARP,
    dot_operand_order,
    fit,
    identity_nd,
    matrix_order,
)

_RESULT_K_WIDTH = 2


def mma_result(
    shape: Sequence[int],
    version: int,
    warps_per_cta: Sequence[int],
    instr_shape: Sequence[int],
    cga: CGA = (),
) -> LinearLayout:
    """
    Return the layout of what an instruction leaves in registers.

    `version` 2: `mma.sync` (Turing, Ampere and later), 3: `wgmma` (Hopper), whose
    `instr_shape` is M, N, K and whose warps are numbered along M first.
    """
    rank = len(shape)
    order = matrix_order(rank, row_major=True)
    tile = tuple(instr_shape) if version == 2 else (1,) * (rank - 2) + tuple(instr_shape[:2])
    cta = _tile(tile, _RESULT_K_WIDTH, order, order)
    warp_order = matrix_order(rank, row_major=version != 3)
    warps = identity_nd(WARP, warps_per_cta, warp_order).transpose_outs(cta.out_names)
    return fit(cta * warps, cga, shape)


def mma_operand(
    shape: Sequence[int],
    operand: int,
    k_width: int,
    version: int,
    warps_per_cta: Sequence[int],
    cga: CGA = (),
) -> LinearLayout:
    """Return the layout of an operand in registers; for `version` 3 only operand 0 can be."""
    rank = len(shape)
    tile = [1] * rank
    tile[-2:] = [16, 8 * k_width] if operand == 0 else [8 * k_width, 8]
    order = dot_operand_order(operand, rank, k_fastest=True)
    cta = _tile(tile, k_width, order, order)
    k_dim = rank - 1 if operand == 0 else rank - 2
    warp_order = matrix_order(rank, row_major=version != 3)
    warps = broadcast_over_k(WARP, warps_per_cta, warp_order, k_dim)
    cta *= warps.transpose_outs(cta.out_names)
    return fit(cta, operand_cga(cga, k_dim), shape)


def _tile(
    shape: Sequence[int], k_width: int, order: Sequence[int], rep_order: Sequence[int]
) -> LinearLayout:
    """
    Return what one warp has of one instruction.

    Along the fast dimension `k_width` registers, then 4 lanes; 8 lanes along the other one;
    then registers along that and along the fast one until the tile is full.
    """
    inner, outer = order[0], order[1]
    tile = identity_nd(REGISTER, (1,) * len(shape), rep_order)
    for size, name, dim in (
        (k_width, REGISTER, inner),
        (4, LANE, inner),
        (8, LANE, outer),
        (shape[outer] // 8, REGISTER, outer),
        (shape[inner] // (k_width * 4), REGISTER, inner),
    ):
        tile *= LinearLayout.identity(size, name, f"dim{dim}")
    return tile
