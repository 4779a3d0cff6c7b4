"""
Launches for kernels of which what differs is inside a reduction or scan: sums at the limits.

A combiner that squares differences, as that of a variance, overflows in its middle for few rows:
those in which one half of what it combines is far from the other half, and nothing else is. So one
argument holds a number in every second stretch of elements, and zeros between.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import frexp
from typing import Any

from xdsl.ir import Operation

from xtriton.interpreter.arguments import Endless
from xtriton.interpreter.contents import Contents
from xtriton.judge.differing import traces
from xtriton.judge.launches.draws import Draw, Launches

LONGEST = 10
"""Stretches have one element, two, four and so on: so many lengths."""

SCALES = 11
"""Square roots of the largest number by powers of two: what is squared is counted so often."""

MOST_ARGUMENTS = 6
"""That hold such numbers in launches of their own."""

_COMBINING = ("tt.reduce", "tt.scan")


def combiner_draws(launches: Launches, rewritten: Operation) -> Iterator[Draw]:
    """Yield launches in which what is combined is nearly too large, if combiners differ."""
    found = traces(launches.function, rewritten) or []
    if not any(_is_inside(trace.op) for trace in found):
        return
    base = launches.plain()
    floats = [
        p.index for p in launches.known
        if p.stored is not None and p.stored.is_float and p.stored.width >= 16 and p.is_memory
        and isinstance(base.values[p.index], Endless)
    ]  # fmt: skip
    for scale, length in product(range(SCALES), range(LONGEST)):
        for k in floats[:MOST_ARGUMENTS]:
            values = [_zeros(v) if n in floats else v for n, v in enumerate(base.values)]
            of = launches.known[k].stored
            assert of is not None
            number = 1.2 * 2.0 ** ((frexp(of.largest)[1] - scale) / 2)
            values[k] = Endless(Contents(only=(number,), band=1 << length))
            name = f"{launches.known[k].name} has {number:.3g} in places"
            yield replace(base, name=name, values=tuple(values))


def _zeros(value: Any) -> Any:
    return replace(value, contents=replace(value.contents, only=(0.0,), near=()))


def _is_inside(op: Operation) -> bool:
    parent = op.parent_op()
    return parent is not None and parent.name in _COMBINING
