"""
What a module remembers of the passes that left it as it was.

Pipelines simplify a module a dozen times, and most times find it nearly as they left it. So each
module remembers in which state something had nothing to do: passes, and patterns of greedy
rewriting. What had nothing to do then has only to look at ops near those that changed since.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set as AbstractSet
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from xtriton.ir.listings import ops_with_regions
from xtriton.ir.noted_edits import edits_since
from xtriton.ir.states import Facts, State, state_of
from xtriton.ir.versions import release

_ATTRIBUTE = "_xtriton_settled"
_REACH = 2
"""How many ops away from an op, along its operands, patterns look at others."""
_MOST = 32
"""Of what a module remembers that it has nothing to do."""

What = Sequence[object]
"""Patterns, or something that stands for a pass; each is equal to itself only."""


@dataclass
class Settled:
    """The state of a module, and in which states something had nothing to do."""

    release: object
    state: State
    _done: dict[int, tuple[object, State]] = field(default_factory=dict[int, tuple[object, State]])
    """By identity, with what keeps it."""
    _near: dict[int, set[Operation] | None] = field(
        default_factory=dict[int, set[Operation] | None]
    )
    """What is touched since a state, by its identity."""

    def reaches(self, state: State) -> None:
        """Say that the module is in another state now."""
        self.state = state
        self._near.clear()

    def knows(self, what: What) -> bool:
        """Return whether `what` has nothing to do."""
        return all(self._when(each) is self.state for each in what)

    def remembers(self, what: What) -> bool:
        """Return whether there is a state in which `what` had nothing to do."""
        return all(self._when(each) is not None for each in what)

    def touched(self, what: What) -> AbstractSet[Operation] | None:
        """Return the ops where `what` may have something to do, or None: anywhere."""
        states = {id(state): state for state in map(self._when, what)}
        found: set[Operation] = set()
        for state in states.values():
            if state is None:
                return None
            if state is self.state:
                continue
            if id(state) not in self._near:
                self._near[id(state)] = touched(state, self.state)
            near = self._near[id(state)]
            if near is None:
                self._forget(state)
                return None
            found |= near
        return found

    def note(self, what: What, state: State | None = None) -> None:
        """Remember that `what` has nothing to do in a state, if none is given in this one."""
        for each in what:
            self._done.pop(id(each), None)
            self._done[id(each)] = (each, self.state if state is None else state)
        while len(self._done) > _MOST:
            del self._done[next(iter(self._done))]

    def inherit(self, others: Iterable[Settled]) -> None:
        """Take over what is known of ops inside: the others are as they were, or touched."""
        done: dict[int, tuple[object, list[State]]] = {}
        for other in others:
            for key, (each, state) in other._done.items():
                done.setdefault(key, (each, []))[1].append(state)
        joined: dict[tuple[int, ...], State] = {}
        for key, (each, states) in done.items():
            together = tuple(map(id, states))
            if together not in joined:
                joined[together] = _joined(states)
            self._done[key] = each, joined[together]

    def _forget(self, state: State) -> None:
        """Let go of a state of which too little is left, and of the ops that are gone since."""
        self._done = {key: done for key, done in self._done.items() if done[1] is not state}

    def _when(self, each: object) -> State | None:
        return self._done.get(id(each), (None, None))[1]


def settled(root: Operation) -> Settled:
    """Return what is known of `root`, which is looked at as it is now."""
    known: Settled | None = getattr(root, _ATTRIBUTE, None)
    if known is None or known.release != release():
        known = Settled(release(), state_of(root))
        known.inherit(_inside(root))
        setattr(root, _ATTRIBUTE, known)
        return known
    state = state_of(root, known.state)
    if state is not known.state:
        known.reaches(state)
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
    return None if edits_since(root, known.state) != set() else known


def _inside(root: Operation) -> Iterable[Settled]:
    """Take over what is known of the ops of a module, such as its functions."""
    for op, known in _holders_inside(root):
        delattr(op, _ATTRIBUTE)
        if known.release == release():
            yield known


def _holders_inside(root: Operation) -> Iterable[tuple[Operation, Settled]]:
    """Return the ops of a module, such as its functions, of which something is known."""
    for op in ops_with_regions(root):
        known: Settled | None = getattr(op, _ATTRIBUTE, None)
        if known is not None and op.parent_op() is root:
            yield op, known


def _joined(states: Sequence[State]) -> State:
    """Return what is said in states of different ops."""
    return State([op for state in states for op in state.ops], [f for s in states for f in s.facts])


def touched(before: State, now: State) -> set[Operation] | None:
    """
    Return the ops of a module from which a change between two states can be seen.

    None stands for all, also where nearly all are.
    """
    changes = before.changes_until(now)
    if changes is None:
        return None
    changed = {op: new for op, (old, new) in changes.items() if new is not None and old != new}
    if len(changed) * 3 > len(now):
        return None
    lost = [old for old, new in changes.values() if old is not None and old != new]
    found = {*changed}
    root = now.ops[0]
    found |= {op for op in _givers((*lost, *changed.values())) if _is_inside(op, root)}
    # What gives to one op only may now be part of that op.
    front = changed.keys() | {op for op in found if _has_one_user(op)}
    for _ in range(_REACH):
        front = _users(front) - found
        found |= front
    return _with_ancestors(found)


def _is_inside(op: Operation, root: Operation) -> bool:
    current: Operation | None = op
    while current is not None and current is not root:
        current = current.parent_op()
    return current is root


def _givers(facts: Iterable[Facts]) -> set[Operation]:
    """Return the ops that gave the operands of ops, as they were."""
    found: set[Operation] = set()
    for operand in {operand for each in facts for operand in each[0]}:
        owner = operand.owner
        op = owner if isinstance(owner, Operation) else owner.parent_op()
        if op is not None:
            found.add(op)
    return found


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
