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
        inside = (excess(part, budget) for part in value.args)
        return next((text for text in inside if text is not None), None)
    terms = value.terms
    # There are no more terms, operations inside each other or factors than parts.
    if size > min(budget.terms, budget.depth, budget.factors):
        if len(terms) > budget.terms:
            return f"more than {budget.terms} terms"
        if value.depth > budget.depth:
            return f"more than {budget.depth} operations inside each other"
        if max(map(len, terms), default=0) > budget.factors:
            return f"products of more than {budget.factors} factors"
    if max(map(abs, terms.values()), default=0).bit_length() > budget.bits:
        return f"numbers of more than {budget.bits} bits"
    return None
