"""
Launches of kernels on arrays that hold what the interpreter's made-up memory holds.

What machine code stores there has to be what the interpreter's run stored.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from xtriton.errors import UserError
from xtriton.interpreter.arguments import Endless, Parameter, parameters
from xtriton.interpreter.effects import AccessRecord, Recorder, argument_of
from xtriton.interpreter.machine import Program
from xtriton.interpreter.memory import EndlessRegion
from xtriton.interpreter.overflow import address_arithmetic
from xtriton.interpreter.races import find_race
from xtriton.judge.launches.bounded_draws import bounded_draws
from xtriton.judge.launches.draws import Draw, Launches, draws
from xtriton.judge.launches.execution import execute
from xtriton.semantics.elements import Array

LARGEST = 1 << 26
"""Arrays larger than so many bytes are not made."""
RELATIVE = 2e-3


class NotComparable(Exception):
    """There is no launch that fits into arrays."""


@dataclass
class Argument:
    """An array for a pointer, whose first element a negative offset may precede."""

    data: np.ndarray[Any, Any]
    start: int
    """Byte in `data` at which the pointer points."""


def launch_on_arrays(
    module: ModuleOp, name: str, choose: Callable[[Iterable[Draw]], Iterable[Draw]] = iter
) -> Any:
    """
    Run the original on made-up memory; return the launch, what it wrote, and arrays for it.

    `choose` makes other launches of those that are drawn. Raise `NotComparable` where none fits.
    """
    program = Program(module)
    program.watched = address_arithmetic(module)
    function = program.symbols[name]
    known = parameters(function)
    problem = "none was drawn"
    launches = Launches(function, known, None, calm=True)
    drawn = chain(draws(function, known, calm=True), bounded_draws(launches))
    for draw in choose(drawn):
        program.machine.overflowed = False
        try:
            effects = execute(program, name, draw, observer=Recorder())
        except UserError as e:
            problem = e.message
            continue
        if program.machine.overflowed:
            problem = "offsets overflow"
            continue
        if effects.observer.failed:
            problem = f"'{effects.observer.failed[0]}' fails"
            continue
        if find_race(effects.observer.accesses) is not None:
            problem = "programs race"
            continue
        written = _without(effects.written, effects.observer.accesses)
        if effects.poison_used:
            other = execute(program, name, draw, poison=1).written
            written = _defined(written, other, known)
        try:
            return draw, written, _arrays(draw, known, effects.observer), known
        except NotComparable as e:
            problem = str(e)
    raise NotComparable(problem)


def _without(written: dict[int, Any], accesses: Iterable[AccessRecord]) -> dict[int, Any]:
    """Return what was written without places for which a store had different values."""
    result = dict(written)
    for access in accesses:
        addresses = _doubtful(access)
        if addresses.size:
            # An access to two arguments makes a launch not comparable anyway.
            place, first = argument_of(int(addresses[0]))
            lost = np.add.outer(addresses - addresses[0] + first, np.arange(access.size))
            offsets, octets = result[place]
            kept = np.isin(offsets, lost, invert=True)
            result[place] = offsets[kept], octets[kept]
    return result


def _doubtful(access: AccessRecord) -> Array:
    """
    Return the addresses for which a store has different values: any of them may stay.

    Bits that differ count, as they do for `find_race`.
    """
    values = access.values() if access.kind == "store" else None
    addresses = access.touched()
    if values is None or not addresses.size or values.size != addresses.size:
        return addresses[:0]
    order = np.argsort(addresses, kind="stable")
    addresses = addresses[order]
    octets = np.ascontiguousarray(values)[order].view(np.uint8).reshape(addresses.size, -1)
    differs = (octets[1:] != octets[:-1]).any(axis=1) & (np.diff(addresses) == 0)
    return np.unique(addresses[1:][differs])


def _defined(one: dict[int, Any], other: dict[int, Any], known: list[Parameter]) -> dict[int, Any]:
    """Return what both runs, with different stand-ins for undefined values, wrote alike."""
    result: dict[int, Any] = {}
    for place, (offsets, octets) in one.items():
        if place in other:
            same = np.isin(offsets, other[place][0])
            there = np.searchsorted(other[place][0], offsets[same])  # pyright: ignore[reportUnknownVariableType]
            alike = np.zeros(offsets.size, np.bool_)
            alike[same] = other[place][1][there] == octets[same]
            of = known[place].stored
            size = of.size if of is not None and alike.size % of.size == 0 else 1
            whole = alike.reshape(-1, size).all(axis=1).repeat(size)
            result[place] = offsets[whole], octets[whole]
    return result


def _arrays(draw: Draw, known: list[Parameter], observer: Recorder) -> dict[int, Argument]:
    """Return an array for each pointer, as large as what was touched."""
    spans: dict[int, tuple[int, int]] = {}
    for access in observer.accesses:
        touched = access.touched()
        if touched.size:
            place, low = argument_of(int(touched.min()))
            last, high = argument_of(int(touched.max()))
            if place != last:
                raise NotComparable("an access to two arguments")
            before = spans.get(place, (0, 0))
            spans[place] = min(low, before[0]), max(high + access.size, before[1])
    found: dict[int, Argument] = {}
    for place, parameter in enumerate(known):
        value = draw.values[place]
        if isinstance(value, Endless):
            low, high = spans.get(place, (0, 8))
            if high - low > LARGEST or place < 0:
                raise NotComparable("memory far apart")
            found[place] = _array(place, parameter, value, low, high)
    return found


def _array(place: int, parameter: Parameter, value: Endless, low: int, high: int) -> Argument:
    of = parameter.stored
    assert of is not None
    region = EndlessRegion(place + 1, of, value.contents)
    low, high = low - low % of.size, high + -high % of.size
    offsets = np.arange(low, high, of.size, dtype=np.int64)
    content = np.ascontiguousarray(of.encode(region.load(offsets, None, of)))
    # A load of fewer elements than a block may be rounded up by nobody; no slack is needed.
    return Argument(content.view(np.uint8).reshape(-1).copy(), -low)


def in_child(function: Callable[[], str]) -> str:
    """Return what `function` returns in a process of its own, which may crash."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, function().encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        verdict = pipe.read()
    os.waitpid(child, 0)
    return verdict or "wrong: it crashes"


def compare(expected: dict[int, Any], arrays: dict[int, Argument], known: list[Parameter]) -> str:
    for place, (offsets, octets) in expected.items():
        of = known[place].stored
        assert of is not None
        there = arrays[place].data[offsets + arrays[place].start]
        if np.array_equal(there, octets):
            continue
        if octets.size % of.size:
            return f"wrong: argument {place} differs"
        x, y = (of.decode(np.ascontiguousarray(a).view(of.storage)) for a in (octets, there))
        if not of.is_float:
            return f"wrong: argument {place}, {int((x != y).sum())} of {x.size} differ"
        x, y = x.astype(np.float64), y.astype(np.float64)
        finite = np.abs(x[np.isfinite(x)])
        scale = float(finite.max()) if finite.size else 1.0
        bad = ~((np.abs(x - y) <= RELATIVE * scale) | (np.isnan(x) & np.isnan(y)) | (x == y))
        if bad.any():
            first = int(np.flatnonzero(bad)[0])
            shown = f"{x[first]} and not {y[first]}"
            return f"wrong: argument {place}, {int(bad.sum())} of {x.size} differ: {shown}"
    return "right"
