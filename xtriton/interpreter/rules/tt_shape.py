# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Ops of tt that make and reshape tensors."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.builtin import NoneAttr
from xdsl.ir import Operation

from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, layout_of_type
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.interpreter.machine import Function
from xtriton.interpreter.registry import rule
from xtriton.interpreter.types import integer, integers, operand_info, result_info
from xtriton.interpreter.values import as_row, lead, spread
from xtriton.layouts.views import order_in_place
from xtriton.semantics.elements import Array

Compiled = Callable[..., Any]


@rule("tt.make_range")
def _make_range(op: Operation, f: Function) -> Compiled:
    values = np.arange(integer(op, "start"), integer(op, "end"), dtype=np.int64)
    values = values.astype(result_info(op).scalar.carrier)
    return lambda: values


@rule("tt.splat", "tensor.splat", "vector.splat")
def _splat(op: Operation, f: Function) -> Compiled:
    rank = result_info(op).rank
    return lambda x: as_row(x, rank)


@rule("tt.unsplat")
def _unsplat(op: Operation, f: Function) -> Compiled:
    rank = operand_info(op, 0).rank
    return lambda x: x[(..., *(0,) * rank)]


@rule("tt.broadcast", "ttg.convert_layout", "gluon.set_auto_layout")
def _same(op: Operation, f: Function) -> Compiled:
    """Values do not change: a dimension of size 1 already stands for any."""
    return lambda x: x


@rule("tt.expand_dims")
def _expand_dims(op: Operation, f: Function) -> Compiled:
    axis = integer(op, "axis") - result_info(op).rank
    return lambda x: np.expand_dims(x, axis)


@rule("tt.reshape")
def _reshape(op: Operation, f: Function) -> Compiled:
    """Row-major, or in place where layouts say what that is."""
    source, target = operand_info(op, 0), result_info(op)
    ones = (1,) * target.rank
    order = _order_in_place(op)

    def reshape(x: Array) -> Array:
        front = lead(x, source.rank)
        if x.size == (front[0] if front else 1):
            return x.reshape(front + ones)
        x = spread(x, source.shape)
        if order is not None:
            x = x.reshape((*front, -1))[..., order]
        return x.reshape(front + target.shape)

    return reshape


def _order_in_place(op: Operation) -> list[int] | None:
    """
    Return the order of elements that all stay where they are, if `op` asks for that.

    With `allow_reorder` alone any order will do. With `efficient_layout` as well it is a
    compiler that wrote the op, for threads to see their elements in another shape.
    """
    if not {"allow_reorder", "efficient_layout"} <= op.properties.keys():
        return None
    types = op.operands[0].type, op.results[0].type
    if not all(is_tensor(type) and not isinstance(type.encoding, NoneAttr) for type in types):
        return None
    try:
        source, target = (layout_of_type(type) for type in types if is_tensor(type))
    except NoLinearLayout:
        return None
    return order_in_place(source, target)


@rule("tt.trans")
def _transpose(op: Operation, f: Function) -> Compiled:
    order = integers(op, "order") or tuple(reversed(range(result_info(op).rank)))
    rank = len(order)
    batched = (0, *(1 + o for o in order))
    return lambda x: x.transpose(order if x.ndim == rank else batched)


@rule("tt.cat")
def _concatenate(op: Operation, f: Function) -> Compiled:
    left, right, rank = operand_info(op, 0), operand_info(op, 1), result_info(op).rank

    def concatenate(a: Array, b: Array) -> Array:
        a, b = spread(a, left.shape), spread(b, right.shape)
        a, b = _same_lead(a, b, rank)
        return np.concatenate([a, b], axis=-rank)

    return concatenate


def _same_lead(a: Array, b: Array, rank: int) -> tuple[Array, Array]:
    if a.ndim == b.ndim:
        return a, b
    if a.ndim > rank:
        return a, np.broadcast_to(b, a.shape[:1] + b.shape)
    return np.broadcast_to(a, b.shape[:1] + a.shape), b


@rule("tt.join")
def _join(op: Operation, f: Function) -> Compiled:
    def join(a: Array, b: Array) -> Array:
        a, b = np.broadcast_arrays(a, b)
        return np.stack([a, b], axis=-1)

    return join


@rule("tt.split")
def _split(op: Operation, f: Function) -> Compiled:
    def split(x: Array) -> tuple[Array, Array]:
        return x[..., 0], x[..., -1]

    return split


@rule("tt.gather")
def _gather(op: Operation, f: Function) -> Compiled:
    """result[i, j] = src[index[i, j], j] for axis 0; an index beyond the axis is clamped."""
    source, index = operand_info(op, 0), operand_info(op, 1)
    axis = integer(op, "axis") - source.rank
    size = source.shape[axis]

    def gather(x: Array, i: Array) -> Array:
        x, i = _same_lead(spread(x, source.shape), spread(i, index.shape), source.rank)
        return np.take_along_axis(x, np.clip(i.astype(np.int64), 0, size - 1), axis)

    return gather


@rule("tt.histogram")
def _histogram(op: Operation, f: Function) -> Compiled:
    source, target = operand_info(op, 0), result_info(op)
    bins = target.shape[0]

    def histogram(x: Array, mask: Array | None = None) -> Array:
        x = spread(x, source.shape)
        if mask is not None:
            x = np.where(mask, x, -1)
        rows = x.reshape(-1, source.shape[0]).astype(np.int64)
        counts = np.stack([np.bincount(r[(r >= 0) & (r < bins)], minlength=bins) for r in rows])
        return counts.reshape((*lead(x, 1), bins)).astype(target.scalar.carrier)

    return histogram
