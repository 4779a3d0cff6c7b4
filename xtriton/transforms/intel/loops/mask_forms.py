"""
Masks whose value is known from a loop's bounds, or decided in front of the loop.

Comparisons by any order, signed or not, and all that `arith.andi` makes of them. Bounds that
a type cannot hold decide nothing, so no sum is taken for one that does not wrap.
Source: `RemoveMasks.cpp` of the Intel XPU backend, August 2026. Other than there, an offset that
may be close to its type's limits is compared itself, and not what it is after an addition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from xtriton.analysis.integer_ranges import IntegerRanges
from xtriton.analysis.intel.values import final_value
from xtriton.dialects.upstream.arith import AddiOp, AndIOp, CmpiOp, ExtSIOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.constants import constant_int
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integer
from xtriton.transforms.intel.building import constant, find_or_create_constant, insert_before
from xtriton.transforms.intel.loops.versioning import known_int, last_induction_value

_LESS, _LESS_EQUAL, _MORE, _MORE_EQUAL = "lt", "le", "gt", "ge"
_ORDERS = {
    2: (_LESS, True), 3: (_LESS_EQUAL, True), 4: (_MORE, True), 5: (_MORE_EQUAL, True),
    6: (_LESS, False), 7: (_LESS_EQUAL, False), 8: (_MORE, False), 9: (_MORE_EQUAL, False),
}  # fmt: skip
"""For each predicate of `arith.cmpi` that orders, which order, and whether of signed numbers."""

_SWAPPED = {_LESS: _MORE, _LESS_EQUAL: _MORE_EQUAL, _MORE: _LESS, _MORE_EQUAL: _LESS_EQUAL}


def final(value: SSAValue) -> SSAValue:
    """Return what a value is without conversions; what a loop carries is not followed."""
    return final_value(value, through_loops=False)


def op_of(value: SSAValue) -> Operation | None:
    """Return the op that makes a value; None for a block argument."""
    return value.op if isinstance(value, OpResult) else None


def _width(type: Attribute) -> int | None:
    element = type.element_type if is_tensor(type) else type
    return element.bitwidth if isinstance(element, IntegerType) else None


def _limits(width: int, signed: bool) -> tuple[int, int]:
    return (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)


# --- known values ---------------------------------------------------------------------------


def known_mask(loop: ForOp, mask: SSAValue) -> bool | None:
    """Return what a mask is in all iterations of `loop`; None if that is not known."""
    op = op_of(final(mask))
    if isinstance(op, AndIOp):
        a, b = known_mask(loop, op.lhs), known_mask(loop, op.rhs)
        if a is False or b is False:
            return False
        return True if a and b else None
    return _known_comparison(loop, op) if isinstance(op, CmpiOp) else None


def _known_comparison(loop: ForOp, comparison: CmpiOp) -> bool | None:
    """Return what `i + range < constant` always is."""
    order = _ORDERS.get(comparison.predicate.value.data)
    total, bound = op_of(final(comparison.lhs)), constant_int(final(comparison.rhs))
    if order is None or bound is None or not isinstance(total, AddiOp):
        return None
    elements, variable = op_of(final(total.rhs)), final(total.lhs)
    first, last = known_int(loop.lb), last_induction_value(loop)
    if elements is None or elements.name != "tt.make_range" or first is None or last is None:
        return None
    if not _counts_as(loop, variable):
        return None
    least, most = first + integer(elements, "start"), last + integer(elements, "end") - 1
    kind, signed = order
    for type in (total.result.type, comparison.lhs.type):
        width = _width(type)
        low, high = (0, -1) if width is None else _limits(width, True)
        if least < low or most > high:
            return None
    if not signed:
        if least < 0:
            return None
        bound %= 1 << (_width(comparison.rhs.type) or 0)
    return _always(kind, least, most, bound)


def _always(kind: str, least: int, most: int, bound: int) -> bool | None:
    """Return what comparing numbers from `least` to `most` with `bound` gives."""
    if kind in (_LESS, _MORE_EQUAL):
        result = True if most < bound else False if least >= bound else None
        return result if kind == _LESS or result is None else not result
    result = True if most <= bound else False if least > bound else None
    return result if kind == _LESS_EQUAL or result is None else not result


def _counts_as(loop: ForOp, value: SSAValue) -> bool:
    """Return whether a value is the induction variable, or carried along as equal to it."""
    body = loop.body.block
    if not isinstance(value, BlockArgument) or value.block is not body:
        return False
    if value.index == 0:
        return True
    first, step = known_int(loop.lb), known_int(loop.step)
    end = body.last_op
    following = op_of(end.operands[value.index - 1]) if end is not None else None
    if not isinstance(following, AddiOp) or first is None or step is None:
        return False
    if constant_int(loop.iter_args[value.index - 1]) != first:
        return False
    other = following.rhs if following.lhs is value else following.lhs
    return value in following.operands and constant_int(other) == step


# --- conditions in front of the loop ----------------------------------------------------------


Ranges = Callable[[], IntegerRanges]
"""Gives the ranges of a module's integers, found when somebody asks."""


def is_decided_before(loop: ForOp, mask: SSAValue) -> bool:
    """Return whether one condition in front of `loop` can say that a mask is all true."""
    op = op_of(final(mask))
    if isinstance(op, AndIOp):
        return is_decided_before(loop, op.lhs) and is_decided_before(loop, op.rhs)
    if not isinstance(op, CmpiOp) or _is_inside(op, loop):
        return False
    return _offset_form(op) is not None or _range_form(op) is not None


def condition_before(loop: ForOp, mask: SSAValue, ranges: Ranges) -> SSAValue:
    """Make the condition in front of `loop` with which all elements of a mask are true."""
    op = op_of(final(mask))
    if isinstance(op, AndIOp):
        return _both(loop, *(condition_before(loop, part, ranges) for part in op.operands))
    assert isinstance(op, CmpiOp)
    shifted = _offset_form(op)
    if shifted is not None:
        return shifted.condition(loop, ranges())
    plain = _range_form(op)
    assert plain is not None
    return plain.condition(loop)


def _both(place: Operation, a: SSAValue, b: SSAValue) -> SSAValue:
    return a if a is b else insert_before(AndIOp(a, b), place, place.location)


def _is_inside(op: Operation, loop: ForOp) -> bool:
    parent = op.parent_op()
    while parent is not None and parent is not loop:
        parent = parent.parent_op()
    return parent is loop


def _predicate(kind: str, signed: bool) -> str:
    return ("s" if signed else "u") + kind


@dataclass(frozen=True)
class _RangeForm:
    """`value KIND number` for each number from `start` to `end`, or a comparison of scalars."""

    value: SSAValue
    kind: str
    signed: bool
    other: SSAValue | int
    ahead: bool = False
    """Whether the number stands in front, as in `number KIND value`."""

    def condition(self, place: Operation) -> SSAValue:
        a, kind, b = self.value, self.kind, self.other
        if isinstance(b, int):
            make = find_or_create_constant if self.ahead else _new_constant
            b = make(b, a.type, place)
            # Constants stand at the right.
            kind = _SWAPPED[kind] if self.ahead else kind
        return insert_before(CmpiOp(a, b, _predicate(kind, self.signed)), place, place.location)


def _new_constant(value: int, type: Attribute, place: Operation) -> SSAValue:
    return constant(value, type, place, place.location)


def _range_form(comparison: CmpiOp) -> _RangeForm | None:
    """Return what `range < N`, `N < range` or `N < M` says of all elements."""
    kind, signed = _ORDERS.get(comparison.predicate.value.data, ("", False))
    if kind not in (_LESS, _LESS_EQUAL):
        return None
    a, b = final(comparison.lhs), final(comparison.rhs)
    if isinstance(a, BlockArgument) and isinstance(b, BlockArgument):
        return _RangeForm(a, kind, signed, b) if a.type == b.type else None
    elements, value = (op_of(a), b) if isinstance(b, BlockArgument) else (op_of(b), a)
    if not isinstance(value, BlockArgument) or _width(value.type) is None:
        return None
    if elements is None or elements.name != "tt.make_range":
        return None
    ahead = value is b
    number = integer(elements, "end") - 1 if ahead else integer(elements, "start")
    if number > _limits(_width(value.type) or 1, True)[1]:
        return None
    return _RangeForm(value, kind, signed, number, ahead)


@dataclass(frozen=True)
class _OffsetForm:
    """`offset + range KIND bound`, as limits within which the offset makes all of it true."""

    offset: SSAValue
    limits: tuple[tuple[str, int], ...]
    """Predicates, and what the offset is compared with by them."""

    decisive: int
    """What the range adds to the offset in the element that decides for all."""

    last: int
    """The most that the range adds."""

    bound: int

    def condition(self, place: Operation, ranges: IntegerRanges) -> SSAValue:
        if self._holds_any_element(ranges):
            return self._of_element(place)
        result: SSAValue | None = None
        for predicate, bound in self.limits:
            number = find_or_create_constant(bound, self.offset.type, place)
            holds = insert_before(CmpiOp(self.offset, number, predicate), place, place.location)
            result = holds if result is None else _both(place, result, holds)
        assert result is not None
        return result

    def _holds_any_element(self, ranges: IntegerRanges) -> bool:
        """Return whether the offset can never be so large that an element wraps around."""
        known, width = ranges.range(self.offset), _width(self.offset.type)
        if known is None or width is None:
            return False
        least, most = known
        return least >= 0 and most + self.last <= _limits(width, True)[1]

    def _of_element(self, place: Operation) -> SSAValue:
        """Make the condition that the decisive element is in front of the bound."""
        type, total = self.offset.type, self.offset
        if self.decisive:
            added = AddiOp(total, _new_constant(self.decisive, type, place))
            total = insert_before(added, place, place.location)
        bound = _new_constant(self.bound, type, place)
        comparison = CmpiOp(total, bound, self.limits[0][0])
        return insert_before(comparison, place, place.location)


def _offset_form(comparison: CmpiOp) -> _OffsetForm | None:
    order = _ORDERS.get(comparison.predicate.value.data)
    bound = constant_int(final(comparison.rhs))
    total = op_of(comparison.lhs)
    while total is not None and total.name == "tt.expand_dims":
        total = op_of(total.operands[0])
    if order is None or bound is None or not isinstance(total, AddiOp):
        return None
    for splat, elements in ((total.lhs, total.rhs), (total.rhs, total.lhs)):
        made, numbers = op_of(splat), op_of(elements)
        if isinstance(numbers, ExtSIOp):
            numbers = op_of(numbers.operands[0])
        if made is None or made.name != "tt.splat" or numbers is None:
            continue
        if numbers.name == "tt.make_range":
            return _limited(made.operands[0], numbers, *order, bound)
    return None


def _limited(
    offset: SSAValue, numbers: Operation, kind: str, signed: bool, bound: int
) -> _OffsetForm | None:
    width = _width(offset.type)
    if width is None:
        return None
    low, high = _limits(width, signed)
    first, last = integer(numbers, "start"), integer(numbers, "end") - 1
    bound = bound if signed else bound % (1 << width)
    decisive = last if kind in (_LESS, _LESS_EQUAL) else first
    shifted = bound - decisive
    if not low <= shifted <= high or last > high:
        return None
    limits = [(_predicate(kind, signed), shifted)]
    if kind in (_MORE, _MORE_EQUAL) and last:
        # The last element must not wrap around.
        limits.append((_predicate(_LESS_EQUAL, signed), high - last))
    signs = tuple((name, _as_signed(x, width)) for name, x in limits)
    return _OffsetForm(offset, signs, decisive, last, _as_signed(bound, width))


def _as_signed(value: int, width: int) -> int:
    return value - (1 << width) if value >= 1 << width - 1 else value
