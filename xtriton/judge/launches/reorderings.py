"""Launches in which reductions go in another order, see `interpreter.orders`."""

from collections.abc import Iterator
from dataclasses import replace

from xdsl.ir import Operation

from xtriton.interpreter.orders import Order
from xtriton.interpreter.types import info, integer
from xtriton.judge.launches.draws import Draw, Launches

MOST_ORDERED = 3
"""Launches of a thorough check that are made once more, in another order; of others one is."""


def reordered_draws(launches: Launches, turns: int = 1) -> Iterator[Draw]:
    """Yield launches in which reductions go by neighbours."""
    for draw in (launches.plain(), *launches.usual())[: MOST_ORDERED if turns > 1 else 1]:
        yield replace(
            draw, name=f"{draw.name}, reduced by neighbours", smaller=(), order=Order.NEIGHBOURS
        )


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
