"""Affine expressions with symbols as factors and divisors, which xDSL's operators refuse."""

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
)


def product(expression: AffineExpr, factor: AffineExpr | int) -> AffineExpr:
    """Return `expression * factor`; the factor is a constant or a symbol."""
    if isinstance(factor, int):
        return expression * factor
    if isinstance(factor, AffineConstantExpr) or isinstance(expression, AffineConstantExpr):
        return expression * factor
    return AffineBinaryOpExpr(AffineBinaryOpKind.Mul, expression, factor)


def floordiv(expression: AffineExpr, divisor: AffineExpr | int) -> AffineExpr:
    """Return `expression floordiv divisor`, rounded down; the divisor is positive."""
    return _division(AffineBinaryOpKind.FloorDiv, expression, divisor)


def mod(expression: AffineExpr, divisor: AffineExpr | int) -> AffineExpr:
    """Return `expression mod divisor`, which is not negative; the divisor is positive."""
    return _division(AffineBinaryOpKind.Mod, expression, divisor)


def _division(
    kind: AffineBinaryOpKind, expression: AffineExpr, divisor: AffineExpr | int
) -> AffineExpr:
    if isinstance(divisor, int):
        divisor = AffineExpr.constant(divisor)
    if isinstance(divisor, AffineConstantExpr):
        if divisor.value <= 0:
            raise ValueError(f"divisor must be positive, got {divisor.value}")
        if kind is AffineBinaryOpKind.Mod:
            return expression % divisor
        return expression // divisor
    return AffineBinaryOpExpr(kind, expression, divisor)
