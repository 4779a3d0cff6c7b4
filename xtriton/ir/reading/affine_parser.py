"""Affine maps and sets, semi-affine ones included: factors and divisors may be symbols."""

from collections.abc import Callable

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)
from xdsl.parser.affine_parser import AffineParser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind

_LARGEST = (1 << 63) - 1

_DIVISIONS = {
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "mod": AffineBinaryOpKind.Mod,
}


def is_symbolic(expression: AffineExpr) -> bool:
    """Whether an expression has no dimension in it."""
    return not any(isinstance(part, AffineDimExpr) for part in expression.dfs())


class SemiAffineParser(AffineParser):
    """xDSL's parser, which knows constant factors and divisors only, and no limits."""

    def _parse_primary(self, parse_optional_bare_id: Callable[[], AffineExpr | None]) -> AffineExpr:
        token = self._current_token
        if token.kind is MLIRTokenKind.INTEGER_LIT and (
            token.kind.get_int_value(token.span) > _LARGEST
        ):
            raise ParseError(token.span, "constant too large for index")
        return super()._parse_primary(parse_optional_bare_id)

    def _get_parse_optional_bare_id(
        self, dims: list[str], syms: list[str]
    ) -> Callable[[], AffineExpr | None]:
        names = [*dims, *syms]
        if len(set(names)) < len(names):
            again = next(name for i, name in enumerate(names) if name in names[:i])
            self.raise_error(f"redefinition of identifier '{again}'")
        return super()._get_parse_optional_bare_id(dims, syms)

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
