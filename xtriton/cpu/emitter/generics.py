"""A structured op in parts: operands, maps, kinds of loops and body."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import (
    affine_maps,
    is_shaped,
    operand_groups,
    shape_of,
    single_block,
    terminator,
)
from xtriton.cpu.emitter.affine import evaluate
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import Tensor
from xtriton.ir.attributes import attribute, integer, integers


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


def is_loop_over_all(generic: Generic) -> bool:
    """Return whether a loop computes each element of one result once."""
    return (
        len(generic.outputs) == 1
        and not any(generic.reductions)
        and all(is_identity(map) for map in generic.output_maps)
    )


def is_pointwise(generic: Generic, inputs: int) -> bool:
    """Return whether a loop takes, for each element, those of so many blocks at its place."""
    return (
        len(generic.inputs) == inputs
        and is_loop_over_all(generic)
        and all(is_identity(map) for map in generic.input_maps)
    )


def generic_of(op: Operation) -> Generic:
    """Return a `linalg.generic` in parts."""
    inputs, outputs = operand_groups(op)
    kinds = cast(Any, attribute(op, "iterator_types")).data
    reductions = [kind.data.value == "reduction" for kind in kinds]
    return Generic(
        op, inputs, outputs, affine_maps(op, "indexing_maps"), reductions, single_block(op)
    )


def generic_of_reduce(op: Operation) -> Generic:
    """Return a `linalg.reduce` in parts."""
    count = len(op.operands) // 2
    rank, reduced = len(shape_of(op.operands[0].type)), set(integers(op, "dimensions"))
    kept = [AffineExpr.dimension(d) for d in range(rank) if d not in reduced]
    maps = [AffineMap.identity(rank)] * count + [AffineMap(rank, 0, tuple(kept))] * count
    kinds = [d in reduced for d in range(rank)]
    inputs, outputs = list(op.operands[:count]), list(op.operands[count:])
    return Generic(op, inputs, outputs, maps, kinds, single_block(op))


def combines(op: Operation) -> bool:
    """Return whether an op makes one number of several elements."""
    if op.name == "linalg.generic":
        return any(generic_of(op).reductions)
    return op.name == "linalg.reduce" or "matmul" in op.name or op.name.startswith("scf.for")


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
