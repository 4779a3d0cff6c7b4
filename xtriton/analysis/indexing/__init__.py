"""
Index expressions: closed forms of the integers of a kernel.

`algebra` has the polynomials and what they are made of, `division`, `choice` and `ranges`
the rules that simplify them, `rebuilding` puts others into them, `walking` finds what they are
built of, `evaluation` has their values on numbers, `text` their look; `space` puts all this
together.
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
    Space,
)
from xtriton.analysis.indexing.choice import conjuncts, facts_of
from xtriton.analysis.indexing.excess import excess
from xtriton.analysis.indexing.rebuilding import Rebuilder, positions_to
from xtriton.analysis.indexing.space import IndexSpace
from xtriton.analysis.indexing.walking import atoms_within

__all__ = [
    "LEAVES",
    "MACHINE",
    "Atom",
    "Cond",
    "CondKind",
    "Expr",
    "IndexSpace",
    "Interval",
    "Kind",
    "Monomial",
    "Rebuilder",
    "Space",
    "atoms_within",
    "conjuncts",
    "excess",
    "facts_of",
    "positions_to",
]
