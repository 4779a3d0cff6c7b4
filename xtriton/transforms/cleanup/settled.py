"""
What a module remembers of the passes that left it as it was.

Pipelines simplify a module a dozen times, and most times find it as they left it. So each
module remembers a state, and what has nothing to do in that state: passes, and patterns of
greedy rewriting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation

from xtriton.ir.op_facts import state_of
from xtriton.ir.versions import release

_ATTRIBUTE = "_xtriton_settled"

What = Sequence[object]
"""Patterns, or something that stands for a pass; each is equal to itself only."""


@dataclass
class Settled:
    """A state of a module, and what has nothing to do in it."""

    state: list[object]
    done: list[What] = field(default_factory=list[What])

    def knows(self, what: What) -> bool:
        """Return whether `what` has nothing to do."""
        return any(
            len(what) == len(done) and all(a is b for a, b in zip(what, done, strict=True))
            for done in self.done
        )


def settled(root: Operation) -> Settled:
    """Return what is known of `root` as it is now."""
    state: list[object] = [release(), *state_of(root)]
    known: Settled | None = getattr(root, _ATTRIBUTE, None)
    if known is None or known.state != state:
        known = Settled(state)
        setattr(root, _ATTRIBUTE, known)
    return known
