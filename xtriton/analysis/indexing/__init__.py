"""
Index expressions: closed forms of the integers of a kernel.

`algebra` has the polynomials and what they are made of, `division`, `choice` and `ranges`
the rules that simplify them, `evaluation` their values on numbers, `text` their look.
"""

from xtriton.analysis.indexing.algebra import (
    LEAVES,
    MACHINE,
    Atom,
    Cond,
    CondKind,
    Expr,
    Interval,
    Kind,
    Monomial,
    Rebuilder,
    Space,
    positions_to,
)
from xtriton.analysis.indexing.choice import conjuncts, facts_of
from xtriton.analysis.indexing.evaluation import Evaluator

__all__ = [
    "LEAVES",
    "MACHINE",
    "Atom",
    "Cond",
    "CondKind",
    "Evaluator",
    "Expr",
    "Interval",
    "Kind",
    "Monomial",
    "Rebuilder",
    "Space",
    "conjuncts",
    "facts_of",
    "positions_to",
]
