"""
Loops over many dimensions become loops over few: adjacent ones that are treated alike are one.

Before:

    %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>

After:

    %2 = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<4x8x16xf32> into tensor<512xf32>
    %3 = linalg.fill ins(%c : f32) outs(%2 : tensor<512xf32>) -> tensor<512xf32>
    %1 = tensor.expand_shape %3 [[0, 1, 2]] output_shape [4, 8, 16] : ...

Also broadcasts (as `triton-arith-to-linalg` marks them), transpositions and reductions. For
targets whose vector units want few dimensions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects.upstream import memref, tensor
from xtriton.ir.attributes import integers
from xtriton.ir.noted_edits import set_attribute
from xtriton.ir.walking import ops_in
from xtriton.lowering.attributes import array_attr, i64_array, memref_type
from xtriton.lowering.builder import Builder
from xtriton.lowering.linalg_rules.generic import identity_map, is_tensor, iterators
from xtriton.lowering.linalg_rules.shapes import (
    broadcast_map,
    expand_grouped,
    reassociation,
    shape_of,
    tensor_like,
)
from xtriton.passes.rewriting import replace

Groups = Sequence[Sequence[int]]


@dataclass(frozen=True)
class CollapseShapePass(ModulePass):
    """Collapse dimensions of fills, broadcasts, transpositions and reductions."""

    name = "collapse-shape"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for found in ops_in(op, _RULES):
            if all(DYNAMIC_INDEX not in shape_of(operand) for operand in _shaped(found)):
                _RULES[found.name](found, Builder(before=found))


def _shaped(op: Operation) -> list[SSAValue]:
    return [value for value in op.operands if hasattr(value.type, "get_shape")]


def _collapsed(builder: Builder, value: SSAValue, groups: Groups) -> SSAValue:
    """Return `value` with each group of its dimensions as one."""
    shape = [prod(shape_of(value)[d] for d in group) for group in groups]
    properties = {"reassociation": reassociation(groups)}
    if is_tensor(value):
        kind = tensor_like(value, shape)
        return builder.value(tensor.CollapseShapeOp, (value,), kind, properties)
    source: Any = value.type
    kind = memref_type(source.element_type, shape)
    return builder.value(memref.CollapseShapeOp, (value,), kind, properties)


def _rebuild(
    op: Any,
    builder: Builder,
    operands: Sequence[SSAValue],
    outs: Sequence[SSAValue],
    groups: Groups,
    properties: dict[str, Any],
) -> None:
    """Put `op` on collapsed operands in the place of `op`; `groups` are those of its results."""
    regions = [op.detach_region(region) for region in list(op.regions)]
    types = [value.type for value in outs] if op.results else []
    new = builder.make(type(op), operands, types, {**op.properties, **properties}, regions)  # pyright: ignore[reportUnknownArgumentType]
    new.attributes.update(op.attributes)
    results = [
        expand_grouped(builder, result, shape_of(old), groups)
        for result, old in zip(new.results, op.results, strict=True)
    ]
    replace(op, results)


def _fill(op: Any, builder: Builder) -> None:
    scalar, target = op.operands
    kind: Any = target.type
    rank = len(shape_of(target))
    if rank < 2 or (isinstance(kind, MemRefType) and not _is_dense(kind)):
        return
    groups = [list(range(rank))]
    into = _collapsed(builder, target, groups)
    _rebuild(op, builder, (scalar, into), (into,), groups, {})


def _is_dense(kind: Any) -> bool:
    """Return whether a memref has the identity layout."""
    return kind == memref_type(kind.element_type, kind.get_shape())


def _broadcast(op: Any, builder: Builder) -> None:
    dims: Any = op.attributes.get("broadcastDims")
    if not isinstance(dims, DenseArrayBase) or len(op.operands) != 2:
        return
    source, target = op.operands
    rank = len(shape_of(target))
    stretched = set(dims.get_values())
    groups = _runs(range(rank), lambda a, b: (a in stretched) == (b in stretched))
    if len(groups) == rank:
        return
    operands = [_collapsed(builder, value, groups) for value in (source, target)]
    places = tuple(k for k, group in enumerate(groups) if group[0] in stretched)
    count = len(groups)
    properties = {
        "indexing_maps": array_attr((broadcast_map(count, places), identity_map(count))),
        "iterator_types": iterators(*["parallel"] * count),
    }
    set_attribute(op, "broadcastDims", i64_array(places))
    _rebuild(op, builder, operands, operands[1:], groups, properties)


def _transpose(op: Any, builder: Builder) -> None:
    source, target = op.operands
    order: list[int] = list(integers(op, "permutation"))
    if len(order) <= MOST_DIMENSIONS:
        return
    runs = _runs(order, lambda a, b: b == a + 1)
    if len(runs) == len(order):
        return
    before = sorted(runs)
    starts = [sum(len(run) for run in runs[:k]) for k in range(len(runs))]
    after = [list(range(s, s + len(run))) for s, run in zip(starts, runs, strict=True)]
    operands = [_collapsed(builder, source, before), _collapsed(builder, target, after)]
    properties = {"permutation": i64_array([before.index(run) for run in runs])}
    _rebuild(op, builder, operands, operands[1:], after, properties)


def _reduce(op: Any, builder: Builder) -> None:
    gone = set(integers(op, "dimensions"))
    count = len(op.operands) // 2
    rank = len(shape_of(op.operands[0]))
    groups = _runs(range(rank), lambda a, b: (a in gone) == (b in gone))
    if len(groups) == rank or not op.results or len(gone) == rank:
        return
    kept = [group for group in groups if group[0] not in gone]
    starts = [sum(len(group) for group in kept[:k]) for k in range(len(kept))]
    after = [list(range(s, s + len(group))) for s, group in zip(starts, kept, strict=True)]
    sources = [_collapsed(builder, value, groups) for value in op.operands[:count]]
    outs = [_collapsed(builder, value, after) for value in op.operands[count:]]
    places = [k for k, group in enumerate(groups) if group[0] in gone]
    _rebuild(op, builder, (*sources, *outs), outs, after, {"dimensions": i64_array(places)})


MOST_DIMENSIONS = 3
"""Transpositions of so many dimensions are left alone."""


def _runs(numbers: Iterable[int], together: Callable[[int, int], bool]) -> list[list[int]]:
    """Return a sequence cut where neighbours do not belong together."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and together(runs[-1][-1], number):
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


_RULES = {
    "linalg.fill": _fill,
    "linalg.generic": _broadcast,
    "linalg.transpose": _transpose,
    "linalg.reduce": _reduce,
}
