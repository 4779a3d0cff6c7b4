"""
What there is to say of the ops of a module at one time, to tell later what has changed since.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import Attribute, Block, Operation
from xdsl.ir.core import SSAValues

from xtriton.ir.listings import nested_ops

Facts = tuple[
    SSAValues,
    Block | None,
    Attribute | tuple[Attribute, ...],
    dict[str, Attribute],
    dict[str, Attribute],
    list[object] | None,
]
"""
What there is to say of an op: operands, block, types of results, properties, attributes, and
what is around or inside of it.
"""


Changes = dict[Operation, tuple[Facts | None, Facts | None]]
"""What was said of ops in a state, and is in a later one; None for ops that are not there."""


@dataclass(eq=False)
class State:
    """
    What there is to say of each op of a module, in their order; a collection of the ops.

    Facts stand beside their ops, so that comparing two states looks nothing up.
    """

    ops: Sequence[Operation] = ()
    facts: Sequence[Facts] = ()
    followed_by: tuple[State, Changes | None] | None = None
    """The state that was seen next, and the ops of which it says something else; None: of most."""

    def __len__(self) -> int:
        return len(self.ops)

    def __iter__(self) -> Iterator[Operation]:
        return iter(self.ops)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.by_op == other.by_op

    def __contains__(self, op: object) -> bool:
        return op in self.by_op

    def changes_until(self, later: State) -> Changes | None:
        """
        Return the ops of which something else is said in a later state.

        None stands for most of them: what is said in the end may be what was said before.
        """
        found: Changes = {}
        state = self
        while state is not later:
            if state.followed_by is None:
                return _compared(self, later)
            state, changes = state.followed_by
            if changes is None:
                return None
            for op, (old, new) in changes.items():
                known = found.get(op)
                found[op] = (old if known is None else known[0]), new
        return found

    @cached_property
    def by_op(self) -> dict[Operation, Facts]:
        """The facts of each op."""
        return dict(zip(self.ops, self.facts, strict=True))

    def lists(self, ops: Sequence[Operation]) -> bool:
        """Return whether these are its ops, in this order."""
        return self.ops is ops or self.ops == ops


def _compared(before: State, now: State) -> Changes:
    """Return the ops of which states say something else, where it is not known how one came."""
    facts, known = before.by_op, before.by_op.get
    changes: Changes = {
        op: (old, new)
        for op, new in zip(now.ops, now.facts, strict=True)
        if (old := known(op)) is not new
    }
    return changes | {op: (facts[op], None) for op in facts.keys() - now.by_op.keys()}


_NONE: dict[str, Attribute] = {}


def state_of(root: Operation, before: State | None = None) -> State:
    """
    Return all that there is to say of `root` and the ops in it, but their locations.

    Two states are equal if nothing changed between them but the order of ops; ops are equal to
    themselves only. What is said of an op that did not change since `before` is the same object,
    and so is the state if nothing changed.
    """
    before = State() if before is None else before
    ops = nested_ops(root)
    is_in_place = before.lists(ops)
    known = before.facts if is_in_place else list(map(before.by_op.get, ops))
    found: list[Facts] = []
    changed: list[int] = []
    add = found.append
    for op, old in zip(ops, known, strict=True):
        results = op.results
        if len(results) == 1:
            # Looking up `results[0]` takes longer.
            (result,) = results
            types = result._type
        else:
            types = tuple([result._type for result in results])
        if old is not None:
            operands, parent, old_types, properties, attributes, inside = old
            if (
                (operands is op._operands or operands == op._operands)
                and parent is op.parent
                and (types is old_types or types == old_types)
                and properties == op.properties
                and attributes == op.attributes
                and inside == (_around(op) if op.regions or op._successors else None)
            ):
                add(old)
                continue
        around = _around(op) if op.regions or op._successors else None
        # Most ops have none of these.
        properties = dict(op.properties) if op.properties else _NONE
        attributes = dict(op.attributes) if op.attributes else _NONE
        changed.append(len(found))
        add((op._operands, op.parent, types, properties, attributes, around))
    if is_in_place and not changed:
        return before
    state = State(ops, found)
    # Of most ops one would have to say it again.
    if len(changed) * 3 > len(ops):
        before.followed_by = state, None
        return state
    changes: Changes = {ops[i]: (known[i], found[i]) for i in changed}
    if not is_in_place and len(known) - known.count(None) < len(before):
        gone = before.by_op.keys() - set(ops)
        changes |= {op: (before.by_op[op], None) for op in gone}
    before.followed_by = state, changes
    return state


def _around(op: Operation) -> list[object]:
    """Return where an op goes on, and the blocks inside with the types of their arguments."""
    facts: list[object] = [*op._successors]
    for region in op.regions:
        block: Block | None = region.first_block
        while block is not None:
            facts.append(block)
            facts += [(argument, argument._type) for argument in block._args]
            block = block._next_block
    return facts
