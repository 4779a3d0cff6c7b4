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

    def is_whole_in(self, other: Quotient) -> bool:
        """Return whether this is one number where `other` is."""
        alike = (self.type, self.base, self.floors) == (other.type, other.base, other.floors)
        return alike and self.divisor % other.divisor == 0


Terms = tuple[Operand | Quotient, ...]
"""What is added to an index, and quotients that are subtracted from it, times their divisors."""


class Limit(NamedTuple):
    """What a sum of a type is compared with: of the index of a loop and terms."""

    type: str
    terms: Terms
    value: Operand
