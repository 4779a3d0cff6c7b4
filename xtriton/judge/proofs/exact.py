# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
Products of floats that are not rounded, so that it makes no difference what is fused with them.

A sum with a constant is zero, or not much smaller than the constant: all its digits are at least
as large as the last one of half the constant. So a power of two below one can be multiplied with
it without reaching denormal numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp
from typing import Any

from xdsl.ir import Operation

from xtriton.judge.proofs.formulas import Term, given, literal_value, named, symbol

SMALLEST = 2.0**-40
"""Powers of two, and constants of sums, that keep products of both far above denormal numbers."""

_PRECISE = ("f32", "f64")


def fused(op: Operation, terms: Sequence[Term]) -> Term | None:
    """Return the sum that a fused product is, if the product is exact; None if it may not be."""
    a, b, c = terms
    if not (_is_exact(a.formula, b.formula) or _is_exact(b.formula, a.formula)):
        return None
    kind, facts = op.results[0].type, list(given(*terms))
    said = named(op).removeprefix(op.name).rpartition("[")[0]
    types = [str(a.formula.sort())] * 3
    made: Any = a.formula
    for name, by in (("arith.mulf", b.formula), ("arith.addf", c.formula)):
        whole = f"{name}{said}{types}"
        made, other = symbol(whole, kind, made, by), symbol(whole, kind, by, made)
        facts.append(made == other)
    return Term(made, tuple(facts))


def _is_exact(sum: Any, power: Any) -> bool:
    """Whether a float times a constant is exact, as far as one sees."""
    by = literal_value(power)
    if by is None or not SMALLEST <= abs(by) <= 1 or abs(frexp(by)[0]) != 0.5:
        return False
    if str(sum.sort()) not in _PRECISE or sum.num_args() != 2:
        return False
    if not sum.decl().name().startswith(("arith.addf ", "arith.subf ")):
        return False
    constants = (literal_value(x) for x in sum.children())
    return any(c is not None and SMALLEST <= abs(c) <= 1 / SMALLEST for c in constants)
