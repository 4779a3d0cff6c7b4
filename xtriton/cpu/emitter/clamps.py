"""
Integers that follow the index of a loop up to some place, and behind it stay or turn back.

Where an image has a border of its own elements, places are clamped, or reflected by magnitudes:

    column = min(max(x - 3, 0), width - 1)        column = abs(x - 3)

LLVM knows no step of such a place, and gathers. Where rows are long a loop is cut at what stops to
follow the index (see `rows`), and the part that is expected to be most of it has the index itself.
"""

from __future__ import annotations

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter


def clamped(e: Emitter, name: str, type: str, a: Operand, b: Operand) -> Operand:
    """Return what LLVM's `name` makes of two integers, `smin` or `smax`."""
    rows, is_minimum = e.rows, name == "smin"
    for sum, bound in ((a, b), (b, a)):
        if rows is None or (limit := rows.limit_of(sum, bound)) is None:
            continue
        is_below = rows.expect(limit, is_below=is_minimum)
        if is_below is not None:
            return sum if is_below == is_minimum else bound
        result = _of_two(e, name, type, a, b)
        rows.assume(result, sum)
        return result
    return _of_two(e, name, type, a, b)


def magnitude(e: Emitter, type: str, x: Operand) -> Operand:
    """Return the magnitude of an integer, which is that of the smallest one itself."""
    if e.rows is None or (limit := e.rows.limit_of(x, 0)) is None:
        return _magnitude(e, type, x)
    is_below = e.rows.expect(limit, is_below=limit.is_above_the_middle)
    if is_below is not None:
        return e.builder.value(f"sub {type} 0, {x}") if is_below else x
    result = _magnitude(e, type, x)
    e.rows.assume(result, x)
    return result


def _of_two(e: Emitter, name: str, type: str, a: Operand, b: Operand) -> str:
    return e.builder.call(type, f"llvm.{name}.{type}", [(type, a), (type, b)])


def _magnitude(e: Emitter, type: str, x: Operand) -> str:
    # The second argument would make the smallest integer poison.
    return e.builder.call(type, f"llvm.abs.{type}", [(type, x), ("i1", "false")])
