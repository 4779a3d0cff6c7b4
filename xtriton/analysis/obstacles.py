"""What stands in the way of a block, in words that say which part of an offset it is."""

from xtriton.analysis.indexing import Expr, Kind
from xtriton.analysis.parts import MOST_PARTS, Walk, walk_of
from xtriton.analysis.radices import Radices, joined_positions

CROSSES = "changes inside the block"
"""The problem of a quotient or a choice that is not the same in all lanes."""

LONGEST = 100
"""Of a formula with more characters only the kind is told."""

_NAMES = {
    Kind.FLOORDIV: "a quotient",
    Kind.TRUNCDIV: "a quotient",
    Kind.MIN: "a minimum",
    Kind.MAX: "a maximum",
    Kind.SELECT: "a choice",
}


class NoForm(Exception):
    """
    The offset is no block: `subject`, over split positions, is in the way.

    `problem` says why of it, as in "(i0 // 7) changes inside the block".
    """

    def __init__(self, problem: str, subject: Expr):
        super().__init__(problem)
        self.problem = problem
        self.subject = subject

    def reason(self, radices: Radices) -> str:
        """Return what is in the way, over the positions before they were split."""
        space = self.subject.space
        joined = joined_positions(space, radices)
        mapping: dict[int, Expr] = {
            u: joined[space.atoms[u].key[0]]
            for u in self.subject.leaves
            if space.atoms[u].kind is Kind.POSITION
        }
        subject = space.substitute(self.subject, mapping)
        atom, own = subject.atom(), self.subject.atom()
        text = _shown(subject, "a product" if own is None else _NAMES.get(own.kind, "a value"))
        if atom is not None and atom.kind in (Kind.FLOORDIV, Kind.TRUNCDIV):
            walk = walk_of(space, atom.args[0])
            if walk is not None and not atom.args[1].dims:
                return f"{text} {CROSSES}{_advice(walk, atom.args[1])}"
        return f"{text} {self.problem}"


def _shown(e: Expr, otherwise: str) -> str:
    text = str(e)
    return text if len(text) <= LONGEST else otherwise


def _advice(walk: Walk, divisor: Expr) -> str:
    """Return how often a quotient of a walk changes, or when it does not."""
    number = divisor.constant
    if number is not None and number > 0:
        times = (number - 1 + walk.span) // number
        followed = MOST_PARTS - 1
        return f", up to {times} times; up to {followed} are followed" if times > followed else ""
    if divisor.atom() is None or not _starts_aligned(walk):
        return ""
    return f", which it does not if {divisor} is a multiple of {walk.step * walk.size}"


def _starts_aligned(walk: Walk) -> bool:
    """Tell whether a walk keeps within one period of any multiple of its length."""
    return walk.step > 0 and walk.start.divisor % (walk.step * walk.size) == 0
