# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownVariableType=false
"""Ops of ttig: hints do nothing, the rest are tt's, or as the lowering makes them of tt's."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.errors import UnsupportedOp
from xtriton.interpreter.machine import Function
from xtriton.interpreter.registry import RULES, rule
from xtriton.interpreter.rules.tt_memory import pointee
from xtriton.interpreter.types import attribute, integer, operand_info, plain, result_info
from xtriton.interpreter.values import BlockPointer, as_row, spread
from xtriton.semantics.elements import Array

Compiled = Callable[..., Any]

COLUMN_MAJOR = 1

RULES["ttig.descriptor_gather"] = RULES["tt.descriptor_gather"]
RULES["ttig.descriptor_scatter"] = RULES["tt.descriptor_scatter"]


@rule("ttig.broadcast")
def _broadcast(op: Operation, f: Function) -> Compiled:
    return lambda x: x


@rule("ttig.sub_group_transpose")
def _transpose(op: Operation, f: Function) -> Compiled:
    """Exchanges lanes through shared memory; the tensor stays the same."""
    return lambda buffer, x: x


@rule("ttig.2d_block_load")
def _block_load(op: Operation, f: Function) -> Compiled:
    """
    A tile of a surface: width and pitch in bytes, height in rows, x in elements, y in rows.

    A column-major tile has the rows of memory along its last dimension.
    """
    of, shape = pointee(op), result_info(op).shape
    if len(shape) < 2 or any(n != 1 for n in shape[:-2]):
        raise UnsupportedOp("a block load of several tiles")
    rank = len(shape)
    columns_first = integer(op, "memory_layout") == COLUMN_MAJOR
    padding = of.constant(
        float("nan") if op.properties.get("pad_nan") is not None and of.is_float else 0
    )
    machine = f.machine
    along, down = (rank - 2, rank - 1) if columns_first else (rank - 1, rank - 2)

    def lanes(dim: int, offset: Array) -> Array:
        steps = np.arange(shape[dim], dtype=np.int64).reshape((-1,) + (1,) * (rank - 1 - dim))
        return as_row(offset.astype(np.int64), rank) + steps

    def load(base: Array, width: Array, height: Array, pitch: Array, x: Array, y: Array) -> Array:
        column, row = lanes(along, x), lanes(down, y)
        wide = [as_row(n.astype(np.int64), rank) for n in (width, height, pitch)]
        size = np.int64(of.size)
        inside = (column >= 0) & (column < wide[0] // size) & (row >= 0) & (row < wide[1])
        address = as_row(base, rank) + row * wide[2] + column * size
        if machine.observer is not None:
            machine.observer.access(op, "load", address, inside, of.size, machine.programs, shape)
        return machine.memory.load(address, inside, padding, of)

    return load


@rule("ttig.2d_block_load_from_ptr")
def _block_load_from_pointers(op: Operation, f: Function) -> Compiled:
    """The pointers name every element; the pitch says how the hardware is to fetch them."""
    of, shape, machine = pointee(op), result_info(op).shape, f.machine

    def load(p: Array, pitch: Array, mask: Array | None = None, other: Array | None = None):
        if machine.observer is not None:
            machine.observer.access(op, "load", p, mask, of.size, machine.programs, shape)
        return machine.memory.load(p, mask, other, of)

    return load


@rule("ttig.extract_desc")
def _extract_descriptor(op: Operation, f: Function) -> Compiled:
    index, result = integer(op, "index"), result_info(op)

    def extract(d: BlockPointer) -> Array:
        field = (*d.shape, *d.strides, d.base)[index]
        return field if result.pointee is not None else field.astype(result.scalar.carrier)

    return extract


@rule("ttig.alloc")
def _alloc(op: Operation, f: Function) -> Compiled:
    return lambda: np.int64(0)


@rule("ttig.extract")
def _extract(op: Operation, f: Function) -> Compiled:
    """Part `index` of a tensor cut into pieces of the result's shape, in column-major order."""
    source, target = operand_info(op, 0), result_info(op)
    index = plain(attribute(op, "index"))

    def extract(x: Array) -> Array:
        x = spread(x, source.shape)
        pieces = [n // m for n, m in zip(source.shape, target.shape, strict=True)]
        place = np.unravel_index(int(index), pieces, order="F")
        cut = tuple(
            slice(int(p) * m, (int(p) + 1) * m) for p, m in zip(place, target.shape, strict=True)
        )
        return x[(..., *cut)]

    return extract


@rule("ttig.glue")
def _glue(op: Operation, f: Function) -> Compiled:
    """The inverse of `ttig.extract`: pieces in column-major order make a tensor."""
    piece, whole = operand_info(op, 0), result_info(op)
    pieces = [n // m for n, m in zip(whole.shape, piece.shape, strict=True)]

    def glue(*xs: Array) -> Array:
        full = [spread(x, piece.shape) for x in xs]
        front = full[0].shape[: full[0].ndim - piece.rank]
        result = np.empty(front + whole.shape, full[0].dtype)
        for k, x in enumerate(full):
            place = np.unravel_index(k, pieces, order="F")
            cut = tuple(
                slice(int(p) * m, (int(p) + 1) * m) for p, m in zip(place, piece.shape, strict=True)
            )
            result[(..., *cut)] = x
        return result

    return glue
