"""The bodies of functions of vectors that look up numbers in a register, see `lanes`."""

from collections.abc import Callable
from functools import cache, partial

from xtriton.cpu.builder import IRBuilder
from xtriton.cpu.mathlib.core import Expressions, define
from xtriton.cpu.mathlib.intervals import INTERVALS
from xtriton.cpu.mathlib.lanes import INLINED, WIDTHS, Lanes, prefix
from xtriton.cpu.mathlib.powers import (
    BELOW,
    POWERS,
    define_far,
    scaled_by_instruction,
    scaled_in_bits,
)
from xtriton.cpu.module import Module

NAMES = {8: (*POWERS,), 16: (*POWERS, *BELOW, *INTERVALS)}
"""The functions that there are, by how many numbers a register holds."""


def bodies(text: str) -> str:
    """Return the text of a module with the functions that `call_lanes` calls in a module."""
    called = (
        _bodies(numbers, tuple(name for name in names if f"@{prefix(numbers)}{name}(" in text))
        for numbers, names in NAMES.items()
    )
    return "".join(called)


@cache
def _bodies(numbers: int, names: tuple[str, ...]) -> str:
    builder = IRBuilder(Module())
    for name in names:
        full = f"{prefix(numbers)}{name}"
        for width in WIDTHS[numbers]:
            _define(builder, f"{full}.{width}", width, _body(numbers, full, name, width))
        narrowest = min(WIDTHS[numbers])
        single = partial(_single, narrowest, f"{full}.{narrowest}")
        define(builder, full, "float", ["float"], single, linkage=INLINED)
        if numbers == 8:
            define_far(builder, _far(full), POWERS[name])
    return builder.module.text()


def _define(
    builder: IRBuilder, name: str, width: int, body: Callable[[Expressions, str], str]
) -> None:
    """Define a function of vectors of a width."""
    vector = f"<{width} x float>"
    define(builder, name, vector, [vector], body, linkage=INLINED)


def _body(numbers: int, full: str, name: str, width: int) -> Callable[[Expressions, str], str]:
    """Return what appends the body of a function of so many lanes."""

    def body(e: Expressions, x: str) -> str:
        if name in INTERVALS:
            return INTERVALS[name](Lanes(e.builder, width), x)
        if numbers == 16:
            power = (POWERS | BELOW)[name]
            return scaled_by_instruction(Lanes(e.builder, width), power, x, is_below=name in BELOW)
        return scaled_in_bits(e.builder, width, POWERS[name], _far(full), x)

    return body


def _far(full: str) -> str:
    return f"{full}.far"


def _single(width: int, name: str, e: Expressions, x: str) -> str:
    """The function of one f32, as a lane of the narrowest vector, so that all round alike."""
    b, vector = e.builder, f"<{width} x float>"
    lanes = b.value(f"insertelement {vector} zeroinitializer, float {x}, i32 0")
    results = b.call_defined(vector, name, [(vector, lanes)])
    return b.value(f"extractelement {vector} {results}, i32 0")
