"""What is known at a point of a kernel, and how two such points join."""

from collections.abc import Hashable
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from xtriton.analysis.effects import memory
from xtriton.analysis.effects.memory import Cells
from xtriton.analysis.effects.values import Root
from xtriton.analysis.indexing import Cond, Expr

Covered = tuple[SSAValue, Expr, int, Cond | None]
"""Elements that the program has stored to: base, offset, size in bytes and mask."""


_MOST_LATE = 64
"""How many are kept aside."""


@dataclass(frozen=True)
class Covers:
    """
    What has been stored to for sure; states share it, so that it is never changed.

    What came last is kept aside: one more does not copy all that there is.
    """

    settled: frozenset[Covered] = frozenset()
    late: frozenset[Covered] = frozenset()

    def and_also(self, key: Covered) -> "Covers":
        """Return these and one more."""
        late = self.late | {key}
        return Covers(self.settled, late) if len(late) < _MOST_LATE else Covers(self.settled | late)

    def __contains__(self, key: Covered) -> bool:
        return key in self.late or key in self.settled

    def __bool__(self) -> bool:
        return bool(self.late or self.settled)

    def __and__(self, other: "Covers") -> "Covers":
        if self == other:
            return self
        return Covers((self.settled | self.late) & (other.settled | other.late))


@dataclass
class State:
    """
    The state of a program at a point.

    `first` speaks of program (0, 0, 0), which every launch has, in the first iteration of
    each loop around: whether it surely comes here (`certain`) or surely does not
    (`absent`), and what it has surely read and written on its way.
    """

    cells: Cells = field(default_factory=Cells)
    certain: bool = True
    absent: bool = False
    read: frozenset[Root] = frozenset()
    written: frozenset[Root] = frozenset()
    stored: frozenset[Root] = frozenset()
    """What the program may have written on its way, surely or not."""

    covered: Covers = field(default_factory=Covers)
    doubt: str = ""
    """Why it is not certain."""

    def key(self) -> Hashable:
        """Return what two states have in common in which a called function does the same."""
        cells = frozenset(self.cells.items())
        flags = self.certain, self.absent, self.doubt
        return cells, flags, self.read, self.written, self.stored

    def comes_if(self, sure: bool, doubt: str) -> None:
        """Go on where the first program comes only if `sure`; otherwise `doubt` says why."""
        if not sure:
            self.doubt = doubt
            self.certain = False

    def copy(self) -> "State":
        return State(
            dict(self.cells),
            self.certain,
            self.absent,
            self.read,
            self.written,
            self.stored,
            self.covered,
            self.doubt,
        )


def join(states: "list[State]") -> "State | None":
    """Return the state where ways meet; None where no way leads there."""
    if not states:
        return None
    if len(states) == 1:
        return states[0].copy()
    result = states[0].copy()
    present = [s for s in states if not s.absent]
    for s in states[1:]:
        result.cells = memory.joined(result.cells, s.cells)
        result.covered &= s.covered
        result.stored |= s.stored
    result.absent = not present
    if present:
        result.read, result.written = present[0].read, present[0].written
        for s in present[1:]:
            result.read &= s.read
            result.written &= s.written
    result.certain = any(s.certain for s in present)
    result.doubt = next((s.doubt for s in states if s.doubt), "")
    return result
