"""Sums of the index of a loop, what is divided of them, and what they are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from xtriton.cpu.builder import Operand


@dataclass(frozen=True)
class Quotient:
    """What is divided, an index and what is added to it, by what, and whether rounding is down."""

    type: str
    base: tuple[Operand, ...]
    divisor: int
    floors: bool

    def is_kind_of(self, other: Quotient) -> bool:
        """Return whether this is the other but for the divisor."""
        return (self.type, self.base, self.floors) == (other.type, other.base, other.floors)

    def is_whole_in(self, other: Quotient) -> bool:
        """Return whether this is one number where `other` is."""
        return self.is_kind_of(other) and self.divisor % other.divisor == 0


@dataclass(frozen=True)
class Computed:
    """What an instruction makes of what is one number in a part of a loop, as LLVM writes it."""

    instruction: str
    operands: tuple[Term, ...]
    after: str = ""

    @property
    def size(self) -> int:
        """How many instructions there are as a tree."""
        return 1 + sum(one.size for one in self.operands if isinstance(one, Computed))


Term = Operand | Quotient | Computed
"""What is one number in a part of a loop."""


class Rest(NamedTuple):
    """What is subtracted from a dividend to get what a division leaves."""

    quotient: Quotient


Terms = tuple[Term | Rest, ...]
"""What is added to an index."""


class Limit(NamedTuple):
    """What a sum of a type is compared with: of the index of a loop and terms."""

    type: str
    terms: Terms
    value: Term

    @property
    def is_above_the_middle(self) -> bool:
        """Return whether the sum is below the value in the middle of a row, if that is known."""
        rests = [n for n, term in enumerate(self.terms) if isinstance(term, Rest)]
        if len(rests) != 1 or not isinstance(self.value, int):
            return False
        rest, added = self.terms[rests[0]], self.terms[rests[0] + 1 :]
        assert isinstance(rest, Rest)
        middle = rest.quotient.divisor // 2 + sum(term for term in added if isinstance(term, int))
        return middle < self.value
