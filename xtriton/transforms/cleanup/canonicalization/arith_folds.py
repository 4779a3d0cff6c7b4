"""
What arithmetic folds to: values that exist already, and constants.

The rules are those of MLIR's `ArithOps.cpp`, as far as kernels of Triton need them; each function
says its own in its docstring. Unless it says otherwise, a rule holds for scalars and tensors alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, TensorType, i64
from xdsl.ir import Operation, OpResult, SSAValue

from xtriton.dialects.upstream.arith import CmpIPredicate
from xtriton.ir.noted_edits import set_property
from xtriton.transforms.cleanup.canonicalization.tables import Fold, Folded
from xtriton.transforms.cleanup.canonicalization.where import (
    CONSTANT,
    Where,
    at,
    with_giver,
    with_numbers,
)
from xtriton.transforms.cleanup.constants import (
    Constant,
    uniform_constant,
    uniform_value,
)
from xtriton.transforms.cleanup.elementwise_folds import FOLDED

Constants = Sequence[Constant | None]

_REFLEXIVE = (
    CmpIPredicate.eq,
    CmpIPredicate.sle,
    CmpIPredicate.sge,
    CmpIPredicate.ule,
    CmpIPredicate.uge,
)
_SWAPPED = {
    CmpIPredicate.slt: CmpIPredicate.sgt,
    CmpIPredicate.sle: CmpIPredicate.sge,
    CmpIPredicate.ult: CmpIPredicate.ugt,
    CmpIPredicate.ule: CmpIPredicate.uge,
} | {
    CmpIPredicate.sgt: CmpIPredicate.slt,
    CmpIPredicate.sge: CmpIPredicate.sle,
    CmpIPredicate.ugt: CmpIPredicate.ult,
    CmpIPredicate.uge: CmpIPredicate.ule,
}


def all_ones(value: float | None) -> bool:
    """Return whether all bits of an integer are set."""
    # A true i1 is read as 1 or -1.
    return value == -1


def _zero_of(op: Operation) -> Constant:
    return uniform_constant(op.results[0].type, 0)


def defined_by(value: SSAValue, name: str) -> Operation | None:
    """Return the op that makes a value if it has a name, else None."""
    return value.op if type(value) is OpResult and value.op.name == name else None


def _undone(value: SSAValue, name: str, by: SSAValue) -> SSAValue | None:
    """Return what an op of a name makes `value` of together with `by`; None if none does."""
    op = defined_by(value, name)
    if op is None or by not in op._operands:
        return None
    lhs, rhs = op._operands
    return lhs if by is rhs else rhs


@at(with_giver("arith.subi", numbers=(0,)))
def fold_addi(op: Operation, constants: Constants) -> Folded | None:
    """x + 0 → x; (a - b) + b → a; b + (a - b) → a"""
    lhs, rhs = op._operands
    if uniform_value(constants[1]) == 0:
        return lhs
    for difference, other in ((lhs, rhs), (rhs, lhs)):
        sub = defined_by(difference, "arith.subi")
        if sub is not None and sub._operands[1] is other:
            return sub._operands[0]
    return None


@at(with_giver("arith.addi", numbers=(0,)))
def fold_subi(op: Operation, constants: Constants) -> Folded | None:
    """x - x → 0; x - 0 → x; (a + b) - a → b; (a + b) - b → a"""
    lhs, rhs = op._operands
    if lhs is rhs:
        return _zero_of(op)
    if uniform_value(constants[1]) == 0:
        return lhs
    return _undone(lhs, "arith.addi", rhs)


@at(with_numbers(0, 1))
def fold_muli(op: Operation, constants: Constants) -> Folded | None:
    """x * 0 → 0; x * 1 → x"""
    value = uniform_value(constants[1])
    if value == 0:
        # As in MLIR the constant itself, which then stays where it is.
        return op._operands[1]
    return op._operands[0] if value == 1 else None


@at(with_numbers(1))
def fold_division(op: Operation, constants: Constants) -> Folded | None:
    """x / 1 → x"""
    return op._operands[0] if uniform_value(constants[1]) == 1 else None


@at(with_numbers(1))
def fold_remainder(op: Operation, constants: Constants) -> Folded | None:
    """x % 1 → 0"""
    return _zero_of(op) if uniform_value(constants[1]) == 1 else None


@at(with_numbers(0))
def fold_shift(op: Operation, constants: Constants) -> Folded | None:
    """x << 0 → x"""
    return op._operands[0] if uniform_value(constants[1]) == 0 else None


@at(with_giver("arith.andi", numbers=(0, -1)))
def fold_andi(op: Operation, constants: Constants) -> Folded | None:
    """x & x → x; x & 0 → 0; x & -1 → x; (a & b) & b → a & b"""
    lhs, rhs = op._operands
    value = uniform_value(constants[1])
    if value == 0:
        return rhs
    if lhs is rhs or all_ones(value):
        return lhs
    for conjunction, other in ((lhs, rhs), (rhs, lhs)):
        inner = defined_by(conjunction, "arith.andi")
        if inner is not None and other in inner._operands:
            return conjunction
    return None


@at(with_numbers(0, -1))
def fold_ori(op: Operation, constants: Constants) -> Folded | None:
    """x | x → x; x | 0 → x; x | -1 → -1"""
    lhs, rhs = op._operands
    value = uniform_value(constants[1])
    if lhs is rhs or value == 0:
        return lhs
    return constants[1] if all_ones(value) else None


@at(with_giver("arith.xori", numbers=(0,)))
def fold_xori(op: Operation, constants: Constants) -> Folded | None:
    """x ^ x → 0; x ^ 0 → x; (a ^ b) ^ b → a; (a ^ b) ^ a → b"""
    lhs, rhs = op._operands
    if lhs is rhs:
        return _zero_of(op)
    if uniform_value(constants[1]) == 0:
        return lhs
    return _undone(lhs, "arith.xori", rhs)


@at(Where())
def fold_extremum(op: Operation, constants: Constants) -> Folded | None:
    """min(x, x) → x, and so for every minimum and maximum"""
    lhs, rhs = op._operands
    return lhs if lhs is rhs else None


@at(with_giver("arith.extui", "arith.extsi"))
def fold_cmpi(op: Operation, constants: Constants) -> Folded | None:
    """x == x → true, x < x → false; zext or sext of a scalar or vector i1 != 0 → the i1"""
    lhs, rhs = op._operands
    predicate = predicate_of(op)
    if lhs is rhs:
        return uniform_constant(op.results[0].type, -1 if predicate in _REFLEXIVE else 0)
    # MLIR asks for the width of the element type, which it finds for vectors but not for tensors.
    is_tensor = isinstance(lhs.type, TensorType)
    if predicate is CmpIPredicate.ne and not is_tensor and uniform_value(constants[1]) == 0:
        for name in ("arith.extui", "arith.extsi"):
            extension = defined_by(lhs, name)
            if extension is not None and extension._operands[0].type == op.results[0].type:
                return extension._operands[0]
    return None


@at(Where(lambda givers: givers[0] == CONSTANT or givers[1:] == [CONSTANT, CONSTANT]))
def fold_select(op: Operation, constants: Constants) -> Folded | None:
    """select(c, x, x) → x; select(true, x, y) → x; select(c, true, false) → c"""
    condition, if_true, if_false = op._operands
    if if_true is if_false:
        return if_true
    value = uniform_value(constants[0])
    if value is not None:
        return if_true if value else if_false
    chosen = (uniform_value(constants[1]), uniform_value(constants[2]))
    if condition.type == op.results[0].type and chosen == (-1, 0):
        return condition
    return None


def fold_round_trip(name: str) -> Fold:
    """Return the fold of an op that undoes `name`: trunc(ext(x)) → x of the same type."""

    @at(with_giver(name))
    def fold(op: Operation, constants: Constants) -> Folded | None:
        (operand,) = op._operands
        inner = defined_by(operand, name)
        if inner is not None and inner._operands[0].type == op.results[0].type:
            return inner._operands[0]
        return None

    return fold


@at(with_giver("arith.extsi", "arith.extui"))
def fold_trunci(op: Operation, constants: Constants) -> Folded | None:
    """trunc(ext(x)) → x of the same type"""
    for name in ("arith.extsi", "arith.extui"):
        folded = fold_round_trip(name)(op, constants)
        if folded is not None:
            return folded
    return None


@at(with_giver("arith.bitcast", same_type=True))
def fold_bitcast(op: Operation, constants: Constants) -> Folded | None:
    """bitcast(x) to the same type → x; bitcast(bitcast(x)) → x of the same type"""
    if constants[0] is not None:
        return None  # computed, which is what MLIR does first here
    if op._operands[0].type == op.results[0].type:
        return op._operands[0]
    return fold_round_trip("arith.bitcast")(op, constants)


def _neutral_float(neutral: float, sign_matters: bool = False) -> Fold:
    """Return the fold x ∘ neutral → x; zeros are told apart by sign if that matters."""

    @at(with_numbers(neutral))
    def fold(op: Operation, constants: Constants) -> Folded | None:
        value = uniform_value(constants[1])
        if value is None or value != neutral:
            return None
        if sign_matters and math.copysign(1.0, value) != math.copysign(1.0, neutral):
            return None
        return op._operands[0]

    return fold


def _float_extremum(neutral: float) -> Fold:
    """
    Return the fold min(x, x) → x and min(x, neutral) → x, or that of a maximum.

    Neutral is an infinity where NaN wins, and NaN where numbers win.
    """

    @at(with_giver(CONSTANT))
    def fold(op: Operation, constants: Constants) -> Folded | None:
        value = uniform_value(constants[1])
        if value is not None and (value == neutral or (value != value and neutral != neutral)):
            return op._operands[0]
        return fold_extremum(op, constants)

    return fold


@at(Where())
def fold_nothing(op: Operation, constants: Constants) -> Folded | None:
    """Computed, where all operands are constants, and else nothing."""


FOLDS: dict[str, Fold] = {
    **dict.fromkeys(FOLDED, fold_nothing),
    "arith.addf": _neutral_float(-0.0, sign_matters=True),
    "arith.addi": fold_addi,
    "arith.andi": fold_andi,
    "arith.bitcast": fold_bitcast,
    "arith.ceildivsi": fold_division,
    "arith.ceildivui": fold_division,
    "arith.cmpi": fold_cmpi,
    "arith.divf": _neutral_float(1.0),
    "arith.divsi": fold_division,
    "arith.divui": fold_division,
    "arith.floordivsi": fold_division,
    "arith.index_cast": fold_round_trip("arith.index_cast"),
    "arith.index_castui": fold_round_trip("arith.index_castui"),
    "arith.maximumf": _float_extremum(-math.inf),
    "arith.maxnumf": _float_extremum(math.nan),
    "arith.maxsi": fold_extremum,
    "arith.maxui": fold_extremum,
    "arith.minimumf": _float_extremum(math.inf),
    "arith.minnumf": _float_extremum(math.nan),
    "arith.minsi": fold_extremum,
    "arith.minui": fold_extremum,
    "arith.mulf": _neutral_float(1.0),
    "arith.muli": fold_muli,
    "arith.negf": fold_round_trip("arith.negf"),
    "arith.ori": fold_ori,
    "arith.remsi": fold_remainder,
    "arith.remui": fold_remainder,
    "arith.select": fold_select,
    "arith.shli": fold_shift,
    "arith.shrsi": fold_shift,
    "arith.shrui": fold_shift,
    "arith.subf": _neutral_float(0.0, sign_matters=True),
    "arith.subi": fold_subi,
    "arith.truncf": fold_round_trip("arith.extf"),
    "arith.trunci": fold_trunci,
    "arith.xori": fold_xori,
}


def mirror_comparison(op: Operation) -> None:
    """c < x → x > c, whose operands have been exchanged"""
    predicate = predicate_of(op)
    set_predicate(op, _SWAPPED.get(predicate, predicate))


MIRRORS = {"arith.cmpi": mirror_comparison}
"""What keeps the meaning of ops when their operands are exchanged."""


def predicate_of(op: Operation) -> CmpIPredicate:
    """Return the predicate of a comparison."""
    attribute = op.properties["predicate"]
    assert isinstance(attribute, IntegerAttr)
    return CmpIPredicate(attribute.value.data)


def set_predicate(op: Operation, predicate: CmpIPredicate) -> None:
    """Give a comparison another predicate."""
    set_property(op, "predicate", IntegerAttr(predicate.value, i64))
