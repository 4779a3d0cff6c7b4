"""`linalg.generic` and `linalg.map`: parallel ones become lazy tensors, or loops."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import (
    affine_maps,
    attribute,
    integer,
    is_shaped,
    operand_groups,
    single_block,
    terminator,
)
from xtriton.cpu.emitter.affine import evaluate
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.emitter.elementwise import cost_of, op_cost, worth_delaying
from xtriton.cpu.emitter.values import Lazy, Read, Tensor, View

EFFECTS = ("memref.store", "memref.atomic_rmw", "memref.generic_atomic_rmw", "cf.assert")
MEMORY_READS = ("memref.load", "tensor.extract")


@dataclass
class Generic:
    """A structured op: operands with their maps, loop kinds, and the body."""

    op: Operation
    inputs: list[SSAValue]
    outputs: list[SSAValue]
    maps: list[AffineMap]
    reductions: list[bool]
    block: Any

    @property
    def output_maps(self) -> list[AffineMap]:
        return self.maps[len(self.inputs) :]

    @property
    def input_maps(self) -> list[AffineMap]:
        return self.maps[: len(self.inputs)]

    @property
    def output_arguments(self) -> Sequence[SSAValue]:
        return self.block.args[len(self.inputs) :]

    @property
    def yielded(self) -> Sequence[SSAValue]:
        return terminator(self.block).operands


def is_identity(map: AffineMap) -> bool:
    return len(map.results) == map.num_dims and all(
        isinstance(result, AffineDimExpr) and result.position == i
        for i, result in enumerate(map.results)
    )


def generic_of(op: Operation) -> Generic:
    """Return a `linalg.generic` in parts."""
    inputs, outputs = operand_groups(op)
    kinds = cast(Any, attribute(op, "iterator_types")).data
    reductions = [kind.data.value == "reduction" for kind in kinds]
    return Generic(
        op, inputs, outputs, affine_maps(op, "indexing_maps"), reductions, single_block(op)
    )


def operand_value(e: Emitter, value: SSAValue) -> Tensor | Operand:
    return e.tensor(value) if is_shaped(value.type) else e.scalar(value)


def loop_sizes(e: Emitter, generic: Generic) -> list[Operand]:
    """Return the extent of each loop, constants preferred."""
    sizes: list[Operand | None] = [None] * len(generic.reductions)
    for value, map in zip((*generic.inputs, *generic.outputs), generic.maps, strict=True):
        if not is_shaped(value.type):
            continue
        for result, size in zip(map.results, e.tensor(value).sizes, strict=True):
            if isinstance(result, AffineDimExpr) and not isinstance(sizes[result.position], int):
                sizes[result.position] = size
    if any(size is None for size in sizes):
        e.unsupported(generic.op, "a loop whose extent no operand tells")
    return cast(list[Operand], sizes)


def indexed(
    e: Emitter, value: Tensor | Operand, map: AffineMap, indices: Sequence[Operand]
) -> Operand:
    """Return the element of an operand that the loop point `indices` works on."""
    if isinstance(value, int | str):
        return value
    return e.element(value, [evaluate(e, result, indices) for result in map.results])


def run_body(e: Emitter, generic: Generic, indices: Sequence[Operand]) -> list[Operand]:
    """Generate the body for one point, its arguments bound already; return what it yields."""
    for op in generic.block.ops:
        if op.next_op is None:
            break
        if op.name == "linalg.index":
            e.bind(op.results[0], indices[integer(op, "dim")])
        else:
            e.run(op)
    return e.scalars(generic.yielded)


@rule("linalg.generic")
def _generic(e: Emitter, op: Operation) -> None:
    generic = generic_of(op)
    if any(generic.reductions):
        from xtriton.cpu.emitter.reductions import reduce_generic

        reduce_generic(e, generic)
    else:
        parallel_generic(e, generic)


def parallel_generic(e: Emitter, generic: Generic) -> None:
    """Bind the results of a generic without reductions."""
    in_memory = any(isinstance(output.type, MemRefType) for output in generic.outputs)
    effects = any(inner.name in EFFECTS for inner in generic.op.walk())
    regular = all(is_identity(map) for map in generic.output_maps)
    if in_memory or effects or not regular or not generic.outputs:
        _loop(e, generic)
    else:
        _bind_lazily(e, generic)


def _loop(e: Emitter, generic: Generic) -> None:
    """Run the loops at once, storing each result."""
    operands = [operand_value(e, value) for value in generic.inputs]
    sizes = loop_sizes(e, generic)
    outputs = [_output_place(e, generic, number) for number in range(len(generic.outputs))]
    for place in outputs:
        e.note_write(place)
    effects = any(inner.name in EFFECTS for inner in generic.op.walk())

    def body(indices: list[Operand]) -> None:
        _bind_arguments(e, generic, [*operands, *outputs], indices)
        for value, place, map in zip(
            run_body(e, generic, indices), outputs, generic.output_maps, strict=True
        ):
            e.store(place, [evaluate(e, result, indices) for result in map.results], value)

    with e.builder.fresh_memory():
        e.nest(sizes, body, parallel=not effects)
    for result, place in zip(generic.op.results, outputs, strict=True):
        e.bind(result, place)


def _output_place(e: Emitter, generic: Generic, number: int) -> View:
    value = generic.outputs[number]
    if isinstance(value.type, MemRefType):
        return e.view(value)
    place = e.allocate(e.tensor(value).sizes, e.type(value.type), generic.op)
    if any(True for _ in generic.output_arguments[number].uses) or not is_identity(
        generic.output_maps[number]
    ):
        e.write(e.tensor(value), place)
    return place


def _bind_arguments(
    e: Emitter, generic: Generic, operands: Sequence[Tensor | Operand], indices: Sequence[Operand]
) -> None:
    for argument, operand, map in zip(generic.block.args, operands, generic.maps, strict=True):
        if any(True for _ in argument.uses):
            e.environment[argument] = indexed(e, operand, map, indices)


def _bind_lazily(e: Emitter, generic: Generic) -> None:
    op = generic.op
    values = (*generic.inputs, *generic.outputs)
    used = [any(True for _ in argument.uses) for argument in generic.block.args]
    operands = [operand_value(e, value) for value in values]
    sizes = tuple(loop_sizes(e, generic))
    reads: list[Read] = []
    cost = sum(op_cost(inner) for inner in op.walk() if inner is not op)
    for operand, map, is_used in zip(operands, generic.maps, used, strict=True):
        if is_used and not isinstance(operand, int | str):
            reads += e.reads_of(operand, aligned=is_identity(map))
            cost += cost_of(operand)

    def compute_all(indices: Sequence[Operand]) -> list[Operand]:
        _bind_arguments(e, generic, operands, indices)
        return run_body(e, generic, indices)

    def compute(number: int, indices: Sequence[Operand]) -> Operand:
        if len(op.results) == 1:
            return compute_all(indices)[0]
        key = (generic.block, *indices)
        for other, value in enumerate(compute_all_once(key, indices)):
            if other == number:
                return value
        raise AssertionError

    def compute_all_once(key: tuple[object, ...], indices: Sequence[Operand]) -> list[Operand]:
        first = e.builder.remembered((*key, 0), lambda: _remember_all(e, key, compute_all(indices)))
        rest = [
            e.builder.remembered((*key, i), lambda: "poison") for i in range(1, len(op.results))
        ]
        return [first, *rest]

    reads_memory = any(inner.name in MEMORY_READS for inner in op.walk())
    delayed = worth_delaying(e, op, cost, reads) and not reads_memory
    lazies = [
        Lazy(e.type(result.type), sizes, lambda i, n=n: compute(n, i), tuple(reads), cost)
        for n, result in enumerate(op.results)
    ]
    if delayed:
        for result, lazy in zip(op.results, lazies, strict=True):
            e.bind(result, lazy)
    else:
        _materialize_together(e, generic, lazies, reads)


def _remember_all(e: Emitter, key: tuple[object, ...], values: list[Operand]) -> Operand:
    for number, value in enumerate(values[1:], start=1):
        e.builder.memory_of_values[-1][(*key, number)] = value
    return values[0]


def _materialize_together(
    e: Emitter, generic: Generic, lazies: Sequence[Lazy], reads: Sequence[Read]
) -> None:
    """Compute all results in one loop, over a dead operand's memory where possible."""
    places = [
        _reusable(e, generic, lazy, reads)
        if number == 0
        else e.allocate(lazy.sizes, lazy.type, generic.op)
        for number, lazy in enumerate(lazies)
    ]

    def body(indices: list[Operand]) -> None:
        values = [e.element(lazy, indices) for lazy in lazies]
        for value, place in zip(values, places, strict=True):
            e.store(place, indices, value)

    with e.builder.fresh_memory():
        e.nest(lazies[0].sizes, body, parallel=True)
    for result, place in zip(generic.op.results, places, strict=True):
        e.bind(result, place)


def _reusable(e: Emitter, generic: Generic, lazy: Lazy, reads: Sequence[Read]) -> View:
    """Return where the result may go: an operand's buffer that is read in step and then dead."""
    for value in generic.inputs:
        view = e.environment[value]
        if (
            isinstance(view, View)
            and view.type.bytes == lazy.type.bytes
            and view.sizes == lazy.sizes
            and view.is_contiguous
            and view.offset == 0
            and all(read.aligned for read in reads if read.storage.pointer == view.storage.pointer)
            and e.liveness.dead_after(view.storage, generic.op)
        ):
            return View(view.storage, lazy.type, view.offset, view.sizes, view.strides)
    return e.allocate(lazy.sizes, lazy.type, generic.op)


@rule("linalg.map")
def _map(e: Emitter, op: Operation) -> None:
    *inputs, output = op.operands
    rank = len(e.tensor(output).sizes)
    block = single_block(op)
    identity = AffineMap.identity(rank)
    # Newer MLIR gives the body an argument for the output as well.
    outputs = [output]
    arguments = len(block.args)
    maps = [identity] * (len(inputs) + 1)
    generic = Generic(op, inputs, outputs, maps, [False] * rank, block)
    if arguments == len(inputs):
        generic.block = _Padded(block)
    parallel_generic(e, generic)


class _Padded:
    """A block that pretends to have an unused argument for the output."""

    def __init__(self, block: Any):
        self.args = (*block.args, _Unused())
        self.ops = block.ops
        self.last_op = block.last_op


class _Unused:
    uses: tuple[()] = ()
