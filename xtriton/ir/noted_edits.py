"""
Which ops were edited since a module was looked at, without looking at all of them again.

To see that a hundred thousand ops are as they were, one has to read all of them from memory that
no cache holds, and pipelines ask twenty times. But whoever edits can say so: xDSL's methods that
attach, detach and move ops do, as do those that change operands, types, arguments of blocks and
successors; greedy rewriting does for each match; and passes set attributes by the functions here.
It is counted on only in `edits_are_noted`, around passes that keep to it: anybody may change the
dictionary `op.attributes`, which no method sees.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence, Set as AbstractSet
from contextlib import contextmanager
from functools import wraps
from typing import Any, cast

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.ir.core import OpSuccessors
from xdsl.irdl.operations import (
    AttributeAccessor,
    OptionalAttributeAccessor,
    OptionalPropertyAccessor,
    PropertyAccessor,
)

_edits: list[Operation | None] = []
"""The ops that were edited, in this order; None where it is not said which."""

_seen: dict[Operation, tuple[object, list[Operation | None], int]] = {}
"""What was last seen of an op and those in it, and how many edits of a list there were before."""

_depth: list[None] = []
"""Not empty as long as edits are noted."""


@contextmanager
def edits_are_noted() -> Generator[None]:
    """Count on it that whoever edits says so, until the end; inside of another, go on with it."""
    if _depth:
        yield
        return
    _forget()
    _depth.append(None)
    try:
        yield
    finally:
        _depth.pop()
        _forget()


def _forget() -> None:
    global _edits
    # Another thread may count in the old list, which is known by that.
    _edits = []
    _seen.clear()


def note_edit(op: Operation | None) -> None:
    """
    Say that an op changes: where it is, its operands, types, attributes, successors or blocks.

    None stands for any op.
    """
    if _depth:
        _edits.append(op)


def note_edit_of(value: SSAValue) -> None:
    """Say that a value changes its type, or that another one takes its place."""
    # Values that are not defined yet are of no op.
    if isinstance(value, OpResult):
        note_edit(value.op)
    elif isinstance(value, BlockArgument):
        note_edit_around(value.block)


def note_edit_around(inside: Block | Region) -> None:
    """Say that the arguments of a block change, or that blocks of a region come or go."""
    op = inside.parent_op() if isinstance(inside, Block) else inside.parent
    # What is in no op is said of none.
    if op is not None:
        note_edit(op)


def edits_since(root: Operation, seen: object) -> AbstractSet[Operation] | None:
    """
    Return the ops that were edited since that was seen of `root` and those in it, or maybe.

    None says that this is not known.
    """
    edits = _edits
    last, known, count = _seen.get(root, _NOTHING)
    if last is not seen or known is not edits:
        return None
    found = set(edits[count:])
    return None if None in found else cast(set[Operation], found)


_NOTHING: tuple[None, list[Operation | None], int] = None, [], 0


def remember_seen(root: Operation, seen: object) -> None:
    """Remember what was seen, where it can be counted on that edits are noted."""
    if _depth:
        edits = _edits
        _seen[root] = seen, edits, len(edits)


def set_attribute(op: Operation, name: str, value: Attribute) -> None:
    """Give an op an attribute."""
    note_edit(op)
    op.attributes[name] = value


def set_property(op: Operation, name: str, value: Attribute) -> None:
    """Give an op a property."""
    note_edit(op)
    op.properties[name] = value


def _set_by(method: Callable[..., None]) -> Callable[..., None]:
    @wraps(method)
    def change(self: object, op: Operation, value: object) -> None:
        note_edit(op)
        method(self, op, value)

    return change


def _change_around(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def change(self: Block, *arguments: Any, **named: Any) -> Any:
        note_edit_around(self)
        return method(self, *arguments, **named)

    return change


_careful_successor = OpSuccessors.__setitem__


def _set_successor(self: OpSuccessors, idx: int, successor: Block) -> None:
    note_edit(self._op)
    _careful_successor(self, idx, successor)


_successors: Any = vars(Operation)["successors"]


def _set_successors(self: Operation, new: Sequence[Block]) -> None:
    note_edit(self)
    _successors.fset(self, new)


_ACCESSORS: tuple[Any, ...] = (
    AttributeAccessor,
    OptionalAttributeAccessor,
    OptionalPropertyAccessor,
    PropertyAccessor,
)


def _apply() -> None:
    for cls in _ACCESSORS:
        cls.__set__ = _set_by(cls.__set__)
    Block.insert_arg = _change_around(Block.insert_arg)
    Block.erase_arg = _change_around(Block.erase_arg)
    OpSuccessors.__setitem__ = _set_successor
    Operation.successors = _successors.setter(_set_successors)


_apply()
