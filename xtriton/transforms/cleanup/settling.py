"""
Greedy rewriting with folding, again and again until nothing changes.

Where nothing has changed since some patterns had nothing to do, these have nothing to do; and
with others there is nothing to fold before one of them matches (see `settled`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern

from xtriton.ir.listings import classes_of
from xtriton.passes.rewriting import GreedyRewriter
from xtriton.transforms.cleanup.blocks import simplify_regions
from xtriton.transforms.cleanup.folder import Folder
from xtriton.transforms.cleanup.idle import idle_check_of
from xtriton.transforms.cleanup.settled import settled

FOLDING = (Folder,)
"""Stands for folding, merging constants, erasing what is dead, simplifying control flow."""


@dataclass(frozen=True)
class Outcome:
    """What `settle` did."""

    changed: bool
    converged: bool
    """Whether the last round found nothing to do."""


def settle(
    root: Operation,
    patterns: Sequence[RewritePattern],
    *,
    max_iterations: int,
    max_rewrites: int | None = None,
    join_blocks: bool = True,
    top_down: bool = True,
) -> Outcome:
    """
    Apply `patterns` inside `root`, fold, merge constants, erase what is dead, until all is done.

    Control flow graphs are simplified as well if `join_blocks`.
    """
    known = settled(root)
    if known.knows(FOLDING) and known.knows(patterns):
        return Outcome(changed=False, converged=True)
    changed = False
    for _ in range(max_iterations):
        is_folded = known.knows(FOLDING)
        # Before constants move, as that looks at all ops in their order.
        to_simplify, to_match = known.touched(FOLDING), known.touched(patterns)
        folder = Folder()
        if is_folded:
            folder.collect_later(root)
        else:
            folder.collect_constants(root)
            if to_simplify is None and to_match is None:
                # All ops are looked at after this, so it touches none that is to be looked at again.
                known.catch_up()
        rewriter = GreedyRewriter(
            root,
            patterns,
            folder.simplify,
            top_down=top_down,
            max_rewrites=max_rewrites,
            idle_check_of=idle_check_of,
        )
        if is_folded and not any(map(rewriter.acts_on, classes_of(root))):
            # There is no op for which there are patterns.
            if join_blocks:
                known.note(patterns)
            return Outcome(changed, converged=True)
        rewriter.to_simplify, rewriter.to_match = to_simplify, to_match
        again = rewriter.run()
        if join_blocks and (again or not is_folded):
            again |= simplify_regions(root)
        if join_blocks and rewriter.finished:
            known.note([*FOLDING, *patterns])
        if not again:
            return Outcome(changed, converged=True)
        changed = True
        known = settled(root)
    return Outcome(changed, converged=False)
