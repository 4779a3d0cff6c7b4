# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
Formulas with unknown functions in the place of products, quotients and remainders.

What holds of these holds of the formulas too, and z3 sees it much sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3
from z3 import z3core

_QUOTIENTS = frozenset(
    (z3.Z3_OP_BSDIV, z3.Z3_OP_BUDIV, z3.Z3_OP_BSDIV_I, z3.Z3_OP_BUDIV_I)
)  # fmt: skip
_DIVISIONS = _QUOTIENTS | frozenset(
    (z3.Z3_OP_BSREM, z3.Z3_OP_BUREM, z3.Z3_OP_BSMOD, z3.Z3_OP_BSREM_I, z3.Z3_OP_BUREM_I,
     z3.Z3_OP_BSMOD_I)
)  # fmt: skip
MOST_FACTS = 40
"""Products and the like that something is said of when they are not computed."""

MOST_BITS = 8
"""Of a constant factor that z3 can soon multiply with."""

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
    return kind in _DIVISIONS


def _has_many_bits(context: Any, numeral: Any) -> bool:
    """Whether a factor is a sum of many powers of two, as in hashes."""
    n = int(z3core.Z3_get_numeral_string(context, numeral))
    size = z3core.Z3_get_bv_sort_size(context, z3core.Z3_get_sort(context, numeral))
    return min(n.bit_count(), ((1 << size) - n).bit_count()) > MOST_BITS


def _unknown_of(kind: int, operands: list[Any], facts: list[Any]) -> Any:
    """Return an unknown quotient, remainder or product, and add what is known of it to `facts`."""
    of = operands[0].sort()
    zero, one = z3.BitVecVal(0, of.size()), z3.BitVecVal(1, of.size())
    if kind == z3.Z3_OP_BMUL:
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
        for number in numbers:
            if _has_many_bits(number.ctx_ref(), number.as_ast()):
                product = z3.Function(f"product {of}", of, of, of)(product, number)
            else:
                product = product * number
        return product
    a, b = operands
    found = z3.Function(f"division {kind} {of}", of, of, of)(a, b)
    known = z3.And(a >= zero, b > zero)
    if kind in _QUOTIENTS:
        inside = z3.And(z3.Implies(a < b, found == zero), found >= zero, found <= a)
    else:
        inside = z3.And(z3.Implies(a < b, found == a), found >= zero, found < b, found <= a)
    facts.append(z3.Implies(known, inside))
    return found
