"""Minimum, maximum and propositions of index expressions."""

from collections.abc import Iterable, Sequence
from math import gcd

from xtriton.analysis.indexing.algebra import Cond, CondKind, Expr, Kind, Space


def extremum(space: Space, kind: Kind, args: Sequence[Expr]) -> Expr:
    """Return the least or greatest of `args`, without those that never are it."""
    candidates: list[Expr] = []
    for arg in args:
        atom = arg.atom()
        inner = atom.args if atom is not None and atom.kind is kind else (arg,)
        candidates += [a for a in inner if a not in candidates]
    kept: list[Expr] = []
    for i, a in enumerate(candidates):
        others = [*kept, *candidates[i + 1 :]]
        if not any(_beats(space, kind, b, a) for b in others):
            kept.append(a)
    if len(kept) == 1:
        return kept[0]
    return space.compound(kind, tuple(kept))


def _beats(space: Space, kind: Kind, a: Expr, b: Expr) -> bool:
    """Tell whether `b` can be left out because of `a`."""
    difference = b - a if kind is Kind.MIN else a - b
    return space.interval(difference)[0] >= 0


def nonnegative(space: Space, e: Expr) -> Cond:
    """Return `e >= 0`, divided by what its coefficients have in common."""
    low, high = space.interval(e)
    if low >= 0:
        return space.true
    if high < 0:
        return space.false
    g = gcd(*(c for m, c in e.terms.items() if m))
    if g > 1:
        e = space.make({m: q for m, c in e.terms.items() if (q := c // g)})
    return space._cond(CondKind.NONNEGATIVE, e)


def is_zero(space: Space, e: Expr) -> Cond:
    """Return `e == 0`; of `e` and `-e` one form is kept."""
    low, high = space.interval(e)
    if low == high == 0:
        return space.true
    if low > 0 or high < 0:
        return space.false
    g = gcd(*(c for m, c in e.terms.items() if m))
    if e.terms.get((), 0) % g:
        return space.false
    if e.terms[max(e.terms)] < 0:
        g = -g
    if g != 1:
        e = space.make({m: c // g for m, c in e.terms.items()})
    return space._cond(CondKind.ZERO, e)


def negation(space: Space, c: Cond) -> Cond:
    match c.kind:
        case CondKind.TRUE:
            return space.false
        case CondKind.FALSE:
            return space.true
        case CondKind.NONNEGATIVE:
            return space.nonnegative(-c.args[0] - 1)
        case CondKind.NOT:
            return c.args[0]
        case CondKind.AND:
            return space.disjunction(negation(space, a) for a in c.args)
        case CondKind.OR:
            return space.conjunction(negation(space, a) for a in c.args)
        case _:
            return space._cond(CondKind.NOT, c)


def junction(space: Space, kind: CondKind, conditions: Iterable[Cond]) -> Cond:
    """Return the conjunction or disjunction, flat and without repetition."""
    neutral, absorbing = space.true, space.false
    if kind is CondKind.OR:
        neutral, absorbing = absorbing, neutral
    parts: dict[Cond, None] = {}
    for condition in conditions:
        for part in condition.args if condition.kind is kind else (condition,):
            if part is absorbing:
                return absorbing
            if part is not neutral:
                parts[part] = None
    if any(p.kind is CondKind.NOT and p.args[0] in parts for p in parts):
        return absorbing
    if not parts:
        return neutral
    if len(parts) == 1:
        return next(iter(parts))
    return space._cond(kind, *parts)


def conjuncts(c: Cond) -> tuple[Cond, ...]:
    """Return the conditions that must all hold."""
    if c.kind is CondKind.AND:
        return c.args
    return () if c.kind is CondKind.TRUE else (c,)


def facts_of(c: Cond) -> list[Expr]:
    """Return the expressions that are at least 0 where the condition holds."""
    facts: list[Expr] = []
    for part in conjuncts(c):
        if part.kind is CondKind.NONNEGATIVE:
            facts.append(part.args[0])
        elif part.kind is CondKind.ZERO:
            facts += [part.args[0], -part.args[0]]
    return facts
