"""Affine maps and the `affine` ops that lowerings leave: apply, min, max."""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.ir import Operation
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.ir.attributes import attribute


def map_of(op: Operation, name: str) -> AffineMap:
    return cast(Any, attribute(op, name)).data


def apply_map(e: Emitter, map: AffineMap, operands: Sequence[Operand]) -> list[Operand]:
    """Return the results of `map` for its dimensions followed by its symbols."""
    dimensions, symbols = operands[: map.num_dims], operands[map.num_dims :]
    return [evaluate(e, result, dimensions, symbols) for result in map.results]


def evaluate(
    e: Emitter,
    expression: AffineExpr,
    dimensions: Sequence[Operand],
    symbols: Sequence[Operand] = (),
) -> Operand:
    """Return the value of an affine expression."""
    match expression:
        case AffineDimExpr(position):
            return dimensions[position]
        case AffineSymExpr(position):
            return symbols[position]
        case AffineConstantExpr(value):
            return value
        case AffineBinaryOpExpr(kind, lhs, rhs):
            a = evaluate(e, lhs, dimensions, symbols)
            b = evaluate(e, rhs, dimensions, symbols)
            return _binary(e, kind, a, b)
        case _:
            raise ValueError(f"unknown affine expression {expression}")


def _binary(e: Emitter, kind: AffineBinaryOpKind, a: Operand, b: Operand) -> Operand:
    builder = e.builder
    if kind is AffineBinaryOpKind.Add:
        return builder.add(a, b)
    if kind is AffineBinaryOpKind.Mul:
        return builder.mul(a, b)
    if isinstance(a, int) and isinstance(b, int) and b != 0:
        return {"Mod": a % b, "FloorDiv": a // b, "CeilDiv": -(-a // b)}[kind.name]
    quotient = builder.value(f"sdiv i64 {a}, {b}")
    rest = builder.value(f"srem i64 {a}, {b}")
    if kind is AffineBinaryOpKind.CeilDiv:
        above = builder.value(f"icmp sgt i64 {rest}, 0")
        return builder.add(quotient, builder.value(f"zext i1 {above} to i64"))
    below = builder.value(f"icmp slt i64 {rest}, 0")
    if kind is AffineBinaryOpKind.Mod:
        return builder.value(f"select i1 {below}, i64 {builder.add(rest, b)}, i64 {rest}")
    return builder.sub(quotient, builder.value(f"zext i1 {below} to i64"))


@rule("affine.apply")
def _apply(e: Emitter, op: Operation) -> None:
    e.bind(op.results[0], apply_map(e, map_of(op, "map"), e.scalars(op.operands))[0])


@rule("affine.min", "affine.max")
def _extreme(e: Emitter, op: Operation) -> None:
    values = apply_map(e, map_of(op, "map"), e.scalars(op.operands))
    name = "smin" if op.name == "affine.min" else "smax"
    result = values[0]
    for value in values[1:]:
        result = e.builder.call("i64", f"llvm.{name}.i64", [("i64", result), ("i64", value)])
    e.bind(op.results[0], result)
