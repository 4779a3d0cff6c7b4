"""What is known of one value along each dimension, and what holds where two meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from math import gcd as _gcd

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, TensorType
from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue

from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.tt.types import PtrType
from xtriton.ir.dense import values as dense_values

MAX_DIVISOR = 1 << 62
"""The divisibility of 0, and what divisibilities are cut to."""

Ints = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AxisInfo:
    """What is known along each dimension; `stride` is -1 where the distance is not known."""

    contiguity: Ints
    divisibility: Ints
    constancy: Ints
    value: int | None = None
    stride: Ints = field(default=(), compare=False)

    @property
    def rank(self) -> int:
        return len(self.contiguity)

    def stride_of(self, dim: int) -> int:
        """Return the distance of neighbours along `dim`; -1 if it is not known."""
        if self.stride:
            return self.stride[dim]
        return 1 if self.contiguity[dim] > 1 else -1

    def __str__(self) -> str:
        value = "<none>" if self.value is None else str(self.value)
        return (
            f"contiguity = {list(self.contiguity)}, divisibility = {list(self.divisibility)}, "
            f"constancy = {list(self.constancy)}, constant_value = {value}"
        )


Infos = Sequence[AxisInfo]


def gcd(*numbers: int) -> int:
    """Return the greatest common divisor; 0 stands for no restriction."""
    return _gcd(*numbers)


def power_of_two_divisor(value: int) -> int:
    """Return the greatest power of two that divides `value`."""
    return min(value & -value, MAX_DIVISOR) if value else MAX_DIVISOR


def multiply_divisors(a: int, b: int) -> int:
    """Return the divisibility of a product."""
    return MAX_DIVISOR if a > MAX_DIVISOR // b else a * b


def rank_of(type: Attribute) -> int:
    """Return the rank of a tensor, or of what a block pointer points to; 1 for a scalar."""
    shape = shape_of(type)
    return 1 if shape is None else len(shape)


def shape_of(type: Attribute) -> tuple[int, ...] | None:
    """Return the shape of a tensor, or of what a block pointer points to; None for a scalar."""
    if isinstance(type, PtrType):
        type = type.pointee_type
    return type.get_shape() if isinstance(type, TensorType) else None


def hint(attribute: Attribute | None) -> Ints | None:
    """Return what an attribute like `tt.divisibility` says: a number for each dimension."""
    match attribute:
        case IntegerAttr():
            return (attribute.value.data,)
        case DenseIntOrFPElementsAttr():
            return tuple(map(int, dense_values(attribute)))
        case _:
            return None


def with_hints(info: AxisInfo, facts: dict[str, Attribute]) -> AxisInfo:
    """Return `info` with what is said explicitly instead of what was found."""
    if not facts:
        return info
    contiguity = hint(facts.get("tt.contiguity"))
    divisibility = hint(facts.get("tt.divisibility"))
    constancy = hint(facts.get("tt.constancy"))
    if contiguity is None and divisibility is None and constancy is None:
        return info
    return AxisInfo(
        contiguity or info.contiguity,
        divisibility or info.divisibility,
        constancy or info.constancy,
        info.value,
        info.stride,
    )


def pessimistic(value: SSAValue) -> AxisInfo:
    """Return what is known of a value without looking at what computes it."""
    info = _nothing(rank_of(value.type))
    if isinstance(value, OpResult):
        return with_hints(info, value.op.attributes)
    if isinstance(value, BlockArgument):
        function = value.block.parent_op()
        is_entry = value.block.prev_block is None
        if isinstance(function, FuncOp) and is_entry and function.arg_attrs is not None:
            return with_hints(info, dict(function.arg_attrs.data[value.index].data))
    return info


@cache
def _nothing(rank: int) -> AxisInfo:
    """Return what is known where nothing is."""
    ones = (1,) * rank
    return AxisInfo(ones, ones, ones)


def join(a: AxisInfo, b: AxisInfo) -> AxisInfo:
    """Return what holds for a value that is one or the other."""
    if a is b or a == b:
        return a
    dims = range(a.rank)
    return AxisInfo(
        tuple(gcd(a.contiguity[d], b.contiguity[d]) for d in dims),
        tuple(joint_divisibility(a, b, d) for d in dims),
        tuple(gcd(a.constancy[d], b.constancy[d]) for d in dims),
        a.value if a.value == b.value else None,
    )


def joint_divisibility(a: AxisInfo, b: AxisInfo, d: int) -> int:
    """Return the divisibility along `d` of runs that come from `a` or from `b`."""
    common = gcd(a.divisibility[d], b.divisibility[d])
    x, y = a.contiguity[d], b.contiguity[d]
    if x == y or MAX_DIVISOR in (x, y):
        return common
    # Shorter runs begin within the longer ones.
    return gcd(common, x, y)
