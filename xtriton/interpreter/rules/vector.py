# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""The few ops of vector that lowerings emit: broadcasts, elementwise code, contiguous accesses."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.machine import Function
from xtriton.interpreter.registry import rule
from xtriton.interpreter.rules.memref import observe
from xtriton.interpreter.types import integers, operand_info, result_info
from xtriton.interpreter.values import spread
from xtriton.semantics import function
from xtriton.semantics.elements import Array

Compiled = Callable[..., Any]


@rule("vector.broadcast")
def _broadcast(op: Operation, f: Function) -> Compiled:
    rank = result_info(op).rank
    return lambda x: np.asarray(x).reshape((1,) * (rank - x.ndim) + x.shape)


def _lanes(view: Any, indices: tuple[Array, ...], shape: tuple[int, ...]) -> Array:
    index = view.at(indices)
    rank = len(shape)
    for d, n in enumerate(shape):
        stride = view.strides[len(view.strides) - rank + d]
        index = index + (np.arange(n, dtype=np.int64) * stride).reshape(
            (-1,) + (1,) * (rank - 1 - d)
        )
    return index


@rule("vector.load")
def _load(op: Operation, f: Function) -> Compiled:
    shape = result_info(op).shape

    def load(view: Any, *indices: Array) -> Array:
        index = _lanes(view, indices, shape)
        observe(f, op, "load", view, index)
        return view.gather(index)

    return load


@rule("vector.store")
def _store(op: Operation, f: Function) -> Compiled:
    shape = operand_info(op, 0).shape

    def store(value: Array, view: Any, *indices: Array) -> None:
        index = _lanes(view, indices, shape)
        observe(f, op, "store", view, index)
        view.scatter(index, spread(value, shape))

    return store


@rule("vector.fma")
def _fma(op: Operation, f: Function) -> Compiled:
    of = result_info(op).scalar
    return function("math.fma", (of, of, of), of)


@rule("vector.transpose")
def _transpose(op: Operation, f: Function) -> Compiled:
    order = integers(op, "permutation")
    return lambda x: x.transpose(order)


@rule("vector.shape_cast")
def _shape_cast(op: Operation, f: Function) -> Compiled:
    source, target = operand_info(op, 0).shape, result_info(op).shape
    return lambda x: spread(x, source).reshape(target)


@rule("vector.step")
def _step(op: Operation, f: Function) -> Compiled:
    values = np.arange(result_info(op).shape[0], dtype=np.int64)
    return lambda: values


@rule("vector.bitcast")
def _bitcast(op: Operation, f: Function) -> Compiled:
    source, target = operand_info(op, 0), result_info(op)

    def bitcast(x: Array) -> Array:
        stored = np.ascontiguousarray(source.scalar.encode(spread(x, source.shape)))
        return target.scalar.decode(stored.view(target.scalar.storage)).reshape(target.shape)

    return bitcast


@rule("vector.print")
def _print(op: Operation, f: Function) -> Compiled:
    literal: Any = op.properties.get("stringLiteral")
    machine = f.machine

    def show(*values: Array) -> None:
        if machine.observer is not None:
            shown = [str(np.asarray(value)) for value in values]
            text = literal.data if literal is not None else ""
            machine.observer.printed(op, " ".join([text, *shown]))

    return show
