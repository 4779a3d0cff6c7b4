"""
Conditions that hold for all of a part of a loop, or for nothing of it.

A part of a loop is below a limit or not (see `rows`), and so is what all of several such limits
make of it. Where that chooses between two ways to compute elements, the part is written for each,
and the choice is gone: LLVM would choose for each vector, or go over a part once for each choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.limits import Limit, Term

FEWEST = 2
"""Choices for which a part is worth being written twice, or one of which LLVM makes no vectors."""

Conjunction = frozenset[tuple[Limit | Term, bool]]
"""What a condition says: of limits, that a sum is below, and of numbers, that they are true."""


@dataclass
class Conditions:
    """What is known of the conditions of a loop while its body is written."""

    made: dict[Operand, Conjunction] = field(default_factory=dict[Operand, Conjunction])
    """Registers that are such conditions."""
    asked: Counter[Conjunction] = field(default_factory=Counter[Conjunction])
    """How often something is chosen by one."""
    expected: dict[Limit, bool] = field(default_factory=dict[Limit, bool])
    """Limits that an address turns at, and whether most of the loop is thought to be below."""
    counts: bool = True
    """Whether that is still to be found out."""
    decided: tuple[Conjunction, bool] | None = None
    """What the part is written for, and whether it holds there."""

    def note_both(self, pair: Sequence[Operand], result: Operand, same: Sequence[Operand]) -> None:
        """Note that `result` holds where a pair does, of which some are `same` in all the loop."""
        first, second = (
            frozenset({(one, True)}) if one in same else self.made.get(one) for one in pair
        )
        if first is not None and second is not None and len(same) < len(pair):
            self.made[result] = first | second

    def holds(self, condition: Operand, times: int = 1) -> bool | None:
        """
        Return whether a condition by which something is chosen holds; None if that is unknown.

        It counts as asked so many `times` while that is to be found out.
        """
        conjunction = self.made.get(condition)
        if conjunction is None:
            return None
        if self.counts:
            self.asked[conjunction] += times
        return self.decides(conjunction)

    def decides(self, conjunction: Conjunction) -> bool | None:
        """Return whether a conjunction holds in the part; None if that is not decided."""
        if self.decided is None:
            return None
        of_part, is_true = self.decided
        if is_true and not conjunction.isdisjoint(_negated(of_part)):
            return False
        if not is_true and len(of_part) == 1 and conjunction == _negated(of_part):
            return True
        follows = conjunction <= of_part if is_true else conjunction >= of_part
        return is_true if follows else None

    def worth_deciding(self, is_told: Callable[[Limit | Term], bool]) -> Conjunction | None:
        """Return a condition that a part tells of and by which most is chosen, if that pays."""
        expected = frozenset(one for one in self.expected.items() if is_told(one[0]))
        for conjunction, count in self.asked.most_common():
            told = all(is_told(one) for one, _ in conjunction)
            if count >= FEWEST and told and conjunction.isdisjoint(_negated(expected)):
                return conjunction | expected
        return expected or None


def _negated(conjunction: Conjunction) -> Conjunction:
    """Return the conditions of a conjunction, each as what it is where it does not hold."""
    return frozenset((one, not holds) for one, holds in conjunction)
