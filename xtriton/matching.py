"""
What a pass of one's own asks and makes: matchers of op chains, and ops with inferred types.

    is_remainder = xt.m_op(RemUIOp, xt.m_any("x"), xt.m_constant("by"))

    @xt.rewrite_pattern
    def to_mask(op: RemUIOp, rewriter: xt.PatternRewriter) -> None:
        found = xt.match(op.result, is_remainder)
        if found is not None and found["by"].bit_count() == 1:
            mask = xt.make_constant(rewriter, found["by"] - 1, op.result.type)
            rewriter.replace(op, AndIOp(found["x"], mask))
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i1
from xdsl.ir import Attribute, Operation, OpResult, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.arith import ConstantOp
from xtriton.errors import Position, UserError
from xtriton.ir.attributes import integer
from xtriton.ir.op_plan import Arity, OpPlan, plan_of
from xtriton.transforms.cleanup.constants import constant_of, uniform_constant, uniform_value

Found = dict[str, Any]
"""What a match is made of, by the names that the matchers give."""

_COMMUTATIVE = """
    addf addi andi maximumf maxnumf maxsi maxui minimumf minnumf minsi minui mulf muli ori xori
"""
COMMUTATIVE = frozenset(f"arith.{name}" for name in _COMMUTATIVE.split())
"""Ops of two operands that may be matched the other way round."""

Test = Callable[[SSAValue, Found], bool]


@dataclass(frozen=True)
class Matcher:
    """Says of a value whether it fits; adds what has a name to what was found."""

    test: Test
    text: str
    """For people: what it fits."""

    def __repr__(self) -> str:
        return self.text


def match(value: SSAValue, matcher: Matcher) -> Found | None:
    """Return what `matcher` names in the ops that make `value`; None where they do not fit."""
    found: Found = {}
    return found if matcher.test(value, found) else None


def m_any(name: str | None = None) -> Matcher:
    """Fit any value. A name that is met twice has to be the same value."""
    return Matcher(lambda value, found: _bind(found, name, value), name or "anything")


def m_constant(name: str | None = None, value: float | None = None) -> Matcher:
    """
    Fit a number known while compiling: a scalar constant, a tensor of one number, its splat.

    The name is bound to the number, a Python `int` or `float`; integers are signed.
    """

    def test(candidate: SSAValue, found: Found) -> bool:
        number = constant_value(candidate)
        if number is None or (value is not None and number != value):
            return False
        return _bind(found, name, number)

    return Matcher(test, f"constant {name or value or ''}".strip())


def m_splat(scalar: Matcher | None = None) -> Matcher:
    """Fit `tt.splat` of a scalar that fits."""
    return _of_name("tt.splat", (scalar or m_any(),))


def m_range(name: str | None = None) -> Matcher:
    """Fit `tt.make_range`; the name is bound to Python's `range` of its elements."""

    def test(value: SSAValue, found: Found) -> bool:
        op = value.owner
        if not isinstance(op, Operation) or op.name != "tt.make_range":
            return False
        start, end = (integer(op, key) for key in ("start", "end"))
        return _bind(found, name, range(start, end))

    return Matcher(test, f"range {name or ''}".strip())


def m_op(op_class: type[Operation], *operands: Matcher, name: str | None = None) -> Matcher:
    """
    Fit the result of an op whose operands fit, in either order where that changes nothing.

    The name is bound to the op. Without operands any fit.
    """
    return _of_name(op_class.name, operands, name)


def m_either(*matchers: Matcher) -> Matcher:
    """Fit what one of the matchers fits, the first if more than one does."""

    def test(value: SSAValue, found: Found) -> bool:
        return any(_attempt(found, partial(m.test, value)) for m in matchers)

    return Matcher(test, " or ".join(map(repr, matchers)))


def constant_value(value: SSAValue) -> int | float | None:
    """Return the number that a value is throughout, through splats; None if it is not known."""
    while isinstance(value, OpResult) and value.op.name in ("tt.splat", "tensor.splat"):
        value = value.op.operands[0]
    return uniform_value(constant_of(value))


def _of_name(op_name: str, operands: tuple[Matcher, ...], name: str | None = None) -> Matcher:
    def test(value: SSAValue, found: Found) -> bool:
        op = value.owner
        if not isinstance(op, Operation) or op.name != op_name:
            return False
        orders = [operands]
        if op_name in COMMUTATIVE and len(operands) == 2:
            orders.append((operands[1], operands[0]))
        fits = any(_attempt(found, partial(_all_fit, op, order)) for order in orders)
        return fits and _bind(found, name, op)

    return Matcher(test, f"{op_name}({', '.join(map(repr, operands))})")


def _all_fit(op: Operation, matchers: tuple[Matcher, ...], found: Found) -> bool:
    if not matchers:
        return True
    return len(op.operands) == len(matchers) and all(
        matcher.test(operand, found) for matcher, operand in zip(matchers, op.operands, strict=True)
    )


def _attempt(found: Found, test: Callable[[Found], bool]) -> bool:
    """Keep what a test found only where it succeeds."""
    new = dict(found)
    if not test(new):
        return False
    found |= new
    return True


def _bind(found: Found, name: str | None, value: Any) -> bool:
    if name is None:
        return True
    known = found.setdefault(name, value)
    return known is value or (not isinstance(value, (SSAValue, Operation)) and known == value)


# --- making ops ---------------------------------------------------------------------------


def make(
    place: PatternRewriter | Operation,
    op_class: type[Operation],
    *operands: SSAValue | Operation | Sequence[SSAValue] | None,
    result_type: Attribute | Sequence[Attribute] | None = None,
    regions: Sequence[Region] = (),
    **properties: Attribute | int | str | bool,
) -> Any:
    """
    Insert an op in front of `place`, an op or where a rewriter stands; return it.

    Its type follows from its operands, as in text that leaves it out; where that is not so,
    `result_type` says it, of several results in a list. It takes the location of the place. An
    operand that may be missing is None or left out at the end, one that may be many is a list, or
    all that is left. Properties that are not given have their defaults. Raises `UserError`, with
    the line that calls this, for operands that do not fit and for an op that would be invalid.
    """
    plan = plan_of(op_class)
    if plan is None or not issubclass(op_class, IRDLOperation):
        raise _at_caller(f"'{op_class.__name__}' is no class of ops that can be made by name")
    groups = _operand_groups(plan, operands)
    attributes = {n: p.default for n, p in plan.properties.items() if p.default is not None}
    attributes |= {name: _attribute(value, plan, name) for name, value in properties.items()}
    types = _inferred(plan, groups) if result_type is None else _listed(result_type)
    many = len(plan.results) == 1 and plan.results[0].arity is not Arity.SINGLE
    try:
        op = op_class.build(
            operands=groups,
            result_types=[types] if many else types,
            properties=attributes,
            regions=regions,
        )
    except ValueError as error:
        raise _at_caller(f"no '{op_class.name}' can be made of this: {error}") from error
    try:
        op.verify(verify_nested_ops=False)
    except VerifyException as error:
        op.drop_all_references()
        raise _at_caller(f"this '{op.name}' is not valid: {error}") from error
    return _insert(place, op)


def make_constant(
    place: PatternRewriter | Operation, number: float, like: Attribute | SSAValue
) -> SSAValue:
    """Return a constant of the type of `like`, a scalar or a tensor full of the number."""
    type = like.type if isinstance(like, SSAValue) else like
    try:
        constant = ConstantOp(uniform_constant(type, number))
    except Exception as error:  # xDSL raises anything for a type without numbers
        raise _at_caller(f"there is no constant {number} of the type {type}") from error
    return _insert(place, constant).results[0]


def _insert(place: PatternRewriter | Operation, op: Operation) -> Operation:
    if isinstance(place, PatternRewriter):
        return place.insert(op)
    if place.parent is None:
        raise _at_caller(f"'{place.name}' stands nowhere, so nothing can be put in front of it")
    op.location = place.location
    point = InsertPoint.before(place)
    point.block.insert_op_before(op, place)
    return op


def _result(op: Operation) -> SSAValue:
    if len(op.results) != 1:
        raise _at_caller(f"'{op.name}' has {len(op.results)} results; say which is the operand")
    return op.results[0]


def _listed(types: Attribute | Sequence[Attribute]) -> list[Attribute]:
    return [types] if isinstance(types, Attribute) else list(types)


def _operand_groups(
    plan: OpPlan, operands: Sequence[SSAValue | Operation | Sequence[SSAValue] | None]
) -> list[list[SSAValue]]:
    """Return the values of each operand that the class defines."""
    groups: list[list[SSAValue]] = []
    for operand in operands:
        if operand is None:
            groups.append([])
        elif isinstance(operand, SSAValue | Operation):
            groups.append([operand if isinstance(operand, SSAValue) else _result(operand)])
        else:
            groups.append(list(operand))
    count = len(plan.operands)
    if len(groups) > count > 0 and plan.operands[-1].arity is Arity.VARIADIC:
        groups[count - 1 :] = [[value for group in groups[count - 1 :] for value in group]]
    singles = [of for of in plan.operands[len(groups) :] if of.arity is Arity.SINGLE]
    if len(groups) > count or singles:
        raise _at_caller(f"'{plan.cls.name}' takes {count} operands, got {len(groups)}")
    return groups + [[]] * (count - len(groups))


def _inferred(plan: OpPlan, groups: list[list[SSAValue]]) -> list[Attribute]:
    """Return the types of the results, by the rules that text is read with."""
    types: dict[str, Attribute] = {
        of.name: of.known_type for of in plan.results if of.known_type is not None
    }
    types |= {of.name: v[0].type for of, v in zip(plan.operands, groups, strict=True) if v}
    for _ in plan.rules:
        for rule in plan.rules:
            if rule.target not in types and rule.source in types:
                types[rule.target] = rule.function(types[rule.source])
    results = [of.name for of in plan.results if of.arity is Arity.SINGLE]
    if missing := [name for name in results if name not in types]:
        raise _at_caller(
            f"the type of '{missing[0]}' of '{plan.cls.name}' does not follow from its operands: "
            "give result_type"
        )
    return [types[name] for name in results]


def _attribute(value: Any, plan: OpPlan, name: str) -> Attribute:
    if isinstance(value, Attribute):
        return value
    known = plan.properties.get(name)
    if isinstance(value, bool):
        return IntegerAttr(int(value), i1)
    if isinstance(value, int):
        type: Any = known.type if known is not None and known.type is not None else 32
        return IntegerAttr(value, type)
    return StringAttr(value)


def _at_caller(message: str) -> UserError:
    """Return an error at the innermost line that is none of xtriton's or xDSL's."""
    frame = sys._getframe(1)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.split(".")[0] not in ("xtriton", "xdsl"):
            file = frame.f_code.co_filename
            return UserError(message, Position(file, frame.f_lineno, 1))
        frame = frame.f_back
    return UserError(message)
