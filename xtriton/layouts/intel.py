"""
Layouts of Intel's GPUs: operands and results of DPAS, 2D block accesses, single warps.

Source: `third_party/intel/lib/Dialect/TritonIntelGPU/IR/LinearLayoutConversions.cpp` and
`calculateDPASRepetitions` of the Intel XPU backend.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xtriton.layouts.algebra import invert_and_compose
from xtriton.layouts.distributed import broadcast_over_k
from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import (
    BLOCK,
    CGA,
    LANE,
    REGISTER,
    WARP,
    dims,
    fit,
    identity_nd,
    matrix_order,
)

A, B, C = 0, 1, 2
"""Operands of DPAS: left, right, accumulator (and result)."""


@dataclass(frozen=True)
class Dpas:
    """The parameters of DPAS: one instruction multiplies repeat_count x depth x columns."""

    repeat_count: int
    systolic_depth: int
    execution_size: int
    ops_per_channel: int
    warps_per_cta: tuple[int, ...]
    rep_cluster: tuple[int, ...]
    threads_per_warp: int

    @property
    def rank(self) -> int:
        return len(self.warps_per_cta)

    @property
    def depth(self) -> int:
        """How many elements along k one instruction takes."""
        return self.systolic_depth * self.ops_per_channel

    def cluster_shape(self, operand: int) -> tuple[int, int]:
        """Return rows and columns of an operand for one cluster of instructions."""
        rows = self.repeat_count * self.rep_cluster[-2]
        columns = self.execution_size * self.rep_cluster[-1]
        return ((rows, self.depth), (self.depth, columns), (rows, columns))[operand]

    def repetitions(self, shape: Sequence[int], operand: int) -> tuple[int, int, int]:
        """Return how often clusters repeat over `shape`: batch, rows, columns."""
        rows, columns = self.cluster_shape(operand)
        row_warps = 1 if operand == B else self.warps_per_cta[-2]
        column_warps = 1 if operand == A else self.warps_per_cta[-1]
        # The shape of a cluster along a batch is 1.
        batch = max(1, shape[0] // self.warps_per_cta[0]) if len(shape) == 3 else 1
        return (
            batch,
            max(1, shape[-2] // (rows * row_warps)),
            max(1, shape[-1] // (columns * column_warps)),
        )


def dpas(parameters: Dpas, shape: Sequence[int], operand: int) -> LinearLayout:
    """Return the layout of an operand (`A`, `B`) or the result (`C`) of `tt.dot`."""
    p, rank = parameters, len(shape)
    row, column = rank - 2, rank - 1
    tile = (_tile_a, _tile_b, _tile_c)[operand](p).rename_outs(dims(rank)[-2:])
    if operand == C:
        tile *= _register(p.rep_cluster[-1], column)
        tile *= _register(p.rep_cluster[-2], row)
        fast, slow = column, row
        tile *= _warp(p.warps_per_cta[column], column)
        tile *= _warp(p.warps_per_cta[row], row)
    else:
        fast, slow = (column, row) if operand == A else (row, column)
        tile *= _register(p.rep_cluster[slow - rank], slow)
        # All warps along k have the same part.
        shared = LinearLayout.zeros(p.warps_per_cta[fast], WARP, f"dim{fast}")
        own = _warp(p.warps_per_cta[slow], slow)
        for part in (shared, own) if operand == A else (own, shared):
            tile *= part
    if rank == 3:
        tile *= _warp(p.warps_per_cta[0], 0)
    repetitions = p.repetitions(shape, operand)[3 - rank :]
    tile *= _register(repetitions[fast], fast)
    tile *= _register(repetitions[slow], slow)
    if rank == 3:
        tile *= _register(repetitions[0], 0)
    return fit(tile, (), shape)


def _tile_a(p: Dpas) -> LinearLayout:
    # Elements of 16 bits or fewer are packed to 16 bits.
    packed = 2 if p.ops_per_channel == 4 else 1
    columns = p.depth // packed
    rows_per_warp = -(-p.threads_per_warp // columns)
    registers = [*_powers(packed, lambda i: (0, i))]
    registers += _powers(p.repeat_count // rows_per_warp, lambda i: (i * rows_per_warp, 0))
    lanes = _powers(columns, lambda i: (0, packed * i))
    lanes += _powers(p.threads_per_warp // columns, lambda i: (i, 0))
    return _tile(registers, lanes)


def _tile_b(p: Dpas) -> LinearLayout:
    rows_per_warp = p.threads_per_warp // p.execution_size
    registers = _powers(p.ops_per_channel, lambda i: (i, 0))
    registers += _powers(
        p.systolic_depth // rows_per_warp,
        lambda i: (i * rows_per_warp * p.ops_per_channel, 0),
    )
    lanes = _powers(p.execution_size, lambda i: (0, i))
    lanes += _powers(rows_per_warp, lambda i: (i * p.ops_per_channel, 0))
    return _tile(registers, lanes)


def _tile_c(p: Dpas) -> LinearLayout:
    rows_per_warp = p.threads_per_warp // p.execution_size
    registers = _powers(p.repeat_count // rows_per_warp, lambda i: (i * rows_per_warp, 0))
    lanes = _powers(p.execution_size, lambda i: (0, i))
    lanes += _powers(rows_per_warp, lambda i: (i, 0))
    return _tile(registers, lanes)


def dpas_scales(
    parameters: Dpas, shape: Sequence[int], operand: int, elements_per_byte: int = 1
) -> LinearLayout:
    """
    Return the layout of the scales of an operand (`A`, `B`) of `tt.dot_scaled`.

    Their last dimension is k, of which 32 elements share a scale; lanes beyond the rows or columns
    of an instruction have copies.
    """
    p, rank = parameters, len(shape)
    names = dims(rank)
    k, free = rank - 1, rank - 2
    own = free if operand == A else k
    size = p.repeat_count if operand == A else p.execution_size
    # Of 64 elements along k an instruction takes two scales.
    registers = [(0, 1)] if p.ops_per_channel * elements_per_byte == 8 else []
    lanes = _powers(size, lambda i: (i, 0))
    lanes += [(0, 0)] * len(_steps(size, p.threads_per_warp))
    tile = _tile(registers, lanes).rename_outs(names[-2:])
    tile *= _register(p.rep_cluster[own - rank], free)
    shared = LinearLayout.zeros(p.warps_per_cta[k if operand == A else free], WARP, names[k])
    split = _warp(p.warps_per_cta[own], free)
    for part in (shared, split) if operand == A else (split, shared):
        tile *= part
    if rank == 3:
        tile *= _warp(p.warps_per_cta[0], 0)
    for dim in (k, free, *range(rank - 2)):
        size = tile.out_size(names[dim]) if names[dim] in tile.out_names else 1
        tile *= _register(-(-shape[dim] // size), dim)
    return fit(tile, (), shape)


def block_2d(
    shape: Sequence[int],
    warps_per_cta: Sequence[int],
    instr_shape: Sequence[int],
    num_blocks: int,
    order: Sequence[int],
    threads_per_warp: int = 16,
    cga: CGA = (),
) -> LinearLayout:
    """
    Return the layout of what 2D block loads leave in registers.

    A block of `instr_shape` is spread over the lanes row by row, `num_blocks` of them side
    by side; all warps along `order[0]` load the same.
    """
    height, width = instr_shape
    packed = -(-width // threads_per_warp)
    lanes = _powers(width // packed, lambda i: (0, i * packed))
    rows_per_warp = -(-threads_per_warp // (1 << len(lanes)))
    lanes += _powers(rows_per_warp, lambda i: (i, 0))
    registers = _powers(packed, lambda i: (0, i))
    registers += _powers(height // rows_per_warp, lambda i: (i * rows_per_warp, 0))
    tile = _tile(registers, lanes) * _register(num_blocks, 1)
    warps = broadcast_over_k(WARP, warps_per_cta, matrix_order(2, row_major=True), order[0])
    return fit(tile * warps.transpose_outs(tile.out_names), cga, shape)


def warp(
    shape: Sequence[int],
    size_per_thread: Sequence[int],
    threads_per_warp: Sequence[int],
    order: Sequence[int],
) -> LinearLayout:
    """Return the layout of a tensor that a single warp has (`#ttig.warp`)."""
    cta = (
        identity_nd(REGISTER, size_per_thread, order)
        * identity_nd(LANE, threads_per_warp, order)
        * identity_nd(WARP, (1,) * len(shape), order)
    )
    return fit(cta, (), shape)


def _tile(registers: list[tuple[int, int]], lanes: list[tuple[int, int]]) -> LinearLayout:
    return LinearLayout.of({REGISTER: registers, LANE: lanes}, dims(2))


def _powers(limit: int, image: Callable[[int], tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the images of 1, 2, 4, ... below `limit`."""
    return [image(1 << i) for i in range(max(limit - 1, 0).bit_length())]


def _register(size: int, dim: int) -> LinearLayout:
    return LinearLayout.identity(size, REGISTER, f"dim{dim}")


def _warp(size: int, dim: int) -> LinearLayout:
    return LinearLayout.identity(size, WARP, f"dim{dim}")


# --- conversions within a warp ------------------------------------------------------------


def _within_warp(source: LinearLayout, target: LinearLayout) -> LinearLayout | None:
    """Return where each register and lane of `target` finds its element in the same warp."""
    conversion = invert_and_compose(target, source).quotient((BLOCK,))
    return None if conversion is None else conversion.quotient((WARP,))


def _steps(start: int, end: int) -> list[int]:
    """Return start, 2 start, 4 start, ... below `end`."""
    steps: list[int] = []
    while start < end:
        steps.append(start)
        start *= 2
    return steps


def is_shuffle(source: LinearLayout, target: LinearLayout) -> bool:
    """Return whether every thread gets elements that others have in one register each."""
    conversion = _within_warp(source, target)
    if conversion is None:
        return False
    registers, lanes = conversion.in_size(REGISTER), conversion.out_size(LANE)
    to_lanes = [(0, i) for i in _steps(1, lanes)]
    first_lanes = to_lanes + [(i // lanes, 0) for i in _steps(lanes, registers)]
    first_registers = [(i, 0) for i in _steps(1, registers // lanes)]
    rest = _steps(max(registers // lanes, 1), registers)
    first_registers += [(0, 1 << i) for i in range(len(rest))]
    found = list(conversion.bases_of[REGISTER])
    return conversion.sublayout_is_zero((LANE,), (REGISTER, LANE)) and (
        found in (first_lanes, first_registers)
    )


def is_transpose(source: LinearLayout, target: LinearLayout) -> bool:
    """Return whether the conversion exchanges lanes and registers, as a transposition does."""
    conversion = _within_warp(source, target)
    if conversion is None:
        return False
    registers, lanes = conversion.in_size(REGISTER), conversion.in_size(LANE)
    to_lanes = [(0, i) for i in _steps(1, lanes)]
    found = (list(conversion.bases_of[REGISTER]), list(conversion.bases_of[LANE]))
    spread = (
        to_lanes + [(i, 0) for i in _steps(lanes, registers)],
        [(i, 0) for i in _steps(1, lanes)],
    )
    rows = _steps(lanes, registers)
    contiguous = (
        to_lanes + [(1 << i, 0) for i in range(len(rows))],
        [(i, 0) for i in _steps(max(registers // lanes, 1), registers)],
    )
    return found in (spread, contiguous)
