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

from _thread import get_ident
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, NamedTuple, cast

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.ir.core import OpSuccessors
from xdsl.irdl.operations import (
    AttributeAccessor,
    OptionalAttributeAccessor,
    OptionalPropertyAccessor,
    PropertyAccessor,
)


@dataclass(eq=False)
class Edits:
    """What was edited, in this order."""

    ops: list[Operation | None] = field(default_factory=list[Operation | None])
    """The ops that were edited; None where it is not said which."""
    givers: list[Operation] = field(default_factory=list[Operation])
    """Those that gave to ops what these no longer take."""
    erased: list[Operation] = field(default_factory=list[Operation])
    """Those that will not come back."""


_edits = Edits()

_counting: list[int] = []
"""The thread that counts on it that edits are noted, as long as one does."""


@contextmanager
def edits_are_noted() -> Generator[None]:
    """
    Count on it that whoever edits says so, until the end; inside of another, go on with it.

    One thread can at a time. Another has to look at all ops meanwhile, as without this.
    """
    if _counting:
        yield
        return
    _forget()
    _counting.append(get_ident())
    try:
        yield
    finally:
        _counting.clear()
        _forget()


def _forget() -> None:
    global _edits
    _edits = Edits()


class Changes(NamedTuple):
    """What changed between two times."""

    ops: set[Operation]
    """The ops that are not as they were, or maybe; without those that were erased."""
    givers: set[Operation]
    """Those that gave operands to others, which have other ones now or are gone."""


@dataclass(frozen=True)
class Moment:
    """A time while edits are noted: after so many of some."""

    edits: Edits
    ops: int
    givers: int
    erased: int

    def changes_until(self, later: Moment) -> Changes | None:
        """Return what was edited from here to a later moment; None if that is not known."""
        if self.edits is not later.edits:
            return None
        ops = set(self.edits.ops[self.ops : later.ops])
        if None in ops:
            return None
        erased = self.edits.erased[self.erased : later.erased]
        givers = set(self.edits.givers[self.givers : later.givers])
        return Changes(cast(set[Operation], ops).difference(erased), givers.difference(erased))


def moment() -> Moment | None:
    """Return the present time, or None where it cannot be counted on that edits are noted."""
    if _counting != [get_ident()]:
        return None
    return Moment(_edits, len(_edits.ops), len(_edits.givers), len(_edits.erased))


def note_edit(op: Operation | None) -> None:
    """
    Say that an op changes: where it is, its operands, types, attributes, successors or blocks.

    None stands for any op.
    """
    if _counting:
        _edits.ops.append(op)


def giver_of(value: SSAValue) -> Operation | None:
    """Return the op that gives a value, or that around the block that it is an argument of."""
    if type(value) is OpResult:
        return value.op
    # Values that are not defined yet are of no op.
    return value.block.parent_op() if isinstance(value, BlockArgument) else None


def note_edit_of(value: SSAValue) -> None:
    """Say that a value changes its type, or that another one takes its place."""
    if (op := giver_of(value)) is not None:
        note_edit(op)


def note_lost_uses(values: Iterable[SSAValue]) -> None:
    """Say that an op no longer takes some values."""
    if _counting:
        givers = _edits.givers
        for value in values:
            if type(value) is OpResult:
                givers.append(value.op)
            elif (op := giver_of(value)) is not None:
                givers.append(op)


def note_erased(op: Operation) -> None:
    """Say that an op is gone for good."""
    if _counting:
        _edits.erased.append(op)


def note_all_erased(ops: Sequence[Operation]) -> None:
    """Say that ops are taken out of a block and are gone for good."""
    if _counting:
        _edits.ops += ops
        _edits.erased += ops
        for op in ops:
            note_lost_uses(op._operands)


def note_edit_around(inside: Block | Region) -> None:
    """Say that the arguments of a block change, or that blocks of a region come or go."""
    op = inside.parent_op() if isinstance(inside, Block) else inside.parent
    # What is in no op is said of none.
    if op is not None:
        note_edit(op)


def set_value_type(value: SSAValue, type: Attribute) -> None:
    """Give a value another type."""
    note_edit_of(value)
    value._type = type


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
