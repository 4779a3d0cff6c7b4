"""Minimum, maximum, choice and propositions of index expressions."""

from collections.abc import Iterable, Sequence
from math import gcd

from xtriton.analysis.indexing.algebra import Atom, Cond, CondKind, Expr, Kind, Space

MOST_CANDIDATES = 8
EXTREMA = (Kind.MIN, Kind.MAX)


def extremum(space: Space, kind: Kind, args: Sequence[Expr]) -> Expr:
    """Return the least or greatest of `args`, without those that never are it."""
    known, key = space.known.extrema, (kind, tuple(args))
    found = known.get(key)
    if found is None:
        found = known[key] = _extremum(space, kind, args)
    return found


def _extremum(space: Space, kind: Kind, args: Sequence[Expr]) -> Expr:
    candidates: list[Expr] = []
    for arg in args:
        candidates += [a for a in _candidates(space, kind, arg) if a not in candidates]
    if len(candidates) > MOST_CANDIDATES:
        candidates = list(dict.fromkeys(args))
    kept: list[Expr] = []
    beaten: set[Expr] = set()
    for i, a in enumerate(candidates):
        if a in beaten:
            continue
        beats: list[Expr] = []
        for b in candidates[i + 1 :]:
            # One difference says of both whether the other can be left out because of it.
            low, high = space.interval(b - a)
            if (high <= 0) if kind is Kind.MIN else (low >= 0):
                break
            if (low >= 0) if kind is Kind.MIN else (high <= 0):
                beats.append(b)
        else:
            kept.append(a)
            beaten.update(beats)
    if len(kept) == 1:
        return kept[0]
    return space.compound(kind, tuple(kept))


def _candidates(space: Space, kind: Kind, arg: Expr) -> list[Expr]:
    """Return `min(a, b) + r` as `a + r` and `b + r` in a minimum, and so on."""
    for atom in arg.atoms() if arg.depth else ():
        if atom.kind in EXTREMA:
            sign = arg.terms.get((atom.uid,))
            if sign == (1 if atom.kind is kind else -1):
                return [c for v in variants(space, arg, atom) for c in _candidates(space, kind, v)]
    return [arg]


def variants(space: Space, e: Expr, atom: Atom) -> list[Expr]:
    """Return `e` with each of the operands of a minimum or maximum in its place."""
    coefficient = e.terms[atom.uid,]
    rest = e - space.wrap(atom).scaled(coefficient)
    return [rest + arg.scaled(coefficient) for arg in atom.args]


def chosen(space: Space, c: Cond, a: Expr, b: Expr) -> Expr:
    """Return `a if c else b`; what compares its own operands is a minimum or maximum."""
    if c.kind is CondKind.NONNEGATIVE and c.args[0].terms[max(c.args[0].terms)] < 0:
        c, a, b = negation(space, c), b, a
    found = _as_extremum(space, c, a - b)
    if found is not None:
        return b + found
    found = _as_rounding(space, c, a, b)
    if found is not None:
        return found
    if a is space.zero and b is space.one:
        return space.one - space.compound(Kind.SELECT, (c, b, a))
    return space.compound(Kind.SELECT, (c, a, b))


def _as_extremum(space: Space, c: Cond, e: Expr) -> Expr | None:
    """Return `e if c else 0` where `c` tells the sign of `e`."""
    if c.kind is not CondKind.NONNEGATIVE:
        return None
    if c in (space.nonnegative(e), space.nonnegative(e - 1)):
        return space.maximum(e, space.zero)
    if c in (space.nonnegative(-e), space.nonnegative(-e - 1)):
        return space.minimum(e, space.zero)
    return None


def _as_rounding(space: Space, c: Cond, a: Expr, b: Expr) -> Expr | None:
    """Return `-1 if n < 0 and n % d != 0 else 0` as the floor of `n / d` less what is truncated."""
    if c.kind is CondKind.NONNEGATIVE:
        c, a, b = negation(space, c), b, a
    if b is not space.zero or c.kind is not CondKind.NONNEGATIVE:
        return None
    inner = a.atom()
    flip = inner is not None and inner.kind is Kind.SELECT and inner.args[1] is -space.one
    if inner is None or not flip or inner.args[2] is not space.zero:
        return None
    unequal: Cond = inner.args[0]
    if unequal.kind is not CondKind.NOT or unequal.args[0].kind is not CondKind.ZERO:
        return None
    remainder: Expr = unequal.args[0].args[0]
    for quotient in remainder.atoms():
        if quotient.kind is not Kind.TRUNCDIV:
            continue
        n, d = quotient.fraction
        exact = n - d * space.wrap(quotient)
        same = remainder is exact or remainder is -exact
        if same and d.interval[0] > 0 and c is space.nonnegative(-n - 1):
            return space.floordiv(n, d) - space.wrap(quotient)
    return None


def with_extrema(space: Space, e: Expr) -> Expr:
    """Return `e` with products such as `a * (a < b) + b * (b <= a)` as minima and maxima."""
    for atom in e.atoms():
        if atom.kind is not Kind.SELECT or atom.args[1:] != (space.one, space.zero):
            continue
        factor = e.coefficient(atom)
        if factor.constant is not None:
            continue
        content = gcd(*factor.terms.values())
        whole = space.make({m: c // content for m, c in factor.terms.items()})
        found = _as_extremum(space, atom.args[0], whole)
        if found is not None:
            return with_extrema(space, e - space.wrap(atom) * factor + found.scaled(content))
    return e


def nonnegative(space: Space, e: Expr) -> Cond:
    """Return `e >= 0`, divided by what its coefficients have in common."""
    low, high = space.interval(e)
    if low >= 0:
        return space.true
    if high < 0:
        return space.false
    g = gcd(*[c for m, c in e.terms.items() if m])
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
    """Return what holds where `c` does not; parts that `c` shares are looked at once."""
    return _negation(space, c, {})


def _negation(space: Space, c: Cond, known: dict[Cond, Cond]) -> Cond:
    found = known.get(c)
    if found is None:
        match c.kind:
            case CondKind.TRUE:
                found = space.false
            case CondKind.FALSE:
                found = space.true
            case CondKind.NONNEGATIVE:
                found = space.nonnegative(-c.args[0] - 1)
            case CondKind.NOT:
                found = c.args[0]
            case CondKind.AND:
                found = space.disjunction(_negation(space, a, known) for a in c.args)
            case CondKind.OR:
                found = space.conjunction(_negation(space, a, known) for a in c.args)
            case _:
                found = space._cond(CondKind.NOT, c)
        known[c] = found
    return found


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
            facts += _without_extrema(part.args[0])
        elif part.kind is CondKind.ZERO:
            facts += [part.args[0], -part.args[0]]
    return facts


def _without_extrema(fact: Expr) -> list[Expr]:
    """Return what follows from a fact: a minimum is at least 0 where all its operands are."""
    for atom in fact.atoms():
        if atom.kind in EXTREMA:
            coefficient = fact.terms.get((atom.uid,), 0)
            if coefficient and (coefficient > 0) == (atom.kind is Kind.MIN):
                inner = variants(fact.space, fact, atom)
                return [f for v in inner for f in _without_extrema(v)]
    return [fact]
