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


def test_nothing_else_is_looked_at_if_nothing_changes() -> None:
    assert seen_from(2, []) == [2]
