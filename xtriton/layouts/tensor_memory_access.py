"""
Which registers an instruction can load from, and store to, tensor memory.

The instructions (`tcgen05.ld`, `tcgen05.st`) come in shapes; each puts the rows and columns
of a tile into certain registers and lanes of each of four warps.

Source: `lowerTMemLdSt`, `computeTMemLdStEncodingInfo` and `supportsTMemLoadReduce` of
Triton's `TensorMemoryUtils.cpp`; `getTileLayout` of its `TritonNvidiaGPU/IR/Dialect.cpp`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from xtriton.layouts.algebra import divide_left, identity_prefix, invert_and_compose
from xtriton.layouts.linear import EMPTY, Basis, LinearLayout
from xtriton.layouts.shaping import BLOCK, LANE, REGISTER, WARP, bases_per_dim
from xtriton.layouts.tensor_memory import COLUMN, ROW, WORD

MAX_REGISTERS = 256
"""Of a thread; a kernel or a partition of its warps may have fewer."""

_WARPS = ((32, 0), (64, 0))
"""The rows at which warps 1 and 2 begin."""

_SHAPES = ("32x32b", "16x256b", "16x64b", "16x128b", "16x32bx2")


@dataclass(frozen=True)
class TensorMemoryInstruction:
    """The instruction that moves a buffer, and whether it unpacks 16-bit elements."""

    shape: str
    unpacked: bool


def access(
    registers: LinearLayout, memory: LinearLayout, bits: int, max_registers: int = MAX_REGISTERS
) -> TensorMemoryInstruction | None:
    """
    Return how a tensor with layout `registers` is moved from or to a buffer; None if it is not.

    Both layouts lead to the same dim0 and dim1; elements have `bits` bits. Raises
    `ValueError` where the buffer does not hold the tensor.
    """
    conversion = invert_and_compose(registers, memory).quotient([BLOCK])
    if conversion is None:
        return None
    warps, rows = registers.bases_of[WARP], memory.bases_of[ROW]
    if warps[:2] != rows[5:7]:
        return None
    conversion = conversion.with_bases(WARP, (*_WARPS, *conversion.bases_of[WARP][2:]))
    return _lower(conversion, bits, max_registers, unpacked=False)


def _lower(
    cvt: LinearLayout, bits: int, max_registers: int, *, unpacked: bool
) -> TensorMemoryInstruction | None:
    cvt = cvt.remove_zero_bases(REGISTER)
    if bits == WORD:
        found = (s for s in _SHAPES if _fits(cvt, _tile(s, unpacked), max_registers))
        return next((TensorMemoryInstruction(shape, unpacked) for shape in found), None)
    per_word = WORD // bits
    packed, rest = identity_prefix(cvt, REGISTER, COLUMN, per_word)
    if packed > 1:
        return _lower(rest, bits * packed, max_registers, unpacked=False)
    hole = LinearLayout.zeros(1, REGISTER, COLUMN, per_word)
    if bits == 16:
        pairs = divide_left(cvt, hole * LinearLayout.identity(2, REGISTER, COLUMN))
        if pairs is not None:
            return _lower(hole * pairs, WORD, max_registers, unpacked=True)
    padded = divide_left(cvt, hole)
    return None if padded is None else _lower(padded, WORD, max_registers, unpacked=False)


def _fits(cvt: LinearLayout, tile: LinearLayout, max_registers: int) -> bool:
    """Return whether a conversion is one tile after the other, registers in any order."""
    most = max_registers // 2
    if max_registers == MAX_REGISTERS and cvt.in_size(REGISTER) > most:
        most //= 2
    if tile.in_size(REGISTER) > most:
        return False
    left = list(cvt.bases_of[REGISTER])
    for basis in tile.bases_of[REGISTER]:
        if basis not in left:
            return False
        left.remove(basis)
    rest = left
    for name in (LANE, WARP):
        images, wanted = cvt.bases_of[name], tile.bases_of[name]
        if images[: len(wanted)] != wanted:
            return False
        rest += images[len(wanted) :]
    taken = _bits_of(tile)
    return not any(value & mask for basis in rest for value, mask in zip(basis, taken, strict=True))


def _bits_of(tile: LinearLayout) -> Basis:
    masks = [0] * len(tile.out_dims)
    for _, images in tile.bases:
        for basis in images:
            masks = [mask | value for mask, value in zip(masks, basis, strict=True)]
    return tuple(masks)


@cache
def _tile(shape: str, unpacked: bool) -> LinearLayout:
    """Return the map from register, lane and warp to row and column of one instruction."""

    def over(size: int, name: str, out: str) -> LinearLayout:
        return LinearLayout.identity(size, name, out)

    start = LinearLayout(((REGISTER, ()), (LANE, ())), ((ROW, 1), (COLUMN, 1)))
    if unpacked:
        start *= LinearLayout.zeros(1, REGISTER, COLUMN, 2)
    match shape:
        case "32x32b":
            tile = over(32, LANE, ROW)
        case "16x32bx2":
            tile = over(16, LANE, ROW)
        case "16x64b":
            lanes = ((8, 0), (0, 1), (1, 0), (2, 0), (4, 0))
            tile = LinearLayout.of({LANE: lanes}, (ROW, COLUMN))
        case "16x128b":
            tile = over(4, LANE, COLUMN) * over(8, LANE, ROW) * over(2, REGISTER, ROW)
        case "16x256b":
            tile = over(2, REGISTER, COLUMN) * over(4, LANE, COLUMN) * over(8, LANE, ROW)
            tile *= over(2, REGISTER, ROW)
        case _:
            tile = EMPTY
    tile = _in_order(start) * _in_order(tile)
    warps = ((WARP, _WARPS),)
    return LinearLayout(tile.bases + warps, ((ROW, 128), (COLUMN, tile.out_size(COLUMN))))


def _in_order(layout: LinearLayout) -> LinearLayout:
    """Return the layout with its dimensions in the order of tiles."""
    ins = [name for name in (REGISTER, LANE) if name in layout.in_names]
    return layout.transpose_ins(ins).transpose_outs(
        [name for name in (ROW, COLUMN) if name in layout.out_names]
    )


def problem_of_reduction(
    registers: LinearLayout,
    memory: LinearLayout,
    bits: int,
    max_registers: int = MAX_REGISTERS,
) -> str | None:
    """Return why a load cannot reduce the rows of what it loads, or None."""
    found = access(registers, memory, bits, max_registers)
    if found is None:
        return "failed to compute TMEM encoding info"
    if found.unpacked:
        return "tmem_load reduction requires packed format (unpacked=false)"
    rows, columns = bases_per_dim(registers.bases_of[REGISTER], 2)
    if columns != registers.out_shape[1]:
        return "tmem_load reduction with N dimension sharded across threads is not supported."
    if rows != 1:
        return "tmem_load reduction with multiple M rows per thread is not supported."
    return None
