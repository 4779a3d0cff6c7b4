# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
Reductions and scans of which only some rows are equal in two kernels.

A row that is masked off is summed up all the same, and its sum is not stored. So two sums are one
unknown number where a condition on rows makes all that is summed up equal, and two elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import z3
from xdsl.ir import Operation

from xtriton.interpreter.formulas import LANES, Term, given, symbol
from xtriton.interpreter.types import info, integer

MOST_CONDITIONS = 4
"""On rows, of which each way that they may hold is tried."""

_CONNECTIVES = frozenset(
    (z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_NOT, z3.Z3_OP_ITE, z3.Z3_OP_IMPLIES, z3.Z3_OP_XOR)
)


def reduced_rows(pair: Any, one: Operation, other: Operation) -> bool:
    """
    Give two reductions or scans results that are equal in the rows where their operands are.

    Return whether there are such rows; otherwise nothing is done.
    """
    axis = integer(one, "axis")
    where: Any = None
    for a, b in zip(one.operands, other.operands, strict=True):
        mine, theirs, shape = pair.terms[a], pair.terms[b], info(a.type).shape
        if mine.formula.eq(theirs.formula):
            continue
        rows = _equal_rows(pair, mine, theirs, shape, axis)
        if rows is None:
            return False
        where = rows if where is None else z3.And(where, rows)
    if where is None:
        return False
    if one.name == "tt.reduce":
        moved = [(LANES[d], LANES[d - 1]) for d in range(axis + 1, len(LANES))]
        where = z3.substitute(where, *moved)
    facts = given(*(pair.terms[o] for o in (*one.operands, *other.operands)))
    pair.results(one, other)
    for a, b in zip(one.results, other.results, strict=True):
        pair.fresh += 1
        known = pair.terms[a]
        else_ = symbol(f"unknown {pair.fresh}", b.type, *LANES[: len(info(b.type).shape)])
        kept = facts if one.name != "tt.reduce" else ()
        pair.terms[b] = Term(z3.If(where, known.formula, else_), (*known.given, *kept))
    return True


def _equal_rows(
    pair: Any, mine: Term, theirs: Term, shape: tuple[int, ...], axis: int
) -> Any | None:
    """Return a condition on rows in which two terms are equal, or None if none is found."""
    claim = z3.simplify(mine.formula == theirs.formula)
    conditions = list(_conditions(claim, LANES[axis]))[:MOST_CONDITIONS]
    found: list[Any] = []
    for values in product((True, False), repeat=len(conditions)) if conditions else ():
        row = z3.And(*(c if v else z3.Not(c) for c, v in zip(conditions, values, strict=True)))
        pairs = [(c, z3.BoolVal(v)) for c, v in zip(conditions, values, strict=True)]
        rest = z3.simplify(z3.substitute(claim, *pairs))
        if z3.is_false(rest):
            continue
        if z3.is_true(rest) or pair.always(z3.Implies(row, rest), (mine, theirs), shape, hint=True):
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
