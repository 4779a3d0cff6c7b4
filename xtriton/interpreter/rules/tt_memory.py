# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Loads and stores of tt: through pointers, block pointers and descriptors."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from xtriton.analysis.intel.module import BLOCK_IO, BLOCK_IO_STRIDE, COLUMN_MAJOR
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.interpreter.machine import Function
from xtriton.interpreter.registry import rule
from xtriton.interpreter.types import (
    TypeInfo,
    attribute,
    info,
    integer,
    integers,
    operand_info,
    plain,
    result_info,
    segments,
)
from xtriton.interpreter.values import BlockPointer, as_row, spread
from xtriton.ir.attributes import string
from xtriton.semantics import Element
from xtriton.semantics.elements import Array

Compiled = Callable[..., Any]

PAD_ZERO, PAD_NAN = 1, 2


def pointee(op: Operation, index: int = 0) -> Element:
    """Return what a pointer operand (or tensor of pointers) points to."""
    known = operand_info(op, index)
    if known.pointee is None:
        raise TypeError(f"operand {index} of '{op.name}' is no pointer")
    return known.pointee


@rule("tt.addptr")
def _add_pointer(op: Operation, f: Function) -> Compiled:
    """Offsets have a sign: of one bit they are 0 and -1."""
    size = np.int64(pointee(op).size)
    if operand_info(op, 1).scalar.name == "i1":
        size = -size
    return lambda p, o: p + o.astype(np.int64) * size


def optional_operands(op: Operation, count: int) -> list[bool]:
    """Return which of the operands from the first optional one on are present."""
    present = [len(part) > 0 for part in segments(op)]
    if not present:
        present = [i < len(op.operands) for i in range(count)]
    return (present + [False] * count)[:count]


@rule("tt.load")
def _load(op: Operation, f: Function) -> Compiled:
    if operand_info(op, 0).kind == "block_pointer":
        return _load_block(op, f)
    of, shape = pointee(op), result_info(op).shape
    _, has_mask, has_other = optional_operands(op, 3)
    machine = f.machine
    rows = _rows_of_block(op, of.size)

    def load(p: Array, mask: Array | None = None, other: Array | None = None) -> Array:
        if not has_mask and has_other:
            mask, other = None, mask
        if rows is not None:
            p = rows(spread(p, shape))
        if machine.observer is not None:
            machine.observer.access(op, "load", p, mask, of.size, machine.programs, shape)
        return machine.memory.load(p, mask, other, of)

    return load


def _rows_of_block(op: Operation, size: int) -> Callable[[Array], Array] | None:
    """
    Return what gives the addresses of an access of rows, if `op` says how far apart these are.

    The hardware takes no other pointer than the first one of each warp, whose rows follow it.
    """
    stride, type = op.attributes.get(BLOCK_IO_STRIDE), op.operands[0].type
    if not isinstance(stride, IntegerAttr) or not is_tensor(type):
        return None
    encoding, (height, width) = type.encoding, type.get_shape()
    if not isinstance(encoding, BlockedEncodingAttr):
        return None
    of_warp = max(height // encoding.warps_per_cta[0], 1)
    down = (np.arange(height) % of_warp * stride.value.data * size)[:, None]
    steps = (down + np.arange(width) * size).astype(np.int64)
    return lambda p: np.repeat(p[..., ::of_warp, :1], of_warp, axis=-2) + steps


@rule("tt.store")
def _store(op: Operation, f: Function) -> Compiled:
    if operand_info(op, 0).kind == "block_pointer":
        return _store_block(op, f)
    of, known = pointee(op), operand_info(op, 0)
    shape = known.shape
    machine = f.machine

    def store(p: Array, value: Array, mask: Array | None = None) -> None:
        if machine.observer is not None:
            machine.observer.access(op, "store", p, mask, of.size, machine.programs, shape, value)
        machine.memory.store(p, value, mask, of)

    return store


# --- block pointers ---------------------------------------------------------------------


def _wide(x: Array) -> Array:
    return x.astype(np.int64)


@rule("tt.make_tensor_ptr")
def _make_tensor_pointer(op: Operation, f: Function) -> Compiled:
    rank = result_info(op).rank

    def make(base: Array, *rest: Array) -> BlockPointer:
        wide = [_wide(x) for x in rest]
        return BlockPointer(
            base, tuple(wide[:rank]), tuple(wide[rank : 2 * rank]), tuple(wide[2 * rank :])
        )

    return make


@rule("tt.advance")
def _advance(op: Operation, f: Function) -> Compiled:
    def advance(p: BlockPointer, *steps: Array) -> BlockPointer:
        moved = (o + _wide(s) for o, s in zip(p.offsets, steps, strict=False))
        offsets = (*moved, *p.offsets[len(steps) :])
        return BlockPointer(p.base, p.shape, p.strides, offsets, p.padding)

    return advance


def block_lanes(
    p: BlockPointer,
    offsets: tuple[Array, ...],
    block: TypeInfo,
    checked: tuple[int, ...],
    shape: tuple[int, ...] | None = None,
) -> tuple[Array, Array | None]:
    """
    Return addresses of a block's elements and where they lie inside in `checked` dimensions.

    `shape` is that of the block in registers, when it has fewer dimensions than the tensor
    in memory: leading dimensions of size 1 are missing.
    """
    sizes = block.shape
    rank = len(sizes)
    size = np.int64(block.scalar.size)
    address: Any = as_row(p.base, rank)
    inside: Any = None
    for d in range(rank):
        lanes = np.arange(sizes[d], dtype=np.int64).reshape((-1,) + (1,) * (rank - 1 - d))
        index = as_row(offsets[d], rank) + lanes
        address = address + index * as_row(p.strides[d] * size, rank)
        if d in checked:
            here = (index >= 0) & (index < as_row(p.shape[d], rank))
            inside = here if inside is None else inside & here
    if shape is not None and shape != sizes:
        address = _drop_ones(address, rank, sizes, shape)
        inside = inside if inside is None else _drop_ones(inside, rank, sizes, shape)
    return address, inside


def _drop_ones(x: Array, rank: int, sizes: tuple[int, ...], shape: tuple[int, ...]) -> Array:
    front = x.shape[: x.ndim - rank]
    return spread(x, sizes).reshape(front + shape)


def padding_value(padding: int | None, of: Element) -> Array | None:
    """Return what is read beyond the shape, or None where that is undefined."""
    if padding is None:
        return None
    return of.constant(float("nan")) if padding == PAD_NAN and of.is_float else of.constant(0)


def _load_block(op: Operation, f: Function) -> Compiled:
    block = operand_info(op, 0)
    of, checked = block.scalar, integers(op, "boundaryCheck")
    padding = padding_value(plain(attribute(op, "padding")), of)
    machine, shape = f.machine, result_info(op).shape

    def load(p: BlockPointer, mask: Array | None = None, value: Array | None = None) -> Array:
        address, inside = block_lanes(p, p.offsets, block, checked)
        other: Array | None = padding
        if mask is not None:
            inside = mask if inside is None else inside & mask
            if value is not None:
                other = value if padding is None else _choose(mask, padding, value)
        if machine.observer is not None:
            machine.observer.access(op, "load", address, inside, of.size, machine.programs, shape)
        return machine.memory.load(address, inside, other, of)

    return load


def _choose(mask: Array, a: Array, b: Array) -> Array:
    return np.where(mask, a, b)


def _store_block(op: Operation, f: Function) -> Compiled:
    block = operand_info(op, 0)
    of, checked = block.scalar, integers(op, "boundaryCheck")
    machine, shape = f.machine, block.shape

    def store(p: BlockPointer, value: Array, mask: Array | None = None) -> None:
        address, inside = block_lanes(p, p.offsets, block, checked)
        if mask is not None:
            inside = mask if inside is None else inside & mask
        if machine.observer is not None:
            machine.observer.access(
                op, "store", address, inside, of.size, machine.programs, shape, value
            )
        machine.memory.store(address, value, inside, of)

    return store


# --- descriptors ------------------------------------------------------------------------


@rule("tt.make_tensor_descriptor")
def _make_descriptor(op: Operation, f: Function) -> Compiled:
    rank = result_info(op).rank
    padding = integer(op, "padding", PAD_ZERO)

    def make(base: Array, *rest: Array) -> BlockPointer:
        wide = [_wide(x) for x in rest]
        return BlockPointer(base, tuple(wide[:rank]), tuple(wide[rank:]), (), padding)

    return make


@rule("tt.descriptor_load", "tt.experimental_descriptor_load")
def _load_descriptor(op: Operation, f: Function) -> Compiled:
    block = operand_info(op, 0)
    of, machine, shape = block.scalar, f.machine, result_info(op).shape
    dims = tuple(range(block.rank))
    # Of Intel: the block of rows that the descriptor describes is loaded by its columns.
    by_columns = string(op, BLOCK_IO) == COLUMN_MAJOR
    if by_columns:
        shape = (*shape[:-2], shape[-1], shape[-2])

    def load(p: BlockPointer, *indices: Array) -> Array:
        offsets = tuple(_wide(i) for i in indices)
        address, inside = block_lanes(p, offsets, block, dims, shape)
        if machine.observer is not None:
            machine.observer.access(op, "load", address, inside, of.size, machine.programs, shape)
        value = machine.memory.load(address, inside, padding_value(p.padding, of), of)
        return value.swapaxes(-1, -2) if by_columns else value

    return load


@rule("tt.descriptor_store", "tt.experimental_descriptor_store")
def _store_descriptor(op: Operation, f: Function) -> Compiled:
    block, value_info = operand_info(op, 0), operand_info(op, 1)
    of, machine, shape = block.scalar, f.machine, value_info.shape
    dims = tuple(range(block.rank))

    def store(p: BlockPointer, value: Array, *indices: Array) -> None:
        offsets = tuple(_wide(i) for i in indices)
        address, inside = block_lanes(p, offsets, block, dims, shape)
        if machine.observer is not None:
            machine.observer.access(
                op, "store", address, inside, of.size, machine.programs, shape, value
            )
        machine.memory.store(address, value, inside, of)

    return store


def _rows(p: BlockPointer, x: Array, y: Array, block: TypeInfo, columns: int) -> Any:
    """Return addresses and bounds of the rows `x` from column `y` on, rank 2."""
    of = block.scalar
    rows = _wide(x)[..., np.newaxis]
    column = as_row(_wide(y), 2) + np.arange(columns, dtype=np.int64)
    address = as_row(p.base, 2) + rows * as_row(p.strides[0] * of.size, 2)
    address = address + column * as_row(p.strides[1] * of.size, 2)
    inside = (rows >= 0) & (rows < as_row(p.shape[0], 2))
    inside = inside & (column >= 0) & (column < as_row(p.shape[1], 2))
    return address, inside


@rule("tt.descriptor_gather", "tt.experimental_descriptor_gather")
def _gather_rows(op: Operation, f: Function) -> Compiled:
    block, shape = operand_info(op, 0), result_info(op).shape
    of, machine = block.scalar, f.machine

    def gather(p: BlockPointer, x: Array, y: Array) -> Array:
        address, inside = _rows(p, x, y, block, shape[1])
        if machine.observer is not None:
            machine.observer.access(op, "load", address, inside, of.size, machine.programs, shape)
        return machine.memory.load(address, inside, padding_value(p.padding, of), of)

    return gather


@rule("tt.descriptor_scatter", "tt.experimental_descriptor_scatter")
def _scatter_rows(op: Operation, f: Function) -> Compiled:
    block, shape = operand_info(op, 0), info(op.operands[3].type).shape
    of, machine = block.scalar, f.machine

    def scatter(p: BlockPointer, x: Array, y: Array, value: Array) -> None:
        address, inside = _rows(p, x, y, block, shape[1])
        if machine.observer is not None:
            machine.observer.access(
                op, "store", address, inside, of.size, machine.programs, shape, value
            )
        machine.memory.store(address, value, inside, of)

    return scatter
