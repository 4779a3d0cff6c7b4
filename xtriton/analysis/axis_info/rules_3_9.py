"""
What differs in Triton 3.9 from the rules of 3.7.

Divisibility is that of the first element of each run of the *result*: runs that become
shorter begin inside those of the operands. Where each element is a run of its own, what
divides it along one dimension divides it along all. Reshapes have a rule, bitcasts of
pointers count elements anew, and constants have their sign.

Source: `lib/Analysis/AxisInfo.cpp` and `AxisInfo.h` of Triton, August 2026.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from xtriton.analysis.axis_facts import element_bytes
from xtriton.analysis.axis_info import rules as before
from xtriton.analysis.axis_info.dataflow import AxisAnalysis, Rule
from xtriton.analysis.axis_info.lattice import (
    AxisInfo,
    Infos,
    Ints,
    gcd,
    join,
    joint_divisibility,
    multiply_divisors,
    power_of_two_divisor,
    shape_of,
)
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.utils.tensors import is_dense, is_integer, is_integer_attr, is_tensor
from xtriton.ir.dense import is_splat, splat_value


class AxisAnalysisOf39(AxisAnalysis):
    """The analysis of Triton 3.9."""

    def _update(self, value: SSAValue, info: AxisInfo | None) -> None:
        if info is not None:
            old = self.infos.get(value)
            info = normal(info if old is None else join(old, info))
        super()._update(value, info)

    def _entry_info(self, argument: BlockArgument, called: bool) -> AxisInfo:
        return normal(super()._entry_info(argument, called))

    def info(self, value: SSAValue) -> AxisInfo:
        return normal(super().info(value))


def common_divisor(info: AxisInfo) -> int:
    """Return what divides every element, as far as dimensions without runs tell."""
    pairs = zip(info.contiguity, info.divisibility, strict=True)
    return max((divisor for contiguity, divisor in pairs if contiguity == 1), default=1)


def normal(info: AxisInfo) -> AxisInfo:
    """Return `info` with what divides every element along each dimension."""
    least = common_divisor(info)
    if all(divisor >= least for divisor in info.divisibility):
        return info
    return replace(info, divisibility=tuple(max(least, d) for d in info.divisibility))


# --- rules for each dimension -----------------------------------------------------------


def _sum_divisibility(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    """Return what divides where runs of a sum begin; pointers count bytes."""
    size = element_bytes(op.results[0].type) if op.name == "tt.addptr" else 1
    left, right = a.divisibility[d], multiply_divisors(b.divisibility[d], size)
    runs = a.contiguity[d], b.contiguity[d]
    if min(runs) > 1:
        if op.name == "arith.subi" and runs[0] == runs[1]:
            return gcd(left, right)
        return 2 if left % 2 == right % 2 == 0 else 1
    if max(runs) == 1:
        return gcd(left, right)
    run = before.sum_contiguity(op, a, b, d)
    return gcd(left, right, multiply_divisors(run, size))


def _remainder_divisibility(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    if b.constancy[d] <= 1:
        return 1
    divisor = gcd(a.divisibility[d], b.divisibility[d])
    run = before.remainder_contiguity(op, a, b, d)
    if a.contiguity[d] > run or b.contiguity[d] > run:
        return gcd(divisor, run)
    return divisor


# --- rules for ops ----------------------------------------------------------------------


def _constant(op: Operation, operands: Infos) -> AxisInfo | None:
    value = op.properties.get("value")
    if is_integer_attr(value):
        return before.constant(_signed(value.value.data, value.type), None)
    if is_dense(value) and is_splat(value):
        element = value.type.element_type
        if is_integer(element):
            number = _signed(int(splat_value(value)), element)
            return before.constant(number, value.type.get_shape())
    return None


def _signed(value: int, type: Attribute) -> int:
    """Return a constant extended by its sign."""
    if not is_integer(type):
        return value
    half = 1 << (type.width.data - 1)
    return ((value + half) & (2 * half - 1)) - half


def _bitcast(op: Operation, operands: Infos) -> AxisInfo:
    """What was an element becomes several, or part of one."""
    info, source = operands[0], op.operands[0].type
    element = source.element_type if is_tensor(source) else source
    if not isinstance(element, PtrType):
        return info
    size = element_bytes(source)
    if size == element_bytes(op.results[0].type):
        return info
    runs = zip(info.contiguity, info.divisibility, strict=True)
    divisibility = tuple(gcd(d, size) if run > 1 else d for run, d in runs)
    return AxisInfo((1,) * info.rank, divisibility, info.constancy, info.value)


def _select(op: Operation, operands: Infos) -> AxisInfo:
    info = before.RULES["arith.select"](op, operands)
    assert info is not None
    scalar = isinstance(op.operands[0].type, IntegerType)
    if operands[0].value is not None or scalar:
        return info
    a, b = operands[1:]
    divisibility = tuple(
        gcd(joint_divisibility(a, b, d), info.contiguity[d]) for d in range(a.rank)
    )
    return replace(info, divisibility=divisibility)


def _reshape(op: Operation, operands: Infos) -> AxisInfo:
    """A dimension of the result has what holds for that of the operand which it splits."""
    info = operands[0]
    old, new = shape_of(op.operands[0].type) or (), shape_of(op.results[0].type) or ()
    ones: Ints = (1,) * len(new)
    if info.value is not None:
        return AxisInfo(ones, (power_of_two_divisor(info.value),) * len(new), new, info.value)
    least = common_divisor(info)
    contiguity: list[int] = list(ones)
    divisibility = [least] * len(new)
    constancy: list[int] = list(ones)
    for d in range(len(new)):
        stride = prod(new[d + 1 :])
        s = _split_dimension(old, stride)
        own = prod(old[s + 1 :])
        run = info.contiguity[s]
        if run > 1:
            # A run survives if it begins where the dimension does.
            if stride == own:
                kept = contiguity[d] = min(run, new[d])
                divisor = info.divisibility[s]
                divisibility[d] = max(least, divisor if kept == run else min(divisor, kept))
        elif stride <= own * info.constancy[s]:
            constancy[d] = _merged_constancy(
                info, old, s, new[d], own * info.constancy[s] // stride
            )
    return AxisInfo(tuple(contiguity), tuple(divisibility), tuple(constancy))


def _split_dimension(shape: Ints, stride: int) -> int:
    """Return the dimension within which elements are `stride` apart; the first if none is."""
    for d in range(len(shape)):
        if prod(shape[d + 1 :]) <= stride < prod(shape[d:]):
            return d
    return 0


def _merged_constancy(info: AxisInfo, shape: Sequence[int], s: int, size: int, most: int) -> int:
    """Return the constancy of a dimension made of `s` and those in front of it."""
    constancy = min(size, most)
    left = size // constancy
    for d in range(s - 1, -1, -1):
        if info.constancy[s] != shape[s] or left <= 1:
            break
        piece = min(shape[d], left)
        equal = min(info.constancy[d], piece)
        constancy *= equal
        if equal < piece:
            break
        left //= piece
    return constancy


_SUM = before.Binary(before.sum_contiguity, _sum_divisibility, value=before.sum_value)
_REMAINDER = before.Binary(
    before.remainder_contiguity,
    _remainder_divisibility,
    before.remainder_constancy,
    before.remainder_value,
)

RULES: dict[str, Rule] = {
    **before.RULES,
    **dict.fromkeys(("tt.addptr", "arith.addi", "arith.subi"), _SUM),
    **dict.fromkeys(("arith.remsi", "arith.remui"), _REMAINDER),
    "arith.constant": _constant,
    "arith.select": _select,
    "tt.bitcast": _bitcast,
    "tt.reshape": _reshape,
}
"""By the name of the op; of ops without a rule nothing is known."""
