"""Quotients of index expressions: what can be taken out of a division, is."""

from math import gcd

from xtriton.analysis.indexing.algebra import Expr, Kind, Monomial, Space, without_factors


def floor_quotient(space: Space, n: Expr, d: Expr) -> Expr:
    """Return `floor(n / d)` for a positive `d`, simplified."""
    number = d.constant
    if number is None:
        return _symbolic_floor(space, n, d)
    if number < 0:
        return floor_quotient(space, -n, -d)
    if number == 1:
        return n
    if number == 0:
        return space.compound(Kind.FLOORDIV, (n, d))
    whole, rest = _multiples(space, n, number)
    low, high = space.interval(rest)
    if low // number == high // number:
        return whole + low // number
    rest, number, more = _without_common_factor(space, rest, number)
    if number == 1:
        return whole + rest + more
    linear = _of_two_values(space, rest, number)
    if linear is not None:
        return whole + more + linear
    merged = _merge_nested(space, rest, number)
    if merged is not None:
        return whole + more + merged
    same = _same_in_all_lanes(space, rest, space.const(number))
    if same is not None:
        return whole + more + same
    return whole + more + space.compound(Kind.FLOORDIV, (rest, space.const(number)))


def _multiples(space: Space, n: Expr, d: int) -> tuple[Expr, Expr]:
    """Return (q, r) with `n == d*q + r`, with every multiple of `d` in `q`."""
    whole: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for mono, c in n.terms.items():
        if c % d == 0:
            whole[mono] = c // d
        elif not mono:
            rest[mono] = c % d
            if c // d:
                whole[mono] = c // d
        else:
            rest[mono] = c
    if not whole:
        return space.zero, n
    return space.make(whole), space.make(rest)


def _without_common_factor(space: Space, n: Expr, d: int) -> tuple[Expr, int, Expr]:
    """
    Divide `n` and `d` by the greatest g for which what is left of `n` stays within a
    period: `floor((g*n + r) / (g*d)) == floor(n / d)` where `0 <= r < g`.
    """
    factors = sorted({gcd(c, d) for c in n.terms.values()} - {1}, reverse=True)
    for g in factors:
        if g == d:
            continue
        big = {m: c for m, c in n.terms.items() if c % g == 0}
        small = space.make({m: c for m, c in n.terms.items() if c % g})
        low, high = space.interval(small)
        if low // g == high // g:
            reduced = space.make({m: c // g for m, c in big.items()}) + low // g
            quotient = floor_quotient(space, reduced, space.const(d // g))
            return quotient, 1, space.zero
    return n, d, space.zero


def _of_two_values(space: Space, n: Expr, d: int) -> Expr | None:
    """Return `floor(n / d)` as a sum where `n` has two values: those at positions 0 and 1."""
    inside, first = n.split(-1)
    if len(inside.terms) != 1 or first.constant is None:
        return None
    ((mono, step),) = inside.terms.items()
    position = space.atoms[mono[0]]
    if len(mono) != 1 or position.kind is not Kind.POSITION or position.interval[1] != 1:
        return None
    low = first.constant // d
    return space.wrap(position).scaled((first.constant + step) // d - low) + low


def _merge_nested(space: Space, n: Expr, d: int) -> Expr | None:
    """Return `floor((x // a + r) / d)` as `floor((x + a*r) / (a*d))`."""
    inner = [
        a
        for a in n.atoms()
        if a.kind is Kind.FLOORDIV and n.terms.get((a.uid,)) == 1 and a.args[1].constant
    ]
    if len(inner) != 1:
        return None
    (atom,) = inner
    divisor = atom.args[1].constant
    rest = n - space.wrap(atom)
    if atom in set(rest.atoms()):
        return None
    return floor_quotient(space, atom.args[0] + rest.scaled(divisor), space.const(d * divisor))


def _symbolic_floor(space: Space, n: Expr, d: Expr) -> Expr:
    whole, rest = polynomial_multiples(space, n, d)
    if not rest.terms:
        return whole
    low, high = space.interval(rest)
    least = space.interval(d)[0]
    if low >= 0 and (high < least or space.interval(d - rest)[0] > 0):
        return whole
    aligned = _aligned_start(rest, d)
    if aligned is not None:
        return whole + floor_quotient(space, aligned, d)
    reduced = _reduced_by_factor(space, rest, d)
    if reduced is not None:
        return whole + reduced
    same = _same_in_all_lanes(space, rest, d)
    if same is not None:
        return whole + same
    return whole + space.compound(Kind.FLOORDIV, (rest, d))


def _reduced_by_factor(space: Space, n: Expr, d: Expr) -> Expr | None:
    """Return `floor((g*n + r) / (g*d))` as `floor(n / d)` where `0 <= r < g`."""
    content = gcd(*d.terms.values())
    for g in sorted({gcd(c, content) for c in n.terms.values()} - {1}, reverse=True):
        small = space.make({m: c for m, c in n.terms.items() if c % g})
        low, high = space.interval(small)
        if low // g == high // g:
            big = space.make({m: c // g for m, c in n.terms.items() if c % g == 0})
            divisor = space.make({m: c // g for m, c in d.terms.items()})
            return floor_quotient(space, big + low // g, divisor)
    return None


def _same_in_all_lanes(space: Space, n: Expr, d: Expr) -> Expr | None:
    """Return `floor(n / d)` without positions, where facts say that no block crosses `d`."""
    if not space.has_facts or not n.dims or d.dims:
        return None
    run = run_of(space, n)
    if run is None:
        return None
    start, span = run
    return floor_quotient(space, start, d) if no_crossing(space, start, span, d)[0] else None


def _aligned_start(n: Expr, d: Expr) -> Expr | None:
    """
    Return the part of `n` that alone decides the quotient by `d`, as alignment has it.

    Where `g` divides `d` and a part of `n`, what is left of `n` cannot cross a multiple of `d`
    if it stays within `0 <= r < g`. The signs of `n` and `d` do not matter.
    """
    if not n.dims or d.dims:
        return None
    run = run_of(n.space, n)
    if run is None:
        return None
    start, span = run
    beyond = start.terms.get((), 0)
    g = gcd((start - beyond).divisor, d.divisor)
    if g > 1 and beyond % g + span < g and start is n.split(-1)[1]:
        return start - beyond % g
    return None


def run_of(space: Space, n: Expr) -> tuple[Expr, int] | None:
    """Return (least value over positions, width) of an expression that is linear in them."""
    inside, start = n.split(-1)
    span = 0
    for mono, c in inside.terms.items():
        atom = space.atoms[mono[0]]
        if len(mono) != 1 or atom.kind is not Kind.POSITION:
            return None
        reach = c * atom.interval[1]
        span += abs(reach)
        if reach < 0:
            start = start + reach
    return start, span


def no_crossing(space: Space, start: Expr, span: int, d: Expr) -> tuple[bool, Expr]:
    """
    Return whether `start` to `start + span` surely have one quotient by `d`, and the room left.

    The room is an expression that is at least 0 exactly where they have.
    """
    room = d - 1 - span - space.mod(start, d)
    return space.interval(room)[0] >= 0, room


def polynomial_multiples(space: Space, n: Expr, d: Expr) -> tuple[Expr, Expr]:
    """Return (q, r) with `n == d*q + r`; takes whole terms, or all of `n`, into `q`."""
    if len(d.terms) != 1:
        quotient = polynomial_quotient(space, n, d)
        return (quotient, space.zero) if quotient is not None else (space.zero, n)
    ((factors, number),) = d.terms.items()
    whole: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for mono, c in n.terms.items():
        left = without_factors(mono, factors) if c % number == 0 else None
        if left is None:
            rest[mono] = c
        else:
            whole[left] = c // number
    return (space.make(whole), space.make(rest)) if whole else (space.zero, n)


def polynomial_quotient(space: Space, n: Expr, d: Expr) -> Expr | None:
    """Return the polynomial q with `q * d == n`, if long division finds it."""
    if not d.terms:
        return None
    lead = max(d.terms, key=lambda m: (len(m), m))
    number = d.terms[lead]
    quotient = space.zero
    for _ in range(len(n.terms) + 1):
        if not n.terms:
            return quotient
        mono = max(n.terms, key=lambda m: (len(m), m))
        rest = without_factors(mono, lead)
        if rest is None or n.terms[mono] % number:
            return None
        term = space.make({rest: n.terms[mono] // number})
        quotient = quotient + term
        n = n - term * d
    return None


def truncated_quotient(space: Space, n: Expr, d: Expr) -> Expr:
    """Return `n / d` rounded towards zero, simplified; a divisor of 0 is left alone."""
    number = d.constant
    if number == 0:
        return space.compound(Kind.TRUNCDIV, (n, d))
    if number is not None and number < 0:
        return -truncated_quotient(space, n, -d)
    exact = n.divided(d)
    if exact is not None:
        return exact
    low, high = space.interval(n)
    if space.interval(d)[0] >= 0:
        # dividing by 0 is undefined
        if low >= 0:
            return floor_quotient(space, n, d)
        if high <= 0:
            return -floor_quotient(space, -n, d)
    if low >= 0:
        aligned = _aligned_start(n, d)
        if aligned is not None and space.interval(aligned)[0] >= 0:
            return truncated_quotient(space, aligned, d)
    if low >= 0 and n.terms:
        # the quotient of a smaller number is 0, whatever the divisor's sign
        dl, dh = space.interval(d)
        if dl > high or dh < -high:
            return space.zero
    if number is not None:
        g = gcd(number, *n.terms.values())
        if g > 1:
            n = space.make({m: c // g for m, c in n.terms.items()})
            return truncated_quotient(space, n, space.const(number // g))
    return space.compound(Kind.TRUNCDIV, (n, d))
