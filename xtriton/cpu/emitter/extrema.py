"""
Extrema of floats among which are NaNs that do not count.

`maxnumf` takes four instructions, since either side may be NaN. Partial results need not be: they
begin with an infinity in the place of NaN, and then one comparison keeps them numbers. Only where
that infinity is all that is left nobody knows whether it was there, or nothing but NaN.
"""

from collections.abc import Callable

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.arithmetic import NUMBER_SELECTIONS
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.types import Type

NAN = "0x7FF8000000000000"
_WORST = {"arith.maxnumf": "0xFFF0000000000000", "arith.minnumf": "0x7FF0000000000000"}
"""The infinity that any other number replaces."""


def keeps_numbers(combiner: str | None, type: Type) -> bool:
    """Return whether partial results of a reduction can be numbers only."""
    return combiner in _WORST and type.register in ("float", "double")


def first_number(e: Emitter, combiner: str, type: Type, value: Operand) -> Operand:
    """Return the partial result of one value."""
    t = type.register
    unordered = e.builder.value(f"fcmp uno {t} {value}, {value}")
    return e.builder.value(f"select i1 {unordered}, {t} {_WORST[combiner]}, {t} {value}")


def next_number(e: Emitter, combiner: str, type: Type, partial: Operand, value: Operand) -> Operand:
    """Return a partial result, or a vector of them, once it has met a value, which may be NaN."""
    t = type.register
    truth = f"{t.partition(' x ')[0]} x i1>" if t.startswith("<") else "i1"
    better = e.builder.value(f"fcmp {NUMBER_SELECTIONS[combiner]} {t} {value}, {partial}")
    return e.builder.value(f"select {truth} {better}, {t} {value}, {t} {partial}")


def extremum(
    e: Emitter, combiner: str, type: Type, total: Operand, carefully: Callable[[], Operand]
) -> Operand:
    """Return what all partial results make, or `carefully` where that is in doubt."""
    t = type.register
    in_doubt = e.builder.value(f"fcmp oeq {t} {total}, {_WORST[combiner]}")
    with e.builder.fresh_memory():
        return e.builder.if_else(in_doubt, lambda: [carefully()], lambda: [total], [t])[0]
