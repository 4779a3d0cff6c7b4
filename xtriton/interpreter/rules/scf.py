"""
Control flow: scf, cf, calls and returns.

Where the programs of a batch disagree, each group goes on with its part of the environment
and their results are put together afterwards.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.errors import UserError
from xtriton.interpreter.long_loops import FEWEST, LongLoop
from xtriton.interpreter.machine import CompiledBlock, Env, Function, Step
from xtriton.interpreter.registry import branch, control, rule, terminators
from xtriton.interpreter.types import attribute, info, integers, plain, segments, text
from xtriton.interpreter.values import merge, uniform_int
from xtriton.ir.value_flow import bounds_of, initial_values
from xtriton.semantics.elements import Array

terminators(
    "scf.yield",
    "scf.condition",
    "scf.reduce",
    "scf.reduce.return",
    "scf.forall.in_parallel",
    "tt.return",
    "tt.reduce.return",
    "tt.scan.return",
    "tt.map_elementwise.return",
    "func.return",
    "linalg.yield",
    "tensor.yield",
    "affine.yield",
    "memref.atomic_yield",
    "memref.alloca_scope.return",
    "ub.unreachable",
    "llvm.return",
    "llvm.unreachable",
    "gpu.return",
    "ttg.warp_yield",
    "ttg.warp_return",
    "ttg.mask.return",
    "vector.yield",
)

Runner = Callable[[Env], list[Any]]


def _ranks(op: Operation) -> list[int]:
    return [k.rank if k.is_array else 0 for k in (info(r.type) for r in op.results)]


def _assign(env: Env, slots: list[int], values: list[Any]) -> None:
    for slot, value in zip(slots, values, strict=True):
        env[slot] = value


def _merge_all(parts: list[tuple[Array, list[Any]]], count: int, ranks: list[int]) -> list[Any]:
    return [
        merge([(which, values[k]) for which, values in parts], count, rank)
        for k, rank in enumerate(ranks)
    ]


def in_groups(f: Function, env: Env, groups: list[tuple[Array, Runner]], ranks: list[int]):
    """Run each group of programs by its runner; return the results put together."""
    count = sum(len(which) for which, _ in groups)
    machine = f.machine
    parts: list[tuple[Array, list[Any]]] = []
    for which, runner in groups:
        if len(which) == 0:
            continue
        saved = machine.restrict(which)
        try:
            parts.append((which, runner(f.part_of(env, which))))
        finally:
            machine.restore(saved)
    return _merge_all(parts, count, ranks)


@control("scf.if")
def _if(op: Operation, f: Function) -> Step:
    condition = f.slot(op.operands[0])
    then = f.compile_region(op.regions[0])
    otherwise: Runner = lambda env: []  # noqa: E731
    if len(op.regions) > 1 and op.regions[1].blocks:
        otherwise = f.compile_region(op.regions[1])
    results = [f.slot(r) for r in op.results]
    ranks = _ranks(op)

    def step(env: Env) -> None:
        c = env[condition]
        if c.ndim == 0:
            values = then(env) if c else otherwise(env)
        elif c.all():
            values = then(env)
        elif not c.any():
            values = otherwise(env)
        else:
            groups = [(np.flatnonzero(c), then), (np.flatnonzero(~c), otherwise)]
            values = in_groups(f, env, groups, ranks)
        if results:
            _assign(env, results, values)

    return step


def _trip_counts(lower: Array, upper: Array, step: Array, unsigned: bool) -> Array:
    """Return how often each program runs the loop, int64."""
    lower, upper, step = (np.asanyarray(x) for x in (lower, upper, step))
    if unsigned:
        kind = f"u{lower.dtype.itemsize}"
        lower, upper, step = lower.view(kind), upper.view(kind), step.view(kind)
    low, high, by = (x.astype(np.int64) for x in (lower, upper, step))
    if (by <= 0).any():
        raise UserError("the step of a loop must be positive")
    return np.maximum((high - low + by - 1) // by, 0)


@control("scf.for")
def _for(op: Operation, f: Function) -> Step:
    lower, upper, by = (f.slot(o) for o in bounds_of(op))
    initial = [f.slot(o) for o in initial_values(op)]
    body = op.regions[0].blocks[0]
    for argument in body.args:
        f.slot(argument)
    run = f.compile_region(op.regions[0])
    iv, carried = f.slot(body.args[0]), [f.slot(a) for a in body.args[1:]]
    results = [f.slot(r) for r in op.results]
    ranks = _ranks(op)
    unsigned = bool(plain(attribute(op, "unsignedCmp")))
    machine = f.machine
    long = LongLoop(op, machine, run, iv, carried)

    def loop(env: Env, low: Any, step: Any, start: int, stop: int) -> None:
        if machine.long is not None and stop - start >= FEWEST:
            long.run(env, low, step, start, stop)
            return
        iteration = low + step * low.dtype.type(start)
        for _ in range(start, stop):
            env[iv] = iteration
            values = run(env)
            for slot, value in zip(carried, values, strict=True):
                env[slot] = value
            iteration = iteration + step
            machine.budget -= 1

    def execute(env: Env) -> None:
        for slot, start in zip(carried, initial, strict=True):
            env[slot] = env[start]
        low, high, step = env[lower], env[upper], env[by]
        trips = _trip_counts(low, high, step, unsigned)
        if trips.ndim == 0 or (trips == trips.flat[0]).all():
            loop(env, low, step, 0, uniform_int(trips))
            _assign(env, results, [env[c] for c in carried])
            return
        values = _uneven(env, trips, low, step)
        if results:
            _assign(env, results, values)

    def _uneven(env: Env, trips: Array, low: Any, step: Any) -> list[Any]:
        """Run until the shortest trip count, let those programs go, and so on."""
        count = len(trips)
        alive = np.arange(count)
        parts: list[tuple[Array, list[Any]]] = []
        saved = machine.restrict(alive)
        try:
            env = f.part_of(env, alive)
            done = 0
            while len(alive):
                shortest = int(trips.min())
                loop(env, low, step, done, shortest)
                done = shortest
                over = np.flatnonzero(trips == shortest)
                rest = np.flatnonzero(trips != shortest)
                ended = f.part_of(env, over)
                parts.append((alive[over], [ended[c] for c in carried]))
                if not len(rest):
                    break
                env = f.part_of(env, rest)
                alive, trips = alive[rest], trips[rest]
                low = low[rest] if low.ndim else low
                step = step[rest] if step.ndim else step
                machine.restrict(rest)
        finally:
            machine.restore(saved)
        return _merge_all(parts, count, ranks)

    return execute


@control("scf.while")
def _while(op: Operation, f: Function) -> Step:
    initial = [f.slot(o) for o in op.operands]
    before = f.compile_block(op.regions[0].blocks[0])
    after = f.compile_block(op.regions[1].blocks[0])
    test = f.compile_region(op.regions[0])
    run = f.compile_region(op.regions[1])
    results = [f.slot(r) for r in op.results]
    ranks = _ranks(op)
    machine = f.machine

    def execute(env: Env) -> None:
        values = [env[i] for i in initial]
        parts: list[tuple[Array, list[Any]]] = []
        alive: Array | None = None
        count = 0
        saved = (machine.program_id, machine.programs, machine.batch)
        outer = env
        try:
            while True:
                before.enter(env, values)
                condition, *values = test(env)
                if condition.ndim and condition.any() != condition.all():
                    if alive is None:
                        count = len(condition)
                        alive = np.arange(count)
                    over, rest = np.flatnonzero(~condition), np.flatnonzero(condition)
                    slots = before.operands[1:]
                    ended = f.part_of(env, over)
                    parts.append((alive[over], [ended[s] for s in slots]))
                    env = f.part_of(env, rest)
                    values = [env[s] for s in slots]
                    alive = alive[rest]
                    machine.restrict(rest)
                elif not condition.all():
                    break
                after.enter(env, values)
                values = run(env)
                machine.budget -= 1
        finally:
            machine.restore(saved)
        if alive is not None:
            parts.append((alive, values))
            values = _merge_all(parts, count, ranks)
        _assign(outer, results, values)

    return execute


@control("scf.execute_region", "memref.alloca_scope")
def _execute_region(op: Operation, f: Function) -> Step:
    run = f.compile_region(op.regions[0])
    results = [f.slot(r) for r in op.results]

    def execute(env: Env) -> None:
        _assign(env, results, run(env)[: len(results)])

    return execute


@control("scf.index_switch")
def _index_switch(op: Operation, f: Function) -> Step:
    value = f.slot(op.operands[0])
    cases = integers(op, "cases")
    runners = [f.compile_region(r) for r in op.regions]
    results = [f.slot(r) for r in op.results]
    ranks = _ranks(op)

    def execute(env: Env) -> None:
        key = env[value]
        if key.ndim == 0:
            which = cases.index(int(key)) + 1 if int(key) in cases else 0
            _assign(env, results, runners[which](env))
            return
        groups: list[tuple[Array, Runner]] = [
            (np.flatnonzero(key == case), run) for case, run in zip(cases, runners[1:], strict=True)
        ]
        groups.append((np.flatnonzero(~np.isin(key, cases)), runners[0]))
        _assign(env, results, in_groups(f, env, groups, ranks))

    return execute


@control("scf.parallel")
def _parallel(op: Operation, f: Function) -> Step | None:
    """Runs as nested loops; reductions are applied in order."""
    lower, upper, by, initial = ([f.slot(v) for v in part] for part in segments(op))
    body = f.compile_block(op.regions[0].blocks[0])
    results = [f.slot(r) for r in op.results]
    reducers: list[CompiledBlock] = []
    last = op.regions[0].blocks[0].last_op
    if last is not None and last.name == "scf.reduce":
        reducers = [f.compile_block(r.blocks[0]) for r in last.regions]

    def execute(env: Env) -> None:
        starts = [int(env[s]) for s in lower]
        counts = [
            int(_trip_counts(env[a], env[b], env[c], False))
            for a, b, c in zip(lower, upper, by, strict=True)
        ]
        steps = [int(env[s]) for s in by]
        values = [env[i] for i in initial]
        for index in np.ndindex(*counts):
            ivs = [np.int64(s + i * d) for s, i, d in zip(starts, index, steps, strict=True)]
            body.enter(env, ivs)
            found = body.run(env)
            for k, reducer in enumerate(reducers):
                reducer.enter(env, [values[k], found[k]])
                values[k] = reducer.run(env)[0]
        _assign(env, results, values)

    return execute


# --- cf ---------------------------------------------------------------------------------


def _successor(f: Function, block: Any, env: Env, operands: list[Any]) -> CompiledBlock:
    compiled = f.compile_block(block)
    compiled.enter(env, [env[f.slot(o)] for o in operands])
    return compiled


@branch("cf.br")
def _br(op: Operation, f: Function, env: Env) -> CompiledBlock:
    return _successor(f, op.successors[0], env, list(op.operands))


@branch("cf.cond_br")
def _cond_br(op: Operation, f: Function, env: Env) -> CompiledBlock | list[Any]:
    (condition,), true, false = segments(op)
    c = env[f.slot(condition)]
    if c.ndim == 0 or c.any() == c.all():
        taken = bool(c.all())
        return _successor(f, op.successors[0 if taken else 1], env, list(true if taken else false))

    def go(successor: int, operands: Any) -> Runner:
        def run(part: Env) -> list[Any]:
            block = _successor(f, op.successors[successor], part, list(operands))
            return f.run_blocks(part, block)

        return run

    region = op.parent_region()
    owner = region.parent if region is not None else None
    ranks = _function_ranks(owner)
    groups = [(np.flatnonzero(c), go(0, true)), (np.flatnonzero(~c), go(1, false))]
    return in_groups(f, env, groups, ranks)


def _function_ranks(owner: Any) -> list[int]:
    if owner is None:
        return []
    if owner.name in ("tt.func", "func.func"):
        outputs: Any = owner.properties["function_type"]
        known = [info(t) for t in outputs.outputs.data]
        return [k.rank if k.is_array else 0 for k in known]
    if owner.name == "tt.map_elementwise":
        return [0] * (len(owner.results) * owner.properties["pack"].value.data)
    return _ranks(owner)


@branch("cf.switch")
def _switch(op: Operation, f: Function, env: Env) -> CompiledBlock:
    (flag,), default, *rest = segments(op)
    value = uniform_int(env[f.slot(flag)])
    cases = plain(attribute(op, "case_values")) or ()
    sizes = integers(op, "case_operand_segments")
    operands = [o for part in rest for o in part]
    if value not in cases:
        return _successor(f, op.successors[0], env, list(default))
    which = cases.index(value)
    start = sum(sizes[:which])
    return _successor(f, op.successors[1 + which], env, operands[start : start + sizes[which]])


@rule("cf.assert")
def _assert(op: Operation, f: Function) -> Callable[..., Any]:
    message = text(op, "msg")

    def check(condition: Any) -> None:
        observer = f.machine.observer
        holds = bool(condition.all())
        if observer is not None:
            observer.asserted(op, message, holds)

    return check


# --- functions --------------------------------------------------------------------------


@control("tt.call", "func.call")
def _call(op: Operation, f: Function) -> Step:
    name = text(op, "callee")
    operands = [f.slot(o) for o in op.operands]
    results = [f.slot(r) for r in op.results]
    program = f.program
    callee = program.symbols.get(name)
    if callee is not None and callee.regions and callee.regions[0].blocks:
        function = program.function(name)
        f.largest = max(f.largest, function.largest)

        def execute(env: Env) -> None:
            program.machine.budget -= 1
            _assign(env, results, function.call([env[i] for i in operands]))

        return execute
    from xtriton.interpreter.rules.misc import external_call

    return external_call(op, f, name, operands, results)
