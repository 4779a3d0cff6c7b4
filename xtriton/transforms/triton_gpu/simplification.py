"""Greedy simplification with some patterns only, as upstream's passes clean up after themselves."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern

from xtriton.transforms.cleanup.settling import settle

_MOST_ROUNDS = 10


def simplify(root: Operation, patterns: Sequence[RewritePattern]) -> bool:
    """
    Apply `patterns`, fold ops, merge constants and erase what is dead; return if that did
    anything.

    MLIR's greedy driver does the latter three whatever patterns it is given.
    """
    return settle(root, patterns, max_iterations=_MOST_ROUNDS).changed
