"""Greedy simplification with some patterns only, as upstream's passes clean up after themselves."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern

from xtriton.passes.rewriting import rewrite_greedily
from xtriton.transforms.cleanup.blocks import simplify_regions
from xtriton.transforms.cleanup.folder import Folder

_MOST_ROUNDS = 10


def simplify(root: Operation, patterns: Sequence[RewritePattern]) -> bool:
    """
    Apply `patterns`, fold ops, merge constants and erase what is dead; return if that did
    anything.

    MLIR's greedy driver does the latter three whatever patterns it is given.
    """
    changed = False
    for _ in range(_MOST_ROUNDS):
        folder = Folder()
        folder.collect_constants(root)
        again = rewrite_greedily(root, patterns, folder.simplify)
        again |= simplify_regions(root)
        if not again:
            return changed
        changed = True
    return changed
