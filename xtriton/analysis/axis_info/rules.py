"""
What each op does to axis information, by Triton's own rules.

Source: the visitors in Triton's `lib/Analysis/AxisInfo.cpp`; numbers are those of the
elements along one dimension, see `lattice`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation

from xtriton.analysis.axis_facts import (
    GREATER,
    GREATER_OR_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    compare,
    element_bytes,
)
from xtriton.analysis.axis_info.dataflow import Rule
from xtriton.analysis.axis_info.lattice import (
    MAX_DIVISOR,
    AxisInfo,
    Infos,
    Ints,
    gcd,
    joint_divisibility,
    multiply_divisors,
    power_of_two_divisor,
    rank_of,
    shape_of,
)
from xtriton.dialects.utils.tensors import is_dense, is_integer, is_integer_attr, is_tensor
from xtriton.ir.attributes import integer, integers
from xtriton.ir.dense import is_splat, splat_value

Along = Callable[[Operation, AxisInfo, AxisInfo, int], int]
Known = Callable[[Operation, AxisInfo, AxisInfo], "int | None"]


def _one(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    return 1


def _common_constancy(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    return gcd(a.constancy[d], b.constancy[d])


@dataclass(frozen=True)
class Binary:
    """The rule of an op on two tensors, put together from rules for each dimension."""

    contiguity: Along = _one
    divisibility: Along = _one
    constancy: Along = _common_constancy
    value: Known = lambda op, a, b: None

    def __call__(self, op: Operation, operands: Infos) -> AxisInfo:
        a, b = operands[0], operands[1]
        value = self.value(op, a, b)
        if value is not None:
            return constant(value, shape_of(op.results[0].type))
        return self.unknown(op, a, b)

    def unknown(self, op: Operation, a: AxisInfo, b: AxisInfo) -> AxisInfo:
        """Return the information of a result whose value is not known."""
        dims = range(a.rank)
        return AxisInfo(
            tuple([self.contiguity(op, a, b, d) for d in dims]),
            tuple([self.divisibility(op, a, b, d) for d in dims]),
            tuple([self.constancy(op, a, b, d) for d in dims]),
        )


_HALF = 1 << 63


def in_64_bits(value: int) -> int:
    """Return what remains of a value in 64 bits with a sign, as upstream computes."""
    if -_HALF <= value < _HALF:
        return value
    return (value + _HALF) % (2 * _HALF) - _HALF


def constant(value: int, shape: Ints | None) -> AxisInfo:
    """Return the information of a tensor, or a scalar, that is `value` throughout, in 64 bits."""
    value = in_64_bits(value)
    rank = 1 if shape is None else len(shape)
    divisor = power_of_two_divisor(value)
    return AxisInfo((1,) * rank, (divisor,) * rank, shape or (1,) * rank, value)


def both(function: Callable[[int, int], int]) -> Known:
    """Return the rule for a result that is known where both operands are."""

    def rule(op: Operation, a: AxisInfo, b: AxisInfo) -> int | None:
        if a.value is None or b.value is None:
            return None
        return function(a.value, b.value)

    return rule


def is_contiguous(op: Operation, info: AxisInfo, d: int) -> bool:
    """Return whether the operand is one run along dimension `d` of the result."""
    shape = shape_of(op.results[0].type)
    return shape is not None and info.contiguity[d] == shape[d]


def is_constant(op: Operation, info: AxisInfo, d: int) -> bool:
    """Return whether the operand is the same throughout dimension `d` of the result."""
    shape = shape_of(op.results[0].type)
    return shape is not None and info.constancy[d] == shape[d]


# --- sums and products ------------------------------------------------------------------


def sum_contiguity(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    """A run plus a constant is one; so is, but for differences, a constant plus a run."""
    left = gcd(a.contiguity[d], b.constancy[d])
    if op.name == "arith.subi":
        return left
    return max(left, gcd(a.constancy[d], b.contiguity[d]))


def sum_divisibility(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    """What divides both divides the sum; pointers count bytes."""
    right = b.divisibility[d]
    if op.name == "tt.addptr":
        right = multiply_divisors(right, element_bytes(op.results[0].type))
    return gcd(a.divisibility[d], right)


def sum_value(op: Operation, a: AxisInfo, b: AxisInfo) -> int | None:
    """Return the sum or difference of what is known."""
    if a.value is None or b.value is None:
        return None
    if op.name == "arith.subi":
        return a.value - b.value
    scale = element_bytes(op.results[0].type) if op.name == "tt.addptr" else 1
    return a.value + b.value * scale


def product_contiguity(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    """Multiplying by 1 changes nothing."""
    left = a.contiguity[d] if b.value == 1 else 1
    right = b.contiguity[d] if a.value == 1 else 1
    return max(left, right)


def product_divisibility(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    """Of a run, only the first element is divisible."""
    left = 1 if a.contiguity[d] > 1 and b.value != 1 else a.divisibility[d]
    right = 1 if b.contiguity[d] > 1 and a.value != 1 else b.divisibility[d]
    return multiply_divisors(left, right)


def _product_value(op: Operation, a: AxisInfo, b: AxisInfo) -> int | None:
    if a.value == 0 or b.value == 0:
        return 0
    return None if a.value is None or b.value is None else a.value * b.value


def quotient_contiguity(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    """Dividing by 1 changes nothing."""
    return a.contiguity[d] if b.value == 1 else 1


def quotient_constancy(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    """A run divided by a constant gives equal quotients."""
    constancy = gcd(a.constancy[d], b.constancy[d])
    if is_contiguous(op, a, d) and is_constant(op, b, d):
        return max(constancy, gcd(a.contiguity[d], a.divisibility[d], b.divisibility[d]))
    return constancy


def _quotient_divisibility(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    if a.value == 0 or b.value == 1:
        return a.divisibility[d]
    divisor = 0 if b.value is None else abs(b.value)
    if divisor and divisor & (divisor - 1) == 0 and a.contiguity[d] == 1:
        return max(1, a.divisibility[d] // divisor)
    return 1


def quotient(a: int, b: int) -> int | None:
    """Return a / b rounded to zero; None for b = 0."""
    if b == 0:
        return None
    result = abs(a) // abs(b)
    return result if (a < 0) == (b < 0) else -result


def remainder_value(op: Operation, a: AxisInfo, b: AxisInfo) -> int | None:
    """Return a % b with the sign of a; anything % 1 is 0."""
    if b.value == 1:
        return 0
    if a.value is None or not b.value:
        return None
    ratio = quotient(a.value, b.value)
    return None if ratio is None else a.value - ratio * b.value


def remainder_contiguity(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    """A run modulo a constant gives runs that begin at multiples."""
    if is_contiguous(op, a, d) and is_constant(op, b, d):
        return gcd(a.contiguity[d], a.divisibility[d], b.divisibility[d])
    return 1


def _remainder_divisibility(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    return gcd(a.divisibility[d], b.divisibility[d]) if b.constancy[d] > 1 else 1


def remainder_constancy(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    """Anything modulo 1 is 0."""
    shape = shape_of(op.results[0].type)
    if shape is not None and b.value == 1:
        return shape[d]
    return gcd(a.constancy[d], b.constancy[d])


# --- shifts -----------------------------------------------------------------------------


def shift_contiguity(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    """Shifting by 0 changes nothing."""
    return a.contiguity[d] if b.value == 0 else 1


def left_shift_divisibility(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    """Shifting left multiplies."""
    shift = min(max(b.value or 0, 0), 62)
    divisor = 1 if a.contiguity[d] > 1 and shift else a.divisibility[d]
    return multiply_divisors(divisor, 1 << shift)


def right_shift_divisibility(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    """Shifting right divides."""
    if b.value is None:
        return 1
    divisor = 1 if a.contiguity[d] > 1 and b.value else a.divisibility[d]
    return max(1, divisor >> min(max(b.value, 0), 62))


# --- other ops --------------------------------------------------------------------------


def same(op: Operation, operands: Infos) -> AxisInfo:
    """The rule of casts and layout conversions."""
    return operands[0]


def cast(op: Operation, operands: Infos) -> AxisInfo | None:
    """The rule of casts between dialects, which may change the rank or take nothing."""
    type = op.results[0].type
    if not operands or (is_tensor(type) and rank_of(type) != operands[0].rank):
        return None
    return operands[0]


def make_range(op: Operation, operands: Infos) -> AxisInfo:
    """One run from `start` to `end`."""
    start, end = integer(op, "start"), integer(op, "end")
    # Upstream takes the divisor of a number of 32 bits here.
    divisor = power_of_two_divisor(start) if start else 1 << 30
    return AxisInfo((end - start,), (divisor,), (1,))


def _constant(op: Operation, operands: Infos) -> AxisInfo | None:
    value = op.properties.get("value")
    if is_integer_attr(value):
        return constant(_unsigned(value.value.data, value.type), None)
    if is_dense(value) and is_splat(value):
        element = value.type.element_type
        if is_integer(element):
            return constant(_unsigned(int(splat_value(value)), element), value.type.get_shape())
    return None


def _unsigned(value: int, type: Attribute) -> int:
    """Return a constant as the analysis reads it: extended by zeros to 64 bits, signed."""
    if is_integer(type) and type.width.data < 64:
        return value & ((1 << type.width.data) - 1)
    return value


def _poison(op: Operation, operands: Infos) -> AxisInfo:
    most = (MAX_DIVISOR,) * rank_of(op.results[0].type)
    return AxisInfo(most, most, most)


def splat(op: Operation, operands: Infos) -> AxisInfo:
    """One value throughout."""
    shape = shape_of(op.results[0].type) or ()
    source = operands[0]
    ones, zeros = (1,) * len(shape), (0,) * len(shape)
    divisibility = (source.divisibility[0],) * len(shape)
    return AxisInfo(ones, divisibility, shape, source.value, zeros)


def load(op: Operation, operands: Infos) -> AxisInfo:
    """Equal pointers under equal masks load equal values."""
    pointer = operands[0]
    mask = operands[1] if len(operands) > 1 else None
    ones = (1,) * pointer.rank
    constancy = tuple(
        gcd(pointer.constancy[d], mask.constancy[d] if mask else 0) for d in range(pointer.rank)
    )
    return AxisInfo(ones, ones, constancy)


def expand_dims(op: Operation, operands: Infos) -> AxisInfo:
    """Along the new dimension, what holds for every element."""
    source, axis = operands[0], integer(op, "axis")
    if source.value is not None:
        divisor = power_of_two_divisor(source.value)
    else:
        runs = zip(source.contiguity, source.divisibility, strict=True)
        divisor = gcd(*(1 if contiguity > 1 else divisor for contiguity, divisor in runs))

    def inserted(values: Ints, new: int) -> Ints:
        return (*values[:axis], new, *values[axis:])

    return AxisInfo(
        inserted(source.contiguity, 1),
        inserted(source.divisibility, divisor),
        inserted(source.constancy, 1),
        source.value,
        inserted(tuple(source.stride_of(d) for d in range(source.rank)), 0),
    )


def broadcast(op: Operation, operands: Infos) -> AxisInfo:
    """Dimensions of size 1 become constant."""
    source = operands[0]
    before = shape_of(op.operands[0].type) or ()
    after = shape_of(op.results[0].type) or ()
    dims = range(len(after))
    return AxisInfo(
        tuple(1 if before[d] == 1 else source.contiguity[d] for d in dims),
        source.divisibility,
        tuple(after[d] if before[d] == 1 else source.constancy[d] for d in dims),
        source.value,
        tuple(source.stride_of(d) for d in dims),
    )


def transpose(op: Operation, operands: Infos) -> AxisInfo:
    """Dimensions in another order."""
    source = operands[0]
    order = integers(op, "order")

    def permuted(values: Ints) -> Ints:
        return tuple(values[d] for d in order)

    return AxisInfo(
        permuted(source.contiguity),
        permuted(source.divisibility),
        permuted(source.constancy),
        source.value,
    )


def comparison(op: Operation, operands: Infos) -> AxisInfo | None:
    """A run compared to a constant changes its truth only where a run begins."""
    shape = shape_of(op.results[0].type)
    if shape is None:
        return None
    a, b = operands[0], operands[1]
    predicate = integer(op, "predicate")
    ones = (1,) * len(shape)
    if a.value is not None and b.value is not None:
        value = int(compare(predicate, a.value, b.value))
        return AxisInfo(ones, ones, shape, value)
    return AxisInfo(
        ones, ones, tuple(truth_constancy(op, a, b, d, predicate) for d in range(len(shape)))
    )


def truth_constancy(op: Operation, a: AxisInfo, b: AxisInfo, d: int, predicate: int) -> int:
    """Return for how many neighbours a comparison gives the same."""
    constancy = gcd(a.constancy[d], b.constancy[d])
    divisor = gcd(a.divisibility[d], b.divisibility[d])
    if predicate in (*GREATER, *LESS_OR_EQUAL) and is_constant(op, a, d):
        return max(constancy, gcd(b.contiguity[d], divisor))
    if predicate in (*LESS, *GREATER_OR_EQUAL) and is_constant(op, b, d):
        return max(constancy, gcd(a.contiguity[d], divisor))
    return constancy


def _select(op: Operation, operands: Infos) -> AxisInfo:
    condition, a, b = operands
    if condition.value is not None:
        return b if condition.value == 0 else a
    dims = range(a.rank)
    scalar = isinstance(op.operands[0].type, IntegerType)
    # A condition that changes cuts runs.
    cuts = (0,) * a.rank if scalar else condition.constancy
    contiguity = tuple(gcd(a.contiguity[d], b.contiguity[d], cuts[d]) for d in dims)
    divisibility = tuple(joint_divisibility(a, b, d) for d in dims)
    constancy = tuple(gcd(a.constancy[d], b.constancy[d], cuts[d]) for d in dims)
    value = a.value if a.value == b.value else None
    if value is not None:
        constancy = shape_of(op.results[0].type) or (1,) * a.rank
    return AxisInfo(contiguity, divisibility, constancy, value)


def _extremum(function: Callable[[int, int], int]) -> Rule:
    def rule(op: Operation, operands: Infos) -> AxisInfo:
        a, b = operands[0], operands[1]
        if a.value is not None and b.value is not None:
            return constant(function(a.value, b.value), shape_of(op.results[0].type))
        dims = range(a.rank)
        return AxisInfo(
            tuple(gcd(a.contiguity[d], b.contiguity[d]) for d in dims),
            tuple(joint_divisibility(a, b, d) for d in dims),
            tuple(gcd(a.constancy[d], b.constancy[d]) for d in dims),
        )

    return rule


_SUM = Binary(sum_contiguity, sum_divisibility, value=sum_value)
_QUOTIENT = Binary(
    quotient_contiguity,
    _quotient_divisibility,
    quotient_constancy,
    both(quotient),  # pyright: ignore[reportArgumentType]
)
_REMAINDER = Binary(
    remainder_contiguity, _remainder_divisibility, remainder_constancy, remainder_value
)


def _shifted(a: int, b: int) -> int:
    return a << min(max(b, 0), 63)


def _shifted_back(a: int, b: int) -> int:
    return a >> min(max(b, 0), 63)


_RIGHT_SHIFT = Binary(shift_contiguity, right_shift_divisibility, value=both(_shifted_back))

RULES: dict[str, Rule] = {
    **dict.fromkeys(
        (
            "arith.extsi",
            "arith.extui",
            "arith.trunci",
            "tt.bitcast",
            "ttg.convert_layout",
            "gluon.set_auto_layout",
        ),
        same,
    ),
    "builtin.unrealized_conversion_cast": cast,
    "tt.make_range": make_range,
    "ub.poison": _poison,
    "arith.constant": _constant,
    **dict.fromkeys(("tt.addptr", "arith.addi", "arith.subi"), _SUM),
    "arith.muli": Binary(product_contiguity, product_divisibility, value=_product_value),
    **dict.fromkeys(("arith.divsi", "arith.divui"), _QUOTIENT),
    **dict.fromkeys(("arith.remsi", "arith.remui"), _REMAINDER),
    "tt.broadcast": broadcast,
    "tt.splat": splat,
    "tt.expand_dims": expand_dims,
    "arith.cmpi": comparison,
    "arith.andi": Binary(value=both(lambda a, b: a & b)),
    "arith.ori": Binary(value=both(lambda a, b: a | b)),
    "arith.xori": Binary(value=both(lambda a, b: a ^ b)),
    "arith.select": _select,
    "arith.shli": Binary(shift_contiguity, left_shift_divisibility, value=both(_shifted)),
    **dict.fromkeys(("arith.shrui", "arith.shrsi"), _RIGHT_SHIFT),
    **dict.fromkeys(("arith.maxsi", "arith.maxui"), _extremum(max)),
    **dict.fromkeys(("arith.minsi", "arith.minui"), _extremum(min)),
    "tt.load": load,
    "tt.trans": transpose,
}
"""By the name of the op; of ops without a rule nothing is known."""
