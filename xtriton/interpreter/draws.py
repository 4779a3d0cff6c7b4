# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
"""
Chooses launches for a kernel whose purpose nobody tells: numbers, contents, programs.

Integer arguments are sizes, strides or counts; which, is not known. They are drawn around
the extent of the kernel's blocks, so that masks are sometimes full and sometimes cut, loops
run a few times, and no two are alike; promised divisibility is kept.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from xtriton.interpreter.arguments import Endless, Parameter
from xtriton.interpreter.contents import Contents
from xtriton.interpreter.types import info, integer, plain


@dataclass(frozen=True)
class Draw:
    """
    A launch: the kernel's arguments, the grid, and which programs are run.

    `name` says in reports how the arguments were chosen.
    """

    name: str
    values: tuple[Any, ...]
    grid: tuple[int, int, int]
    programs: tuple[int, ...]

    def describe(self) -> str:
        shown = ["ptr" if isinstance(v, Endless) else str(v) for v in self.values]
        return f"{self.name}: arguments ({', '.join(shown)}), grid {self.grid}"


def axes_used(function: Operation) -> set[int]:
    """Return the axes whose program id the kernel asks for, through calls too."""
    module: Any = function
    while module.parent_op() is not None:
        module = module.parent_op()
    return {integer(op, "axis") for op in module.walk() if op.name == "tt.get_program_id"}


_LAUNCHES: dict[int, tuple[tuple[int, int, int], tuple[int, ...]]] = {
    0: ((1, 1, 1), (0,)),
    1: ((4, 1, 1), (0, 1, 2, 3)),
    2: ((2, 2, 1), (0, 1, 2, 3)),
    3: ((2, 2, 2), (0, 3, 5, 6)),
}


def default_launch(function: Operation) -> tuple[tuple[int, int, int], tuple[int, ...]]:
    """
    Return a small grid over the axes that the kernel uses, and four of its programs.

    A kernel whose programs wait for each other gets all programs of its grid.
    """
    axes = axes_used(function) if function.name == "tt.func" else {0, 1, 2}
    grid, programs = _LAUNCHES[max(axes) + 1 if axes else 0]
    if lock_arguments(function):
        programs = tuple(range(grid[0] * grid[1] * grid[2]))
    return grid, programs


def lock_arguments(function: Operation) -> set[int]:
    """
    Return the positions of arguments whose old values atomics hand out.

    They are locks, tickets and counters, and start from zero.
    """
    found: set[int] = set()
    block = function.regions[0].blocks[0]
    for op in function.walk():
        if op.name == "tt.atomic_cas" or (
            op.name == "tt.atomic_rmw" and any(True for _ in op.results[0].uses)
        ):
            value: Any = op.operands[0]
            while isinstance(value.owner, Operation) and value.owner.operands:
                value = value.owner.operands[0]
            if value.owner is block:
                found.add(value.index)
    return found


def loop_arguments(function: Operation) -> dict[int, int]:
    """Return the arguments that bound loops, each with the largest constant step of those."""
    found: dict[int, int] = {}
    block = function.regions[0].blocks[0]
    for op in function.walk():
        if op.name != "scf.for":
            continue
        by: Any = op.operands[2].owner
        constant = getattr(by, "properties", {}).get("value") if by is not None else None
        step = plain(constant) if isinstance(constant, IntegerAttr) else 1
        work, seen = [op.operands[0], op.operands[1]], set[int]()
        while work:
            value: Any = work.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value.owner, Operation):
                if value.owner.name.startswith("arith."):
                    work.extend(value.owner.operands)
            elif value.owner is block:
                found[value.index] = max(found.get(value.index, 1), int(step))
    return found


def block_extent(function: Operation) -> int:
    """Return the longest dimension of a tensor in the kernel, at least 8."""
    longest = 8
    for op in function.walk():
        for result in op.results:
            known = info(result.type)
            if known.kind in ("tensor", "block_pointer"):
                longest = max(longest, *known.shape, 8)
    return min(longest, 4096)


@dataclass(frozen=True)
class _Plan:
    """
    How one draw chooses integers: around `scale` of the extent, `apart` of it from each other.
    """

    name: str
    scale: float
    odd: int
    contents: Contents
    apart: float = 0.125
    multiples: int = 1


_PLANS = (
    _Plan("sizes above a block", 1.5, 5, Contents(seed=1)),
    _Plan("sizes below a block", 0.5, 3, Contents(seed=2, integers=7), apart=0.0625),
    _Plan("multiples of 16", 2.0, 0, Contents(seed=3, positive=True), multiples=16),
    _Plan("ones", 0.0, 1, Contents(seed=4, integers=2)),
)

_RETRIES = (
    _Plan("equal numbers", 1.0, 0, Contents(seed=9), apart=0.0),
    _Plan("descending numbers", 1.0, 0, Contents(seed=10), apart=-0.0625),
    _Plan("small numbers", 0.25, 1, Contents(seed=5, integers=2)),
    _Plan("indices all zero", 1.0, 0, Contents(seed=6, integers=1)),
    _Plan("large sizes", 16.0, 7, Contents(seed=7, integers=1)),
    _Plan("twos", 0.0, 2, Contents(seed=8, integers=1)),
)

EDGES = (0, -16, (1 << 31) - 16)
"""Values that a thorough check gives to each integer argument in turn."""


MOST_TRIPS = 192
"""Bound of loops whose step is not a constant."""


def _integer(plan: _Plan, parameter: Parameter, place: int, extent: int, step: int | None) -> int:
    divisor = int(parameter.attributes.get("tt.divisibility") or 1)
    width = parameter.info.scalar.width
    if width == 1:
        return (plan.odd + place) & 1
    gap = math.ceil(plan.apart * extent) if plan.scale else 0
    wanted = int(plan.scale * extent) + plan.odd + gap * place
    if "stride" in parameter.name.lower():
        wanted = 8 * extent + 16 * place + plan.odd
    elif step is not None:
        wanted = min(wanted, max(MOST_TRIPS, 4 * step) + plan.odd)
    wanted = -(-wanted // plan.multiples) * plan.multiples
    wanted = max(1, wanted)
    value = -(-wanted // divisor) * divisor
    return min(value, (1 << (width - 1)) - divisor)


def _value(plan: _Plan, parameter: Parameter, place: int, extent: int, step: int | None) -> Any:
    if parameter.is_memory:
        return Endless(plan.contents)
    if parameter.info.scalar.is_float:
        return float(np.float16(0.5 + 0.375 * ((place + plan.odd) % 5)))
    return _integer(plan, parameter, place, extent, step)


def _draw(plan: _Plan, function: Operation, known: list[Parameter], given: dict[int, Any]) -> Draw:
    extent = block_extent(function)
    grid, programs = default_launch(function)
    loops = loop_arguments(function)
    numbers = [p.index for p in known if not p.is_memory]
    places = {index: k for k, index in enumerate(numbers)}
    values = [
        given.get(
            p.index, _value(plan, p, places.get(p.index, p.index), extent, loops.get(p.index))
        )
        for p in known
    ]
    return Draw(plan.name, tuple(values), grid, programs)


def draws(
    function: Operation, known: list[Parameter], given: dict[int, Any] | None = None
) -> Iterator[Draw]:
    """
    Yield launches, the most telling first; `given` fixes arguments by position.

    A launch may not fit the kernel (an assertion fails, it runs too long): take another.
    """
    for plan in (*_PLANS, *_RETRIES):
        yield _draw(plan, function, known, given or {})


def edge_draws(
    function: Operation, known: list[Parameter], given: dict[int, Any] | None = None
) -> Iterator[Draw]:
    """Yield launches in which one integer argument is 0, 1, negative or near 2³¹."""
    base = _draw(_PLANS[0], function, known, given or {})
    for k, parameter in enumerate(known):
        if parameter.is_memory or parameter.info.scalar.is_float or k in (given or {}):
            continue
        divisor = int(parameter.attributes.get("tt.divisibility") or 1)
        width = parameter.info.scalar.width
        for edge in (*EDGES, 1):
            if edge % divisor or not -(1 << (width - 1)) <= edge < 1 << (width - 1):
                continue
            values = list(base.values)
            values[k] = edge
            yield replace(base, name=f"{parameter.name} = {edge}", values=tuple(values))
