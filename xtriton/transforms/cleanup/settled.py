"""
What a module remembers of the passes that left it as it was.

Pipelines simplify a module a dozen times, and most times find it nearly as they left it. So each
module remembers at which look something had nothing to do: passes, and patterns of greedy
rewriting. What had nothing to do then has only to look at ops near those that changed since.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from operator import attrgetter

from xdsl.ir import Operation, SSAValue

from xtriton.ir.listings import nested_ops, ops_of_block
from xtriton.ir.looks import Look, is_as_seen, joined, look_at
from xtriton.ir.noted_edits import giver_of
from xtriton.ir.versions import release

_ATTRIBUTE = "_xtriton_settled"
_has_regions = attrgetter("regions")
_REACH = 2
"""How many ops away from an op, along its operands, patterns look at others."""
_MOST = 32
"""Of what a module remembers that it has nothing to do."""

What = Sequence[object]
"""Patterns, or something that stands for a pass; each is equal to itself only."""


@dataclass
class Settled:
    """How a module was last seen, and at which looks something had nothing to do."""

    release: object
    look: Look
    _done: dict[int, tuple[object, Look]] = field(default_factory=dict[int, tuple[object, Look]])
    """By identity, with what keeps it."""
    _near: dict[int, set[Operation] | None] = field(
        default_factory=dict[int, set[Operation] | None]
    )
    """What is touched since a look, by its identity."""

    def reaches(self, look: Look) -> None:
        """Say that the module was seen to have changed."""
        self.look = look
        self._near.clear()

    def catch_up(self) -> None:
        """See what changed by now, where that is known without looking at all ops."""
        if self.look.when is None:
            return
        look = look_at(self.look.root, self.look)
        if look is not self.look:
            self.reaches(look)

    def knows(self, what: What) -> bool:
        """Return whether `what` has nothing to do."""
        return all(self._when(each) is self.look for each in what)

    def remembers(self, what: What) -> bool:
        """Return whether there is a look at which `what` had nothing to do."""
        return all(self._when(each) is not None for each in what)

    def touched(self, what: What) -> AbstractSet[Operation] | None:
        """Return the ops where `what` may have something to do, or None: anywhere."""
        looks = {id(look): look for look in map(self._when, what)}
        found: set[Operation] = set()
        for look in looks.values():
            if look is None:
                return None
            if look is self.look:
                continue
            if id(look) not in self._near:
                self._near[id(look)] = touched(look, self.look)
            near = self._near[id(look)]
            if near is None:
                self._forget(look)
                return None
            found |= near
        return found

    def note(self, what: What) -> None:
        """Remember that `what` has nothing to do as the module is now."""
        for each in what:
            self._done.pop(id(each), None)
            self._done[id(each)] = (each, self.look)
        while len(self._done) > _MOST:
            del self._done[next(iter(self._done))]

    def inherit(self, others: Iterable[Settled]) -> None:
        """Take over what is known of ops inside: the others are as they were, or touched."""
        done: dict[int, tuple[object, list[Look]]] = {}
        for other in others:
            for key, (each, look) in other._done.items():
                done.setdefault(key, (each, []))[1].append(look)
        together: dict[tuple[int, ...], Look | None] = {}
        for key, (each, looks) in done.items():
            these = tuple(map(id, looks))
            if these not in together:
                together[these] = joined(self.look.root, looks)
            look = together[these]
            if look is not None:
                self._done[key] = each, look

    def _forget(self, look: Look) -> None:
        """Let go of a look of which too little is left, and of the ops that are gone since."""
        self._done = {key: done for key, done in self._done.items() if done[1] is not look}

    def _when(self, each: object) -> Look | None:
        return self._done.get(id(each), (None, None))[1]


def settled(root: Operation) -> Settled:
    """Return what is known of `root`, which is looked at as it is now."""
    known: Settled | None = getattr(root, _ATTRIBUTE, None)
    if known is None or known.release != release():
        known = Settled(release(), look_at(root))
        known.inherit(_inside(root))
        setattr(root, _ATTRIBUTE, known)
        return known
    look = look_at(root, known.look)
    if look is not known.look:
        known.reaches(look)
    return known


def may_know(root: Operation, what: What) -> bool:
    """Return whether a look at `root` could tell that `what` has nothing to do."""
    known: Settled | None = getattr(root, _ATTRIBUTE, None)
    if known is not None:
        return known.remembers(what)
    return any(inner.remembers(what) for _, inner in _holders_inside(root))


def settled_still(root: Operation) -> Settled | None:
    """Return what is known of `root`, if nothing was edited since: no op is looked at for it."""
    known: Settled | None = getattr(root, _ATTRIBUTE, None)
    if known is None or known.release != release():
        return None
    return known if is_as_seen(known.look) else None


def _inside(root: Operation) -> Iterable[Settled]:
    """Take over what is known of the ops of a module, such as its functions."""
    for op, known in _holders_inside(root):
        delattr(op, _ATTRIBUTE)
        if known.release == release():
            yield known


def _holders_inside(root: Operation) -> Iterable[tuple[Operation, Settled]]:
    """Return the ops of a module, such as its functions, of which something is known."""
    for region in root.regions:
        for block in region.blocks:
            for op in filter(_has_regions, ops_of_block(block)):
                known: Settled | None = getattr(op, _ATTRIBUTE, None)
                if known is not None:
                    yield op, known


def touched(before: Look, now: Look) -> set[Operation] | None:
    """
    Return the ops of a module from which a change between two looks can be seen.

    None stands for all, also where nearly all are.
    """
    changes = before.changes_until(now)
    if changes is None:
        return None
    changed = changes.ops
    if len(changed) * 3 > len(nested_ops(now.root)):
        return None
    found = changed | changes.givers | _givers(changed)
    # What gives to one op only may now be part of that op.
    front = changed | {op for op in found if _has_one_user(op)}
    for _ in range(_REACH):
        front = _users(front) - found
        found |= front
    return _with_ancestors(found)


def _givers(ops: Iterable[Operation]) -> set[Operation]:
    """Return the ops that give operands to ops."""
    return {giver for op in ops for v in op._operands if (giver := giver_of(v)) is not None}


def _users(ops: Iterable[Operation]) -> set[Operation]:
    """Return the ops that use what `ops`, or the blocks inside of them, give."""
    found: set[Operation] = set()
    for op in ops:
        values: Iterable[SSAValue] = op.results
        if op.regions:
            values = [*values, *(a for r in op.regions for b in r.blocks for a in b.args)]
        for value in values:
            use = value.first_use
            while use is not None:
                found.add(use._operation)
                use = use._next_use
    return found


def _has_one_user(op: Operation) -> bool:
    for result in op.results:
        use = result.first_use
        if use is not None and use._next_use is None:
            return True
    return False


def _with_ancestors(ops: set[Operation]) -> set[Operation]:
    found = set(ops)
    for op in ops:
        parent = op.parent_op()
        while parent is not None and parent not in found:
            found.add(parent)
            parent = parent.parent_op()
    return found
