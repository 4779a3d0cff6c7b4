"""
Where a rule may do something, told by what gives the operands.

Most ops are as simple as they can be. A rule that says where it may do something needs not be
asked about all of them (see `cleanup/idle.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

RuleT = TypeVar("RuleT", bound=Callable[..., Any])

CONSTANT = "constant"
"""Stands for the name of any op that is a constant."""


Givers = Sequence[str]
"""Names of the ops that give the operands: `CONSTANT` for constants, "" for arguments of blocks."""


def _nowhere(givers: Givers) -> bool:
    return False


@dataclass(frozen=True)
class Where:
    """
    Where a fold or a pattern may do something, apart from ops with the same operand twice.

    Patterns have it as an attribute `where`, folds by `at`; what has none may do something anywhere.
    """

    givers: Callable[[Givers], bool] = _nowhere
    numbers: frozenset[float] = frozenset()
    """It may also do something where an operand is a constant that is one of these throughout."""

    same_type: bool = False
    """It may also do something where the only operand has the type of the result."""


def at(where: Where) -> Callable[[RuleT], RuleT]:
    """Say where a fold may do something."""

    def say(rule: RuleT) -> RuleT:
        setattr(rule, _WHERE, where)
        return rule

    return say


def where_of(rule: object) -> Where | None:
    """Return where a fold or a pattern may do something; None where it does not say so."""
    return getattr(rule, _WHERE, None)


_WHERE = "where"


def with_numbers(*numbers: float) -> Where:
    """Return where an operand is one of some numbers."""
    return Where(numbers=frozenset(numbers))


def with_giver(*names: str, numbers: Iterable[float] = (), same_type: bool = False) -> Where:
    """Return where an op of one of some names gives an operand, or that is one of some numbers."""
    wanted = frozenset(names)
    return Where(lambda givers: not wanted.isdisjoint(givers), frozenset(numbers), same_type)


OWN_FOLDS = {
    "tt.addptr": with_giver(CONSTANT),
    "tt.broadcast": with_giver(CONSTANT, same_type=True),
    "tt.expand_dims": with_giver(CONSTANT),
    "tt.reshape": with_giver(CONSTANT, same_type=True),
    "tt.splat": with_giver(CONSTANT),
    "tt.trans": with_giver(CONSTANT, same_type=True),
}
"""Where ops that fold themselves do so, by name: dialects do not load what passes ask."""
