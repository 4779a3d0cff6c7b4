"""In which order greedy rewriting looks at ops, where it begins with some of them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.passes.rewriting import GreedyRewriter


class Touching(RewritePattern):
    """Says once of one op that others have changed."""

    def __init__(self, on: Operation, changed: Sequence[Operation]) -> None:
        self.on = on
        self.changed = [*changed]
        self.seen: list[Operation] = []

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        self.seen.append(op)
        if op is self.on:
            for other in self.changed:
                rewriter.notify_op_modified(other)
            self.changed.clear()


def seen_from(first: int, changed: Sequence[int]) -> list[int]:
    """Return which of five ops are looked at, beginning with one on which those change."""
    ops: list[Operation] = [test.TestOp() for _ in range(5)]
    pattern = Touching(ops[first], [ops[i] for i in changed])
    rewriter = GreedyRewriter(ModuleOp([*ops]), [pattern])
    rewriter.to_simplify, rewriter.to_match = set(), {ops[first]}
    rewriter.run()
    return [ops.index(op) for op in pattern.seen]


def test_what_changed_behind_the_first_op_waits_for_its_turn() -> None:
    assert seen_from(1, [2, 4]) == [1, 1, 2, 4]
    assert seen_from(1, [4, 2]) == [1, 1, 2, 4]


def test_what_changed_in_front_of_it_is_next() -> None:
    assert seen_from(3, [4, 0, 1]) == [3, 3, 1, 0, 4]


class Standing(RewritePattern):
    """Stands for two patterns on one class of ops, and for none on others."""

    def __init__(self, first: RewritePattern, second: RewritePattern) -> None:
        self.patterns = first, second

    def patterns_for(self, op_type: type[Operation]) -> Sequence[RewritePattern]:
        return self.patterns if op_type is test.TestOp else ()

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        raise AssertionError("asked instead of those that it stands for")


def test_patterns_are_asked_instead_of_the_one_that_stands_for_them() -> None:
    one, other = test.TestOp(), test.TestPureOp()
    first, second = Touching(one, [one]), Touching(other, [])
    assert GreedyRewriter(ModuleOp([one, other]), [Standing(first, second)]).run()
    # Where the first has done something the second waits for the next time.
    assert first.seen == [one, one, one]
    assert second.seen == [one, one]


def test_nothing_else_is_looked_at_if_nothing_changes() -> None:
    assert seen_from(2, []) == [2]
