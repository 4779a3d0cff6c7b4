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

from collections.abc import Callable

import numpy as np

from xtriton.semantics.elements import Array


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
