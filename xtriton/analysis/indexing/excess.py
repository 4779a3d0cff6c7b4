"""Formulas that are larger than a budget allows."""

from xtriton.analysis.indexing.algebra import Cond, Expr
from xtriton.budget import Budget


def excess(value: Expr | Cond, budget: Budget) -> str | None:
    """Return what a formula has too much of, as in "more than 64 terms"; None if nothing."""
    if value.within is budget:
        return None
    found = _excess(value, budget)
    if found is None:
        value.within = budget
    return found


def _excess(value: Expr | Cond, budget: Budget) -> str | None:
    size = value.size
    if size > budget.parts:
        return f"more than {budget.parts} parts"
    if isinstance(value, Cond):
        for part in value.args:
            found = excess(part, budget)
            if found is not None:
                return found
        return None
    terms = value.terms
    # There are no more terms, operations inside each other or factors than parts.
    if size > budget.least:
        if len(terms) > budget.terms:
            return f"more than {budget.terms} terms"
        if value.depth > budget.depth:
            return f"more than {budget.depth} operations inside each other"
        if max(map(len, terms), default=0) > budget.factors:
            return f"products of more than {budget.factors} factors"
    for number in terms.values():
        if number.bit_length() > budget.bits:
            return f"numbers of more than {budget.bits} bits"
    return None
