"""
How much an answer may cost before the safe answer is given instead.

One object says it for everything: sizes of formulas, ops that are looked at, text that is
written. The defaults are far from what real kernels need. A caller who wants others says

    with spending(Budget(terms=16)):
        records = xt.effects.analyze_all(text)

An analysis that meets its budget says so in its record; a tool that cannot go on ends with an
error that a user understands.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Budget:
    """
    What is spent at most; each is a number of the unit in its name.

    A formula is the closed form of a value, as `xtriton.analysis` makes it.
    """

    terms: int = 64
    """Terms of the sum that a formula is."""

    depth: int = 40
    """Quotients, minima, maxima and choices of a formula inside each other."""

    factors: int = 32
    """Factors of a term of a formula."""

    bits: int = 256
    """Bits of a number in a formula; those of programs have 64."""

    parts: int = 20_000
    """Numbers and names of a formula, written out in full, where its text may share parts."""

    visits: int = 100_000
    """Ops that an analysis comes by, again and again in loops, for each 5,000 of the kernel."""

    inlined: int = 10_000
    """Ops that inlining adds to a module."""

    rounds: int = 100
    """Rounds in which what a module's layout conversions convert is computed once more."""

    text: int = 1 << 27
    """Characters of a module's text."""

    rows: int = 500
    """Rows of a table for people; JSON has them all."""

    cell: int = 4_000
    """Characters of a formula in a table for people."""

    message: int = 1 << 14
    """Characters of a type or attribute in a message."""

    @cached_property
    def least(self) -> int:
        """The least of what a formula may have of terms, depth and factors."""
        return min(self.terms, self.depth, self.factors)


DEFAULT = Budget()
_current: ContextVar[Budget] = ContextVar("budget", default=DEFAULT)


def current() -> Budget:
    """Return the budget of whoever asks."""
    return _current.get()


@contextmanager
def spending(budget: Budget) -> Generator[None]:
    """Let what happens inside cost no more than `budget` says."""
    token = _current.set(budget)
    try:
        yield
    finally:
        _current.reset(token)
