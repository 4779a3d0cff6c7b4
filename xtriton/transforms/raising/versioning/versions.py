"""Two versions of some ops: one that may take what a guard says for granted."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free

from xtriton.dialects.upstream.arith import DivSIOp, MuliOp
from xtriton.dialects.upstream.scf import IfOp, YieldOp
from xtriton.transforms.raising.versioning.guards import Guards
from xtriton.transforms.raising.writing.emitter import CannotEmit, ExprEmitter


@dataclass(frozen=True)
class VersioningPass(ModulePass, ABC):
    """A pass that makes versions: the options that say which."""

    tolerance: ClassVar[float] = 1e-5
    """Programs in different versions may add to memory in another order."""

    max_ops: int = 2000
    unit_strides: bool = False
    """Also where the last stride of a block may be 1, which descriptors need."""

    unwrap: bool = False
    """Also where a block that may wrap around may not, which block pointers need."""


def make_versions(emitter: ExprEmitter, guards: Guards, ops: Sequence[Operation]) -> IfOp:
    """
    Put consecutive ops into both branches of an `scf.if` on the guards.

    The first branch has copies, in which what the guards say is visible: a scalar that is a
    multiple is written as one, and one that is 1 as the constant.
    """
    first = ops[0]
    block = first.parent
    assert block is not None
    condition = emitter.condition(guards.condition(emitter.space), first)
    if isinstance(condition.owner, Operation) and condition.owner in ops:
        raise CannotEmit("the guard is made by what it guards")
    mapping: dict[SSAValue, SSAValue] = {}
    facts = _stated_facts(emitter, guards, first, mapping)
    inside = set(ops)
    escaping = [
        r
        for op in ops
        for r in op.results
        if any(_outer_user(u.operation, block) not in inside for u in r.uses)
    ]
    copies: list[Operation] = []
    for op in [*_derived(mapping, ops), *ops]:
        copy = op.clone(mapping)
        for old, new in zip(op.walk(), copy.walk(), strict=True):
            new.location = old.location
        copies.append(copy)
    fast = Region(Block([*facts, *copies, YieldOp(*(mapping[r] for r in escaping))]))
    branch = IfOp(condition, [r.type for r in escaping], fast, Region(Block()))
    branch.location = first.location
    block.insert_op_before(branch, first)
    for result, new in zip(escaping, branch.results, strict=True):
        new.name_hint = result.name_hint
        result.replace_uses_with_if(
            new, lambda use: _outer_user(use.operation, block) not in inside
        )
    slow = branch.regions[1].blocks[0]
    for op in ops:
        op.detach()
        slow.add_op(op)
    slow.add_op(YieldOp(*escaping))
    for region in branch.regions:
        assert region.blocks[0].ops.last is not None
        region.blocks[0].ops.last.location = first.location
    return branch


def _derived(mapping: dict[SSAValue, SSAValue], ops: Sequence[Operation]) -> list[Operation]:
    """Return the pure ops outside of `ops` by which they use what a guard tells of."""
    reached: set[SSAValue] = set(mapping)
    worklist = list(reached)
    while worklist:
        for use in worklist.pop().uses:
            if not use.operation.regions and is_side_effect_free(use.operation):
                new = [r for r in use.operation.results if r not in reached]
                reached.update(new)
                worklist += new
    inside = dict.fromkeys(op for outer in ops for op in outer.walk())
    found: dict[Operation, None] = {}

    def need(value: SSAValue) -> None:
        op = value.owner
        if value not in reached or value in mapping or not isinstance(op, Operation):
            return
        if op not in inside and op not in found:
            for operand in op.operands:
                need(operand)
            found[op] = None

    for op in inside:
        for operand in op.operands:
            need(operand)
    return list(found)


def _outer_user(op: Operation, block: Block) -> Operation | None:
    """Return the op of a block that an op is in."""
    user: Operation | None = op
    while user is not None and user.parent is not block:
        user = user.parent_op()
    return user


def _stated_facts(
    emitter: ExprEmitter, guards: Guards, anchor: Operation, mapping: dict[SSAValue, SSAValue]
) -> list[Operation]:
    """Return the ops that write scalars as multiples; put what replaces them in `mapping`."""
    facts: list[Operation] = []
    values = emitter.analysis.leaf_values
    for atom, number in guards.multiples.items():
        value = values[atom.uid]
        constant = emitter.constant(number, value.type)
        quotient = DivSIOp(value, constant)
        multiple = MuliOp(quotient, constant)
        for op in (quotient, multiple):
            op.location = anchor.location
        multiple.result.name_hint = value.name_hint
        mapping[value] = multiple.result
        facts += (quotient, multiple)
    for atom in guards.ones:
        value = values[atom.uid]
        mapping[value] = emitter.constant(1, value.type)
    return facts
