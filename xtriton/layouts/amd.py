"""
Layouts of AMD's matrix cores: MFMA (64 lanes) and WMMA (32 lanes), results and operands.

Source: `AMDMfmaEncodingAttr::toLinearLayout`, `mfmaDotToLinearLayout`,
`AMDWmmaEncodingAttr::getTileLayout`, `wmmaDotOperandToLinearLayout` in Triton's
`LinearLayoutConversions.cpp`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import (
    CGA,
    LANE,
    REGISTER,
    WARP,
    dims,
    dot_operand_order,
    fit,
    identity_nd,
    matrix_order,
)

_MFMA_LANES = 64
_WMMA_LANES = 32

Images = Sequence[Sequence[int]]


def mfma_result(
    shape: Sequence[int],
    warps_per_cta: Sequence[int],
    instr_shape: Sequence[int],
    transposed: bool,
    tiles_per_warp: Sequence[int],
    element_bits: int = 32,
    cga: CGA = (),
) -> LinearLayout:
    """
    Return the layout of the result of an MFMA of shape `instr_shape` (M, N[, K]).

    A lane has 4 neighbours along M, or along N if `transposed` (1 for 64-bit elements).
    Tiles are numbered along N over the whole tensor first, as the lowering of dots expects.
    """
    rank = len(shape)
    m, n = rank - 2, rank - 1
    rows, columns = instr_shape[0], instr_shape[1]
    along, across = (n, m) if transposed else (m, n)
    extent = rows if transposed else columns
    height = 1 if element_bits == 64 else 4
    tile = (
        _register(height, along)
        * _lane(extent, across)
        * _lane(_MFMA_LANES // extent, along)
        * _register(rows * columns // (_MFMA_LANES * height), along)
    ).transpose_outs([f"dim{n}", f"dim{m}"])
    per_cta = columns * warps_per_cta[n] * tiles_per_warp[n]
    for part in (
        _register(tiles_per_warp[n], n),
        _warp(warps_per_cta[n], n),
        _register(shape[n] // per_cta, n),
        _register(tiles_per_warp[m], m),
        _warp(warps_per_cta[m], m),
    ):
        tile *= part
    if rank == 3:
        tile *= _register(1, 0) * _lane(1, 0) * _warp(warps_per_cta[0], 0)
    return fit(tile, cga, shape)


def mfma_operand(
    shape: Sequence[int],
    operand: int,
    k_width: int,
    warps_per_cta: Sequence[int],
    instr_shape: Sequence[int],
    tiles_per_warp: Sequence[int],
    cga: CGA = (),
) -> LinearLayout:
    """Return the layout of an operand of an MFMA; a lane has `k_width` neighbours along k."""
    rank = len(shape)
    rows, columns = instr_shape[0], instr_shape[1]
    order = dot_operand_order(operand, rank, k_fastest=True)
    k, other = order[0], order[1]
    extent = rows if operand == 0 else columns
    tile = _register(k_width, k) * _lane(extent, other) * _lane(_MFMA_LANES // extent, k)
    depth = _MFMA_LANES // extent * k_width
    if (rows, columns, operand) in ((64, 4, 0), (4, 64, 1)):
        tile *= _register(16, k)
        depth *= 16
    if shape[k] > depth:
        tile *= _register(shape[k] // depth, k)
    tile *= _register(tiles_per_warp[other], other)
    tile = tile.transpose_outs([f"dim{k}", f"dim{other}"])
    if rank == 3:
        tile *= _register(1, 0) * _lane(1, 0)
    warps = identity_nd(WARP, warps_per_cta, matrix_order(rank, row_major=True))
    return fit(_join(tile, warps), cga, shape)


def wmma_result(
    shape: Sequence[int],
    version: int,
    register_tiles: Images,
    warp_tiles: Images,
    transposed: bool,
    instr_shape: Sequence[int] = (16, 16, 16),
    cga: CGA = (),
) -> LinearLayout:
    """
    Return the layout of the result of a WMMA of RDNA 3 (`version` 1), 4 (2) or gfx1250 (3).

    `register_tiles` and `warp_tiles` say which tiles of 16x16 each register and warp has.
    """
    rank = len(shape)
    order = matrix_order(rank, row_major=not transposed)
    outs = [f"dim{order[0]}", f"dim{order[1]}"]
    registers = [(0, 2), (0, 4), (0, 8)] if version == 1 else [(0, 1), (0, 2), (0, 4)]
    last_lane = (0, 1) if version == 1 else (0, 8)
    lanes = [(1, 0), (2, 0), (4, 0), (8, 0), last_lane]
    tile = LinearLayout.of({REGISTER: registers, LANE: lanes}, outs)
    if rank == 3:
        tile *= _register(1, 0) * _lane(1, 0)
    tile = tile.transpose_outs(dims(rank)) * _wmma_tiles(rank, register_tiles, warp_tiles)
    repeated = [f"dim{d}" for d in matrix_order(rank, row_major=True)]
    return fit(tile.transpose_outs(repeated), cga, shape)


def wmma_operand(
    shape: Sequence[int],
    operand: int,
    k_width: int,
    version: int,
    register_tiles: Images,
    warp_tiles: Images,
    instr_shape: Sequence[int] = (16, 16, 16),
    cga: CGA = (),
) -> LinearLayout:
    """Return the layout of an operand of a WMMA; in version 1 both halves of a warp have it."""
    rank = len(shape)
    order = dot_operand_order(operand, rank, k_fastest=True)
    k, other = order[0], order[1]
    extent = instr_shape[0] if operand == 0 else instr_shape[1]
    depth = _WMMA_LANES // extent
    halves = LinearLayout.zeros if version == 1 else LinearLayout.identity
    tile = (
        _register(k_width, k)
        * _lane(extent, other)
        * halves(depth, LANE, f"dim{k}")
        * _register(max(shape[k], instr_shape[2]) // (depth * k_width), k)
    )
    tiles = _project(_wmma_tiles(rank, register_tiles, warp_tiles), k)
    tiles = tiles.remove_zero_bases(REGISTER)
    joined = _join(tile, tiles)
    return fit(joined.transpose_outs([f"dim{d}" for d in order]), cga, shape)


def _wmma_tiles(rank: int, register: Images, warp: Images) -> LinearLayout:
    return LinearLayout.of({REGISTER: register, WARP: warp}, dims(rank))


def _project(layout: LinearLayout, dim: int) -> LinearLayout:
    """Return the map with nothing moving along `dim`."""
    bases = {
        name: [tuple(0 if d == dim else v for d, v in enumerate(basis)) for basis in images]
        for name, images in layout.bases
    }
    return LinearLayout.of(bases, layout.out_names)


def _join(tile: LinearLayout, outer: LinearLayout) -> LinearLayout:
    """Return the product where the order of the outputs is that of `tile`."""
    missing = [name for name in outer.out_names if name not in tile.out_names]
    return tile * outer.transpose_outs((*tile.out_names, *missing))


def _register(size: int, dim: int) -> LinearLayout:
    return LinearLayout.identity(size, REGISTER, f"dim{dim}")


def _lane(size: int, dim: int) -> LinearLayout:
    return LinearLayout.identity(size, LANE, f"dim{dim}")


def _warp(size: int, dim: int) -> LinearLayout:
    return LinearLayout.identity(size, WARP, f"dim{dim}")
