"""Ops of affine, as lowerings emit them: loops with constant or mapped bounds, mapped accesses."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.errors import UnsupportedOp
from xtriton.interpreter.machine import Env, Function, Step
from xtriton.interpreter.registry import control, rule
from xtriton.interpreter.rules.linalg_operands import evaluate
from xtriton.interpreter.rules.memref import DYNAMIC, observe
from xtriton.interpreter.types import attribute, integer, integers, segments
from xtriton.semantics.elements import Array

Compiled = Callable[..., Any]


def mapped(map: Any) -> Callable[..., list[Array]]:
    """Return what applies an affine map to operands: dimensions, then symbols."""
    dims = map.num_dims
    results = list(map.results)

    def apply(*operands: Array) -> list[Array]:
        wide = [x.astype(np.int64) for x in operands]
        values = [evaluate(r, wide[:dims], wide[dims:]) for r in results]
        return [np.asarray(v)[()] if np.ndim(v) == 0 else v for v in values]

    return apply


def _map(op: Operation, name: str = "map") -> Callable[..., list[Array]]:
    attr: Any = attribute(op, name)
    return mapped(attr.data)


@rule("affine.apply")
def _apply(op: Operation, f: Function) -> Compiled:
    apply = _map(op)
    return lambda *xs: apply(*xs)[0]


@rule("affine.min", "affine.max")
def _extreme(op: Operation, f: Function) -> Compiled:
    apply = _map(op)
    combine = np.minimum if op.name.endswith("min") else np.maximum

    def extreme(*xs: Array) -> Array:
        first, *rest = apply(*xs)
        for value in rest:
            first = combine(first, value)
        return first

    return extreme


@rule("affine.load")
def _load(op: Operation, f: Function) -> Compiled:
    apply = _map(op)

    def load(view: Any, *operands: Array) -> Array:
        index = view.at(apply(*operands))
        observe(f, op, "load", view, index)
        return view.gather(index)

    return load


@rule("affine.store")
def _store(op: Operation, f: Function) -> Compiled:
    apply = _map(op)

    def store(value: Array, view: Any, *operands: Array) -> None:
        index = view.at(apply(*operands))
        observe(f, op, "store", view, index)
        view.scatter(index, value)

    return store


@control("affine.for")
def _for(op: Operation, f: Function) -> Step:
    low_map, high_map = _map(op, "lowerBoundMap"), _map(op, "upperBoundMap")
    parts = [[f.slot(v) for v in part] for part in segments(op)]
    lower, upper, initial = parts
    by = integer(op, "step", 1)
    block = f.compile_block(op.regions[0].blocks[0])
    results = [f.slot(r) for r in op.results]
    machine = f.machine

    def step(env: Env) -> None:
        low = max(int(v) for v in low_map(*(env[i] for i in lower)))
        high = min(int(v) for v in high_map(*(env[i] for i in upper)))
        values = [env[i] for i in initial]
        for i in range(low, high, by):
            block.enter(env, [np.int64(i), *values])
            values = block.run(env)
            machine.budget -= 1
        for slot, value in zip(results, values, strict=True):
            env[slot] = value

    return step


@control("affine.parallel")
def _parallel(op: Operation, f: Function) -> Step:
    raise UnsupportedOp("affine.parallel has no rule; lower it to scf.parallel")


@control("affine.if")
def _if(op: Operation, f: Function) -> Step:
    attr: Any = attribute(op, "condition")
    found: Any = attr.data
    dims = found.num_dims
    operands = [f.slot(o) for o in op.operands]
    then = f.compile_region(op.regions[0])
    regions = list(op.regions)
    has_else = len(regions) > 1 and bool(regions[1].blocks)
    otherwise = f.compile_region(regions[1]) if has_else else None
    results = [f.slot(r) for r in op.results]
    constraints = list(found.constraints)

    def holds(values: list[Any]) -> bool:
        for c in constraints:
            left = evaluate(c.lhs, values[:dims], values[dims:])
            right = evaluate(c.rhs, values[:dims], values[dims:])
            kind = c.kind.name
            if not (
                left == right if kind == "eq" else left >= right if kind == "ge" else left <= right
            ):
                return False
        return True

    def step(env: Env) -> None:
        values = [np.int64(env[i]) for i in operands]
        runner = then if holds(values) else otherwise
        found_values = runner(env) if runner is not None else []
        for slot, value in zip(results, found_values, strict=True):
            env[slot] = value

    return step


def _basis(op: Operation) -> Callable[[tuple[Array, ...]], list[Array]]:
    static = integers(op, "static_basis")

    def basis(dynamic: tuple[Array, ...]) -> list[Array]:
        rest = iter(dynamic)
        return [next(rest) if n == DYNAMIC else np.int64(n) for n in static]

    return basis


@rule("affine.delinearize_index")
def _delinearize(op: Operation, f: Function) -> Compiled:
    """The digits of a number in a mixed basis, the most significant first."""
    basis, count = _basis(op), len(op.results)

    def delinearize(index: Array, *dynamic: Array) -> Any:
        sizes = basis(dynamic)
        digits: list[Array] = []
        inner = sizes if len(sizes) == count - 1 else sizes[1:]
        for n in reversed(inner):
            digits.append(index % n)
            index = index // n
        digits = [index, *reversed(digits)]
        return digits if count > 1 else digits[0]

    return delinearize


@rule("affine.linearize_index")
def _linearize(op: Operation, f: Function) -> Compiled:
    basis = _basis(op)
    count = len(segments(op)[0])

    def linearize(*operands: Array) -> Array:
        sizes = basis(operands[count:])
        inner = sizes if len(sizes) == count - 1 else sizes[1:]
        total = operands[0]
        for digit, n in zip(operands[1:count], inner, strict=True):
            total = total * n + digit
        return total

    return linearize
