"""Loops in loops: what lies between them, and what their bounds depend on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free

from xtriton.analysis.writes import may_write
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.constants import constant_int
from xtriton.ir.value_flow import is_inside
from xtriton.transforms.triton.licm import reads_only


@dataclass
class Nest:
    """A loop and the loops directly in it."""

    loop: ForOp
    children: list[Nest] = field(default_factory=list["Nest"])

    @property
    def size(self) -> int:
        return 1 + sum(child.size for child in self.children)

    def has_unsigned(self) -> bool:
        """Return whether a loop compares without signs; how often it runs is counted with them."""
        return "unsignedCmp" in self.loop.properties or any(c.has_unsigned() for c in self.children)


def in_program_order(ops: Sequence[Operation], ancestor: Operation) -> list[Operation]:
    chosen = set(ops)
    return [op for op in ancestor.walk() if op in chosen]


def _may_hoist(op: Operation, outer: Operation) -> bool:
    """
    Return whether a bound may be computed in front of `outer`: scalars only, without effects.

    What is loaded must not change meanwhile, and the loop must run: upstream forgets both.
    """
    scalars = (IntegerType, IndexType, AnyFloat, PtrType)
    types = [*op.result_types, *(operand.type for operand in op.operands)]
    if not all(isinstance(type, scalars) for type in types):
        return False
    if is_side_effect_free(op):
        return True
    return reads_only(op) and not may_write(outer) and _runs(outer)


def _runs(loop: Operation) -> bool:
    """Return whether the bounds of a loop are constants between which it runs."""
    if not isinstance(loop, ForOp):
        return False
    lower, upper = constant_int(loop.lb), constant_int(loop.ub)
    return lower is not None and upper is not None and lower < upper


def ops_to_hoist(
    outer: Operation,
    values: Sequence[SSAValue],
    may_use: Callable[[BlockArgument], bool] = lambda _: False,
) -> list[Operation] | None:
    """Return the ops inside of `outer` that compute `values`; `None` if they have to stay."""
    found: dict[Operation, None] = {}
    queue = list(values)
    for value in queue:
        if not is_inside(value, outer):
            continue
        if isinstance(value, BlockArgument):
            if not may_use(value):
                return None
            continue
        op = value.owner
        assert isinstance(op, Operation)
        if op not in found:
            if not _may_hoist(op, outer):
                return None
            found[op] = None
            queue.extend(op.operands)
    return list(found)


@dataclass
class Section:
    """What lies in front of, between or behind the inner loops."""

    ops: list[Operation]
    outputs: list[SSAValue]
    """What later ops use."""

    def replace(self, values: Sequence[SSAValue], region: Region) -> None:
        """Replace the outputs outside of the region that has the ops now."""
        for output, value in zip(self.outputs, values, strict=True):
            output.replace_uses_with_if(value, lambda use: not is_in_region(use.operation, region))

    @property
    def types(self) -> list[Attribute]:
        return [output.type for output in self.outputs]


def is_in_region(op: Operation, region: Region) -> bool:
    inner = op.parent_region()
    while inner is not None and inner is not region:
        parent = inner.parent
        inner = None if parent is None else parent.parent_region()
    return inner is region


def part_of(ops: list[Operation], block: Block) -> Section:
    if not ops:
        return Section([], [])
    positions = {op: i for i, op in enumerate(block.ops)}
    last = positions[ops[-1]]

    def comes_later(user: Operation) -> bool:
        ancestor = user
        while ancestor.parent is not block:
            parent = ancestor.parent_op()
            assert parent is not None
            ancestor = parent
        at = positions[ancestor]
        return at > last or (at == last and ancestor is not user)

    outputs: list[SSAValue] = [
        result
        for op in ops
        for result in op.results
        if any(comes_later(use.operation) for use in result.uses)
    ]
    return Section(ops, outputs)
