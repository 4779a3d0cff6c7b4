"""
Greedy rewriting with a worklist, in which locations survive.

An op that a pattern inserts without a location takes the one of the op that the pattern
matched. Patterns are xDSL's; those that say which ops they match (`op_types`, or a function
`has_any_for` of a class of ops) are asked only about these. One may stand for others, which its
function `patterns_for` gives for a class of ops.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib import import_module
from typing import ClassVar, cast

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from xtriton.ir.listings import classes_of, nested_ops
from xtriton.ir.locations import UNKNOWN
from xtriton.ir.noted_edits import note_edit

__all__ = [
    "GreedyRewriter",
    "LatePatterns",
    "PatternGroup",
    "PatternRewriter",
    "RewritePattern",
    "replace",
    "rewrite_greedily",
]

REWRITES_PER_OP = 64
"""Bound on rewrites, times the number of ops: patterns that undo each other must end."""

Action = Callable[[Operation, PatternRewriter], object]

Simplify = Callable[[Operation, PatternRewriter], bool]
"""Tries something on an op before the patterns do; returns whether the op is gone."""

IdleCheck = Callable[[Operation], bool]
"""Tells of an op, as it is now, that neither `Simplify` nor some patterns do anything on it."""

IdleCheckOf = Callable[[type[Operation], Sequence[RewritePattern]], IdleCheck | None]
"""Gives the check of a class of ops and the patterns for them, None if nothing can be told."""


def replace(op: Operation, values: Sequence[SSAValue]) -> None:
    """Put `values` in the place of the results of `op` and erase it."""
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.detach()
    op.erase()


def rewrite_greedily(
    root: Operation,
    patterns: Sequence[RewritePattern],
    simplify: Simplify | None = None,
    *,
    top_down: bool = True,
    max_rewrites: int | None = None,
) -> bool:
    """
    Apply `patterns` to the ops nested in `root` until none matches; return if any did.

    Stops after a number of rewrites that grows with the module, so that patterns that
    undo each other end as well.
    """
    return GreedyRewriter(root, patterns, simplify, top_down, max_rewrites).run()


class _Rewriter(PatternRewriter):
    """A rewriter that makes its insertion point when it is asked for: most patterns do not."""

    place: InsertPoint | None = None
    """The insertion point if it was asked for or said."""

    def _insertion_point(self) -> InsertPoint:
        if self.place is None:
            assert self._current_operation is not None
            self.place = InsertPoint.before(self._current_operation)
        return self.place

    def _set_insertion_point(self, place: InsertPoint) -> None:
        self.place = place

    insertion_point = cast(InsertPoint, property(_insertion_point, _set_insertion_point))
    """In front of the op looked at, unless it was said to be elsewhere."""


class PatternGroup(RewritePattern):
    """Stands for the patterns that it has for an op's class; the first that acts is the last."""

    @abstractmethod
    def patterns_for(self, op_type: type[Operation]) -> Sequence[RewritePattern]:
        """Return the patterns that may act on ops of a class."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        for pattern in self.patterns_for(type(op)):
            pattern.match_and_rewrite(op, rewriter)
            if rewriter.has_done_action:
                return


class LatePatterns(PatternGroup):
    """
    Stands for patterns that are imported when an op is there on which they may act.

    `HOMES` says by the names of ops which module has them, as `PATTERNS`.
    """

    HOMES: ClassVar[Mapping[str, str]]

    def patterns_for(self, op_type: type[Operation]) -> Sequence[RewritePattern]:
        home = self.HOMES.get(op_type.name)
        if home is None:
            return ()
        patterns: Sequence[RewritePattern] = import_module(home).PATTERNS
        return [pattern for pattern in patterns if _is_for(pattern, op_type)]


@dataclass
class GreedyRewriter:
    """One greedy rewriting; see `rewrite_greedily`."""

    root: Operation
    patterns: Sequence[RewritePattern]
    simplify: Simplify | None = None
    top_down: bool = True
    """Whether ops come before those that follow them, to begin with."""
    max_rewrites: int | None = None
    idle_check_of: IdleCheckOf | None = None
    """Tells sooner than `simplify` and `patterns` where these do nothing."""
    to_simplify: AbstractSet[Operation] | None = None
    """The ops on which `simplify` may do something as long as nothing changes; None: any."""
    to_match: AbstractSet[Operation] | None = None
    """The same of `patterns`."""
    finished: bool = False
    """Whether the rewriting ended because nothing matched any more."""
    _worklist: list[Operation] = field(default_factory=list[Operation])
    _waiting: set[Operation] = field(default_factory=set[Operation])
    """Ops of the worklist that are to be looked at; others have gone or are idle."""
    _idle: set[Operation] | None = None
    """
    Ops of the worklist on which there is nothing to do before something changes. None stands for
    all that are not waiting, and are not in the worklist, as nothing changed so far.
    """
    _last: Operation | None = None
    """The last op that came from the worklist as long as nothing changed."""
    _inserted: list[Operation] = field(default_factory=list[Operation])
    _ops: Sequence[Operation] = ()
    """The ops that were there to begin with, from the last one to look at to the first."""
    _tries: _Tries = field(init=False)
    """What to try on ops of the classes that were met."""

    def __post_init__(self) -> None:
        self._tries = _tries_of(self.patterns, self.idle_check_of)

    def run(self) -> bool:
        """Rewrite until nothing matches; return whether anything did."""
        if self._has_nothing_to_do():
            self.finished = True
            return False
        # The root comes first.
        self._ops = nested_ops(self.root, reverse=self.top_down)[1:]
        self._worklist = self._to_look_at(self._ops)
        if not self._worklist:
            self.finished = True
            return False
        waiting, tries = set(self._worklist), self._tries
        self._waiting = waiting
        rewriter = self._rewriter(self._worklist[-1])
        budget = REWRITES_PER_OP * (len(self._ops) + 1)
        if self.max_rewrites is not None:
            budget = min(budget, self.max_rewrites)
        changed = False
        while self._worklist and budget > 0:
            op = self._worklist.pop()
            if self._idle is None:
                self._last = op
            try:
                waiting.remove(op)
            except KeyError:
                if self._idle is not None:
                    self._idle.discard(op)
                continue
            # An op without parent was erased with one around it, by a pattern that did not say so.
            if op.parent is None:
                continue
            is_idle = tries[type(op)].is_idle
            if is_idle is not None and is_idle(op):
                continue
            while self._rewrite(op, rewriter):
                changed = True
                budget -= 1
                if op.parent is None or budget <= 0:  # pyright: ignore[reportUnnecessaryComparison]
                    break
        self.finished = budget > 0
        return changed

    def acts_on(self, op_type: type[Operation]) -> bool:
        """Return whether patterns are tried on ops of a class."""
        return bool(self._tries[op_type].actions)

    def _has_nothing_to_do(self) -> bool:
        named = self.to_simplify, self.to_match
        return all(ops is not None and not ops for ops in named)

    def _to_look_at(self, ops: Sequence[Operation]) -> list[Operation]:
        simplified, matched = self.to_simplify, self.to_match
        if simplified is None:
            return list(ops)
        if matched is not None:
            ops = [op for op in ops if op in simplified or op in matched]
        met = classes_of(self.root) if matched is None else set(map(type, ops))
        kinds = {kind for kind in met if self.acts_on(kind)}
        return [op for op in ops if op in simplified or type(op) in kinds]

    def _rewrite(self, op: Operation, rewriter: _Rewriter) -> bool:
        """Try to change `op` once; return whether that happened."""
        location = op.location
        rewriter.has_done_action, rewriter.place = False, None
        rewriter._current_operation = op
        if self.simplify is not None:
            self.simplify(op, rewriter)
        if not rewriter.has_done_action:
            for action in self._tries[type(op)].actions:
                action(op, rewriter)
                if rewriter.has_done_action:
                    break
                rewriter.place = None
            else:
                return False
        note_edit(op)
        rewriter.name_hint = None
        for new in self._inserted:
            self._give_location(new, location)
        self._inserted.clear()
        return True

    def _give_location(self, op: Operation, location: LocationAttr) -> None:
        """Give `location` to `op` and the ops inside, as far as they are new and have none."""
        for nested in nested_ops(op) if op.regions else (op,):
            if nested not in self._seen:
                self._seen.add(nested)
                if nested.location == UNKNOWN:
                    nested.location = location

    @cached_property
    def _seen(self) -> set[Operation]:
        """Ops that were there before the current rewrite; they keep what location they have."""
        return {self.root, *self._ops}

    def _rewriter(self, first: Operation) -> _Rewriter:
        rewriter = _Rewriter(first)
        rewriter.operation_insertion_handler.append(self._on_insertion)
        rewriter.operation_removal_handler.append(self._on_removal)
        rewriter.operation_modification_handler.append(self._on_modification)
        return rewriter

    def _push(self, op: Operation) -> None:
        if op in self._waiting:
            return
        if self._idle is None:
            self._idle = self._put_idle_back()
        self._waiting.add(op)
        if op in self._idle:
            # It keeps its place in the worklist.
            self._idle.discard(op)
        else:
            self._worklist.append(op)

    def _on_modification(self, op: Operation) -> None:
        note_edit(op)
        self._push(op)

    def _put_idle_back(self) -> set[Operation]:
        """Let the worklist have idle ops as well, as far as their turn is still to come."""
        ops = self._ops
        assert self._last is not None
        self._worklist[:] = ops[: ops.index(self._last)]
        return set(self._worklist) - self._waiting

    def _on_insertion(self, op: Operation) -> None:
        self._inserted.append(op)
        for nested in op.walk(reverse=True) if op.regions else (op,):
            self._push(nested)

    def _on_removal(self, op: Operation) -> None:
        gone = nested_ops(op) if op.regions else (op,)
        for nested in gone:
            for operand in nested._operands:
                if isinstance(operand, OpResult):
                    self._push(operand.op)
        self._waiting.difference_update(gone)
        if self._idle is not None:
            self._idle.difference_update(gone)


@dataclass(frozen=True)
class _Tried:
    """What to try on ops of a class."""

    actions: Sequence[Action]
    """What the patterns do, in this order."""
    is_idle: IdleCheck | None


class _Tries(dict[type[Operation], _Tried]):
    """What to try on ops of the classes that were met."""

    def __init__(
        self, patterns: Sequence[RewritePattern], idle_check_of: IdleCheckOf | None
    ) -> None:
        super().__init__()
        self.patterns = patterns
        self.idle_check_of = idle_check_of

    def __missing__(self, op_type: type[Operation]) -> _Tried:
        patterns = [
            pattern
            for each in self.patterns
            for pattern in _patterns_in(each, op_type)
            if _is_for(pattern, op_type)
        ]
        is_idle = None if self.idle_check_of is None else self.idle_check_of(op_type, patterns)
        found = self[op_type] = _Tried([each.match_and_rewrite for each in patterns], is_idle)
        return found


def _tries_of(patterns: Sequence[RewritePattern], idle_check_of: IdleCheckOf | None) -> _Tries:
    """Return what is known of what to try, to be added to: once for patterns without state."""
    if any(type(pattern).__hash__ is not object.__hash__ or vars(pattern) for pattern in patterns):
        return _Tries(patterns, idle_check_of)
    return _shared_tries(tuple(patterns), idle_check_of)


_shared_tries = lru_cache(maxsize=64)(_Tries)


def _patterns_in(pattern: RewritePattern, op_type: type[Operation]) -> Sequence[RewritePattern]:
    """Return the patterns that one stands for on ops of a class."""
    patterns_for = getattr(pattern, "patterns_for", None)
    return (pattern,) if patterns_for is None else patterns_for(op_type)


def _is_for(pattern: RewritePattern, op_type: type[Operation]) -> bool:
    op_types = getattr(pattern, "op_types", None)
    if op_types is not None:
        return _is_one_of(op_type, op_types)
    has_any = getattr(pattern, "has_any_for", None)
    return has_any is None or has_any(op_type)


@cache
def _is_one_of(
    op_type: type[Operation], op_types: type[Operation] | tuple[type[Operation], ...]
) -> bool:
    return issubclass(op_type, op_types)
