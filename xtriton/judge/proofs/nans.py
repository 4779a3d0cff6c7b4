# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
What is known of NaN in formulas: which ops hand it on, and which floats are none.

A float is none if it is made of integers and constants by sums and products, and is not too
large for its type.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

import z3

from xtriton.judge.proofs.formulas import is_nan, literal_value

_LARGEST = {"f16": 65504.0, "bf16": 2.0**127, "f32": 2.0**127, "f64": 2.0**1023}
"""Of each type of floats, about; no rounding on the way there goes beyond it."""

_HANDING_ON = frozenset(
    ("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.negf", "arith.extf",
     "arith.truncf", "arith.maximumf", "arith.minimumf", "math.fma", "tt.precise_divf",
     "tt.precise_sqrt")
)  # fmt: skip
_BELOW_ONE = frozenset(("math.sin", "math.cos", "math.tanh", "math.erf"))
_AS_LARGE = frozenset(("arith.negf", "math.absf", "arith.extf", "arith.truncf", "math.floor"))
_MOST_INTEGER = 2.0**64

MOST_NODES = 2000
"""Of a formula that is looked into."""


def known(formulas: Iterable[Any]) -> list[Any]:
    """Return what holds of NaN in some formulas; nothing if they do not ask for NaN."""
    nodes = _floats(formulas)
    if not any(_asks(x) for x in nodes):
        return []
    bounds: dict[int, float] = {}
    facts: list[Any] = []
    for x in nodes:
        if str(x.sort()) not in _LARGEST:
            continue
        bounds[x.get_id()] = bound = _bound(x, bounds)
        if bound < _LARGEST[str(x.sort())]:
            facts.append(z3.Not(is_nan(x)))
        elif _hands_on(x):
            parts = [is_nan(c) for c in x.children()]
            facts.append(z3.Implies(z3.Or(*parts), is_nan(x)))
    return facts


def _floats(formulas: Iterable[Any]) -> list[Any]:
    """Return the floats and truths in formulas, each behind those that it is made of."""
    order: dict[int, Any] = {}
    work = [(x, False) for x in formulas]
    while work and len(order) < MOST_NODES:
        x, done = work.pop()
        if done:
            order.setdefault(x.get_id(), x)
        elif x.get_id() not in order:
            work.append((x, True))
            if _named(x) != "memory":
                work += [(c, False) for c in x.children() if not z3.is_bv(c) or c.size() == 1]
    return list(order.values())


def _asks(x: Any) -> bool:
    return z3.is_bool(x) and x.num_args() == 1 and _named(x) == "nan"


def _named(x: Any) -> str:
    """Return the name of the op that a formula is the result of."""
    return x.decl().name().partition(" ")[0]


def _hands_on(x: Any) -> bool:
    """Whether a float is NaN as soon as one of those that it is made of is."""
    name, parts = _named(x), x.children()
    if not parts or any(str(c.sort()) not in _LARGEST for c in parts):
        return False
    unary = len(parts) == 1 and name.startswith(("math.", "tt.extern_elementwise"))
    return name in _HANDING_ON or unary


def _bound(x: Any, bounds: dict[int, float]) -> float:
    """Return what no absolute value of a float is above; infinity if that is not known."""
    largest, name = _LARGEST[str(x.sort())], _named(x)
    if x.decl().kind() == z3.Z3_OP_ITE:
        return max(bounds.get(c.get_id(), float("inf")) for c in x.children()[1:])
    parts = [bounds.get(c.get_id(), float("inf")) for c in x.children()]
    found = float("inf")
    match name:
        case "arith.addf" | "arith.subf":
            found = 2.01 * max(parts)
        case "arith.mulf":
            found = 2 * parts[0] * parts[1]
        case "arith.maximumf" | "arith.minimumf" | "arith.maxnumf" | "arith.minnumf":
            found = max(parts)
        case "float":
            found = _MOST_INTEGER
        case _ if name in _BELOW_ONE:
            found = 2.0 if isfinite(parts[0]) else float("inf")
        case _ if name in _AS_LARGE:
            found = 2 * parts[0]
        case _ if not parts:
            found = _literal(x)
    return found if found < largest else float("inf")


def _literal(x: Any) -> float:
    """Return the absolute value of a constant; infinity for what is none."""
    value = literal_value(x)
    return float("inf") if value is None or value != value else abs(value)
