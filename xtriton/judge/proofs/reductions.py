# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
Reductions, scans and products of matrices of which only some rows are equal in two kernels.

A row that is masked off is summed up all the same, and its sum is not stored. So two sums are one
unknown number where a condition on rows makes all that is summed up equal, and two elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import isfinite
from typing import Any

import z3
from xdsl.ir import Operation

from xtriton.interpreter.types import info, integer
from xtriton.judge.proofs.formulas import LANES, Term, context, given, is_zero, literal_value
from xtriton.judge.proofs.walk import Walk
from xtriton.judge.proofs.zeros import never_negative_zero

MOST_CONDITIONS = 4
"""On rows, of which each way that they may hold is tried."""

_CONNECTIVES = frozenset(
    (z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_NOT, z3.Z3_OP_ITE, z3.Z3_OP_IMPLIES, z3.Z3_OP_XOR)
)


def reduced_rows(walk: Walk, one: Operation, other: Operation) -> bool:
    """
    Give two reductions or scans results that are equal in the rows where their operands are.

    Return whether there are such rows; otherwise nothing is done.
    """
    axis = integer(one, "axis")
    where = _equal_along(walk, one, other, [axis] * len(one.operands))
    if where is None:
        return False
    if one.name == "tt.reduce":
        moved = [(LANES[d], LANES[d - 1]) for d in range(axis + 1, len(LANES))]
        where = z3.substitute(where, *moved)
    facts = given(*(walk.terms[o] for o in (*one.operands, *other.operands)))
    _equal_where(walk, one, other, where, facts if one.name == "tt.scan" else ())
    return True


def multiplied_rows(walk: Walk, one: Operation, other: Operation) -> bool:
    """
    Give two products of matrices results that are equal where rows and columns of factors are.

    Where what they are added to differs, results do too. Return whether there are elements that
    are equal; otherwise nothing is done.
    """
    if len(info(one.results[0].type).shape) != 2:
        return False
    factors = zip(one.operands[:2], other.operands[:2], strict=True)
    where: Any = z3.BoolVal(True, context())
    if not all(walk.terms[a].formula.eq(walk.terms[b].formula) for a, b in factors):
        where = _equal_along(walk, one, other, [1, 0])
        if where is None:
            return False
    mine, theirs = (walk.terms[op.operands[2]].formula for op in (one, other))
    where = z3.simplify(z3.And(where, mine == theirs))
    if z3.is_false(where):
        return False
    _equal_where(walk, one, other, where, ())
    return True


def multiplied_zeros(walk: Walk, one: Operation, other: Operation) -> bool:
    """
    Whether two products of matrices differ in nothing but zeros that they add.

    To a sum that is no -0 a zero adds nothing, whatever its sign. Products are zeros where one
    factor is, if the other one, whatever it is in the two kernels, is finite.
    """
    sums = [op.operands[2] for op in (one, other)]
    if not info(one.operands[0].type).scalar.is_float or not all(map(never_negative_zero, sums)):
        return False
    if not walk.equal(sums[0], sums[1], hint=True):
        return False
    pairs = [
        (walk.terms[x], walk.terms[y]) for x, y in zip(one.operands, other.operands, strict=True)
    ]
    shapes = [info(o.type).shape for o in one.operands[:2]]
    same = [_same_but_signs(x.formula, y.formula) for x, y in pairs[:2]]
    if not all(
        walk.always(claim, pair, shape)
        for claim, pair, shape in zip(same, pairs, shapes, strict=False)
    ) and not _zeros_meet(walk, pairs[:2], shapes):
        return False
    walk.results(one, other)
    return True


def _same_but_signs(x: Any, y: Any) -> Any:
    return z3.Or(x == y, z3.And(is_zero(x), is_zero(y)))


def _zeros_meet(
    walk: Walk, factors: list[tuple[Term, Term]], shapes: list[tuple[int, ...]]
) -> bool:
    """Whether factors of two products are equal, or finite where the other factor is zero."""
    if any(len(shape) != 2 for shape in shapes):
        return False
    places = (LANES[:2], LANES[1:3])
    there = [[t.at(place) for t in pair] for pair, place in zip(factors, places, strict=True)]
    (a, b), (c, d) = ([t.formula for t in pair] for pair in there)
    zeros = [z3.And(is_zero(x), is_zero(y)) for x, y in ((a, b), (c, d))]
    finite = [z3.And(_is_finite(x), _is_finite(y)) for x, y in ((a, b), (c, d))]
    claim = z3.And(
        z3.Or(_same_but_signs(a, b), z3.And(zeros[1], finite[0])),
        z3.Or(_same_but_signs(c, d), z3.And(zeros[0], finite[1])),
    )
    (rows, inner), (_, columns) = shapes
    return walk.always(claim, (*there[0], *there[1]), (rows, inner, columns))


def _is_finite(x: Any) -> Any:
    """Return where a float is one of the finite constants in its formula, or one in more bits."""
    if x.decl().kind() == z3.Z3_OP_ITE:
        condition, yes, no = x.children()
        return z3.If(condition, _is_finite(yes), _is_finite(no))
    if x.num_args() == 1 and x.decl().name().startswith("arith.extf "):
        return _is_finite(x.arg(0))
    value = literal_value(x)
    return z3.BoolVal(value is not None and isfinite(value), context())


def _equal_along(walk: Walk, one: Operation, other: Operation, axes: list[int]) -> Any | None:
    """Return a condition on rows in which the first operands are equal, each along its axis."""
    where: Any = None
    for a, b, axis in zip(one.operands, other.operands, axes, strict=False):
        mine, theirs, shape = walk.terms[a], walk.terms[b], info(a.type).shape
        if mine.formula.eq(theirs.formula):
            continue
        rows = _equal_rows(walk, mine, theirs, shape, axis)
        if rows is None:
            return None
        where = rows if where is None else z3.And(where, rows)
    return where


def _equal_where(
    walk: Walk, one: Operation, other: Operation, where: Any, facts: tuple[Any, ...]
) -> None:
    """Give two ops unknown results that are equal where a condition holds."""
    walk.results(one, other)
    for a, b in zip(one.results, other.results, strict=True):
        known, else_ = walk.terms[a], walk.any_value(b).formula
        walk.terms[b] = Term(z3.If(where, known.formula, else_), (*known.given, *facts))


def _equal_rows(
    walk: Walk, mine: Term, theirs: Term, shape: tuple[int, ...], axis: int
) -> Any | None:
    """Return a condition on rows in which two terms are equal, or None if none is found."""
    claim = z3.simplify(mine.formula == theirs.formula)
    conditions = list(_conditions(claim, LANES[axis]))[:MOST_CONDITIONS]
    found: list[Any] = []
    for values in product((True, False), repeat=len(conditions)) if conditions else ():
        row = z3.And(*(c if v else z3.Not(c) for c, v in zip(conditions, values, strict=True)))
        pairs = [(c, z3.BoolVal(v, context())) for c, v in zip(conditions, values, strict=True)]
        rest = z3.simplify(z3.substitute(claim, *pairs))
        if z3.is_false(rest):
            continue
        if z3.is_true(rest) or walk.always(z3.Implies(row, rest), (mine, theirs), shape):
            found.append(row)
    return z3.Or(*found) if found else None


def _conditions(formula: Any, column: Any) -> Iterator[Any]:
    """Yield the conditions in a formula that are the same in all columns, each once."""
    seen: set[int] = set()
    work = [formula]
    while work:
        x = work.pop()
        if x.get_id() in seen:
            continue
        seen.add(x.get_id())
        if z3.is_bool(x) and not _is_connective(x) and not _mentions(x, column):
            yield x
            continue
        work += reversed(x.children())


def _is_connective(x: Any) -> bool:
    kind = x.decl().kind()
    return kind in _CONNECTIVES or (kind == z3.Z3_OP_EQ and z3.is_bool(x.arg(0)))


def _mentions(formula: Any, symbol: Any) -> bool:
    return not z3.substitute(formula, (symbol, symbol + 1)).eq(formula)
