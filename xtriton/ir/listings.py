"""
The ops of a module in a row, made out once until ops come, go or move.

A pipeline looks through a module a hundred times, mostly for ops that are not there. What was
listed is kept until the structure of some module changes: xDSL's methods that attach and detach
ops, blocks and regions say so here. Names, operands, types and attributes change no list.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from itertools import compress
from typing import Any, TypeVar, cast
from weakref import ref

from xdsl.ir import Block, Operation, Region

from xtriton.ir.noted_edits import note_edit, note_edit_around
from xtriton.records import record

OpT = TypeVar("OpT", bound=Operation)


@record
class _Span:
    """Where the ops of a function stand in the lists of the module around it."""

    start: int
    end: int
    end_regions_first: int
    start_with_regions: int
    end_with_regions: int


@dataclass
class _Nest:
    """What is listed of the ops with regions in one op: most changes do not concern it."""

    ops: list[Operation]
    """The op and those inside that have regions."""
    has_branches: bool = False
    """Whether there are regions with several blocks."""


class _Listing:
    """What is listed of the ops in one op: all by one walk, which costs more than keeping it."""

    def __init__(self, root: Operation) -> None:
        self.ops: list[Operation] = [root]
        self.regions_first: list[Operation] = []
        self.nest = _Nest([root])
        self.spans: dict[Operation, _Span] = {}
        """Those of the ops next to the root that have regions."""
        self._walk(root)
        self._kinds: list[type[Operation]] = list(map(type, self.ops))

    def _walk(self, root: Operation) -> None:
        ops, behind, with_regions = self.ops, self.regions_first, self.nest.ops
        add, kinds = ops.append, _kinds_with_regions
        # Where to go on; and ops whose regions were listed then, with where their lists begin.
        stack: list[Operation | tuple[Operation, int, int]] = [(root, 0, 0)]
        stack += self._first_ops(root)
        while stack:
            place = stack.pop()
            if isinstance(place, tuple):
                op, start, first = place
                behind.append(op)
                if op is not root and op.parent_op() is root:
                    self.spans[op] = _Span(start, len(ops), len(behind), first, len(with_regions))
                continue
            following: Operation | None = place
            begin = len(ops)
            while following is not None:
                # Their class is at hand, unlike what most ops do not have.
                if type(following) in kinds and following.regions:
                    break
                add(following)
                following = following._next_op
            behind += ops[begin:]
            if following is None:
                continue
            if following._next_op is not None:
                stack.append(following._next_op)
            stack.append((following, len(ops), len(with_regions)))
            add(following)
            with_regions.append(following)
            known = _listings.get(following)
            if known is None:
                stack += self._first_ops(following)
            else:
                self._take_over(known)

    def _take_over(self, known: _Listing) -> None:
        """List what is inside an op of which there is a listing."""
        self.ops += known.ops[1:]
        self.regions_first += known.regions_first[:-1]
        self.nest.ops += known.nest.ops[1:]
        self.nest.has_branches |= known.nest.has_branches

    def part(self, root: Operation) -> _Listing | None:
        """Return the listing of an op next to the root, if it has regions."""
        span = self.spans.get(root)
        if span is None:
            return None
        found = _Listing.__new__(_Listing)
        found.ops = self.ops[span.start : span.end]
        found._kinds = self._kinds[span.start : span.end]
        start = span.end_regions_first - len(found.ops)
        found.regions_first = self.regions_first[start : span.end_regions_first]
        found.nest = _Nest(self.nest.ops[span.start_with_regions : span.end_with_regions])
        found.nest.has_branches = self.nest.has_branches and any(
            region._first_block is not region._last_block
            for op in found.nest.ops
            for region in op.regions
        )
        found.spans = {}
        return found

    def _first_ops(self, op: Operation) -> list[Operation]:
        """Return the ops with which the blocks inside begin, the last block first."""
        found: list[Operation] = []
        for region in op.regions:
            block = region._first_block
            while block is not None:
                if block._first_op is not None:
                    found.append(block._first_op)
                block = block._next_block
                if block is not None:
                    self.nest.has_branches = True
        found.reverse()
        return found

    @cached_property
    def reversed(self) -> list[Operation]:
        return self.regions_first[::-1]

    @cached_property
    def classes(self) -> set[type[Operation]]:
        return set(self._kinds)

    def of_classes(self, classes: Collection[type[Operation]]) -> list[Operation]:
        """Return the ops of some classes; others are not touched."""
        return list(compress(self.ops, map(frozenset(classes).__contains__, self._kinds)))


_kinds_with_regions: set[type[Operation]] = set()
"""Classes of which an op ever got a region."""

_listings: dict[Operation, _Listing] = {}
forget_listings: Callable[[], None] = _listings.clear
"""Says that ops come, go or move somewhere."""

_nests: dict[Operation, _Nest] = {}


def forget_nests() -> None:
    """Say that blocks, regions or ops with regions come, go or move somewhere."""
    _listings.clear()
    _nests.clear()


@dataclass
class _Census:
    """Of what classes there may be ops in an outermost op; most questions are for others."""

    root: Callable[[], Operation | None]
    """Gives the op, as long as somebody else has it."""
    classes: set[type[Operation]]
    """The classes of the ops that were there when it was listed, or have come since."""


def _nobody() -> None:
    """Give no op."""


_census = _Census(_nobody, set())
"""That of the outermost op that was listed last."""


def _outermost(op: Operation) -> Operation:
    while (outer := op.parent_op()) is not None:
        op = outer
    return op


def forget_with_new(op: Operation) -> None:
    """Say that an op has come to where it is now."""
    census = _census
    if op.regions:
        forget_nests()
        if _outermost(op) is census.root():
            census.classes |= _classes_met(op)
    else:
        forget_listings()
    census.classes.add(type(op))


def _forget_census(op: Operation | None) -> None:
    """Say that blocks or regions have come to be in an op; those in none are of no interest."""
    if op is not None and _outermost(op) is _census.root():
        _census.root = _nobody


def _possible_classes(root: Operation) -> Collection[type[Operation]]:
    """Return the classes of `root` and the ops in it, and perhaps others."""
    known = _listings.get(root)
    if known is not None:
        return known.classes
    census = _census
    if _outermost(root) is census.root():
        # In one step, as another thread might add to it.
        return tuple(census.classes)
    return _listing(root).classes


def _listing(root: Operation) -> _Listing:
    found = _listings.get(root)
    if found is None:
        outer = root.parent_op()
        around = None if outer is None else _listings.get(outer)
        found = None if around is None else around.part(root)
        if found is None:
            found = _Listing(root)
        if outer is None:
            _take_census(root, found)
        _listings[root] = found
        _nests[root] = found.nest
    return found


def _take_census(root: Operation, listing: _Listing) -> None:
    global _census
    _census = _Census(ref(root), listing.classes.copy())


def _nest(root: Operation) -> _Nest:
    return _nests.get(root) or _listing(root).nest


def nested_ops(
    root: Operation, *, reverse: bool = False, region_first: bool = False
) -> Sequence[Operation]:
    """
    Return `root` and all ops in it, each in front of those in its regions.

    `reverse` lists regions, blocks and ops from the last one to the first, `region_first` an op
    behind those in its regions. As long as nothing comes, goes or moves it is the same list; it
    stays as it is while the module changes, and must not be changed itself.
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
    classes = [kind for kind in _possible_classes(root) if issubclass(kind, kinds)]
    return cast(list[OpT], _ops_of(root, classes, region_first))


def ops_named(
    root: Operation, names: Container[str], *, region_first: bool = False
) -> list[Operation]:
    """Return the ops of some names as `ops_of` does."""
    classes = [kind for kind in _possible_classes(root) if kind.name in names]
    return _ops_of(root, classes, region_first)


def ops_such(root: Operation, holds: Callable[[type[Operation]], bool]) -> list[Operation]:
    """Return the ops of the classes for which something holds, as `ops_of` does."""
    return _ops_of(root, list(filter(holds, _possible_classes(root))), False)


def classes_of(root: Operation) -> Collection[type[Operation]]:
    """Return the classes of `root` and the ops in it."""
    return _listing(root).classes


def holds_class(root: Operation, holds: Callable[[type[Operation]], bool]) -> bool:
    """
    Return whether the class of `root` or of an op in it is such; no listing is made for this.

    It is for questions after which the ops change at once.
    """
    known = _listings.get(root)
    if known is not None:
        return any(map(holds, known.classes))
    census = _census
    if _outermost(root) is census.root() and not any(map(holds, tuple(census.classes))):
        return False
    return any(map(holds, _classes_met(root)))


def _classes_met(root: Operation) -> set[type[Operation]]:
    """Return the classes of `root` and the ops in it, by a walk."""
    met: set[type[Operation]] = {type(root)}
    worklist: list[Operation] = [root]
    while worklist:
        for region in worklist.pop().regions:
            block = region._first_block
            while block is not None:
                op = block._first_op
                while op is not None:
                    met.add(type(op))
                    if op.regions:
                        worklist.append(op)
                    op = op._next_op
                block = block._next_block
    return met


def _ops_of(
    root: Operation, classes: Sequence[type[Operation]], region_first: bool
) -> list[Operation]:
    # Most passes look for ops of which there are none.
    if not classes:
        return []
    listing = _listing(root)
    if region_first:
        return [op for op in listing.regions_first if type(op) in classes]
    return listing.of_classes(classes)


def those_named(ops: Iterable[Operation], names: Container[str]) -> list[Operation]:
    """Return those among `ops` that have some names, in their order."""
    # There are few classes; a name is looked up through several.
    met: set[type[Operation]] = set(map(type, ops))
    kinds = {kind for kind in met if kind.name in names}
    return [op for op in ops if type(op) in kinds] if kinds else []


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
    return _nest(root).ops.copy()


def has_branches(root: Operation) -> bool:
    """Return whether a region in `root` has several blocks."""
    return _nest(root).has_branches


_METHODS: dict[type, tuple[str, ...]] = {
    Block: ("split_before",),
    Operation: ("detach_region",),
    Region: ("move_blocks", "move_blocks_before"),
}
"""Methods that change a structure, but for those that `quick_blocks` replaces."""

_METHODS_OF_ONE: tuple[str, ...] = "add_block", "insert_block_before", "detach_block"
"""Those of regions that change only what is said of the op around."""


def _saying_so(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def change(*arguments: Any, **named: Any) -> Any:
        try:
            return method(*arguments, **named)
        finally:
            forget_nests()
            note_edit(None)
            if isinstance(arguments[0], Region):
                # Its blocks are somewhere else now.
                _census.root = _nobody

    return change


def _saying_where(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def change(self: Region, *arguments: Any, **named: Any) -> Any:
        try:
            return method(self, *arguments, **named)
        finally:
            forget_nests()
            note_edit_around(self)
            _forget_census(self.parent)

    return change


_add_region = Operation.add_region


def _add_noted_region(self: Operation, region: Region) -> None:
    forget_nests()
    note_edit(self)
    _kinds_with_regions.add(type(self))
    _forget_census(self)
    _add_region(self, region)


def _apply() -> None:
    for cls, names in _METHODS.items():
        for name in names:
            setattr(cls, name, _saying_so(vars(cls)[name]))
    for name in _METHODS_OF_ONE:
        setattr(Region, name, _saying_where(vars(Region)[name]))
    Operation.add_region = _add_noted_region


_apply()
