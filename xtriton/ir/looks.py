"""
Looks at an op and those in it, to tell later which have changed since.

While edits are noted a look only remembers the time; else all that there is to say of the ops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from xtriton.ir.listings import nested_ops, ops_of_block
from xtriton.ir.noted_edits import Changes, Moment, giver_of, moment
from xtriton.ir.states import Facts, State, state_of


@dataclass(eq=False)
class Look:
    """A look at `root` and the ops in it at some time; equal to itself only."""

    root: Operation
    when: Moment | None
    """None where edits are not noted."""
    state: State | None
    """What there was to say of the ops: where edits are not noted, or these notes are checked."""
    unseen: frozenset[Operation] = frozenset()
    """Ops that are inside and were not looked at."""

    def changes_until(self, later: Look) -> Changes | None:
        """
        Return what changed until a later look, here and perhaps elsewhere.

        None stands for most of it.
        """
        if self.when is not None and later.when is not None:
            changes = self.when.changes_until(later.when)
            return None if changes is None else changes._replace(ops=changes.ops | self.unseen)
        if self.when is not None or later.when is not None:
            return None
        assert self.state is not None
        assert later.state is not None
        return _compared(self.state, later.state)


_checks = False


def check_noted_edits() -> None:
    """Let `look_at` find out whether all edits are noted, from now on: for tests."""
    global _checks
    _checks = True


def look_at(root: Operation, before: Look | None = None) -> Look:
    """Return what can be seen of `root` now: `before` if that is the same."""
    when = moment()
    if before is not None and (before.when is None) != (when is None):
        # What is noted says nothing of the time before.
        before = None
    if when is None:
        state = state_of(root, None if before is None else before.state)
        if before is not None and state is before.state:
            return before
        return Look(root, None, state)
    now = Look(root, when, state_of(root) if _checks else None)
    if before is None:
        return now
    _check(before, now)
    assert before.when is not None
    return before if before.when == when else now


def is_as_seen(look: Look) -> bool:
    """Return whether it is known, without looking at any op, that nothing changed since."""
    return look.when is not None and look.when == moment()


def joined(root: Operation, looks: Sequence[Look]) -> Look | None:
    """
    Return a look at `root` that has seen what was seen of ops inside, if it can be told.

    Of what changed between these looks, it says that it changed since.
    """
    times = [look.when for look in looks if look.when is not None]
    if not times:
        states = [look.state for look in looks if look.state is not None]
        ops = [op for state in states for op in state.ops]
        return Look(root, None, State(ops, [f for state in states for f in state.facts]))
    if len(times) < len(looks) or any(time.edits is not times[0].edits for time in times):
        return None
    seen = {look.root for look in looks}
    unseen = frozenset(
        inner
        for region in root.regions
        for block in region.blocks
        for op in ops_of_block(block)
        if op not in seen
        for inner in nested_ops(op)
    )
    earlier = frozenset(op for look in looks for op in look.unseen)
    first = min(times, key=lambda time: (time.ops, time.givers, time.erased))
    return Look(root, first, None, unseen | earlier | {root})


def _compared(before: State, now: State) -> Changes | None:
    """Return what changed between two states."""
    changes = before.changes_until(now)
    if changes is None:
        return None
    changed = {op for op, (old, new) in changes.items() if new is not None and old != new}
    lost = {v for old, new in changes.values() if old is not None for v in _lost(old, new)}
    return Changes(changed, set(filter(None, map(giver_of, lost))))


def _lost(old: Facts, new: Facts | None) -> Iterable[SSAValue]:
    """Return the operands that an op no longer takes, or not as often."""
    if new is None:
        return old[0]
    return () if old[0] == new[0] else (Counter(old[0]) - Counter(new[0])).keys()


def _check(before: Look, now: Look) -> None:
    """Raise `AssertionError` for an op that is not as it was, though nobody noted an edit."""
    if before.state is None or now.state is None:
        return
    assert before.when is not None
    assert now.when is not None
    noted = before.when.changes_until(now.when)
    changes = _compared(before.state, now.state)
    if noted is None or changes is None:
        return
    for op in changes.ops:
        assert op in noted.ops, f"nobody noted that {op.name} was edited"
    for op in filter(now.state.__contains__, changes.givers):
        assert op in noted.ops or op in noted.givers, f"nobody noted that {op.name} lost a user"
