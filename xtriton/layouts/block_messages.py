"""
The 2D block message by which a subgroup loads what a layout wants of a matrix in memory.

The hardware delivers a tile in a fixed order: neighbours along the width go to neighbouring lanes,
packed to at most 64 bits each; then rows; then tiles side by side. A layout that wants another
order has no message, and its elements are gathered one by one.

Source: `BlockIOUtils.cpp` of the Intel XPU backend, August 2026.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from xtriton.layouts.algebra import invert_and_compose
from xtriton.layouts.linear import Basis, LinearLayout
from xtriton.layouts.shaping import (
    LANE,
    REGISTER,
    contiguity_per_thread,
    register_order,
)

MOST_ROWS = 32
ROWS_OF_64_BITS_TRANSPOSED = 8
ROW_BITS = 64 * 8
ROW_BITS_TRANSPOSED = 8 * 32
PACKED_BITS = 64
PACKED_BITS_TRANSPOSED = 32
PACKED_BITS_OF_ROWS = 32
MOST_TILES = 4
REGISTER_BYTES = 64

TILE_WIDTHS = {8: range(4, 65), 16: range(2, 33), 32: range(1, 17), 64: range(1, 9)}
"""Tile widths that a message can have, by the bits of what is packed."""


@dataclass(frozen=True)
class BlockTile:
    """
    The tile of one message.

    It has `height` rows of `width` packed values, each of `packed` elements, and comes `count`
    times side by side. `transposed` says that lanes follow each other along the columns in memory.
    """

    height: int
    width: int
    packed: int
    count: int
    row_dim: int
    lane_dim: int
    transposed: bool
    registers: tuple[int, ...]
    """Bits of the register number, in the order in which messages fill them."""

    def messages(self, shape: Sequence[int]) -> int:
        """Return how many messages load all of a tensor."""
        rows = -(-shape[self.row_dim] // self.height)
        return rows * -(-shape[self.lane_dim] // (self.width * self.packed * self.count))


def load_cost(layout: LinearLayout, row_major: bool, bits: int, one_matrix: bool = False) -> int:
    """
    Return how many messages, or vectors of a gather where there are none, load a whole tensor.

    `row_major` says along which of the last two dimensions memory is contiguous, `bits` how wide
    an element is, and `one_matrix` that transposed tiles do not grow along the lanes.
    """
    rank = len(layout.out_dims)
    if bits <= PACKED_BITS:
        tile = load_tile(layout, rank - 1 if row_major else rank - 2, bits, one_matrix)
        if tile is not None and _is_deliverable(layout, tile, bits):
            return tile.messages(layout.out_shape)
    return gather_cost(layout)


def gather_cost(layout: LinearLayout) -> int:
    """Return how many vectors are loaded where each thread loads what it needs by itself."""
    vector = contiguity_per_thread(layout)[register_order(layout)[0]]
    elements = 1 << layout.total_out_bits
    return -(-elements // max(vector, 1))


@lru_cache(maxsize=4096)
def load_tile(
    layout: LinearLayout, contiguous: int, bits: int, one_matrix: bool = False
) -> BlockTile | None:
    """
    Return the tile of a load; None where the hardware delivers nothing like it.

    `contiguous` is the dimension along which elements of `bits` bits lie side by side in memory.
    """
    try:
        return _Growth(layout, contiguous, bits).tile(one_matrix)
    except _NoTile:
        return None


class _NoTile(Exception):
    """No message delivers what the layout wants."""


class _Growth:
    """A tile that grows along the bits of lanes and of registers, the lowest first."""

    def __init__(self, layout: LinearLayout, contiguous: int, bits: int):
        self.rank = len(layout.out_dims)
        self.contiguous, self.bits = contiguous, bits
        self.lanes, self.registers = layout.bases_of[LANE], layout.bases_of[REGISTER]
        lane_dim = _only_dim(self.lanes[0]) if self.lanes else None
        if lane_dim is None:
            raise _NoTile
        self.lane_dim = lane_dim
        self.transposed = lane_dim != contiguous
        self.shape = [1] * self.rank
        self.packed = 1
        self.packs_rows = False
        self.taken: dict[int, None] = {}

    def tile(self, one_matrix: bool) -> BlockTile:
        self._pack()
        self._spread_over_lanes()
        row_dim = self._row_dim()
        self._check_limits(row_dim)
        if not one_matrix and self.transposed and self.shape[self.contiguous] == self.packed:
            self._grow(self.lane_dim, self._most_rows)
        row_dim = self._grow_rows(row_dim)
        if self.transposed and row_dim not in (None, self.contiguous):
            raise _NoTile
        if row_dim is None:
            last = self.rank - 1
            row_dim = last if self.lane_dim != last else last - 1
        is_of_64_bits = self.transposed and self.bits == PACKED_BITS
        if is_of_64_bits and self.shape[self.lane_dim] != ROWS_OF_64_BITS_TRANSPOSED:
            raise _NoTile
        return self._made(row_dim)

    @property
    def _most_rows(self) -> int:
        if self.transposed and self.bits == PACKED_BITS:
            return ROWS_OF_64_BITS_TRANSPOSED
        return MOST_ROWS

    @property
    def _most_columns(self) -> int:
        return (ROW_BITS_TRANSPOSED if self.transposed else ROW_BITS) // self.bits

    # --- packing ------------------------------------------------------------------------

    def _pack(self) -> None:
        most = PACKED_BITS_TRANSPOSED if self.transposed else PACKED_BITS
        self._pack_along(self.contiguous, most)
        # Transposing moves 32 bits at a time.
        if self.transposed and self.bits <= most and self.packed * self.bits != most:
            raise _NoTile

    def _pack_along(self, dim: int, bits: int) -> None:
        for bit, basis in enumerate(self.registers):
            if self.packed >= -(-bits // self.bits):
                break
            if _only_dim(basis) == dim and self.shape[dim] == basis[dim]:
                self.shape[dim] *= 2
                self.packed *= 2
                self.taken[bit] = None

    # --- lanes --------------------------------------------------------------------------

    def _spread_over_lanes(self) -> None:
        for basis in self.lanes:
            dim = _only_dim(basis)
            if dim is None:
                break
            if self.shape[dim] != basis[dim] and self.packed == 1 and dim != self.lane_dim:
                self._pack_rows(dim)
            if self.shape[dim] != basis[dim]:
                break
            self.shape[dim] *= 2
        elements = 1
        for size in self.shape:
            elements *= size
        # A lane has one packed value of a tile, or lanes and registers would be mixed up.
        if elements // self.packed != 1 << len(self.lanes):
            raise _NoTile

    def _pack_rows(self, dim: int) -> None:
        """Put elements of neighbouring rows into 32 bits, as DPAS wants its right operand."""
        self._pack_along(dim, PACKED_BITS_OF_ROWS)
        if self.packed == 1:
            return
        if self.packed * self.bits != PACKED_BITS_OF_ROWS:
            raise _NoTile
        self.packs_rows = True

    def _row_dim(self) -> int | None:
        moving = [dim for dim, size in enumerate(self.shape) if size > 1]
        if len(moving) > 2:
            raise _NoTile
        others = [dim for dim in moving if dim != self.lane_dim]
        return others[-1] if others else None

    def _check_limits(self, row_dim: int | None) -> None:
        along_lanes, along_rows = self._most_columns, self._most_rows
        if self.transposed:
            along_lanes, along_rows = along_rows, along_lanes
        if self.shape[self.lane_dim] > along_lanes:
            raise _NoTile
        if row_dim is not None and self.shape[row_dim] > along_rows:
            raise _NoTile

    # --- registers ----------------------------------------------------------------------

    def _grow(self, dim: int, most: int) -> None:
        for bit, basis in self._left():
            if _only_dim(basis) != dim or self.shape[dim] != basis[dim]:
                continue
            if 2 * self.shape[dim] > most:
                break
            self._take(dim, bit)

    def _grow_rows(self, row_dim: int | None) -> int | None:
        for bit, basis in self._left():
            dim = _only_dim(basis)
            if dim is None:
                continue
            if row_dim is None and dim != self.lane_dim:
                row_dim = dim
            if dim != row_dim or self.shape[dim] != basis[dim]:
                continue
            if 2 * self.shape[dim] > (self._most_columns if self.transposed else self._most_rows):
                break
            self._take(dim, bit)
        return row_dim

    def _take(self, dim: int, bit: int) -> None:
        self.shape[dim] *= 2
        self.taken[bit] = None

    def _left(self) -> list[tuple[int, Basis]]:
        return [(bit, basis) for bit, basis in enumerate(self.registers) if bit not in self.taken]

    # --- the tile -----------------------------------------------------------------------

    def _made(self, row_dim: int) -> BlockTile:
        along = row_dim if self.transposed else self.lane_dim
        count = 1
        for bit, basis in self._left():
            if _only_dim(basis) == along and self.shape[along] * count == basis[along]:
                count *= 2
                self.taken[bit] = None
        self.taken.update((bit, None) for bit, _ in self._left())
        packed = 1 if self.packs_rows else self.packed
        height = self.shape[self.lane_dim if self.transposed else row_dim]
        width = self.shape[along] // packed
        return BlockTile(
            height,
            width,
            packed,
            self._loaded_together(height, width * packed * self.bits // 8, count),
            row_dim,
            self.lane_dim,
            self.transposed,
            tuple(self.taken),
        )

    def _loaded_together(self, height: int, row_bytes: int, count: int) -> int:
        """Return how many tiles side by side one message loads."""
        if self.transposed or height * row_bytes < REGISTER_BYTES:
            return 1
        count = min(count, MOST_TILES)
        return min(count, ROW_BITS // 8 // row_bytes) if row_bytes else count


def _only_dim(basis: Basis) -> int | None:
    """Return along which dimension a step goes; None if along none or several."""
    moving = [dim for dim, step in enumerate(basis) if step > 0]
    return moving[0] if len(moving) == 1 else None


# --- what the hardware takes --------------------------------------------------------------


def _is_deliverable(layout: LinearLayout, tile: BlockTile, bits: int) -> bool:
    packed_bits = bits * tile.packed
    if tile.width not in TILE_WIDTHS.get(packed_bits, ()):
        return False
    if tile.width * packed_bits > ROW_BITS:
        return False
    return not tile.transposed or _is_transposed_whole(layout, tile)


def _is_transposed_whole(layout: LinearLayout, tile: BlockTile) -> bool:
    """Return whether transposing 32 bits at a time gives just what the layout wants."""
    lanes = layout.in_size(LANE)
    elements = tile.height * tile.width * tile.packed * tile.count
    registers = -(-elements // lanes)
    row, column = (layout.out_names[dim] for dim in (tile.row_dim, tile.lane_dim))
    delivered = _delivered(tile, lanes, registers, row, column)
    wanted = layout.sublayout((REGISTER, LANE), (row, column))
    images = wanted.bases_of[REGISTER]
    wanted = wanted.with_bases(REGISTER, (images[bit] for bit in tile.registers))
    wanted = wanted.resize_out(row, tile.width * tile.packed).resize_out(column, tile.height)
    wanted = wanted.resize_in(REGISTER, registers)
    try:
        moved = invert_and_compose(delivered, wanted)
    except ValueError:
        return False
    return all(
        image == tuple((1 << bit) if name == out else 0 for out in moved.out_names)
        for name, found in moved.bases
        for bit, image in enumerate(found)
    )


def _delivered(tile: BlockTile, lanes: int, registers: int, row: str, column: str) -> LinearLayout:
    """Return what a transposed message leaves in registers, as (row, column) in its tile."""
    along_row = along_column = 1
    register_images: list[tuple[int, int]] = []
    lane_images: list[tuple[int, int]] = []
    for _ in range(tile.packed.bit_length() - 1):
        register_images.append((along_row, 0))
        along_row *= 2
    for bit in range(lanes.bit_length() - 1):
        if 1 << bit < tile.height:
            lane_images.append((0, along_column))
            along_column *= 2
        else:
            lane_images.append((along_row, 0))
            along_row *= 2
    for bit in range((registers // tile.packed).bit_length() - 1):
        if 1 << bit < -(-tile.height // lanes):
            register_images.append((0, along_column))
            along_column *= 2
        else:
            register_images.append((along_row, 0))
            along_row *= 2
    return LinearLayout.of({REGISTER: register_images, LANE: lane_images}, (row, column))
