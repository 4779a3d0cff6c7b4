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
from xtriton.ir.noted_edits import is_as_seen, remember_seen

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


@dataclass(frozen=True, eq=False)
class State:
    """
    What there is to say of each op of a module, in their order; a collection of the ops.

    Facts stand beside their ops, so that comparing two states looks nothing up.
    """

    ops: Sequence[Operation] = ()
    facts: Sequence[Facts] = ()

    def __len__(self) -> int:
        return len(self.ops)

    def __iter__(self) -> Iterator[Operation]:
        return iter(self.ops)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.by_op == other.by_op

    def __contains__(self, op: object) -> bool:
        return op in self.by_op

    @cached_property
    def by_op(self) -> dict[Operation, Facts]:
        """The facts of each op."""
        return dict(zip(self.ops, self.facts, strict=True))

    def lists(self, ops: Sequence[Operation]) -> bool:
        """Return whether these are its ops, in this order."""
        return self.ops is ops or self.ops == ops


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
    if is_as_seen(root, ops, before):
        if _checks:
            _check(ops, before)
        return before
    state = _state_of(ops, before)
    remember_seen(root, ops, state)
    return state


_checks = False


def check_noted_edits() -> None:
    """Let `state_of` find out whether all edits are noted, from now on: for tests."""
    global _checks
    _checks = True


def _check(ops: Sequence[Operation], state: State) -> None:
    """Raise `AssertionError` for an op that is not as `state` says, though no edit was noted."""
    now = _state_of(ops, state)
    changed = [op for op, new, old in zip(ops, now.facts, state.facts, strict=True) if new != old]
    assert not changed, f"nobody noted that {changed[0].name} was edited"


def _state_of(ops: Sequence[Operation], before: State) -> State:
    is_in_place = before.lists(ops)
    known = before.facts if is_in_place else map(before.by_op.get, ops)
    found: list[Facts] = []
    add = found.append
    is_new = not is_in_place
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
        add((op._operands, op.parent, types, properties, attributes, around))
        is_new = True
    return State(ops, found) if is_new else before


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
