"""
What arithmetic is canonically, beyond what it folds to (see `arith_folds`).

The rules are those of MLIR's `ArithOps.cpp` and `ArithCanonicalization.td`, as far as
kernels of Triton need them; each pattern says its own in its docstring. Unless it says
otherwise, a rule holds for scalars and tensors alike.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.dialects.upstream.arith import (
    AddiOp,
    CmpiOp,
    CmpIPredicate,
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
from xtriton.transforms.cleanup.canonicalization.arith_folds import (
    FOLDS,
    MIRRORS,
    all_ones,
    defined_by,
    predicate_of,
    set_predicate,
)
from xtriton.transforms.cleanup.canonicalization.where import CONSTANT, Where, with_giver
from xtriton.transforms.cleanup.constants import (
    constant_of,
    uniform_value,
)
from xtriton.transforms.cleanup.elementwise_folds import compute

__all__ = ["FOLDS", "MIRRORS", "PATTERNS"]

_NEGATED = {
    CmpIPredicate.eq: CmpIPredicate.ne,
    CmpIPredicate.ne: CmpIPredicate.eq,
    CmpIPredicate.slt: CmpIPredicate.sge,
    CmpIPredicate.sge: CmpIPredicate.slt,
    CmpIPredicate.sle: CmpIPredicate.sgt,
    CmpIPredicate.sgt: CmpIPredicate.sle,
    CmpIPredicate.ult: CmpIPredicate.uge,
    CmpIPredicate.uge: CmpIPredicate.ult,
    CmpIPredicate.ule: CmpIPredicate.ugt,
    CmpIPredicate.ugt: CmpIPredicate.ule,
}

_SUMS = ("arith.addi", "arith.subi")
_SUMS_AND_PRODUCTS = (*_SUMS, "arith.muli")


class CombineConstantsPattern(RewritePattern):
    """(x ± c0) ± c1 → x + (±c0 ± c1); (x * c0) * c1 → x * (c0 * c1); of scalars, as in MLIR"""

    op_types = (AddiOp, MuliOp, SubiOp)
    where = Where(lambda givers: givers[0] in _SUMS_AND_PRODUCTS and givers[1] == CONSTANT)

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
    where = Where(lambda givers: CONSTANT in givers and (givers[0] in _SUMS or givers[1] in _SUMS))

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
    where = with_giver("arith.muli")

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        lhs, rhs = op._operands
        for side, other in ((rhs, lhs), (lhs, rhs)):
            product = defined_by(side, "arith.muli")
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
    where = with_giver("arith.extsi", "arith.extui")

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        extension = "arith.extsi" if isinstance(op, IndexCastOp) else "arith.extui"
        (operand,) = op._operands
        inner = defined_by(operand, extension)
        if inner is not None:
            op.operands = [inner._operands[0]]
            rewriter.notify_op_modified(op)


class NegatedComparisonPattern(RewritePattern):
    """!(a < b) → a >= b, for scalars, as in MLIR"""

    op_types = (XOrIOp,)
    where = with_giver("arith.cmpi")

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        comparison = op._operands[0].owner
        constant = constant_of(op._operands[1])
        if not isinstance(comparison, CmpiOp) or not isinstance(constant, IntegerAttr):
            return
        if not all_ones(uniform_value(constant)):
            return
        negated = comparison.clone()
        set_predicate(negated, _NEGATED[predicate_of(comparison)])
        rewriter.replace(op, negated)


class ExtensionOfExtensionPattern(RewritePattern):
    """ext(ext(x)) → ext(x); a sign extension of a zero extension is a zero extension"""

    op_types = (ExtSIOp, ExtUIOp)
    where = with_giver("arith.extsi", "arith.extui")

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
    where = with_giver("arith.xori")

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        negation = op._operands[0].owner
        if isinstance(negation, XOrIOp) and all_ones(
            uniform_value(constant_of(negation._operands[1]))
        ):
            op.operands = [negation._operands[0], op._operands[2], op._operands[1]]
            rewriter.notify_op_modified(op)


class SelectOfSelectPattern(RewritePattern):
    """select(c, select(c, x, y), z) → select(c, x, z), and so on the other side"""

    op_types = (SelectOp,)
    where = with_giver("arith.select")

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
