"""Affine expressions, maps and sets as MLIR writes them: no parentheses it does not need."""

from collections.abc import Callable

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)

ValueName = Callable[[int, bool], str]
"""The text of a dimension, or of a symbol where the second argument is true."""

_SPELLING = {
    AffineBinaryOpKind.Mul: " * ",
    AffineBinaryOpKind.FloorDiv: " floordiv ",
    AffineBinaryOpKind.CeilDiv: " ceildiv ",
    AffineBinaryOpKind.Mod: " mod ",
}


def letter_and_number(position: int, is_symbol: bool) -> str:
    """`d0` or `s0`."""
    return f"{'s' if is_symbol else 'd'}{position}"


def expression_text(expression: AffineExpr, name: ValueName = letter_and_number) -> str:
    """Return `expression`, its dimensions and symbols named by `name`."""
    return _text(expression, False, name)


def map_text(map: AffineMap) -> str:
    """Return `(d0)[s0] -> (d0 + s0)`."""
    results = ", ".join(expression_text(result) for result in map.results)
    return f"{_space(map.num_dims, map.num_symbols)} -> ({results})"


def set_text(set: AffineSet) -> str:
    """Return `(d0) : (d0 >= 0)`."""
    constraints = ", ".join(
        f"{expression_text(constraint.lhs)} {constraint.kind.value} 0"
        for constraint in set.constraints
    )
    return f"{_space(set.num_dims, set.num_symbols)} : ({constraints})"


def _space(dimensions: int, symbols: int) -> str:
    text = f"({', '.join(f'd{i}' for i in range(dimensions))})"
    if symbols:
        text += f"[{', '.join(f's{i}' for i in range(symbols))}]"
    return text


def _constant(expression: AffineExpr) -> int | None:
    return expression.value if isinstance(expression, AffineConstantExpr) else None


def _text(expression: AffineExpr, enclosed: bool, name: ValueName) -> str:
    """`enclosed` in an operator that binds tighter than a sum."""
    match expression:
        case AffineDimExpr():
            return name(expression.position, False)
        case AffineSymExpr():
            return name(expression.position, True)
        case AffineConstantExpr():
            return str(expression.value)
        case AffineBinaryOpExpr():
            if expression.kind is AffineBinaryOpKind.Add:
                text = _sum(expression.lhs, expression.rhs, name)
            else:
                text = _product(expression, name)
            return f"({text})" if enclosed else text
        case _:
            return str(expression)


def _product(expression: AffineBinaryOpExpr, name: ValueName) -> str:
    left = _text(expression.lhs, True, name)
    if expression.kind is AffineBinaryOpKind.Mul and _constant(expression.rhs) == -1:
        return "-" + left
    return left + _SPELLING[expression.kind] + _text(expression.rhs, True, name)


def _sum(left: AffineExpr, right: AffineExpr, name: ValueName) -> str:
    first = _text(left, False, name)
    if isinstance(right, AffineBinaryOpExpr) and right.kind is AffineBinaryOpKind.Mul:
        factor = _constant(right.rhs)
        if factor == -1:
            inner = right.lhs
            is_sum = isinstance(inner, AffineBinaryOpExpr) and (
                inner.kind is AffineBinaryOpKind.Add
            )
            return f"{first} - {_text(inner, is_sum, name)}"
        if factor is not None and factor < -1:
            return f"{first} - {_text(right.lhs, True, name)} * {-factor}"
    constant = _constant(right)
    if constant is not None and constant < 0:
        return f"{first} - {-constant}"
    return f"{first} + {_text(right, False, name)}"
