# NumPy arrays of any element type: pyright cannot follow it.
# pyright: basic
"""
Launches for kernels that neither other launches tell apart nor a solver proves to be equal.

They are drawn at random where those of `draws` are made on purpose: small sizes that meet each
other in the middle of a block, floats of which each argument has its own magnitude or few are huge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from xtriton.interpreter.arguments import Endless, Parameter
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.launches.kernel_facts import axes_used, lock_arguments
from xtriton.semantics import Element

MOST_HUGE = 3
"""Arguments that hold huge numbers in a launch of their own."""

MOST_SIGNED = 1
"""Arguments that are all -0, while others hold plain numbers: nine of a thorough check."""

SIGNED = 4
"""Launches in which half of the arguments are all -0, and the others positive."""

MAGNITUDES = 3
"""Launches in which each float has a magnitude of its own."""

SIZES = 5
"""Launches of random sizes."""

HUGE_SIZES = ((1 << 33) + 7, (1 << 32) + 1, 1 << 62)
"""Of one argument in turn, while all others are ordinary."""

SMALL_SIZES = ((5, 2, 3, 7), (10, 6, 64, 3), (5, -2, 3, -7))
"""Of all arguments in order."""

_SOME_HUNDRED = 400
"""Of what else there are as many."""

MOST_HUGE_SIZES = 3
"""Arguments that are huge in launches of their own."""

MOST_LISTS = 2
"""Numbers in memory that say how often a loop runs, in launches of their own."""

INDICES = (-1, 3, 4, 0, -9)
"""What all data that feeds addresses is equal to, in turn."""

_WAITING = (4, 2)
"""Programs that find others half done: a constant may end the grid behind the second."""

_PROGRAMS = (0, 1, 2, 5, 13, 16, 37, 64)
"""That are run with random sizes."""

_ROW = 3
_PLACES = ((0, 0), (1, 0), (0, 1), (0, 2), (1, 3), (2, 4), (0, 6), (1, 7))
"""The same of grids with two axes: so many along the first, and places in them."""

_PLAIN = (0.5, 1.0, -1.0, 2.0, 1.5, -0.75, 3.0, 0.25)
_SCARCE = 128
"""How many times as many plain numbers as NaN: a row that takes two turns has one or none."""

_EXPONENTS = {"f16": (-14, 12), "bf16": (-126, 124), "f32": (-126, 124), "f64": (-1000, 1000)}
"""Of the smallest and the largest magnitudes of floats, about."""


def last_draws(launches: Launches, turns: int = 1) -> Iterator[Draw]:
    """Yield launches that few differences need; `turns` times as many where there are more."""
    base = launches.plain()
    floats = [p for p in launches.known if p.index not in launches.given and _has_floats(p)]
    if not launches.calm:
        for parameter in [p for p in floats if p.is_memory][: MOST_HUGE * turns]:
            yield _with(base, f"{parameter.name} is huge in places", _huge(base, parameter))
            scarce = {parameter.index: _only(base, parameter, (*_PLAIN * _SCARCE, np.nan))}
            yield _with(base, f"{parameter.name} is NaN in few places", scarce)
        if floats:
            values = {p.index: _only(base, p, (-0.0,)) for p in floats}
            yield _with(base, "zeros with a sign", values)
        for parameter in floats[: MOST_SIGNED * turns * turns]:
            values = {parameter.index: _only(base, parameter, (-0.0,))}
            yield _with(base, f"{parameter.name} is -0", values)
        for turn in range(SIGNED * turns * turns if len(floats) > 1 else 0):
            yield _with(base, f"some are -0, {turn}", _some_signed(base, floats, turn))
        for turn in range(MAGNITUDES * turns if floats else 0):
            rng = np.random.default_rng((8, turn))
            values = {k: v for p in floats for k, v in _magnitude(base, p, rng).items()}
            yield _with(base, f"magnitudes, {turn}", values)
    yield from _after_others(launches, base)
    yield from _all_small(launches, base)
    yield from _one_huge(launches, base, turns)
    yield from _equal_indices(launches, base, turns)
    yield from _short_lists(launches, base)
    for turn in range(SIZES * turns):
        found = _sized(launches, base, np.random.default_rng((9, turn)), negative=turn % 2 == 1)
        if found is not None:
            yield replace(found, name=f"random sizes, {turn}")


def _some_signed(base: Draw, floats: list[Parameter], turn: int) -> dict[int, Any]:
    """Return floats of arguments: some, chosen at random, are all -0, and the others positive."""
    chosen = np.random.default_rng((10, turn)).random(len(floats)) < 0.5
    values: dict[int, Any] = {}
    for parameter, is_zero in zip(floats, chosen, strict=True):
        held = base.values[parameter.index]
        if is_zero:
            values[parameter.index] = _only(base, parameter, (-0.0,))
        elif isinstance(held, Endless):
            values[parameter.index] = replace(held, contents=replace(held.contents, positive=True))
    return values


def _after_others(launches: Launches, base: Draw) -> Iterator[Draw]:
    """
    Yield launches of one program that finds what those before it have left half done.

    Programs that run one after the other find all that they wait for, and look back no further
    than one. Where a lock has to be free, there is none.
    """
    locks = lock_arguments(launches.function)
    if not locks or any(op.name.endswith("atomic_cas") for op in launches.function.walk()):
        return
    inside = (_WAITING[0] + 1) * launches.extent
    sizes = {k for k in launches.uses.bounds - launches.given.keys() if k in launches.places}
    values: dict[int, Any] = {
        k: launches.promised(k, inside + 5) for k in sizes if isinstance(base.values[k], int)
    }
    words = 0
    for k in locks - launches.given.keys():
        held, of = base.values[k], launches.known[k].stored
        if isinstance(held, Endless) and of is not None and not of.is_float:
            # Bytes of words that are not zero, and of floats that are neither large nor small.
            numbers = (63.0, 64.0) if of.width == 8 else (1.0,)
            values[k] = Endless(replace(held.contents, only=numbers, near=()))
            words += 1
    if words:
        grid = (_WAITING[0] + 2, 2 if 1 in axes_used(launches.function) else 1, 1)
        for program in _WAITING:
            found = _with(base, f"others before {program} are half done", values)
            yield replace(found, grid=grid, programs=(program,))


def _all_small(launches: Launches, base: Draw) -> Iterator[Draw]:
    """Yield launches with small sizes of which no two are alike; the third has a negative one."""
    bounds = launches.uses.bounds - launches.uses.divisors - launches.uses.strides
    sizes = [
        p.index for p in launches.known
        if not p.is_memory and p.info.scalar.width >= 32 and p.index not in launches.given
        and isinstance(base.values[p.index], int)
    ]  # fmt: skip
    small = [k for k in sizes if k not in bounds]
    for turn, order in enumerate(SMALL_SIZES if small else ()):
        values = {k: launches.promised(k, _SOME_HUNDRED) for k in sizes if k in bounds}
        values |= {k: order[i % len(order)] for i, k in enumerate(small)}
        values = {k: launches.promised(k, v) for k, v in values.items()}
        yield _with(base, f"small sizes, {turn}", values)


def _one_huge(launches: Launches, base: Draw, turns: int) -> Iterator[Draw]:
    """Yield launches with one integer of 64 bits that does not fit into 32."""
    wide = [
        p for p in launches.known
        if not p.is_memory and p.info.scalar.width == 64 and p.index not in launches.given
        and isinstance(base.values[p.index], int) and p.index not in launches.steps
    ]  # fmt: skip
    for parameter in wide[: MOST_HUGE_SIZES * turns]:
        for size in HUGE_SIZES:
            k = parameter.index
            values = _near_zero(launches, base) | {k: launches.promised(k, size)}
            yield _with(base, f"{parameter.name} is huge", values)


def _near_zero(launches: Launches, base: Draw) -> dict[int, Any]:
    """Return memory for data that feeds addresses: small numbers of either sign."""
    found: dict[int, Any] = {}
    for k in launches.uses.indices - launches.uses.counts:
        held = base.values[k]
        if isinstance(held, Endless):
            found[k] = Endless(held.contents.steering(9, -3))
    return found


def _equal_indices(launches: Launches, base: Draw, turns: int) -> Iterator[Draw]:
    """Yield launches in which all data that feeds addresses is equal."""
    memory = launches.uses.indices - launches.uses.counts
    chosen = [k for k in sorted(memory) if isinstance(base.values[k], Endless)]
    for index in INDICES[: 2 * turns] if chosen else ():
        values = {
            k: Endless(replace(base.values[k].contents, only=(float(index),))) for k in chosen
        }
        yield _with(base, f"all indices are {index}", values)


def _short_lists(launches: Launches, base: Draw) -> Iterator[Draw]:
    """
    Yield launches in which one number in memory says that there are two turns, and others none.

    All else that feeds addresses is 0: entries of lists of blocks may be counted in billions.
    """
    steering = [
        k for k in sorted(launches.uses.indices | launches.uses.counts)
        if isinstance(base.values[k], Endless)
    ]  # fmt: skip
    for count in [k for k in steering if k in launches.uses.counts][:MOST_LISTS]:
        values = {
            k: Endless(replace(base.values[k].contents, only=(2.0 if k == count else 0.0,)))
            for k in steering
        }
        yield _with(base, f"{launches.known[count].name} is 2", values)


def _with(base: Draw, name: str, values: dict[int, Any]) -> Draw:
    changed = tuple(values.get(k, v) for k, v in enumerate(base.values))
    return replace(base, name=name, values=changed)


def _of(parameter: Parameter) -> Element | None:
    return parameter.info.pointee if parameter.is_memory else parameter.info.scalar


def _has_floats(parameter: Parameter) -> bool:
    of = _of(parameter)
    return of is not None and of.name in _EXPONENTS


def _huge(base: Draw, parameter: Parameter) -> dict[int, Any]:
    """Return memory of plain numbers with one in a hundred as large as can be."""
    of = _of(parameter)
    assert of is not None
    largest = 1.98 * 2.0 ** (15 if of.name == "f16" else _EXPONENTS[of.name][1] + 3)
    return {parameter.index: _only(base, parameter, (*_PLAIN * 12, largest))}


def _magnitude(base: Draw, parameter: Parameter, rng: Any) -> dict[int, Any]:
    """Return numbers of one magnitude, zeros now and then."""
    of = _of(parameter)
    assert of is not None
    low, high = _EXPONENTS[of.name]
    scale = 2.0 ** int(rng.integers(low, high))
    numbers = (0.0,) if rng.random() < 0.2 else tuple(x * scale for x in _PLAIN)
    return {parameter.index: _only(base, parameter, numbers)}


def _only(base: Draw, parameter: Parameter, numbers: tuple[float, ...]) -> Any:
    """Return a float, or memory, that is one of some numbers."""
    if not parameter.is_memory:
        return numbers[0]
    held: Endless = base.values[parameter.index]
    return Endless(replace(held.contents, only=numbers, near=()))


def _sized(launches: Launches, base: Draw, rng: Any, negative: bool) -> Draw | None:
    """Return a launch of programs further on, with small divisors and bounds near the blocks'."""
    values = list(base.values)
    uses = launches.uses
    factors = uses.divisors | uses.strides
    small: list[int] = []
    for parameter in launches.known:
        k = parameter.index
        if negative and not parameter.is_memory and parameter.info.scalar.is_float:
            values[k] = -0.0 if k not in launches.given else values[k]
        if parameter.is_memory or k in launches.given or not isinstance(values[k], int):
            continue
        if parameter.info.scalar.width < 32:
            continue
        near = int(launches.extent * rng.choice((0.5, 1, 3))) + int(rng.integers(-2, 3))
        far = int(launches.extent * rng.choice((3, 17, 65))) + int(rng.integers(-2, 3))
        only_bound = k in uses.bounds and k not in factors | uses.loops and k not in launches.steps
        size = int(rng.integers(2, 13)) if rng.random() < 0.7 else near
        size = far if only_bound and rng.random() < 0.8 else size
        if small and rng.random() < 0.4:
            # Sizes often are what others make together.
            size = small[-1] * int(rng.choice((2, small[0])))
        elif size < 16:
            small.append(size)
        if negative and k in factors and rng.random() < 0.3:
            size = -size
        values[k] = launches.promised(k, size)
    if tuple(values) == base.values or lock_arguments(launches.function):
        return None
    return further_on(launches, replace(base, values=tuple(values)))


def further_on(launches: Launches, base: Draw) -> Draw:
    """Return a launch of programs further on, if the grid has one axis or two."""
    axes = axes_used(launches.function)
    if axes == {0}:
        return replace(base, grid=(_PROGRAMS[-1] + 1, 1, 1), programs=_PROGRAMS, apart=True)
    if axes == {0, 1}:
        programs = tuple(x + _ROW * y for x, y in _PLACES)
        return replace(base, grid=(_ROW, _PLACES[-1][1] + 1, 1), programs=programs, apart=True)
    return replace(base, apart=True)
