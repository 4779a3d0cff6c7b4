"""
The ops of a module in a row, made out once until ops come, go or move.

A pipeline looks through a module a hundred times, mostly for ops that are not there. What was
listed is kept until the structure of some module changes: xDSL's methods that attach and detach
ops, blocks and regions say so here. Names, operands, types and attributes change no list.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import cached_property, wraps
from typing import Any, TypeVar, cast

from xdsl.ir import Block, Operation, Region

OpT = TypeVar("OpT", bound=Operation)


class _Listing:
    """What is listed of the ops in one op, each as it is first asked for."""

    def __init__(self, root: Operation) -> None:
        self._root = root

    @cached_property
    def ops(self) -> tuple[Operation, ...]:
        return _nested_ops(self._root, reverse=False)

    @cached_property
    def reversed(self) -> tuple[Operation, ...]:
        return _nested_ops(self._root, reverse=True)

    @cached_property
    def regions_first(self) -> tuple[Operation, ...]:
        return tuple(self._root.walk(region_first=True))

    @cached_property
    def with_regions(self) -> list[Operation]:
        return [self._root, *(op for op in self.ops[1:] if op.regions)]

    @cached_property
    def classes(self) -> set[type[Operation]]:
        return set(map(type, self.ops))


_listings: dict[Operation, _Listing] = {}
forget_listings: Callable[[], None] = _listings.clear
"""Says that ops, blocks or regions come, go or move somewhere."""


def _listing(root: Operation) -> _Listing:
    found = _listings.get(root)
    if found is None:
        found = _listings[root] = _Listing(root)
    return found


def nested_ops(
    root: Operation, *, reverse: bool = False, region_first: bool = False
) -> tuple[Operation, ...]:
    """
    Return `root` and all ops in it, each in front of those in its regions.

    `reverse` lists regions, blocks and ops from the last one to the first, `region_first` an op
    behind those in its regions. As long as nothing comes, goes or moves it is the same list; it
    may be iterated while the module changes.
    """
    listing = _listing(root)
    if region_first:
        return listing.regions_first
    return listing.reversed if reverse else listing.ops


def ops_of(root: Operation, *kinds: type[OpT], region_first: bool = False) -> list[OpT]:
    """
    Return the ops of some classes among `root` and those in it, as `nested_ops` lists them.

    `region_first` lists an op behind those in its regions.
    """
    classes = [kind for kind in _listing(root).classes if issubclass(kind, kinds)]
    return cast(list[OpT], _ops_of(root, classes, region_first))


def ops_named(
    root: Operation, names: Container[str], *, region_first: bool = False
) -> list[Operation]:
    """Return the ops of some names as `ops_of` does."""
    classes = [kind for kind in _listing(root).classes if kind.name in names]
    return _ops_of(root, classes, region_first)


def _ops_of(
    root: Operation, classes: Sequence[type[Operation]], region_first: bool
) -> list[Operation]:
    # Most passes look for ops of which there are none.
    if not classes:
        return []
    listing = _listing(root)
    listed = listing.regions_first if region_first else listing.ops
    if len(classes) == 1:
        (only,) = classes
        return [op for op in listed if type(op) is only]
    return [op for op in listed if type(op) in classes]


def ops_of_block(block: Block) -> list[Operation]:
    """Return the ops of a block; `list(block.ops)` would first count them."""
    found: list[Operation] = []
    op = block._first_op
    while op is not None:
        found.append(op)
        op = op._next_op
    return found


def ops_with_regions(root: Operation) -> list[Operation]:
    """Return `root` and the ops in it that have regions, each in front of those inside."""
    return _listing(root).with_regions.copy()


def _nested_ops(root: Operation, reverse: bool) -> tuple[Operation, ...]:
    found: list[Operation] = [root]
    add = found.append
    # The ops with which to go on, with those that follow them; the next one on top.
    stack = _first_ops(root, reverse)
    while stack:
        op: Operation | None = stack.pop()
        while op is not None:
            add(op)
            following = op._prev_op if reverse else op._next_op
            if op.regions:
                if following is not None:
                    stack.append(following)
                stack += _first_ops(op, reverse)
                break
            op = following
    return tuple(found)


def _first_ops(op: Operation, reverse: bool) -> list[Operation]:
    """Return the ops with which the blocks inside begin, the last block first; or the mirror."""
    found: list[Operation] = []
    for region in op.regions:
        block = region._first_block
        while block is not None:
            first = block._last_op if reverse else block._first_op
            if first is not None:
                found.append(first)
            block = block._next_block
    if not reverse:
        found.reverse()
    return found


_METHODS: dict[type, tuple[str, ...]] = {
    Block: ("split_before",),
    Operation: ("add_region", "detach_region"),
    Region: (
        "add_block",
        "insert_block_before",
        "detach_block",
        "move_blocks",
        "move_blocks_before",
    ),
}
"""Methods that change a structure, but for those that `quick_edits` replaces."""


def _saying_so(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def change(*arguments: Any, **named: Any) -> Any:
        try:
            return method(*arguments, **named)
        finally:
            forget_listings()

    return change


def _apply() -> None:
    for cls, names in _METHODS.items():
        for name in names:
            setattr(cls, name, _saying_so(vars(cls)[name]))


_apply()
