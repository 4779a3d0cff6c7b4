# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
"""
`linalg.generic` and `linalg.map` on tensors and on memrefs.

The body runs once on whole arrays: every operand is laid out over the iteration space,
dimensions that it does not have are of size 1. Reductions over a recognised combining op go
by halves, in the order that `tt.reduce` uses; all others element by element.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Block, BlockArgument, Operation

from xtriton.errors import UnsupportedOp
from xtriton.interpreter.machine import CompiledBlock, Env, Function, Step
from xtriton.interpreter.orders import tree_reduce
from xtriton.interpreter.registry import control
from xtriton.interpreter.rules.linalg_operands import (
    Structured,
    dimensions_of,
    evaluate,
    with_dynamic_sizes,
)
from xtriton.interpreter.rules.tensor import full
from xtriton.interpreter.types import TypeInfo, attribute, integer
from xtriton.semantics import function
from xtriton.semantics.elements import Array

ASSOCIATIVE = frozenset(
    f"arith.{name}"
    for name in [
        "addf",
        "addi",
        "mulf",
        "muli",
        "andi",
        "ori",
        "xori",
        "maximumf",
        "minimumf",
        "maxnumf",
        "minnumf",
        "maxsi",
        "minsi",
        "maxui",
        "minui",
    ]
)


def _lay_out(map: Any, shape: tuple[int, ...]) -> Callable[[Array, list[int]], Array]:
    """Return what lays an operand out over the iteration space."""
    positions = dimensions_of(map)
    rank = map.num_dims
    if -1 not in positions and len(set(positions)) == len(positions):
        order = sorted(range(len(positions)), key=lambda k: positions[k])
        missing = [d for d in range(rank) if d not in positions]
        same = order == list(range(rank)) and not missing

        def lay_out(x: Array, sizes: list[int]) -> Array:
            if same:
                return x
            x = x.transpose(order)
            return np.expand_dims(x, missing) if missing else x

        return lay_out

    def gather(x: Array, sizes: list[int]) -> Array:
        grids = [
            np.arange(n, dtype=np.int64).reshape((-1,) + (1,) * (rank - 1 - d))
            for d, n in enumerate(sizes)
        ]
        place = tuple(np.asarray(evaluate(result, grids, [])) for result in map.results)
        return full(x, shape)[place].reshape(
            [1] * rank
            if not place
            else np.broadcast_shapes(*(p.shape if p.ndim else (1,) * rank for p in place))
        )

    return gather


def _iterators(op: Operation) -> list[str]:
    kinds: Any = attribute(op, "iterator_types")
    names: list[str] = []
    for kind in kinds.data:
        found = getattr(kind, "data", kind)
        names.append(getattr(found, "value", str(found)))
    return names


def _sizes(maps: list[Any], arrays: list[Array], infos: list[TypeInfo]) -> list[int]:
    """Return the iteration space, from the operands whose maps name dimensions plainly."""
    sizes = [1] * maps[0].num_dims
    for map, x, known in zip(maps, arrays, infos, strict=True):
        for d, position in enumerate(dimensions_of(map)):
            if position >= 0:
                n = known.shape[d] if known.shape[d] != -1 else x.shape[d]
                sizes[position] = max(sizes[position], n) if n else 0
    return sizes


def _combining_op(block: Block, inputs: int, k: int) -> tuple[Operation, int] | None:
    """
    Return the op that folds result `k` into its accumulator, and the operand that is new.

    None if the yielded value is not an associative op of the accumulator, used only there.
    """
    last = block.last_op
    accumulator = block.args[inputs + k]
    owner: Any = last.operands[k].owner if last is not None else None
    if not isinstance(owner, Operation) or owner.name not in ASSOCIATIVE:
        return None
    uses = list(accumulator.uses)
    if len(uses) != 1 or uses[0].operation is not owner:
        return None
    return owner, 1 - uses[0].index


@control("linalg.generic", "linalg.map")
def _generic(op: Operation, f: Function) -> Step:
    if op.name == "linalg.map":
        return _map(op, f)
    s = Structured(op, f)
    attr: Any = attribute(op, "indexing_maps")
    maps = [m.data for m in attr.data]
    kinds = _iterators(op)
    layouts = [_lay_out(m, k.shape) for m, k in zip(maps, s.infos, strict=True)]
    body = op.regions[0].blocks[0]
    block = f.compile_block(body)
    reduced = [d for d, kind in enumerate(kinds) if "reduction" in kind]
    run = _reduction(op, f, s, block, reduced) if reduced else _parallel(op, f, s, block, maps)

    def step(env: Env) -> None:
        values = s.read(env)
        sizes = _sizes(maps, values, s.infos)
        if 0 in sizes:  # nothing in the body happens, what is uniform there neither
            s.write(env, values[len(s.inputs) :])
            return
        laid = [lay(x, sizes) for lay, x in zip(layouts, values, strict=True)]
        inner = list(env)
        inner.append(sizes)
        s.write(env, run(inner, laid, sizes, values))

    return step


def uses_control(block: Block) -> bool:
    """Tell whether the positions of a body may part ways: they run as programs do, in one row."""
    return any(op.regions or op.name == "func.call" for op in block.ops)


Runner = Callable[[Env, list[Array], list[int], list[Array]], list[Array]]


def _parallel(
    op: Operation, f: Function, s: Structured, block: CompiledBlock, maps: list[Any]
) -> Runner:
    flat = uses_control(op.regions[0].blocks[0])
    count = len(s.inputs)
    outputs = s.output_infos
    back = [_bring_back(m) for m in maps[count:]]
    machine = f.machine

    def run(env: Env, laid: list[Array], sizes: list[int], values: list[Array]) -> list[Array]:
        if flat:
            laid = [np.broadcast_to(x, sizes).reshape(-1) for x in laid]
        saved = (machine.program_id, machine.programs, machine.batch)
        if flat:
            machine.programs = np.repeat(machine.programs[:1], int(np.prod(sizes)))
        try:
            block.enter(env, laid)
            found = block.run(env)
        finally:
            machine.restore(saved)
        results: list[Array] = []
        for value, known, bring, like in zip(found, outputs, back, values[count:], strict=True):
            if flat:
                value = np.broadcast_to(value, int(np.prod(sizes))).reshape(sizes)
            elif np.ndim(value) != len(sizes):
                value = np.asarray(value)
                value = value.reshape((1,) * (len(sizes) - value.ndim) + value.shape)
            results.append(with_dynamic_sizes(bring(value), known, like))
        return results

    return run


def _bring_back(map: Any) -> Callable[[Array], Array]:
    """Return what turns a value over the iteration space into the output's own order."""
    positions = dimensions_of(map)
    if positions == list(range(map.num_dims)):
        return lambda x: x
    dropped = tuple(d for d in range(map.num_dims) if d not in positions)

    def bring(x: Array) -> Array:
        order = [*positions, *dropped]
        x = x.transpose(order)
        return x[(..., *(0,) * len(dropped))] if dropped else x

    return bring


def _reduction(
    op: Operation, f: Function, s: Structured, block: CompiledBlock, reduced: list[int]
) -> Runner:
    body = op.regions[0].blocks[0]
    count = len(s.inputs)
    found = [_combining_op(body, count, k) for k in range(len(s.outputs))]
    flat = uses_control(body)
    attr: Any = attribute(op, "indexing_maps")
    back = [_bring_back(m.data) for m in attr.data[count:]]
    outputs = s.output_infos
    if not flat and all(c is not None for c in found):
        return _by_halves(f, s, block, reduced, [c for c in found if c], back, outputs)

    def run(env: Env, laid: list[Array], sizes: list[int], values: list[Array]) -> list[Array]:
        """One position of the reduced dimensions after the other."""
        inputs = [np.broadcast_to(x, sizes) for x in laid[:count]]
        state = list(laid[count:])
        kept = [1 if d in reduced else n for d, n in enumerate(sizes)]
        for place in np.ndindex(*(sizes[d] for d in reduced)):
            here = [range(n) for n in sizes]
            for d, i in zip(reduced, place, strict=True):
                here[d] = range(i, i + 1)
            env[-1] = here
            at = tuple(slice(r.start, r.stop) for r in here)
            arguments = [x[at] for x in inputs] + state
            state = run_flat(env, arguments, kept) if flat else run_laid(env, arguments)
        return [
            with_dynamic_sizes(bring(np.asarray(v)), k, like)
            for v, k, bring, like in zip(state, outputs, back, values[count:], strict=True)
        ]

    def run_laid(env: Env, arguments: list[Array]) -> list[Array]:
        block.enter(env, arguments)
        return block.run(env)

    def run_flat(env: Env, arguments: list[Array], kept: list[int]) -> list[Array]:
        """As if each kept position were a program, so that they may part ways."""
        machine = f.machine
        saved = (machine.program_id, machine.programs, machine.batch)
        elements = int(np.prod(kept))
        machine.programs = np.repeat(machine.programs[:1], elements)
        try:
            found = run_laid(env, [np.broadcast_to(x, kept).reshape(-1) for x in arguments])
        finally:
            machine.restore(saved)
        return [np.broadcast_to(x, elements).reshape(kept) for x in found]

    return run


def _by_halves(
    f: Function,
    s: Structured,
    block: CompiledBlock,
    reduced: list[int],
    combining: list[tuple[Operation, int]],
    back: list[Any],
    outputs: list[TypeInfo],
) -> Runner:
    owners = {id(owner) for owner, _ in combining}
    steps = [
        (step, o) for step, o in zip(block.steps, block.ops, strict=True) if id(o) not in owners
    ]
    fresh = [f.slot(owner.operands[new]) for owner, new in combining]
    combine_with = [
        function(owner.name, [k.scalar] * 2, k.scalar)
        for (owner, _), k in zip(combining, outputs, strict=True)
    ]
    count = len(s.inputs)
    product = _matrix_product(combining, count)

    def run(env: Env, laid: list[Array], sizes: list[int], values: list[Array]) -> list[Array]:
        if product is not None and not any(d == 0 for d in sizes):
            total = product(laid, sizes, reduced, outputs[0])
            if total is not None:
                return [with_dynamic_sizes(back[0](total), outputs[0], values[count])]
        block.enter(env, laid)
        for step, _ in steps:
            step(env)
        results: list[Array] = []
        for slot, combine, state, bring, known, like in zip(
            fresh, combine_with, laid[count:], back, outputs, values[count:], strict=True
        ):
            x = np.broadcast_to(env[slot], sizes)
            moved = np.moveaxis(x, reduced, range(len(reduced)))
            moved = moved.reshape((-1, *moved.shape[len(reduced) :]))
            rest = np.squeeze(state, tuple(reduced)) if state.ndim else state
            if moved.shape[0]:
                (total,) = tree_reduce([moved], lambda a, b, c=combine: [c(a[0], b[0])])
                rest = combine(rest, total)
            value = np.expand_dims(np.broadcast_to(rest, moved.shape[1:]), tuple(reduced))
            results.append(with_dynamic_sizes(bring(value), known, like))
        return results

    return run


def _matrix_product(
    combining: list[tuple[Operation, int]], inputs: int
) -> Callable[[list[Array], list[int], list[int], TypeInfo], Array | None] | None:
    """
    Return a shortcut for bodies that add a product of two inputs to a float accumulator.

    It sums in float64 and rounds once, like `tt.dot` and `linalg.matmul`.
    """
    if len(combining) != 1 or combining[0][0].name != "arith.addf" or inputs != 2:
        return None
    owner, new = combining[0]
    factor: Any = owner.operands[new].owner
    if not isinstance(factor, Operation) or factor.name != "arith.mulf":
        return None
    sources = [_argument(o) for o in factor.operands]
    if sorted(a.index if a is not None else -1 for a in sources) != [0, 1]:
        return None

    def product(
        laid: list[Array], sizes: list[int], reduced: list[int], known: TypeInfo
    ) -> Array | None:
        a, b = (np.broadcast_to(x, sizes) for x in laid[:2])
        letters = "abcdefgh"[: len(sizes)]
        kept = "".join(c for d, c in enumerate(letters) if d not in reduced)
        wide = (_squeezed(x, letters) for x in (laid[0], laid[1]))
        (x, xs), (y, ys) = wide
        if set(kept) - set(xs) - set(ys):
            return None
        del a, b
        total = np.einsum(f"{xs},{ys}->{kept}", x, y, optimize=True)
        for d in reduced:
            if letters[d] not in xs and letters[d] not in ys:
                total = total * sizes[d]
        total = np.expand_dims(total, tuple(reduced))
        return known.scalar.round(total + laid[2])

    return product


def _squeezed(x: Array, letters: str) -> tuple[Array, str]:
    kept = [d for d in range(x.ndim) if x.shape[d] != 1]
    drop = tuple(d for d in range(x.ndim) if d not in kept)
    return np.squeeze(x, drop).astype(np.float64), "".join(letters[d] for d in kept)


def _argument(value: Any) -> BlockArgument | None:
    """Return the block argument behind a value, looking through widening casts."""
    while isinstance(value.owner, Operation) and value.owner.name == "arith.extf":
        value = value.owner.operands[0]
    return value if isinstance(value, BlockArgument) else None


def _map(op: Operation, f: Function) -> Step:
    """`linalg.map`: the body's arguments are the inputs."""
    s = Structured(op, f)
    block = f.compile_block(op.regions[0].blocks[0])
    count = len(block.arguments)

    def step(env: Env) -> None:
        values = s.read(env)
        if 0 in np.shape(values[-1]):
            s.write(env, values[-1:])
            return
        inner = list(env)
        block.enter(inner, values[:count])
        (value,) = block.run(inner)
        rank = s.output_infos[0].rank
        if np.ndim(value) != rank:
            value = np.asarray(value).reshape((1,) * rank)
        s.write(env, [with_dynamic_sizes(value, s.output_infos[0], values[-1])])

    return step


@control("linalg.index")
def _index(op: Operation, f: Function) -> Step:
    """The position along a dimension of the iteration space, laid out over it."""
    dim, result = integer(op, "dim"), f.slot(op.results[0])
    parent: Any = op.parent_op()
    rank = len(_iterators(parent))
    flat = uses_control(parent.regions[0].blocks[0])

    def step(env: Env) -> None:
        space = env[-1]
        if not isinstance(space, list):
            raise UnsupportedOp("linalg.index outside of linalg.generic")
        # Sizes, or ranges where the dimensions to reduce are taken one position at a time.
        ranges: list[range] = [n if isinstance(n, range) else range(n) for n in space]
        lanes = np.asarray(ranges[dim], np.int64).reshape((-1,) + (1,) * (rank - 1 - dim))
        sizes = [len(r) for r in ranges]
        env[result] = np.broadcast_to(lanes, sizes).reshape(-1) if flat else lanes

    return step
