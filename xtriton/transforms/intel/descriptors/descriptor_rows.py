"""
Gathers and scatters through descriptors of rows that lie one behind the other.

Rows `[%i, %i + 1, ...]` are a block of their own, loaded or stored as one; rows of a constant
that are a few such runs are as many blocks.
Source: `RewriteTensorDescriptorToPointer.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import NoneAttr, TensorType, i32
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.dialects.tt.descriptor_rows import DescriptorGatherOp, DescriptorScatterOp
from xtriton.dialects.tt.descriptors import DescriptorLoadOp, DescriptorStoreOp, MakeTensorDescOp
from xtriton.dialects.tt.elementwise import GatherOp
from xtriton.dialects.tt.joins import JoinOp
from xtriton.dialects.tt.program import MakeRangeOp
from xtriton.dialects.tt.shapes import ReshapeOp, SplatOp, TransOp
from xtriton.dialects.tt.types import TensorDescType
from xtriton.dialects.upstream.arith import AddiOp, ConstantOp
from xtriton.dialects.utils.constants import constant_attribute, constant_op
from xtriton.dialects.utils.tensors import is_dense, is_tensor
from xtriton.ir import dense
from xtriton.ir.attributes import integer
from xtriton.transforms.triton.pointer_tensors import InsertionPoint

MOST_RUNS = 4
"""Of rows behind each other, in one gather or scatter; each is a load or a store."""


@dataclass(frozen=True)
class _Run:
    """Rows behind each other: the first is `start`, plus the scalars of `terms`."""

    start: int
    count: int
    terms: tuple[SSAValue, ...] = ()

    def first(self, build: InsertionPoint) -> SSAValue:
        """Return the number of the first row."""
        values = list(self.terms)
        if self.start or not values:
            values.append(build.add(constant_op(i32, self.start)))
        total = values[0]
        for value in values[1:]:
            total = build.add(AddiOp(total, value))
        return total


class RowsInRunsPattern(RewritePattern):
    """gather(d, [i, i + 1, ...]) → load(d', i), and so for scatter"""

    op_types: ClassVar = (DescriptorGatherOp, DescriptorScatterOp)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, (DescriptorGatherOp, DescriptorScatterOp))
        maker = op.desc.owner
        type = op.result.type if isinstance(op, DescriptorGatherOp) else op.src.type
        if not isinstance(maker, MakeTensorDescOp) or not _is_matrix(type):
            return
        runs = _runs(op.x_offsets)
        build = InsertionPoint(op)
        if isinstance(op, DescriptorGatherOp):
            if runs:
                rewriter.replace(op, [], [_loaded(op, maker, runs, build)])
        elif runs and not _overlap(runs):
            _store(op, maker, runs, build)
            rewriter.erase(op)


def _is_matrix(type: Attribute) -> bool:
    """Return whether a type is that of a tensor of rows, of which no thread has its part yet."""
    return is_tensor(type) and len(type.get_shape()) == 2 and isinstance(type.encoding, NoneAttr)


def _runs(rows: SSAValue) -> list[_Run]:
    """Return the runs of rows that are known to be equally long; nothing if there are none."""
    single = _run(rows)
    if single is not None:
        return [single]
    attribute = constant_attribute(rows)
    if not is_dense(attribute):
        return []
    runs: list[_Run] = []
    for row in map(int, dense.values(attribute)):
        last = runs[-1] if runs else None
        if last is not None and row == last.start + last.count:
            runs[-1] = _Run(last.start, last.count + 1)
        elif len(runs) == MOST_RUNS:
            return []
        else:
            runs.append(_Run(row, 1))
    equal = all(run.count == runs[0].count for run in runs)
    return runs if equal and len(runs) in (1, 2, 4) else []


def _run(rows: SSAValue) -> _Run | None:
    """Return the run that rows are: a range, and scalars that are added to it."""
    terms: list[SSAValue] = []
    if not is_tensor(rows.type) or rows.type.element_type != i32:
        return None
    while isinstance(rows, OpResult):
        op = rows.op
        if isinstance(op, MakeRangeOp):
            start = integer(op, "start")
            return _Run(start, integer(op, "end") - start, tuple(terms))
        if not isinstance(op, AddiOp):
            return None
        splat = next((v.owner for v in (op.rhs, op.lhs) if isinstance(v.owner, SplatOp)), None)
        if splat is None:
            return None
        terms.append(splat.src)
        rows = op.lhs if op.rhs.owner is splat else op.rhs
    return None


def _overlap(runs: Sequence[_Run]) -> bool:
    """Return whether a row is in two runs: which of its values remains is not said."""
    rows = [run.start + i for run in runs for i in range(run.count)]
    return len(set(rows)) < len(rows)


def _loaded(
    op: DescriptorGatherOp, maker: MakeTensorDescOp, runs: Sequence[_Run], build: InsertionPoint
) -> SSAValue:
    """Return the rows of all runs, one behind the other."""
    type = op.result.type
    assert is_tensor(type)
    width = type.get_shape()[1]
    parts: list[SSAValue] = []
    for run in runs:
        descriptor = _descriptor(maker, run.count, width, build)
        block = TensorType(type.element_type, [run.count, width])
        load = DescriptorLoadOp(descriptor, [run.first(build), op.y_offset], block)
        load.attributes.update(op.attributes)
        parts.append(build.add(load))
    count = runs[0].count
    while len(parts) > 1:
        count *= 2
        parts = [
            _stacked(*pair, count, build) for pair in zip(parts[::2], parts[1::2], strict=True)
        ]
    return parts[0]


def _stacked(a: SSAValue, b: SSAValue, count: int, build: InsertionPoint) -> SSAValue:
    """Return the rows of two tensors, `count` in all."""
    joined = build.add(TransOp(build.add(JoinOp(a, b)), [2, 0, 1]))
    assert is_tensor(a.type)
    return build.add(ReshapeOp(joined, [count, a.type.get_shape()[1]]))


def _store(
    op: DescriptorScatterOp, maker: MakeTensorDescOp, runs: Sequence[_Run], build: InsertionPoint
) -> None:
    type = op.src.type
    assert is_tensor(type)
    width = type.get_shape()[1]
    for i, run in enumerate(runs):
        rows = op.src
        if len(runs) > 1:
            rows = build.add(GatherOp(rows, _rows_from(i * run.count, run.count, width, build), 0))
        descriptor = _descriptor(maker, run.count, width, build)
        store = DescriptorStoreOp(descriptor, rows, [run.first(build), op.y_offset])
        store.attributes.update(op.attributes)
        store.location = op.location
        assert op.parent is not None
        op.parent.insert_op_before(store, op)


def _rows_from(first: int, count: int, width: int, build: InsertionPoint) -> SSAValue:
    """Return for each element of a block of rows the row that it is in."""
    type = TensorType(i32, [count, width])
    if count == 1:
        return build.add(constant_op(type, first))
    numbers = [first + row for row in range(count) for _ in range(width)]
    return build.add(ConstantOp(dense.dense(type, numbers)))


def _descriptor(maker: MakeTensorDescOp, count: int, width: int, build: InsertionPoint) -> SSAValue:
    """Return a descriptor as another one, of blocks of `count` rows."""
    type = maker.result.type
    assert isinstance(type, TensorDescType)
    new = MakeTensorDescOp.create(
        operands=maker.operands,
        result_types=[TensorDescType(type.element_type, [count, width])],
        properties=dict(maker.properties),
        attributes=dict(maker.attributes),
    )
    return build.add(new)
