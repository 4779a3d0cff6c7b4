"""
What one turn of a loop takes into a block of totals, and what becomes of that block.

For sums it is an addition, for maxima a choice by two comparisons, or one op of `arith`; a mask
may choose where it is done:

    greater = (total > value) | (total != total)
    total = where(mask, where(greater, total, value), total)
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod
from typing import Any

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.emitter.access import shape_of, single_block, terminator
from xtriton.cpu.emitter.arithmetic import FLOAT_INTRINSICS, NUMBER_SELECTIONS
from xtriton.cpu.emitter.combiners import (
    Made,
    extremum_of,
    made,
    side_kept,
    simple_combiner,
    whole_inputs,
)
from xtriton.cpu.emitter.extents import only_user
from xtriton.cpu.emitter.generics import (
    Generic,
    generic_of,
    generic_of_reduce,
    is_identity,
    is_loop_over_all,
    is_pointwise,
)
from xtriton.ir.attributes import integers

SHORTEST = 512
"""Elements of a block that takes less time to add up than vectors of sums to load and store."""
COMBINERS = ("arith.addf", *FLOAT_INTRINSICS, *NUMBER_SELECTIONS)
_EXTREMA = {1: "arith.maximumf", -1: "arith.minimumf"}


@dataclass(frozen=True)
class Step:
    """What a turn takes in: an operand of `generic`, where the first one of `chosen` holds."""

    combiner: str
    generic: Generic
    taken: int
    parts: tuple[Operation, ...] = ()
    """The ops that `generic` needs for nothing but the totals."""
    chosen: Generic | None = None

    @property
    def ops(self) -> tuple[Operation, ...]:
        last = () if self.chosen is None else (self.chosen.op,)
        return (*self.parts, self.generic.op, *last)


def step_of(totals: SSAValue, number: int) -> Step | None:
    """Return what the loop with the argument `totals` takes into that, and yields as `number`."""
    users = {use.operation for use in totals.uses}
    steps = [found for op in users if (found := _combination(op, totals)) is not None]
    if len(steps) != 1:
        return None
    step = _where_chosen(steps[0], totals)
    last = terminator(totals.owner)
    if not users <= {*step.ops} or not _follow_each_other(step.ops):
        return None
    inner = (part.results[0] for part in step.ops[:-1])
    if any(use.operation not in step.ops for value in inner for use in value.uses):
        return None
    result = step.ops[-1].results[0]
    yielded = only_user(result) is last and last.operands[number] is result
    return step if yielded else None


def _where_chosen(step: Step, totals: SSAValue) -> Step:
    """Return a step with the mask by which its result is taken, if there is one."""
    result = step.generic.op.results[0]
    # An op may name its operand once more, as what its result is like.
    following = {use.operation for use in result.uses}
    chosen = _choice(following.pop(), result, totals) if len(following) == 1 else None
    return step if chosen is None else replace(step, chosen=chosen)


def _combination(op: Operation, totals: SSAValue) -> Step | None:
    """Return what an op takes into `totals`."""
    generic = _of_one_op(op)
    if generic is None:
        return None
    if len(generic.inputs) == 3:
        return _extremum(generic, totals)
    name = generic.block.first_op.name
    if name not in COMBINERS or len(generic.inputs) != 2:
        return None
    if [value is totals for value in generic.inputs].count(True) != 1:
        return None
    taken = 1 if generic.inputs[0] is totals else 0
    inner = list(generic.block.first_op.operands)
    if not is_identity(generic.maps[1 - taken]) or {*inner} != {*generic.block.args[:2]}:
        return None
    return Step(name, generic, taken)


def _extremum(generic: Generic, totals: SSAValue) -> Step | None:
    """Return what an op takes into `totals` that chooses between the two by comparisons."""
    parts: list[Operation] = []

    def making(value: SSAValue, name: str) -> Made | None:
        op = value.owner
        found = _of_one_op(op) if isinstance(op, Operation) else None
        if found is None or found.block.first_op.name != name:
            return None
        if not is_pointwise(found, len(found.inputs)):
            return None
        if found.op is not generic.op and found.op not in parts:
            parts.append(found.op)
        inner = found.block.first_op
        arguments: list[SSAValue] = list(found.block.args)
        known = dict(zip(arguments, found.inputs, strict=False))
        operands: list[SSAValue] = list(inner.operands)
        return made(inner, [known.get(v, v) for v in operands])

    side, *two = extremum_of(generic.op.results[0], making) or (0,)
    if side == 0 or [value is totals for value in two].count(True) != 1:
        return None
    value = next(value for value in two if value is not totals)
    before: list[Operation] = []
    while len(before) < len(parts) and (op := (before or [generic.op])[0].prev_op) is not None:
        before.insert(0, op)
    if {*before} != {*parts}:
        return None
    return Step(_EXTREMA[side], generic, generic.inputs.index(value), tuple(before))


def _choice(op: Operation, new: SSAValue, old: SSAValue) -> Generic | None:
    """Return an op that only chooses between `new`, where its first operand holds, and `old`."""
    generic = _of_one_op(op)
    if generic is None or generic.block.first_op.name != "arith.select" or len(generic.inputs) != 3:
        return None
    if list(generic.inputs[1:]) != [new, old] or not all(map(is_identity, generic.maps[1:])):
        return None
    inner = list(generic.block.first_op.operands)
    return generic if inner == list(generic.block.args[:3]) else None


def _of_one_op(op: Operation) -> Generic | None:
    """Return a loop over all of a block whose body is one op; None for another."""
    if op.name != "linalg.generic":
        return None
    generic = generic_of(op)
    first = generic.block.first_op
    if first.next_op is not terminator(generic.block):
        return None
    return generic if is_loop_over_all(generic) and generic.yielded[0] is first.results[0] else None


def _follow_each_other(ops: Sequence[Operation]) -> bool:
    """Return whether nothing happens between ops."""
    return all(a.next_op is b for a, b in pairwise(ops))


# --- behind the loop --------------------------------------------------------------------


def reduction_behind(totals: SSAValue, combiner: str) -> Operation | None:
    """Return what makes one number of all of a long row of totals, if that is all that is done."""
    shape = shape_of(totals.type)
    long = [d for d, size in enumerate(shape) if size != 1]
    if len(long) != 1 or prod(shape) < SHORTEST:
        return None
    users = {use.operation for use in totals.uses}
    reduce = users.pop() if len(users) == 1 else _of_slices(users)
    if reduce is None or reduce.name != "linalg.reduce" or len(reduce.operands) != 2:
        return None
    generic = generic_of_reduce(reduce)
    is_whole = reduce.operands[0] is totals or whole_inputs(generic) == [totals]
    fits = is_whole and _combiner_of(generic) == combiner
    return reduce if fits and long[0] in integers(reduce, "dimensions") else None


@dataclass(frozen=True)
class Behind:
    """
    The reduction of a block along dimension `axis`.

    If there are `slices`, it begins with the first row, or column, and takes in the others.
    """

    op: Operation
    axis: int
    slices: tuple[Operation, ...]


def block_reduction_behind(totals: SSAValue, combiner: str) -> Behind | None:
    """Return what reduces a block of totals along one dimension, if that is all that is done."""
    users = {use.operation for use in totals.uses}
    slices = () if len(users) == 1 else (*users,)
    reduce = users.pop() if len(users) == 1 else _of_slices(users)
    if reduce is None or reduce.name != "linalg.reduce" or len(reduce.operands) != 2:
        return None
    generic, dimensions = generic_of_reduce(reduce), integers(reduce, "dimensions")
    is_whole = reduce.operands[0] is totals or whole_inputs(generic) == [totals]
    fits = is_whole and _combiner_of(generic) == combiner and len(dimensions) == 1
    return Behind(reduce, dimensions[0], slices) if fits else None


def _of_slices(users: set[Operation]) -> Operation | None:
    """Return the op that takes the first of a row, and the rest."""
    if len(users) != 2 or any(user.name != "tensor.extract_slice" for user in users):
        return None
    one, other = (only_user(user.results[0]) for user in users)
    return one if one is other else None


def _combiner_of(generic: Generic) -> str | None:
    """Return the op that a body comes to which combines floats of one block."""
    if is_plain_sum(generic.op):
        return "arith.addf"
    return _EXTREMA.get(side_kept(generic)) or simple_combiner(generic)


def is_plain_sum(reduce: Operation) -> bool:
    """Return whether a `linalg.reduce` adds up the floats of one block."""
    block: Any = single_block(reduce)
    first = block.first_op
    adds = first.name == "arith.addf" and {*first.operands} == {*block.args}
    plain = adds and terminator(block).operands[0] is first.results[0]
    return plain and len(reduce.operands) == 2
