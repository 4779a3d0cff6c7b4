"""
What arithmetic is canonically.

The rules are those of MLIR's `ArithOps.cpp` and `ArithCanonicalization.td`, as far as
kernels of Triton need them; each function says its own in its docstring. Unless it says
otherwise, a rule holds for scalars and tensors alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, TensorType, i64
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.dialects.upstream.arith import (
    AddiOp,
    CmpiOp,
    ConstantOp,
    ExtSIOp,
    ExtUIOp,
    IndexCastOp,
    IndexCastUIOp,
    MuliOp,
    SelectOp,
    SubiOp,
    XOrIOp,
)
from xtriton.ir.noted_edits import set_property
from xtriton.ir.syntax import I32Enum
from xtriton.transforms.cleanup.canonicalization.tables import Fold, Folded
from xtriton.transforms.cleanup.constants import (
    Constant,
    constant_of,
    uniform_constant,
    uniform_value,
)
from xtriton.transforms.cleanup.elementwise_folds import FOLDED, compute

Constants = Sequence[Constant | None]


class Predicate(I32Enum):
    """Predicates of `arith.cmpi`."""

    eq = 0
    ne = 1
    slt = 2
    sle = 3
    sgt = 4
    sge = 5
    ult = 6
    ule = 7
    ugt = 8
    uge = 9


_REFLEXIVE = (
    Predicate.eq,
    Predicate.sle,
    Predicate.sge,
    Predicate.ule,
    Predicate.uge,
)
_SWAPPED = {
    Predicate.slt: Predicate.sgt,
    Predicate.sle: Predicate.sge,
    Predicate.ult: Predicate.ugt,
    Predicate.ule: Predicate.uge,
} | {
    Predicate.sgt: Predicate.slt,
    Predicate.sge: Predicate.sle,
    Predicate.ugt: Predicate.ult,
    Predicate.uge: Predicate.ule,
}
_NEGATED = {
    Predicate.eq: Predicate.ne,
    Predicate.ne: Predicate.eq,
    Predicate.slt: Predicate.sge,
    Predicate.sge: Predicate.slt,
    Predicate.sle: Predicate.sgt,
    Predicate.sgt: Predicate.sle,
    Predicate.ult: Predicate.uge,
    Predicate.uge: Predicate.ult,
    Predicate.ule: Predicate.ugt,
    Predicate.ugt: Predicate.ule,
}


def _all_ones(value: float | None) -> bool:
    # A true i1 is read as 1 or -1.
    return value == -1


def _zero_of(op: Operation) -> Constant:
    return uniform_constant(op.results[0].type, 0)


def _defined_by(value: SSAValue, name: str) -> Operation | None:
    return value.op if type(value) is OpResult and value.op.name == name else None


def fold_addi(op: Operation, constants: Constants) -> Folded | None:
    """x + 0 → x; (a - b) + b → a; b + (a - b) → a"""
    lhs, rhs = op._operands
    if uniform_value(constants[1]) == 0:
        return lhs
    for difference, other in ((lhs, rhs), (rhs, lhs)):
        sub = _defined_by(difference, "arith.subi")
        if sub is not None and sub._operands[1] is other:
            return sub._operands[0]
    return None


def fold_subi(op: Operation, constants: Constants) -> Folded | None:
    """x - x → 0; x - 0 → x; (a + b) - a → b; (a + b) - b → a"""
    lhs, rhs = op._operands
    if lhs is rhs:
        return _zero_of(op)
    if uniform_value(constants[1]) == 0:
        return lhs
    add = _defined_by(lhs, "arith.addi")
    if add is not None and rhs is add._operands[1]:
        return add._operands[0]
    if add is not None and rhs is add._operands[0]:
        return add._operands[1]
    return None


def fold_muli(op: Operation, constants: Constants) -> Folded | None:
    """x * 0 → 0; x * 1 → x"""
    value = uniform_value(constants[1])
    if value == 0:
        # As in MLIR the constant itself, which then stays where it is.
        return op._operands[1]
    return op._operands[0] if value == 1 else None


def fold_division(op: Operation, constants: Constants) -> Folded | None:
    """x / 1 → x"""
    return op._operands[0] if uniform_value(constants[1]) == 1 else None


def fold_remainder(op: Operation, constants: Constants) -> Folded | None:
    """x % 1 → 0"""
    return _zero_of(op) if uniform_value(constants[1]) == 1 else None


def fold_shift(op: Operation, constants: Constants) -> Folded | None:
    """x << 0 → x"""
    return op._operands[0] if uniform_value(constants[1]) == 0 else None


def fold_andi(op: Operation, constants: Constants) -> Folded | None:
    """x & x → x; x & 0 → 0; x & -1 → x; (a & b) & b → a & b"""
    lhs, rhs = op._operands
    value = uniform_value(constants[1])
    if value == 0:
        return rhs
    if lhs is rhs or _all_ones(value):
        return lhs
    for conjunction, other in ((lhs, rhs), (rhs, lhs)):
        inner = _defined_by(conjunction, "arith.andi")
        if inner is not None and other in inner._operands:
            return conjunction
    return None


def fold_ori(op: Operation, constants: Constants) -> Folded | None:
    """x | x → x; x | 0 → x; x | -1 → -1"""
    lhs, rhs = op._operands
    value = uniform_value(constants[1])
    if lhs is rhs or value == 0:
        return lhs
    return constants[1] if _all_ones(value) else None


def fold_xori(op: Operation, constants: Constants) -> Folded | None:
    """x ^ x → 0; x ^ 0 → x; (a ^ b) ^ b → a; (a ^ b) ^ a → b"""
    lhs, rhs = op._operands
    if lhs is rhs:
        return _zero_of(op)
    if uniform_value(constants[1]) == 0:
        return lhs
    inner = _defined_by(lhs, "arith.xori")
    if inner is not None and rhs is inner._operands[1]:
        return inner._operands[0]
    if inner is not None and rhs is inner._operands[0]:
        return inner._operands[1]
    return None


def fold_extremum(op: Operation, constants: Constants) -> Folded | None:
    """min(x, x) → x, and so for every minimum and maximum"""
    lhs, rhs = op._operands
    return lhs if lhs is rhs else None


def fold_cmpi(op: Operation, constants: Constants) -> Folded | None:
    """x == x → true, x < x → false; zext or sext of a scalar or vector i1 != 0 → the i1"""
    lhs, rhs = op._operands
    predicate = _predicate(op)
    if lhs is rhs:
        return uniform_constant(op.results[0].type, -1 if predicate in _REFLEXIVE else 0)
    # MLIR asks for the width of the element type, which it finds for vectors but not for tensors.
    is_tensor = isinstance(lhs.type, TensorType)
    if predicate is Predicate.ne and not is_tensor and uniform_value(constants[1]) == 0:
        for name in ("arith.extui", "arith.extsi"):
            extension = _defined_by(lhs, name)
            if extension is not None and extension._operands[0].type == op.results[0].type:
                return extension._operands[0]
    return None


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

    def fold(op: Operation, constants: Constants) -> Folded | None:
        (operand,) = op._operands
        inner = _defined_by(operand, name)
        if inner is not None and inner._operands[0].type == op.results[0].type:
            return inner._operands[0]
        return None

    return fold


def fold_trunci(op: Operation, constants: Constants) -> Folded | None:
    """trunc(ext(x)) → x of the same type"""
    for name in ("arith.extsi", "arith.extui"):
        folded = fold_round_trip(name)(op, constants)
        if folded is not None:
            return folded
    return None


def fold_bitcast(op: Operation, constants: Constants) -> Folded | None:
    """bitcast(x) to the same type → x; bitcast(bitcast(x)) → x of the same type"""
    if constants[0] is not None:
        return None  # computed, which is what MLIR does first here
    if op._operands[0].type == op.results[0].type:
        return op._operands[0]
    return fold_round_trip("arith.bitcast")(op, constants)


def _neutral_float(neutral: float, sign_matters: bool = False) -> Fold:
    """Return the fold x ∘ neutral → x; zeros are told apart by sign if that matters."""

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

    def fold(op: Operation, constants: Constants) -> Folded | None:
        value = uniform_value(constants[1])
        if value is not None and (value == neutral or (value != value and neutral != neutral)):
            return op._operands[0]
        return fold_extremum(op, constants)

    return fold


FOLDS: dict[str, Fold] = {
    **{name: lambda op, constants: None for name in FOLDED},
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


class CombineConstantsPattern(RewritePattern):
    """(x ± c0) ± c1 → x + (±c0 ± c1); (x * c0) * c1 → x * (c0 * c1); of scalars, as in MLIR"""

    op_types = (AddiOp, MuliOp, SubiOp)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        lhs, rhs = op._operands
        second = constant_of(rhs)
        if second is None:
            return
        inner = lhs.owner
        if not isinstance(inner, (AddiOp, MuliOp, SubiOp)) or not _is_scalar(op):
            return
        first = constant_of(inner._operands[1])
        if first is None:
            return
        found = _COMBINED.get((inner.name, op.name))
        if found is None:
            return
        combine, swapped, maker = found
        operands = (second, first) if swapped else (first, second)
        combined = compute(combine, operands, op.results[0].type)
        if combined is not None:
            constant = ConstantOp(combined)
            rewriter.replace(op, [constant, maker(inner._operands[0], constant.result)])


_COMBINED: dict[tuple[str, str], tuple[str, bool, type[AddiOp | MuliOp | SubiOp]]] = {
    ("arith.addi", "arith.addi"): ("arith.addi", False, AddiOp),
    ("arith.addi", "arith.subi"): ("arith.subi", False, AddiOp),
    ("arith.muli", "arith.muli"): ("arith.muli", False, MuliOp),
    ("arith.subi", "arith.addi"): ("arith.subi", True, AddiOp),
    ("arith.subi", "arith.subi"): ("arith.addi", False, SubiOp),
}
"""By inner and outer op: how the constants combine, in which order, and the op that is left."""


class CombineConstantsOnTheLeftPattern(RewritePattern):
    """
    c1 - (x ± c0) → (c1 ∓ c0) - x; (c0 - x) ± c1 → (c0 ± c1) - x; c1 - (c0 - x) → x + (c1 - c0)

    Of scalars, as in MLIR.
    """

    op_types = (AddiOp, SubiOp)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        lhs, rhs = op._operands
        left, right = constant_of(lhs), constant_of(rhs)
        if isinstance(op, SubiOp) and left is not None:
            inner = rhs.owner
        elif right is not None:
            left, inner = None, lhs.owner
        else:
            return
        if not isinstance(inner, (AddiOp, SubiOp)) or not _is_scalar(op):
            return
        a, b = map(constant_of, inner._operands)
        known_left = a is not None and isinstance(inner, SubiOp)
        if left is not None:
            known = a if known_left else b
            subtracts = known_left or isinstance(inner, AddiOp)
            combine, outer = ("arith.subi" if subtracts else "arith.addi"), left
            operands = (outer, known)
        else:
            known = a if known_left else None
            combine, operands = op.name, (known, right)
        if known is None:
            return
        combined = compute(combine, operands, op.results[0].type)  # pyright: ignore[reportArgumentType]
        if combined is None:
            return
        constant = ConstantOp(combined)
        if left is not None and known_left:
            result = AddiOp(inner._operands[1], constant.result)
        else:
            rest = inner._operands[1] if known_left else inner._operands[0]
            result = SubiOp(constant.result, rest)
        rewriter.replace(op, [constant, result])


class SumWithNegationPattern(RewritePattern):
    """x + y * -1 → x - y, and so on the other side"""

    op_types = (AddiOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        lhs, rhs = op._operands
        for side, other in ((rhs, lhs), (lhs, rhs)):
            product = _defined_by(side, "arith.muli")
            if product is None:
                continue
            negated, factor = product._operands
            if uniform_value(constant_of(factor)) == -1:
                rewriter.replace(op, SubiOp(other, negated))
                return


def _is_scalar(op: Operation) -> bool:
    (result,) = op.results
    return isinstance(result._type, (IntegerType, IndexType))


class CastOfExtensionPattern(RewritePattern):
    """index_cast(extsi(x)) to index → index_cast(x), and the same without signs"""

    op_types = (IndexCastOp, IndexCastUIOp)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        extension = "arith.extsi" if isinstance(op, IndexCastOp) else "arith.extui"
        (operand,) = op._operands
        inner = _defined_by(operand, extension)
        if inner is not None:
            op.operands = [inner._operands[0]]
            rewriter.notify_op_modified(op)


class NegatedComparisonPattern(RewritePattern):
    """!(a < b) → a >= b, for scalars, as in MLIR"""

    op_types = (XOrIOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        comparison = op._operands[0].owner
        constant = constant_of(op._operands[1])
        if not isinstance(comparison, CmpiOp) or not isinstance(constant, IntegerAttr):
            return
        if not _all_ones(uniform_value(constant)):
            return
        negated = comparison.clone()
        _set_predicate(negated, _NEGATED[_predicate(comparison)])
        rewriter.replace(op, negated)


class ExtensionOfExtensionPattern(RewritePattern):
    """ext(ext(x)) → ext(x); a sign extension of a zero extension is a zero extension"""

    op_types = (ExtSIOp, ExtUIOp)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner = op._operands[0].owner
        if isinstance(inner, ExtUIOp) or (isinstance(inner, ExtSIOp) and isinstance(op, ExtSIOp)):
            rewriter.replace(
                op,
                type(inner).create(
                    operands=[inner._operands[0]], result_types=[op.results[0].type]
                ),
            )


class SelectOfNegationPattern(RewritePattern):
    """select(!c, x, y) → select(c, y, x)"""

    op_types = (SelectOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        negation = op._operands[0].owner
        if isinstance(negation, XOrIOp) and _all_ones(
            uniform_value(constant_of(negation._operands[1]))
        ):
            op.operands = [negation._operands[0], op._operands[2], op._operands[1]]
            rewriter.notify_op_modified(op)


class SelectOfSelectPattern(RewritePattern):
    """select(c, select(c, x, y), z) → select(c, x, z), and so on the other side"""

    op_types = (SelectOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        condition, *sides = op._operands
        simpler = [
            side.owner._operands[1 + index]
            if isinstance(side.owner, SelectOp) and side.owner._operands[0] is condition
            else side
            for index, side in enumerate(sides)
        ]
        if simpler != sides:
            op.operands = [condition, *simpler]
            rewriter.notify_op_modified(op)


PATTERNS: tuple[RewritePattern, ...] = (
    CastOfExtensionPattern(),
    CombineConstantsPattern(),
    CombineConstantsOnTheLeftPattern(),
    SumWithNegationPattern(),
    NegatedComparisonPattern(),
    ExtensionOfExtensionPattern(),
    SelectOfNegationPattern(),
    SelectOfSelectPattern(),
)


def mirror_comparison(op: Operation) -> None:
    """c < x → x > c, whose operands have been exchanged"""
    predicate = _predicate(op)
    _set_predicate(op, _SWAPPED.get(predicate, predicate))


MIRRORS = {"arith.cmpi": mirror_comparison}
"""What keeps the meaning of ops when their operands are exchanged."""


def _predicate(op: Operation) -> Predicate:
    attribute = op.properties["predicate"]
    assert isinstance(attribute, IntegerAttr)
    return Predicate(attribute.value.data)


def _set_predicate(op: Operation, predicate: Predicate) -> None:
    set_property(op, "predicate", IntegerAttr(predicate.value, i64))
