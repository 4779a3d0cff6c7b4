"""Affine maps without parentheses that MLIR leaves out."""

from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr, AffineMap

from xtriton.ir.writing.affine_text import map_text

d0, d1, s0 = AffineExpr.dimension(0), AffineExpr.dimension(1), AffineExpr.symbol(0)


def text(expression: AffineExpr) -> str:
    return map_text(AffineMap(2, 1, (expression,))).removeprefix("(d0, d1)[s0] -> (")[:-1]


def test_operators_bind() -> None:
    assert text(d0 * 2 + d1) == "d0 * 2 + d1"
    two = AffineExpr.constant(2)
    # xDSL's own `*` would distribute over the sum.
    assert text(AffineBinaryOpExpr(AffineBinaryOpKind.Mul, d0 + d1, two)) == "(d0 + d1) * 2"
    assert text((d0 + d1) // 4 + s0) == "(d0 + d1) floordiv 4 + s0"
    assert text((d0 % 3) * 2) == "(d0 mod 3) * 2"


def test_subtraction() -> None:
    assert text(d0 - d1) == "d0 - d1"
    assert text(d0 - 3) == "d0 - 3"
    assert text(d0 + d1 * -2) == "d0 - d1 * 2"
    assert text(-d0) == "-d0"


def test_no_results_and_no_symbols() -> None:
    assert map_text(AffineMap(0, 0, ())) == "() -> ()"
    assert map_text(AffineMap.identity(2)) == "(d0, d1) -> (d0, d1)"
