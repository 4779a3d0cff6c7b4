"""What reductions combine with, and how many partial results that allows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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

_SIDES = {
    "arith.cmpi": {p: 1 if p[1] == "g" else -1 for p in INTEGER_PREDICATES[2:]},
    "arith.cmpf": {p: 1 if p[1] == "g" else -1 for p in FLOAT_PREDICATES[2:6]},
}
"""By which predicates a comparison tells that its first operand is the greater (1), or not (-1)."""


@dataclass(frozen=True)
class Made:
    """What makes a value: the operands of one op and, of a comparison, what it tells."""

    operands: tuple[SSAValue, ...]
    side: int = 0
    finds_nan: bool = False


Making = Callable[[SSAValue, str], Made | None]
"""Returns what makes a value, if that is an op of a name."""


def keeps_an_extremum(generic: Generic) -> bool:
    """
    Return whether a body of several ops returns the greater or the lesser of two, NaN if one is.

    The order of such a reduction decides on signs of zeros and NaNs at most.
    """
    return side_kept(generic) != 0


def side_kept(generic: Generic) -> int:
    """Return 1 if a body returns the greater of its two arguments, -1 the lesser, or else 0."""
    if len(generic.yielded) != 1:
        return 0
    side, *of = extremum_of(generic.yielded[0], made_by) or (0,)
    return side if {*of} == {*generic.block.args} else 0


def extremum_of(value: SSAValue, making: Making) -> tuple[int, SSAValue, SSAValue] | None:
    """
    Return the two of which a value is the greater (1) or the lesser (-1), NaN if one is.

    Where the two are alike, or both NaN, it is the second.
    """
    chosen = making(value, "arith.select")
    if chosen is None:
        return None
    condition, one, other = chosen.operands
    if (compared := making(condition, "arith.cmpi")) is not None:
        return _of_order(compared, one, other)
    if (either := making(condition, "arith.ori")) is None:
        return None
    parts = [making(operand, "arith.cmpf") for operand in either.operands]
    for order, nan in permutations(parts):
        if order is not None and nan is not None and _is_nan(nan, one):
            return _of_order(order, one, other)
    return None


def made_by(value: SSAValue, name: str) -> Made | None:
    """Return what makes a value, as `Making` says."""
    op = value.owner
    return made(op, op.operands) if isinstance(op, Operation) and op.name == name else None


def made(op: Operation, operands: Sequence[SSAValue]) -> Made:
    """Return what an op makes its result of, whose operands are known as `operands`."""
    if op.name not in _SIDES:
        return Made(tuple(operands))
    predicates = INTEGER_PREDICATES if op.name == "arith.cmpi" else FLOAT_PREDICATES
    predicate = predicates[integer(op, "predicate")]
    unequal = op.name == "arith.cmpf" and predicate in ("une", "uno")
    return Made(tuple(operands), _SIDES[op.name].get(predicate, 0), unequal)


def _of_order(
    compared: Made, one: SSAValue, other: SSAValue
) -> tuple[int, SSAValue, SSAValue] | None:
    """Return which of two is kept, where `one` is taken if a comparison holds."""
    if compared.side == 0 or {*compared.operands} != {one, other}:
        return None
    return (compared.side if compared.operands[0] is one else -compared.side), one, other


def _is_nan(comparison: Made, value: SSAValue) -> bool:
    return comparison.finds_nan and {*comparison.operands} == {value}


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


def lanes_for(extent: int, element_bytes: int, bytes: int, *, at_once: bool = False) -> int:
    """
    Return how many partial results to keep in `bytes` along `extent` elements; 0 for one.

    All elements may be such `at_once`; otherwise there are at least twice as many.
    """
    lanes, least = bytes // element_bytes, 1 if at_once else 2
    while lanes > 4 and lanes * least > extent:
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
