"""Affine maps and sets, semi-affine ones included: factors and divisors may be symbols."""

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)
from xdsl.parser.affine_parser import AffineParser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRToken

_DIVISIONS = {
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "mod": AffineBinaryOpKind.Mod,
}


def is_symbolic(expression: AffineExpr) -> bool:
    """Whether an expression has no dimension in it."""
    return not any(isinstance(part, AffineDimExpr) for part in expression.dfs())


class SemiAffineParser(AffineParser):
    """xDSL's parser, which knows constant factors and divisors only."""

    def _create_binop_expr(self, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken) -> AffineExpr:
        if binop.text == "*":
            return self._product(lhs, rhs, binop)
        if (kind := _DIVISIONS.get(binop.text)) is None:
            return super()._create_binop_expr(lhs, rhs, binop)
        if not is_symbolic(rhs):
            raise ParseError(
                binop.span,
                f"non-affine expression: right operand of {binop.text} has to be either a "
                "constant or symbolic",
            )
        # Folding, as xDSL does, must not divide by zero.
        if isinstance(rhs, AffineConstantExpr) and rhs.value > 0:
            return super()._create_binop_expr(lhs, rhs, binop)
        return AffineBinaryOpExpr(kind, lhs, rhs)

    @staticmethod
    def _product(lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken) -> AffineExpr:
        if not is_symbolic(rhs):
            lhs, rhs = rhs, lhs
        if not is_symbolic(rhs):
            raise ParseError(
                binop.span,
                "non-affine expression: at least one of the multiply operands has to be "
                "either a constant or symbolic",
            )
        if isinstance(lhs, AffineConstantExpr) or isinstance(rhs, AffineConstantExpr):
            return lhs * rhs
        return AffineBinaryOpExpr(AffineBinaryOpKind.Mul, lhs, rhs)
