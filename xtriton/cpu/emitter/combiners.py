"""What reductions combine with, and how many partial results that allows."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.emitter.access import shape_of
from xtriton.cpu.emitter.arithmetic import (
    FLOAT_INTRINSICS,
    FLOAT_PREDICATES,
    INTEGER_INTRINSICS,
    INTEGER_PREDICATES,
    NUMBER_SELECTIONS,
)
from xtriton.cpu.emitter.generics import Generic
from xtriton.ir.attributes import integer, integers

ASSOCIATIVE = {
    "arith.addf", "arith.mulf", *FLOAT_INTRINSICS, "arith.addi", "arith.muli", "arith.andi",
    "arith.ori", "arith.xori", *INTEGER_INTRINSICS, *NUMBER_SELECTIONS,
}  # fmt: skip
ELEMENTWISE = ("arith.addf", "arith.mulf")
"""Combiners that LLVM has for vectors as for numbers."""
PARTIAL_VECTORS = 4
"""
Vectors of partial results kept side by side, which hide the latency of an addition.

LLVM makes loops of as many: those of more go on as loops, and the partial results lie in memory.
"""
LEAST_PARTIAL_BYTES = 64

_ORDERS = {
    "arith.cmpi": (INTEGER_PREDICATES, INTEGER_PREDICATES[2:]),
    "arith.cmpf": (FLOAT_PREDICATES, FLOAT_PREDICATES[2:6]),
}
"""The predicates of comparisons, and those that tell which of two numbers is greater."""


def keeps_an_extremum(generic: Generic) -> bool:
    """
    Return whether a body of several ops returns the greater or the lesser of two, NaN if one is.

    The order of such a reduction decides on signs of zeros and NaNs at most.
    """
    chosen = _made_by(generic.yielded[0], "arith.select") if len(generic.yielded) == 1 else None
    if chosen is None or set(chosen.operands[1:]) != set(generic.block.args):
        return False
    condition, one, other = chosen.operands
    if (compared := _made_by(condition, "arith.cmpi")) is not None:
        return _orders(compared, one, other)
    if (either := _made_by(condition, "arith.ori")) is None:
        return False
    parts = [_made_by(operand, "arith.cmpf") for operand in either.operands]
    return any(
        order is not None and nan is not None and _orders(order, one, other) and _is_nan(nan, one)
        for order, nan in permutations(parts)
    )


def _made_by(value: SSAValue, name: str) -> Operation | None:
    owner = value.owner
    return owner if isinstance(owner, Operation) and owner.name == name else None


def _orders(comparison: Operation, one: SSAValue, other: SSAValue) -> bool:
    """Return whether it tells which of two is greater, and does not hold if one is NaN."""
    predicates, orders = _ORDERS[comparison.name]
    is_order = predicates[integer(comparison, "predicate")] in orders
    return is_order and set(comparison.operands) == {one, other}


def _is_nan(comparison: Operation, value: SSAValue) -> bool:
    is_unequal = FLOAT_PREDICATES[integer(comparison, "predicate")] in ("une", "uno")
    return is_unequal and set(comparison.operands) == {value}


def whole_inputs(generic: Generic) -> list[SSAValue] | None:
    """
    Return what a reduction takes in all, if its initial value is the first slice of it.

    A combiner without a neutral element starts from the first slice and takes in the others.
    """
    reduced = [d for d, reduces in enumerate(generic.reductions) if reduces]
    if len(reduced) != 1:
        return None
    axis = reduced[0]
    sources: list[SSAValue] = []
    for value, first in zip(generic.inputs, generic.outputs, strict=True):
        rest, start = value.owner, first.owner
        if not isinstance(rest, Operation) or not isinstance(start, Operation):
            return None
        if rest.name != "tensor.extract_slice" or start.name != "tensor.extract_slice":
            return None
        if rest.operands[0] is not start.operands[0]:
            return None
        shape = shape_of(rest.operands[0].type)
        if not _slices(rest, shape, axis, 1) or not _slices(start, shape, axis, 0):
            return None
        sources.append(rest.operands[0])
    return sources


def peels(generic: Generic, whole: Sequence[SSAValue]) -> bool:
    """True if partial results are kept side by side, each of which starts from an element."""
    return (
        generic.reductions[-1]
        and lanes_for(shape_of(whole[0].type)[-1], 8, LEAST_PARTIAL_BYTES) > 0
    )


def _slices(op: Operation, shape: Sequence[int], dimension: int, offset: int) -> bool:
    """True if `op` takes the elements from `offset`, or only the first, along `dimension`."""
    offsets, sizes = integers(op, "static_offsets"), integers(op, "static_sizes")
    wanted = 1 if offset == 0 else shape[dimension] - 1
    return (
        offsets == tuple(offset if d == dimension else 0 for d in range(len(shape)))
        and sizes == tuple(wanted if d == dimension else s for d, s in enumerate(shape))
        and all(stride == 1 for stride in integers(op, "static_strides"))
    )


def lanes_for(extent: int, element_bytes: int, bytes: int) -> int:
    """Return how many partial results to keep in `bytes` along `extent` elements; 0 for one."""
    lanes = bytes // element_bytes
    while lanes > 4 and lanes * 2 > extent:
        lanes //= 2
    return lanes if lanes > 4 else 0


def simple_combiner(generic: Generic) -> str | None:
    """
    Return the associative op that a body ends with, if the accumulator enters only there.

    The body is then "accumulator ∘ function of the inputs".
    """
    if len(generic.outputs) != 1:
        return None
    owner: Any = generic.yielded[0].owner
    name = getattr(owner, "name", None)
    if name not in ASSOCIATIVE or owner.parent_block() is not generic.block:
        return None
    accumulator = generic.output_arguments[0]
    uses = [use.operation for use in accumulator.uses]
    return name if uses == [owner] and list(owner.operands).count(accumulator) == 1 else None
