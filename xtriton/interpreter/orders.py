# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
The orders in which a reduction may go.

The interpreter reduces in one tree, in which some slips do not show: a combiner that does not
commute may meet zeros only, and four numbers that change places may meet as they did before. And
where another order gives another result nobody can say which one is right.
"""

from collections.abc import Callable
from enum import Enum

import numpy as np

from xtriton.semantics.elements import Array

Combine = Callable[[list[Array], list[Array]], list[Array]]


class Order(Enum):
    """Which elements a reduction combines first."""

    TREE = "in a tree"
    NEIGHBOURS = "by neighbours"
    ROW = "in a row"


def reduce(order: Order, arrays: list[Array], combine: Combine) -> list[Array]:
    """Reduce along the first axis."""
    return _REDUCE[order](arrays, combine)


def tree_reduce(arrays: list[Array], combine: Combine) -> list[Array]:
    """
    Reduce along the first axis by halves: element i meets element i + n/2.

    The order depends on indices only. An odd last element joins at the end.
    """
    n = arrays[0].shape[0]
    rest: list[list[Array]] = []
    while n > 1:
        half = n // 2
        if n % 2:
            rest.append([a[n - 1] for a in arrays])
        arrays = combine([a[:half] for a in arrays], [a[half : 2 * half] for a in arrays])
        n = half
    result = [a[0] for a in arrays]
    for last in reversed(rest):
        result = combine(result, last)
    return result


def reduce_by_neighbours(arrays: list[Array], combine: Combine) -> list[Array]:
    """
    Reduce along the first axis, each element with the one beside it, the last two swapped.

    The tree is as deep on all sides, as those of GPUs are: counts of lanes are the ones that
    they have.
    """
    while (n := arrays[0].shape[0]) > 1:
        left, right = ([a[k : n - n % 2 : 2] for a in arrays] for k in (0, 1))
        met = combine(right, left) if n == 2 else combine(left, right)
        rest = [a[n - n % 2 :] for a in arrays]
        arrays = [np.concatenate([a, b]) if n % 2 else a for a, b in zip(met, rest, strict=True)]
    return [a[0] for a in arrays]


def _reduce_in_a_row(arrays: list[Array], combine: Combine) -> list[Array]:
    """Reduce along the first axis from the first element to the last."""
    state = [a[0] for a in arrays]
    for k in range(1, arrays[0].shape[0]):
        state = combine(state, [a[k] for a in arrays])
    return state


_REDUCE = {
    Order.TREE: tree_reduce,
    Order.NEIGHBOURS: reduce_by_neighbours,
    Order.ROW: _reduce_in_a_row,
}
