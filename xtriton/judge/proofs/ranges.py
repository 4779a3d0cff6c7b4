# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
Integers between numbers: ops that are others, or nothing, where no operand is beyond some number.

A term has a range if it follows from the op and the ranges of its operands, with what is given
with them. Where numbers are not negative, ops without a sign are those with one, shifts and masks
are quotients and remainders; what is cut to fewer bits and has no more is what it was. So formulas
become the same where z3 would have to find out that they are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import z3
from xdsl.ir import Operation

from xtriton.interpreter.types import info, integer
from xtriton.judge.proofs.exact import fused
from xtriton.judge.proofs.formulas import (
    COMPARISONS,
    Cut,
    Range,
    Term,
    bit,
    elementwise,
    given,
    number,
    widened,
)

_SIGNED = {
    "arith.divui": "arith.divsi", "arith.remui": "arith.remsi", "arith.maxui": "arith.maxsi",
    "arith.minui": "arith.minsi", "arith.extui": "arith.extsi", "arith.uitofp": "arith.sitofp",
    "arith.floordivsi": "arith.divsi", "arith.shrui": "arith.shrsi",
}  # fmt: skip
"""Ops that are others where no operand is negative."""

_WITH_A_SIGN = {6: 2, 7: 3, 8: 4, 9: 5}
"""The same of predicates."""


def computed(op: Operation, terms: Sequence[Term], on_offsets: bool) -> Term:
    """Return what an op without effects computes on lanes, see `elementwise`, with its range."""
    name = op.name
    if name in _SIGNED and all(_is_natural(t) for t in terms):
        name = _SIGNED[name]
    whole = _uncut(name, terms, _bits(op))
    if whole is not None:
        return whole
    if name == "arith.cmpi":
        return _compared(op, terms)
    term = _extreme(name, terms) or _quotient(name, terms)
    if name == "math.fma":
        term = fused(op, terms)
    if term is None:
        term = elementwise(op, terms, on_offsets, name)
    found = _range(name, terms, _bits(op), on_offsets)
    return replace(term, range=found, cut=_cut(name, terms))


def _bits(op: Operation) -> int:
    known = info(op.results[0].type)
    return 0 if known.element is None or known.scalar.is_float else known.scalar.width


def _is_natural(term: Term) -> bool:
    """Whether a number is known not to be negative."""
    return term.range is not None and term.range[0] >= 0


def _fits(range: Range | None, bits: int) -> bool:
    """Whether numbers of a range have no more bits than that, with their sign."""
    return range is not None and -(1 << (bits - 1)) <= range[0] <= range[1] < 1 << (bits - 1)


def _constant(term: Term) -> int | None:
    """Return the number that a term is, or None."""
    of = term.range
    return of[0] if of is not None and of[0] == of[1] else None


def _cut(name: str, terms: Sequence[Term]) -> Cut | None:
    """Return what an op takes bits from: those above, or those that are shifted out."""
    if name == "arith.trunci":
        return Cut(terms[0], 0)
    by = _constant(terms[1]) if name == "arith.shli" else None
    return Cut(terms[0], by) if by is not None and by > 0 else None


def _uncut(name: str, terms: Sequence[Term], bits: int) -> Term | None:
    """Return the number whose bits an op brings back that another op has cut, if all are back."""
    cut = terms[0].cut
    if cut is None or cut.source.formula.size() != bits:
        return None
    if name in ("arith.extsi", "arith.extui") and not cut.by:
        left = terms[0].formula.size()
    elif name in ("arith.shrsi", "arith.shrui") and cut.by and _constant(terms[1]) == cut.by:
        left = bits - cut.by
    else:
        return None
    unsigned = name in ("arith.extui", "arith.shrui")
    if not _fits(cut.source.range, left + unsigned) or (unsigned and not _is_natural(cut.source)):
        return None
    return replace(cut.source, given=given(cut.source, *terms))


def _compared(op: Operation, terms: Sequence[Term]) -> Term:
    """Return a comparison; it is a constant where ranges decide it."""
    predicate, facts = integer(op, "predicate"), given(*terms)
    if all(map(_is_natural, terms)):
        predicate = _WITH_A_SIGN.get(predicate, predicate)
    a, b = (t.range for t in terms)
    if predicate < 6 and a is not None and b is not None:
        decided = _decided(predicate, a, b)
        if decided is not None:
            return Term(number(decided, 1), facts)
    of = [t.formula for t in terms]
    if any(t.wide is not None for t in terms):
        # More bits of the sign keep the order of numbers without a sign, too.
        of = [widened(t) for t in terms]
    return Term(bit(COMPARISONS[predicate](*of)), facts)


def _decided(predicate: int, a: Range, b: Range) -> bool | None:
    """Return what a comparison with a sign is for all numbers of two ranges, if it is one thing."""
    match predicate:
        case 0 | 1:
            apart = a[1] < b[0] or b[1] < a[0]
            same = a[0] == a[1] == b[0] == b[1]
            return (predicate == 0) == same if apart or same else None
        case 2 | 5:
            less = True if a[1] < b[0] else False if a[0] >= b[1] else None
            return less if less is None else less == (predicate == 2)
        case _:
            no_more = True if a[1] <= b[0] else False if a[0] > b[1] else None
            return no_more if no_more is None else no_more == (predicate == 3)


def _extreme(name: str, terms: Sequence[Term]) -> Term | None:
    """Return the larger or smaller one of two numbers, if ranges tell which that is."""
    if name not in ("arith.maxsi", "arith.minsi"):
        return None
    a, b = terms
    if a.range is None or b.range is None:
        return None
    larger = a if a.range[0] >= b.range[1] else b if b.range[0] >= a.range[1] else None
    if larger is None:
        return None
    chosen = larger if name == "arith.maxsi" else b if larger is a else a
    return replace(chosen, given=given(*terms))


def _quotient(name: str, terms: Sequence[Term]) -> Term | None:
    """Return a shift or a mask as the quotient or the remainder that it is of a natural number."""
    if name not in ("arith.shrsi", "arith.andi") or not _is_natural(terms[0]):
        return None
    by, bits = _constant(terms[1]), terms[0].formula.size()
    if by is None or by < 0:
        return None
    x, facts = terms[0].formula, given(*terms)
    if name == "arith.shrsi" and by < bits - 1:
        return Term(x / number(1 << by, bits), facts)
    if name == "arith.andi" and by & (by + 1) == 0 and by + 1 < 1 << (bits - 1):
        return Term(z3.SRem(x, number(by + 1, bits)), facts)
    return None


def _range(name: str, terms: Sequence[Term], bits: int, on_offsets: bool) -> Range | None:
    """Return between which numbers the result of an op is; None if nothing is known."""
    if bits < 2:
        return None
    most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    if name == "arith.select":
        return _hull(terms[1].range, terms[2].range)
    if name == "arith.extui":
        return 0, (1 << terms[0].formula.size()) - 1
    rule = _RULES.get(name)
    if rule is None:
        return None
    found = rule(*(known_range(t) for t in terms))
    if found is None or _fits(found, bits):
        return found
    if on_offsets and name in _OF_OFFSETS and bits <= 32:
        # It does not overflow, which is given with the term.
        left = max(found[0], most[0]), min(found[1], most[1])
        return left if left[0] <= left[1] else None
    return None


_OF_OFFSETS = ("arith.addi", "arith.subi", "arith.muli")


def between(low: Term, high: Term) -> Range:
    """Return the range of a number that is no less than one and less than another one."""
    return known_range(low)[0], known_range(high)[1] - 1


def known_range(term: Term) -> Range:
    """Return the range of a term: at least that of its type."""
    if term.range is not None:
        return term.range
    bits = term.formula.size()
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


def _hull(a: Range | None, b: Range | None) -> Range | None:
    return None if a is None or b is None else (min(a[0], b[0]), max(a[1], b[1]))


def _product(a: Range, b: Range) -> Range:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _size(of: Range) -> int:
    return max(abs(of[0]), abs(of[1]))


def _divided(a: Range, b: Range) -> Range:
    """By zero it is 1 or -1, for z3."""
    if b[0] >= 1:
        ends = [(abs(x) // d) * (1 if x >= 0 else -1) for x in a for d in b]
        return min(*ends, 0 if a[0] <= 0 <= a[1] else ends[0]), max(ends)
    most = max(_size(a), 1)
    return -most, most


def _rest(a: Range, b: Range) -> Range:
    """By zero it is the number itself, for z3."""
    most = _size(a) if b[0] <= 0 <= b[1] else min(_size(a), _size(b) - 1)
    return (0 if a[0] >= 0 else -most), (0 if a[1] <= 0 else most)


def _masked(a: Range, b: Range) -> Range | None:
    tops = [x[1] for x in (a, b) if x[0] >= 0]
    return (0, min(tops)) if tops else None


def _joined(a: Range, b: Range) -> Range | None:
    if a[0] < 0 or b[0] < 0:
        return None
    return 0, (1 << max(a[1].bit_length(), b[1].bit_length())) - 1


def _shifted(a: Range, by: Range) -> Range | None:
    return _product(a, (1 << by[0], 1 << by[0])) if 0 <= by[0] == by[1] < 64 else None


def _shifted_back(a: Range, by: Range) -> Range | None:
    return (a[0] >> by[0], a[1] >> by[0]) if 0 <= by[0] == by[1] < 64 else None


_RULES: dict[str, Callable[..., Range | None]] = {
    "arith.addi": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "arith.subi": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "arith.muli": _product,
    "arith.divsi": _divided,
    "arith.remsi": _rest,
    "arith.andi": _masked,
    "arith.ori": _joined,
    "arith.xori": _joined,
    "arith.shli": _shifted,
    "arith.shrsi": _shifted_back,
    "arith.maxsi": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
    "arith.minsi": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    "arith.extsi": lambda a: a,
    "arith.trunci": lambda a: a,
    "arith.index_cast": lambda a: a,
}
