"""
Tensor memory (Blackwell): which element is in which row and column.

Layouts map row, column and block to dim0 and dim1. A column is as wide as an element and a
CTA has 128 rows. Rows 32 and 64 of zero image hold copies; any other zero image is of a place
where nothing is.

Source: `tensorMemoryToLinearLayout`, `tensorMemoryScalesToLinearLayout` and `toLinearLayout`
of Triton's `LinearLayoutConversions.cpp`; `getTmemAllocSizes` and
`getDistributedLayoutForTmemLdSt` of its `TritonNvidiaGPU/IR/Dialect.cpp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xtriton.layouts.algebra import input_mask
from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import (
    CGA,
    cga_layout,
    dims,
    not_larger,
    shape_per_cta,
)

ROW, COLUMN = "row", "col"
WORD = 32
"""Bits of a physical column."""

_DIMS = dims(2)
_ROW_16 = 4
"""Which bit of a row is the one that a 16-row block leaves free."""


@dataclass(frozen=True)
class Blocks:
    """How `#ttng.tensor_memory_encoding` cuts a matrix into blocks."""

    block_m: int
    block_n: int
    column_stride: int = 1
    cga: CGA = ()
    two_ctas: bool = False
    fp4_padded: bool = False


def matrix(shape: Sequence[int], blocks: Blocks) -> LinearLayout:
    """Return the layout of a matrix of `shape`, or of a block if that is larger."""
    part = shape_per_cta(blocks.cga, shape)
    block_n = min(blocks.block_n, part[1])
    columns = LinearLayout.zeros(2 if blocks.fp4_padded else 1, COLUMN, "dim1")
    columns *= LinearLayout.identity(block_n, COLUMN, "dim1")
    stride = LinearLayout.zeros(blocks.column_stride, COLUMN, "dim1")
    if blocks.block_m == 64 and not blocks.two_ctas:
        tile = stride * (LinearLayout.identity(16, ROW, "dim0") * columns)
        tile = _with_interleaved_rows(tile, part, block_n)
    else:
        tile = stride * (LinearLayout.identity(blocks.block_m, ROW, "dim0") * columns)
        if blocks.block_m == 64:
            *rest, last = tile.bases_of[COLUMN]
            tile = tile.with_bases(ROW, (*tile.bases_of[ROW], last)).with_bases(COLUMN, rest)
    for dim, size in zip(_DIMS, part, strict=True):
        tile *= LinearLayout.identity(size // tile.out_size(dim), COLUMN, dim)
    return tile * cga_layout(blocks.cga, 2)


def _with_interleaved_rows(tile: LinearLayout, part: Sequence[int], block_n: int) -> LinearLayout:
    """Blocks of 64 rows take every other group of 16 rows; the next block takes the others."""
    if part[0] > 64:
        other = (64, 0)
    elif part[1] > block_n:
        other = (0, block_n)
    else:
        other = (0, 0)
    rows = (*tile.bases_of[ROW], other, (16, 0), (32, 0))
    return LinearLayout.of({ROW: rows, COLUMN: tile.bases_of[COLUMN]}, _DIMS)


def scales(shape: Sequence[int], cga: CGA = (), k_then_mn: bool = False) -> LinearLayout:
    """
    Return the layout of scales, `shape` being (M or N, K over the group size).

    Source: https://docs.nvidia.com/cuda/parallel-thread-execution/#tcgen05-mma-scale-factor-a-layout-1x
    """
    part = shape_per_cta(cga, shape)
    tile = (
        LinearLayout.identity(32, ROW, "dim0")
        * LinearLayout.zeros(4, ROW, "dim0")
        * LinearLayout.identity(4, COLUMN, "dim1")
        * LinearLayout.identity(2, COLUMN, "dim0")
    )
    reps = {dim: -(-size // tile.out_size(dim)) for dim, size in zip(_DIMS, part, strict=True)}
    if reps["dim0"] > 1:
        tile *= LinearLayout.identity(2, COLUMN, "dim0")
        reps["dim0"] //= 2
    for dim in reversed(_DIMS) if k_then_mn else _DIMS:
        tile *= LinearLayout.identity(reps[dim], COLUMN, dim)
    tile = not_larger(tile, dict(zip(_DIMS, part, strict=True)))
    return tile * cga_layout(cga, 2)


def part_of(layout: LinearLayout, shape: Sequence[int], bits: int) -> LinearLayout:
    """Return the layout of the first part of `shape` of a buffer of elements of `bits` bits."""
    for dim, size in zip(layout.out_names, shape, strict=True):
        layout = layout.resize_out(dim, size)
    needed = max((WORD // bits).bit_length() - 1, input_mask(layout, COLUMN).bit_length())
    return layout.resize_in(COLUMN, 1 << needed)


def footprint(layout: LinearLayout, bits: int, copies: int = 1) -> tuple[int, int]:
    """Return how many rows and 32-bit columns `copies` buffers of this layout take."""
    rows = layout.in_size(ROW)
    if not any(layout.bases_of[ROW][_ROW_16]):
        rows //= 2
    return rows, words(layout.in_size(COLUMN), bits) * copies


def words(columns: int, bits: int) -> int:
    """Return how many 32-bit columns `columns` elements of `bits` bits take."""
    return -(-columns * bits // WORD)
