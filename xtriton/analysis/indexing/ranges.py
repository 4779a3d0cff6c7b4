"""Bounds of index expressions, by interval arithmetic and the facts of the space."""

from math import gcd

from xtriton.analysis.indexing.algebra import (
    MACHINE,
    Atom,
    Expr,
    Interval,
    Kind,
    Monomial,
    Space,
)
from xtriton.analysis.indexing.choice import variants

_EXTREMA = (Kind.MIN, Kind.MAX)
MOST_CASES = 2
"""Of more minima and maxima in a sum only their own bounds count, so that time stays linear."""


def interval_of(space: Space, e: Expr) -> Interval:
    """Return bounds of `e`; the least interval that the rules below can prove."""
    low, high = naive_interval(space, e)
    if low == high or not e.depth:
        return low, high
    for atom in e.atoms():
        if atom.kind is Kind.FLOORDIV or atom.kind is Kind.TRUNCDIV:
            for lo, hi in _remainder_intervals(space, e, atom):
                low, high = max(low, lo), min(high, hi)
            if atom.kind is Kind.FLOORDIV and len(e.terms) > 1:
                lo, hi = _rounded_interval(space, e, atom)
                low, high = max(low, lo), min(high, hi)
        elif atom.kind in _EXTREMA and (atom.uid,) in e.terms and _is_worth_cases(e):
            lo, hi = _extremum_interval(space, e, atom)
            low, high = max(low, lo), min(high, hi)
    return low, high


def _is_worth_cases(e: Expr) -> bool:
    """Tell whether a sum has few enough minima and maxima to look at all their cases."""
    count = sum(atom.kind in _EXTREMA for atom in e.atoms())
    return len(e.terms) > 1 and count <= MOST_CASES


def _extremum_interval(space: Space, e: Expr, atom: Atom) -> Interval:
    """Return bounds of a sum with a minimum or maximum: those of the sums with its operands."""
    bounds = [space.interval(v) for v in variants(space, e, atom)]
    least = (atom.kind is Kind.MIN) == (e.terms[atom.uid,] > 0)
    pick = min if least else max
    return pick(b[0] for b in bounds), pick(b[1] for b in bounds)


def _rounded_interval(space: Space, e: Expr, quotient: Atom) -> Interval:
    """Return bounds of `n // d + rest` as those of `(n + d*rest) // d`."""
    numerator, divisor = quotient.args
    sign, d = e.terms.get((quotient.uid,)), divisor.constant
    rest = e - space.wrap(quotient).scaled(sign or 0)
    if sign not in (1, -1) or d is None or d <= 0 or quotient in set(rest.atoms()):
        return MACHINE[0] << 64, MACHINE[1] << 64
    lo, hi = space.interval(numerator + rest.scaled(d * sign))
    return (lo // d, hi // d) if sign > 0 else (-(hi // d), -(lo // d))


def interval_from_facts(space: Space, e: Expr) -> Interval:
    """Return bounds of `e` that follow from its form, or from one fact of the space."""
    low, high = interval_of(space, e)
    if low == high:
        return low, high
    leaves = e.leaves
    facts = [fact for fact in space.facts if not fact.leaves.isdisjoint(leaves)]
    if facts:
        with space.without_facts():
            for fact in facts:
                lo, hi = _interval_from_fact(space, e, fact)
                low, high = max(low, lo), min(high, hi)
    return (low, high) if low <= high else (low, low)


def naive_interval(space: Space, e: Expr) -> Interval:
    """Return the sum of the intervals of the terms."""
    atoms = space.atoms
    low = high = 0
    for mono, c in e.terms.items():
        if len(mono) == 1:
            atom = atoms[mono[0]]
            lo, hi = atom_interval(space, atom) if atom.args else atom.interval
        elif mono:
            lo, hi = monomial_interval(space, mono)
        else:
            lo = hi = 1
        if c >= 0:
            low += c * lo
            high += c * hi
        else:
            low += c * hi
            high += c * lo
    return low, high


def monomial_interval(space: Space, mono: Monomial) -> Interval:
    """Return bounds of a product of atoms."""
    lo, hi = atom_interval(space, space.atoms[mono[0]])
    if len(mono) == 2 and mono[0] == mono[1]:
        ends = lo * lo, hi * hi
        return (0 if lo <= 0 <= hi else min(ends)), max(ends)
    for u in mono[1:]:
        lo, hi = product((lo, hi), atom_interval(space, space.atoms[u]))
    return lo, hi


def product(a: Interval, b: Interval) -> Interval:
    ends = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(ends), max(ends)


def atom_interval(space: Space, atom: Atom) -> Interval:
    """Return bounds of the value of an atom."""
    args = atom.args
    if not args:
        return atom.interval
    match atom.kind:
        case Kind.FLOORDIV:
            return _floor_interval(space.interval(args[0]), space.interval(args[1]))
        case Kind.TRUNCDIV:
            return _trunc_interval(space.interval(args[0]), space.interval(args[1]))
        case Kind.MIN:
            bounds = [space.interval(a) for a in args]
            return min(b[0] for b in bounds), min(b[1] for b in bounds)
        case Kind.MAX:
            bounds = [space.interval(a) for a in args]
            return max(b[0] for b in bounds), max(b[1] for b in bounds)
        case Kind.SELECT:
            a, b = space.interval(args[1]), space.interval(args[2])
            return min(a[0], b[0]), max(a[1], b[1])
        case Kind.NAMED:
            low, high = space.interval(args[0])
            least, most = atom.interval
            # a value that surely overflows is not what anybody relies on
            low, high = max(low, least), min(high, most)
            return (low, high) if low <= high else atom.interval
        case _:
            return atom.interval


def _floor_interval(n: Interval, d: Interval) -> Interval:
    d = max(d[0], 1), max(d[1], 1)
    ends = [x // y for x in n for y in d]
    return min(ends), max(ends)


def _trunc_interval(n: Interval, d: Interval) -> Interval:
    if d[0] >= 0:
        # dividing by 0 is undefined
        d = max(d[0], 1), max(d[1], 1)
        ends = [_truncated(x, y) for x in n for y in d]
        if n[0] <= 0 <= n[1]:
            ends.append(0)
        return min(ends), max(ends)
    most = max(abs(n[0]), abs(n[1]))
    return -most, most


def _truncated(n: int, d: int) -> int:
    return n // d if n >= 0 else -(-n // d)


def _remainder_intervals(space: Space, e: Expr, quotient: Atom) -> list[Interval]:
    """
    Return bounds of `e` in which `s * (n - d * quotient)` counts as a remainder.

    Besides the numerator itself, `n` may be another quotient of the same numerator, by a
    divisor of the divisor: `x // 49 - 64 * (x // 3136)` is `x // 49 mod 64`.
    """
    coefficient = e.coefficient(quotient)
    found: list[Interval] = []
    for n, d in _numerators(space, e, quotient):
        scale = (-coefficient).divided(d)
        if scale is None or not scale.terms:
            continue
        rest = e - scale * n - coefficient * space.wrap(quotient)
        if quotient in set(rest.atoms()) or len(rest.terms) >= len(e.terms):
            continue
        lo, hi = remainder_interval(space, quotient.kind, n, d)
        lo, hi = product(space.interval(scale), (lo, hi))
        a, b = space.interval(rest)
        found.append((a + lo, b + hi))
    return found


def _numerators(space: Space, e: Expr, quotient: Atom) -> list[tuple[Expr, Expr]]:
    """Return each (n, d) for which `quotient` is `n // d`."""
    numerator, divisor = quotient.args
    found = [(numerator, divisor)]
    if quotient.kind is Kind.FLOORDIV:
        whole = divisor.constant
        for other in e.atoms():
            if other.kind is Kind.FLOORDIV and other is not quotient and whole is not None:
                part = other.args[1].constant
                if other.args[0] is numerator and part and whole % part == 0:
                    found.append((space.wrap(other), space.const(whole // part)))
    return found


def remainder_interval(space: Space, kind: Kind, n: Expr, d: Expr) -> Interval:
    """Return bounds of the remainder of the division of `n` by `d`."""
    dl, dh = space.interval(d)
    most = max(abs(dl), abs(dh)) - 1
    nl, nh = space.interval(n)
    if kind is Kind.FLOORDIV:
        return 0, min(most, nh) if nl >= 0 else most
    return max(-most, min(nl, 0)), min(most, max(nh, 0))


def _interval_from_fact(space: Space, e: Expr, fact: Expr) -> Interval:
    """Return bounds of `e` that follow from `fact >= 0`, by adding a multiple of it."""
    low, high = MACHINE[0] << 64, MACHINE[1] << 64
    for mono, c in fact.terms.items():
        other = e.terms.get(mono)
        if mono and other is not None:
            common = gcd(c, other)
            scale, ratio = abs(c) // common, other // common * (1 if c > 0 else -1)
            rest = space.interval(e.scaled(scale) - fact.scaled(ratio))
            if ratio > 0:
                return -(-rest[0] // scale), high
            return low, rest[1] // scale
    return low, high
