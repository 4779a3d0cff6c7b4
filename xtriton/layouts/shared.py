"""
Layouts of shared memory: maps from an offset, in elements, to the indices of a tensor.

Source: `swizzledSharedToLinearLayout`, `sharedToLinearLayoutAMDRotating`,
`nvmmaSharedToLinearLayout` in Triton's `LinearLayoutConversions.cpp`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import (
    CGA,
    OFFSET,
    dims,
    fit,
    identity_nd,
    not_smaller,
    reshape,
    shape_per_cta,
    transpose,
)

LARGEST_TMA_SIZE = 256
_ROWS_OF_CORE_MATRIX = 8


def swizzled(
    shape: Sequence[int],
    vec: int,
    per_phase: int,
    max_phase: int,
    order: Sequence[int],
    cga: CGA = (),
    rotating: bool = False,
) -> LinearLayout:
    """
    Return rows whose vectors of `vec` elements are exchanged by exclusive or with a phase.

    The phase is that of the row: `per_phase` rows have the same, there are `max_phase`.
    With `rotating` (AMD) it changes from one block of rows to the next as well.
    """
    sizes = tuple(shape) if rotating else shape_per_cta(cga, shape)
    if len(shape) == 1:
        return fit(LinearLayout.identity(sizes[0], OFFSET, "dim0"), cga, shape)
    column, row = order[0], order[1]
    columns, rows = sizes[column], sizes[row]
    images: list[tuple[int, int]] = [(0, 1 << i) for i in range(columns.bit_length() - 1)]
    for i in range(rows.bit_length() - 1):
        phase = (1 << i) // per_phase % max_phase
        if rotating:
            phase ^= (1 << i) // max_phase // per_phase % max_phase
        images.append((1 << i, vec * phase % columns))
    bounds = {f"dim{row}": rows, f"dim{column}": columns}
    cta = LinearLayout.of({OFFSET: images}, bounds)
    for dim in order[2:]:
        cta *= LinearLayout.identity(sizes[dim], OFFSET, f"dim{dim}")
    return fit(cta, cga, shape)


def plain(shape: Sequence[int], order: Sequence[int], cga: CGA = ()) -> LinearLayout:
    """Return the elements in order, as under a padded layout without its gaps."""
    return fit(identity_nd(OFFSET, shape, order), cga, shape)


def padded_size(shape: Sequence[int], intervals: Sequence[int], paddings: Sequence[int]) -> int:
    """Return how many elements a padded buffer takes; there is no gap after the last one."""
    count = 1
    for size in shape:
        count *= size
    total = count
    for interval, padding in zip(intervals, paddings, strict=True):
        total += count // interval * padding
        if count % interval == 0:
            total -= padding
    return total


def nvmma(
    shape: Sequence[int],
    swizzle_bytes: int,
    transposed: bool,
    element_bits: int,
    fp4_padded: bool = False,
    cga: CGA = (),
) -> LinearLayout:
    """
    Return the layout that `wgmma` and `tcgen05` read and TMA writes.

    Raises `ValueError` if the tensor is smaller than one core matrix (8 rows of
    `swizzle_bytes`).
    Up to Triton 3.7 what is not swizzled was not transposed either.
    """
    rank = len(shape)
    part = shape_per_cta(cga, shape)
    block = _tma_block(part, swizzle_bytes, transposed, element_bits, fp4_padded)
    sizes = dict(zip(dims(rank), part, strict=True))
    if swizzle_bytes == 0:
        outer = range(1, rank) if transposed else range(rank - 1)
        fast = 0 if transposed else rank - 1
        layout = identity_nd(OFFSET, block, (fast, *reversed(outer)))
        layout = layout.transpose_outs(dims(rank))
        return fit(not_smaller(layout, sizes), cga, shape)
    collapsed = [1, block[-1]]
    for size in block[:-1]:
        collapsed[0] *= size
    if transposed:
        collapsed.reverse()
    tile = _core_matrix(swizzle_bytes, element_bits, fp4_padded)
    packing = 2 if fp4_padded else 1
    too_narrow = collapsed[1] * packing < (8 * max(16, swizzle_bytes) // element_bits)
    if too_narrow or collapsed[0] < _ROWS_OF_CORE_MATRIX:
        raise ValueError(f"the shape {list(shape)} is smaller than one core matrix")
    layout = not_smaller(tile, dict(zip(dims(2), collapsed, strict=True)))
    moved = (*block[1:], block[0]) if transposed else block
    layout = reshape(layout, moved)
    if transposed:
        layout = transpose(layout, [rank - 1, *range(rank - 1)])
    return fit(not_smaller(layout, sizes), cga, shape)


def _core_matrix(swizzle_bytes: int, element_bits: int, fp4_padded: bool) -> LinearLayout:
    vec, per_phase, max_phase = 128 // element_bits, 128 // swizzle_bytes, swizzle_bytes // 16
    columns = 8 * max(16, swizzle_bytes) // element_bits

    def pack(column: int) -> int:
        # Of 16 offsets, 8 are real and 8 are padding, which maps to the same elements.
        return column // 16 * 8 + column % 8 if fp4_padded else column

    images = [(0, pack(1 << i)) for i in range(columns.bit_length() - 1)]
    for i in range(3):
        images.append((1 << i, pack(vec * ((1 << i) // per_phase % max_phase))))
    return LinearLayout.of({OFFSET: images}, dims(2))


def _tma_block(
    part: Sequence[int], swizzle_bytes: int, transposed: bool, element_bits: int, fp4: bool
) -> tuple[int, ...]:
    block = list(part)
    fast = 0 if transposed else len(block) - 1
    if fp4:
        block[fast] *= 2
    block = [min(size, LARGEST_TMA_SIZE) for size in block]
    if swizzle_bytes:
        needed = 8 * swizzle_bytes // element_bits
        if block[fast] < needed:
            raise ValueError(
                f"{block[fast]} elements along dimension {fast} are fewer than the {needed} of "
                f"{swizzle_bytes} bytes"
            )
        block[fast] = needed
    if fp4:
        block[fast] //= 2
    return tuple(block)
