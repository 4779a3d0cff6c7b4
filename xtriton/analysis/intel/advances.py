"""
How far integers and pointers move from one iteration of a loop to the next.

Along each dimension of the tensor, in elements, as `StrideInfo.cpp` of the Intel XPU backend
tells it. Other than there, what a loop carries moves by what the loop adds to it, and what has no
rule is not known to stay; `AdvancesAsBackend` tells what the backend takes for true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free

from xtriton.dialects.tt.shapes import ExpandDimsOp, TransOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.constants import constant_int
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integers
from xtriton.ir.value_flow import sources

Advance = tuple[int | None, ...]
"""One number for each dimension, one for a scalar; None where it is not known."""

_SPREADING = frozenset(("tt.splat", "tt.broadcast", "ttg.convert_layout"))
_KEEPING = frozenset(
    (
        "arith.extsi",
        "arith.extui",
        "arith.index_cast",
        "arith.trunci",
        "tt.bitcast",
        "tt.broadcast",
        "ttg.convert_layout",
    )
)
_ADDING = frozenset(("arith.addi", "tt.addptr"))
_DIVIDING = frozenset(("arith.divsi", "arith.divui"))
_RULED = (
    _KEEPING
    | _ADDING
    | _DIVIDING
    | frozenset(("arith.subi", "arith.muli", "arith.remsi", "arith.remui"))
    | frozenset(("tt.splat", "tt.expand_dims", "tt.trans"))
)
"""Ops that the backend has a rule for."""


class Advances:
    """What moves in the iterations of one loop; each value is looked at once."""

    def __init__(self, loop: Operation):
        self.loop = loop
        self._known: dict[SSAValue, Advance] = {}

    def of(self, value: SSAValue) -> Advance:
        """Return how far `value` moves in an iteration."""
        pending = [value]
        while pending:
            current = pending[-1]
            if current in self._known:
                pending.pop()
                continue
            missing = [v for v in self._needed(current) if v not in self._known]
            if missing:
                pending += missing
            else:
                self._known[pending.pop()] = self._found(current)
        return self._known[value]

    def _is_inside(self, value: SSAValue) -> bool:
        owner = value.owner
        place = owner.parent if isinstance(owner, Operation) else owner
        return place is not None and self.loop.is_ancestor(place)

    def _needed(self, value: SSAValue) -> Sequence[SSAValue]:
        if not self._is_inside(value):
            return ()
        if isinstance(value, OpResult):
            return () if value.op.regions else value.op.operands
        start = _start(value)
        return () if start is None else (start,)

    def _found(self, value: SSAValue) -> Advance:
        rank = len(value.type.get_shape()) if is_tensor(value.type) else 1
        unknown: Advance = (None,) * rank
        if not self._is_inside(value):
            return (0,) * rank
        if isinstance(value, BlockArgument):
            return self._of_argument(value, rank)
        op = value.owner
        if not isinstance(op, Operation) or op.regions or not is_side_effect_free(op):
            return unknown
        operands = [self._known[operand] for operand in op.operands]
        found = _through(op, operands)
        if found is not None:
            return found
        return unknown if any(any(a != 0 for a in moved) for moved in operands) else (0,) * rank

    def _of_argument(self, value: BlockArgument, rank: int) -> Advance:
        loop = value.block.parent_op()
        if not isinstance(loop, ForOp):
            return (None,) * rank
        if value.index == 0:
            return (constant_int(loop.step),) if loop is self.loop else (0,)
        step = _step_of(value)
        if step is None:
            return (None,) * rank
        if loop is self.loop:
            return (step,) * rank
        # An inner loop begins anew in each iteration of this one.
        start = _start(value)
        assert start is not None
        return self._known[start]


class AdvancesAsBackend(Advances):
    """
    What moves in the iterations of one loop as the backend takes it.

    What control flow hands on moves as all that may be handed on, where that is one. What has no
    rule stays, such as what is loaded, and so do products of scalars none of which is a constant.
    """

    def __init__(self, loop: Operation):
        super().__init__(loop)
        self._joined: dict[SSAValue, Advance] = {}
        """What control flow hands on, where that moves otherwise than what it hands on first."""
        handed_on = {value: found for value in _made_in(loop) if (found := sources(value))}
        changed = True
        while changed:
            self._known.clear()
            joined = {value: self._join(found) for value, found in handed_on.items()}
            changed = any(joined[value] != self.of(value) for value in joined)
            self._joined = joined

    def _join(self, values: Sequence[SSAValue]) -> Advance:
        first, *others = map(self.of, values)
        return reduce(lambda a, b: _each(_agreed, a, b), others, first)

    def _needed(self, value: SSAValue) -> Sequence[SSAValue]:
        if not self._is_inside(value) or value in self._joined:
            return ()
        handed_on = sources(value)
        if handed_on:
            return handed_on[:1]
        return value.op.operands if isinstance(value, OpResult) else ()

    def _found(self, value: SSAValue) -> Advance:
        rank = len(value.type.get_shape()) if is_tensor(value.type) else 1
        if not self._is_inside(value):
            return (0,) * rank
        if value in self._joined:
            return self._joined[value]
        handed_on = sources(value)
        if handed_on:
            return self._known[handed_on[0]]
        if not isinstance(value, OpResult):
            return self._of_argument(value, rank) if isinstance(value, BlockArgument) else (0,)
        return self._of_result(value.op, rank)

    def _of_result(self, op: Operation, rank: int) -> Advance:
        operands = [self._known[operand] for operand in op.operands]
        if op.name not in _RULED:
            return (0,) * rank
        found = _through(op, operands)
        if found is None:
            moves = any(any(a != 0 for a in moved) for moved in operands)
            stays = not moves or (op.name == "arith.muli" and not is_tensor(op.results[0].type))
            return (0,) * rank if stays else (None,) * rank
        # The backend's sign of what it does not know is a negative number.
        return tuple(None if a is not None and a < 0 else a for a in found)


def _made_in(loop: Operation) -> Iterator[SSAValue]:
    for op in loop.walk():
        for region in op.regions:
            for block in region.blocks:
                yield from block.args
        if op is not loop:
            yield from op.results


def _agreed(a: int, b: int) -> int | None:
    return a if a == b else None


def _start(value: SSAValue) -> SSAValue | None:
    """Return what a loop carries in its argument `value` at first."""
    loop = value.owner.parent_op()
    if not isinstance(value, BlockArgument) or not isinstance(loop, ForOp) or value.index == 0:
        return None
    return loop.iter_args[value.index - 1]


def _step_of(value: BlockArgument) -> int | None:
    """Return the constant that a loop adds to the value that it carries, 0 if it stays."""
    end = value.block.last_op
    assert end is not None
    current, total = end.operands[value.index - 1], 0
    while current is not value:
        if not isinstance(current, OpResult) or current.op.name not in _ADDING:
            return None
        added = constant_of(current.op.operands[1])
        if added is None:
            return None
        current, total = current.op.operands[0], total + added
    return total


def constant_of(value: SSAValue) -> int | None:
    """Return the integer that `value` is, or all elements of it, splats looked through."""
    while isinstance(value, OpResult) and value.op.name in _SPREADING:
        value = value.op.operands[0]
    return constant_int(value)


def _through(op: Operation, operands: Sequence[Advance]) -> Advance | None:
    """Return how far the result of an op moves whose operands do; None where no rule says."""
    if op.name in _KEEPING:
        return operands[0]
    if op.name in _ADDING:
        return _each(lambda a, b: a + b, *operands)
    if op.name == "arith.subi":
        return _each(lambda a, b: a - b, *operands)
    if op.name == "arith.muli":
        for moved, other in (operands, operands[::-1]):
            factor = constant_of(op.operands[1 if moved is operands[0] else 0])
            if factor is not None and not any(other):
                return _each(lambda a, b, c=factor: a * c, moved, moved)
        return None
    if op.name in _DIVIDING:
        divisor = constant_of(op.operands[1])
        if divisor and all(a is not None and a % divisor == 0 for a in operands[0]):
            return _each(lambda a, b, c=divisor: a // c, operands[0], operands[0])
        return None
    return _through_view(op, operands)


def _through_view(op: Operation, operands: Sequence[Advance]) -> Advance | None:
    if op.name == "tt.splat":
        type = op.results[0].type
        return operands[0] * (len(type.get_shape()) if is_tensor(type) else 1)
    if isinstance(op, ExpandDimsOp):
        axis = op.axis.value.data
        return (*operands[0][:axis], 0, *operands[0][axis:])
    if isinstance(op, TransOp):
        return tuple(operands[0][d] for d in integers(op, "order"))
    return None


def _each(function: Callable[[int, int], int | None], a: Advance, b: Advance) -> Advance:
    return tuple(
        None if x is None or y is None else function(x, y) for x, y in zip(a, b, strict=True)
    )
