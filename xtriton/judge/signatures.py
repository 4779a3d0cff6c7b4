"""
Kernels of which one takes a descriptor where the other takes what it consists of.

Passes that lower descriptors expand an argument that is one: into a pointer, sizes, strides,
whether padding is NaN and, in some releases, whether what is loaded is rounded to tf32.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from xtriton.interpreter.arguments import FIRST_REGION, Endless, Parameter, sizes_and_strides
from xtriton.judge.launches.draws import Draw

_FLAGS = (1, 2)
"""How many bits may follow the strides: padding is NaN, and loads are rounded."""


@dataclass(frozen=True)
class Expansion:
    """
    How the arguments of one kernel become those of another.

    `sources` has for each argument of the other kernel the position of what it comes from, and
    which part of a descriptor it is: 0 the pointer, then sizes, strides, flags. None is a whole
    argument.
    """

    known: tuple[Parameter, ...]
    sources: tuple[tuple[int, int | None], ...]

    def draw(self, draw: Draw) -> Draw:
        """Return a launch of the first kernel as one of the other."""
        values = [self._value(draw.values, k, part) for k, part in self.sources]
        return replace(draw, values=tuple(values))

    def _value(self, values: Sequence[Any], k: int, part: int | None) -> Any:
        value = values[k]
        if part == 0 or (part is None and isinstance(value, Endless)):
            return replace(value, number=FIRST_REGION + k)
        if part is None:
            return value
        sizes, strides = sizes_and_strides(self.known, values, k)
        numbers = (*sizes, *strides, 0, 0)
        return numbers[part - 1]


def expansion(mine: Sequence[Parameter], theirs: Sequence[Parameter]) -> Expansion | None:
    """Return how arguments `mine` become `theirs`, or None if they are not the same kernel's."""
    for flags in _FLAGS:
        sources = _sources(mine, theirs, flags)
        if sources is not None:
            return Expansion(tuple(mine), sources)
    return None


def _sources(
    mine: Sequence[Parameter], theirs: Sequence[Parameter], flags: int
) -> tuple[tuple[int, int | None], ...] | None:
    sources: list[tuple[int, int | None]] = []
    for parameter in mine:
        rest = theirs[len(sources) :]
        if not rest:
            return None
        if parameter.info.kind != "descriptor" or rest[0].info.kind == "descriptor":
            sources.append((parameter.index, None))
            continue
        numbers = ["i64"] * (2 * parameter.info.rank) + ["i1"] * flags
        names = [p.info.scalar.name if p.info.kind == "scalar" else "" for p in rest]
        if rest[0].stored is not parameter.stored or names[1 : 1 + len(numbers)] != numbers:
            return None
        sources += [(parameter.index, part) for part in range(1 + len(numbers))]
    return tuple(sources) if len(sources) == len(theirs) else None
