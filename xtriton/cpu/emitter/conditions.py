"""
Conditions that hold for all of a part of a loop, or for nothing of it.

A part of a loop is below a limit or not (see `rows`), and so is what all of several such limits
make of it. Where that chooses between two ways to compute elements, the part is written for each,
and the choice is gone: LLVM would choose for each vector, or go over a part once for each choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.limits import Limit

FEWEST = 2
"""Choices for which a part is worth being written twice."""


Conjunction = frozenset[tuple[Limit | str, bool]]
"""Limits, and registers, of which a condition says that a sum is below or that they are true."""


@dataclass
class Conditions:
    """What is known of the conditions of a loop while its body is written."""

    made: dict[Operand, Conjunction] = field(default_factory=dict[Operand, Conjunction])
    """Registers that are such conditions."""
    asked: Counter[Conjunction] = field(default_factory=Counter[Conjunction])
    """How often something is chosen by one."""
    decided: tuple[Conjunction, bool] | None = None
    """What the part is written for, and whether it holds there."""

    def note_both(self, a: Operand, b: Operand, result: Operand, *, alike: bool) -> None:
        """Note that `result` holds where a and b do; `alike` if one is the same in all the loop."""
        first, second = self.made.get(a), self.made.get(b)
        if first is None and second is None:
            return
        if alike:
            first, second = first or _of_register(a), second or _of_register(b)
        if first is not None and second is not None:
            self.made[result] = first | second

    def holds(self, condition: Operand) -> bool | None:
        """Return whether a condition by which is chosen holds; None if that is unknown."""
        conjunction = self.made.get(condition)
        if conjunction is None:
            return None
        self.asked[conjunction] += 1
        if self.decided is None:
            return None
        of_part, is_true = self.decided
        follows = conjunction <= of_part if is_true else conjunction >= of_part
        return is_true if follows else None

    def most_asked(self, flags: Mapping[Limit, str]) -> Conjunction | None:
        """Return by which condition, all of whose flags are known, most is chosen, if that pays."""
        for conjunction, count in self.asked.most_common():
            limits = [one for one, _ in conjunction if isinstance(one, Limit)]
            if count >= FEWEST and all(flags[limit] for limit in limits):
                return conjunction
        return None


def _of_register(register: Operand) -> Conjunction:
    return frozenset({(str(register), True)})


def value_of(b: IRBuilder, conjunction: Conjunction, flags: Mapping[Limit, str]) -> str:
    """Return whether a condition holds in a part, as an i1."""
    result = "true"
    for one, expected in sorted(conjunction, key=str):
        flag = flags[one] if isinstance(one, Limit) else one
        flag = flag if expected else b.value(f"xor i1 {flag}, true")
        result = b.both(result, flag)
    return result
