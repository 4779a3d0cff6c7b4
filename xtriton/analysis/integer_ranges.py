"""
Between which numbers each integer of a module lies, whatever wraps around.

Other than the closed forms of `index_analysis`, which take address arithmetic not to overflow,
this is true of every value, so that folds may rest on it. A value of which `llvm.intr.assume`
says something, in the block that makes it, is what it is said to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xtriton.analysis.interval_rules import (
    OVERFLOWING,
    RULES,
    Interval,
    decided,
    full,
    hull,
    meet,
    signed,
    unsigned,
)
from xtriton.analysis.sparse_flow import SparseFlow
from xtriton.dialects.upstream.arith import CmpiOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.constants import constant_attribute
from xtriton.dialects.utils.tensors import (
    is_dense,
    is_integer,
    is_integer_attr,
    is_tensor,
    is_vector,
)
from xtriton.ir import dense
from xtriton.ir.attributes import integer

NO_INTEGER: Interval = (1, 0)
"""The state of a value that is no integer, or tensor of integers."""

MOST_STEPS = 4
"""How often a bound may move before it goes to the end; time stays linear in the module."""

_GRID = (1 << 31) - 1

_SAME_ELEMENTS = frozenset(
    ("tt.broadcast", "tt.expand_dims", "tt.gather", "tt.reshape", "tt.splat", "tt.split",
     "tt.trans", "tt.unsplat", "ttg.convert_layout")
)  # fmt: skip
"""Ops whose results have no elements that the first operand does not have."""

_MAY_NOT_GO_ON = frozenset(("cf.assert", "func.call", "scf.while", "tt.assert", "tt.call"))
"""Ops after which the next one may never be reached."""

_ASSUMPTION = "llvm.intr.assume"
"""Known by its name, as few kernels have what the whole dialect would be imported for."""


def width_of(type: Attribute) -> int:
    """Return how many bits an integer, or each of a tensor's, has; 0 for other types."""
    if is_tensor(type) or is_vector(type):
        type = type.element_type
    if isinstance(type, IndexType):
        return 64
    return type.bitwidth if is_integer(type) else 0


def integer_ranges(module: ModuleOp, *, without_overflow: bool = False) -> IntegerRanges:
    """
    Return the ranges of the integers of a module.

    `without_overflow` takes it that sums, differences and products never leave their
    width as signed numbers.
    """
    found = IntegerRanges(without_overflow=without_overflow, assumed=_assumptions(module))
    found.run(module)
    return found


@dataclass
class IntegerRanges(SparseFlow[Interval]):
    """The ranges of values, as signed numbers; True is -1. Ask with `range`."""

    without_overflow: bool = False
    assumed: dict[SSAValue, Interval] = field(default_factory=dict[SSAValue, Interval])
    _constants: dict[SSAValue, Interval | None] = field(
        default_factory=dict[SSAValue, Interval | None]
    )
    _steps: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])

    def range(self, value: SSAValue) -> Interval | None:
        """Return the least and the greatest value; None if it is no integer or never made."""
        state = self.state(value)
        return None if state == NO_INTEGER else state

    def comparison(self, op: CmpiOp) -> bool | None:
        """Return what a comparison always says; None if it depends."""
        a, b = self.range(op.lhs), self.range(op.rhs)
        if a is None or b is None:
            return None
        return decided(integer(op, "predicate"), a, b, width_of(op.lhs.type))

    def constant(self, value: SSAValue) -> Interval | None:
        """Return between which numbers the elements of a constant lie."""
        if value not in self._constants:
            self._constants[value] = _of_constant(value)
        return self._constants[value]

    def unknown(self, value: SSAValue) -> Interval:
        """Return all numbers of the type of a value."""
        width = width_of(value.type)
        return full(width) if width else NO_INTEGER

    def joined(self, value: SSAValue, old: Interval, new: Interval) -> Interval:
        """Return both ranges together; bounds that keep moving go to the end."""
        if old == NO_INTEGER:
            return old
        low, high = hull(old, new)
        if (low, high) == old:
            return old
        steps = self._steps[value] = self._steps.get(value, 0) + 1
        if steps > MOST_STEPS:
            least, most = self._limits(value)
            low, high = least if low < old[0] else low, most if high > old[1] else high
        return low, high

    def _limits(self, value: SSAValue) -> Interval:
        return self._within(value, full(width_of(value.type)))

    def _within(self, value: SSAValue, found: Interval) -> Interval:
        """Return what is assumed of a value as well; what contradicts itself never happens."""
        assumed = self.assumed.get(value)
        return found if assumed is None else meet(found, assumed) or found

    def _join(self, value: SSAValue, new: Interval | None) -> None:
        super()._join(value, None if new is None else self._within(value, new))

    def truth_of(self, state: Interval) -> bool | None:
        """Return whether an i1 of a range is true; None if it may be or not."""
        return None if state[0] < state[1] else state[0] != 0

    def induction_variable(self, loop: ForOp) -> Interval | None:
        """Return the range of a loop's induction variable: from its bounds, compared as signed."""
        argument = loop.body.block.args[0]
        bounds = [self.state(value) for value in (loop.lb, loop.ub, loop.step)]
        if None in bounds:
            return None
        lower, upper, step = (bound for bound in bounds if bound is not None)
        if "unsignedCmp" in loop.properties or step[0] <= 0:
            return self.unknown(argument)
        return lower[0], max(lower[0], upper[1] - 1)

    def results(self, op: Operation, states: Sequence[Interval]) -> Sequence[Interval] | None:
        """Return the ranges of the results of an op that has a rule."""
        width = width_of(op.results[0].type) if op.results else 0
        found = self._result(op, states, width) if width else None
        if found is None:
            return None
        everything = full(width)
        if found[0] < everything[0] or found[1] > everything[1]:
            clips = self.without_overflow and op.name in OVERFLOWING
            found = (meet(found, everything) if clips else None) or everything
        return [found] * len(op.results)

    def _result(self, op: Operation, states: Sequence[Interval], width: int) -> Interval | None:
        name = op.name
        if (rule := RULES.get(name)) is not None:
            return rule(states, width)
        rule = _OWN_RULES.get(name)
        return None if rule is None else rule(self, op, states, width)


def _comparison(
    ranges: IntegerRanges, op: Operation, states: Sequence[Interval], width: int
) -> Interval:
    assert isinstance(op, CmpiOp)
    truth = ranges.comparison(op)
    return (-1, 0) if truth is None else (-int(truth), -int(truth))


def _extended(
    ranges: IntegerRanges, op: Operation, states: Sequence[Interval], width: int
) -> Interval | None:
    source = width_of(op.operands[0].type)
    wide = unsigned(states[0], source)
    return wide if width > source else signed(wide, width) if width == source else None


def _selected(
    ranges: IntegerRanges, op: Operation, states: Sequence[Interval], width: int
) -> Interval:
    truth = ranges.truth_of(states[0])
    return hull(*states[1:]) if truth is None else states[1 if truth else 2]


_OWN_RULES: dict[
    str, Callable[[IntegerRanges, Operation, Sequence[Interval], int], Interval | None]
] = {
    **dict.fromkeys(_SAME_ELEMENTS, lambda ranges, op, states, width: states[0]),
    "arith.cmpi": _comparison,
    "arith.extsi": lambda ranges, op, states, width: states[0],
    "arith.index_cast": lambda ranges, op, states, width: states[0],
    "arith.trunci": lambda ranges, op, states, width: states[0],
    "arith.extui": _extended,
    "arith.index_castui": _extended,
    "arith.select": _selected,
    "tt.cat": lambda ranges, op, states, width: hull(*states),
    "tt.join": lambda ranges, op, states, width: hull(*states),
    "tt.get_num_programs": lambda ranges, op, states, width: (1, _GRID),
    "tt.get_program_id": lambda ranges, op, states, width: (0, _GRID),
    "tt.make_range": lambda ranges, op, states, width: (
        integer(op, "start"),
        integer(op, "end") - 1,
    ),
}

UNDERSTOOD = frozenset((*RULES, *_OWN_RULES))
"""Ops of whose results more is known than their type."""


def _of_constant(value: SSAValue) -> Interval | None:
    width = width_of(value.type)
    attribute = constant_attribute(value) if width else None
    if is_integer_attr(attribute):
        numbers = (attribute.value.data,)
    elif is_dense(attribute):
        splat = dense.is_splat(attribute)
        numbers = (dense.splat_value(attribute),) if splat else dense.values(attribute)
    else:
        return None
    half = 1 << (width - 1)
    wrapped = [(int(number) + half) % (2 * half) - half for number in numbers]
    return (min(wrapped), max(wrapped)) if wrapped else None


# --- assumptions --------------------------------------------------------------------------


def _assumptions(module: ModuleOp) -> dict[SSAValue, Interval]:
    """Return what assumptions say of values that are made in their block."""
    assumptions = [op for op in module.walk() if op.name == _ASSUMPTION]
    if not assumptions:
        return {}
    stops = _stops(module)
    found: dict[SSAValue, Interval] = {}
    for block in dict.fromkeys(op.parent for op in assumptions):
        if block is not None:
            found.update(_of_block(block, stops))
    return found


def _stops(module: ModuleOp) -> set[Operation]:
    """Return the ops after which the next one may never be reached, those around them too."""
    found: set[Operation] = set()
    for op in module.walk():
        around: Operation | None = op if op.name in _MAY_NOT_GO_ON else None
        while around is not None and around not in found:
            found.add(around)
            around = around.parent_op()
    return found


def _of_block(block: Block, stops: set[Operation]) -> dict[SSAValue, Interval]:
    """Return what is said of the values of a block on every way from where they are made."""
    found: dict[SSAValue, Interval] = {}
    said: dict[SSAValue, Interval] = {}
    for op in reversed(list(block.ops)):
        if op in stops:
            said.clear()
        if op.name == _ASSUMPTION:
            for value, interval in _said(op.operands[0]):
                said[value] = meet(said.get(value, interval), interval) or interval
        found.update((result, said[result]) for result in op.results if result in said)
    found.update((argument, said[argument]) for argument in block.args if argument in said)
    return found


def _said(condition: SSAValue) -> Iterator[tuple[SSAValue, Interval]]:
    """Yield what a condition that holds says of values."""
    op = condition.owner
    if isinstance(op, Operation) and op.name == "arith.andi":
        for operand in op.operands:
            yield from _said(operand)
    if not isinstance(op, CmpiOp):
        return
    predicate, width = integer(op, "predicate"), width_of(op.lhs.type)
    if (bound := _of_constant(op.rhs)) is not None:
        interval = _bound(predicate, bound, width)
        if interval is not None:
            yield op.lhs, interval
    if (bound := _of_constant(op.lhs)) is not None:
        interval = _bound(_SWAPPED[predicate], bound, width)
        if interval is not None:
            yield op.rhs, interval


_SWAPPED = (0, 1, 4, 5, 2, 3, 8, 9, 6, 7)
"""The predicate that says of b and a what another one, by number, says of a and b."""


def _bound(predicate: int, bound: Interval, width: int) -> Interval | None:
    """Return which numbers may compare to those of `bound` as a predicate says."""
    least, most = full(width)
    low, high = bound
    if predicate >= 8 or (predicate >= 6 and low < 0):
        return None
    if predicate >= 6:
        least, predicate = 0, predicate - 4
    found = (bound, None, (least, high - 1), (least, high), (low + 1, most), (low, most))[predicate]
    return found if found is not None and found[0] <= found[1] else None
