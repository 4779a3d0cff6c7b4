"""
Tensors of one dimension whose elements are rows of a matrix in memory, as 2D block accesses.

Before, with 32 columns in rows of 96:

    %o = (%i % 32) + (%i / 32) * 96        // of %i = 0, 1, ...
    %p = tt.addptr %base, %o : tensor<512x!tt.ptr<f16>, #blocked>, tensor<512xi32, #blocked>
    %v = tt.load %p : tensor<512x!tt.ptr<f16>, #blocked>

After:

    %q = tt.reshape %p allow_reorder efficient_layout : ... -> tensor<16x32x!tt.ptr<f16>, #rows>
    %w = tt.load %q {ttig.block_io = "row_major", ttig.block_io_stride = 96 : i64} : ...
    %x = ttg.convert_layout %w : tensor<16x32xf16, #rows> -> tensor<16x32xf16, #flat>
    %v = tt.reshape %x efficient_layout : ... -> tensor<512xf16, #blocked>

`#rows` is the order in which the hardware delivers a tile: columns to lanes, rows to registers.
The load reads from the first pointer of each warp, rows of the stride that it names; the other
pointers, which nobody puts where `#rows` has them, are not looked at.

Source: `MaterializeBlockPointer.cpp` of the Intel XPU backend, August 2026. It takes masks, whose
elements do not come where they belong, and tensors whose warps take turns, and reads wrong rows.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.intel.module import BLOCK_IO, BLOCK_IO_STRIDE
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.tt.pointers import AddPtrOp
from xtriton.dialects.tt.program import MakeRangeOp
from xtriton.dialects.tt.shapes import ReshapeOp, SplatOp
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.ttg.context import num_warps, threads_per_warp
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.upstream.arith import (
    AddiOp,
    DivUIOp,
    ExtSIOp,
    ExtUIOp,
    IndexCastOp,
    MuliOp,
    RemUIOp,
)
from xtriton.dialects.utils.constants import constant_int
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.layouts.block_messages import TILE_WIDTHS
from xtriton.transforms.intel.building import insert_before

_ALL_LAYOUTS = "TRITON_INTEL_ENABLE_BLOCK_IO_ALL_LAYOUTS"
"""The environment variable of the backend without which it has no other block accesses."""

MOST_ROWS_LOADED = 32
"""Rows that a subgroup loads with one message."""

MOST_ROWS_STORED = 1
"""Eight for the hardware; more than one row would be stored in another order than asked for."""

_SEGMENTS = "operandSegmentSizes"

_PITCH_BYTES = range(64, (1 << 24) + 1, 16)


@dataclass(frozen=True)
class _Tile:
    """A matrix of `height` times `width` elements, in rows that are `stride` elements apart."""

    height: int
    width: int
    stride: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.height, self.width


def block_io_of_any_layout() -> bool:
    """Return whether the environment lets other layouts than that of DPAS have block accesses."""
    return os.environ.get(_ALL_LAYOUTS, "").lower() not in ("0", "off", "false")


def access_as_rows(op: Operation) -> bool:
    """Access the rows of the matrix that a flat load or store stands for; return whether."""
    if isinstance(op, LoadOp):
        return _load_rows(op)
    return isinstance(op, StoreOp) and _store_rows(op)


def _store_rows(store: StoreOp) -> bool:
    if not _is_unmasked(store.mask):
        return False
    tile = _tile_of(store, store.ptr, MOST_ROWS_STORED)
    if tile is None:
        return False
    pointer, value = (
        insert_before(ReshapeOp(operand, tile.shape), store, store.location)
        for operand in (store.ptr, store.value)
    )
    _insert_marked(StoreOp(pointer, value), store, tile)
    _erase(store)
    return True


def _load_rows(load: LoadOp) -> bool:
    tile = _tile_of(load, load.ptr, MOST_ROWS_LOADED)
    type = load.result.type
    if tile is None or not is_tensor(type) or not _is_unmasked(load.mask):
        return False
    warps, lanes = num_warps(load) or 1, threads_per_warp(load)
    flat = _flat_encoding(type.encoding, tile.width)
    # Lanes that the tile does not fill would hold copies, which a reshape cannot undo.
    if tile.width < lanes or flat is None or not _is_covered_once(type):
        return False
    rows = BlockedEncodingAttr(
        [tile.height // warps, tile.width // lanes], [1, lanes], [warps, 1], [1, 0]
    )
    delivered = [_reshape(value, tile.shape, rows, load) for value in load.operands]
    _insert_marked(loaded := LoadOp(*delivered), load, tile)
    conversion = ConvertLayoutOp.create(
        operands=[loaded.result],
        result_types=[TensorType(type.element_type, tile.shape, flat)],
    )
    insert_before(conversion, load, load.location)
    value = _reshape(conversion.result, type.get_shape(), type.encoding, load, reorder=False)
    load.result.replace_all_uses_with(value)
    _erase(load)
    return True


def _is_unmasked(mask: SSAValue | None) -> bool:
    return mask is None or bool(constant_int(mask))


def _reshape(
    value: SSAValue,
    shape: Sequence[int],
    encoding: Attribute,
    place: Operation,
    *,
    reorder: bool = True,
) -> SSAValue:
    """Return `value` in a shape and a layout that layout passes shall leave alone."""
    assert is_tensor(value.type)
    op = ReshapeOp(value, shape, allow_reorder=reorder, efficient_layout=True)
    op.result._type = TensorType(value.type.element_type, shape, encoding)
    return insert_before(op, place, place.location)


def _insert_marked(op: LoadOp | StoreOp, like: LoadOp | StoreOp, tile: _Tile) -> None:
    """Insert an access in front of the one that it replaces, marked as one of a block."""
    same = {name: value for name, value in like.properties.items() if name != _SEGMENTS}
    op.properties.update(same)
    op.attributes.update(like.attributes)
    op.attributes[BLOCK_IO] = StringAttr("row_major")
    op.attributes[BLOCK_IO_STRIDE] = IntegerAttr(tile.stride, i64)
    op.location = like.location
    assert like.parent is not None
    like.parent.insert_op_before(op, like)


def _erase(op: Operation) -> None:
    op.detach()
    op.erase()


def _flat_encoding(encoding: Attribute, width: int) -> BlockedEncodingAttr | None:
    """Return the layout of the rows in which every thread holds what it holds of the tensor."""
    if not isinstance(encoding, BlockedEncodingAttr) or encoding.rank != 1:
        return None
    (size,), (threads,), (warps,) = (
        encoding.size_per_thread,
        encoding.threads_per_warp,
        encoding.warps_per_cta,
    )
    columns = min(size, width)
    lanes = min(threads, width // columns)
    if size % columns or threads % lanes:
        return None
    return BlockedEncodingAttr(
        [size // columns, columns], [threads // lanes, lanes], [warps, 1], [1, 0]
    )


def _is_covered_once(type: TensorType) -> bool:
    """Return whether each warp holds elements in a row, the first of which is its first."""
    encoding = type.encoding
    assert isinstance(encoding, BlockedEncodingAttr)
    threads = encoding.num_threads_per_warp * encoding.num_warps
    return type.get_shape()[0] == encoding.size_per_thread[0] * threads


def _tile_of(op: Operation, pointer: SSAValue, most_rows: int) -> _Tile | None:
    """Return the matrix that a pointer tensor runs through, if a block message takes it."""
    type = pointer.type
    assert is_tensor(type)
    (count,) = type.get_shape()
    found = _width_and_stride(pointer, count)
    if found is None or count % found[0]:
        return None
    tile = _Tile(count // found[0], *found)
    element = type.element_type
    assert isinstance(element, PtrType)
    bits = element_bits(element.pointee_type)
    warps = num_warps(op) or 1
    fits = (
        tile.width in TILE_WIDTHS.get(bits, ())
        and tile.stride * bits // 8 in _PITCH_BYTES
        and tile.height % warps == 0
        and tile.height // warps <= most_rows
    )
    return tile if fits else None


def _width_and_stride(pointer: SSAValue, count: int) -> tuple[int, int] | None:
    """Return `w` and `s` of offsets (i % w) + (i / w) * s, i being `count` numbers in a row."""
    address = _maker(pointer)
    total = _maker(address.offset) if isinstance(address, AddPtrOp) else None
    if not isinstance(total, AddiOp):
        return None
    column, row = _one_of_each(total, RemUIOp, MuliOp) or (None, None)
    if column is None or row is None:
        return None
    index, width = _plain(column.operands[0]), constant_int(_plain(column.operands[1]))
    for quotient, factor in (row.operands, reversed(row.operands)):
        division, stride = _maker(quotient), constant_int(_plain(factor))
        if isinstance(division, DivUIOp) and stride is not None:
            break
    else:
        return None
    same = _plain(division.operands[0]) is index
    if not same or constant_int(_plain(division.operands[1])) != width:
        return None
    if width is None or min(width, stride) <= 0 or not _counts(index, count, width):
        return None
    return width, stride


def _counts(index: SSAValue, count: int, width: int) -> bool:
    """Return whether an index is 0, 1, ... `count`, or that from a multiple of `width` on."""
    op = _maker(index)
    if isinstance(op, AddiOp):
        found = _one_of_each(op, MakeRangeOp, SplatOp)
        if found is None:
            return False
        op, first = found
        product = _maker(first.operands[0], through_casts=False)
        if not isinstance(product, MuliOp):
            return False
        factors = [constant_int(_plain(factor)) for factor in product.operands]
        if not any(factor is not None and factor % width == 0 for factor in factors):
            return False
    return isinstance(op, MakeRangeOp) and op.start.value.data == 0 and op.end.value.data == count


def _one_of_each(
    op: Operation, first: type[Operation], second: type[Operation]
) -> tuple[Operation, Operation] | None:
    """Return what makes two operands, in the order of the classes, if these make one each."""
    a, b = (_maker(operand) for operand in op.operands)
    for x, y in ((a, b), (b, a)):
        if isinstance(x, first) and isinstance(y, second):
            return x, y
    return None


def _plain(value: SSAValue) -> SSAValue:
    """Return the number of which `value` is another type."""
    while isinstance(value, OpResult) and isinstance(value.op, ExtSIOp | ExtUIOp | IndexCastOp):
        value = value.op.operands[0]
    return value


def _maker(value: SSAValue, *, through_casts: bool = True) -> Operation | None:
    plain = _plain(value) if through_casts else value
    return plain.op if isinstance(plain, OpResult) else None
