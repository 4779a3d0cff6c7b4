"""
Launches whose memory holds all the integers that a kernel's assertions let through.

Indices out of bounds fail an assertion, and so launches end with the few small ones that all
kernels take. An index from the end, or the last one, is among those that an assertion allows.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from xdsl.ir import BlockArgument, Operation, SSAValue

from xtriton.interpreter.arguments import Endless
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.launches.kernel_facts import constant_number, lock_arguments
from xtriton.judge.launches.last_draws import further_on

MOST_BOUNDS = 3
"""Constants that loaded integers are asserted to be below, the smallest first."""

_ALL = 16
"""Up to this bound each index is in memory; of larger ranges the ends and the middle are."""

_MANY = (1 << 20) + 7
"""What all that an argument bounds is below."""

_CONNECTIVES = frozenset(("arith.andi", "arith.ori", "arith.xori"))
_SAME = frozenset(
    ("tt.splat", "tt.broadcast", "tt.expand_dims", "tt.reshape", "ttg.convert_layout",
     "arith.extsi", "arith.extui", "arith.index_cast")
)  # fmt: skip
"""Ops whose result is their operand, in other types."""

_MOST_OPS = 200
"""That are looked at for the bounds of an assertion."""


def bounded_draws(launches: Launches, turns: int = 1) -> Iterator[Draw]:
    """Yield launches with indices of either sign, then of none, for each bound of an assertion."""
    bounds = [] if lock_arguments(launches.function) else asserted_bounds(launches.function)
    base = further_on(launches, launches.plain())
    free = launches.given.keys() | launches.uses.counts
    chosen = [p.index for p in launches.known if p.is_memory and p.index not in free]
    for bound in bounds[: MOST_BOUNDS if turns > 1 else 1] if chosen else ():
        for low in (-bound, 0):
            held = holding(launches, base, chosen, _within(low, bound))
            yield replace(held, name=f"indices from {low} to {bound - 1}")


def holding(launches: Launches, base: Draw, which: Iterable[int], numbers: Iterable[int]) -> Draw:
    """Return a launch in which some memory holds those of some integers that its type has."""
    values: list[Any] = list(base.values)
    for k in which:
        of = launches.known[k].stored
        if not isinstance(values[k], Endless) or of is None or of.is_float:
            continue
        half = 1 << (of.width - 1)
        only = tuple(float(n) for n in numbers if -half <= n < half)
        if only:
            values[k] = Endless(replace(values[k].contents, only=only, near=()))
    return replace(base, values=tuple(values))


def roomy_draws(launches: Launches) -> Iterator[Draw]:
    """Yield the usual launches with sizes that all indices and random numbers are below."""
    if bounding_arguments(launches.function) - launches.given.keys():
        for draw in launches.usual():
            yield roomy(launches, draw)


def roomy(launches: Launches, draw: Draw) -> Draw:
    """Return a launch with large numbers for arguments that something is asserted to be below."""
    values = list(draw.values)
    for k in bounding_arguments(launches.function) - launches.given.keys():
        if k in launches.places and launches.known[k].info.scalar.width >= 32:
            values[k] = launches.promised(k, _MANY)
    return replace(draw, name=f"{draw.name}, large bounds", values=tuple(values))


def asserted_bounds(function: Operation) -> list[int]:
    """Return the constants that some integer is asserted to be below, ascending."""
    bounds = (constant_number(limit) for limit in _limits(function))
    return sorted({n for n in bounds if n is not None and n > 1})


def bounding_arguments(function: Operation) -> set[int]:
    """Return the positions of arguments that some integer is asserted to be below."""
    found: set[int] = set()
    for limit in _limits(function):
        while isinstance(owner := limit.owner, Operation) and owner.name in _SAME:
            limit = owner.operands[0]
        if isinstance(limit, BlockArgument) and limit.owner.parent_op() is function:
            found.add(limit.index)
    return found


def _limits(function: Operation) -> Iterator[SSAValue]:
    """Yield what assertions compare with, through the connectives of their conditions."""
    work = [op.operands[0] for op in function.walk() if op.name == "tt.assert"]
    seen: set[Operation] = set()
    while work and len(seen) < _MOST_OPS:
        owner = work.pop().owner
        if not isinstance(owner, Operation) or owner in seen:
            continue
        seen.add(owner)
        if owner.name in _CONNECTIVES or owner.name in _SAME:
            work.extend(owner.operands)
        elif owner.name == "arith.cmpi":
            yield owner.operands[1]


def _within(low: int, bound: int) -> list[int]:
    """Return integers from `low` on and below a bound, the ends of a large range."""
    if bound - low <= 2 * _ALL:
        return list(range(low, bound))
    some = {low, low + 1, low // 2, -2, -1, 0, 1, 2, bound // 2, bound - 2, bound - 1}
    return sorted(n for n in some if low <= n < bound)
