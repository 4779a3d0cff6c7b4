"""
Blocks that are one number up to some place and another one behind it.

A block of an image's elements loads the statistics of at most two channels. What is computed of
such blocks alone is computed of both numbers, before any loop, and not of each element.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import operand_groups, shape_of
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import Generic, is_identity, run_body
from xtriton.cpu.emitter.values import Lazy, Pieces, Tensor
from xtriton.cpu.types import Type
from xtriton.ir.attributes import integer, integers

_SIGNED_LESS = 2
"""The number of the predicate `slt` of `arith.cmpi`."""


def lazy_of(e: Emitter, type: Type, sizes: Sequence[Operand], pieces: Pieces) -> Lazy:
    """Return the block that consists of `pieces`."""

    def compute(indices: Sequence[Operand]) -> Operand:
        if pieces.is_uniform:
            return pieces.first
        is_before = e.builder.less if e.rows is None else e.rows.is_before
        before = is_before(indices[0], pieces.end)
        first, second = (f"{type.register} {value}" for value in (pieces.first, pieces.second))
        return e.builder.value(f"select i1 {before}, {first}, {second}")

    return Lazy(type, tuple(sizes), compute, cost=0 if pieces.is_uniform else 2, pieces=pieces)


def pieces_of(
    e: Emitter, generic: Generic, operands: Sequence[Tensor | Operand]
) -> list[Pieces] | None:
    """Return what the results of a generic consist of, if it computes them of pieces alone."""
    if (chosen := _chosen_by_place(e, generic)) is not None:
        return [chosen]
    if not all(_is_plain(op) for op in generic.block.ops):
        return None
    ends: set[Operand] = set()
    known: list[tuple[SSAValue, Pieces]] = []
    for argument, operand, map in zip(generic.block.args, operands, generic.maps, strict=True):
        if not any(argument.uses):
            continue
        pieces = _pieces_in(e, operand)
        if pieces is None or not (pieces.is_uniform or is_identity(map)):
            return None
        known.append((argument, pieces))
        if not pieces.is_uniform:
            ends.add(pieces.end)
    if not known or len(ends) > 1:
        return None
    sides: list[list[Operand]] = []
    for side in range(2 if ends else 1):
        for argument, pieces in known:
            e.environment[argument] = (pieces.first, pieces.second)[side]
        sides.append(run_body(e, generic, []))
    end = next(iter(ends), 0)
    return [Pieces(end, *pair) for pair in zip(sides[0], sides[-1], strict=True)]


def _pieces_in(e: Emitter, operand: Tensor | Operand) -> Pieces | None:
    """Return what an operand consists of; a block of one element is the same everywhere."""
    if isinstance(operand, Lazy):
        return operand.pieces
    if not isinstance(operand, int | str):
        if any(size != 1 for size in operand.sizes):
            return None
        operand = e.element(operand, [0] * len(operand.sizes))
    return Pieces(0, operand, operand)


def _is_plain(op: Operation) -> bool:
    return op.name == "linalg.yield" or op.name.startswith(("arith.", "math."))


def _chosen_by_place(e: Emitter, generic: Generic) -> Pieces | None:
    """Return the numbers that a generic puts before some place and from there on."""
    names = ["linalg.index", "arith.cmpi", "arith.select", "linalg.yield"]
    ops = list(generic.block.ops)
    if [op.name for op in ops] != names or len(generic.reductions) != 1:
        return None
    index, compare, select, _ = ops
    if (
        integer(compare, "predicate") != _SIGNED_LESS
        or select.operands[0] is not compare.results[0]
    ):
        return None
    values = [compare.operands[1], *select.operands[1:]]
    inside = any(value.owner in (*ops, generic.block) for value in values)
    if inside or compare.operands[0] is not index.results[0]:
        return None
    return Pieces(*e.scalars(values))


def continued(e: Emitter, op: Operation) -> Lazy | None:
    """Return a block all of whose second piece an op overwrites with one number, if it is that."""
    (source,), (target,), offsets, sizes, strides = operand_groups(op)
    inserted, block = (e.environment[value] for value in (source, target))
    if not isinstance(inserted, Lazy) or not isinstance(block, Lazy):
        return None
    if inserted.pieces is None or block.pieces is None or not inserted.pieces.is_uniform:
        return None
    if len(block.sizes) != 1 or strides or integers(op, "static_strides") != (1,):
        return None
    if len(offsets) != 1 or len(sizes) != 1 or e.environment[offsets[0]] != block.pieces.end:
        return None
    if not _is_rest(e, sizes[0], shape_of(target.type)[0], offsets[0]):
        return None
    pieces = Pieces(block.pieces.end, block.pieces.first, inserted.pieces.first)
    return lazy_of(e, block.type, block.sizes, pieces)


def _is_rest(e: Emitter, size: SSAValue, extent: int, offset: SSAValue) -> bool:
    """Return whether a size is what is left of an extent behind an offset, at least 0."""
    most = size.owner
    if not isinstance(most, Operation) or most.name != "arith.maxsi":
        return False
    rest = most.operands[0].owner
    if e.environment[most.operands[1]] != 0 or not isinstance(rest, Operation):
        return False
    whole = rest.name == "arith.subi" and e.environment[rest.operands[0]] == extent
    return whole and rest.operands[1] is offset
