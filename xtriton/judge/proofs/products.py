# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
Formulas with unknown functions in the place of products, quotients and remainders.

What holds of these holds of the formulas too, and z3 sees it much sooner.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import z3
from z3 import z3core

from xtriton.judge.proofs.formulas import LANES, number

_QUOTIENTS = frozenset(
    (z3.Z3_OP_BSDIV, z3.Z3_OP_BUDIV, z3.Z3_OP_BSDIV_I, z3.Z3_OP_BUDIV_I)
)  # fmt: skip
_DIVISIONS = _QUOTIENTS | frozenset(
    (z3.Z3_OP_BSREM, z3.Z3_OP_BUREM, z3.Z3_OP_BSMOD, z3.Z3_OP_BSREM_I, z3.Z3_OP_BUREM_I,
     z3.Z3_OP_BSMOD_I)
)  # fmt: skip
MOST_FACTS = 64
"""Products and the like that something is said of when they are not computed."""

MOST_BITS = 8
"""Of a constant factor that z3 can soon multiply with."""

_KEEPING = frozenset((z3.Z3_OP_BSMUL_NO_OVFL, z3.Z3_OP_BSMUL_NO_UDFL))
"""Whether a product does not overflow."""

_REMAINDERS = frozenset((z3.Z3_OP_BSREM, z3.Z3_OP_BSREM_I))
_SIGNED_QUOTIENTS = frozenset((z3.Z3_OP_BSDIV, z3.Z3_OP_BSDIV_I))

_REMAINDER_OF = {
    z3.Z3_OP_BSDIV: z3.Z3_OP_BSREM, z3.Z3_OP_BSDIV_I: z3.Z3_OP_BSREM_I
}  # fmt: skip

_SIGNED = {
    z3.Z3_OP_BUDIV: z3.Z3_OP_BSDIV, z3.Z3_OP_BUDIV_I: z3.Z3_OP_BSDIV_I,
    z3.Z3_OP_BUREM: z3.Z3_OP_BSREM, z3.Z3_OP_BUREM_I: z3.Z3_OP_BSREM_I,
}  # fmt: skip
"""Divisions without a sign, and what they are where there is none."""

_Inner = tuple[int, ...]


class Products:
    """Replaces products and the like in formulas, and knows those that it has seen before."""

    def __init__(self) -> None:
        self._inside: dict[int, _Inner] = {}
        """Of what was looked at, by number: the products and the like in it, inner ones first."""
        self._eased: dict[int, tuple[Any, Any, list[Any]]] = {}
        """Products and the like by number: themselves, the unknown ones, what is known of these."""
        self._kept: list[Any] = []
        """z3 gives numbers of terms that nobody holds to others."""

    def replaced(self, formulas: Sequence[Any]) -> list[Any]:
        """
        Return formulas with unknown functions for quotients, remainders and products of numbers.

        Formulas that say a little of those functions follow.
        """
        found: dict[int, None] = {}
        made: list[Any] = []
        for formula in formulas:
            inside = self._look(formula)
            found |= dict.fromkeys(inside)
            made.append(self._without(formula, inside))
        facts = [fact for n in found for fact in self._eased[n][2]]
        return [*made, *facts[:MOST_FACTS]]

    def _without(self, formula: Any, inside: _Inner) -> Any:
        pairs = [self._eased[n][:2] for n in inside]
        return z3.substitute(formula, *pairs) if pairs else formula

    def _look(self, formula: Any) -> _Inner:
        """Return the numbers of the products and the like in a formula, each replaced by then."""
        context = formula.ctx_ref()
        number = formula.get_id()
        if number in self._inside:
            return self._inside[number]
        self._kept.append(formula)
        work: list[tuple[int, Any]] = [(number, formula.as_ast())]
        while work:
            number, ast = work[-1]
            if number in self._inside:
                work.pop()
                continue
            parts = [
                z3core.Z3_get_app_arg(context, ast, k)
                for k in range(z3core.Z3_get_app_num_args(context, ast))
            ]
            numbered = [(z3core.Z3_get_ast_id(context, part), part) for part in parts]
            missing = [pair for pair in numbered if pair[0] not in self._inside]
            if missing:
                work += missing
                continue
            work.pop()
            inner = tuple(dict.fromkeys(n for k, _ in numbered for n in self._inside[k]))
            if numbered and _is_hard(context, ast, parts):
                self._replace(number, ast, formula.ctx)
                inner = (*inner, number)
            self._inside[number] = inner
        return self._inside[formula.get_id()]

    def _replace(self, number: int, ast: Any, context: Any) -> None:
        x = z3.ExprRef(ast, context)
        operands = [self._without(c, self._inside[c.get_id()]) for c in x.children()]
        facts: list[Any] = []
        self._eased[number] = (x, _unknown_of(x.decl().kind(), operands, facts), facts)


def _is_hard(context: Any, ast: Any, parts: list[Any]) -> bool:
    kind = z3core.Z3_get_decl_kind(context, z3core.Z3_get_app_decl(context, ast))
    if kind == z3.Z3_OP_BMUL:
        numerals = [part for part in parts if z3core.Z3_is_numeral_ast(context, part)]
        return len(parts) - len(numerals) > 1 or any(_has_many_bits(context, n) for n in numerals)
    if kind in _KEEPING:
        return not any(z3core.Z3_is_numeral_ast(context, part) for part in parts)
    return kind in _DIVISIONS


def _has_many_bits(context: Any, numeral: Any) -> bool:
    """Whether a factor is a sum of many powers of two, as in hashes."""
    n = int(z3core.Z3_get_numeral_string(context, numeral))
    size = z3core.Z3_get_bv_sort_size(context, z3core.Z3_get_sort(context, numeral))
    return min(n.bit_count(), ((1 << size) - n).bit_count()) > MOST_BITS


def _unknown_of(kind: int, operands: list[Any], facts: list[Any]) -> Any:
    """Return an unknown quotient, remainder or product, and add what is known of it to `facts`."""
    if kind == z3.Z3_OP_BMUL:
        return _product(operands, facts)
    a, b = operands
    if kind in _KEEPING:
        return _keeps(kind, a, b, facts)
    of, zero = a.sort(), number(0, a.size())
    found = z3.Function(f"division {kind} {of}", of, of, of)(a, b)
    known = z3.And(a >= zero, b > zero)
    if kind in _QUOTIENTS:
        inside = z3.And(z3.Implies(a < b, found == zero), found >= zero, found <= a)
        if z3.is_bv_value(b):
            inside = z3.And(inside, found * b <= a, a - found * b < b)
    else:
        inside = z3.And(z3.Implies(a < b, found == a), found >= zero, found < b, found <= a)
    facts.append(z3.Implies(known, inside))
    if kind in _SIGNED:
        # Without a sign it is the same; a number of which the sign is set is the larger one.
        signed = z3.Function(f"division {_SIGNED[kind]} {of}", of, of, of)(a, b)
        facts.append(z3.Implies(known, found == signed))
        below = zero if kind in _QUOTIENTS else a
        facts.append(z3.Implies(z3.ULT(a, b), found == below))
        facts.append(z3.Or(b == zero, z3.ULE(found, a)))
    if kind in _REMAINDERS:
        facts.append(z3.Implies(a >= zero, z3.And(found >= zero, found <= a)))
        facts.append(z3.Implies(a < zero, z3.And(found <= zero, found >= a)))
        facts += _beside_quotient(kind, a, b, found)
        facts += _of_quotient(a, b, found)
    if kind in _SIGNED_QUOTIENTS:
        facts.append(z3.Implies(z3.And(a >= zero, b < zero), found <= zero))
        # By zero it is 1 or -1, for z3.
        least: Any = z3.If(a == zero, zero - number(1, a.size()), zero - a)
        facts.append(z3.Implies(a >= zero, z3.And(found >= least, z3.Or(b == zero, found <= a))))
        fits = z3.And(a < zero, zero - a > zero)
        facts.append(z3.Implies(fits, z3.And(found >= a, found <= zero - a)))
    return found


def _beside_quotient(kind: int, a: Any, b: Any, found: Any) -> list[Any]:
    """Return that what remains and what is divided are together no more than the number."""
    of, zero = a.sort(), number(0, a.size())
    (division,) = (by for by, rest in _REMAINDER_OF.items() if rest == kind)
    quotient = z3.Function(f"division {division} {of}", of, of, of)(a, b)
    size = z3.If(b > zero, quotient, zero - quotient)
    return [z3.Implies(z3.And(a >= zero, b != zero), z3.And(size >= zero, found <= a - size))]


def _of_quotient(a: Any, b: Any, found: Any) -> list[Any]:
    """Return what holds of the remainder of a quotient by what it was divided by before."""
    if not _is_quotient(a, by=b):
        return []
    # It is below the divisor, and no more than the quotient.
    divided, zero = a.arg(0), number(0, a.size())
    half = (a.size() // 2 + 1) // 2
    most = number(1 << (a.size() // 2 - 1), a.size())
    small = z3.And(divided >= zero, divided < most, b > zero)
    return [z3.Implies(small, found < number(1 << half, a.size()))]


def _is_quotient(x: Any, by: Any) -> bool:
    """Whether an unknown stands for a quotient with a sign by something."""
    names = {f"division {kind} {x.sort()}" for kind in _SIGNED_QUOTIENTS}
    return bool(x.num_args() == 2 and x.decl().name() in names and x.arg(1).eq(by))


def _product(operands: Sequence[Any], facts: list[Any]) -> Any:
    """Return an unknown product, see `_unknown_of`."""
    of = operands[0].sort()
    zero, one = number(0, of.size()), number(1, of.size())
    numbers = [x for x in operands if z3.is_bv_value(x)]
    factors = sorted((x for x in operands if not z3.is_bv_value(x)), key=lambda x: x.get_id())
    product = factors[0]
    for factor in factors[1:]:
        a, b = product, factor
        unknown = z3.Function(f"product {of}", of, of, of)
        product = unknown(a, b)
        facts.append(product == unknown(b, a))
        facts.append(z3.Implies(z3.Or(a == zero, b == zero), product == zero))
        facts.append(z3.Implies(a == one, product == b))
        facts.append(z3.Implies(b == one, product == a))
        facts += _back(a, b, product) or _back(b, a, product)
        if of.size() == 64:
            facts += _of_few_bits(a, b, product)
    for constant in numbers:
        if _has_many_bits(constant.ctx_ref(), constant.as_ast()):
            product = z3.Function(f"product {of}", of, of, of)(product, constant)
        else:
            product = product * constant
    return product


def _back(quotient: Any, by: Any, product: Any) -> list[Any]:
    """Return what holds of the product of a quotient and what it was divided by."""
    if not _is_quotient(quotient, by):
        return []
    divided = quotient.arg(0)
    kind = int(quotient.decl().name().split()[1])
    of, zero = divided.sort(), number(0, divided.size())
    remainder = z3.Function(f"division {_REMAINDER_OF[kind]} {of}", of, of, of)(divided, by)
    inside = z3.And(product >= zero, product <= divided)
    return [product == divided - remainder, z3.Implies(divided >= zero, inside)]


def _of_few_bits(a: Any, b: Any, product: Any) -> list[Any]:
    """Return what holds of a product in 64 bits if its factors are not negative and small."""

    def below(x: Any, bits: int) -> Any:
        return z3.And(number(0, 64) <= x, x < number(1 << bits, 64))

    sizes = ((31, 31), (31, 16), (16, 31), (16, 16))
    facts = [z3.Implies(z3.And(below(a, n), below(b, m)), below(product, n + m)) for n, m in sizes]
    return [*facts, z3.Implies(z3.And(below(a, 31), below(b, 31)), _grows(a, b, product))]


def _grows(a: Any, b: Any, product: Any) -> Any:
    """Return what holds of a product of numbers that are not negative, if it does not overflow."""
    zero = number(0, a.size())
    larger = (z3.Implies(x > zero, product >= y) for x, y in ((a, b), (b, a)))
    return z3.And(product >= zero, *larger)


def repeated_factors(x: Any, shape: tuple[int, ...]) -> Iterator[Any]:
    """
    Yield how large factors can be that an offset in 64 bits is multiplied with more than once.

    It does not overflow on the last lane, where places are at least as large as their lane.
    """
    last = [(lane, number(n - 1, 32)) for lane, n in zip(LANES, shape, strict=False)]
    most_lanes = max(1, *shape, 1) - 1
    least = 1
    times: dict[int, list[Any]] = {}
    sizes: dict[int, int] = {}
    for factor in _factors(x):
        if z3.is_bv_value(factor):
            least *= abs(factor.as_signed_long())
            continue
        there: Any = z3.substitute(factor, *last)
        at_least = 1 if there.eq(factor) else max(1, most_lanes)
        there = z3.simplify(there)
        times.setdefault(there.get_id(), []).append(there)
        sizes[there.get_id()] = at_least
    for n, same in times.items():
        others = {k: some[0] >= sizes[k] for k, some in times.items() if k != n}
        of_others = least * prod(sizes[k] ** len(times[k]) for k in others)
        if len(same) > 1 and of_others:
            most = int(((1 << 63) / of_others) ** (1 / len(same))) + 1
            bounded = z3.And(same[0] <= most, same[0] >= -most)
            yield z3.simplify(z3.Implies(z3.And(*others.values(), x.ctx), bounded))


def _factors(x: Any) -> Iterator[Any]:
    for part in x.children() if _is_product(x) else ():
        yield from _factors(part)
    if not _is_product(x):
        yield x


def _keeps(kind: int, a: Any, b: Any, facts: list[Any]) -> Any:
    """Return whether an unknown product does not overflow, see `_unknown_of`."""
    of, zero = a.sort(), number(0, a.size())
    kept = z3.Function(f"kept {kind} {of}", of, of, z3.BoolSort(of.ctx))(a, b)
    factors = [y for x in (a, b) for y in (x.children() if _is_product(x) else [x])]
    product = z3.simplify(_product(factors, []))
    positive = z3.And(kept, a >= zero, b >= zero)
    facts.append(z3.Implies(positive, _grows(a, b, product)))
    if a.size() == 32:
        wide = [z3.SignExt(32, x) for x in (a, b)]
        same = z3.SignExt(32, product) == _product(wide, [])
        facts.append(z3.Implies(positive, same))
    return kept


def _is_product(x: Any) -> bool:
    return bool(x.decl().kind() == z3.Z3_OP_BMUL)
