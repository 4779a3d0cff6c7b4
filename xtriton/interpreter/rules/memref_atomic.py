# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownVariableType=false
"""Atomics of memref, by themselves and in the body of a `linalg.generic`."""

from collections.abc import Callable

import numpy as np
from xdsl.ir import Operation

from xtriton.dialects.upstream.arith import AtomicRMWKind
from xtriton.interpreter.machine import Env, Function, Step
from xtriton.interpreter.registry import control
from xtriton.interpreter.rules.linalg_generic import uses_control
from xtriton.interpreter.rules.memref import observe
from xtriton.interpreter.types import attribute, plain, result_info
from xtriton.semantics import function
from xtriton.semantics.elements import Array

_ATOMICS = {
    AtomicRMWKind.assign: "assign",
    AtomicRMWKind.maxs: "arith.maxsi",
    AtomicRMWKind.maxu: "arith.maxui",
    AtomicRMWKind.mins: "arith.minsi",
    AtomicRMWKind.minu: "arith.minui",
}
"""Kinds of atomics whose op of arith is called something else."""


@control("memref.atomic_rmw")
def _atomic_rmw(op: Operation, f: Function) -> Step:
    of = result_info(op).scalar
    kind = plain(attribute(op, "kind"))
    member = AtomicRMWKind(int(kind))
    name = _ATOMICS.get(member, f"arith.{member.name}")
    update = (lambda old, new: new) if name == "assign" else function(name, (of, of), of)
    operands, result = [f.slot(o) for o in op.operands], f.slot(op.results[0])
    lanes = _lanes_around(op, f)

    def step(env: Env) -> None:
        value, view, *indices = (env[i] for i in operands)
        index = view.at(indices)
        if lanes is not None:
            index = np.broadcast_to(index, lanes(env))
        observe(f, op, "atomic", view, index)
        if index.ndim == 0:
            old = view.gather(index)
            view.scatter(index, update(old, value))
            env[result] = old
            return
        flat = index.reshape(-1)
        values = np.broadcast_to(value, index.shape).reshape(-1)
        old = np.empty(flat.shape, of.carrier)
        for k in range(flat.size):
            old[k] = view.gather(flat[k])
            view.scatter(flat[k], update(old[k], values[k]))
        env[result] = old.reshape(index.shape)

    return step


def _lanes_around(op: Operation, f: Function) -> Callable[[Env], tuple[int, ...]] | None:
    """
    Return what tells how many times an op happens at once, in the body of a `linalg.generic`.

    Atomics count: each position acts, where all act alike too.
    """
    parent = op.parent_op()
    while parent is not None and parent.name != "linalg.generic":
        parent = parent.parent_op()
    if parent is None:
        return None
    if uses_control(parent.regions[0].blocks[0]):
        return lambda env: f.machine.programs.shape
    return lambda env: tuple(n if isinstance(n, int) else len(n) for n in env[-1])


@control("memref.generic_atomic_rmw")
def _generic_atomic(op: Operation, f: Function) -> Step:
    """Positions that share an address take turns; the body runs for all of them each time."""
    block = f.compile_block(op.regions[0].blocks[0])
    operands = [f.slot(o) for o in op.operands]
    result = f.slot(op.results[0])
    lanes = _lanes_around(op, f)

    def step(env: Env) -> None:
        view, *indices = (env[i] for i in operands)
        index = view.at(indices)
        if lanes is not None:
            index = np.broadcast_to(index, lanes(env))
        observe(f, op, "atomic", view, index)
        found = view.gather(index)
        turns = _turns(index)
        for turn in range(int(turns.max(initial=0)) + 1):
            now = turns == turn
            found = np.where(now, view.gather(index), found)
            block.enter(env, [found])
            (new,) = block.run(env)
            view.scatter(index[now], np.broadcast_to(new, index.shape)[now])
        env[result] = found

    return step


def _turns(index: Array) -> Array:
    """Return how many positions before each have the same index."""
    flat = index.reshape(-1)
    order = np.argsort(flat, kind="stable")
    place = np.arange(flat.size)
    first = np.concatenate(([True], flat[order][1:] != flat[order][:-1]))[: flat.size]
    turns = np.empty_like(place)
    turns[order] = place - np.maximum.accumulate(np.where(first, place, 0))
    return np.reshape(turns, index.shape)
