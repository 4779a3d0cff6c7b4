# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownVariableType=false
"""Ops of tensor. Dimensions of unknown size are always spread out, known ones may have size 1."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.errors import UserError
from xtriton.interpreter.buffers import MemRef
from xtriton.interpreter.machine import Env, Function, Step
from xtriton.interpreter.memory import MemoryFault
from xtriton.interpreter.registry import control, rule
from xtriton.interpreter.rules.memref import (
    DYNAMIC,
    groups_of,
    kept_dimensions,
    mixed,
    observe,
    slice_fields,
)
from xtriton.interpreter.types import integers, operand_info, result_info, segments
from xtriton.semantics.elements import Array

Compiled = Callable[..., Any]


def full(x: Array, shape: tuple[int, ...]) -> Array:
    """Spread known dimensions to their size; unknown ones have it already, and so have programs."""
    lead = x.ndim - len(shape)
    own = zip(x.shape[lead:], shape, strict=True)
    wanted = (*x.shape[:lead], *(have if n == -1 else n for have, n in own))
    return x if x.shape == wanted else np.broadcast_to(x, wanted)


@rule("tensor.cast", "tensor.bitcast")
def _cast(op: Operation, f: Function) -> Compiled:
    source = operand_info(op, 0).shape
    if source == result_info(op).shape:
        return lambda x: x
    return lambda x: full(x, source)


@rule("tensor.extract")
def _extract(op: Operation, f: Function) -> Compiled:
    shape = operand_info(op, 0).shape

    def extract(x: Any, *indices: Array) -> Array:
        if isinstance(x, MemRef):
            index = x.at(indices)
            observe(f, op, "load", x, index)
            return x.gather(index)
        place = tuple(
            np.int64(0) if x.shape[d] == 1 and shape[d] != 1 else i for d, i in enumerate(indices)
        )
        value = x[place] if place else x[()]
        common = np.broadcast_shapes(*(np.shape(i) for i in indices)) if indices else ()
        return value if np.shape(value) == common else np.broadcast_to(value, common)

    return extract


@rule("tensor.insert")
def _insert(op: Operation, f: Function) -> Compiled:
    shape = result_info(op).shape

    def insert(value: Array, x: Array, *indices: Array) -> Array:
        if x.ndim == 0:
            return np.asarray(value)
        result = np.array(full(x, shape))
        result[tuple(int(i) for i in indices)] = value
        return result

    return insert


@rule("tensor.from_elements", "vector.from_elements")
def _from_elements(op: Operation, f: Function) -> Compiled:
    shape = result_info(op).shape
    return lambda *xs: np.stack(xs).reshape(shape)


def _slices(
    shape: tuple[int, ...], offsets: list[int], sizes: list[int], strides: list[int]
) -> tuple[slice, ...]:
    for bound, o, n, s in zip(shape, offsets, sizes, strides, strict=True):
        if n < 0 or (n and not 0 <= min(o, o + (n - 1) * s) <= max(o, o + (n - 1) * s) < bound):
            raise MemoryFault(f"a slice of {sizes} at {offsets} is not inside of {list(shape)}")
    return tuple(
        slice(o, o + n * s if n else o, s) for o, n, s in zip(offsets, sizes, strides, strict=True)
    )


@rule("tensor.extract_slice")
def _extract_slice(op: Operation, f: Function) -> Compiled:
    fields = slice_fields(op)
    source, target = operand_info(op, 0).shape, result_info(op).shape

    def extract(x: Array, *operands: Array) -> Array:
        offsets, sizes, strides = fields(iter(operands))
        whole = full(x, source)
        part = whole[_slices(whole.shape, offsets, sizes, strides)]
        if part.ndim != len(target):
            kept = kept_dimensions(tuple(sizes), target)
            part = part.reshape([sizes[d] for d in kept])
        return part

    return extract


def _insertion(op: Operation) -> Compiled:
    """Return what gives the second operand with a part replaced by the first."""
    fields = slice_fields(op)
    source, target = operand_info(op, 0).shape, operand_info(op, 1).shape

    def insert(x: Array, into: Array, *operands: Array) -> Array:
        offsets, sizes, strides = fields(iter(operands))
        result = np.array(full(into, target))
        result[_slices(result.shape, offsets, sizes, strides)] = full(x, source).reshape(sizes)
        return result

    return insert


@rule("tensor.insert_slice", "tensor.parallel_insert_slice")
def _insert_slice(op: Operation, f: Function) -> Compiled:
    """`parallel_insert_slice` is executed by the `scf.forall` around it."""
    return _insertion(op)


@control("scf.forall")
def _forall(op: Operation, f: Function) -> Step:
    """Runs as nested loops; each iteration inserts into what those before it have left."""
    lower, upper, by, outputs = ([f.slot(v) for v in part] for part in segments(op))
    names = ("staticLowerBound", "staticUpperBound", "staticStep")
    static = [integers(op, name) for name in names]
    block = op.regions[0].blocks[0]
    body = f.compile_block(block)
    results = [f.slot(r) for r in op.results]
    rank, end = len(static[0]), block.last_op
    puts = [*end.regions[0].blocks[0].ops] if end is not None and end.regions else []
    shared = {argument: k for k, argument in enumerate(block.args[rank:])}
    parts: list[tuple[int, list[int], Compiled]] = [
        (shared[put.operands[1]], [f.slot(o) for o in put.operands], _insertion(put))  # pyright: ignore[reportArgumentType]
        for put in puts
    ]

    def execute(env: Env) -> None:
        starts, stops, steps = (
            mixed(fixed, iter([env[i] for i in slots]))
            for fixed, slots in zip(static, (lower, upper, by), strict=True)
        )
        if any(s <= 0 for s in steps):
            raise UserError("the step of a loop must be positive")
        values = [env[i] for i in outputs]
        ranges = [range(*bounds) for bounds in zip(starts, stops, steps, strict=True)]
        for place in product(*ranges):
            body.enter(env, [*(np.int64(i) for i in place), *values])
            body.run(env)
            for k, (source, _, *rest), insert in parts:
                values[k] = insert(env[source], values[k], *(env[i] for i in rest))
            f.machine.budget -= 1
        for slot, value in zip(results, values, strict=True):
            env[slot] = value

    return execute


@rule("tensor.expand_shape")
def _expand(op: Operation, f: Function) -> Compiled:
    static = integers(op, "static_output_shape") or result_info(op).shape
    source = operand_info(op, 0).shape

    def expand(x: Array, *dynamic: Array) -> Array:
        sizes = mixed(tuple(DYNAMIC if n == -1 else n for n in static), iter(dynamic))
        return full(x, source).reshape(sizes)

    return expand


@rule("tensor.collapse_shape")
def _collapse(op: Operation, f: Function) -> Compiled:
    groups, source = groups_of(op), operand_info(op, 0).shape

    def collapse(x: Array) -> Array:
        x = full(x, source)
        lead = x.ndim - len(source)
        own = [int(np.prod([x.shape[lead + d] for d in g])) for g in groups]
        return x.reshape([*x.shape[:lead], *own])

    return collapse


@rule("tensor.reshape")
def _reshape(op: Operation, f: Function) -> Compiled:
    source = operand_info(op, 0).shape
    return lambda x, shape: full(x, source).reshape([int(n) for n in shape])


@rule("tensor.concat")
def _concat(op: Operation, f: Function) -> Compiled:
    (axis,) = integers(op, "dim") or (0,)
    shapes = [operand_info(op, k).shape for k in range(len(op.operands))]

    def concatenate(*xs: Array) -> Array:
        return np.concatenate([full(x, s) for x, s in zip(xs, shapes, strict=True)], axis)

    return concatenate


@control("tensor.generate")
def _generate(op: Operation, f: Function) -> Step:
    block = f.compile_block(op.regions[0].blocks[0])
    operands, result = [f.slot(o) for o in op.operands], f.slot(op.results[0])
    known = result_info(op)

    def step(env: Env) -> None:
        rest = iter(env[i] for i in operands)
        sizes = [int(next(rest)) if n == -1 else n for n in known.shape]
        values = np.empty(sizes, known.scalar.carrier)
        for place in np.ndindex(*sizes):
            block.enter(env, [np.int64(i) for i in place])
            values[place] = block.run(env)[0]
        env[result] = values

    return step


@control("tensor.pad")
def _pad(op: Operation, f: Function) -> Step:
    """The padding value must not depend on the indices."""
    low, high = integers(op, "static_low"), integers(op, "static_high")
    block = f.compile_block(op.regions[0].blocks[0])
    operands, result = [f.slot(o) for o in op.operands], f.slot(op.results[0])
    source = operand_info(op, 0).shape

    def step(env: Env) -> None:
        x = full(env[operands[0]], source)
        dynamic = iter(env[i] for i in operands[1:])
        before, after = mixed(low, dynamic), mixed(high, dynamic)
        block.enter(env, [np.int64(0)] * x.ndim)
        (value,) = block.run(env)
        shape = [a + n + b for a, n, b in zip(before, x.shape, after, strict=True)]
        padded = np.full(shape, value, x.dtype)
        padded[tuple(slice(a, a + n) for a, n in zip(before, x.shape, strict=True))] = x
        env[result] = padded

    return step
