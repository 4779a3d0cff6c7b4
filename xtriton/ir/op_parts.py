"""Access to the operands and results of an op by their place in its definition."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation

from xtriton.ir.op_plan import Arity, Value

ValuesOf = Callable[[Any], Sequence[SSAValue]]
"""Gives the values of one declared operand or result of an op."""


def values_of(declared: Sequence[Value], index: int, segments: str | None, what: str) -> ValuesOf:
    """
    Return the function that gives the values of the `index`-th declared operand or result.

    `segments` is the property that holds the sizes, if the op has it; `what` is the field
    of `Operation` that holds the values.
    """
    variable = [i for i, value in enumerate(declared) if value.arity is not Arity.SINGLE]
    rest = len(declared) - index - 1
    if segments is not None:

        def by_segment(op: Operation) -> Sequence[SSAValue]:
            start, end = segment_bounds(op, segments)[index]
            return getattr(op, what)[start:end]

        return by_segment
    if not variable or index < variable[0]:
        return lambda op: getattr(op, what)[index : index + 1]
    if len(variable) > 1:
        before = sum(i < index for i in variable)

        def by_equal_share(op: Operation) -> Sequence[SSAValue]:
            values = getattr(op, what)
            size = (len(values) - len(declared) + len(variable)) // len(variable)
            start = index - before + before * size
            return values[start : start + (size if index in variable else 1)]

        return by_equal_share
    if index > variable[0]:
        return lambda op: getattr(op, what)[(n := len(getattr(op, what))) - rest - 1 : n - rest]
    return lambda op: getattr(op, what)[index : len(getattr(op, what)) - rest]


def operand_group(op: IRDLOperation, name: str) -> Sequence[SSAValue]:
    """
    Return the operands of one name, of an op with `operandSegmentSizes`.

    xDSL's own accessors unpack the sizes each time.
    """
    start, end = segment_bounds(op, "operandSegmentSizes")[_place(type(op), name)]
    return op._operands[start:end]


@cache
def _place(cls: type[IRDLOperation], name: str) -> int:
    """Return the place of an operand among those that an op declares."""
    return [declared for declared, _ in cls.get_irdl_definition().operands].index(name)


_bounds: dict[bytes, tuple[tuple[int, int], ...]] = {}


def segment_bounds(op: Operation, name: str) -> tuple[tuple[int, int], ...]:
    """Return start and end of each segment, from the property that holds their sizes."""
    sizes: Any = op.properties.get(name)
    if sizes is None:
        sizes = op.attributes[name]
    data: bytes = sizes.data.data
    bounds = _bounds.get(data)
    if bounds is None:
        ends: list[int] = []
        for size in sizes.get_values():
            ends.append((ends[-1] if ends else 0) + size)
        bounds = _bounds[data] = tuple(zip((0, *ends), ends, strict=False))
    return bounds
