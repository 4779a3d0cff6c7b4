"""
Whether anything was edited since a module was looked at, without looking at its ops again.

To see that a hundred thousand ops are as they were, one has to read all of them from memory that
no cache holds, and pipelines ask twenty times. But whoever edits can say so: xDSL's methods that
attach, detach and move ops do (`listings`), as do those that change operands, types, arguments of
blocks and successors; greedy rewriting does for each match; and passes set attributes by the
functions here. It is counted on only in `edits_are_noted`, around passes that keep to it: anybody
may change the dictionary `op.attributes`, which no method sees.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any

from xdsl.ir import Attribute, Block, Operation
from xdsl.ir.core import OpSuccessors
from xdsl.irdl.operations import (
    AttributeAccessor,
    OptionalAttributeAccessor,
    OptionalPropertyAccessor,
    PropertyAccessor,
)

_seen: dict[Operation, tuple[Sequence[Operation], object]] = {}
"""What was seen of an op and those in it, beside their list, if nothing was edited since."""

note_edit: Callable[[], None] = _seen.clear
"""Says that operands, types, attributes, properties, arguments or successors change somewhere."""

_depth: list[None] = []
"""As long as how often `edits_are_noted` is entered."""


@contextmanager
def edits_are_noted() -> Generator[None]:
    """Count on it that whoever edits says so, until the end."""
    note_edit()
    _depth.append(None)
    try:
        yield
    finally:
        _depth.pop()
        note_edit()


def is_as_seen(root: Operation, ops: Sequence[Operation], seen: object) -> bool:
    """
    Return whether this was the last that was seen of `root` and those in it, and still is so.

    `ops` is the list of them as it is now: the same object as long as none comes, goes or moves.
    """
    listed, last = _seen.get(root, _NOTHING)
    return listed is ops and last is seen


_NOTHING: tuple[None, None] = None, None


def remember_seen(root: Operation, ops: Sequence[Operation], seen: object) -> None:
    """Remember what was seen, until an edit is noted, where that can be counted on."""
    if _depth:
        _seen[root] = ops, seen


def set_attribute(op: Operation, name: str, value: Attribute) -> None:
    """Give an op an attribute."""
    note_edit()
    op.attributes[name] = value


def set_property(op: Operation, name: str, value: Attribute) -> None:
    """Give an op a property."""
    note_edit()
    op.properties[name] = value


_METHODS: dict[type, tuple[str, ...]] = {
    AttributeAccessor: ("__set__",),
    Block: ("insert_arg", "erase_arg"),
    OpSuccessors: ("__setitem__",),
    OptionalAttributeAccessor: ("__set__",),
    OptionalPropertyAccessor: ("__set__",),
    PropertyAccessor: ("__set__",),
}
"""Methods that change what is said of an op, but for those that `quick_edits` replaces."""


def _noting(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def change(*arguments: Any, **named: Any) -> Any:
        note_edit()
        return method(*arguments, **named)

    return change


def _apply() -> None:
    for cls, names in _METHODS.items():
        for name in names:
            setattr(cls, name, _noting(vars(cls)[name]))
    successors: Any = vars(Operation)["successors"]
    Operation.successors = successors.setter(_noting(successors.fset))


_apply()
