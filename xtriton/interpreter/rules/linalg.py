"""Ops of linalg with a name, on tensors and on memrefs; `linalg_generic` has the general one."""

from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.buffers import MemRef
from xtriton.interpreter.machine import CompiledBlock, Env, Function, Step
from xtriton.interpreter.orders import Combine, tree_reduce
from xtriton.interpreter.registry import control
from xtriton.interpreter.rules.linalg_operands import (
    Structured,
    dimensions_of,
    with_dynamic_sizes,
)
from xtriton.interpreter.rules.tensor import full
from xtriton.interpreter.rules.tt_math import multiply_accumulate
from xtriton.interpreter.types import attribute, integers
from xtriton.semantics import function
from xtriton.semantics.elements import Array


@control("linalg.fill")
def _fill(op: Operation, f: Function) -> Step:
    s = Structured(op, f)
    rank = s.output_infos[0].rank
    known = s.output_infos[0]

    def step(env: Env) -> None:
        value = np.asarray(env[s.inputs[0]]).reshape((1,) * rank)
        target = env[s.outputs[0]]
        like = target if not isinstance(target, MemRef) else np.empty(target.sizes, np.bool_)
        s.write(env, [with_dynamic_sizes(value, known, like)])

    return step


@control("linalg.copy")
def _copy(op: Operation, f: Function) -> Step:
    s = Structured(op, f)
    return lambda env: s.write(env, s.read(env)[:1])


@control("linalg.matmul", "linalg.batch_matmul", "linalg.matvec", "linalg.vecmat", "linalg.dot")
def _matmul(op: Operation, f: Function) -> Step:
    s = Structured(op, f)
    left, right, result = s.infos[:3]
    maps: Any = attribute(op, "indexing_maps")
    orders = [] if maps is None else [dimensions_of(m.data) for m in maps.data]
    transposed = len(orders) == 3 and _transposed(orders)

    def step(env: Env) -> None:
        a, b, c = s.read(env)
        a, b, c = full(a, left.shape), full(b, right.shape), full(c, result.shape)
        if transposed:
            a, b = _by_maps(a, b, orders)
        s.write(env, [multiply_accumulate(a, b, c, left.scalar, result.scalar)])

    return step


def _transposed(orders: list[list[int]]) -> bool:
    a, b, c = orders
    m, n = c[-2:]
    return not (a[-2] == m and b[-1] == n)


def _by_maps(a: Array, b: Array, orders: list[list[int]]) -> tuple[Array, Array]:
    m = orders[2][-2]
    if orders[0][-2] != m:
        a = np.swapaxes(a, -1, -2)
    if orders[1][-1] != orders[2][-1]:
        b = np.swapaxes(b, -1, -2)
    return a, b


@control("linalg.transpose")
def _transpose(op: Operation, f: Function) -> Step:
    s = Structured(op, f)
    order = integers(op, "permutation")
    return lambda env: s.write(env, [s.read(env)[0].transpose(order)])


@control("linalg.broadcast")
def _broadcast(op: Operation, f: Function) -> Step:
    s = Structured(op, f)
    dims = integers(op, "dimensions")
    known = s.output_infos[0]

    def step(env: Env) -> None:
        x, like = s.read(env)
        s.write(env, [with_dynamic_sizes(np.expand_dims(x, dims), known, like)])

    return step


def pair_combiner(block: CompiledBlock, env: Env) -> Combine:
    """Return what runs a body (inputs…, accumulators…) on whole arrays."""

    def combine(left: list[Array], right: list[Array]) -> list[Array]:
        block.enter(env, [*right, *left])
        shape = left[0].shape
        return [np.broadcast_to(v, shape) for v in block.run(env)]

    return combine


@control("linalg.reduce")
def _reduce(op: Operation, f: Function) -> Step:
    s = Structured(op, f)
    dims = integers(op, "dimensions")
    block = f.compile_block(op.regions[0].blocks[0])
    shapes = [k.shape for k in s.infos[: len(s.inputs)]]

    def step(env: Env) -> None:
        values = s.read(env)
        count = len(s.inputs)
        arrays = [full(x, shape) for x, shape in zip(values[:count], shapes, strict=True)]
        arrays = [_flatten_axes(a, dims) for a in arrays]
        combine = pair_combiner(block, list(env))
        initial = [np.broadcast_to(x, arrays[0].shape[1:]) for x in values[count:]]
        if arrays[0].shape[0]:
            initial = combine(initial, tree_reduce(arrays, combine))
        s.write(env, initial)

    return step


def _flatten_axes(a: Array, dims: tuple[int, ...]) -> Array:
    """Return the array with the reduced dimensions as one, first."""
    a = np.moveaxis(a, dims, range(len(dims)))
    return a.reshape((-1, *a.shape[len(dims) :]))


_NAMED = {
    "linalg.add": ("arith.addf", "arith.addi"),
    "linalg.sub": ("arith.subf", "arith.subi"),
    "linalg.mul": ("arith.mulf", "arith.muli"),
    "linalg.div": ("arith.divf", "arith.divsi"),
    "linalg.div_unsigned": ("", "arith.divui"),
    "linalg.powf": ("math.powf", ""),
    "linalg.select": ("arith.select", "arith.select"),
    "linalg.max": ("arith.maximumf", "arith.maxsi"),
    "linalg.min": ("arith.minimumf", "arith.minsi"),
    "linalg.exp": ("math.exp", ""),
    "linalg.log": ("math.log", ""),
    "linalg.abs": ("math.absf", "math.absi"),
    "linalg.ceil": ("math.ceil", ""),
    "linalg.floor": ("math.floor", ""),
    "linalg.negf": ("arith.negf", ""),
    "linalg.sqrt": ("math.sqrt", ""),
    "linalg.rsqrt": ("math.rsqrt", ""),
    "linalg.tanh": ("math.tanh", ""),
    "linalg.erf": ("math.erf", ""),
    "linalg.round": ("math.round", ""),
    "linalg.square": ("arith.mulf", "arith.muli"),
    "linalg.reciprocal": ("arith.divf", ""),
}


@control(*_NAMED)
def _named(op: Operation, f: Function) -> Step:
    s = Structured(op, f)
    of = s.output_infos[0].scalar
    name = _NAMED[op.name][0 if of.is_float else 1]
    compute = function(name, [of] * max(len(s.inputs), 2 if name.startswith("arith") else 1), of)
    if name == "arith.select":
        compute = np.where

    def step(env: Env) -> None:
        *inputs, like = s.read(env)
        if op.name == "linalg.square":
            inputs = inputs * 2
        elif op.name == "linalg.reciprocal":
            inputs = [of.constant(1), *inputs]
        s.write(env, [with_dynamic_sizes(compute(*inputs), s.output_infos[0], like)])

    return step
