# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
Another order in which to reduce.

The interpreter reduces in one tree, in which some slips do not show: a combiner that does not
commute may meet zeros only, and four numbers that change places may meet as they did before. In
a launch that is `reordered` each element meets its neighbour, and the last two are swapped. The
tree is as deep on all sides, as those of GPUs are: counts of lanes are the ones that they have.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.draws import Draw, Launches
from xtriton.interpreter.types import info, integer
from xtriton.semantics.elements import Array

MOST_ORDERED = 3
"""Launches of a thorough check that are made once more, in another order; of others one is."""


def reordered_draws(launches: Launches, turns: int = 1) -> Iterator[Draw]:
    """Yield launches in which reductions go by neighbours."""
    for draw in (launches.plain(), *launches.usual())[: MOST_ORDERED if turns > 1 else 1]:
        yield replace(draw, name=f"{draw.name}, reduced by neighbours", smaller=(), reordered=True)


def reduce_alike(mine: Operation, theirs: Operation) -> bool:
    """
    Whether two modules reduce as many elements in as many places, so that orders are the same.

    Where sums are split, or there are loops in their place, no order of one is one of the other.
    """
    found = _reduced(mine)
    return bool(found) and found == _reduced(theirs)


def _reduced(module: Operation) -> list[tuple[int, ...]]:
    """Return the shape and the axis of each reduction, sorted; nothing if some are of linalg."""
    found: list[tuple[int, ...]] = []
    for op in module.walk():
        if op.name == "tt.reduce":
            found.append((integer(op, "axis"), *info(op.operands[0].type).shape))
        elif op.name.startswith("linalg."):
            return []
    return sorted(found)


def reduce_by_neighbours(
    arrays: list[Array], combine: Callable[[list[Array], list[Array]], list[Array]]
) -> list[Array]:
    """Reduce along the first axis, each element with the one beside it, the last two swapped."""
    while (n := arrays[0].shape[0]) > 1:
        left, right = ([a[k : n - n % 2 : 2] for a in arrays] for k in (0, 1))
        met = combine(right, left) if n == 2 else combine(left, right)
        rest = [a[n - n % 2 :] for a in arrays]
        arrays = [np.concatenate([a, b]) if n % 2 else a for a, b in zip(met, rest, strict=True)]
    return [a[0] for a in arrays]
